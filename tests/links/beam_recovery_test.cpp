#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "lithe/links/reference.hpp"
#include "support/beams.hpp"

namespace lithe {
namespace {

using testing::full_beam;
using testing::uniform_beam;

ElasticModel clamped(const BeamSpec& spec) {
  return with_reference("arm", beam_model("arm", spec, {}), Reference::clamped);
}

MatrixX identity(const ElasticModel& model) { return MatrixX::Identity(model.mass.rows(), model.mass.rows()); }

/// Displacements under a force and a moment at the tip, link axes.
VectorX bent_by_tip_load(const ElasticModel& model, const Vec3& force, const Vec3& moment) {
  const Frame tip = model.field->frames(identity(model), false)[2];
  return model.stiffness.ldlt().solve(tip.shape.transpose() * force + tip.turn.transpose() * moment);
}

using Forces = Eigen::Matrix<double, 6, 1>;

/// What a force and a moment at `end` put on the section at `place`, in section axes: statics alone.
Forces by_statics(const SectionForces& place, const Vec3& end, const Vec3& force, const Vec3& moment) {
  Forces forces;
  forces << place.axes.transpose() * force, place.axes.transpose() * (moment + (end - place.position).cross(force));
  return forces;
}

// Any load at the tip of a straight beam along any direction: section forces follow from statics, exactly on every
// mesh.
TEST(BeamRecovery, TipLoad) {
  const Vec3 end(0.6, -0.5, 0.9), force(3, -2, 5), moment(0.4, 0.7, -0.2);
  for (const int elements : {1, 4}) {
    const ElasticModel model = clamped(full_beam(end, elements));
    const VectorX u = bent_by_tip_load(model, force, moment);
    const std::vector<SectionForces> places = model.field->section_forces(identity(model));
    ASSERT_EQ(places.size(), 3u * static_cast<unsigned>(elements));
    for (const SectionForces& place : places)
      EXPECT_LT((place.rows * u - by_statics(place, end, force, moment)).norm(), 1e-9) << place.name;
  }
}

// The textbook signs: P along y at the tip of a beam along x gives M_z = P (L - x), Q_y = P; along z M_y = -P (L - x).
TEST(BeamRecovery, SignsOfBending) {
  const double L = 2, P = 7;
  const ElasticModel model = clamped(uniform_beam(L, 5, 1, 2, true));
  const VectorX up = bent_by_tip_load(model, Vec3(0, P, 0), Vec3::Zero());
  const VectorX aside = bent_by_tip_load(model, Vec3(0, 0, P), Vec3::Zero());
  const std::vector<SectionForces> places = model.field->section_forces(identity(model));
  const std::string names[6] = {"0 m+", "0.5 m", "1 m-", "1 m+", "1.5 m", "2 m-"};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(places[i].name, names[i]);
    const double arm = L - places[i].position.x();
    EXPECT_LT((places[i].rows * up - (Forces() << 0, P, 0, 0, 0, P * arm).finished()).norm(), 1e-11);
    EXPECT_LT((places[i].rows * aside - (Forces() << 0, 0, P, 0, -P * arm, 0).finished()).norm(), 1e-11);
  }
}

// Shear-soft beam: the forces are those of statics all the same.
TEST(BeamRecovery, ShearDoesNotChangeStatics) {
  BeamSpec spec = uniform_beam(1.5, 3, 1, 3);
  spec.stations[0].section.shear_y = 8.0;
  const ElasticModel model = clamped(spec);
  const VectorX u = bent_by_tip_load(model, Vec3(0, 2, 0), Vec3::Zero());
  for (const SectionForces& place : model.field->section_forces(identity(model)))
    EXPECT_LT((place.rows * u - by_statics(place, Vec3(1.5, 0, 0), Vec3(0, 2, 0), Vec3::Zero())).norm(), 1e-10);
}

// Uniform load w: nodes are exact, inside an element the field misses the clamped-clamped solution of that element.
// With l the element length this is w l^2/12 at its ends and -w l^2/24 at its middle; the shear force is exact at the
// middle.
TEST(BeamRecovery, UniformLoad) {
  const double L = 1.2, w = 9, mu = 0.8;
  const int elements = 6;
  const ElasticModel model = clamped(uniform_beam(L, 4, mu, elements));
  const LinkData link = integrate_link("arm", model, identity(model), false);
  const VectorX u = model.stiffness.ldlt().solve(VectorX(w / mu * link.elastic.translation.row(1).transpose()));
  const double l = L / elements;
  for (std::size_t i = 0; i < link.elastic.section_forces.size(); ++i) {
    const SectionForces& place = link.elastic.section_forces[i];
    const double arm = L - place.position.x(), miss = i % 3 == 1 ? -w * l * l / 24 : w * l * l / 12;
    const Forces forces = place.rows * u;
    EXPECT_NEAR(forces[5], w * arm * arm / 2 - miss, 1e-11) << place.name;
    if (i % 3 == 1) {
      EXPECT_NEAR(forces[1], w * arm, 1e-10) << place.name;
    }
  }
}

// A frame with a corner: a force across it twists the first leg by its arm along the second.
TEST(BeamRecovery, CornerCarriesTorsion) {
  BeamSpec spec = full_beam(Vec3(0.8, 0, 0), 3);
  spec.axis.push_back(Vec3(0.8, 0.5, 0));
  spec.section_y = Vec3::UnitZ();
  const ElasticModel model = clamped(spec);
  const Vec3 force(1, 2, 30), end(0.8, 0.5, 0);
  const VectorX u = bent_by_tip_load(model, force, Vec3::Zero());
  for (const SectionForces& place : model.field->section_forces(identity(model)))
    EXPECT_LT((place.rows * u - by_statics(place, end, force, Vec3::Zero())).norm(), 1e-8) << place.name;
  const SectionForces root = model.field->section_forces(identity(model)).front();
  EXPECT_NEAR((root.rows * u)[3], 30 * 0.5, 1e-8);
}

// A stepped beam under a tip load: the moment does not jump where the stiffness does.
TEST(BeamRecovery, StepInTheSection) {
  BeamSpec spec = uniform_beam(1, 10, 1, 4);
  Section thin = spec.stations[0].section;
  thin.bending_y = 2;
  spec.stations = {{0.0, spec.stations[0].section}, {0.5, spec.stations[0].section}, {0.5, thin}, {1.0, thin}};
  const ElasticModel model = clamped(spec);
  const VectorX u = bent_by_tip_load(model, Vec3(0, 1, 0), Vec3::Zero());
  for (const SectionForces& place : model.field->section_forces(identity(model)))
    EXPECT_NEAR((place.rows * u)[5], 1 - place.position.x(), 1e-11) << place.name;
}

// The outline follows the axis and moves with it; the tip of the line is the tip frame. A solid circle keeps its
// radius.
TEST(BeamRecovery, Outline) {
  BeamSpec spec = full_beam(Vec3(0.6, 0.8, 0), 3);
  spec.stations = {{0.0, circle({70e9, 2700, 0.33}, 0.02)}};
  const ElasticModel model = clamped(spec);
  const Outline outline = model.field->outline(identity(model));
  ASSERT_EQ(outline.points.size(), 10u);
  ASSERT_EQ(outline.lines.size(), 9u);
  const Frame tip = model.field->frames(identity(model), false)[2];
  EXPECT_LT((outline.points.back().position - Vec3(0.6, 0.8, 0)).norm(), 1e-14);
  EXPECT_LT((outline.points.back().shape - tip.shape).norm(), 1e-13);
  for (const Outline::Line& line : outline.lines) {
    EXPECT_NEAR(line.radius, 0.02, 1e-15);
    const Vec3 middle =
        model.field->section_forces(identity(model))[line.section_forces].position;
    const Vec3 from = outline.points[line.from].position;
    const Vec3 to = outline.points[line.to].position;
    EXPECT_LT(((from + to) / 2 - middle).norm(), 1.01 * (to - from).norm());
  }
}

}  // namespace
}  // namespace lithe

// Beams under loads along their length: closed forms of bending and buckling.

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/analysis/statics.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/links/bezier_beam.hpp"
#include "lithe/mechanism/build.hpp"
#include "support/beam_mechanisms.hpp"

namespace lithe::testing {
namespace {

constexpr double L = 1.7, EI = 40.0, w = 0.9;

/// A cantilever along x, loaded from a to b.
struct LoadedCantilever {
  Plan plan;
  Workspace work;
  Actions actions;
  State start;

  LoadedCantilever(const LinkData& link, double a, double b) : plan(mechanism(link, a, b)), work(plan), actions(plan) {
    start = {0.0, plan.neutral(), VectorX::Zero(plan.nv())};
  }

  static Mechanism mechanism(const LinkData& link, double a, double b) {
    Mechanism m;
    m.add_link(link);
    connect(m, JointType::fixed, "wall", "ground", "beam/root");
    load_along(m, "load", "beam", a, b);
    return m;
  }

  struct Answer {
    double deflection, moment;  ///< of the tip; that the wall holds
    VectorX eta;
  };
  Answer under(const Vec3& at_a, const Vec3& at_b) {
    actions.line_loads[0] = {at_a, at_b};
    const Equilibrium rest = find_equilibrium(plan, work, start, actions, {});
    const Pose tip = frame_pose(plan, work, rest.state.q, plan.mechanism().find_frame("beam", "tip"));
    const Wrench wall = joint_reactions(plan, work, rest.state, VectorX::Zero(plan.nv()), actions)[0];
    return {tip.position.y(), -wall.moment.z(), rest.state.q};
  }
};

LinkData finite_elements() { return beam_link("beam", {.length = L, .bending = EI, .stiffening = false}); }

LinkData bezier() {
  BezierBeamSpec spec;
  spec.beam.length = L;
  spec.beam.stations = uniform_beam(L, EI, 1.0, 1).stations;
  const ElasticModel model = bezier_beam_model("beam", spec);
  return reduced_link("beam", model, all_coordinates(model), false);
}

// Finite elements are exact at their nodes, and polynomials of sixth degree hold the solutions: textbook values.
TEST(LineLoadStatics, Cantilever) {
  const Vec3 none = Vec3::Zero(), up(0, w, 0);
  for (const LinkData& link : {finite_elements(), bezier()}) {
    LoadedCantilever beam(link, 0, L);
    const auto uniform = beam.under(up, up), to_the_tip = beam.under(none, up), to_the_root = beam.under(up, none);
    EXPECT_NEAR(uniform.deflection, w * std::pow(L, 4) / (8 * EI), 1e-10);
    EXPECT_NEAR(uniform.moment, w * L * L / 2, 1e-9);
    EXPECT_NEAR(to_the_root.deflection, w * std::pow(L, 4) / (30 * EI), 1e-10);
    EXPECT_NEAR(to_the_root.moment, w * L * L / 6, 1e-9);
    EXPECT_NEAR(to_the_tip.deflection, 11 * w * std::pow(L, 4) / (120 * EI), 1e-10);
    EXPECT_NEAR(to_the_tip.moment, w * L * L / 3, 1e-9);
  }
}

// A force dP at s bends the tip by dP s^2 (3 L - s)/(6 EI); the integral over the loaded part, ends inside elements.
TEST(LineLoadStatics, PartOfACantilever) {
  const double a = 0.31, b = 1.13;
  const auto primitive = [](double s) { return w * (L * s * s * s - s * s * s * s / 4) / (6 * EI); };
  LoadedCantilever beam(finite_elements(), a, b);
  const auto answer = beam.under(Vec3(0, w, 0), Vec3(0, w, 0));
  EXPECT_NEAR(answer.deflection, primitive(b) - primitive(a), 1e-10);
  EXPECT_NEAR(answer.moment, w * (b * b - a * a) / 2, 1e-9);
}

// M_z = w (L - x)^2/2, Q_y = w (L - x). Polynomials hold it; elements miss -w l^2/24 at their middles and w l^2/12 at
// their ends, where the shear force misses half of what an element carries (docs/theory/links.md).
TEST(LineLoadStatics, SectionForcesAreTheParabola) {
  for (const bool polynomial : {true, false}) {
    const LinkData link = polynomial ? bezier() : finite_elements();
    LoadedCantilever beam(link, 0, L);
    const VectorX eta = beam.under(Vec3(0, w, 0), Vec3(0, w, 0)).eta;
    const double l = L / 8;
    for (const SectionForces& place : link.elastic.section_forces) {
      const double outer = L - place.position.x();
      const bool is_end = place.name.find_first_of("+-") != std::string::npos;
      const double missing = polynomial ? 0.0 : is_end ? w * l * l / 12 : -w * l * l / 24;
      EXPECT_NEAR((place.rows * eta)[5], w * outer * outer / 2 - missing, 1e-9) << place.name;
      if (polynomial || !is_end) EXPECT_NEAR((place.rows * eta)[1], w * outer, 1e-8) << place.name;
    }
  }
}

/// Does a clamped column (EI = 3, 2 m) stand under an axial load per length that points to its root?
bool stands(const LinkData& link, double per_length) {
  LoadedCantilever column(link, 0, 2.0);
  column.actions.line_loads[0] = {Vec3(-per_length, 0, 0), Vec3(-per_length, 0, 0)};
  EXPECT_TRUE(select_independent(column.plan, column.work, column.start.q));
  const Linearization linear =
      linearize(column.plan, column.work, column.start, VectorX::Zero(column.plan.nv()), column.actions);
  return natural_modes(column.plan, column.work, column.start.q, linear).frequencies[0] > 0;
}

/// J_{-1/3}(x) but for a positive factor, by its power series.
double bessel(double x) {
  double sum = 0.0, factor = 1.0;
  for (int k = 0; k < 20; factor *= -x * x / 4 / ++k) sum += factor / std::tgamma(k + 2.0 / 3);
  return sum;
}

/// q L^3/EI at which a clamped column buckles under a load q per length, as under its own weight (Greenhill): 9/4 x^2
/// with the first zero x of J_{-1/3}, which is 1.86635.
double greenhill() {
  double low = 1.5, high = 2.2;
  while (high - low > 1e-14) (bessel((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  return 9.0 / 4 * low * low;
}

TEST(LineLoadStatics, ColumnBucklesUnderAnAxialLoad) {
  EXPECT_NEAR(greenhill(), 7.837, 5e-4);  // printed by Timoshenko and Gere, Theory of Elastic Stability
  const double critical = greenhill() * 3.0 / 8.0;
  const LinkData link = beam_link("beam", {.length = 2.0, .bending = 3.0});
  EXPECT_TRUE(stands(link, 0.9999 * critical));
  EXPECT_FALSE(stands(link, 1.0001 * critical));
}

/// The same column, stiffened by the axial force at the middle of each element.
LinkData stressed_column(int elements) {
  const ElasticModel model = beam_model("beam", uniform_beam(2.0, 3.0, 1.0, elements, false), {{0.0, true, true}});
  const Reduction reduction = all_coordinates(model);
  LinkData link = reduced_link("beam", model, reduction, true);
  model.field->take_element_stress(reduction.basis, link);
  link.elastic.stiffening = Stiffening::stress;
  return link;
}

// A force that is constant over an element is exact under an end load and errs with the square of the element's length
// under a load along it.
TEST(LineLoadStatics, ColumnBucklesUnderStress) {
  const double critical = greenhill() * 3.0 / 8.0;
  EXPECT_TRUE(stands(stressed_column(16), 0.995 * critical));
  EXPECT_FALSE(stands(stressed_column(16), 1.005 * critical));
}

}  // namespace
}  // namespace lithe::testing

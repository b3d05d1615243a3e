#include "lithe/links/reference.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "lithe/links/modes.hpp"
#include "lithe/mechanism/mechanism.hpp"
#include "support/beams.hpp"

namespace lithe {
namespace {

using std::numbers::pi;
using testing::full_beam;
using testing::uniform_beam;

std::string complaint(const std::function<void()>& act) {
  try {
    act();
  } catch (const MechanismError& error) {
    return error.what();
  }
  return "";
}

// Clamping the frame "root" of a free beam deletes the coordinates that a support at the first node would.
TEST(Reference, ClampedIsTheSupportedModel) {
  for (const BeamSpec& spec : {uniform_beam(1.5, 3, 2, 5, true), full_beam(Vec3(0.4, -0.3, 1.2), 3)}) {
    const ElasticModel held = beam_model("arm", spec, {{0.0, true, true}});
    const ElasticModel clamped = with_reference("arm", beam_model("arm", spec, {}), Reference::clamped);
    EXPECT_EQ(clamped.names, held.names);
    EXPECT_LT((clamped.mass - held.mass).norm(), 1e-14 * held.mass.norm());
    EXPECT_LT((clamped.stiffness - held.stiffness).norm(), 1e-14 * held.stiffness.norm());
    EXPECT_LT((clamped.field->tension_stiffness() - held.field->tension_stiffness()).norm(),
              1e-13 * held.field->tension_stiffness().norm());
  }
}

// Pinned-pinned beam: frequencies (i pi)^2 sqrt(EI/(mu L^4)), closed form. The remaining coordinates keep their names.
TEST(Reference, ChordIsPinnedAtBothEnds) {
  const double L = 1.3, EI = 4, mu = 0.7;
  const ElasticModel model =
      with_reference("arm", beam_model("arm", uniform_beam(L, EI, mu, 16), {}), Reference::chord);
  EXPECT_EQ(model.names.front(), "node 0 about z");
  EXPECT_EQ(model.names.back(), "node 16 about z");
  EXPECT_EQ(model.mass.rows(), 2 * 17 - 2);
  const Reduction modes = link_modes("arm", model, {{}, 3, 0});
  for (int i = 1; i <= 3; ++i)
    EXPECT_NEAR(modes.frequencies[i - 1] / (std::pow(i * pi / L, 2) * std::sqrt(EI / mu)), 1.0, 1e-4);
  const Frame tip = model.field->frames(modes.basis, false)[2];
  EXPECT_EQ(tip.name, "tip");
  EXPECT_LT(tip.shape.norm(), 1e-12);
  EXPECT_GT(tip.turn.norm(), 1.0);
}

// The chord of a beam along any direction lets its tip move along the chord only.
TEST(Reference, ChordInSpace) {
  const Vec3 end(0.5, 0.7, -0.4);
  const ElasticModel model = with_reference("arm", beam_model("arm", full_beam(end, 4), {}), Reference::chord);
  const Eigen::Index n = model.mass.rows();
  EXPECT_EQ(n, 5 * 6 - 6);
  for (const Frame& frame : model.field->frames(MatrixX::Identity(n, n), false)) {
    if (frame.name == "root") {
      EXPECT_LT(frame.shape.norm(), 1e-12);
      EXPECT_LT((end.transpose() * frame.turn).norm(), 1e-12);
    }
    if (frame.name != "tip") continue;
    EXPECT_LT((frame.shape - end.normalized() * (end.normalized().transpose() * frame.shape)).norm(), 1e-12);
    EXPECT_GT(frame.shape.norm(), 0.5);
  }
}

// Free-free beam: roots of cos x cosh x = 1, squared; the elastic motion has no momentum (Buckens).
TEST(Reference, FreeIsTheFreeFreeBeamWithoutMomentum) {
  const ElasticModel model = with_reference("arm", beam_model("arm", uniform_beam(1, 1, 1, 16), {}), Reference::free);
  EXPECT_EQ(model.mass.rows(), 2 * 17 - 2);
  const Reduction modes = link_modes("arm", model, {{}, 3, 0});
  const double roots[3] = {4.7300407448627, 7.8532046240958, 10.995607838002};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(modes.frequencies[i] / (roots[i] * roots[i]), 1.0, 2e-4);
  // Momentum of every remaining coordinate, not only of the modes.
  const LinkData link = integrate_link("arm", model, all_coordinates(model).basis, false);
  EXPECT_LT(link.elastic.translation.norm(), 1e-13);
  EXPECT_LT(link.elastic.rotation.norm(), 1e-13);
}

TEST(Reference, FreeInSpaceHasNoMomentum) {
  BeamSpec spec = full_beam(Vec3(0.5, 0.7, -0.4), 4);
  spec.masses.push_back({0.6, 2.0, Vec3(0.05, 0.1, 0), Vec3(0.01, 0.02, 0.03).asDiagonal()});
  const ElasticModel model = with_reference("arm", beam_model("arm", spec, {}), Reference::free);
  const LinkData link = integrate_link("arm", model, all_coordinates(model).basis, false);
  EXPECT_EQ(link.elastic.count(), 5 * 6 - 6);
  EXPECT_LT(link.elastic.translation.norm(), 1e-12);
  EXPECT_LT(link.elastic.rotation.norm(), 1e-12);
}

// Modes of a free model are those of the mean-axis reference: the rigid ones are left out.
TEST(Reference, FreeModelHasTheSameModes) {
  const ElasticModel free = beam_model("arm", full_beam(Vec3(1.1, 0, 0), 6), {});
  const Reduction loose = link_modes("arm", free, {{}, 6, 0});
  const Reduction mean = link_modes("arm", with_reference("arm", free, Reference::free), {{}, 6, 0});
  EXPECT_LT((loose.frequencies - mean.frequencies).norm(), 1e-9 * mean.frequencies.norm());
}

// A fine mesh has a first frequency far below its last; it must not be mistaken for a rigid motion (3.5160 closed
// form).
TEST(Reference, FineMeshKeepsItsFirstMode) {
  const ElasticModel model =
      with_reference("arm", beam_model("arm", uniform_beam(1, 1, 1, 150), {}), Reference::clamped);
  EXPECT_NEAR(link_modes("arm", model, {{}, 1, 0}).frequencies[0], 3.5160152685, 1e-6);
}

// A payload a million times heavier than the beam: w^2 = 3 EI / (M L^3).
TEST(Reference, HeavyPayloadIsNotARigidMotion) {
  BeamSpec spec = uniform_beam(1, 1, 1e-6, 4);
  spec.masses.push_back({1.0, 1.0, Vec3::Zero(), Mat3::Zero()});
  const ElasticModel model = with_reference("arm", beam_model("arm", spec, {}), Reference::clamped);
  EXPECT_NEAR(link_modes("arm", model, {{}, 1, 0}).frequencies[0], std::sqrt(3.0), 1e-5);
}

TEST(Reference, BadInputIsRefused) {
  const ElasticModel free = beam_model("arm", uniform_beam(1, 1, 1, 2), {});
  const ElasticModel held = beam_model("arm", uniform_beam(1, 1, 1, 2), {{0.0, true, true}});
  EXPECT_EQ(complaint([&] { with_reference("arm", free, Reference::clamped, "base"); }),
            "link 'arm' has no frame 'base'; its frames are origin, root, tip");
  EXPECT_EQ(complaint([&] { with_reference("arm", free, Reference::chord, "root", "origin"); }),
            "link 'arm': the chord needs two places, but frames 'root' and 'origin' stand at the same one");
  EXPECT_EQ(
      complaint([&] { with_reference("arm", free, Reference::supported); }),
      "link 'arm': on its supports it can still move as a rigid body (2 motions); use another reference condition "
      "or more supports");
  EXPECT_EQ(complaint([&] { with_reference("arm", held, Reference::free); }),
            "link 'arm': mean axes need a link that is free, but its supports hold it; take the supports away");
  EXPECT_EQ(with_reference("arm", held, Reference::supported).mass.rows(), 4);
}

}  // namespace
}  // namespace lithe

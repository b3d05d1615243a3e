// Fattah reference 5.1, item 9: elastic equilibrium of a beam that spins evenly, against closed forms.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/links/modes.hpp"
#include "support/beams.hpp"

namespace lithe::testing {
namespace {

/// A link on a hinge about z that turns with `spin`; its origin stands at `arm` from the axis. Every finite-element
/// coordinate is kept, without stiffening: what is left is linear in the elastic coordinates.
struct Spinning {
  Plan plan;
  Workspace work;
  State state;

  Spinning(const BeamSpec& spec, const Vec3& arm, double spin) : plan(mechanism(spec, arm)), work(plan) {
    state.q = plan.neutral();
    state.v = VectorX::Zero(plan.nv());
    state.v[0] = spin;
    (void)select_independent(plan, work, state.q);
  }
  static Mechanism mechanism(const BeamSpec& spec, const Vec3& arm) {
    Mechanism m;
    const ElasticModel model = beam_model("beam", spec, {{0.0, true, true}});
    m.add_link(reduced_link("beam", model, all_coordinates(model), false));
    Joint joint;
    joint.name = "hub";
    joint.to = m.add_frame(1, "hub", {Mat3::Identity(), -arm});
    joint.actuated = {true};
    m.add_joint(joint);
    return m;
  }

  /// Elastic forces that are missing at the coordinates eta.
  VectorX missing(const VectorX& eta) {
    state.q.tail(eta.size()) = eta;
    VectorX force(plan.nv());
    tree_inverse_dynamics(plan, work, state, VectorX::Zero(plan.nv()), Actions(plan), force);
    return force.tail(eta.size());
  }
  /// The displacement of the tip where nothing is missing.
  Vec3 tip_at_rest() {
    const int n = plan.nv() - 1;
    const VectorX zero = missing(VectorX::Zero(n));
    MatrixX slope(n, n);
    for (int j = 0; j < n; ++j) slope.col(j) = missing(VectorX::Unit(n, j)) - zero;
    const VectorX eta = -slope.partialPivLu().solve(zero);
    EXPECT_LT(missing(eta).norm(), 1e-9 * zero.norm());
    const LinkData& beam = plan.mechanism().links[1];
    return beam.frames[beam.find_frame("tip")].shape * eta;
  }
};

// A bar along the radius: EA u'' + mu Omega^2 (x + u) = 0, u(0) = u'(L) = 0, so u(L) = tan(k L)/k - L with
// k = Omega sqrt(mu/EA). Linear elements: error of order h^2.
TEST(UniformSpin, BarStretches) {
  const double length = 1.5, axial = 400.0, mu = 2.0, spin = 6.0, k = spin * std::sqrt(mu / axial);
  const double exact = std::tan(k * length) / k - length;
  double before = 0.0;
  for (const int elements : {20, 40}) {
    BeamSpec spec = uniform_beam(length, 1.0, mu, elements);
    spec.bends_along_y = false;
    spec.stretches = true;
    spec.stations[0].section.axial = axial;
    const double error = std::abs(Spinning(spec, Vec3::Zero(), spin).tip_at_rest().x() - exact);
    EXPECT_LT(error, 1e-3 * exact);
    if (before > 0) EXPECT_NEAR(before / error, 4.0, 0.1);
    before = error;
  }
  EXPECT_LT(before, 2e-4 * exact);
}

// A beam parallel to the axis of rotation at distance a: EI w'''' = mu Omega^2 (a + w), clamped-free, so
// w(L) = a ((cosh b + cos b)/(1 + cosh b cos b) - 1) with b^4 = mu Omega^2 L^4/EI.
TEST(UniformSpin, UprightBeamBendsOutwards) {
  const double length = 1.2, bending = 9.0, mu = 0.7, spin = 3.0, arm = 0.4;
  const double b = length * std::pow(mu * spin * spin / bending, 0.25);
  const double exact = arm * ((std::cosh(b) + std::cos(b)) / (1 + std::cosh(b) * std::cos(b)) - 1);
  BeamSpec spec = uniform_beam(length, bending, mu, 16, true);
  spec.axis = {Vec3::Zero(), Vec3(0, 0, length)};
  const Vec3 tip = Spinning(spec, Vec3(arm, 0, 0), spin).tip_at_rest();
  EXPECT_NEAR(tip.x() / exact, 1.0, 1e-6);
  EXPECT_NEAR(tip.y(), 0.0, 1e-10);
}

// The same beam lying across the radius in the plane of rotation, without stiffening: the transverse load mu Omega^2 (a
// + w) is the same, and so is the deflection.
TEST(UniformSpin, TangentialBeamBendsOutwards) {
  const double length = 1.2, bending = 9.0, mu = 0.7, spin = 3.0, arm = 0.4;
  const double b = length * std::pow(mu * spin * spin / bending, 0.25);
  const double exact = arm * ((std::cosh(b) + std::cos(b)) / (1 + std::cosh(b) * std::cos(b)) - 1);
  BeamSpec spec = uniform_beam(length, bending, mu, 16);
  spec.axis = {Vec3::Zero(), Vec3(0, length, 0)};
  spec.section_y = Vec3::UnitX();
  EXPECT_NEAR(Spinning(spec, Vec3(arm, 0, 0), spin).tip_at_rest().x() / exact, 1.0, 1e-6);
}

}  // namespace
}  // namespace lithe::testing

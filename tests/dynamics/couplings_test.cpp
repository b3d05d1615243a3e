// Gears, screws, racks and rotors whose motion has a closed form. Every formulation that fits, in both arithmetics.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "support/coordinates.hpp"
#include "support/exact_formulations.hpp"

namespace lithe {
namespace {

/// What the arithmetic of a handful of operations loses.
constexpr double rounding = 1e-12;

int add_rotor(Mechanism& m, const std::string& name, double inertia, int on = 0) {
  LinkData link;
  link.name = name + "-link";
  link.mass = 1.0;
  link.inertia = Vec3(inertia, inertia, inertia).asDiagonal();
  Joint joint;
  joint.name = name;
  joint.type = JointType::revolute;
  joint.axis = Vec3::UnitZ();
  joint.from = {on, 0};
  joint.to = {m.add_link(link), 0};
  return m.add_joint(joint);
}

int add_slide(Mechanism& m, const std::string& name, double mass, const Vec3& axis) {
  LinkData link;
  link.name = name + "-link";
  link.mass = mass;
  link.inertia = Vec3(0.1, 0.1, 0.1).asDiagonal();
  Joint joint;
  joint.name = name;
  joint.type = JointType::prismatic;
  joint.axis = axis;
  joint.from = {0, 0};
  joint.to = {m.add_link(link), 0};
  return m.add_joint(joint);
}

Coupling tie(const std::string& name, std::vector<std::pair<int, double>> terms, double offset = 0.0) {
  Coupling coupling{name, {}, offset};
  for (const auto& [joint, factor] : terms) coupling.terms.push_back({{joint, 0}, factor});
  return coupling;
}

struct Machine {
  explicit Machine(const Mechanism& m, Arithmetic arithmetic = Arithmetic::automatic)
      : plan(m), work(plan, arithmetic), actions(plan) {
    state.q = plan.neutral();
    state.v = VectorX::Zero(plan.nv());
    EXPECT_TRUE(select_independent(plan, work, state.q));
  }
  double& tau(const std::string& joint) { return actions.tau[testing::speed_of(plan, joint)]; }
  double of(const VectorX& a, const std::string& joint) const { return a[testing::speed_of(plan, joint)]; }

  Plan plan;
  Workspace work;
  Actions actions;
  State state;
};

/// `check(machine, a)` for the accelerations of every formulation in both arithmetics; `drive` sets the forces.
template <class Drive, class Check>
void in_every_way(const Mechanism& m, Drive&& drive, Check&& check) {
  for (const Arithmetic arithmetic : {Arithmetic::automatic, Arithmetic::spatial}) {
    Machine machine(m, arithmetic);
    drive(machine);
    for (const Formulation formulation : testing::exact_formulations(machine.plan)) {
      SCOPED_TRACE(std::string(name_of(formulation)));
      VectorX a = VectorX::Zero(machine.plan.nv());
      const Status status =
          forward_dynamics(machine.plan, machine.work, machine.state, machine.actions, a, {formulation});
      ASSERT_TRUE(status) << describe(machine.plan, status, 0.0);
      check(machine, a);
    }
  }
}

// J1 a1 = tau1 + F, J2 a2 = tau2 - n F, a1 = n a2.
TEST(Couplings, GearedPairHasTheSumOfBothInertias) {
  const double J1 = 0.02, J2 = 0.5, n = -7.0, tau1 = 0.3, tau2 = -1.1;
  Mechanism m;
  const int motor = add_rotor(m, "motor", J1), wheel = add_rotor(m, "wheel", J2);
  m.couplings.push_back(tie("gear", {{motor, 1.0}, {wheel, -n}}));
  const double expected = (tau2 + n * tau1) / (J2 + n * n * J1);
  in_every_way(
      m,
      [&](Machine& machine) {
        machine.tau("motor") = tau1;
        machine.tau("wheel") = tau2;
      },
      [&](Machine& machine, const VectorX& a) {
        EXPECT_NEAR(machine.of(a, "wheel"), expected, rounding);
        EXPECT_NEAR(machine.of(a, "motor"), n * expected, rounding);
        const VectorX force = coupling_forces(machine.plan, machine.work, machine.state, a, machine.actions);
        ASSERT_EQ(force.size(), 1);
        EXPECT_NEAR(force[0], J1 * n * expected - tau1, rounding);
        // What the joint carries about its axis accelerates the link beyond it: motor and gear together.
        const std::vector<Wrench> reactions =
            joint_reactions(machine.plan, machine.work, machine.state, a, machine.actions);
        EXPECT_NEAR(reactions[motor].moment.z(), J1 * n * expected, rounding);
        EXPECT_NEAR(reactions[wheel].moment.z(), J2 * expected, rounding);
      });
}

// slide = k turn with k = pitch / 2 pi: (J + m k^2) a = tau - m g k.
TEST(Couplings, ScrewLiftsItsLoad) {
  const double J = 3e-4, mass = 12.0, k = 0.005 / (2.0 * std::numbers::pi), tau = 0.2;
  for (const double g : {0.0, 9.81}) {
    Mechanism m;
    m.gravity = {0, 0, -g};
    const int nut = add_rotor(m, "nut", J), ram = add_slide(m, "ram", mass, Vec3::UnitZ());
    m.couplings.push_back(tie("screw", {{ram, 1.0}, {nut, -k}}));
    const double expected = (tau - mass * g * k) / (J + mass * k * k);
    in_every_way(
        m, [&](Machine& machine) { machine.tau("nut") = tau; },
        [&](Machine& machine, const VectorX& a) {
          EXPECT_NEAR(machine.of(a, "nut"), expected, 1e3 * rounding);
          EXPECT_NEAR(machine.of(a, "ram"), k * expected, rounding);
          const VectorX force = coupling_forces(machine.plan, machine.work, machine.state, a, machine.actions);
          EXPECT_NEAR(force[0], mass * (k * expected + g), 1e3 * rounding);
        });
  }
}

// slide = r turn: (J + m r^2) a = tau + r F.
TEST(Couplings, RackAndPinion) {
  const double J = 0.01, mass = 3.0, r = 0.04, tau = 0.5, push = -2.0;
  Mechanism m;
  const int pinion = add_rotor(m, "pinion", J), rack = add_slide(m, "rack", mass, Vec3::UnitX());
  m.couplings.push_back(tie("teeth", {{rack, 1.0}, {pinion, -r}}));
  in_every_way(
      m,
      [&](Machine& machine) {
        EXPECT_EQ(machine.plan.is_planar(), true);
        machine.tau("pinion") = tau;
        machine.tau("rack") = push;
      },
      [&](Machine& machine, const VectorX& a) {
        EXPECT_NEAR(machine.of(a, "pinion"), (tau + r * push) / (J + mass * r * r), 10 * rounding);
      });
}

// left + right = 2 case: with a = (left, right), M = [Jl + Jc/4, Jc/4; Jc/4, Jr + Jc/4] and forces tau + tau_case / 2.
TEST(Couplings, DifferentialTiesThree) {
  const double Jl = 0.2, Jr = 0.3, Jc = 0.8, tl = 0.4, tr = -0.1, tc = 1.5;
  Mechanism m;
  const int left = add_rotor(m, "left", Jl), right = add_rotor(m, "right", Jr), box = add_rotor(m, "case", Jc);
  m.couplings.push_back(tie("differential", {{left, 1.0}, {right, 1.0}, {box, -2.0}}));
  const double p = Jl + Jc / 4, q = Jr + Jc / 4, s = Jc / 4, fl = tl + tc / 2, fr = tr + tc / 2;
  const double determinant = p * q - s * s;
  in_every_way(
      m,
      [&](Machine& machine) {
        machine.tau("left") = tl;
        machine.tau("right") = tr;
        machine.tau("case") = tc;
      },
      [&](Machine& machine, const VectorX& a) {
        EXPECT_NEAR(machine.of(a, "left"), (q * fl - s * fr) / determinant, rounding);
        EXPECT_NEAR(machine.of(a, "right"), (p * fr - s * fl) / determinant, rounding);
      });
}

/// Two rods of length l and mass m in a row, each with its mass centre in the middle and inertia m l^2 / 12.
Mechanism two_rods(double l, double mass) {
  Mechanism m;
  for (const char* name : {"shoulder", "elbow"}) {
    LinkData rod;
    rod.name = std::string(name) + "-link";
    rod.mass = mass;
    rod.centre = {l / 2, 0, 0};
    rod.inertia = Vec3(0, mass * l * l / 12, mass * l * l / 12).asDiagonal();
    const int parent = static_cast<int>(m.links.size()) - 1;
    Joint joint;
    joint.name = name;
    joint.type = JointType::revolute;
    joint.axis = Vec3::UnitZ();
    joint.from = parent == 0 ? FrameRef{0, 0} : m.add_frame(parent, "tip", {Mat3::Identity(), Vec3(l, 0, 0)});
    joint.to = {m.add_link(rod), 0};
    m.add_joint(joint);
  }
  return m;
}

// A belt from the ground to the elbow: elbow = n shoulder. With the inertia of two rods in a row,
// M22 = m l^2/3, M12 = M22 + m l^2/2 cos q2, M11 = m l^2/3 + M22 + m l^2 (1 + cos q2), at rest without gravity:
// (M11 + 2 n M12 + n^2 M22) a1 = tau.
TEST(Couplings, BeltAlongAChain) {
  const double l = 0.7, mass = 2.0, n = -2.0, q1 = 0.4, tau = 1.3, square = mass * l * l;
  Mechanism m = two_rods(l, mass);
  m.couplings.push_back(tie("belt", {{1, 1.0}, {0, -n}}));
  const double c = std::cos(n * q1), M22 = square / 3, M12 = M22 + square / 2 * c,
               M11 = square / 3 + M22 + square * (1 + c);
  in_every_way(
      m,
      [&](Machine& machine) {
        testing::set_coordinate(machine.plan, "shoulder", q1, machine.state.q);
        testing::set_coordinate(machine.plan, "elbow", n * q1, machine.state.q);
        machine.tau("shoulder") = tau;
      },
      [&](Machine& machine, const VectorX& a) {
        EXPECT_NEAR(machine.of(a, "shoulder"), tau / (M11 + 2 * n * M12 + n * n * M22), rounding);
      });
}

// A rotor of inertia I at the joint of a rod: (m l^2/3 + I) a = tau - m g l/2 cos q.
TEST(Couplings, ArmatureTurnsWithTheJoint) {
  const double l = 0.7, mass = 2.0, I = 0.9, q = 0.3, speed = 1.7, tau = 0.4, g = 9.81;
  Mechanism m = two_rods(l, mass);
  m.joints.pop_back();
  m.links.pop_back();
  m.gravity = {0, -g, 0};
  m.joints[0].armature = {I};
  const double inertia = mass * l * l / 3 + I, weight = mass * g * l / 2 * std::cos(q);
  in_every_way(
      m,
      [&](Machine& machine) {
        machine.state.q[0] = q;
        machine.state.v[0] = speed;
        machine.tau("shoulder") = tau;
      },
      [&](Machine& machine, const VectorX& a) {
        EXPECT_NEAR(a[0], (tau - weight) / inertia, 10 * rounding);
        EXPECT_NEAR(energy(machine.plan, machine.work, machine.state).kinetic, 0.5 * inertia * speed * speed, rounding);
        VectorX force(1);
        tree_inverse_dynamics(machine.plan, machine.work, machine.state, VectorX::Constant(1, 2.0),
                              Actions(machine.plan), force);
        EXPECT_NEAR(force[0], 2.0 * inertia + weight, 10 * rounding);
        // The rotor spins about an axis that no momentum of a link knows of.
        EXPECT_NEAR(momentum(machine.plan, machine.work, machine.state).angular.z(), mass * l * l / 3 * speed,
                    rounding);
      });
}

// The rotor of the elbow stands still in the carrier's axes: it adds to M22 alone.
TEST(Couplings, ArmatureStaysOnTheDiagonal) {
  Mechanism m = two_rods(0.7, 2.0);
  const Plan plain(m);
  m.joints[1].armature = {0.25};
  const Plan plan(m);
  Workspace work(plan), plain_work(plain);
  const VectorX q = VectorX::Constant(2, 0.6);
  MatrixX M, without;
  tree_inertia(plan, work, q, M);
  tree_inertia(plain, plain_work, q, without);
  without(1, 1) += 0.25;
  EXPECT_LT((M - without).cwiseAbs().maxCoeff(), rounding);
}

TEST(Couplings, OffsetIsWhereTheyStand) {
  Mechanism m;
  const int a = add_rotor(m, "a", 0.1), b = add_rotor(m, "b", 0.1);
  m.couplings.push_back(tie("gear", {{a, 1.0}, {b, -4.0}}, 0.5));
  Machine machine(m);
  ASSERT_TRUE(assemble(machine.plan, machine.work, machine.state.q).status);
  EXPECT_NEAR(machine.state.q[0] - 4.0 * machine.state.q[1], 0.5, rounding);
}

TEST(Couplings, AreCountedAndRedundantOnesFound) {
  Mechanism m;
  const int a = add_rotor(m, "a", 0.1), b = add_rotor(m, "b", 0.1), c = add_rotor(m, "c", 0.1);
  m.couplings.push_back(tie("first", {{a, 1.0}, {b, -2.0}}));
  m.couplings.push_back(tie("second", {{b, 1.0}, {c, -3.0}}));
  m.couplings.push_back(tie("third", {{a, 1.0}, {c, -6.0}}));
  Machine machine(m);
  const Mobility mobility = analyse_mobility(machine.plan, machine.work, machine.state.q);
  EXPECT_EQ(mobility.mobility, 1);
  EXPECT_EQ(mobility.rank, 2);
  ASSERT_EQ(mobility.redundant.size(), 1u);
  const ClosureRow& row = machine.plan.closure_rows()[mobility.redundant[0]];
  EXPECT_EQ(row.joint, -1);
  EXPECT_GE(row.coupling, 0);
  EXPECT_EQ(machine.plan.closure_name(1), "coupling 'second'");
}

// a = b and a = -b: nothing moves.
TEST(Couplings, ThatContradictEachOtherLock) {
  Mechanism m;
  const int a = add_rotor(m, "a", 0.1), b = add_rotor(m, "b", 0.1);
  m.couplings.push_back(tie("same", {{a, 1.0}, {b, -1.0}}));
  m.couplings.push_back(tie("opposite", {{a, 1.0}, {b, 1.0}}));
  Machine machine(m);
  EXPECT_EQ(analyse_mobility(machine.plan, machine.work, machine.state.q).mobility, 0);
  machine.tau("a") = 1.0;
  VectorX acceleration = VectorX::Ones(2);
  ASSERT_TRUE(forward_dynamics(machine.plan, machine.work, machine.state, machine.actions, acceleration));
  EXPECT_EQ(acceleration.norm(), 0.0);
  // tau_a = -(F1 + F2), 0 = F1 - F2: each carries half of it.
  const VectorX force = coupling_forces(machine.plan, machine.work, machine.state, acceleration, machine.actions);
  EXPECT_NEAR(force[0], -0.5, rounding);
  EXPECT_NEAR(force[1], -0.5, rounding);
}

TEST(Couplings, ThatNoPoseSatisfiesAreNamed) {
  Mechanism m;
  const int a = add_rotor(m, "a", 0.1), b = add_rotor(m, "b", 0.1);
  m.couplings.push_back(tie("same", {{a, 1.0}, {b, -1.0}}));
  m.couplings.push_back(tie("again", {{a, -2.0}, {b, 2.0}}));
  m.couplings.push_back(tie("apart", {{a, 1.0}, {b, -1.0}}, 1.0));
  Machine machine(m);
  const Status status = assemble(machine.plan, machine.work, machine.state.q).status;
  ASSERT_FALSE(status);
  // The least squares of two zeros and a one leave a third and two thirds.
  EXPECT_EQ(describe(machine.plan, status, 0.0),
            "coupling 'apart' cannot be closed at t = 0 s (remaining error 0.667): the pose is out of reach or the "
            "guess too far away");
}

// A joint that a coupling holds by itself: what hangs on it moves as if it were fixed there.
TEST(Couplings, OfOneJointHoldsIt) {
  const double l = 0.7, mass = 2.0, tau = 0.8;
  Mechanism m = two_rods(l, mass);
  m.couplings.push_back(tie("clamp", {{0, 1.0}}, 0.2));
  in_every_way(
      m,
      [&](Machine& machine) {
        testing::set_coordinate(machine.plan, "shoulder", 0.2, machine.state.q);
        machine.tau("elbow") = tau;
      },
      [&](Machine& machine, const VectorX& a) {
        EXPECT_NEAR(machine.of(a, "shoulder"), 0.0, rounding);
        EXPECT_NEAR(machine.of(a, "elbow"), tau / (mass * l * l / 3), rounding);
      });
}

TEST(Couplings, DenocSaysWhyNot) {
  Mechanism m;
  const int a = add_rotor(m, "a", 0.1), b = add_rotor(m, "b", 0.1);
  m.couplings.push_back(tie("gear", {{a, 1.0}, {b, -4.0}}));
  EXPECT_EQ(why_not_applicable(Plan(m), Formulation::denoc),
            "its passive joints are eliminated leg by leg, and coupling 'gear' ties joints together");
}

// A reduction of 1:1000 is as good as any: a dependent speed that is a thousand times as fast is no singular pose.
TEST(Couplings, HighRatiosAreNotSingular) {
  const double J1 = 1e-6, J2 = 0.5, n = 1000.0, tau = 0.1;
  Mechanism m;
  const int motor = add_rotor(m, "motor", J1), wheel = add_rotor(m, "wheel", J2);
  m.joints[wheel].actuated = {true};
  m.couplings.push_back(tie("gear", {{motor, 1.0}, {wheel, -n}}));
  in_every_way(
      m, [&](Machine& machine) { machine.tau("wheel") = tau; },
      [&](Machine& machine, const VectorX& a) {
        EXPECT_NEAR(machine.of(a, "wheel"), tau / (J2 + n * n * J1), rounding);
      });
}

}  // namespace
}  // namespace lithe

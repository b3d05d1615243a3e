// The worked example of Korayem and Shafei, a planar arm with two elastic links, and one such link alone. Numbers that
// are not closed form come from tests/oracles/korayem_gibbs_appell.py, where a sum over mass points takes the place of
// the recursion.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <numbers>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/simulation/simulate.hpp"
#include "reference/korayem_chains.hpp"
#include "reproduce/natural_frequencies.hpp"
#include "support/exact_formulations.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

using namespace testing;
using reproduce::BeamChain;
using reproduce::ChainLink;
using reproduce::ChainState;
using reproduce::TipTurn;

Model arm(const std::string& name, const std::map<std::string, std::string>& sets = {}) {
  return load_model(source_folder() + "/examples/korayem-" + name + ".yaml", sets);
}

ChainState start_of(const BeamChain& chain) {
  ChainState state{VectorX::Zero(chain.size()), VectorX::Zero(chain.size()), VectorX::Zero(2)};
  state.theta[0] = -0.5 * std::numbers::pi;
  state.theta[1 + chain.links[0].count()] = 5 * std::numbers::pi / 180;
  return state;
}

// Integrals of the first clamped-free mode with int phi^2 = l: 2 kappa/(beta l), 2/(beta l)^2, (beta l)^4, phi(l) = 2.
TEST(KorayemArm, ModalConstants) {
  const BeamChain chain = reproduce::beam_chain(arm("hanging").mechanism);
  ASSERT_EQ(chain.links.size(), 2u);
  for (const ChainLink& link : chain.links) {
    ASSERT_EQ(link.count(), 1);
    EXPECT_NEAR(link.translation[0].y(), 3.9149587802, 1e-9);
    EXPECT_NEAR(link.rotation[0].z(), 2.8441287185, 1e-9);
    EXPECT_NEAR(link.mass_matrix(0, 0), 5.0, 1e-11);
    EXPECT_NEAR(link.position_shape[0](1, 0), -2.8441287185, 1e-9);
    EXPECT_NEAR(link.squared[0][0](0, 0), 5.0, 1e-11);
    EXPECT_NEAR(link.stiffness(0, 0), 12362.36336833, 1e-6);
    EXPECT_NEAR(link.shapes[0].y(), 2.0, 1e-11);
    EXPECT_NEAR(link.turns[0].z(), 2.753010969, 1e-9);
    EXPECT_NEAR(link.second(2, 2), 5.0 / 3, 1e-12);
  }
}

TEST(KorayemArm, StartAndStateS) {
  for (const auto& [file, name] : {std::pair{"hanging", "start A"}, {"falling", "start B"}, {"hanging", "state S"}}) {
    const Json& expected = korayem().at("states").at(name);
    const BeamChain chain = reproduce::beam_chain(arm(file).mechanism);
    ChainState state = start_of(chain);
    if (std::string(name) == "state S") {
      state.theta = Eigen::Vector4d(-1.2, 0.01, 0.4, -0.02);
      state.rate = Eigen::Vector4d(0.7, 0.3, -1.1, 0.5);
    }
    for (const TipTurn turn : {TipTurn::exact, TipTurn::consistent}) {
      const ChainEquations ours = recursion_equations(chain, state, {turn});
      EXPECT_LT(difference(ours.inertia, to_matrix(expected.at("inertia"))), 1e-12) << name;
      EXPECT_LT(difference(ours.right, to_vector(expected.at("right"))), 1e-12) << name;
    }
    // The engine, by every exact formulation. Its order: joints first, then the bending of the links.
    const Plan plan(arm(file).mechanism);
    Workspace work(plan);
    State at;
    const Eigen::Vector4i order(0, 2, 1, 3);
    at.q = state.theta(order);
    at.v = state.rate(order);
    for (const Formulation formulation : exact_formulations(plan)) {
      VectorX a = VectorX::Zero(4);
      ASSERT_TRUE(forward_dynamics(plan, work, at, Actions(plan), a, {formulation}));
      EXPECT_LT(difference(a(order), to_vector(expected.at("acceleration"))), 1e-9) << name << name_of(formulation);
    }
    if (std::string(name) != "state S") continue;
    const Energy energy = lithe::energy(plan, work, at);
    EXPECT_NEAR(energy.kinetic, expected.at("kinetic").get<double>(), 1e-10);
    EXPECT_NEAR(energy.potential, expected.at("potential").get<double>(), 1e-9);
  }
}

// Reference note of the source, section 3.5, "linear E": the printed first-order rotation, by another program.
TEST(KorayemArm, StateSWithTheFirstOrderRotation) {
  const BeamChain chain = reproduce::beam_chain(arm("hanging").mechanism);
  ChainState state = start_of(chain);
  state.theta = Eigen::Vector4d(-1.2, 0.01, 0.4, -0.02);
  state.rate = Eigen::Vector4d(0.7, 0.3, -1.1, 0.5);
  const ChainEquations ours = recursion_equations(chain, state, {TipTurn::paper});
  const Eigen::Vector4d row(12.9931141452, 28.4626603685, 3.9963070726, 6.4405498897);
  const Eigen::Vector4d right(-45.4778695402, -221.5116127781, -18.2539093215, 217.5883518220);
  EXPECT_LT((ours.inertia.row(0).transpose() - row).cwiseAbs().maxCoeff(), 6e-11);
  EXPECT_LT((ours.right - right).cwiseAbs().maxCoeff(), 6e-10);
}

/// One link on a free pin.
Model beam(int modes, double gravity) {
  return load_model_text(
      fmt::format("lithe: 1\nname: beam\ngravity: [0, {}, 0]\nlinks: {{beam: {{assumed-modes: {{length: 1, EI: 1000, "
                  "mass-per-length: 5, along-y: {{ends: clamped-free, count: {}}}}}, modes: {{all: true}}, stiffening: "
                  "off}}}}\n"
                  "joints: {{pin: {{revolute: z, from: ground, to: beam/root}}}}\n",
                  -gravity, modes),
      "beam.yaml");
}

TEST(KorayemBeam, LockedJointGivesTheClampedFrequency) {
  const ChainLink link = reproduce::beam_chain(beam(1, 0).mechanism).links[0];
  EXPECT_NEAR(std::sqrt(link.stiffness(0, 0) / link.mass_matrix(0, 0)),
              1.875104068712 * 1.875104068712 * std::sqrt(200.0), 1e-9);
}

// With more clamped modes the first elastic frequency falls to that of the pinned-free beam, (beta l)^2 = 15.4182.
TEST(KorayemBeam, FreeJointConvergesToThePinnedBeam) {
  const std::vector<double> expected = korayem().at("pinned beam").get<std::vector<double>>();
  for (int m = 1; m <= 4; ++m) {
    const Model model = beam(m, 0);
    DrivenMotion motion(model);
    const double found = reproduce::natural_frequencies(motion, false)[1];
    EXPECT_NEAR(found, expected[m - 1], 1e-5 * found) << m;  // from differences of the forces
  }
  EXPECT_NEAR(expected[3], 15.4182 * std::sqrt(200.0), 0.005);
}

// eps g/K at the tip, twice that: 1.34 percent more than mu g l^4/(8 EI) of the whole series.
TEST(KorayemBeam, SagsUnderItsWeight) {
  const BeamChain chain = reproduce::beam_chain(beam(1, 9.81).mechanism);
  const ChainLink& link = chain.links[0];
  const double delta = -link.translation[0].y() * 9.81 / link.stiffness(0, 0);
  const ChainEquations rest =
      recursion_equations(chain, {Eigen::Vector2d(0, delta), Eigen::Vector2d::Zero(), VectorX::Zero(1)}, {});
  EXPECT_NEAR(rest.right[1], 0.0, 1e-12);
  EXPECT_NEAR(-2 * delta, 6.2133e-3, 5e-8);
  EXPECT_NEAR(-2 * delta / (5 * 9.81 / (8 * 1000.0)), 1.0134, 5e-5);
}

// Linear beams without foreshortening soften with spin: K - W^2 M in place of K, exactly.
TEST(KorayemBeam, SpinSoftens) {
  const BeamChain chain = reproduce::beam_chain(beam(1, 0).mechanism);
  const ChainLink& link = chain.links[0];
  for (const double spin : {5.0, 40.0, 60.0}) {
    const ChainState state{Eigen::Vector2d(0.3, 0.01), Eigen::Vector2d(spin, 0), VectorX::Zero(1)};
    EXPECT_NEAR(recursion_equations(chain, state, {}).right[1],
                -(link.stiffness(0, 0) - spin * spin * link.mass_matrix(0, 0)) * 0.01, 1e-10);
  }
}

/// Largest change of the energy of a run with fixed steps.
double energy_drift(Model model, double step, double until, Formulation formulation) {
  model.run.integrator = Integrator::rk4;
  model.run.step = step;
  model.run.every = until / 100;
  model.run.until = until;
  model.run.formulation = formulation;
  model.record.energy = true;
  MemoryRecord record;
  EXPECT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
  double largest = 0.0;
  const auto total = [&](std::size_t row) {
    return record.at(row, "energy.kinetic") + record.at(row, "energy.potential");
  };
  for (std::size_t row = 0; row < record.rows(); ++row) largest = std::max(largest, std::abs(total(row) - total(0)));
  return largest;
}

// Energy of undamped free motion changes only by the error of the integrator, which for Runge-Kutta steps on an
// oscillation falls with the fifth power of the step.
TEST(KorayemArm, EnergyIsKept) {
  const double coarse = energy_drift(arm("falling"), 8e-4, 0.4, Formulation::gibbs_appell);
  const double fine = energy_drift(arm("falling"), 4e-4, 0.4, Formulation::gibbs_appell);
  EXPECT_GT(coarse / fine, 24.0);
  EXPECT_LT(coarse / fine, 40.0);
  // Another program, same steps (reference note of the source, section 3.5): 4.6e-11 J.
  EXPECT_LT(energy_drift(arm("hanging"), 1e-4, 3.0, Formulation::gibbs_appell), 4.65e-11);
}

/// Free motion by the recursion with classical Runge-Kutta steps; the largest change of 1/2 Theta' I Theta' + V.
double recursion_drift(const BeamChain& chain, TipTurn turn, double step, double until) {
  reproduce::PrintedRecursion<double> recursion(chain, {turn});
  const ChainState start = start_of(chain);
  const int n = chain.size();
  const auto rate = [&](const VectorX& y) {
    recursion.evaluate({y.head(n), y.tail(n), start.tau});
    VectorX out(2 * n);
    out << y.tail(n), recursion.inertia.llt().solve(recursion.right);
    return out;
  };
  const auto energy = [&](const VectorX& y) {
    recursion.evaluate({y.head(n), y.tail(n), start.tau});
    const VectorX v = y.tail(n);
    double sum = 0.5 * v.dot(recursion.inertia * v);
    Vec3 origin = Vec3::Zero();
    Mat3 axes = Mat3::Identity();
    for (int i = 0; i < recursion.n; ++i) {
      const auto& stage = recursion.stages[i];
      axes = axes * stage.joint;
      sum += chain.up.dot(chain.links[i].mass * origin + axes * stage.b3);
      origin += axes * stage.reach;
      axes = axes * stage.bent;
      for (int f = 0; f < chain.links[i].count(); ++f) sum += 0.5 * stage.strain[f] * y[recursion.first[i] + 1 + f];
    }
    return sum;
  };
  VectorX y(2 * n);
  y << start.theta, start.rate;
  const double before = energy(y);
  double largest = 0.0;
  for (int k = 0; k < std::lround(until / step); ++k) {
    const VectorX a = rate(y), b = rate(y + 0.5 * step * a), c = rate(y + 0.5 * step * b), d = rate(y + step * c);
    y += step / 6 * (a + 2 * b + 2 * c + d);
    largest = std::max(largest, std::abs(energy(y) - before));
  }
  return largest;
}

// The first-order rotation does not keep the energy of any model, however small the step.
TEST(KorayemArm, FirstOrderRotationLosesEnergyAtAnyStep) {
  const BeamChain chain = reproduce::beam_chain(arm("falling").mechanism);
  const double coarse = recursion_drift(chain, TipTurn::paper, 4e-4, 0.75);
  const double fine = recursion_drift(chain, TipTurn::paper, 2e-4, 0.75);
  EXPECT_NEAR(coarse / fine, 1.0, 0.05);
  EXPECT_GT(fine, 1e-5);
  EXPECT_LT(recursion_drift(chain, TipTurn::exact, 2e-4, 0.75), 1e-3 * fine);
}

// Ten times the stiffness, a tenth of the bending; and the joints move as those of a rigid arm.
TEST(KorayemArm, StiffLinksMoveAsRigidOnes) {
  const auto run = [](const std::string& stiffness, bool rigid) {
    Model model = arm("hanging", {{"EI", stiffness}});
    if (rigid)
      for (LinkData& link : model.mechanism.links) link = rigid_twin(link);
    model.run.until = 0.4;
    model.run.every = 0.4 / 200;
    model.run.integrator = Integrator::dopri;
    model.run.rtol = 1e-10;
    model.run.atol = 1e-12;
    MemoryRecord record;
    EXPECT_EQ(run_simulation(model, record).ending, RunOutcome::Ending::complete);
    return record;
  };
  const auto largest = [](const std::vector<double>& x) {
    double most = 0.0;
    for (const double each : x) most = std::max(most, std::abs(each));
    return most;
  };
  const MemoryRecord stiff = run("1e4", false), stiffer = run("1e5", false), rigid = run("1e4", true);
  const double ratio = largest(stiff.column("q.forearm.e1")) / largest(stiffer.column("q.forearm.e1"));
  EXPECT_NEAR(ratio, 10.0, 2.0);  // the oscillation on top has another phase
  const double off = std::abs(stiff.at(200, "q.elbow") - rigid.at(200, "q.elbow"));
  const double less = std::abs(stiffer.at(200, "q.elbow") - rigid.at(200, "q.elbow"));
  EXPECT_LT(less, 1e-5);
  EXPECT_LT(less, 0.3 * off);
}

}  // namespace
}  // namespace lithe

// Stiffening 'stress': axial force recovered from motion and reactions, times the geometric stiffness.

#include "lithe/dynamics/stress.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <tuple>

#include "lithe/io/load_model.hpp"
#include "lithe/mechanism/build.hpp"
#include "lithe/simulation/prepare.hpp"
#include "support/beam_mechanisms.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

/// A cantilever of unit data on a hub, stiffened by stress with one axial force per element.
Mechanism rotating_cantilever(int elements) {
  const ElasticModel model = beam_model("beam", uniform_beam(1.0, 1.0, 1.0, elements, false), {{0.0, true, true}});
  const Reduction reduction = all_coordinates(model);
  LinkData link = reduced_link("beam", model, reduction, true);
  model.field->take_element_stress(reduction.basis, link);
  link.elastic.stiffening = Stiffening::stress;
  Mechanism mechanism;
  mechanism.add_link(link);
  connect(mechanism, JointType::revolute, "hub", "ground", "beam/root").actuated = {true};
  return mechanism;
}

/// Lowest frequency of bending in the plane of rotation at a constant spin.
double frequency_in_plane(int elements, double spin) {
  const Plan plan(rotating_cantilever(elements));
  Workspace work(plan);
  State state{0.0, plan.neutral(), VectorX::Zero(plan.nv())};
  const std::vector<int> motor{0};
  EXPECT_TRUE(select_independent(plan, work, state.q, motor));
  state.v[0] = spin;
  const ElasticPlace& place = plan.elastic_places()[1];
  const double small = 1e-6;
  MatrixX slopes(place.count, place.count);
  for (int j = 0; j < place.count; ++j) {
    state.q[place.q + j] = small;
    VectorX a = VectorX::Zero(plan.nv());
    EXPECT_TRUE(forward_dynamics(plan, work, state, Actions(plan), a, {Formulation::noc, motor}));
    slopes.col(j) = -a.segment(place.v, place.count) / small;
    state.q[place.q + j] = 0.0;
  }
  return std::sqrt(Eigen::EigenSolver<MatrixX>(slopes).eigenvalues().real().minCoeff());
}

// Fattah reference 5.2, item 10: lowest frequency out of plane with constant force per element; that in the plane is
// smaller by the spin, in squares. Two elements (the mesh of the source), then sixteen.
TEST(StressStiffening, RotatingCantileverOfTheSource) {
  for (const auto& [spin, out_of_plane] : {std::pair{1.0, 3.6985}, {2.0, 4.1905}, {3.0, 4.8920}})
    EXPECT_NEAR(std::hypot(frequency_in_plane(2, spin), spin), out_of_plane, 1e-4) << spin;
}

TEST(StressStiffening, RotatingCantileverOfSixteenElements) {
  for (const auto& [spin, out_of_plane] :
       {std::pair{1.0, 3.6819}, {2.0, 4.1381}, {3.0, 4.7988}, {4.0, 5.5872}, {5.0, 6.4523}, {6.0, 7.3637}})
    EXPECT_NEAR(std::hypot(frequency_in_plane(16, spin), spin), out_of_plane, 1e-4 * out_of_plane) << spin;
}

/// Two beams in line, the first on a hub: spinning, the second pulls at the first.
Mechanism two_beams(Stiffening stiffening) {
  Mechanism mechanism = beam_on_joint(JointType::revolute, {.modes = 2, .stiffening = stiffening != Stiffening::off});
  mechanism.loads.clear();
  mechanism.add_link(beam_link("outer", {.length = 0.7, .modes = 2, .stiffening = stiffening != Stiffening::off}));
  connect(mechanism, JointType::revolute, "elbow", "beam/tip", "outer/root");
  for (LinkData& link : mechanism.links) link.elastic.stiffening = stiffening;
  return mechanism;
}

/// Accelerations of the beams at constant spin of the hub, bent by `amplitude`.
VectorX spinning_accelerations(Stiffening stiffening, double amplitude) {
  const Plan plan(two_beams(stiffening));
  Workspace work(plan);
  State state{0.0, plan.neutral(), VectorX::Zero(plan.nv())};
  const std::vector<int> motor{0};
  EXPECT_TRUE(select_independent(plan, work, state.q, motor));
  state.v[0] = 5.0;
  int sign = 1;
  for (const ElasticPlace& place : plan.elastic_places())
    for (int j = 0; j < place.count; ++j, sign = -sign) state.q[place.q + j] = sign * amplitude / (1 + j);
  VectorX a = VectorX::Zero(plan.nv());
  EXPECT_TRUE(forward_dynamics(plan, work, state, Actions(plan), a, {Formulation::noc, motor}));
  return a;
}

// At constant spin straight beams stay straight, so everything is small with the deformation; there both forms of
// stiffening are the same to first order, while leaving it out is an error of first order.
TEST(StressStiffening, AgreesWithForeshorteningToFirstOrder) {
  const auto differences = [](double amplitude) {
    const VectorX stress = spinning_accelerations(Stiffening::stress, amplitude);
    return std::pair{(stress - spinning_accelerations(Stiffening::consistent, amplitude)).norm(),
                     (stress - spinning_accelerations(Stiffening::off, amplitude)).norm()};
  };
  const auto [higher, first] = differences(1e-3);
  const auto [higher_small, first_small] = differences(1e-4);
  EXPECT_GT(higher / higher_small, 90.0);
  EXPECT_NEAR(first / first_small, 10.0, 0.1);
  EXPECT_LT(higher_small, 1e-2 * first_small);
}

/// Accelerations of a four-bar that is bent and in motion.
VectorX four_bar_accelerations(Formulation formulation) {
  Model model = load_model(source_folder() + "/examples/flexible-four-bar.yaml");
  for (LinkData& link : model.mechanism.links) link.elastic.stiffening = Stiffening::stress;
  Prepared p = prepare(model);
  int sign = 1;
  for (const ElasticPlace& place : p.plan.elastic_places())
    for (int j = 0; j < place.count; ++j, sign = -sign) p.state.q[place.q + j] = sign * 1e-3 / (1 + j);
  EXPECT_TRUE(project_positions(p.plan, p.work, p.state.q, 1e-14));
  p.state.v.setZero();
  for (const int v : p.work.independent())
    if (!p.plan.is_bending(v)) p.state.v[v] = 20.0;
  EXPECT_TRUE(complete_speeds(p.plan, p.work, p.state.q, p.state.v));
  VectorX a = VectorX::Zero(p.plan.nv());
  EXPECT_TRUE(forward_dynamics(p.plan, p.work, p.state, Actions(p.plan), a, {formulation}));
  return a;
}

TEST(StressStiffening, IsTheSameInAllFormulations) {
  const VectorX noc = four_bar_accelerations(Formulation::noc);
  for (const Formulation other : {Formulation::multipliers, Formulation::noc_dense, Formulation::partitioning})
    EXPECT_LT((four_bar_accelerations(other) - noc).norm(), 1e-9 * noc.norm()) << name_of(other);
}

// Bent over its own length, the outer beam feels an axial force that depends more on the acceleration than this on the
// force: sweeps between both run away. That was reported as success.
TEST(StressStiffening, ForcesThatDoNotSettleAreAFailure) {
  const Plan plan(two_beams(Stiffening::stress));
  Workspace work(plan);
  State state{0.25, plan.neutral(), VectorX::Zero(plan.nv())};
  state.q[1] = 1.5;
  for (const ElasticPlace& place : plan.elastic_places()) state.q.segment(place.q, place.count).setConstant(4.0);
  EXPECT_TRUE(select_independent(plan, work, state.q, {}));
  VectorX a = VectorX::Zero(plan.nv());
  const Status status = forward_dynamics(plan, work, state, Actions(plan), a);
  ASSERT_EQ(status.code, Status::Code::stress_diverged);
  EXPECT_GT(status.condition, 1e-8);
  const std::string message = describe(plan, status, state.t);
  const std::string link = plan.mechanism().links[status.index].name;
  EXPECT_EQ(message.find("stiffening 'stress' of link '" + link + "' fails at t = 0.25 s"), 0u) << message;
  EXPECT_NE(message.find("use stiffening 'consistent'"), std::string::npos) << message;
}

}  // namespace
}  // namespace lithe::testing

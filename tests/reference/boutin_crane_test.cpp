// Boutin reference, test items 7, 8, 11, 12, 14, 16 to 18, 24, 29, 30 and 37: properties of the cranes in examples. Items with numbers (9, 10, 13, 15,
// 19 to 23, 25 to 28, 36) are compared by `lithe reproduce boutin`.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <random>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/simulation/operating_point.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

using Sets = std::map<std::string, std::string>;

const double bay = 5, half_width = bay * std::tan(10 * std::numbers::pi / 180), closed_length = bay - half_width;

Model crane(const std::string& name, const Sets& sets = {}) {
  return load_model(source_folder() + "/examples/boutin-" + name + ".yaml", sets);
}

Model undriven_crane(const std::string& name, const Sets& sets = {}) {
  Model model = crane(name, sets);
  model.drives.clear();
  return model;
}

MemoryRecord crane_run(const Model& model,
                       RunOutcome (*run)(const Model&, RecordSink&, const RunControl&) = run_simulation) {
  MemoryRecord record;
  const RunOutcome outcome = run(model, record, {});
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  return record;
}

/// The two-actuator crane, extended at random between 0.1 and 3.7 m, bent by up to the amplitudes of the thesis, with random speeds.
class RandomCrane {
 public:
  explicit RandomCrane(unsigned seed, const Sets& sets = {})
      : model_(undriven_crane("crane", sets)), prepared_(prepare(model_)), dice_(seed) {
    StateValues wanted;
    for (const char* actuator : {"actuator-1", "actuator-2"}) {
      wanted.coordinates[actuator] = extension_[actuator] = 0.1 + 3.6 * (0.5 + 0.5 * draw());
      wanted.speeds[actuator] = 0.4 * draw();
    }
    for (const auto& [mode, size] : {std::pair{"boom.e1", 4.0}, std::pair{"boom.e2", 0.02}}) {
      if (plan().mechanism().links[plan().mechanism().find_link("boom")].elastic.count() == 0) continue;
      wanted.coordinates[mode] = size * draw();
      wanted.speeds[mode] = 2 * size * draw();
    }
    set_state(prepared_, wanted);
    EXPECT_TRUE(project_positions(plan(), work(), state().q));  // as exactly as rounding lets it
  }

  double draw() { return std::uniform_real_distribution<double>(-1, 1)(dice_); }
  const Plan& plan() const { return prepared_.plan; }
  Workspace& work() { return prepared_.work; }
  State& state() { return prepared_.state; }
  double extension(const std::string& actuator) const { return extension_.at(actuator); }
  double turn(const std::string& link) {
    const Mat3 R = frame_pose(plan(), work(), state().q, plan().mechanism().find_frame(link, "origin")).rotation;
    return std::atan2(R(1, 0), R(0, 0));
  }

 private:
  Model model_;
  Prepared prepared_;
  std::mt19937 dice_;
  std::map<std::string, double> extension_;
};

/// Angle by which a joint turns when its actuator is extended by d: law of cosines in hinge, cylinder pivot and rod pin.
double folded(double d) {
  const double a = bay * std::sqrt(2.0), b = bay / std::cos(10 * std::numbers::pi / 180), l = closed_length + d;
  return 35 * std::numbers::pi / 180 - std::acos((a * a + b * b - l * l) / (2 * a * b));
}

// Item 7.
TEST(BoutinCrane, LoopsCloseAsTheLawOfCosinesSays) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    RandomCrane bent(seed);
    EXPECT_LT(closure_error(bent.plan(), bent.work(), bent.state().q), 1e-12) << seed;
    RandomCrane rigid(seed, {{"modes", "0"}});
    EXPECT_LT(closure_error(rigid.plan(), rigid.work(), rigid.state().q), 1e-12) << seed;
    const double triangle = folded(rigid.extension("actuator-1"));
    EXPECT_NEAR(rigid.turn("triangle"), triangle, 1e-12) << seed;
    EXPECT_NEAR(rigid.turn("boom"), triangle + folded(rigid.extension("actuator-2")), 1e-12) << seed;
  }
}

// Items 8 and 11: rates of all coordinates from the independent ones, and their accelerations, against central differences along the
// motion q(t) whose independent coordinates have constant speeds.
TEST(BoutinCrane, DependentRatesAreDifferences) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    RandomCrane crane(seed);
    const Plan& plan = crane.plan();
    const std::vector<int> independent = crane.work().independent();
    const auto moved = [&](double t) {
      VectorX step = VectorX::Zero(plan.nv()), q = crane.state().q;
      for (const int v : independent) step[v] = t * crane.state().v[v];
      move_coordinates(plan, step, q);
      EXPECT_TRUE(project_positions(plan, crane.work(), q));
      return q;
    };
    MatrixX N;
    ASSERT_TRUE(loop_complement(plan, crane.work(), crane.state().q, N));
    VectorX speeds(std::ssize(independent)), a = VectorX::Zero(plan.nv());
    for (Eigen::Index k = 0; k < speeds.size(); ++k) speeds[k] = crane.state().v[independent[k]];
    EXPECT_LT((N * speeds - crane.state().v).norm(), 1e-12 * speeds.norm()) << seed;
    ASSERT_TRUE(complete_accelerations(plan, crane.work(), crane.state(), a));
    const double h = 1e-4;  // rounding 1e-16/h^2 = 1e-8, the next term of the series h^2
    const VectorX before = moved(-h), here = moved(0), behind = moved(h);
    EXPECT_LT(((behind - before) / (2 * h) - crane.state().v).norm(), 1e-6 * crane.state().v.norm()) << seed;
    EXPECT_LT(((behind - 2 * here + before) / (h * h) - a).norm(), 1e-6 * std::max(1.0, a.norm())) << seed;
  }
}

// Items 11, 12 and 18: every way of eliminating the constraint forces gives the same accelerations, and the inertia matrix is symmetric
// positive definite.
TEST(BoutinCrane, FormulationsAgree) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    RandomCrane crane(seed);
    const Plan& plan = crane.plan();
    Actions actions(plan);
    for (const int v : plan.actuated_speeds()) actions.tau[v] = 2e4 * crane.draw();
    VectorX noc = VectorX::Zero(plan.nv());
    ASSERT_TRUE(forward_dynamics(plan, crane.work(), crane.state(), actions, noc));
    for (const Formulation formulation : all_formulations) {
      if (!facts_of(formulation).is_exact || !why_not_applicable(plan, formulation).empty()) continue;
      VectorX a = VectorX::Zero(plan.nv());
      ForwardOptions options;
      options.formulation = formulation;
      ASSERT_TRUE(forward_dynamics(plan, crane.work(), crane.state(), actions, a, options));
      EXPECT_LT((a - noc).norm(), 1e-9 * noc.norm()) << name_of(formulation) << " " << seed;
    }
    MatrixX G;
    ASSERT_TRUE(generalised_inertia(plan, crane.work(), crane.state().q, G));
    EXPECT_LT((G - G.transpose()).norm(), 1e-12 * G.norm());
    EXPECT_EQ(Eigen::LLT<MatrixX>(G).info(), Eigen::Success);
  }
}

// Item 14, which guards erratum E1: actuators 3 to 6 hold their joints or are static bars, and 1 and 2 do not feel the difference. The areas of
// cylinder and rod are those of the solid bar to the five printed digits of the tube's.
TEST(BoutinCrane, ReducedCraneNeedsTheForcesOfTheFullOne) {
  Model reduced = crane("crane", {{"modes", "0"}}), full = crane("crane-full", {{"modes", "0"}});
  reduced.run.until = full.run.until = 20;
  const MemoryRecord a = crane_run(reduced, run_inverse), b = crane_run(full, run_inverse);
  ASSERT_EQ(a.rows(), b.rows());
  for (std::size_t row = 0; row < a.rows(); ++row)
    for (const char* force : {"tau.actuator-1", "tau.actuator-2"})
      EXPECT_NEAR(a.at(row, force), b.at(row, force), 1e-6 * 25813) << row;
}

// Item 16: with actuators that weigh nothing, actuator 6 alone turns the last boom about its hinge: lever arm times force is J alpha + (S x a)z,
// with J and S of boom 3 as the reference has them.
TEST(BoutinCrane, LastActuatorBalancesTheLastBoom) {
  Model model = crane("crane-full", {{"modes", "0"}, {"actuator-density", "1e-9"}});
  DrivenMotion motion(model);
  for (const double t : {2.0, 5.0, 9.0, 14.0}) {
    motion.go_to(t);
    const auto pose = [&](const char* link, const char* frame) {
      return frame_pose(motion.plan(), motion.work(), motion.state().q,
                        motion.plan().mechanism().find_frame(link, frame));
    };
    const Pose hinge = pose("boom-3", "b-0");
    const Vec3 pin = pose("boom-3", "t-1").position, pivot = pose("triangle-3", "r").position;
    const Vec3 along = (pin - pivot).normalized(), arm = pin - hinge.position;
    const Twist rate = frame_acceleration(motion.plan(), motion.work(), motion.state(), motion.accelerations(),
                                          motion.plan().mechanism().find_frame("boom-3", "b-0"));
    const Vec3 first = hinge.rotation * Vec3(12761.882, 1298.340, 0);
    const double inertial = 352829.0 * rate.angular.z() + first.cross(rate.linear).z();
    const double force = motion.motor_forces()[speed_named(motion.plan(), "actuator-6")];
    EXPECT_NEAR(force * arm.cross(along).z(), inertial, 1e-6 * 352829.0 * 0.0253) << t;
  }
}

// Item 17.
TEST(BoutinCrane, WorkBecomesKineticEnergy) {
  for (const char* name : {"crane", "crane-full", "crane-single"}) {
    MemoryRecord record;
    Model model = crane(name, {{"modes", "0"}});
    const RunOutcome outcome = run_inverse(model, record, {});
    double most = 0.0, off = 0.0;
    for (std::size_t row = 0; row < record.rows(); ++row) {
      most = std::max(most, record.at(row, "energy.kinetic"));
      off = std::max(off, std::abs(record.at(row, "energy.kinetic") - record.at(row, "energy.work")));
    }
    EXPECT_LT(off, 1e-8 * most) << name;
    EXPECT_LT(outcome.audit.energy_error, 1e-8) << name;
  }
}

// Item 18: free motion from given speeds keeps its energy.
TEST(BoutinCrane, FreeMotionKeepsItsEnergy) {
  Model model = undriven_crane("crane");
  model.initial = {{"actuator-1", 0, 1.2}, {"actuator-2", 0, 0.7}};
  model.initial_speeds = {{"actuator-1", 0, 0.1}, {"actuator-2", 0, -0.05}};
  model.run.until = 2;
  model.run.rtol = 1e-10;
  model.run.integrator = Integrator::dopri;
  const MemoryRecord motion = crane_run(model);
  const auto total = [&](std::size_t row) {
    return motion.at(row, "energy.kinetic") + motion.at(row, "energy.potential");
  };
  EXPECT_GT(total(0), 100.0);
  for (std::size_t row = 0; row < motion.rows(); ++row) EXPECT_NEAR(total(row), total(0), 1e-7 * total(0)) << row;
}

// Item 11: the complement by elimination (method B) has the speeds of unit motions as its columns (method A: one independent speed is one, the
// others zero, and the dependent ones follow through the loops).
TEST(BoutinCrane, ComplementHasTheSpeedsOfUnitMotions) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    RandomCrane crane(seed);
    MatrixX N;
    ASSERT_TRUE(loop_complement(crane.plan(), crane.work(), crane.state().q, N));
    const std::vector<int> independent = crane.work().independent();
    for (std::size_t k = 0; k < independent.size(); ++k) {
      VectorX v = VectorX::Zero(crane.plan().nv());
      v[independent[k]] = 1.0;
      ASSERT_TRUE(complete_speeds(crane.plan(), crane.work(), crane.state().q, v));
      EXPECT_LT((v - N.col(static_cast<Eigen::Index>(k))).norm(), 1e-12 * v.norm()) << seed;
    }
  }
}

// Item 12: N^T phi^K = 0. What the motion lacks of the forces that act is what the loops carry, and they do no work in any motion that they allow.
TEST(BoutinCrane, ConstraintForcesDoNoWork) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    RandomCrane crane(seed);
    const Plan& plan = crane.plan();
    Actions actions(plan);
    for (const int v : plan.actuated_speeds()) actions.tau[v] = 2e4 * crane.draw();
    VectorX a = VectorX::Zero(plan.nv()), carried;
    ASSERT_TRUE(forward_dynamics(plan, crane.work(), crane.state(), actions, a));
    missing_force(plan, crane.work(), crane.state(), a, actions, carried);
    MatrixX N;
    ASSERT_TRUE(loop_complement(plan, crane.work(), crane.state().q, N));
    EXPECT_GT(carried.norm(), 100.0) << seed;
    EXPECT_LT((N.transpose() * carried).norm(), 1e-10 * N.norm() * carried.norm()) << seed;
  }
}

// Item 19: with forces alone from a table every 0.01 s both actuators leave their course to opposite sides, by the same amount.
TEST(BoutinCrane, DivergesToOppositeSides) {
  Model model = crane("crane", {{"modes", "0"}, {"kp", "0"}, {"kd", "0"}});
  model.run.until = 20;
  model.run.every = 0.01;
  const MemoryRecord forces = crane_run(model, run_inverse);
  Model alone = undriven_crane("crane", {{"modes", "0"}});
  for (const char* actuator : {"actuator-1", "actuator-2"}) {
    TableLaw table;
    table.t = forces.column("t");
    table.y = forces.column(std::string("tau.") + actuator);
    Drive drive;
    drive.joint = actuator;
    drive.torque = Law(table);
    alone.drives.push_back(drive);
  }
  alone.run.until = 4.6;
  alone.run.every = 0.01;
  alone.run.integrator = Integrator::rk4;
  alone.run.step = 0.001;
  const MemoryRecord astray = crane_run(alone);
  const std::size_t last = astray.rows() - 1;
  const double first = astray.at(last, "v.actuator-1") - forces.at(last, "v.actuator-1"),
               second = astray.at(last, "v.actuator-2") - forces.at(last, "v.actuator-2");
  EXPECT_GT(std::abs(first), 0.01);
  EXPECT_NEAR(first / second, -1.0, 0.01);
}

/// Elastic coordinates of the boom that has settled in the motion at time t.
VectorX settled(const Model& model, double t) {
  OperatingPoint point(model, {t, false, Motors::loaded});
  const ElasticPlace& place = point.plan().elastic_places()[point.plan().mechanism().find_link("boom")];
  return point.state().q.segment(place.q, place.count);
}

// Item 24: the single actuator turns the boom half as far, with half the acceleration.
TEST(BoutinCrane, OneActuatorBendsHalfAsMuch) {
  const Model two = crane("crane"), one = crane("crane-single");
  for (const double t : {5.0, 15.0}) EXPECT_NEAR(settled(one, t)[0] / settled(two, t)[0], 0.5, 0.01) << t;
}

// Item 29: a boom a million times stiffer follows the rigid one, and further modes change the settled tip less and less.
TEST(BoutinCrane, StiffBoomsAreRigidAndModesConverge) {
  Model stiff = crane("crane", {{"materials.longeron.young", "412.5e15"},
                                {"materials.diagonal.young", "412.5e15"},
                                {"materials.batten.young", "618.7e15"},
                                {"materials.end-batten.young", "618.7e15"},
                                {"materials.actuator.young", "412.5e15"}});
  Model rigid = crane("crane", {{"modes", "0"}});
  OperatingPoint bent(stiff, {5.0, false, Motors::loaded}), straight(rigid, {5.0, false, Motors::loaded});
  const auto forces = bent.motor_forces(), expected = straight.motor_forces();
  ASSERT_EQ(forces.size(), expected.size());
  // What bends is 1e-6 of 0.2 m over 90 m.
  for (std::size_t i = 0; i < forces.size(); ++i)
    EXPECT_NEAR(forces[i].second / expected[i].second, 1.0, 1e-6) << forces[i].first;

  const auto tip = [](const char* modes) {
    const Model model = crane("crane", {{"modes", modes}});
    const LinkData& boom = model.mechanism.links[model.mechanism.find_link("boom")];
    return boom.frames[boom.find_frame("t-18")].shape.row(1).dot(settled(model, 5.0));
  };
  // With one mode the tip is 0.1 percent off, with four less than a tenth of that.
  const double all = tip("75");
  EXPECT_NEAR(tip("1"), all, 2e-2 * all);
  for (const char* more : {"4", "12"}) EXPECT_LT(std::abs(tip(more) - all), 0.1 * std::abs(tip("1") - all)) << more;
}

// Item 30: Hbb^-1 Hbt = -Mbt Mtt^-1 (2.13), the slow model is the rigid one, and its modal forces Mbt Mtt^-1 (ct - tau) - cb are those which the
// straight boom lacks in the rigid motion.
TEST(BoutinCrane, SlowModelIsTheRigidCrane) {
  const Model model = crane("crane");
  DrivenMotion motion(model);
  for (const double t : {3.0, 5.0, 12.0, 15.0}) {
    motion.go_to(t);
    const Plan& plan = motion.plan();
    const std::vector<int> independent = motion.work().independent();
    ASSERT_EQ(independent.size(), 4u);  // both actuators, then both modes
    ASSERT_FALSE(plan.is_bending(independent[1]));
    MatrixX M;
    ASSERT_TRUE(generalised_inertia(plan, motion.work(), motion.state().q, M));
    const MatrixX H = M.inverse(), Mtt = M.topLeftCorner(2, 2), Mbt = M.bottomLeftCorner(2, 2);
    const MatrixX left = H.bottomRightCorner(2, 2).inverse() * MatrixX(H.bottomLeftCorner(2, 2));
    const MatrixX right = -Mbt * Mtt.inverse();
    EXPECT_LT((left - right).norm(), 1e-9 * right.norm()) << t;

    // c: forces for no acceleration of the independent coordinates.
    const auto forces = [&](const VectorX& wanted, VectorX& modal) {
      VectorX a = VectorX::Zero(plan.nv());
      for (Eigen::Index k = 0; k < 4; ++k) a[independent[k]] = wanted[k];
      EXPECT_TRUE(complete_accelerations(plan, motion.work(), motion.state(), a));
      InverseResult result;
      inverse_dynamics(plan, motion.work(), motion.state(), a, motion.actions(VectorX::Zero(plan.nv() + plan.cut_nv())),
                       plan.actuated_speeds(), result);
      modal = result.elastic_missing;
      VectorX tau(2);
      for (int k = 0; k < 2; ++k) tau[k] = result.tau[independent[k]];
      return tau;
    };
    VectorX wanted = VectorX::Zero(4), cb, lacking;
    const VectorX ct = forces(wanted, cb);
    for (Eigen::Index k = 0; k < 2; ++k) wanted[k] = motion.accelerations()[independent[k]];
    const VectorX tau = forces(wanted, lacking);
    EXPECT_LT((Mtt * wanted.head(2) + ct - tau).norm(), 1e-9 * tau.norm()) << t;
    const VectorX slow = Mbt * Mtt.inverse() * (ct - tau) - cb;
    EXPECT_LT((slow + lacking).norm(), 1e-9 * lacking.norm()) << t;
    // Over the modal stiffness they are the quasi-static amplitudes, up to what bending changes of the forces.
    const VectorX amplitudes = settled(model, t);
    EXPECT_NEAR(slow[0] / 11.138785, amplitudes[0], 0.005 * std::abs(amplitudes[0]) + 0.005) << t;
  }
}

// Item 37.
TEST(BoutinCrane, IntegratorsAgree) {
  Model model = crane("crane-single");
  model.run.until = 6;
  std::map<std::string, MemoryRecord> records;
  for (const Integrator integrator : {Integrator::rk4, Integrator::adams, Integrator::bdf}) {
    model.run.integrator = integrator;
    model.run.step = 5e-4;
    model.run.rtol = 1e-10;
    model.run.atol = 1e-12;
    records[std::string(name_of(integrator))] = crane_run(model);
  }
  const MemoryRecord& expected = records["rk4"];
  for (const auto& [name, record] : records)
    for (std::size_t row = 0; row < expected.rows(); ++row) {
      EXPECT_NEAR(record.at(row, "q.boom.e1"), expected.at(row, "q.boom.e1"), 1e-6) << name << " " << row;
      EXPECT_NEAR(record.at(row, "q.actuator-2"), expected.at(row, "q.actuator-2"), 1e-8) << name << " " << row;
    }
}

}  // namespace
}  // namespace lithe::testing

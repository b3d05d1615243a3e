// The planar 3-RRR against every table of the Khan reference (section 6), in planar and in spatial arithmetic.
// Tolerance 1e-8, the rounding of the tables; suggested there.

#include "reference/khan_motion.hpp"
#include "reference/khan_tables.hpp"
#include "support/exact_formulations.hpp"

namespace lithe {
namespace {

using namespace testing;
using khan_3rrr::name;

constexpr double tolerance = 1e-8;

class Khan3RRR : public ::testing::TestWithParam<Arithmetic> {
 protected:
  DrivenRobot robot{9.81, GetParam()};
};

TEST_P(Khan3RRR, IsPlanarWithThreeFreedoms) {
  EXPECT_TRUE(robot.plan.is_planar());
  EXPECT_EQ(robot.work.uses_planar_arithmetic(), GetParam() == Arithmetic::automatic);
  const Mobility mobility = analyse_mobility(robot.plan, robot.work, robot.state.q);
  EXPECT_EQ(mobility.mobility, 3);
  EXPECT_EQ(mobility.actuation_rank, 3);
}

// Item 15: the posture printed with three decimals assembles to the consistent one.
TEST_P(Khan3RRR, RoundedPostureAssembles) {
  VectorX q = robot.state.q;
  const std::array<double, 3> knee{-0.865, -2.102, -0.976};
  for (int j = 0; j < 3; ++j) {
    set_coordinate(robot.plan, name("knee", j), knee[j], q);
    // The paper gives no ankle angles: theta_7 + beta - theta_1 - theta_2 with theta_7 = 3.916.
    const double ankle = 3.916 + khan_3rrr::beta[j] - khan_3rrr::motion(0).angle[j] - knee[j];
    set_coordinate(robot.plan, name("ankle", j), std::remainder(ankle, 2 * khan_3rrr::pi), q);
  }
  EXPECT_GT(closure_error(robot.plan, robot.work, q), 1e-5);
  AssemblyOptions options;
  for (int j = 0; j < 3; ++j) options.held.push_back(speed_of(robot.plan, name("motor", j)));
  const AssemblyReport report = assemble(robot.plan, robot.work, q, options);
  ASSERT_TRUE(report.status);
  EXPECT_LE(report.iterations, 5);
  for (Eigen::Index i = 0; i < q.size(); ++i) EXPECT_NEAR(angle_difference(q[i], robot.state.q[i]), 0.0, 1e-12);
}

// Item 15: exactly two assembly modes at t = 0, 1.5 and 3 s; the second ones as tabulated in 5.3.
TEST_P(Khan3RRR, TwoAssemblyModes) {
  const std::array<std::array<double, 4>, 3> second{{{0.0, 0.609637132, 0.138475535, 1.045012687},
                                                     {1.5, 0.547634308, 0.309565564, 0.878018335},
                                                     {3.0, 0.472227612, 0.545114933, 0.727502951}}};
  AssemblyOptions options;
  for (int j = 0; j < 3; ++j) options.held.push_back(speed_of(robot.plan, name("motor", j)));
  for (const auto& row : second) {
    robot.move_to(row[0]);
    const auto branches = assembly_branches(robot.plan, robot.work, robot.state.q, options);
    ASSERT_EQ(branches.size(), 2u) << "t = " << row[0];
    const Pose pose = frame_pose(robot.plan, robot.work, branches[1], robot.platform());
    EXPECT_NEAR(pose.position.x(), row[1], 1e-9);
    EXPECT_NEAR(pose.position.y(), row[2], 1e-9);
    EXPECT_NEAR(angle_difference(std::atan2(pose.rotation(1, 0), pose.rotation(0, 0)), row[3]), 0.0, 1e-9);
  }
}

TEST_P(Khan3RRR, Table61Poses) {
  for (const auto& row : khan_tables::pose) {
    robot.move_to(row[0]);
    const Pose pose = frame_pose(robot.plan, robot.work, robot.state.q, robot.platform());
    EXPECT_NEAR(pose.position.x(), row[1], tolerance);
    EXPECT_NEAR(pose.position.y(), row[2], tolerance);
    EXPECT_NEAR(angle_difference(std::atan2(pose.rotation(1, 0), pose.rotation(0, 0)), row[3]), 0.0, tolerance);
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(angle_difference(robot.coordinate(name("knee", j)), row[4 + j]), 0.0, tolerance);
  }
}

TEST_P(Khan3RRR, Table62PlatformMotion) {
  for (const auto& row : khan_tables::platform_motion) {
    robot.move_to(row[0]);
    const Twist v = frame_velocity(robot.plan, robot.work, robot.state, robot.platform());
    const Twist a = frame_acceleration(robot.plan, robot.work, robot.state, robot.a, robot.platform());
    EXPECT_NEAR(v.angular.z(), row[1], tolerance);
    EXPECT_NEAR(v.linear.x(), row[2], tolerance);
    EXPECT_NEAR(v.linear.y(), row[3], tolerance);
    EXPECT_NEAR(a.angular.z(), row[4], tolerance);
    EXPECT_NEAR(a.linear.x(), row[5], tolerance);
    EXPECT_NEAR(a.linear.y(), row[6], tolerance);
    // Item 23: nothing leaves the plane.
    EXPECT_LT(std::abs(a.linear.z()) + a.angular.head<2>().norm(), 1e-12);
  }
}

TEST_P(Khan3RRR, Table63PassiveJoints) {
  for (const auto& row : khan_tables::passive_motion) {
    robot.move_to(row[0]);
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(robot.speed(name("knee", j)), row[1 + 2 * j], tolerance);
      EXPECT_NEAR(robot.speed(name("ankle", j)), row[2 + 2 * j], tolerance);
      EXPECT_NEAR(robot.acceleration(name("knee", j)), row[7 + 2 * j], tolerance);
      EXPECT_NEAR(robot.acceleration(name("ankle", j)), row[8 + 2 * j], tolerance);
    }
  }
}

TEST_P(Khan3RRR, Table64Torques) {
  DrivenRobot weightless(0.0, GetParam());
  for (const auto& row : khan_tables::torque) {
    robot.move_to(row[0]);
    weightless.move_to(row[0]);
    const Vec3 heavy = robot.torque(), light = weightless.torque();
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(heavy[j], row[1 + j], tolerance) << "t = " << row[0];
      EXPECT_NEAR(light[j], row[4 + j], tolerance) << "t = " << row[0];
    }
  }
}

// Item 23: spatial arithmetic gives the torques of planar arithmetic.
TEST_P(Khan3RRR, ArithmeticsAgree) {
  DrivenRobot planar(9.81, Arithmetic::automatic);
  for (const auto& row : khan_tables::torque) {
    robot.move_to(row[0]);
    planar.move_to(row[0]);
    EXPECT_LT((robot.torque() - planar.torque()).norm(), 1e-10);
  }
}

// External wrench at the platform, t = 1 s; 6.4.
TEST_P(Khan3RRR, ToolWrench) {
  robot.move_to(1.0);
  const Vec3 tau = robot.torque({Vec3(0, 0, 0.7), Vec3(3, -2, 0)});
  EXPECT_LT((tau - Vec3(-0.8305754482, -31.8484474226, 46.4413260531)).norm(), tolerance);
}

// Work of the motors over the motion equals the gain of potential energy; 6.4, Simpson with 3000 intervals.
TEST_P(Khan3RRR, Work) {
  const double before = energy(robot.plan, robot.work, robot.state).potential;
  EXPECT_NEAR(before, 67.5720974172, tolerance);
  constexpr int intervals = 3000;
  double work = 0.0;
  for (int i = 0; i <= intervals; ++i) {
    const double t = 3.0 * i / intervals;
    robot.move_to(t);
    const double weight = i == 0 || i == intervals ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
    work += weight * robot.torque().dot(khan_3rrr::motion(t).rate);
  }
  work *= 3.0 / intervals / 3.0;
  EXPECT_NEAR(work, 54.8682889177, tolerance);
  EXPECT_NEAR(energy(robot.plan, robot.work, robot.state).potential, 122.4403863349, tolerance);
}

TEST_P(Khan3RRR, Table65Inertia) {
  for (const auto& row : khan_tables::inertia) {
    robot.move_to(row[0]);
    MatrixX G;
    ASSERT_TRUE(generalised_inertia(robot.plan, robot.work, robot.state.q, G));
    const auto& independent = robot.work.independent();
    const auto place = [&](int j) {
      const int speed = speed_of(robot.plan, name("motor", j));
      return std::find(independent.begin(), independent.end(), speed) - independent.begin();
    };
    int column = 1;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) EXPECT_NEAR(G(place(i), place(j)), row[column++], tolerance);
  }
}

// 6.6: forces on the pins at t = 1 s, printed to nine decimals; rows ankle, knee, motor, columns x and y of each leg.
TEST_P(Khan3RRR, Table66PinForces) {
  const double pins[3][6] = {{17.114808306, -16.727738065, -27.849999345, 27.305907167, 8.541991212, 69.602732857},
                             {15.908765648, 22.919199755, -28.603322643, 67.362818840, 8.128225076, 109.599437123},
                             {15.496466439, 52.312089008, -28.777333397, 97.168435803, 8.168360872, 139.219588876}};
  robot.move_to(1.0);
  Actions actions(robot.plan);
  const Vec3 tau = robot.torque();
  for (int j = 0; j < 3; ++j) actions.tau[speed_of(robot.plan, name("motor", j))] = tau[j];
  const auto reactions = joint_reactions(robot.plan, robot.work, robot.state, robot.a, actions);
  const std::array<std::string, 3> part{"ankle", "knee", "motor"};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Wrench& w = reactions[robot.plan.mechanism().find_joint(name(part[i], j))];
      EXPECT_NEAR(w.force.x(), pins[i][2 * j], tolerance) << part[i] << j;
      EXPECT_NEAR(w.force.y(), pins[i][2 * j + 1], tolerance) << part[i] << j;
      EXPECT_NEAR(w.moment.z(), part[i] == "motor" ? tau[j] : 0.0, tolerance);
    }
}

// 6.6: loop complement J at t = 1 s, rows I1, I2, I3, II1, ..., III3.
TEST_P(Khan3RRR, Table66Complement) {
  const double J[9][3] = {
      {1, 0, 0}, {-1.2502019777, -0.1672049918, 0.4945257193}, {0.6642456170, 0.9044268085, 0.2209105963},
      {0, 1, 0}, {0.4597096387, -0.8536638104, -0.2756317211}, {-0.0456659993, 0.5908856271, 0.9910680368},
      {0, 0, 1}, {-0.3189904672, 0.5110688965, -0.9026411651}, {0.7330341065, 0.2261529202, 0.6180774808}};
  robot.move_to(1.0);
  const std::array<std::string, 3> part{"motor", "knee", "ankle"};
  for (int column = 0; column < 3; ++column) {
    khan_3rrr::set_motor_speeds(robot.plan, Vec3::Unit(column), robot.state.v);
    ASSERT_TRUE(complete_speeds(robot.plan, robot.work, robot.state.q, robot.state.v));
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(robot.speed(name(part[i], j)), J[3 * j + i][column], 1e-9);
  }
}

// 6.6: forces for zero acceleration, energy and power at t = 1 s; forward dynamics from rest at t = 0.
TEST_P(Khan3RRR, Table66Scalars) {
  robot.move_to(1.0);
  EXPECT_NEAR(energy(robot.plan, robot.work, robot.state).kinetic, 0.512108161678, 1e-11);
  EXPECT_NEAR(robot.torque().dot(khan_3rrr::motion(1.0).rate), 27.567636573697, 1e-9);
  khan_3rrr::Motion coasting = khan_3rrr::motion(1.0);
  coasting.acceleration.setZero();
  robot.set(coasting);
  EXPECT_LT((robot.torque() - Vec3(-2.2902450749, -29.3396711522, 46.4711104069)).norm(), 1e-9);

  DrivenRobot resting(9.81, GetParam());
  resting.move_to(0.0);
  for (const Formulation formulation : testing::exact_formulations(resting.plan)) {
    VectorX a = VectorX::Zero(resting.plan.nv());
    ASSERT_TRUE(forward_dynamics(resting.plan, resting.work, resting.state, Actions(resting.plan), a, {formulation}));
    const Vec3 expected(-1.777660559184, 20.407554563218, -31.546287547439);
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(a[speed_of(resting.plan, name("motor", j))], expected[j], 1e-10);
  }
}

// Item 8: forward dynamics undoes inverse dynamics, in every formulation and all along the motion.
TEST_P(Khan3RRR, ForwardUndoesInverse) {
  for (const auto& row : khan_tables::torque) {
    robot.move_to(row[0]);
    Actions actions(robot.plan);
    const Vec3 tau = robot.torque();
    for (int j = 0; j < 3; ++j) actions.tau[speed_of(robot.plan, name("motor", j))] = tau[j];
    for (const Formulation formulation : testing::exact_formulations(robot.plan)) {
      VectorX a = VectorX::Zero(robot.plan.nv());
      ASSERT_TRUE(forward_dynamics(robot.plan, robot.work, robot.state, actions, a, {formulation}));
      EXPECT_LT((a - robot.a).cwiseAbs().maxCoeff(), 1e-11) << name_of(formulation);
    }
  }
}

// Item 12: torques are affine in g, and those without gravity grow by four when the motion takes half the time.
TEST_P(Khan3RRR, ScalingOfTorques) {
  DrivenRobot weightless(0.0, GetParam()), hurried(0.0, GetParam()), heavy(19.62, GetParam());
  for (DrivenRobot* r : {&robot, &weightless, &heavy}) r->move_to(1.0);
  hurried.move_to(0.5, 1.5);
  EXPECT_LT((heavy.torque() - (2 * robot.torque() - weightless.torque())).norm(), 1e-11);
  EXPECT_LT((hurried.torque() - 4 * weightless.torque()).norm(), 1e-11);
  EXPECT_LT((hurried.torque() - Vec3(4.62254900, -5.21664199, 2.14783774)).norm(), 2e-8);  // printed
}

// Item 13: at rest the torques are the gradient of the potential energy, by central differences through the closures.
TEST_P(Khan3RRR, StaticsIsTheGradientOfPotentialEnergy) {
  khan_3rrr::Motion held = khan_3rrr::motion(1.2);
  held.rate.setZero();
  held.acceleration.setZero();
  robot.move_to(1.2);
  robot.set(held);
  const Vec3 tau = robot.torque();
  constexpr double h = 1e-5;
  for (int j = 0; j < 3; ++j) {
    const auto potential = [&](double step) {
      khan_3rrr::Motion moved = held;
      moved.angle[j] += step;
      robot.set(moved);
      return energy(robot.plan, robot.work, robot.state).potential;
    };
    EXPECT_NEAR((potential(h) - potential(-h)) / (2 * h), tau[j], 1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(Arithmetic, Khan3RRR, ::testing::Values(Arithmetic::automatic, Arithmetic::spatial),
                         [](const auto& info) { return info.param == Arithmetic::spatial ? "spatial" : "planar"; });

}  // namespace
}  // namespace lithe

// Intermediate quantities of the method on the planar 3-RRR at t = 1 s: Khan reference, section 6.6 (computed there;
// twists in SI units, platform split into thirds), the interpretation of Phi in 3.7, the block formula (59), and
// item 14.

#include <Eigen/LU>

#include "reference/khan_motion.hpp"
#include "reference/khan_tables.hpp"
#include "reference/modular.hpp"

namespace lithe {
namespace {

using namespace testing;
using detail::Planar;
using khan_3rrr::name;

class KhanInternals : public ::testing::Test {
 protected:
  KhanInternals() : m(khan_3rrr::mechanism()) {
    DrivenRobot robot;
    robot.move_to(1.0);
    m.denoc.scale.setOnes();
    m.place(robot.state.q);
    const khan_3rrr::Motion motion = khan_3rrr::motion(1.0);
    rates.setZero(3);
    accelerations.setZero(3);
    for (int j = 0; j < 3; ++j) {
      rates[place(j)] = motion.rate[j];
      accelerations[place(j)] = motion.acceleration[j];
    }
    m.drive(rates);
    m.forces(accelerations, m.no_force());
    m.denoc.update_inertia();
  }

  int place(int leg) const { return m.denoc.legs[leg].columns[0].independent; }

  Modular<Planar> m;
  VectorX rates, accelerations;
};

using Rows = double[3][3];
using Symmetric = double[3][6];

void expect_rows(const std::vector<Vec3>& ours, const Rows& printed, double tolerance, const char* what) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(ours[j][i], printed[j][i], tolerance) << what << " leg " << j;
}
void expect_symmetric(const MatrixX& ours, const double (&printed)[6], const char* what) {
  int k = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) EXPECT_NEAR(ours(i, j), printed[k++], 2e-10) << what;
}

TEST_F(KhanInternals, LegsAreInOrder) {
  for (int j = 0; j < 3; ++j) {
    ASSERT_EQ(m.denoc.legs[j].columns.size(), 3u);
    EXPECT_EQ(m.denoc.legs[j].columns[0].speed, speed_of(m.plan, name("motor", j)));
    EXPECT_EQ(m.denoc.legs[j].passive, (std::vector<int>{1, 2}));
  }
}

TEST_F(KhanInternals, AnnihilatedGenerators) {
  const Rows p1{{1, -0.2716377198, 0.6501729371}, {1, -0.2716377198, -0.3498270629}, {1, 0.5943876840, 0.1501729371}};
  const Rows p2{{0.0599228076, -0.1002980449, 0.5852924997},
                {0.0385790540, -0.5171376377, -0.2991865613},
                {0.0861794044, 0.5831148592, -0.0687544956}};
  const Rows p3{{1, 0.2217864383, -0.0643747553}, {1, -0.0551430457, 0.2242600674}, {1, -0.1666433926, -0.1598853121}};
  const double delta2[] = {0.356217750843, 0.358432278274, 0.352177009464};
  std::vector<Vec3> g1, s2, s3;
  for (const auto& leg : m.denoc.legs) {
    g1.push_back(leg.g.col(0));
    s2.push_back(leg.swept.col(1));
    s3.push_back(leg.swept.col(2));
  }
  expect_rows(g1, p1, 2e-10, "p~_1");
  expect_rows(s2, p2, 2e-10, "p~_2");
  expect_rows(s3, p3, 2e-10, "p~_3");
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(m.denoc.legs[j].delta[1], delta2[j], 1e-11);
    EXPECT_NEAR(m.denoc.legs[j].delta[2], 1.053333333333, 1e-11);
  }
}

TEST_F(KhanInternals, PhiIsTheForceAlongTheRod) {
  const Symmetric phi{{0.0405527207, -0.1936846482, 0.9250610648, -0.0373423962, 0.1783517543, 0.0343862146},
                      {0.0464805415, 0.1080119420, 0.2509992194, -0.1807028531, -0.4199190775, 0.7025202392},
                      {0.0295443975, 0.0155147479, 0.0081473112, 0.1686144083, 0.0885450457, 0.9623082913}};
  const Rows printed{{-0.205588795, 0.981916693, 0.189313518},
                     {-0.220785633, -0.513063838, 0.858350452},
                     {-0.174481639, -0.091626124, -0.995793479}};
  for (int j = 0; j < 3; ++j) {
    expect_symmetric(m.denoc.legs[j].Phi, phi[j], "Phi_2");
    // n = [(O_2 - P) x u; u], u along the rod.
    const FrameRef knee = m.plan.mechanism().find_frame(name("rod", j), "origin");
    const Pose rod = frame_pose(m.plan, m.work, m.state.q, knee);
    const Eigen::Vector2d u = rod.rotation.col(0).head<2>(), arm = rod.position.head<2>() - m.denoc.P;
    const Vec3 n(arm.x() * u.y() - arm.y() * u.x(), u.x(), u.y());
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(n[i], printed[j][i], 1e-9);
    EXPECT_LT((m.denoc.legs[j].Phi - n * n.transpose() / n.squaredNorm()).norm(), 1e-13);
  }
}

TEST_F(KhanInternals, PlatformMatrixAndJacobian) {
  const double K[6] = {0.1165776597, -0.0701579583, 1.1842075953, -0.0494308410, -0.1530222774, 1.6992147450};
  expect_symmetric(m.denoc.K, K, "K");
  const Rows columns{{0.4140436394, -0.2595868130, -0.0486627804},
                     {0.7372218167, 0.1824983001, -0.1459672976},
                     {0.7154363157, 0.1025018300, 0.2452937976}};
  std::vector<Vec3> ours;
  for (int j = 0; j < 3; ++j) ours.push_back(m.denoc.J_P.col(place(j)));
  expect_rows(ours, columns, 2e-10, "J_P");
}

TEST_F(KhanInternals, DeterminantOfKAlongTheMotion) {
  DrivenRobot robot;
  for (const auto& row : khan_tables::inertia) {
    robot.move_to(row[0]);
    m.place(robot.state.q);
    EXPECT_NEAR(m.denoc.K.determinant(), row[7], 1e-8);
  }
}

// I^j from the definition: sum of m (dc/dtheta_k . dc/dtheta_l) + I, with dc/dtheta_k = z x (c - O_k). The reference
// lists these too, but its row does not belong to t = 1 s (with the angles it lists itself, I_22 of leg I is 1.27282,
// not 1.22708), while G, the pivots and everything else there do.
TEST_F(KhanInternals, LegInertia) {
  for (int j = 0; j < 3; ++j) {
    const auto position = [&](const std::string& link, const Vec3& local) {
      const Pose pose = frame_pose(m.plan, m.work, m.state.q, {m.plan.mechanism().find_link(link), 0});
      return Eigen::Vector2d((pose * local).head<2>());
    };
    const double b = khan_3rrr::beta[j], rho = khan_3rrr::platform_radius;
    const Eigen::Vector2d hinge[3] = {position(name("crank", j), Vec3::Zero()), position(name("rod", j), Vec3::Zero()),
                                      position("platform", Vec3(-rho * std::cos(b), -rho * std::sin(b), 0))};
    const Eigen::Vector2d centre[3] = {position(name("crank", j), Vec3(0.2, 0, 0)),
                                       position(name("rod", j), Vec3(0.3, 0, 0)), position("platform", Vec3::Zero())};
    const double mass[3] = {3.0, 4.0, 8.0 / 3}, inertia[3] = {0.04, 0.12, 0.0817 / 3};
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) {
        double sum = 0.0;
        for (int i = std::max(k, l); i < 3; ++i)
          sum += inertia[i] + mass[i] * (centre[i] - hinge[k]).dot(centre[i] - hinge[l]);
        EXPECT_NEAR(m.denoc.legs[j].inertia(k, l), sum, 1e-13);
      }
  }
}

TEST_F(KhanInternals, LegForces) {
  const Rows tau{{36.7578115991, 25.7523656978, -1.8760538834},
                 {-29.9909717537, -7.7475755530, 6.0407334904},
                 {22.2631860612, -7.3280995057, -4.1447933345}};
  const Rows pbar{{2.847666899, -8.142527296, 45.325510606},
                  {4.275883220, 19.240975746, 12.600800074},
                  {-4.801308210, -5.206433665, 1.320339502}};
  const Rows cut{{4.879305179, -17.845874915, 43.454705384},
                 {7.665987126, 27.118932736, -0.578939847},
                 {-12.545292305, -9.273057821, -42.875765537}};
  std::vector<Vec3> our_tau, our_pbar, our_cut;
  for (std::size_t j = 0; j < 3; ++j) {
    our_tau.push_back(m.denoc.legs[j].tau);
    our_pbar.push_back(m.denoc.legs[j].pbar);
    our_cut.push_back(m.cut_wrench(j));
  }
  expect_rows(our_tau, tau, 2e-9, "tau~");
  expect_rows(our_pbar, pbar, 2e-9, "pbar");
  expect_rows(our_cut, cut, 2e-9, "f");
}

// The literal block formula (59) with L_rs, (61), and the pivots of (62)-(64).
TEST_F(KhanInternals, BlockFormulaAndPivots) {
  Mat3 L[3][3], S[3], G;
  for (auto& row : L)
    for (Mat3& block : row) block.setZero();
  for (int j = 0; j < 3; ++j) S[j] = m.denoc.K.inverse() * m.denoc.legs[j].Phi;
  for (int j = 0; j < 3; ++j) {
    const auto& leg = m.denoc.legs[j];
    const MatrixX& I = leg.inertia;
    const Vec3 a1 = leg.g.col(0) / leg.g.col(0).squaredNorm(), a2 = leg.dual.col(1), a3 = leg.dual.col(2);
    const auto check = [&](int k) -> Vec3 { return I(1, k) * a2 + I(2, k) * a3; };
    const Mat3 Abar = a2 * check(1).transpose() + a3 * check(2).transpose(), A = S[j] - Mat3::Identity();
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < 3; ++s) {
        if (r == j && s == j) {
          L[r][s] += I(0, 0) * a1 * a1.transpose() + a1 * check(0).transpose() * A +
                     A.transpose() * check(0) * a1.transpose() + A.transpose() * Abar * A;
        } else if (r == j) {
          L[r][s] += (a1 * check(0).transpose() + A.transpose() * Abar) * S[s];
        } else if (s == j) {
          L[r][s] += S[r].transpose() * (check(0) * a1.transpose() + Abar * A);
        } else {
          L[r][s] += S[r].transpose() * Abar * S[s];
        }
      }
  }
  for (int r = 0; r < 3; ++r)
    for (int s = 0; s < 3; ++s) {
      G(r, s) = m.denoc.legs[r].g.col(0).dot(L[r][s] * m.denoc.legs[s].g.col(0));
      EXPECT_NEAR(G(r, s), m.denoc.G(place(r), place(s)), 1e-12);
    }
  MatrixX factor = G;
  VectorX x = VectorX::Zero(3);
  ASSERT_EQ(detail::udu_solve(factor, x), -1);
  const Vec3 alpha(1.2236772594, 1.3882946030, 1.5958674580);
  EXPECT_LT((factor.diagonal() - alpha).norm(), 2e-10);
}

// Body twists and their rates at the mass centres of crank and rod.
TEST_F(KhanInternals, BodyTwists) {
  const Rows t1{{0.523598776, -0.099440845, 0.032829035},
                {-0.523598776, -0.078151201, 0.069703780},
                {0.261799388, 0.021409298, 0.047782829}};
  const Rows t2{{0.086009410, -0.203766512, 0.090994293},
                {0.091921738, -0.179972721, 0.125259044},
                {-0.409129583, -0.079403975, 0.106811745}};
  const Rows t1_rate{{0.633135418, -0.137433070, -0.012370249},
                     {-0.633135418, -0.058003585, 0.125205654},
                     {0.316567709, 0.013378599, 0.063383918}};
  const Rows t2_rate{{0.430773457, -0.301510664, 0.101734455},
                     {0.285913565, -0.188330825, 0.204227918},
                     {-0.451230908, -0.103441534, 0.189176067}};
  std::vector<Vec3> twist[2], rate[2];
  for (int j = 0; j < 3; ++j) {
    const auto& leg = m.denoc.legs[j];
    for (int i = 0; i < 2; ++i) {
      const auto& body = leg.bodies[i];
      const Eigen::Vector2d arm =
          detail::world_point<Planar>(m.kernel(), body.node, body.centre) - Eigen::Vector2d(m.denoc.P);
      const double w = leg.twist[i][0], wd = leg.twist_rate[i][0];
      Vec3 t = leg.twist[i], td = leg.twist_rate[i];
      t.tail<2>() += Planar::spin(w, arm);
      td.tail<2>() += Planar::spin(wd, arm) - w * w * arm;
      twist[i].push_back(t);
      rate[i].push_back(td);
    }
  }
  expect_rows(twist[0], t1, 2e-9, "t_1");
  expect_rows(twist[1], t2, 2e-9, "t_2");
  expect_rows(rate[0], t1_rate, 2e-9, "t_1 rate");
  expect_rows(rate[1], t2_rate, 2e-9, "t_2 rate");
}

// Item 14: with g = 0, a posture invariant under turns by 120 degrees and equal motor motions give equal torques, and
// the platform turns in place.
TEST(KhanSymmetry, EqualMotorsTurnThePlatformInPlace) {
  DrivenRobot robot(0.0);
  const Eigen::Vector2d centre(0.5, std::sqrt(0.75) / 3);
  const double motor = 2.0;
  const auto rod = [&](double turn) -> Eigen::Vector2d {  // elbow to ankle of leg 1, platform turned by `turn`
    const double direction = turn + khan_3rrr::beta[0];
    return centre - khan_3rrr::platform_radius * Eigen::Vector2d(std::cos(direction), std::sin(direction)) -
           khan_3rrr::crank_length * Eigen::Vector2d(std::cos(motor), std::sin(motor));
  };
  // Bisection on the length of the rod over half a turn, from the shortest to the longest distance.
  const Eigen::Vector2d inward = centre - khan_3rrr::crank_length * Eigen::Vector2d(std::cos(motor), std::sin(motor));
  double low = std::atan2(inward.y(), inward.x()) - khan_3rrr::beta[0], high = low + khan_3rrr::pi;
  ASSERT_LT(rod(low).norm(), khan_3rrr::rod_length);
  if (rod(high).norm() < khan_3rrr::rod_length) GTEST_FAIL() << "the rod is too long for this posture";
  for (int i = 0; i < 60; ++i) (rod((low + high) / 2).norm() < khan_3rrr::rod_length ? low : high) = (low + high) / 2;

  khan_3rrr::Motion motion;
  for (int j = 0; j < 3; ++j) {
    const double turned = 2 * khan_3rrr::pi * j / 3;
    motion.angle[j] = motor + turned;
    const double knee = std::atan2(rod(low).y(), rod(low).x()) - motor;
    set_coordinate(robot.plan, name("knee", j), knee, robot.state.q);
    set_coordinate(robot.plan, name("ankle", j), low + khan_3rrr::beta[0] - motor - knee, robot.state.q);
  }
  motion.rate.setConstant(0.7);
  motion.acceleration.setConstant(-1.3);
  robot.set(motion);
  const Twist v = frame_velocity(robot.plan, robot.work, robot.state, robot.platform());
  EXPECT_LT(v.linear.norm(), 1e-13);
  EXPECT_GT(std::abs(v.angular.z()), 0.1);
  const Vec3 tau = robot.torque();
  EXPECT_NEAR(tau[0], tau[1], 1e-12);
  EXPECT_NEAR(tau[0], tau[2], 1e-12);
  EXPECT_GT(std::abs(tau[0]), 0.1);
}

}  // namespace
}  // namespace lithe

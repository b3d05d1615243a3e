// The natural orthogonal complements that Fattah writes out for his two planar mechanisms, in the corrected form of the
// notes on the thesis (sections 2.15.2 and 2.15.3, errata 4.1), against those of the engine: reference items 13 and 15.

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "lithe/kinematics/motion.hpp"
#include "reference/fattah_models.hpp"

namespace lithe::testing {
namespace {

using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;

const Mat2 E = (Mat2() << 0, -1, 1, 0).finished();

/// A planar link at its pose: root to tip, deflection and chord rotation of the tip per elastic coordinate, ground
/// axes.
struct Bar {
  Vec2 a;
  MatrixX RL;            ///< 2 x n
  Eigen::RowVectorXd x;  ///< Fattah (4.21g)
  int v = 0, n = 0;      ///< its elastic speeds
};

Vec2 flat(const Vec3& p) { return p.head<2>(); }

/// A mechanism of the thesis at a random pose, with its bars.
class Pose2 {
 public:
  Pose2(Prepared prepared, int bars) : prepared_(std::move(prepared)) {
    for (int i = 1; i <= bars; ++i) bars_.push_back(make_bar("link-" + std::to_string(i)));
  }

  const Bar& bar(int i) const { return bars_[i - 1]; }
  const Plan& plan() const { return prepared_.plan; }
  Prepared& prepared() { return prepared_; }

  Vec2 at(const std::string& link, const std::string& frame) {
    return flat(frame_pose(plan(), prepared_.work, prepared_.state.q, frame_of(plan(), link, frame)).position);
  }

  /// Angular velocity and velocity of a frame per independent speed: 3 rows.
  MatrixX twist_rows(const std::string& link, const std::string& frame) {
    MatrixX N, J;
    EXPECT_TRUE(loop_complement(plan(), prepared_.work, prepared_.state.q, N));
    frame_jacobian(plan(), prepared_.work, prepared_.state.q, frame_of(plan(), link, frame), J);
    MatrixX rows(3, N.cols());
    rows << J.row(2) * N, J.middleRows(3, 2) * N;
    return rows;
  }

  /// Column of the complement that belongs to a speed.
  Eigen::Index column(int v) const {
    const auto& independent = prepared_.work.independent();
    const auto found = std::find(independent.begin(), independent.end(), v);
    EXPECT_NE(found, independent.end());
    return found - independent.begin();
  }
  Eigen::Index joint_column(const std::string& joint, int coordinate = 0) const {
    return column(place_of(plan(), joint).v + coordinate);
  }
  Eigen::Index columns() const { return std::ssize(prepared_.work.independent()); }

  /// A row (or rows) of the complement from its parts.
  MatrixX zero(int rows) const { return MatrixX::Zero(rows, columns()); }
  void add_elastic(const Bar& bar, const MatrixX& part, MatrixX& rows) const {
    for (int i = 0; i < bar.n; ++i) rows.col(column(bar.v + i)) += part.col(i);
  }

 private:
  Bar make_bar(const std::string& link) {
    const int index = plan().mechanism().find_link(link);
    const LinkData& data = plan().mechanism().links[index];
    const Frame& tip = data.frames[data.find_frame("tip")];
    const Mat3 R = frame_pose(plan(), prepared_.work, prepared_.state.q, frame_of(plan(), link, "root")).rotation;
    const ElasticPlace& place = plan().elastic_places()[index];
    return {at(link, "tip") - at(link, "root"), (R * tip.shape).topRows(2), tip.shape.row(1) / tip.pose.position.norm(),
            place.v, place.count};
  }

  Prepared prepared_;
  std::vector<Bar> bars_;
};

void expect_equal(const MatrixX& ours, const MatrixX& expected, const std::string& what) {
  EXPECT_LT((ours - expected).cwiseAbs().maxCoeff(), 1e-12 * std::max(1.0, expected.cwiseAbs().maxCoeff())) << what;
}

// Reference item 13: q = 3 r - 2 nu + sum n_i, Fattah (4.1), and 6 r - 5 nu + sum n_i, Fattah (2.41), a ball counted as
// three revolutes with two links between them.
TEST(FattahComplement, FreedomsAreThoseOfGruebler) {
  const auto freedoms = [](const std::string& name) {
    Prepared prepared = prepare(undriven(fattah_model(name), Coordinates::joint));
    const Mobility mobility = analyse_mobility(prepared.plan, prepared.work, prepared.state.q);
    EXPECT_TRUE(mobility.redundant.empty());
    MatrixX N;
    EXPECT_TRUE(loop_complement(prepared.plan, prepared.work, prepared.state.q, N));
    EXPECT_EQ(N.cols(), mobility.mobility + mobility.elastic);
    EXPECT_EQ(Eigen::FullPivLU<MatrixX>(N).rank(), N.cols());
    return static_cast<int>(N.cols());
  };
  EXPECT_EQ(freedoms("two-arms"), 3 * 5 - 2 * 6 + 4 * 2);
  EXPECT_EQ(freedoms("3rrr-fast"), 3 * 7 - 2 * 9 + 6 * 2);
  EXPECT_EQ(freedoms("3rrr"), 3 * 7 - 2 * 9 + 6 * 2);
  EXPECT_EQ(freedoms("3rrs"), 6 * 13 - 5 * 15 + 6 * 4);
}

// Two cooperating arms in joint space: (4.28)-(4.35) with the corrected signs.
TEST(FattahComplement, TwoArmsInJointSpace) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    Pose2 p(random_pose(undriven(fattah_model("two-arms"), Coordinates::joint), seed), 4);
    const Vec2 a13 = p.bar(1).a, a24 = p.bar(2).a, a35 = p.bar(3).a, a46 = p.bar(4).a;
    const Vec2 a56 = p.at("object", "p6") - p.at("object", "p5");
    const Eigen::Index t1 = p.joint_column("motor-1"), t2 = p.joint_column("motor-2"), t3 = p.joint_column("motor-3");

    MatrixX N_I = p.zero(2);
    N_I.col(t1) += E * (a13 + a35 + a56);
    N_I.col(t2) -= E * (a46 + a24);
    N_I.col(t3) += E * (a35 + a56);
    p.add_elastic(p.bar(1), p.bar(1).RL + E * (a35 + a56) * p.bar(1).x, N_I);
    p.add_elastic(p.bar(2), -p.bar(2).RL - E * a46 * p.bar(2).x, N_I);
    p.add_elastic(p.bar(3), p.bar(3).RL + E * a56 * p.bar(3).x, N_I);
    p.add_elastic(p.bar(4), -p.bar(4).RL, N_I);
    const double delta = a46.dot(E * a56);

    MatrixX omega_3 = p.zero(1), r_3 = p.zero(2), omega_4 = p.zero(1), r_4 = p.zero(2), omega_c = p.zero(1),
            r_c = p.zero(2);
    omega_3(t1) = omega_3(t3) = 1;
    p.add_elastic(p.bar(1), p.bar(1).x, omega_3);
    r_3.col(t1) = E * a13;
    p.add_elastic(p.bar(1), p.bar(1).RL, r_3);
    omega_4(t2) = 1;
    p.add_elastic(p.bar(2), p.bar(2).x, omega_4);
    omega_4 -= a56.transpose() * N_I / delta;
    r_4.col(t2) = E * a24;
    p.add_elastic(p.bar(2), p.bar(2).RL, r_4);
    omega_c = omega_3;
    p.add_elastic(p.bar(3), p.bar(3).x, omega_c);
    omega_c -= a46.transpose() * N_I / delta;
    r_c.col(t1) = E * (a13 + a35 + a56 / 2);
    r_c.col(t3) = E * (a35 + a56 / 2);
    p.add_elastic(p.bar(1), E * (a35 + a56 / 2) * p.bar(1).x + p.bar(1).RL, r_c);
    p.add_elastic(p.bar(3), E * a56 * p.bar(3).x / 2 + p.bar(3).RL, r_c);
    r_c -= E * a56 * a46.transpose() * N_I / (2 * delta);

    const auto stacked = [](const MatrixX& omega, const MatrixX& r) {
      MatrixX rows(3, omega.cols());
      rows << omega, r;
      return rows;
    };
    expect_equal(p.twist_rows("link-3", "root"), stacked(omega_3, r_3), "link 3");
    expect_equal(p.twist_rows("link-4", "root"), stacked(omega_4, r_4), "link 4");
    expect_equal(p.twist_rows("object", "origin"), stacked(omega_c, r_c), "object");
  }
}

/// Cartesian space, one leg of links i and j whose tip is `arm` (from the reference point) on the platform: (4.39),
/// (5.9) with the inverse written out (corrected Delta).
void expect_cartesian_leg(Pose2& p, const std::string& platform, int i, int j, const Vec2& arm) {
  const Bar &near = p.bar(i), &far = p.bar(j);
  MatrixX X = p.zero(2);
  X.col(p.joint_column(platform + ".free", 0)) = Vec2(1, 0);
  X.col(p.joint_column(platform + ".free", 1)) = Vec2(0, 1);
  X.col(p.joint_column(platform + ".free", 2)) = E * arm;
  p.add_elastic(near, -near.RL, X);
  p.add_elastic(far, -far.RL, X);
  const double delta = far.a.dot(E * near.a);
  const MatrixX omega_near = far.a.transpose() * X / delta, omega_far = -near.a.transpose() * X / delta;
  MatrixX expected(3, p.columns());
  expected << omega_near, p.zero(2);
  expect_equal(p.twist_rows("link-" + std::to_string(i), "root"), expected, "near link");
  MatrixX r = E * near.a * omega_near;
  p.add_elastic(near, near.RL, r);
  expected << omega_far, r;
  expect_equal(p.twist_rows("link-" + std::to_string(j), "root"), expected, "far link");
}

TEST(FattahComplement, CartesianSpace) {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    Pose2 arms(random_pose(undriven(fattah_model("two-arms"), Coordinates::cartesian), seed, 0.05), 4);
    const Vec2 c = arms.at("object", "origin");
    expect_cartesian_leg(arms, "object", 1, 3, arms.at("object", "p5") - c);
    expect_cartesian_leg(arms, "object", 2, 4, arms.at("object", "p6") - c);
    for (const char* name : {"3rrr-fast", "3rrr"}) {
      Pose2 robot(random_pose(undriven(fattah_model(name), Coordinates::cartesian), seed, 0.05), 6);
      const Vec2 centre = robot.at("platform", "origin");
      for (int leg = 1; leg <= 3; ++leg)
        expect_cartesian_leg(robot, "platform", leg, leg + 3, robot.at("platform", "p" + std::to_string(leg)) - centre);
    }
  }
}

// Planar 3-RRR in joint space: (5.26)-(5.28) and the explicit rates that replace (5.29)-(5.30).
TEST(FattahComplement, ParallelRobotInJointSpace) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    Pose2 p(random_pose(undriven(fattah_model("3rrr"), Coordinates::joint), seed), 6);
    const Vec2 a14 = p.bar(1).a, a25 = p.bar(2).a, a36 = p.bar(3).a, a47 = p.bar(4).a, a58 = p.bar(5).a,
               a69 = p.bar(6).a;
    const Vec2 o7 = p.at("platform", "p1"), a78 = p.at("platform", "p2") - o7, a79 = p.at("platform", "p3") - o7;
    MatrixX h1 = p.zero(2), h2 = p.zero(2);
    h1.col(p.joint_column("motor-1")) += E * (a14 + a47 + a78);
    h1.col(p.joint_column("motor-2")) -= E * (a58 + a25);
    p.add_elastic(p.bar(1), p.bar(1).RL + E * (a47 + a78) * p.bar(1).x, h1);
    p.add_elastic(p.bar(2), -p.bar(2).RL - E * a58 * p.bar(2).x, h1);
    p.add_elastic(p.bar(4), p.bar(4).RL + E * a78 * p.bar(4).x, h1);
    p.add_elastic(p.bar(5), -p.bar(5).RL, h1);
    h2.col(p.joint_column("motor-1")) += E * (a14 + a47 + a79);
    h2.col(p.joint_column("motor-3")) -= E * (a69 + a36);
    p.add_elastic(p.bar(1), p.bar(1).RL + E * (a47 + a79) * p.bar(1).x, h2);
    p.add_elastic(p.bar(3), -p.bar(3).RL - E * a69 * p.bar(3).x, h2);
    p.add_elastic(p.bar(4), p.bar(4).RL + E * a79 * p.bar(4).x, h2);
    p.add_elastic(p.bar(6), -p.bar(6).RL, h2);

    const double mu1 = a58.dot(E * a78), mu2 = a69.dot(E * (a47 + a79)), mu3 = (a47 + a78).dot(E * a78);
    const double mu4 = a79.dot(E * (a47 + a79)), mu5 = a47.dot(E * a58), mu6 = a69.dot(E * a79), delta = mu5 - mu1;
    const MatrixX rate_7 = -(mu2 * a58.transpose() * h1 + delta * a69.transpose() * h2) / (mu1 * mu2 + delta * mu6);
    const MatrixX rate_4 = (a58.transpose() * h1 + mu1 * rate_7) / delta;
    const MatrixX rate_5 = ((a47 + a78).transpose() * h1 + mu3 * rate_7) / delta;
    const MatrixX rate_6 = (mu4 * rate_7 - (a47 + a79).transpose() * h2) / mu2;

    const auto omega_of = [&](const std::string& motor, int near, const MatrixX& rate) {
      MatrixX omega = rate;
      omega(p.joint_column(motor)) += 1;
      p.add_elastic(p.bar(near), p.bar(near).x, omega);
      return omega;
    };
    const MatrixX omega_4 = omega_of("motor-1", 1, rate_4);
    expect_equal(p.twist_rows("link-4", "root").row(0), omega_4, "link 4");
    expect_equal(p.twist_rows("link-5", "root").row(0), omega_of("motor-2", 2, rate_5), "link 5");
    expect_equal(p.twist_rows("link-6", "root").row(0), omega_of("motor-3", 3, rate_6), "link 6");
    MatrixX psi = omega_4 + rate_7;
    p.add_elastic(p.bar(4), p.bar(4).x, psi);
    expect_equal(p.twist_rows("platform", "origin").row(0), psi, "platform");

    // (5.28) itself, and the twist of the platform at O7.
    Eigen::Matrix4d N_D;
    N_D << E * (a47 + a78), -E * a58, Vec2::Zero(), E * a78, E * (a47 + a79), Vec2::Zero(), -E * a69, E * a79;
    MatrixX h(4, p.columns()), rates(4, p.columns());
    h << h1, h2;
    rates << rate_4, rate_5, rate_6, rate_7;
    expect_equal(N_D * rates, -h, "loop closure");
    MatrixX r_7 = E * a47 * omega_4;
    r_7.col(p.joint_column("motor-1")) += E * a14;
    p.add_elastic(p.bar(1), p.bar(1).RL, r_7);
    p.add_elastic(p.bar(4), p.bar(4).RL, r_7);
    expect_equal(p.twist_rows("platform", "p1").bottomRows(2), r_7, "O7");
  }
}

// N_C = N_J (S_C N_J)^-1, S_C picking platform twist and elastic rates.
TEST(FattahComplement, CartesianFromJointSpace) {
  for (const auto& [name, platform, bars] : {std::tuple{"two-arms", "object", 4}, std::tuple{"3rrr", "platform", 6}}) {
    Pose2 joint(random_pose(undriven(fattah_model(name), Coordinates::joint), 5), bars);
    Prepared other = prepare(undriven(fattah_model(name), Coordinates::cartesian));
    other.state.q = transfer_coordinates(joint.plan(), joint.prepared().work, joint.prepared().state.q, other.plan);
    ASSERT_LT(closure_error(other.plan, other.work, other.state.q), 1e-12);
    ASSERT_TRUE(select_independent(other.plan, other.work, other.state.q));
    Pose2 cartesian(std::move(other), bars);

    MatrixX S = MatrixX::Zero(joint.columns(), joint.columns());
    const MatrixX twist = joint.twist_rows(platform, "origin");
    for (int k = 0; k < 2; ++k) S.row(cartesian.joint_column(std::string(platform) + ".free", k)) = twist.row(1 + k);
    S.row(cartesian.joint_column(std::string(platform) + ".free", 2)) = twist.row(0);
    for (int i = 1; i <= bars; ++i)
      for (int k = 0; k < joint.bar(i).n; ++k)
        S(cartesian.column(cartesian.bar(i).v + k), joint.column(joint.bar(i).v + k)) = 1;
    for (int i = 1; i <= bars; ++i) {
      const std::string link = "link-" + std::to_string(i);
      const MatrixX expected =
          MatrixX(S.transpose()).partialPivLu().solve(MatrixX(joint.twist_rows(link, "root").transpose())).transpose();
      EXPECT_LT((cartesian.twist_rows(link, "root") - expected).norm(), 1e-11 * expected.norm()) << name << link;
    }
  }
}

}  // namespace
}  // namespace lithe::testing

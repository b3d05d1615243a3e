// Wishes to an assembly: their rates are the differences of their errors, and they are kept in the order of importance.

#include "lithe/kinematics/wish.hpp"

#include <gtest/gtest.h>

#include "lithe/kinematics/motion.hpp"
#include "lithe/kinematics/wished_assembly.hpp"
#include "support/khan_3rrr.hpp"
#include "support/khan_6ups.hpp"

namespace lithe {
namespace {

namespace ups = testing::khan_6ups;
namespace rrr = testing::khan_3rrr;

/// The wish that is fulfilled at q.
Wish as_it_is(const Plan& plan, Workspace& work, const VectorX& q, Wish::Kind kind, int index, int coordinate = 0) {
  Wish wish;
  wish.kind = kind;
  wish.index = index;
  wish.coordinate = coordinate;
  if (kind == Wish::Kind::link_position || kind == Wish::Kind::link_rotation) {
    const Pose pose = frame_pose(plan, work, q, {index, 0});
    wish.position = pose.position;
    wish.rotation = Quat(pose.rotation);
    return wish;
  }
  VectorX cut_q;
  cut_coordinates(plan, work, q, cut_q);
  const JointPlace& place = plan.places()[index];
  const VectorX& all = place.cut ? cut_q : q;
  if (kind == Wish::Kind::coordinate) {
    wish.value = all[place.q + coordinate];
  } else {
    const auto parts = all.segment<4>(place.q + place.nq - 4);
    wish.rotation = Quat(parts[0], parts[1], parts[2], parts[3]);
  }
  return wish;
}

std::vector<Wish> every_wish(const Plan& plan, Workspace& work, const VectorX& q) {
  std::vector<Wish> wishes;
  for (std::size_t j = 0; j < plan.places().size(); ++j) {
    const JointPlace& place = plan.places()[j];
    const bool turns = place.nq != place.nv;
    for (int k = 0; k < (turns ? place.nq - 4 : place.nq); ++k)
      wishes.push_back(as_it_is(plan, work, q, Wish::Kind::coordinate, static_cast<int>(j), k));
    if (turns) wishes.push_back(as_it_is(plan, work, q, Wish::Kind::rotation, static_cast<int>(j)));
  }
  for (int i = 1; i < static_cast<int>(plan.mechanism().links.size()); ++i)
    for (const Wish::Kind kind : {Wish::Kind::link_position, Wish::Kind::link_rotation})
      wishes.push_back(as_it_is(plan, work, q, kind, i));
  return wishes;
}

/// Central differences along motions that keep the loops closed; the error of h = 1e-5 is some 1e-10.
void expect_rates(const Plan& plan, Workspace& work, const VectorX& q) {
  ASSERT_TRUE(select_independent(plan, work, q));
  MatrixX N;
  ASSERT_TRUE(loop_complement(plan, work, q, N));
  const double h = 1e-5;
  for (const Wish& wish : every_wish(plan, work, q)) {
    EXPECT_LT(wish_error(plan, work, q, wish).norm(), 1e-12);
    const MatrixX J = wish_jacobian(plan, work, q, wish);
    ASSERT_EQ(J.rows(), row_count(wish));
    for (Eigen::Index i = 0; i < N.cols(); ++i) {
      const VectorX v = N.col(i);
      VectorX forward = q, backward = q;
      move_coordinates(plan, h * v, forward);
      move_coordinates(plan, -h * v, backward);
      const VectorX rate = (wish_error(plan, work, forward, wish) - wish_error(plan, work, backward, wish)) / (2 * h);
      EXPECT_LT((rate - J * v).norm(), 1e-8 * (1.0 + v.norm()))
          << static_cast<int>(wish.kind) << " of " << wish.index << ", motion " << i;
    }
  }
}

TEST(Wish, RatesInSpace) {
  const Plan plan(ups::mechanism());
  Workspace work(plan);
  expect_rates(plan, work, ups::posture(plan));
}

TEST(Wish, RatesInThePlane) {
  const Plan plan(rrr::mechanism());
  Workspace work(plan);
  VectorX q = rrr::initial_posture(plan);
  AssemblyOptions options;
  options.held = plan.actuated_speeds();
  ASSERT_TRUE(assemble(plan, work, q, options).status);
  expect_rates(plan, work, q);
}

// Three freedoms, four wishes: the first three are kept to the last digit, the fourth gives way.
TEST(WishedAssembly, KeepsTheMoreImportant) {
  const Plan plan(rrr::mechanism());
  Workspace work(plan);
  VectorX q = rrr::initial_posture(plan);
  const auto motor = [&](int k, double off) {
    const int joint = plan.mechanism().find_joint(rrr::name("motor", k));
    Wish wish = as_it_is(plan, work, q, Wish::Kind::coordinate, joint);
    wish.value += off;
    return wish;
  };
  Wish place = as_it_is(plan, work, q, Wish::Kind::link_position, plan.mechanism().find_link("platform"));
  place.position += Vec3(0.01, -0.02, 0);
  // The position of the platform takes two freedoms, one motor the third; the next motor cannot have its value.
  const std::vector<Wish> wishes{place, motor(0, 0.02), motor(1, 0.3)};
  const WishedAssembly assembly = assemble_wishes(plan, work, q, wishes);
  ASSERT_TRUE(assembly.report.status);
  EXPECT_LT(closure_error(plan, work, q), 1e-12);
  EXPECT_LT(wish_error(plan, work, q, wishes[0]).norm(), 1e-12);
  EXPECT_LT(wish_error(plan, work, q, wishes[1]).norm(), 1e-15);
  EXPECT_GT(wish_error(plan, work, q, wishes[2]).norm(), 1e-3);
}

// A firm wish that cannot be had is a failure, not a surprise.
TEST(WishedAssembly, FirmWishesHoldOrFail) {
  const Plan plan(rrr::mechanism());
  Workspace work(plan);
  VectorX q = rrr::initial_posture(plan);
  Wish place = as_it_is(plan, work, q, Wish::Kind::link_position, plan.mechanism().find_link("platform"));
  place.position = Vec3(5, 5, 0);
  place.firm = true;
  EXPECT_FALSE(assemble_wishes(plan, work, q, {place}).report.status);
}

}  // namespace
}  // namespace lithe

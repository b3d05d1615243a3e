// Many states at once give what each gives by itself, on any number of threads and on any machine.

#include "lithe/dynamics/batch.hpp"

#include "lithe/dynamics/lanes.hpp"
#include "lithe/errors.hpp"
#include "lithe/kinematics/kernel.hpp"
#include "properties/subject.hpp"
#include "support/allocation_counter.hpp"

namespace lithe::testing {
namespace {

/// States around that of a subject, with forces; columns.
struct States {
  MatrixX q, v, tau;

  States(Subject& subject, int count)
      : q(subject.plan.nq(), count), v(subject.plan.nv(), count), tau(subject.actions.tau.size(), count) {
    for (int i = 0; i < count; ++i) {
      State state = subject.state;
      VectorX step = random_vector(static_cast<std::uint32_t>(17 * i + 3), subject.plan.nv(), 0.02);
      RC_ASSERT(bool(complete_speeds(subject.plan, subject.work, state.q, step)));
      move_coordinates(subject.plan, step, state.q);
      RC_PRE(bool(project_positions(subject.plan, subject.work, state.q)));
      state.v += random_vector(static_cast<std::uint32_t>(23 * i + 1), subject.plan.nv(), 0.5);
      RC_ASSERT(bool(complete_speeds(subject.plan, subject.work, state.q, state.v)));
      q.col(i) = state.q;
      v.col(i) = state.v;
      tau.col(i) = subject.actions.tau * (1.0 + 0.1 * i);
    }
  }
};

}  // namespace

LITHE_PROPERTY(BatchesAreTheirStates, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const int count = 11;  // two packs and three left over
  const States states(subject, count);
  Batch batch(subject.plan, subject.work);
  MatrixX a(subject.plan.nv(), count), force(subject.work.independent().size(), count);
  for (const Status& status : batch.forward(states.q, states.v, states.tau, subject.actions, a))
    RC_ASSERT(bool(status));
  for (const Status& status : batch.inverse(states.q, states.v, a, subject.actions, force)) RC_ASSERT(bool(status));
  std::vector<FrameRef> frames;
  for (std::size_t link = 0; link < subject.plan.mechanism().links.size(); ++link)
    frames.push_back({static_cast<int>(link), 0});
  MatrixX poses(12 * frames.size(), count);
  batch.poses(states.q, frames, poses);
  MatrixX one_a = a, one_force = force, one_poses = poses;
  for (int i = 0; i < count; ++i) {
    const State state{0.0, states.q.col(i), states.v.col(i)};
    Actions actions = subject.actions;
    actions.tau = states.tau.col(i);
    VectorX one, needed;
    RC_ASSERT(bool(forward_dynamics(subject.plan, subject.work, state, actions, one)));
    one_a.col(i) = one;
    tree_inverse_dynamics(subject.plan, subject.work, state, a.col(i), subject.actions, needed);
    MatrixX N;
    RC_ASSERT(bool(loop_complement(subject.plan, subject.work, state.q, N)));
    one_force.col(i) = N.transpose() * needed;
    for (std::size_t f = 0; f < frames.size(); ++f) {
      const Pose pose = frame_pose(subject.plan, subject.work, state.q, frames[f]);
      for (int e = 0; e < 9; ++e) one_poses(12 * f + e, i) = pose.rotation(e);
      for (int e = 0; e < 3; ++e) one_poses(12 * f + 9 + e, i) = pose.position[e];
    }
  }
  RC_ASSERT(relative_error(a, one_a) < 1e-9);
  RC_ASSERT(relative_error(force, one_force) < 1e-9);
  RC_ASSERT(relative_error(poses, one_poses) < 1e-12);
}

TEST(Batch, SaysWhichMatrixHasTheWrongSize) {
  Subject subject({.seed = 1, .loops = 1});
  Batch batch(subject.plan, subject.work);
  const int nv = subject.plan.nv();
  const MatrixX q = MatrixX::Zero(subject.plan.nq(), 3), v = MatrixX::Zero(nv, 2);
  MatrixX a(nv, 3);
  try {
    batch.forward(q, v, MatrixX::Zero(subject.actions.tau.size(), 3), subject.actions, a);
    FAIL() << "accepted";
  } catch (const MechanismError& error) {
    EXPECT_EQ(std::string(error.what()), "a batch of 3 states needs speeds with " + std::to_string(nv) +
                                             " rows and as many columns, not " + std::to_string(nv) + " x 2");
  }
}

LITHE_PROPERTY(BatchesDoNotDependOnThreads, any_shape()) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const int count = 23;
  const States states(subject, count);
  MatrixX one(subject.plan.nv(), count), three = one;
  Batch(subject.plan, subject.work, 1).forward(states.q, states.v, states.tau, subject.actions, one);
  Batch(subject.plan, subject.work, 3).forward(states.q, states.v, states.tau, subject.actions, three);
  RC_ASSERT(one == three);
}

LITHE_PROPERTY(PacksRoundAlikeOnAnyMachine, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const States states(subject, 4);
  const detail::Scratch& scratch = subject.work.scratch();
  const detail::Selection& selection = scratch.planar ? scratch.flat->selection : scratch.full->selection;
  MatrixX plain(subject.plan.nv(), 4), fastest = plain;
  const auto evaluate = [&](detail::PackEvaluator& packs, MatrixX& a) {
    packs.select(selection);
    const auto columns = [](const MatrixX& m) { return detail::ColumnsIn{m.data(), m.rows()}; };
    return packs.forward(columns(states.q), columns(states.v), columns(states.tau), subject.actions,
                         {a.data(), a.rows()});
  };
  const bool works = evaluate(*detail::make_plain_packs(subject.plan.compiled(), scratch.planar), plain);
  RC_ASSERT(evaluate(*detail::make_packs(subject.plan.compiled(), scratch.planar), fastest) == works);
  RC_ASSERT(!works || plain == fastest);
}

LITHE_PROPERTY(BatchesDoNotAllocate, any_shape()) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const int count = 9;
  const States states(subject, count);
  Batch batch(subject.plan, subject.work);
  MatrixX a(subject.plan.nv(), count);
  batch.forward(states.q, states.v, states.tau, subject.actions, a);
  const long before = allocation_count();
  batch.forward(states.q, states.v, states.tau, subject.actions, a);
  const long allocations = allocation_count() - before;
  RC_ASSERT(allocations == 0);
}

}  // namespace lithe::testing

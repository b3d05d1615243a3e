#include "lithe/dynamics/batch.hpp"

#include <algorithm>
#include <string>
#include <thread>

#include "lithe/dynamics/elements.hpp"
#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/dynamics/lanes.hpp"
#include "lithe/errors.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/forget.hpp"
#include "lithe/kinematics/lift.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

namespace {

constexpr int lanes = PackEvaluator::lanes;

/// What one thread works with.
struct Worker {
  Worker(const Plan& plan, const Workspace& like)
      : packs(make_packs(plan.compiled(), like.scratch().planar)),
        work(plan, like.scratch().planar ? Arithmetic::automatic : Arithmetic::spatial),
        actions(plan) {
    const Selection& selection =
        like.scratch().planar ? like.scratch().flat->selection : like.scratch().full->selection;
    packs->select(selection);
    with_kernel(work, [&](auto& k) {
      k.selection = selection;
      k.resize_for_selection();
    });
    state.q.setZero(plan.nq());
    state.v.setZero(plan.nv());
    a.setZero(plan.nv());
    force.setZero(plan.nv());
    reduced.setZero(std::ssize(selection.independent));
  }

  std::unique_ptr<PackEvaluator> packs;
  Workspace work;
  State state;
  Actions actions;
  VectorX a, force, reduced;
};

ColumnsIn from(const Batch::In& matrix, Eigen::Index column) {
  return {matrix.data() + column * matrix.outerStride(), matrix.outerStride()};
}
ColumnsOut into(Batch::Out& matrix, Eigen::Index column) {
  return {matrix.data() + column * matrix.outerStride(), matrix.outerStride()};
}

void check_shape(const char* what, Eigen::Index rows, Eigen::Index columns, Eigen::Index expected_rows,
                 Eigen::Index expected_columns) {
  if (rows == expected_rows && columns == expected_columns) return;
  throw MechanismError(what, "a batch of " + std::to_string(expected_columns) + " states needs " + what + " with " +
                                 std::to_string(expected_rows) + " rows and as many columns, not " +
                                 std::to_string(rows) + " x " + std::to_string(columns));
}

}  // namespace

struct Batch::Inside {
  const Plan* plan;
  std::vector<Worker> workers;
  std::vector<Status> statuses;

  /// One Status per state, fine until told otherwise.
  std::vector<Status>& start(const In& q, const In& v) {
    check_shape("coordinates", q.rows(), q.cols(), plan->nq(), q.cols());
    check_shape("speeds", v.rows(), v.cols(), plan->nv(), q.cols());
    statuses.assign(q.cols(), Status{});
    return statuses;
  }

  /// Calls several(worker, first) for four states and one(worker, state) for those that several() refuses and for the
  /// last ones. Every state goes the same way whatever the number of threads.
  template <class Several, class One>
  void run(Eigen::Index count, Several&& several, One&& one) {
    const auto part = [&](Worker& worker, Eigen::Index begin, Eigen::Index end) {
      for (Eigen::Index first = begin; first < end; first += lanes) {
        if (first + lanes <= end && several(worker, first)) continue;
        for (Eigen::Index i = first; i < std::min(first + lanes, end); ++i) one(worker, i);
      }
    };
    const auto threads = std::ssize(workers);
    if (threads == 1) return part(workers[0], 0, count);
    const Eigen::Index groups = (count + lanes - 1) / lanes;
    std::vector<std::jthread> others;
    for (Eigen::Index t = 0; t < threads; ++t) {
      const Eigen::Index begin = groups * t / threads * lanes;
      const Eigen::Index end = std::min(groups * (t + 1) / threads * lanes, count);
      if (t + 1 < threads)
        others.emplace_back([&part, this, t, begin, end] { part(workers[t], begin, end); });
      else
        part(workers[t], begin, end);
    }
  }
};

Batch::Batch(const Plan& plan, const Workspace& like, int threads) : inside_(std::make_unique<Inside>()) {
  inside_->plan = &plan;
  inside_->workers.reserve(threads);
  for (int i = 0; i < std::max(threads, 1); ++i) inside_->workers.emplace_back(plan, like);
}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

std::span<const Status> Batch::forward(const In& q, const In& v, const In& tau, const Actions& actions, Out a) {
  std::vector<Status>& statuses = inside_->start(q, v);
  const Plan& plan = *inside_->plan;
  check_shape("forces", tau.rows(), tau.cols(), plan.nv() + plan.cut_nv(), q.cols());
  check_shape("accelerations", a.rows(), a.cols(), plan.nv(), q.cols());
  const bool alone = !plan.compiled().stressed.empty() || has_elements(plan);
  inside_->run(
      q.cols(),
      [&](Worker& w, Eigen::Index i) {
        return !alone && w.packs->forward(from(q, i), from(v, i), from(tau, i), actions, into(a, i));
      },
      [&](Worker& w, Eigen::Index i) {
        forget_poses(w.work);
        w.state.q = q.col(i);
        w.state.v = v.col(i);
        w.actions = actions;
        w.actions.tau = tau.col(i);
        statuses[i] = forward_dynamics(plan, w.work, w.state, w.actions, w.a);
        a.col(i) = w.a;
      });
  return statuses;
}

std::span<const Status> Batch::inverse(const In& q, const In& v, const In& a, const Actions& actions, Out force) {
  std::vector<Status>& statuses = inside_->start(q, v);
  const Plan& plan = *inside_->plan;
  check_shape("accelerations", a.rows(), a.cols(), plan.nv(), q.cols());
  check_shape("forces", force.rows(), force.cols(), inside_->workers.front().reduced.size(), q.cols());
  inside_->run(
      q.cols(),
      [&](Worker& w, Eigen::Index i) {
        return !has_elements(plan) && w.packs->inverse(from(q, i), from(v, i), from(a, i), actions, into(force, i));
      },
      [&](Worker& w, Eigen::Index i) {
        forget_poses(w.work);
        w.state.q = q.col(i);
        w.state.v = v.col(i);
        w.a = a.col(i);
        tree_inverse_dynamics(plan, w.work, w.state, w.a, actions, w.force);
        statuses[i] = with_kernel(w.work, [&](auto& k) -> Status {
          if (k.row_count > 0)
            if (Status status = update_complement(k); !status) return status;
          project_force(k, w.force, w.reduced);
          return {};
        });
        force.col(i) = w.reduced;
      });
  return statuses;
}

void Batch::poses(const In& q, std::span<const FrameRef> frames, Out poses) {
  check_shape("coordinates", q.rows(), q.cols(), inside_->plan->nq(), q.cols());
  check_shape("poses", poses.rows(), poses.cols(), static_cast<Eigen::Index>(12 * frames.size()), q.cols());
  inside_->run(
      q.cols(),
      [&](Worker& w, Eigen::Index i) {
        w.packs->place(from(q, i));
        for (std::size_t f = 0; f < frames.size(); ++f) {
          ColumnsOut out = into(poses, i);
          out.first += 12 * f;
          w.packs->frame_pose(frames[f], out);
        }
        return true;
      },
      [&](Worker& w, Eigen::Index i) {
        w.state.q = q.col(i);
        with_kernel(w.work, [&](auto& k) {
          update_positions(k, w.state.q);
          update_world(k);
          for (std::size_t f = 0; f < frames.size(); ++f) {
            const Pose pose = frame_pose(k, frames[f]);
            const auto row = static_cast<Eigen::Index>(12 * f);
            for (int e = 0; e < 9; ++e) poses(row + e, i) = pose.rotation(e);
            for (int e = 0; e < 3; ++e) poses(row + 9 + e, i) = pose.position[e];
          }
        });
      });
}

}  // namespace lithe

#pragma once
// Many states at once: forward and inverse dynamics and kinematics, four states in the lanes of the processor, on as
// many threads as asked for. Columns are states. Where four states cannot go together (one of them is nearly singular),
// they are evaluated one by one. The numbers do not depend on the number of threads.

#include <memory>
#include <span>
#include <vector>

#include "lithe/dynamics/actions.hpp"
#include "lithe/kinematics/state.hpp"

namespace lithe {

class Batch {
 public:
  using In = Eigen::Ref<const MatrixX>;
  using Out = Eigen::Ref<MatrixX>;

  /// With the independent speeds of `like`, on which select_independent() has run.
  Batch(const Plan& plan, const Workspace& like, int threads = 1);
  ~Batch();
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;

  /// Accelerations of all tree speeds (nv rows) from coordinates (nq), speeds (nv) and joint forces (nv + cut_nv). The
  /// states satisfy the closures. Loads are those of `actions`, the same for all states; its tau is not used. Returns
  /// one Status per state; they stay until the next call. With one thread no allocation after the first call. Throws
  /// MechanismError for matrices of other sizes, as the others do.
  std::span<const Status> forward(const In& q, const In& v, const In& tau, const Actions& actions, Out a);

  /// Forces along the independent speeds, in the order of Workspace::independent(), that the motion needs: inertia,
  /// gravity, springs, dampers, loads of `actions`.
  std::span<const Status> inverse(const In& q, const In& v, const In& a, const Actions& actions, Out force);

  /// Poses of frames: twelve rows each, the rotation by columns and then the position, in ground axes.
  void poses(const In& q, std::span<const FrameRef> frames, Out poses);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace lithe

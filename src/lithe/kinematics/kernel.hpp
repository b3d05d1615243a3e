#pragma once
// The memory of one evaluation, in one arithmetic, and the recursions that fill it from the ground outwards.
//
// Node quantities are in node axes, at the node origin, unless the name says world (ground axes; in planar arithmetic
// the plane's own axes). Accelerations carry minus gravity, so that weight comes out as inertia.

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "lithe/kinematics/kernel_memory.hpp"
#include "lithe/kinematics/loop_block.hpp"
#include "lithe/kinematics/state.hpp"
#include "lithe/mechanism/compiled.hpp"

namespace lithe::detail {

// Links have a handful of elastic coordinates: plain loops beat the products of Eigen, which are made for large ones.

/// Entry j of M^T x.
template <class Vector>
typename Vector::Scalar column_product(const MatrixX& M, Eigen::Index j, const Vector& x) {
  const double* column = M.data() + j * M.rows();
  typename Vector::Scalar sum = 0.0;
  for (Eigen::Index i = 0; i < x.size(); ++i) sum += column[i] * x[i];
  return sum;
}

/// Entry i of M x.
template <class Vector>
typename Vector::Scalar row_product(const MatrixX& M, Eigen::Index i, const Vector& x) {
  typename Vector::Scalar sum = 0.0;
  for (Eigen::Index j = 0; j < x.size(); ++j) sum += M(i, j) * x[j];
  return sum;
}

/// x^T M x.
template <class Vector>
typename Vector::Scalar quadratic_form(const MatrixX& M, const Vector& x) {
  typename Vector::Scalar sum = 0.0;
  for (Eigen::Index j = 0; j < x.size(); ++j) sum += x[j] * column_product(M, j, x);
  return sum;
}

/// Sum of x_j times column j of a matrix with few rows.
template <class Rows, class Vector>
auto combine(const Rows& rows, const Vector& x) {
  using Number = typename Vector::Scalar;
  Eigen::Matrix<Number, Rows::RowsAtCompileTime, 1> sum;
  sum.setZero();
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    if constexpr (std::is_same_v<Number, typename Rows::Scalar>)
      sum += rows.col(j) * x[j];
    else
      for (int i = 0; i < Rows::RowsAtCompileTime; ++i) sum[i] += rows(i, j) * x[j];
  }
  return sum;
}

// The constants of what a kernel moves.
template <class S>
using NodeTable = Node<typename S::Constants>;
template <class S>
using MountTable = Mount<typename S::Constants>;
template <class S>
using BodyTable = ElasticBody<typename S::Constants>;
template <class S>
using CutTable = Cut<typename S::Constants>;
template <class S>
using AnchorTable = Anchor<typename S::Constants>;

/// Are these the values that are stored, to the last bit?
template <class Vector>
bool holds(const Vector& stored, const Vector& wanted) {
  // Fixed joints only: there is nothing to compare, not even an address.
  return wanted.size() == 0 ||
         std::memcmp(static_cast<const void*>(stored.data()), static_cast<const void*>(wanted.data()),
                     sizeof(typename Vector::Scalar) * static_cast<std::size_t>(wanted.size())) == 0;
}

template <class S>
struct NodeState {
  typename S::Rotation rotation = S::identity();  ///< node in its parent
  typename S::Linear position = S::Linear::Zero();
  typename S::Rotation world_rotation = S::identity();
  typename S::Linear world_position = S::Linear::Zero();
  typename S::Angular omega = S::zero_angular();  ///< angular velocity
  typename S::Linear velocity = S::Linear::Zero();
  typename S::Angular alpha = S::zero_angular();  ///< angular acceleration
  typename S::Linear acceleration = S::Linear::Zero();
  typename S::Angular moment = S::zero_angular();  ///< wrench carried by the joint, being accumulated
  typename S::Linear force = S::Linear::Zero();
  typename S::Angular load_moment = S::zero_angular();  ///< applied from outside, about the node origin
  typename S::Linear load_force = S::Linear::Zero();
};

/// A mount in the axes of its elastic node, at the node origin where not said otherwise.
template <class S>
struct MountState {
  typename S::Rotation rotation = S::identity();  ///< by the deformation
  typename S::Linear position = S::Linear::Zero();
  LinearRows<S> shape;                                ///< velocity relative to the node per elastic speed
  AngularRows<S> turn;                                ///< angular velocity, the same
  typename S::Linear slide = S::Linear::Zero();       ///< velocity relative to the node
  typename S::Angular spin = S::zero_angular();       ///< angular velocity relative to the node
  typename S::Linear slide_rate = S::Linear::Zero();  ///< accelerations relative to the node, as seen from it
  typename S::Angular spin_rate = S::zero_angular();
  typename S::Angular omega = S::zero_angular();  ///< of the mount itself, as for NodeState
  typename S::Linear velocity = S::Linear::Zero();
  typename S::Angular alpha = S::zero_angular();
  typename S::Linear acceleration = S::Linear::Zero();
};

/// An elastic link at its present deformation, in the axes of its node.
template <class S>
struct BodyState {
  typename S::Linear first = S::Linear::Zero();
  typename S::Moment2 second{};
  LinearRows<S> translation;
  AngularRows<S> rotation;
  Eigen::Matrix<typename S::Number, BodyTable<S>::moments, Eigen::Dynamic>
      second_slope;                                                          ///< second moment per coordinate
  typename S::Vector rate, acceleration;                                     ///< of the elastic coordinates
  Eigen::Matrix<typename S::Number, Eigen::Dynamic, Eigen::Dynamic> square;  ///< columns: square_r eta
  typename S::Vector load;  ///< generalised force of the loads on the elastic coordinates
};

/// The two frames of a cut joint in ground axes.
template <class S>
struct CutState {
  typename S::Rotation rotation1 = S::identity(), rotation2 = S::identity();
  typename S::Linear position2 = S::Linear::Zero();
  typename S::Linear gap = S::Linear::Zero();  ///< origin 2 minus origin 1
};

template <class S>
struct Crossing;

/// Below this weakness rounding of the closures spoils the complement: see kinematics/crossing.hpp.
inline constexpr double weak_pose = 0.025;

/// What a kernel knows of the motion at its stored positions. Functions say which stage they need; a debug build
/// checks it, and what is known already is not swept again.
enum class MotionStage {
  nothing,      ///< only positions
  velocity,     ///< node velocities, for the speeds Kernel::v
  bias,         ///< and node accelerations, those of the joints being zero
  acceleration  ///< and node accelerations with those of the joints
};

template <class S>
struct Kernel {
  using Number = typename S::Number;
  using Vector = typename S::Vector;

  explicit Kernel(const Compiled& plan, const Tables<typename S::Constants>& tables);

  const Compiled& compiled;
  const Tables<typename S::Constants>& tables;
  int nv = 0, row_count = 0;

  std::vector<NodeState<S>> nodes;
  std::vector<Matrix3Of<Number>>
      spherical_axes;  ///< per node: columns are its three turning axes in node axes (spherical only)
  std::vector<CutState<S>> cuts;
  std::vector<MountState<S>> mounts;
  std::vector<BodyState<S>> bodies;
  bool bodies_valid = false;

  Vector q;  ///< coordinates of which positions are stored
  Vector v;  ///< speeds of which velocities are stored
  MotionStage stage = MotionStage::nothing;
  bool positions_valid = false, world_valid = false, closures_valid = false, complement_valid = false;

  std::vector<LoopBlockOf<Number>> loops;
  std::vector<CutPlace> cut_places;
  std::vector<int> column;  ///< per speed: its column in the block of its loops
  Vector c;                 ///< closure equations
  Vector gamma;             ///< A a = gamma
  Selection selection;
  LoopMatricesOf<Number> K;  ///< dependent speeds = K independent speeds
  Vector dependent_bias;     ///< dependent accelerations = K independent ones + bias
  bool bias_valid = false;

  // How near the pose is to a singular one (kinematics/crossing.hpp).
  double weakness = 1.0;             ///< smallest pivot of the dependent block, relative to the size of its loop
  int weakest_row = 0;               ///< the closure row of that pivot
  double armed = weak_pose;          ///< weakness below which a crossing is tried
  bool may_cross = true;             ///< the kernels inside a crossing may not
  bool crosses = false;              ///< K and the bias of the stored positions come from poses beside a singular one
  bool anchored = false;             ///< there has been a pose that is not weak
  std::vector<double> closure_size;  ///< per cut: largest entry of its distances, scaled; per coupling: the same
  VectorX anchor;                    ///< coordinates of the last such pose
  VectorX tangent_q, tangent;  ///< a singular pose and the speeds along which it is left; empty when there is none
  int generic_rank = -1;       ///< of the closures at assembled poses around; -1: not looked at yet
  std::shared_ptr<Crossing<S>> crossing;  ///< made near the first singular pose

  Vector scratch_v, scratch_c;
  std::vector<double> row_scale;  ///< memory of update_complement()
  std::vector<char> prescribed;   ///< per speed: its acceleration is given

  KernelMemory memory;  ///< of formulations and others that work on these kinematics

  int dependents() const { return static_cast<int>(selection.dependent.size()); }
  int independents() const { return static_cast<int>(selection.independent.size()); }
  /// Makes K and the others fit a new selection.
  void resize_for_selection();
};

/// Node poses in their parents. Nothing happens when q is the one already stored.
template <class S>
void update_positions(Kernel<S>& k, const typename S::Vector& q);

/// Node poses in ground axes.
template <class S>
void update_world(Kernel<S>& k);

/// Inertia of the elastic links at their deformation.
template <class S>
void update_bodies(Kernel<S>& k);

/// Velocities and accelerations of all nodes; `a` may be null (zero joint accelerations). Gravity enters as an upward
/// acceleration of the ground. Leads to MotionStage::acceleration, without `a` to MotionStage::bias.
template <class S>
void update_motion(Kernel<S>& k, const typename S::Vector& v, const typename S::Vector* a);

/// The velocities of all nodes and no more.
template <class S>
void sweep_velocities(Kernel<S>& k, const typename S::Vector& v);

/// At least the velocities of all nodes; nothing happens when those of `v` are stored.
template <class S>
void update_velocities(Kernel<S>& k, const typename S::Vector& v);

/// A State in another number.
template <class T>
struct NumberState {
  VectorOf<T> q, v;
};
template <class S>
using StateOf = std::conditional_t<std::is_same_v<typename S::Number, double>, State, NumberState<typename S::Number>>;

struct Scratch {
  explicit Scratch(const Compiled& plan, Arithmetic arithmetic);

  bool planar;
  std::optional<Kernel<Planar>> flat;
  std::optional<Kernel<Spatial>> full;

  /// Spatial kernel, made on demand: reactions and other results that need all six components.
  Kernel<Spatial>& spatial(const Compiled& plan);
};

/// Calls f with the kernel in use.
template <class F>
decltype(auto) with_kernel(Workspace& work, F&& f) {
  Scratch& scratch = work.scratch();
  if (scratch.planar) return f(*scratch.flat);
  return f(*scratch.full);
}

}  // namespace lithe::detail

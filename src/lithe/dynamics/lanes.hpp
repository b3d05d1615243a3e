#pragma once
// Evaluations on several lanes: four states at once, or one state with the slopes along eight directions. The sweeps
// are those of doubles (kinematics/*.inc, dynamics/*.inc), compiled for other numbers and once per kind of machine; this
// is all that the rest of the library sees of them.

#include <memory>

#include "lithe/dynamics/actions.hpp"
#include "lithe/kinematics/loop_block.hpp"

namespace lithe::detail {

/// Vectors side by side in memory, one per lane or direction.
template <class Number>
struct Columns {
  Number* first = nullptr;
  std::ptrdiff_t stride = 0;
  Number& operator()(int row, int column) const { return first[row + column * stride]; }
};
using ColumnsIn = Columns<const double>;
using ColumnsOut = Columns<double>;

/// Quantities that change along directions: row by row in memory, every row with room for whole blocks of eight.
template <class Number>
struct SlopeRows {
  Number* first = nullptr;
  std::ptrdiff_t stride = 0;
  Number* operator[](int row) const { return first + row * stride; }
};
using SlopesIn = SlopeRows<const double>;
using SlopesOut = SlopeRows<double>;

/// Four states at once. Answers that are false leave all four to doubles: a pose is nearly singular, an inertia
/// vanishes, or something is not a number.
class PackEvaluator {
 public:
  static constexpr int lanes = 4;
  virtual ~PackEvaluator() = default;
  /// The independent speeds from now on.
  virtual void select(const Selection& selection) = 0;
  /// Accelerations from states and joint forces; loads as in `actions`, the same for all.
  virtual bool forward(const ColumnsIn& q, const ColumnsIn& v, const ColumnsIn& tau, const Actions& actions,
                       const ColumnsOut& a) = 0;
  /// Forces on the independent speeds that the motion needs, loads taken off.
  virtual bool inverse(const ColumnsIn& q, const ColumnsIn& v, const ColumnsIn& a, const Actions& actions,
                       const ColumnsOut& force) = 0;
  /// Pose of a frame at the coordinates of the last place(): rotation (nine numbers, by columns), then position.
  virtual void place(const ColumnsIn& q) = 0;
  virtual void frame_pose(FrameRef frame, const ColumnsOut& pose) = 0;
};

/// One state, and what changes with it along eight directions. Directions that nobody needs have slopes of zero.
class SlopeEvaluator {
 public:
  static constexpr int directions = 8;
  virtual ~SlopeEvaluator() = default;
  /// Positions with their slopes: `q_rates` are rates of the coordinates.
  virtual void place(const double* q, SlopesIn q_rates) = 0;

  // All of the mechanism along each direction:
  /// Slopes of the rates of the closure rows at constant speeds v.
  virtual void closure_rates(const double* v, SlopesOut rates) = 0;
  /// Slopes at constant accelerations a, forces and closure multipliers, when the speeds change by `v_slopes`: of the
  /// forces that the tree lacks, and of the second rates of the closure rows.
  virtual void missing(const double* v, SlopesIn v_slopes, const double* a, const Actions& actions,
                       const VectorX& multipliers, SlopesOut force, SlopesOut closure) = 0;

  // Branch by branch: each direction moves one speed of every branch, and what the cut joints transmit stays as it is in
  // ground axes. Frames of the cut joints come in pairs (from, to), with frame_size() numbers each.
  virtual int frame_size() const = 0;
  /// Slopes of the forces that the tree lacks (nv rows), then of the frames of the cut joints and of their motion.
  virtual void branches(const double* v, SlopesIn v_slopes, const double* a, const Actions& actions,
                        const VectorX& multipliers, SlopesOut slopes) = 0;
  /// Slopes of the rates of the closure rows, from those of the frames at the motion of branches().
  virtual void frame_rates(SlopesIn frames, SlopesOut rates) = 0;
  /// Slopes of the second rates of the closure rows and, unless empty, of the wrenches that the cut joints transmit
  /// (angular, then linear part).
  virtual void frame_accelerations(SlopesIn frames, const double* cut_tau, const VectorX& multipliers,
                                   SlopesOut closure, SlopesOut wrenches) = 0;

  /// B <- (L L^T)^-1 B; B has `width` columns, whole blocks.
  virtual void solve(const RowMatrixOf<double>& L, SlopesOut B, int width) const = 0;
};

/// Compiled for any machine of the architecture, and for those with AVX2.
std::unique_ptr<PackEvaluator> make_plain_packs(const Compiled& plan, bool planar);
std::unique_ptr<SlopeEvaluator> make_plain_slopes(const Compiled& plan, bool planar);
std::unique_ptr<PackEvaluator> make_avx2_packs(const Compiled& plan, bool planar);
std::unique_ptr<SlopeEvaluator> make_avx2_slopes(const Compiled& plan, bool planar);

/// Those for this machine.
std::unique_ptr<PackEvaluator> make_packs(const Compiled& plan, bool planar);
std::unique_ptr<SlopeEvaluator> make_slopes(const Compiled& plan, bool planar);

}  // namespace lithe::detail

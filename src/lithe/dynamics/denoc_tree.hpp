#pragma once
// Open trees: without loops there is nothing to annihilate, and the U D U^T factors of the inertia matrix
// N_d^T N_l^T M N_l N_d follow recursively from the tips to the ground (Saha 1997): one pass, linear in the number of
// links.
//
// Twists are hybrid, at the mass centres, in ground axes. A joint with several freedoms is eliminated freedom by
// freedom, as if massless links stood between.

#include <vector>

#include "lithe/dynamics/denoc_tables.hpp"

namespace lithe::detail {

template <class S>
class DenocTree {
 public:
  explicit DenocTree(const Compiled& compiled);

  /// Tree accelerations for the forces along the speeds and the loads stored on the nodes; the kernel holds node poses
  /// in ground axes. Accelerations of speeds that it marks as prescribed are given and stay.
  Status forward(const Kernel<S>& kernel, const VectorX& v, const VectorX& force, VectorX& a);

 private:
  struct BodyState {
    typename S::Rotation rotation = S::identity();
    typename S::Linear centre = S::Linear::Zero();
    typename S::Linear hinge = S::Linear::Zero();  ///< to-frame origin of the joint to the mass centre
    TwistVector<S> twist = TwistVector<S>::Zero();
    TwistVector<S> bias = TwistVector<S>::Zero();  ///< twist rate at zero joint accelerations, less that of the parent
    TwistVector<S> rate = TwistVector<S>::Zero();
    TwistMatrix<S> mass = TwistMatrix<S>::Zero();  ///< articulated
    TwistVector<S> wrench = TwistVector<S>::Zero();
  };
  struct ColumnState {
    TwistVector<S> p = TwistVector<S>::Zero();     ///< generator at the mass centre
    TwistVector<S> felt = TwistVector<S>::Zero();  ///< articulated mass times p
    double alpha = 0.0;                            ///< pivot
    double drive = 0.0;                            ///< force left for this freedom
  };

  void move(const Kernel<S>& kernel, const VectorX& v);
  int eliminate(const Kernel<S>& kernel, const VectorX& force, const VectorX& a);
  void accelerate(const Kernel<S>& kernel, VectorX& a);

  std::vector<LegColumn<S>> columns_;
  std::vector<LegBody<S>> bodies_;
  std::vector<int> parent_;  ///< body; -1: ground
  std::vector<BodyState> body_;
  std::vector<ColumnState> column_;
  typename S::Linear gravity_;
};

}  // namespace lithe::detail

#pragma once
// The oscillators of which a mechanism consists near a pose: x = shapes xi with
//
//   xi'' + damping xi' + square xi = what is left.
//
// The shapes solve K phi = w^2 G phi and are normalised by phi^T G phi = 1. What the damping couples between them is
// left in the remainder, and so is a negative stiffness or damping: the basis has only oscillators that do not grow.

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

/// Inertia, stiffness and damping in coordinates x; symmetric.
struct OscillatorMatrices {
  MatrixX inertia, stiffness, damping;
};

class ModalBasis {
 public:
  /// False when the inertia is not positive definite.
  bool renew(const OscillatorMatrices& at);

  /// Has the inertia changed so much that another basis would do better? An entry by 3 percent of its diagonal.
  bool has_aged(const MatrixX& inertia) const;

  const MatrixX& shapes() const { return shapes_; }
  const MatrixX& inverse() const { return inverse_; }  ///< of the shapes: shapes^T G
  const VectorX& square() const { return square_; }    ///< w^2, 1/s^2
  const VectorX& damping() const { return damping_; }  ///< 1/s
  /// What damping couples: xi'' + (damping + coupling) xi' + ..., 1/s; and its largest row sum.
  const MatrixX& coupling() const { return coupling_; }
  double coupling_rate() const { return coupling_rate_; }

 private:
  MatrixX inertia_, shapes_, inverse_, coupling_;
  VectorX square_, damping_;
  double coupling_rate_ = 0.0;
};

}  // namespace lithe::detail

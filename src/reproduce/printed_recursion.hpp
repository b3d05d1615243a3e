#pragma once
// The recursive Gibbs-Appell equations of M. H. Korayem and A. M. Shafei, "Motion equations proper for forward dynamics
// of robotic manipulator with flexible links by using recursive Gibbs-Appell formulation", Scientia Iranica B 16, 2009,
// step by step as the source has them, in any number type. What is wrong in the source is put right here
// (docs/verification/korayem.md), unless the options ask for it. The formulation `gibbs-appell` of the engine sums the
// same terms in another order, for any tree; this is for the source's numbers and operation counts.

#include <array>
#include <vector>

#include "reproduce/beam_chain.hpp"
#include "reproduce/counted.hpp"

namespace lithe::reproduce {

/// What the bending of a link does to the orientation of its tip, theta being the sum of the rotation shapes.
enum class TipTurn {
  paper,      ///< 1 + theta~, which is not orthogonal; its rate is taken for the angular velocity
  exact,      ///< exp(theta~); the rate still taken for the angular velocity: exact where all axes are parallel
  consistent  ///< exp(theta~) with its own angular velocity J theta'
};

struct RecursionOptions {
  TipTurn turn = TipTurn::consistent;
  bool printed_bias = false;  ///< step 2 as printed, without omega x theta'
};

template <class T>
using Vector3 = Eigen::Matrix<T, 3, 1>;
template <class T>
using Matrix3 = Eigen::Matrix<T, 3, 3>;

/// n x n matrices, those of (j, k) being seen from link j for accelerations of link k.
template <class T>
class Grid {
 public:
  explicit Grid(int n) : n_(n), entries_(static_cast<std::size_t>(n) * n, Matrix3<T>::Constant(T(0.0))) {}
  Matrix3<T>& operator()(int j, int k) { return entries_[static_cast<std::size_t>(j) * n_ + k]; }
  const Matrix3<T>& operator()(int j, int k) const { return entries_[static_cast<std::size_t>(j) * n_ + k]; }

 private:
  int n_;
  std::vector<Matrix3<T>> entries_;
};

/// What the recursion knows of one link. Vectors in link axes.
template <class T>
struct LinkStage {
  Matrix3<T> joint, bent;           ///< A_i, E_i
  Vector3<T> reach, reach_rate;     ///< rho: from this joint to the next
  Vector3<T> turn_rate, turn_bias;  ///< angular velocity of the tip, and its rate at theta'' = 0
  Vector3<T> b2, b3;                ///< of which B2 and B3 are the skew matrices
  Matrix3<T> b8, b9;
  std::vector<Vector3<T>> shapes, turns, translation, alpha, coriolis;  ///< per shape
  std::vector<Matrix3<T>> beta;
  std::vector<T> strain, modal_bias;  ///< sum K delta; Q (102)
  Vector3<T> omega, omega_v, a_v;     ///< accelerations at zero second derivatives
  Vector3<T> s, t, phi, chi;          ///< (96), (97), (100), (99)
};

template <class T>
struct PrintedRecursion {
  PrintedRecursion(const BeamChain& links, RecursionOptions choices);

  /// All of it: `inertia` and `right` for a state.
  void evaluate(const ChainState& state);

  /// Modal sums and rotations of a state (not counted by the source), then its ten steps.
  void prepare(const ChainState& state);
  void rotate();           ///< step 1
  void move();             ///< step 2
  void differentiate();    ///< step 3: S_i, T_i
  void gather();           ///< step 4: phi, chi
  void add_modal_bias();   ///< step 5
  void fill_right_side();  ///< step 6
  void compose();          ///< step 7: rotations between all links
  void place();            ///< step 8: vectors between all joints
  void fill_grids();       ///< step 9
  void fill_inertia();     ///< step 10
  static constexpr int step_count = 10;
  static constexpr std::array<void (PrintedRecursion::*)(), step_count> steps{
      &PrintedRecursion::rotate,      &PrintedRecursion::move,           &PrintedRecursion::differentiate,
      &PrintedRecursion::gather,      &PrintedRecursion::add_modal_bias, &PrintedRecursion::fill_right_side,
      &PrintedRecursion::compose,     &PrintedRecursion::place,          &PrintedRecursion::fill_grids,
      &PrintedRecursion::fill_inertia};

  Vector3<T> tip_arm(int j, int k) const;  ///< from joint j + 1 to joint k, axes of link j

  const BeamChain& chain;
  RecursionOptions options;
  int n;
  std::vector<int> first;  ///< per link: its angle among the unknowns
  std::vector<LinkStage<T>> stages;
  std::vector<T> speeds, forces;  ///< per joint
  Vector3<T> up;
  std::vector<std::vector<Vector3<T>>> arms;  ///< (j, k): from joint j to joint k, axes of link j

  // Step 9. A p in front of the name: the left index is shifted to j + 1, behind it: the right one to k + 1.
  Grid<T> R, sigma, xi, psi, lambda, gamma, U, V, sigma_p, xi_p, psi_p, U_p;
  Grid<T> p_sigma_p, p_xi_p, p_psi_p, p_gamma, p_U_p;

  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> inertia;
  Eigen::Matrix<T, Eigen::Dynamic, 1> right;

 private:
  void fill_masses();
  void fill_swings();
  void fill_shifted();
  void fill_joint_rows();
  void fill_mode_rows();
};

/// a~ X and X a~, without the zeros of a~.
template <class T>
Matrix3<T> cross_columns(const Vector3<T>& a, const Matrix3<T>& X) {
  Matrix3<T> product;
  for (int c = 0; c < 3; ++c) product.col(c) = a.cross(X.col(c));
  return product;
}
template <class T>
Matrix3<T> cross_rows(const Matrix3<T>& X, const Vector3<T>& a) {
  Matrix3<T> product;
  for (int r = 0; r < 3; ++r) product.row(r) = X.row(r).transpose().cross(a).transpose();
  return product;
}

}  // namespace lithe::reproduce

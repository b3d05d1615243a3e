#include "lithe/control/riccati.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "lithe/analysis/balancing.hpp"
#include "lithe/analysis/linearize.hpp"
#include "lithe/control/lyapunov.hpp"
#include "lithe/control/schur.hpp"
#include "lithe/errors.hpp"

namespace lithe {
namespace {

using detail::Complex;

constexpr double residual_limit = 1e-8;  // of the terms: more than the rounding of a Schur form
constexpr int most_refinements = 4;

struct RiccatiProblem {
  MatrixX A, B, Q, R, S;
  bool sampled;
};

MatrixX symmetric_part(const MatrixX& M) { return 0.5 * (M + MatrixX(M.transpose())); }

void check_problem(const RiccatiProblem& given) {
  const Eigen::Index n = given.A.rows(), m = given.B.cols();
  const auto expect = [](const char* name, const MatrixX& matrix, Eigen::Index rows, Eigen::Index columns) {
    if (matrix.rows() != rows || matrix.cols() != columns)
      throw MechanismError(name, fmt::format("{} has {} rows and {} columns; {} x {} are needed", name, matrix.rows(),
                                             matrix.cols(), rows, columns));
    if (!matrix.allFinite()) throw MechanismError(name, fmt::format("{} has entries that are no numbers", name));
  };
  expect("A", given.A, n, n);
  expect("B", given.B, n, m);
  expect("the weight Q", given.Q, n, n);
  expect("the weight R", given.R, m, m);
  expect("the weight S", given.S, n, m);
  for (const auto& [name, matrix] : {std::pair{"the weight Q", &given.Q}, std::pair{"the weight R", &given.R}})
    if (!matrix->isApprox(matrix->transpose(), 1e-10) && matrix->norm() > 0)
      throw MechanismError(name, fmt::format("{} is not symmetric", name));
  if (m > 0 && Eigen::LLT<MatrixX>(given.R).info() != Eigen::Success)
    throw MechanismError("the weight R", "the weight R is not positive definite: every input must cost something");
}

/// The mode that stands in the way: one that does not decay and that the inputs cannot move, or that lies on the border
/// of stability and costs nothing.
std::string find_culprit(const RiccatiProblem& given) {
  const Eigen::Index n = given.A.rows();
  for (const Complex& s : poles(given.A)) {
    const double decay = given.sampled ? 1.0 - std::abs(s) : -s.real();
    if (s.imag() < 0 || decay > 1e-6 * (given.sampled ? 1.0 : 1.0 + std::abs(s))) continue;
    Eigen::MatrixXcd moved(n, n + given.B.cols()), cost(2 * n, n);
    const double size = given.A.norm() > 0 ? given.A.norm() : 1.0;
    const Eigen::MatrixXcd shifted = given.A.cast<Complex>() - s * Eigen::MatrixXcd::Identity(n, n);
    moved << shifted, given.B.cast<Complex>() * (size / std::max(given.B.norm(), 1e-300));
    cost << shifted, given.Q.cast<Complex>() * (size / std::max(given.Q.norm(), 1e-300));
    const auto loses_rank = [&](const Eigen::MatrixXcd& matrix) {
      const VectorX values = detail::complex_singular_values(matrix);
      return values[n - 1] <= 1e-9 * values[0];
    };
    const char* letter = given.sampled ? "z" : "s";
    if (loses_rank(moved))
      return fmt::format(
          "the mode at {} = {:.6g}{:+.6g}i does not decay and the inputs cannot move it; give it an input, or "
          "leave it out of the model",
          letter, s.real(), s.imag());
    if (std::abs(decay) <= 1e-6 * (1.0 + std::abs(s)) && loses_rank(cost))
      return fmt::format("the mode at {} = {:.6g}{:+.6g}i neither decays nor costs anything; give it a weight", letter,
                         s.real(), s.imag());
  }
  return "a closed-loop pole lies on the border of stability";
}

/// The gain that belongs to X.
MatrixX riccati_gain(const RiccatiProblem& p, const MatrixX& X) {
  const MatrixX XB = X * p.B;
  if (!p.sampled) return p.R.llt().solve(MatrixX(XB.transpose()) + MatrixX(p.S.transpose()));
  const MatrixX inner = symmetric_part(p.R + MatrixX(MatrixX(p.B.transpose()) * XB));
  return inner.llt().solve(MatrixX(MatrixX(XB.transpose()) * p.A) + MatrixX(p.S.transpose()));
}

struct RiccatiRest {
  MatrixX value;
  double relative;
};

/// What is left of the equation, with the gain K of X.
RiccatiRest riccati_rest(const RiccatiProblem& p, const MatrixX& X, const MatrixX& K) {
  const MatrixX XA = X * p.A, At = p.A.transpose();
  if (!p.sampled) {
    const MatrixX product = MatrixX(MatrixX(X * p.B) + p.S) * K;
    const MatrixX rest = XA + MatrixX(XA.transpose()) - product + p.Q;
    return {rest, rest.norm() / std::max(2 * XA.norm() + product.norm() + p.Q.norm(), 1e-300)};
  }
  const MatrixX middle = At * XA, product = MatrixX(MatrixX(MatrixX(XA.transpose()) * p.B) + p.S) * K;
  const MatrixX rest = middle - X - product + p.Q;
  return {rest, rest.norm() / std::max(middle.norm() + X.norm() + product.norm() + p.Q.norm(), 1e-300)};
}

/// Newton's method (Kleinman): the correction solves a Lyapunov equation of the closed loop.
void refine_riccati(const RiccatiProblem& p, MatrixX& X) {
  MatrixX K = riccati_gain(p, X);
  RiccatiRest rest = riccati_rest(p, X, K);
  for (int i = 0; i < most_refinements; ++i) {
    const MatrixX closed = MatrixX(MatrixX(p.A - MatrixX(p.B * K)).transpose());
    MatrixX better;
    try {
      better = X + (p.sampled ? discrete_lyapunov(closed, rest.value) : lyapunov(closed, rest.value));
    } catch (const PhysicsError&) {
      return;  // too near to the border; the residual decides
    }
    better = symmetric_part(better);
    const MatrixX gain = riccati_gain(p, better);
    const RiccatiRest now = riccati_rest(p, better, gain);
    if (!(now.relative < 0.5 * rest.relative)) return;
    X = better;
    K = gain;
    rest = now;
  }
}

// The extended pencil of the optimal control problem (Van Dooren), without an inverse of R or A:
//   [ A  0   B ]       [ 1  0  0 ]           [ A  0  B ]       [ 1   0   0 ]
//   [-Q -A^T -S ] - s  [ 0  1  0 ]    or     [-Q  1 -S ] - z   [ 0  A^T  0 ]
//   [S^T B^T  R ]      [ 0  0  0 ]           [S^T 0  R ]       [ 0 -B^T  0 ]
// Rows that are orthogonal to the last block of columns make a pencil of twice the states; X from its stable subspace.
MatrixX riccati_by_schur(const RiccatiProblem& p) {
  const Eigen::Index n = p.A.rows(), m = p.B.cols();
  MatrixX H = MatrixX::Zero(2 * n + m, 2 * n + m), J = H;
  H.topLeftCorner(n, n) = p.A;
  H.block(0, 2 * n, n, m) = p.B;
  H.block(n, 0, n, n) = -p.Q;
  H.block(n, 2 * n, n, m) = -p.S;
  H.block(2 * n, 0, m, n) = p.S.transpose();
  H.block(2 * n, 2 * n, m, m) = p.R;
  J.topLeftCorner(n, n).setIdentity();
  if (p.sampled) {
    H.block(n, n, n, n).setIdentity();
    J.block(n, n, n, n) = p.A.transpose();
    J.block(2 * n, n, m, n) = -p.B.transpose();
  } else {
    H.block(n, n, n, n) = -p.A.transpose();
    H.block(2 * n, n, m, n) = p.B.transpose();
    J.block(n, n, n, n).setIdentity();
  }
  const MatrixX last = H.rightCols(m);
  const Eigen::HouseholderQR<MatrixX> qr(last);
  const MatrixX orthogonal = qr.householderQ() * MatrixX::Identity(2 * n + m, 2 * n + m);
  const MatrixX across = orthogonal.rightCols(2 * n).transpose();
  const MatrixX subspace =
      detail::stable_subspace(across * MatrixX(H.leftCols(2 * n)), across * MatrixX(J.leftCols(2 * n)),
                              p.sampled ? detail::Region::unit_disk : detail::Region::left_half_plane);
  if (subspace.cols() != n) return {};
  const MatrixX top = subspace.topRows(n).transpose(), bottom = subspace.bottomRows(n).transpose();
  const Eigen::FullPivLU<MatrixX> solver(top);
  if (!solver.isInvertible()) return {};
  return symmetric_part(solver.solve(bottom));
}

RiccatiSolution solve_riccati(RiccatiProblem given) {
  if (given.S.size() == 0) given.S = MatrixX::Zero(given.B.rows(), given.B.cols());
  check_problem(given);
  if (given.A.rows() == 0) return {MatrixX(0, 0), MatrixX(given.B.cols(), 0), 0.0};
  if (given.B.cols() == 0) throw MechanismError("B", "there is no input to control with");
  // States x = scales z, inputs u = weights v, and the cost over `level`: blocks of one size make a good pencil.
  RiccatiProblem scaled = given;
  const VectorX scales = detail::balance(scaled.A), back = scales.cwiseInverse();
  const VectorX weights = given.R.diagonal().cwiseSqrt().cwiseInverse().unaryExpr(
      [](double w) { return std::exp2(std::round(std::log2(w))); });
  scaled.B = back.asDiagonal() * given.B * weights.asDiagonal();
  scaled.Q = scales.asDiagonal() * given.Q * scales.asDiagonal();
  scaled.R = weights.asDiagonal() * given.R * weights.asDiagonal();
  scaled.S = scales.asDiagonal() * given.S * weights.asDiagonal();
  const double reach = MatrixX(scaled.B * MatrixX(scaled.B.transpose())).norm(), cost = scaled.Q.norm();
  const double level = reach > 0 && cost > 0 ? std::exp2(std::round(0.5 * std::log2(cost / reach))) : 1.0;
  scaled.Q /= level;
  scaled.R /= level;
  scaled.S /= level;

  MatrixX X = riccati_by_schur(scaled);
  if (X.size() == 0) throw PhysicsError(fmt::format("no feedback stabilises the system: {}", find_culprit(given)));
  refine_riccati(scaled, X);
  const MatrixX K = riccati_gain(scaled, X);
  const double residual = riccati_rest(scaled, X, K).relative;
  if (!(residual <= residual_limit))
    throw PhysicsError(
        fmt::format("the Riccati equation is too ill-conditioned: a residual of {:.1e} of its terms is left. "
                    "Leave out modes that hardly matter, or choose weights that are less far apart",
                    residual));
  return {level * MatrixX(back.asDiagonal() * X * back.asDiagonal()),
          MatrixX(weights.asDiagonal() * K * back.asDiagonal()), residual};
}

}  // namespace

RiccatiSolution riccati(const MatrixX& A, const MatrixX& B, const MatrixX& Q, const MatrixX& R, const MatrixX& S) {
  return solve_riccati({A, B, Q, R, S, false});
}

RiccatiSolution discrete_riccati(const MatrixX& A, const MatrixX& B, const MatrixX& Q, const MatrixX& R,
                                 const MatrixX& S) {
  return solve_riccati({A, B, Q, R, S, true});
}

}  // namespace lithe

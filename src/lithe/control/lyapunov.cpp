#include "lithe/control/lyapunov.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>

#include "lithe/analysis/balancing.hpp"
#include "lithe/control/schur.hpp"
#include "lithe/errors.hpp"
#include "lithe/spatial/decompositions.hpp"

namespace lithe {
namespace {

using detail::Complex;

/// The system in balanced states x = scales z.
struct BalancedStates {
  explicit BalancedStates(const MatrixX& matrix) : A(matrix), scales(detail::balance(A)) {}
  MatrixX A;
  VectorX scales;
};

/// T Y T^H - Y + F = 0 or T Y + Y T^H + F = 0 with T upper triangular, column by column from the last.
MatrixX lyapunov_by_schur(const MatrixX& A, const MatrixX& Q, bool sampled) {
  const BalancedStates balanced(A);
  const VectorX back = balanced.scales.cwiseInverse();
  const detail::ComplexSchur schur = detail::complex_schur(balanced.A);
  const Eigen::Index n = A.rows();
  const MatrixX weight = back.asDiagonal() * Q * back.asDiagonal();
  const Eigen::MatrixXcd F = detail::multiply(detail::multiply(schur.Q.adjoint(), weight.cast<Complex>()), schur.Q);
  const Eigen::MatrixXcd& T = schur.T;
  Eigen::MatrixXcd Y = Eigen::MatrixXcd::Zero(n, n);
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    const Complex own = std::conj(T(k, k));
    Eigen::VectorXcd known = Eigen::VectorXcd::Zero(n);
    for (Eigen::Index j = k + 1; j < n; ++j) known += std::conj(T(k, j)) * Y.col(j);
    Eigen::VectorXcd right =
        sampled ? Eigen::VectorXcd(-F.col(k) - detail::multiply(T, known)) : Eigen::VectorXcd(-F.col(k) - known);
    for (Eigen::Index i = n - 1; i >= 0; --i) {
      const Complex pivot = sampled ? own * T(i, i) - 1.0 : T(i, i) + own;
      if (std::abs(pivot) <= 1e-15 * (sampled ? 1.0 : T.cwiseAbs().maxCoeff()))
        throw PhysicsError(sampled
                               ? "the Lyapunov equation has no unique solution: the product of two eigenvalues is one"
                               : "the Lyapunov equation has no unique solution: two eigenvalues add up to zero");
      for (Eigen::Index j = i + 1; j < n; ++j) right[i] -= (sampled ? own * T(i, j) : T(i, j)) * Y(j, k);
      Y(i, k) = right[i] / pivot;
    }
  }
  const MatrixX X = detail::multiply(detail::multiply(schur.Q, Y), schur.Q.adjoint()).real();
  return balanced.scales.asDiagonal() * MatrixX(0.5 * (X + MatrixX(X.transpose()))) * balanced.scales.asDiagonal();
}

[[noreturn]] void refuse_unstable(const char* what, Complex rate) {
  throw PhysicsError(fmt::format("{} are those of a stable system; this one has a pole at {:.6g}{:+.6g}i", what,
                                 rate.real(), rate.imag()));
}

/// Columns of `matrix` turned so that its last row is (0 ... 0 rho).
double turn_last_row(Eigen::MatrixXcd& matrix) {
  const Eigen::Index rows = matrix.rows(), columns = matrix.cols();
  Eigen::VectorXcd v = matrix.row(rows - 1).adjoint();
  const double size = v.norm();
  if (size == 0.0) return 0.0;
  // Householder: row * H = (0 ... 0 size * phase), then the phase is taken out.
  const Complex last = v[columns - 1];
  const Complex phase = std::abs(last) > 0 ? last / std::abs(last) : Complex(1.0);
  v[columns - 1] += phase * size;
  const double square = v.squaredNorm();
  const Eigen::MatrixXcd along = detail::multiply(matrix, v);
  matrix -= detail::multiply(along, v.adjoint() * (2.0 / square));
  const Complex end = matrix(rows - 1, columns - 1);
  matrix.col(columns - 1) *= std::conj(end) / std::abs(end);
  return size;
}

}  // namespace

MatrixX lyapunov(const MatrixX& A, const MatrixX& Q) { return lyapunov_by_schur(A, Q, false); }

MatrixX discrete_lyapunov(const MatrixX& A, const MatrixX& Q) { return lyapunov_by_schur(A, Q, true); }

// With S = [S1 s; 0 l], R = [R1 r; 0 rho], U = [U1 u; 0 tau] the equation for the last column gives tau = rho/a with a^2 =
// -2 Re l (sampled: 1 - |l|^2) and a triangular system for u; what is left is the same equation for S1 with [R1 y],
//   (S1 + l*) u = -a r - tau s,         y = r - a u
//   (l* S1 - 1) u = -a r - l* tau s,    y = a (S1 u + tau s) - l r
MatrixX gramian_factor(const MatrixX& A, const MatrixX& B, bool sampled) {
  const BalancedStates balanced(A);
  const detail::ComplexSchur schur = detail::complex_schur(balanced.A);
  const Eigen::Index n = A.rows();
  const Eigen::MatrixXcd& S = schur.T;
  const MatrixX entering = balanced.scales.cwiseInverse().asDiagonal() * B;
  Eigen::MatrixXcd R = detail::multiply(schur.Q.adjoint(), entering.cast<Complex>());
  Eigen::MatrixXcd U = Eigen::MatrixXcd::Zero(n, n);
  if (R.cols() == 0) return MatrixX::Zero(n, n);
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    const Complex l = S(k, k);
    const double square = sampled ? 1.0 - std::norm(l) : -2.0 * l.real();
    if (!(square > 0.0)) refuse_unstable("Gramians", l);
    const double a = std::sqrt(square), rho = turn_last_row(R), tau = rho / a;
    const Eigen::Index columns = R.cols();
    const Eigen::VectorXcd r = R.col(columns - 1).head(k), s = S.col(k).head(k);
    Eigen::VectorXcd u = -a * r - tau * (sampled ? std::conj(l) : Complex(1.0)) * s;
    for (Eigen::Index i = k - 1; i >= 0; --i) {
      const Complex factor = sampled ? std::conj(l) : Complex(1.0);
      for (Eigen::Index j = i + 1; j < k; ++j) u[i] -= factor * S(i, j) * u[j];
      u[i] /= sampled ? factor * S(i, i) - 1.0 : S(i, i) + std::conj(l);
    }
    U.col(k).head(k) = u;
    U(k, k) = tau;
    Eigen::VectorXcd y = r - a * u;
    if (sampled) y = a * (Eigen::VectorXcd(detail::multiply(S.topLeftCorner(k, k), u)) + tau * s) - l * r;
    R.conservativeResize(k, Eigen::NoChange);
    R.col(columns - 1) = y;
  }
  // X = Re(U U^H) = V V^T with V = [Re U, Im U], squeezed to a square by an orthogonal transformation.
  const Eigen::MatrixXcd turned = balanced.scales.cast<Complex>().asDiagonal() * detail::multiply(schur.Q, U);
  MatrixX tall(2 * n, n);
  tall << turned.real().transpose(), turned.imag().transpose();
  const Eigen::HouseholderQR<MatrixX> qr(tall);
  return MatrixX(qr.matrixQR().topRows(n).triangularView<Eigen::Upper>()).transpose();
}

Gramians gramians(const StateSpace& system) {
  require_consistent(system);
  const MatrixX U = gramian_factor(system.A, system.B, system.is_sampled());
  const MatrixX L = gramian_factor(system.A.transpose(), system.C.transpose(), system.is_sampled());
  return {U * MatrixX(U.transpose()), L * MatrixX(L.transpose()), detail::singular_values(MatrixX(L.transpose()) * U)};
}

Access access(const StateSpace& system) {
  require_consistent(system);
  const Eigen::Index n = system.A.rows(), m = system.B.cols(), p = system.C.rows();
  const BalancedStates balanced(system.A);
  MatrixX B = balanced.scales.cwiseInverse().asDiagonal() * system.B, C = system.C * balanced.scales.asDiagonal();
  // Inputs and outputs of any unit: columns and rows of length one.
  for (Eigen::Index j = 0; j < m; ++j)
    if (const double size = B.col(j).norm(); size > 0) B.col(j) /= size;
  for (Eigen::Index i = 0; i < p; ++i)
    if (const double size = C.row(i).norm(); size > 0) C.row(i) /= size;
  const Eigen::EigenSolver<MatrixX> right(balanced.A), left(MatrixX(balanced.A.transpose()));
  Access found;
  found.controllable = found.observable = static_cast<int>(n);
  const double size = balanced.A.norm() > 0 ? balanced.A.norm() : 1.0;
  std::vector<bool> used(n, false);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Complex s = right.eigenvalues()[k];
    Eigen::MatrixXcd wide(n, n + m), tall(n + p, n);
    // Inputs and outputs as large as A, so that one threshold does for both.
    wide << (balanced.A.cast<Complex>() - s * Eigen::MatrixXcd::Identity(n, n)), (size * B).cast<Complex>();
    tall << (balanced.A.cast<Complex>() - s * Eigen::MatrixXcd::Identity(n, n)), (size * C).cast<Complex>();
    const auto loses_rank = [&](const Eigen::MatrixXcd& matrix) {
      const VectorX values = detail::complex_singular_values(matrix);
      return values[n - 1] <= access_threshold * values[0];
    };
    if (loses_rank(wide)) {
      --found.controllable;
      found.unreachable.push_back(s);
    }
    if (loses_rank(tall)) {
      --found.observable;
      found.unseen.push_back(s);
    }
    if (s.imag() < 0) continue;
    // The left eigenvector is that of the transpose for the nearest eigenvalue that is left.
    Eigen::Index partner = -1;
    for (Eigen::Index j = 0; j < n; ++j)
      if (!used[j] && (partner < 0 || std::abs(left.eigenvalues()[j] - s) < std::abs(left.eigenvalues()[partner] - s)))
        partner = j;
    used[partner] = true;
    const Eigen::VectorXcd v = right.eigenvectors().col(k), w = left.eigenvectors().col(partner);
    ModeAccess mode{{s, system.is_sampled() ? std::log(s) / system.sample : s}, VectorX(m), VectorX(p)};
    for (Eigen::Index j = 0; j < m; ++j) mode.reach[j] = std::abs((w.transpose() * B.col(j))(0)) / w.norm();
    for (Eigen::Index i = 0; i < p; ++i) mode.sight[i] = std::abs((C.row(i) * v)(0)) / v.norm();
    found.modes.push_back(std::move(mode));
  }
  return found;
}

}  // namespace lithe

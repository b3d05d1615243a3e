#include "lithe/control/schur.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "lithe/control/lapack.hpp"
#include "lithe/errors.hpp"

namespace lithe::detail {
namespace {

using SelectReal = int(const double*, const double*);
using SelectComplex = int(const std::complex<double>*);
using SelectPencil = int(const double*, const double*, const double*);

using Dgees = void(const char* vectors, const char* sort, SelectReal* select, const int* n, double* A, const int* lda,
                   int* chosen, double* real, double* imaginary, double* Q, const int* ldq, double* work,
                   const int* size, int* flags, int* info, std::size_t, std::size_t);
using Zgees = void(const char* vectors, const char* sort, SelectComplex* select, const int* n, std::complex<double>* A,
                   const int* lda, int* chosen, std::complex<double>* w, std::complex<double>* Q, const int* ldq,
                   std::complex<double>* work, const int* size, double* real_work, int* flags, int* info, std::size_t,
                   std::size_t);
using Dgges = void(const char* left, const char* right, const char* sort, SelectPencil* select, const int* n, double* A,
                   const int* lda, double* B, const int* ldb, int* chosen, double* real, double* imaginary,
                   double* beta, double* left_vectors, const int* ldl, double* right_vectors, const int* ldr,
                   double* work, const int* size, int* flags, int* info, std::size_t, std::size_t, std::size_t);
using Zgesvd = void(const char* left, const char* right, const int* m, const int* n, std::complex<double>* A,
                    const int* lda, double* values, std::complex<double>* U, const int* ldu, std::complex<double>* V,
                    const int* ldv, std::complex<double>* work, const int* size, double* real_work, int* info,
                    std::size_t, std::size_t);
using Dtrexc = void(const char* vectors, const int* n, double* T, const int* ldt, double* Q, const int* ldq, int* from,
                    int* to, double* work, int* info, std::size_t);
using Dtrsyl = void(const char* turn_a, const char* turn_b, const int* sign, const int* m, const int* n,
                    const double* A, const int* lda, const double* B, const int* ldb, double* C, const int* ldc,
                    double* scale, int* info, std::size_t, std::size_t);

int size_of(const Eigen::Index n) { return static_cast<int>(n); }

[[noreturn]] void give_up() {
  throw PhysicsError(
      "the eigenvalues of the linear system could not be computed: its matrix is not finite, or too far "
      "from balanced");
}

/// Eigenvalues of a real Schur form from its diagonal blocks.
void read_eigenvalues(RealSchur& schur) {
  const int n = size_of(schur.T.rows());
  schur.eigenvalues.resize(n);
  for (int i = 0; i < n; ++i) {
    if (!schur.is_pair(i)) {
      schur.eigenvalues[i] = schur.T(i, i);
      continue;
    }
    // LAPACK makes the diagonal of a pair equal: a, a with b c < 0 beside it.
    const double size = std::sqrt(std::abs(schur.T(i, i + 1))) * std::sqrt(std::abs(schur.T(i + 1, i)));
    schur.eigenvalues[i] = {schur.T(i, i), size};
    schur.eigenvalues[i + 1] = {schur.T(i, i), -size};
    ++i;
  }
}

int lies_left(const double* real, const double*, const double* beta) { return *beta > 0 && *real < 0 ? 1 : 0; }

int lies_inside(const double* real, const double* imaginary, const double* beta) {
  return std::hypot(*real, *imaginary) < std::abs(*beta) ? 1 : 0;
}

}  // namespace

ComplexSchur complex_schur(const MatrixX& A) {
  const int n = size_of(A.rows());
  ComplexSchur schur{A.cast<Complex>(), Eigen::MatrixXcd::Zero(n, n)};
  if (n == 0) return schur;
  Eigen::VectorXcd values(n), work(8 * n);
  VectorX real_work(n);
  const int size = 8 * n;
  int chosen = 0, info = 0;
  static const auto zgees = lapack_function<Zgees>("zgees_");
  zgees("V", "N", nullptr, &n, schur.T.data(), &n, &chosen, values.data(), schur.Q.data(), &n, work.data(), &size,
        real_work.data(), nullptr, &info, 1, 1);
  if (info != 0) give_up();
  return schur;
}

RealSchur real_schur(const MatrixX& A) {
  const int n = size_of(A.rows());
  RealSchur schur{A, MatrixX::Zero(n, n), {}};
  if (n == 0) return schur;
  VectorX real(n), imaginary(n), work(8 * n);
  const int size = 8 * n;
  int chosen = 0, info = 0;
  static const auto dgees = lapack_function<Dgees>("dgees_");
  dgees("V", "N", nullptr, &n, schur.T.data(), &n, &chosen, real.data(), imaginary.data(), schur.Q.data(), &n,
        work.data(), &size, nullptr, &info, 1, 1);
  if (info != 0) give_up();
  read_eigenvalues(schur);
  return schur;
}

void move_block(RealSchur& schur, int from, int to) {
  if (from == to) return;
  const int n = size_of(schur.T.rows());
  VectorX work(n);
  int source = from + 1, target = to + 1, info = 0;
  static const auto dtrexc = lapack_function<Dtrexc>("dtrexc_");
  dtrexc("V", &n, schur.T.data(), &n, schur.Q.data(), &n, &source, &target, work.data(), &info, 1);
  if (info != 0) give_up();
  read_eigenvalues(schur);
}

int move_to_front(RealSchur& schur, const std::vector<bool>& chosen) {
  int front = 0;
  std::vector<bool> wanted = chosen;
  for (int i = 0; i < size_of(schur.T.rows()); ++i) {
    const int width = schur.is_pair(i) ? 2 : 1;
    const bool goes = wanted[i] || (width == 2 && wanted[i + 1]);
    if (goes) {
      move_block(schur, i, front);
      front += width;
    }
    i += width - 1;
  }
  return front;
}

MatrixX solve_sylvester(const MatrixX& S, const MatrixX& T, const MatrixX& C) {
  MatrixX X = C;
  const int m = size_of(S.rows()), n = size_of(T.rows()), minus = -1;
  if (m == 0 || n == 0) return X;
  double scale = 1.0;
  int info = 0;
  static const auto dtrsyl = lapack_function<Dtrsyl>("dtrsyl_");
  dtrsyl("N", "N", &minus, &m, &n, S.data(), &m, T.data(), &n, X.data(), &m, &scale, &info, 1, 1);
  if (info != 0) throw PhysicsError("two parts of the linear system have an eigenvalue in common and cannot be split");
  return X / scale;
}

VectorX complex_singular_values(const Eigen::MatrixXcd& A) {
  const int m = size_of(A.rows()), n = size_of(A.cols()), least = std::min(m, n), most = std::max(m, n), one = 1;
  const int size = 2 * least + most + 64;
  Eigen::MatrixXcd copy = A;
  VectorX values(least), real_work(5 * least);
  Eigen::VectorXcd work(size);
  Complex none;
  int info = 0;
  if (least == 0) return values;
  static const auto zgesvd = lapack_function<Zgesvd>("zgesvd_");
  zgesvd("N", "N", &m, &n, copy.data(), &m, values.data(), &none, &one, &none, &one, work.data(), &size,
         real_work.data(), &info, 1, 1);
  if (info != 0) give_up();
  return values;
}

Eigen::MatrixXcd multiply(const Eigen::MatrixXcd& left, const Eigen::MatrixXcd& right) { return left * right; }

MatrixX stable_subspace(const MatrixX& H, const MatrixX& J, Region region) {
  const int n = size_of(H.rows());
  if (n == 0) return {};
  MatrixX A = H, B = J, right(n, n);
  VectorX real(n), imaginary(n), beta(n), work(8 * n + 64);
  std::vector<int> flags(n);
  const int size = 8 * n + 64, one = 1;
  int chosen = 0, info = 0;
  double none = 0.0;
  static const auto dgges = lapack_function<Dgges>("dgges_");
  dgges("N", "V", "S", region == Region::left_half_plane ? lies_left : lies_inside, &n, A.data(), &n, B.data(), &n,
        &chosen, real.data(), imaginary.data(), beta.data(), &none, &one, right.data(), &n, work.data(), &size,
        flags.data(), &info, 1, 1, 1);
  if (info != 0 && info != n + 2) return MatrixX(n, 0);
  return right.leftCols(chosen);
}

}  // namespace lithe::detail

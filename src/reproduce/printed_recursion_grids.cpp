// Steps 7 to 10: what lies between all pairs of links, and the inertia matrix.

#include "reproduce/printed_recursion.hpp"

namespace lithe::reproduce {
namespace {

template <class T>
Matrix3<T> skew_of(const Vector3<T>& a) {
  Matrix3<T> x = Mat3::Zero().cast<T>();
  x(2, 1) = a[0];
  x(0, 2) = a[1];
  x(1, 0) = a[2];
  for (int c = 0; c < 3; ++c) x(c, (c + 1) % 3) = -x((c + 1) % 3, c);
  return x;
}

}  // namespace

template <class T>
void PrintedRecursion<T>::compose() {
  for (int j = 0; j < n; ++j) R(j, j) = Mat3::Identity().cast<T>();
  for (int j = 0; j < n; ++j)
    for (int k = j + 2; k < n; ++k) {
      R(j, k) = R(j, k - 1) * R(k - 1, k);
      R(k, j) = R(j, k).transpose();
    }
}

template <class T>
void PrintedRecursion<T>::place() {
  // Reach of every link in the axes of the links before it, summed up.
  std::vector<std::vector<Vector3<T>>> reach(n, std::vector<Vector3<T>>(n));
  for (int i = 0; i + 1 < n; ++i) {
    reach[i][i] = stages[i].reach;
    for (int j = i - 1; j >= 0; --j) reach[j][i] = R(j, j + 1) * reach[j + 1][i];
  }
  for (int i = 0; i + 1 < n; ++i) {
    arms[i][i + 1] = reach[i][i];
    for (int j = i + 2; j < n; ++j) arms[i][j] = arms[i][j - 1] + reach[i][j - 1];
  }
}

template <class T>
Vector3<T> PrintedRecursion<T>::tip_arm(int j, int k) const {
  return k == j + 1 ? Vec3::Zero().cast<T>() : Vector3<T>(R(j, j + 1) * arms[j + 1][k]);
}

/// sigma (76), xi, psi (77), lambda (93), gamma (79): moments of the masses beyond both links.
template <class T>
void PrintedRecursion<T>::fill_masses() {
  for (int k = n - 1; k >= 0; --k)
    for (int j = k; j >= 0; --j) {
      if (j < k) {
        sigma(j, k) = R(j, j + 1) * sigma(j + 1, k);
        xi(j, k) = R(j, j + 1) * xi(j + 1, k);
        sigma(k, j) = sigma(j, k).transpose();
        xi(k, j) = -xi(j, k).transpose();
        continue;
      }
      sigma(k, k) = stages[k].b9;
      xi(k, k) = skew_of(stages[k].b3);
      if (k == n - 1) continue;
      sigma(k, k) += sigma(k, k + 1) * R(k + 1, k);
      xi(k, k) += xi(k, k + 1) * R(k + 1, k);
    }
  for (int j = n - 2; j >= 0; --j) {
    psi(j, n - 1) = cross_columns(arms[j][n - 1], xi(j, n - 1));
    for (int k = n - 2; k >= 0; --k) {
      psi(j, k) = psi(j, k + 1) * R(k + 1, k);
      if (k > j) psi(j, k) += cross_columns(arms[j][k], cross_rows(R(j, k), stages[k].b3));
    }
  }
  T beyond(0.0);
  for (int k = n - 2; k >= 0; --k) {
    beyond += T(chain.links[k + 1].mass);
    lambda(k, k) = Mat3::Zero().cast<T>();
    for (int c = 0; c < 3; ++c) lambda(k, k)(c, c) = beyond;
    for (int j = k - 1; j >= 0; --j) {
      lambda(j, k) = R(j, j + 1) * lambda(j + 1, k);
      lambda(k, j) = lambda(j, k).transpose();
    }
  }
  for (int j = n - 2; j >= 0; --j) {
    gamma(j, n - 2) = cross_columns(arms[j][n - 1], lambda(j, n - 2));
    for (int k = n - 3; k >= 0; --k) {
      gamma(j, k) = gamma(j, k + 1) * R(k + 1, k);
      if (k < j) continue;
      const Vector3<T> moment = T(chain.links[k + 1].mass) * arms[j][k + 1];
      gamma(j, k) += cross_columns(moment, R(j, k));
    }
  }
}

/// The same from link k + 1 on, and U (78), V (88): what the swing of links beyond k brings.
template <class T>
void PrintedRecursion<T>::fill_swings() {
  for (int j = 0; j < n; ++j)
    for (int k = 0; k + 1 < n; ++k) {
      sigma_p(j, k) = sigma(j, k + 1) * R(k + 1, k);
      xi_p(j, k) = xi(j, k + 1) * R(k + 1, k);
      if (j < n - 1) psi_p(j, k) = psi(j, k + 1) * R(k + 1, k);
    }
  for (int j = 0; j < n; ++j)
    for (int k = n - 2; k >= 0; --k) {
      const Matrix3<T> moment = j < n - 1 ? Matrix3<T>(gamma(j, k) + xi_p(j, k)) : xi_p(j, k);
      U(j, k) = cross_rows(moment, stages[k].reach);
      if (k == n - 2) continue;
      U_p(j, k) = U(j, k + 1) * R(k + 1, k);
      U(j, k) += U_p(j, k);
    }
  for (int j = 0; j + 1 < n; ++j)
    for (int k = n - 3; k >= 0; --k) {
      Matrix3<T> swing = cross_rows(lambda(j, k + 1), stages[k + 1].reach);
      if (k < n - 3) swing += V(j, k + 1);
      V(j, k) = swing * R(k + 1, k);
    }
}

/// The same seen from joint j + 1, in the axes of link j.
template <class T>
void PrintedRecursion<T>::fill_shifted() {
  for (int j = 0; j + 1 < n; ++j)
    for (int k = 0; k + 1 < n; ++k) {
      const Matrix3<T>& turn = R(j, j + 1);
      p_sigma_p(j, k) = turn * sigma_p(j + 1, k);
      p_xi_p(j, k) = turn * xi_p(j + 1, k);
      if (k < n - 2) p_U_p(j, k) = turn * U_p(j + 1, k);
      if (j == n - 2) continue;
      p_psi_p(j, k) = turn * psi_p(j + 1, k);
      p_gamma(j, k) = turn * gamma(j + 1, k);
    }
}

template <class T>
void PrintedRecursion<T>::fill_grids() {
  if (n > 1) {
    fill_masses();
    fill_swings();
    fill_shifted();
  } else {
    sigma(0, 0) = stages[0].b9;
  }
}

/// (75) and (81); of the matrices only the row about the joint axis counts.
template <class T>
void PrintedRecursion<T>::fill_joint_rows() {
  for (int j = 0; j < n; ++j) {
    for (int k = j; k < n; ++k) {
      T entry = sigma(j, k)(2, 2);
      if (j < n - 1) entry -= psi(j, k)(2, 2);
      if (k < n - 1) entry -= U(j, k)(2, 2);
      inertia(first[j], first[k]) = inertia(first[k], first[j]) = entry;
    }
    for (int k = 0; k < n; ++k) {
      const LinkStage<T>& x = stages[k];
      if (x.shapes.empty()) continue;
      Vector3<T> along_turn = Vec3::Zero().cast<T>(), along_shape = along_turn;
      if (k < n - 1) {
        along_turn = sigma_p(j, k).row(2).transpose();
        along_shape = xi_p(j, k).row(2).transpose();
        if (k < n - 2) along_turn -= U_p(j, k).row(2).transpose();
        if (j < n - 1) {
          along_turn -= psi_p(j, k).row(2).transpose();
          along_shape += gamma(j, k).row(2).transpose();
        }
      }
      for (std::size_t t = 0; t < x.shapes.size(); ++t) {
        T entry(0.0);
        if (k < n - 1) entry = along_turn.dot(x.turns[t]) + along_shape.dot(x.shapes[t]);
        if (k == j) entry = k < n - 1 ? T(entry + x.alpha[t][2]) : x.alpha[t][2];
        if (k > j) {
          const T own =
              R(j, k).row(2).transpose().dot(x.alpha[t]) + arms[j][k].cross(Vector3<T>(R(j, k) * x.translation[t]))[2];
          entry = k < n - 1 ? T(entry + own) : own;
        }
        const int column = first[k] + 1 + static_cast<int>(t);
        inertia(first[j], column) = inertia(column, first[j]) = entry;
      }
    }
  }
}

/// (85). The two vectors that stand beside the shapes of link j are formed once per shape of link k.
template <class T>
void PrintedRecursion<T>::fill_mode_rows() {
  for (int j = 0; j < n; ++j)
    for (int k = j; k < n; ++k) {
      const LinkStage<T>&own = stages[j], &x = stages[k];
      if (own.shapes.empty() || x.shapes.empty()) continue;
      const bool last = k == n - 1;
      Matrix3<T> moment_turn = Mat3::Zero().cast<T>(), moment_shape = moment_turn, force_turn = moment_turn;
      if (!last) {
        moment_turn = p_sigma_p(j, k);
        if (j < n - 2) moment_turn -= p_psi_p(j, k);
        if (k < n - 2) moment_turn -= p_U_p(j, k);
        moment_shape = p_xi_p(j, k);
        if (j < n - 2) moment_shape += p_gamma(j, k);
        force_turn = p_xi_p(j, k);
        if (k < n - 2) force_turn += V(j, k);
      }
      const Vector3<T> arm = k > j ? tip_arm(j, k) : Vec3::Zero().cast<T>();
      for (std::size_t t = 0; t < x.shapes.size(); ++t) {
        Vector3<T> moment = Vec3::Zero().cast<T>(), force = moment;
        if (k > j) {
          force = R(j, k) * x.translation[t];
          moment = R(j, k) * x.alpha[t];
          if (k > j + 1) moment += arm.cross(force);
        }
        if (!last) {
          moment += moment_turn * x.turns[t] + moment_shape * x.shapes[t];
          force += lambda(j, k) * x.shapes[t] - force_turn * x.turns[t];
        }
        const int column = first[k] + 1 + static_cast<int>(t);
        for (std::size_t f = 0; f < own.shapes.size(); ++f) {
          const int row = first[j] + 1 + static_cast<int>(f);
          if (row > column) break;
          T entry(0.0);
          if (k == j) entry = T(chain.links[j].mass_matrix(static_cast<int>(f), static_cast<int>(t)));
          if (k > j || !last) entry += own.turns[f].dot(moment) + own.shapes[f].dot(force);
          inertia(row, column) = inertia(column, row) = entry;
        }
      }
    }
}

template <class T>
void PrintedRecursion<T>::fill_inertia() {
  fill_joint_rows();
  fill_mode_rows();
}

#define LITHE_INSTANTIATE(T)                         \
  template void PrintedRecursion<T>::compose();      \
  template void PrintedRecursion<T>::place();        \
  template void PrintedRecursion<T>::fill_grids();   \
  template void PrintedRecursion<T>::fill_inertia(); \
  template Vector3<T> PrintedRecursion<T>::tip_arm(int, int) const;
LITHE_INSTANTIATE(double)
LITHE_INSTANTIATE(Counted)
#undef LITHE_INSTANTIATE

}  // namespace lithe::reproduce

#pragma once
// Steps of explicit Runge-Kutta methods, for anything that can be added and scaled: vectors, matrices.

#include <array>

namespace lithe {

/// Coefficients of a method: stage i stands at t + c_i h and y + h sum a_ij k_j; the step is h sum b_i k_i.
struct Tableau {
  int stages;
  std::array<double, 7> c;
  std::array<std::array<double, 6>, 7> a;
  std::array<double, 7> b;
};

inline constexpr Tableau classical_rk4{
    4, {0, 0.5, 0.5, 1}, {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

// The fifth-order weights need six stages; the seventh serves the error estimate and is the first of the next step.
inline constexpr Tableau dormand_prince{6,
                                        {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
                                        {{{},
                                          {1.0 / 5},
                                          {3.0 / 40, 9.0 / 40},
                                          {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                          {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                          {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}}},
                                        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};

/// next = y + h sum b_i k_i. k[0] is known already, the other stages come from rate(c_i, argument, k_i), which may
/// refuse with false; `argument` is scratch.
template <class Value, class Stages, class Rate>
bool runge_kutta_step(const Tableau& tableau, const Value& y, double h, Stages& k, Value& argument, Value& next,
                      const Rate& rate) {
  for (int i = 1; i < tableau.stages; ++i) {
    argument = y;
    for (int j = 0; j < i; ++j)
      if (tableau.a[i][j] != 0.0) argument += (h * tableau.a[i][j]) * k[j];
    if (!rate(tableau.c[i], argument, k[i])) return false;
  }
  next = y;
  for (int i = 0; i < tableau.stages; ++i)
    if (tableau.b[i] != 0.0) next += (h * tableau.b[i]) * k[i];
  return true;
}

}  // namespace lithe

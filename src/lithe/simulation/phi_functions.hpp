#pragma once
// What a damped oscillator answers to forces that are polynomials of time, exactly.
//
// Let s(t) solve s'' + d s' + w^2 s = 0 with s(0) = 0, s'(0) = 1, and let S_0 = s', S_1 = s, S_(k+1) = integral of S_k
// from zero. The answer to the force t^k/k! from rest is S_(k+2), its speed S_(k+1). Without dimensions
//
//   S_k(t) = t^k E_k,   E_k depends on w t and d t only,   E_k = 1/k! - d t E_(k+1) - (w t)^2 E_(k+2).
//
// These are the phi functions of exponential integrators for the matrix [0 1; -w^2 -d] (Hochbruck and Ostermann, Acta
// Numerica 2010), whose entries they are: E_(k+1) is the divided difference of phi_k between the two eigenvalues.

#include <array>

namespace lithe::detail {

using OscillatorFunctions = std::array<double, 7>;  ///< E_0 ... E_6

/// E_k of an oscillator after time t: `square` = (w t)^2, `damping` = d t, neither negative.
OscillatorFunctions oscillator_functions(double square, double damping);

}  // namespace lithe::detail

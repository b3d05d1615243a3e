#include "lithe/simulation/phi_functions.hpp"

#include <cmath>

namespace lithe::detail {
namespace {

constexpr int last = 6;  ///< of the functions
constexpr std::array<double, last + 1> one_over_factorial{1.0,        1.0,         1.0 / 2.0,  1.0 / 6.0,
                                                          1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0};

/// Fills the others from the last two: each is a small correction of 1/k!, nothing is lost.
void descend(double square, double damping, OscillatorFunctions& e) {
  for (int k = last - 2; k >= 0; --k) e[k] = one_over_factorial[k] - damping * e[k + 1] - square * e[k + 2];
}

/// Both eigenvalues at most about one: E_k = sum over m of c_m/(m + k)!, where s' = sum of c_m t^m/m!.
OscillatorFunctions short_time(double square, double damping) {
  OscillatorFunctions e{};
  double before = 1.0, now = -damping;                                            // c_m, c_(m+1)
  double fifth = one_over_factorial[last - 1], sixth = one_over_factorial[last];  // 1/(m+5)!, 1/(m+6)!
  for (int m = 0; m < 20; ++m) {
    e[last - 1] += before * fifth;
    e[last] += before * sixth;
    fifth = sixth;
    sixth /= m + last + 1;
    const double next = -damping * now - square * before;
    before = now;
    now = next;
    if (std::abs(before) * fifth < 1e-18 && std::abs(now) * sixth < 1e-18) break;
  }
  descend(square, damping, e);
  return e;
}

/// phi_0 ... phi_5 at a real number z that is not positive.
std::array<double, last> real_phi(double z) {
  std::array<double, last> phi{};
  if (z > -1.0) {
    double term = one_over_factorial[last - 1];
    for (int m = last; m < 24 && std::abs(term) > 1e-18; ++m) {
      phi[last - 1] += term;
      term *= z / m;
    }
    for (int k = last - 2; k >= 0; --k) phi[k] = one_over_factorial[k] + z * phi[k + 1];
    return phi;
  }
  phi[0] = std::exp(z);
  for (int k = 0; k + 1 < last; ++k) phi[k + 1] = (phi[k] - one_over_factorial[k]) / z;
  return phi;
}

/// Two real eigenvalues that lie well apart; `root` is half their distance.
OscillatorFunctions creeping(double square, double damping, double root) {
  const double fast = -(0.5 * damping + root), slow = square / fast;
  const std::array<double, last> phi_slow = real_phi(slow), phi_fast = real_phi(fast);
  OscillatorFunctions e{};
  e[0] = (slow * phi_slow[0] - fast * phi_fast[0]) / (slow - fast);
  for (int k = 0; k < last; ++k) e[k + 1] = (phi_slow[k] - phi_fast[k]) / (slow - fast);
  return e;
}

}  // namespace

OscillatorFunctions oscillator_functions(double square, double damping) {
  const double half = 0.5 * damping, turn = square - half * half;  // of the eigenvalues: -half +- sqrt(-turn)
  if (square <= 1.0 && damping <= 2.0) return short_time(square, damping);
  if (turn < -0.25 * half * half) return creeping(square, damping, std::sqrt(-turn));
  // Oscillation, or nearly: from E_0 and E_1 upwards, since (w t)^2 is not small.
  const double root = std::sqrt(std::abs(turn));
  double cosine = 1.0, sine = 1.0;  // with the decay; sine: divided by its argument
  if (turn > 1e-4) {
    const double decay = damping == 0.0 ? 1.0 : std::exp(-half);
    cosine = decay * std::cos(root);
    sine = decay * std::sin(root) / root;
  } else if (turn < -1e-4) {
    const double slow = std::exp(root - half), fast = std::exp(-root - half);
    cosine = 0.5 * (slow + fast);
    sine = 0.5 * (slow - fast) / root;
  } else {
    const double decay = std::exp(-half);
    cosine = decay * (1.0 - turn / 2.0 * (1.0 - turn / 12.0 * (1.0 - turn / 30.0)));
    sine = decay * (1.0 - turn / 6.0 * (1.0 - turn / 20.0 * (1.0 - turn / 42.0)));
  }
  OscillatorFunctions e{};
  e[0] = cosine - half * sine;
  e[1] = sine;
  for (int k = 0; k + 2 <= last; ++k) e[k + 2] = (one_over_factorial[k] - e[k] - damping * e[k + 1]) / square;
  return e;
}

}  // namespace lithe::detail

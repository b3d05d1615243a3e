#include "lithe/links/mode_functions.hpp"

#include <Eigen/SVD>
#include <cmath>
#include <numbers>

#include "lithe/links/beam_parts.hpp"
#include "lithe/spatial/gauss_rule.hpp"

namespace lithe {

namespace {

constexpr double pi = std::numbers::pi;

/// k-th derivative of sin, cos, exp(-z), exp(-(x - z)) with respect to z.
Eigen::RowVector4d terms(int k, double z, double x) {
  const double s = std::sin(z), c = std::cos(z);
  const double sine[4] = {s, c, -s, -c}, cosine[4] = {c, -s, -c, s};
  return {sine[k % 4], cosine[k % 4], (k % 2 ? -1 : 1) * std::exp(-z), std::exp(z - x)};
}

/// The sign change of f between low and high, to the last digit.
template <class Function>
double bisect(Function&& f, double low, double high) {
  const bool rising = f(high) > 0;
  for (;;) {
    const double middle = (low + high) / 2;
    if (!(middle > low && middle < high)) return middle;
    ((f(middle) > 0) == rising ? high : low) = middle;
  }
}

/// Dynamic stiffness of a clamped beam (EI = mu = L = 1, omega = x^2) with a lump for deflection and slope of its tip.
Eigen::Matrix2d tip_stiffness(double x, const TipLump& tip) {
  const double s = std::sin(x), c = std::cos(x), t = std::tanh(x), hidden = 1 / std::cosh(x) - c;
  Eigen::Matrix2d k, m;
  k << x * x * x * (c * t + s), -x * x * s * t, -x * x * s * t, x * (s - c * t);
  m << tip.mass, tip.moment, tip.moment, tip.inertia;
  return k / hidden - std::pow(x, 4) * m;
}

double clamped_clamped_root(int i) {
  return bisect([](double x) { return std::cos(x) - 1 / std::cosh(x); }, i * pi, (i + 1) * pi);
}

/// How many natural frequencies of the beam with payload lie below x (Wittrick, Williams): those with the tip held,
/// and one for each negative eigenvalue of the tip's dynamic stiffness.
int modes_below(double x, const TipLump& tip) {
  int held = 0;
  while (clamped_clamped_root(held + 1) < x) ++held;
  const Eigen::Matrix2d k = tip_stiffness(x, tip);
  return held + (k.determinant() < 0 ? 1 : (k.trace() < 0 ? 2 : 0));
}

/// beta L of the i-th elastic shape, i from 1.
double bending_root(BendingFamily family, int i, const TipLump& tip) {
  const auto clamped_free = [](double x) { return std::cos(x) + 1 / std::cosh(x); };
  const auto one_pin = [](double x) { return std::sin(x) - std::cos(x) * std::tanh(x); };
  switch (family) {
    case BendingFamily::clamped_free:
      return bisect(clamped_free, (i - 1) * pi, i * pi);
    case BendingFamily::pinned_pinned:
      return i * pi;
    case BendingFamily::pinned_free:
    case BendingFamily::clamped_pinned:
      return bisect(one_pin, i * pi, (i + 0.5) * pi);
    case BendingFamily::clamped_clamped:
    case BendingFamily::free_free:
      return clamped_clamped_root(i);
    case BendingFamily::clamped_payload: {
      // Mass only lowers frequencies, so the beam without payload bounds the root from above.
      const double above = bisect(clamped_free, (i - 1) * pi, i * pi) * (1 + 1e-9);
      return bisect([&](double x) { return modes_below(x, tip) >= i ? 1.0 : -1.0; }, 0.0, above);
    }
  }
  return 0.0;
}

/// Two conditions at each end, as rows for the coefficients (a, b, c, d); x = beta L.
Eigen::Matrix4d end_conditions(BendingFamily family, double x, const TipLump& tip) {
  const auto rows = [x](int first, int second, double z) {
    Eigen::Matrix<double, 2, 4> pair;
    pair << terms(first, z, x), terms(second, z, x);
    return pair;
  };
  const bool root_clamped = family == BendingFamily::clamped_free || family == BendingFamily::clamped_pinned ||
                            family == BendingFamily::clamped_clamped || family == BendingFamily::clamped_payload;
  const bool root_pinned = family == BendingFamily::pinned_pinned || family == BendingFamily::pinned_free;
  const bool tip_pinned = family == BendingFamily::pinned_pinned || family == BendingFamily::clamped_pinned;
  Eigen::Matrix4d conditions;
  conditions.topRows<2>() = root_clamped ? rows(0, 1, 0) : (root_pinned ? rows(0, 2, 0) : rows(2, 3, 0));
  if (family == BendingFamily::clamped_payload) {
    // EI v'' = omega^2 (S v + J v') and EI v''' = -omega^2 (m v + S v'), divided by powers of beta.
    const Eigen::RowVector4d v = terms(0, x, x), slope = terms(1, x, x);
    conditions.row(2) = terms(2, x, x) - x * x * tip.moment * v - x * x * x * tip.inertia * slope;
    conditions.row(3) = terms(3, x, x) + x * tip.mass * v + x * x * tip.moment * slope;
  } else {
    conditions.bottomRows<2>() =
        family == BendingFamily::clamped_clamped ? rows(0, 1, x) : (tip_pinned ? rows(0, 2, x) : rows(2, 3, x));
  }
  conditions.rowwise().normalize();
  return conditions;
}

/// Scale and sign that the header promises.
void normalise(ModeFunction& mode) {
  const int panels = 1 + static_cast<int>(mode.wave_number * mode.length / pi);
  const detail::GaussRule rule = detail::gauss_rule(16);
  double square = 0.0;
  for (int p = 0; p < panels; ++p)
    for (int g = 0; g < 16; ++g)
      square += rule.weight[g] / panels * std::pow(mode(0, (p + rule.at[g]) * mode.length / panels), 2);
  const double factor = std::copysign(1 / std::sqrt(square), mode(mode.zero_at_root, 0.0));
  for (double& coefficient : mode.coefficient) coefficient *= factor;
}

int zeros_at_root(BendingFamily family) {
  switch (family) {
    case BendingFamily::pinned_pinned:
    case BendingFamily::pinned_free:
      return 1;
    case BendingFamily::free_free:
      return 0;
    default:
      return 2;
  }
}

double bar_root(BarFamily family, int i, const TipLump& tip) {
  switch (family) {
    case BarFamily::fixed_free:
      return (i - 0.5) * pi;
    case BarFamily::fixed_payload:
      return bisect([&](double x) { return std::cos(x) - tip.mass * x * std::sin(x); }, (i - 1) * pi, i * pi);
    case BarFamily::fixed_fixed:
    case BarFamily::free_free:
      break;
  }
  return i * pi;
}

}  // namespace

double ModeFunction::operator()(int k, double s) const {
  if (s == 0.0 && k < zero_at_root) return 0.0;
  const Eigen::RowVector4d t = terms(k, wave_number * s, wave_number * length);
  return std::pow(wave_number, k) * t.dot(Eigen::Map<const Eigen::RowVector4d>(coefficient.data()));
}

std::vector<ModeFunction> bending_modes(BendingFamily family, int count, double length, const TipLump& tip) {
  std::vector<ModeFunction> modes;
  for (int i = 1; i <= count; ++i) {
    const double x = bending_root(family, i, tip);
    ModeFunction mode{length, x / length, {}, zeros_at_root(family)};
    // At a root the four conditions leave one combination of the terms free.
    const Eigen::JacobiSVD<MatrixX> svd{MatrixX(end_conditions(family, x, tip)), Eigen::ComputeFullV};
    Eigen::Map<Eigen::Vector4d>(mode.coefficient.data()) = svd.matrixV().col(3);
    normalise(mode);
    modes.push_back(mode);
  }
  return modes;
}

std::vector<ModeFunction> bar_modes(BarFamily family, int count, double length, const TipLump& tip) {
  std::vector<ModeFunction> modes;
  for (int i = 1; i <= count; ++i) {
    const bool root_free = family == BarFamily::free_free;
    ModeFunction mode{length, bar_root(family, i, tip) / length, {}, root_free ? 0 : 1};
    mode.coefficient[root_free ? 1 : 0] = 1.0;
    normalise(mode);
    modes.push_back(mode);
  }
  return modes;
}

}  // namespace lithe

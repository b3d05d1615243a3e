#include "lithe/laws/law.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lithe/laws/jet.hpp"
#include "lithe/laws/natural_spline.hpp"
#include "lithe/laws/shaped_law.hpp"

namespace lithe {

namespace {

/// A jet in tau = (t - start)/duration becomes one in t.
Jet in_time(const Jet& in_tau, double duration) {
  return {in_tau.value, in_tau.rate / duration, in_tau.second / (duration * duration)};
}

/// c[0] + c[1] x + ... and its derivatives in x, by Horner's scheme.
Jet horner(const std::vector<double>& c, double x) {
  Jet p;
  for (auto k = c.rbegin(); k != c.rend(); ++k) {
    p.second = p.second * x + 2.0 * p.rate;
    p.rate = p.rate * x + p.value;
    p.value = p.value * x + *k;
  }
  return p;
}

/// Sum of binomial(n, i) u^i (1-u)^(n-i) b(i) over i = 0..n, nested so that no array is needed.
template <class Coefficient>
double bernstein(int n, double u, Coefficient b) {
  const double s = 1.0 - u;
  double power = 1.0, binomial = 1.0, sum = b(0);
  for (int i = 1; i <= n; ++i) {
    power *= u;
    binomial *= static_cast<double>(n - i + 1) / i;
    sum = sum * s + power * binomial * b(i);
  }
  return sum;
}

Jet evaluate(const ConstantLaw& law, double) { return {law.value, 0.0, 0.0}; }

Jet evaluate(const CycloidLaw& law, double t) {
  const double tau = (t - law.start) / law.duration;
  if (tau <= 0.0) return {law.from, 0.0, 0.0};
  if (tau >= 1.0) return {law.to, 0.0, 0.0};
  const double stroke = law.to - law.from, turn = 2.0 * std::numbers::pi;
  const Jet in_tau{law.from + stroke * (tau - std::sin(turn * tau) / turn), stroke * (1.0 - std::cos(turn * tau)),
                   stroke * turn * std::sin(turn * tau)};
  return in_time(in_tau, law.duration);
}

bool is_held_outside(const PolynomialLaw& law) {
  const auto rests = [](const std::vector<double>& derivatives) {
    return derivatives.empty() || derivatives[0] == 0.0;
  };
  return rests(law.from_derivatives) && rests(law.to_derivatives);
}

Jet evaluate(const PolynomialLaw& law, double t) {
  const double tau = (t - law.start) / law.duration;
  if (is_held_outside(law)) {
    if (tau < 0.0) return {law.from, 0.0, 0.0};
    if (tau > 1.0) return {law.to, 0.0, 0.0};
  }
  return in_time(horner(law.coefficients, tau), law.duration);
}

Jet evaluate(const PolynomialCoefficients& law, double t) { return horner(law.c, t); }

Jet evaluate(const BezierLaw& law, double t) {
  const auto& b = law.points;
  if (b.empty()) return {};
  const double u = (t - law.start) / law.duration;
  if (u < 0.0) return {b.front(), 0.0, 0.0};
  if (u > 1.0) return {b.back(), 0.0, 0.0};
  // The derivative of a Bezier curve of degree n is n times the curve of the differences.
  const int n = static_cast<int>(b.size()) - 1;
  const auto point = [&](int i) { return b[i]; };
  Jet in_u{bernstein(n, u, point), 0.0, 0.0};
  if (n >= 1) in_u.rate = n * bernstein(n - 1, u, [&](int i) { return point(i + 1) - point(i); });
  if (n >= 2)
    in_u.second =
        n * (n - 1) * bernstein(n - 2, u, [&](int i) { return point(i + 2) - 2.0 * point(i + 1) + point(i); });
  return in_time(in_u, law.duration);
}

Jet evaluate(const TableLaw& law, double t) {
  if (law.t.empty()) return {};
  if (law.t.size() == 1 || t < law.t.front()) return {law.y.front(), 0.0, 0.0};
  if (t > law.t.back()) return {law.y.back(), 0.0, 0.0};
  // Interval [t_i, t_i+1) with the sample; the last interval includes its end.
  const auto after = std::upper_bound(law.t.begin() + 1, law.t.end() - 1, t);
  const auto i = static_cast<std::size_t>(after - law.t.begin()) - 1;
  const double h = law.t[i + 1] - law.t[i], y0 = law.y[i], y1 = law.y[i + 1];
  switch (law.interpolation) {
    case TableLaw::Interpolation::hold:
      return {t >= law.t[i + 1] ? y1 : y0, 0.0, 0.0};
    case TableLaw::Interpolation::linear: {
      const double slope = (y1 - y0) / h;
      return {y0 + slope * (t - law.t[i]), slope, 0.0};
    }
    case TableLaw::Interpolation::cubic:
      break;
  }
  const double a = (law.t[i + 1] - t) / h, b = (t - law.t[i]) / h;
  const double m0 = law.second[i], m1 = law.second[i + 1];
  return {a * y0 + b * y1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6.0,
          (y1 - y0) / h + ((1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1) * h / 6.0, a * m0 + b * m1};
}

Jet evaluate(const ExpressionLaw& law, double t) { return law.expression.at(t); }

Jet evaluate(const MovesLaw& law, double t) {
  const auto begins_after = [](double time, const Progress& move) { return time < move.start(); };
  const auto next = std::upper_bound(law.moves.begin(), law.moves.end(), t, begins_after);
  if (next == law.moves.begin()) return {law.values.front(), 0.0, 0.0};
  const auto i = static_cast<std::size_t>(next - law.moves.begin()) - 1;
  const double from = law.values[i], to = law.values[i + 1];
  if (t >= law.moves[i].end()) return {to, 0.0, 0.0};
  const Jet way = law.moves[i].at(t);
  const double sign = to < from ? -1.0 : 1.0;
  return {from + sign * way.value, sign * way.rate, sign * way.second};
}

Jet evaluate(const ShapedLaw& law, double t) { return detail::value_of(law, t); }
Jet evaluate(const SmoothedLaw& law, double t) { return detail::value_of(law, t); }

void note_breakpoints(const ConstantLaw&, std::vector<double>&) {}
void note_breakpoints(const PolynomialCoefficients&, std::vector<double>&) {}
void note_breakpoints(const CycloidLaw& law, std::vector<double>& times) {
  times.insert(times.end(), {law.start, law.start + law.duration});
}
void note_breakpoints(const PolynomialLaw& law, std::vector<double>& times) {
  if (is_held_outside(law)) times.insert(times.end(), {law.start, law.start + law.duration});
}
void note_breakpoints(const BezierLaw& law, std::vector<double>& times) {
  times.insert(times.end(), {law.start, law.start + law.duration});
}
void note_breakpoints(const TableLaw& law, std::vector<double>& times) {
  if (law.t.size() < 2) return;
  if (law.interpolation == TableLaw::Interpolation::cubic)
    times.insert(times.end(), {law.t.front(), law.t.back()});  // only the third derivative jumps at the inner knots
  else
    times.insert(times.end(), law.t.begin(), law.t.end());
}
void note_breakpoints(const ExpressionLaw& law, std::vector<double>& times) {
  const auto own = law.expression.breakpoints();
  times.insert(times.end(), own.begin(), own.end());
}

void note_breakpoints(const MovesLaw& law, std::vector<double>& times) {
  for (const Progress& move : law.moves) move.note_breakpoints(times);
}

void note_breakpoints(const ShapedLaw& law, std::vector<double>& times) {
  for (const LateCopy& copy : law.copies)
    for (const double kink : law.kinks) times.push_back(kink + copy.delay);
}

void note_breakpoints(const SmoothedLaw& law, std::vector<double>& times) {
  for (const double kink : law.kinks) times.insert(times.end(), {kink, kink + law.window});
}

}  // namespace

PolynomialLaw make_polynomial(double from, double to, double start, double duration,
                              std::vector<double> from_derivatives, std::vector<double> to_derivatives) {
  if (!(duration > 0.0)) throw std::invalid_argument("the duration of a polynomial must be positive");
  const std::size_t known = 1 + from_derivatives.size(), unknown = 1 + to_derivatives.size();
  PolynomialLaw law{from, to, start, duration, std::move(from_derivatives), std::move(to_derivatives), {}};
  law.coefficients.assign(known + unknown, 0.0);

  // Conditions at tau = 0 give the first coefficients one by one: c_k = T^k p^(k) / k!
  law.coefficients[0] = from;
  double scale = 1.0;
  for (std::size_t k = 1; k < known; ++k) {
    scale *= duration / static_cast<double>(k);
    law.coefficients[k] = scale * law.from_derivatives[k - 1];
  }

  // Conditions at tau = 1 give the others: sum over j of j (j-1) ... (j-k+1) c_j = T^k p^(k).
  Eigen::MatrixXd matrix(unknown, unknown);
  Eigen::VectorXd load(unknown);
  double duration_power = 1.0;
  for (std::size_t k = 0; k < unknown; ++k) {
    load[k] = k == 0 ? to : duration_power * law.to_derivatives[k - 1];
    duration_power *= duration;
    for (std::size_t j = 0; j < known + unknown; ++j) {
      double falling = 1.0;
      for (std::size_t i = 0; i < k; ++i) falling *= static_cast<double>(j) - static_cast<double>(i);
      if (j < known)
        load[k] -= falling * law.coefficients[j];
      else
        matrix(k, j - known) = falling;
    }
  }
  const Eigen::VectorXd solution = matrix.fullPivLu().solve(load);
  std::copy(solution.begin(), solution.end(), law.coefficients.begin() + static_cast<std::ptrdiff_t>(known));
  return law;
}

TableLaw make_table(std::vector<double> t, std::vector<double> y, TableLaw::Interpolation interpolation) {
  if (t.empty()) throw std::invalid_argument("a table needs at least one sample");
  if (t.size() != y.size()) throw std::invalid_argument("a table needs as many values as times");
  if (std::adjacent_find(t.begin(), t.end(), [](double a, double b) { return !(a < b); }) != t.end())
    throw std::invalid_argument("the times of a table must increase");
  TableLaw law;
  law.t = std::move(t);
  law.y = std::move(y);
  law.interpolation = interpolation;
  if (interpolation == TableLaw::Interpolation::cubic) law.second = natural_spline(law.t, law.y);
  return law;
}

MovesLaw make_moves(std::vector<double> values, const MoveOptions& options) {
  if (values.empty()) throw std::invalid_argument("moves need at least one value");
  MovesLaw law;
  law.values = std::move(values);
  double start = options.start;
  for (std::size_t i = 0; i + 1 < law.values.size(); ++i) {
    std::optional<double> duration;
    if (!options.durations.empty()) duration = options.durations.at(i);
    const Progress move(options.profile, std::abs(law.values[i + 1] - law.values[i]), options.limits, duration);
    law.moves.push_back(move.from(start));
    start = law.moves.back().end() + options.dwell;
  }
  return law;
}

std::vector<double> turning_values(const std::vector<double>& values) {
  std::vector<double> turning;
  for (const double value : values) {
    const std::size_t n = turning.size();
    const bool goes_on = n >= 2 && (turning[n - 1] - turning[n - 2]) * (value - turning[n - 1]) > 0.0;
    if (goes_on)
      turning.back() = value;
    else
      turning.push_back(value);
  }
  return turning;
}

Jet value_of(const TableLaw& law, double t) { return evaluate(law, t); }
Jet value_of(const MovesLaw& law, double t) { return evaluate(law, t); }

Jet Law::at(double t) const {
  Jet sum;
  for (const Term& term : terms_) sum = sum + std::visit([t](const auto& law) { return evaluate(law, t); }, term);
  return sum;
}

std::vector<double> Law::breakpoints() const {
  std::vector<double> times;
  for (const Term& term : terms_) std::visit([&](const auto& law) { note_breakpoints(law, times); }, term);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace lithe

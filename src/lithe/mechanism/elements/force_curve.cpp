#include "lithe/mechanism/elements/force_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lithe/spatial/gauss_rule.hpp"

namespace lithe {
namespace {

constexpr double quadrature_error = 1e-13;  ///< of the integral of the size of the force
constexpr int deepest_halving = 40;         ///< locates a jump to rounding

const detail::GaussRule& rule() {
  static const detail::GaussRule eight = detail::gauss_rule(8);
  return eight;
}

/// Integral of f, and of its size.
struct Area {
  double value = 0.0, size = 0.0;
};

template <class Function>
Area area(const Function& f, double from, double to) {
  Area sum;
  for (int i = 0; i < rule().at.size(); ++i) {
    const double part = rule().weight[i] * (to - from) * f(from + rule().at[i] * (to - from));
    sum.value += part;
    sum.size += std::abs(part);
  }
  return sum;
}

/// Halves the stretch until the rule agrees with itself.
template <class Function>
double refined_area(const Function& f, double from, double to, double coarse, double allowed, int depth) {
  const double middle = 0.5 * (from + to);
  const Area left = area(f, from, middle), right = area(f, middle, to);
  const double fine = left.value + right.value;
  if (!(std::abs(fine - coarse) > allowed) || depth == deepest_halving) return fine;
  return refined_area(f, from, middle, left.value, allowed, depth + 1) +
         refined_area(f, middle, to, right.value, allowed, depth + 1);
}

}  // namespace

ForceCurve::ForceCurve(double stiffness, SpringSide side) : force_(stiffness), side_(side) { prepare({}); }

ForceCurve::ForceCurve(Expression force, SpringSide side)
    : force_(std::move(force)), side_(side), kinks_(std::get<Expression>(force_).breakpoints()) {
  for (double& kink : kinks_) kink += 0.0;  // no negative zero for words about it
  prepare(kinks_);
}

ForceCurve::ForceCurve(TableLaw table, SpringSide side)
    : force_(Law(table)), first_(table.t.front()), last_(table.t.back()), side_(side) {
  prepare(table.t);
}

void ForceCurve::prepare(std::vector<double> joints) {
  rule();
  std::sort(joints.begin(), joints.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  above_ = below_ = {{0.0, 0.0}};
  for (const double x : joints) {
    std::vector<Anchor>& anchors = x > 0.0 ? above_ : below_;
    if (x != 0.0) anchors.push_back({x, anchors.back().energy + integral(anchors.back().x, x)});
  }
}

bool ForceCurve::rests(double x) const {
  return (side_ == SpringSide::pull && x <= 0.0) || (side_ == SpringSide::push && x >= 0.0);
}

double ForceCurve::two_sided(double x, double v) const {
  if (const double* stiffness = std::get_if<double>(&force_)) return *stiffness * x;
  if (const auto* expression = std::get_if<Expression>(&force_)) return expression->value_at(std::array{x, v});
  const double end = std::clamp(x, first_, last_);
  const Jet at = std::get<Law>(force_).at(end);
  return x == end ? at.value : at.value + at.rate * (x - end);
}

double ForceCurve::force(double x, double v, double damping) const {
  if (rests(x)) return 0.0;
  const double whole = two_sided(x, v) + damping * v;
  if (side_ == SpringSide::both) return whole;
  return side_ == SpringSide::pull ? std::max(whole, 0.0) : std::min(whole, 0.0);
}

double ForceCurve::integral(double from, double to) const {
  const auto at_rest = [this](double x) { return force(x, 0.0); };
  const Area coarse = area(at_rest, from, to);
  return refined_area(at_rest, from, to, coarse.value, quadrature_error * coarse.size, 0);
}

double ForceCurve::energy(double x) const {
  if (const double* stiffness = std::get_if<double>(&force_)) return rests(x) ? 0.0 : 0.5 * *stiffness * x * x;
  const std::vector<Anchor>& anchors = x > 0.0 ? above_ : below_;
  const auto beyond = std::partition_point(anchors.begin(), anchors.end(),
                                           [&](const Anchor& anchor) { return std::abs(anchor.x) <= std::abs(x); });
  const Anchor& from = *(beyond - 1);
  return from.energy + integral(from.x, x);
}

}  // namespace lithe

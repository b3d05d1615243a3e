#include "lithe/mechanism/line_spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/spatial/gauss_rule.hpp"

namespace lithe::detail {

namespace {

/// Distances may overshoot the end of the axis by rounding.
constexpr double overshoot = 1e-12;

/// A weight that is linear over a stretch of the axis and zero outside.
struct Weight {
  AxisStretch stretch;
  double start = 1.0, end = 1.0;

  double at(double s) const { return start + (end - start) * (s - stretch.from) / (stretch.to - stretch.from); }
  /// int w ds from s to the end of the stretch.
  double beyond(double s) const {
    const double from = std::max(s, stretch.from);
    return (stretch.to - from) * (at(from) + end) / 2;
  }
};

/// `visit(s, share)` at Gauss points between two places of an axis, piece by piece.
template <class Visit>
void along_axis(const Axis& axis, const GaussRule& rule, double from, double to, Visit&& visit) {
  for (std::size_t i = 0; i + 1 < axis.ends.size(); ++i) {
    const double start = std::max(from, axis.ends[i]), length = std::min(to, axis.ends[i + 1]) - start;
    if (!(length > 0)) continue;
    for (Eigen::Index g = 0; g < rule.at.size(); ++g) visit(start + rule.at[g] * length, rule.weight[g] * length);
  }
}

/// A place s shortens by the squares of all slopes before it, S(s) = int_0^s slope^T slope along, hence
/// int w S ds = int (what of w lies beyond t) slope^T slope along dt. With one axial force per element, Fattah (5.18),
/// what lies beyond the middle of an element shortens with all of it.
std::array<MatrixX, 3> foreshortening(const Axis& axis, const GaussRule& rule, const Weight& weight, int count) {
  std::array<MatrixX, 3> sum;
  for (MatrixX& each : sum) each.setZero(count, count);
  const auto add = [&](double s, double share) {
    const Axis::Point p = axis.at(s);
    const MatrixX square = share * p.slopes.transpose() * p.slopes;
    for (int a = 0; a < 3; ++a)
      if (p.along[a] != 0.0) sum[a] += p.along[a] * square;
  };
  if (axis.element_stress) {
    for (std::size_t i = 0; i + 1 < axis.ends.size(); ++i) {
      const double middle = (axis.ends[i] + axis.ends[i + 1]) / 2;
      if (middle < weight.stretch.to)
        along_axis(axis, rule, axis.ends[i], axis.ends[i + 1],
                   [&](double s, double share) { add(s, share * weight.beyond(middle)); });
    }
  } else {
    const auto weighted = [&](double s, double share) { add(s, share * weight.beyond(s)); };
    along_axis(axis, rule, 0.0, weight.stretch.from, weighted);
    along_axis(axis, rule, weight.stretch.from, weight.stretch.to, weighted);
  }
  for (MatrixX& each : sum)
    if (each.isZero(0.0)) each.resize(0, 0);
  return sum;
}

LineIntegral over_axis(const LinkData& link, const Weight& weight) {
  const GaussRule rule = gauss_rule(link.axis.gauss_points);
  const int count = link.elastic.count();
  LineIntegral integral;
  integral.shape.setZero(3, count);
  along_axis(link.axis, rule, weight.stretch.from, weight.stretch.to, [&](double s, double share) {
    const Axis::Point p = link.axis.at(s);
    const double part = share * weight.at(s);
    integral.length += part;
    integral.moment += part * p.position;
    if (count > 0) integral.shape += part * p.shape;
  });
  if (count > 0 && link.elastic.stiffening != Stiffening::off)
    integral.foreshortening = foreshortening(link.axis, rule, weight, count);
  return integral;
}

LineIntegral over_line(const StraightLine& line, double start, double end) {
  const Vec3 way = line.to - line.from;
  LineIntegral integral;
  integral.length = way.norm() * (start + end) / 2;
  integral.moment = way.norm() * (line.from * (start + end) / 2 + way * (start + 2 * end) / 6);
  return integral;
}

double length_of(const LineLoad::Part& part) {
  if (const auto* stretch = std::get_if<AxisStretch>(&part.line)) return stretch->to - stretch->from;
  const auto& line = std::get<StraightLine>(part.line);
  return (line.to - line.from).norm();
}

/// With a weight that goes linearly from `start` to `end` over this part.
LineIntegral over_part(const LinkData& link, const LineLoad::Part& part, double start, double end) {
  if (const auto* stretch = std::get_if<AxisStretch>(&part.line)) return over_axis(link, {*stretch, start, end});
  return over_line(std::get<StraightLine>(part.line), start, end);
}

}  // namespace

std::vector<LineSpread> line_spreads(const Mechanism& mechanism) {
  std::vector<LineSpread> spreads;
  for (std::size_t i = 0; i < mechanism.line_loads.size(); ++i) {
    const LineLoad& load = mechanism.line_loads[i];
    double total = 0.0, passed = 0.0;
    for (const LineLoad::Part& part : load.parts) total += length_of(part);
    for (const LineLoad::Part& part : load.parts) {
      const LinkData& link = mechanism.links[part.link];
      const double start = passed / total;
      passed += length_of(part);
      LineSpread spread;
      spread.load = static_cast<int>(i);
      spread.link = part.link;
      spread.in_link_axes = load.in_link_axes;
      spread.shortens = link.elastic.stiffening == Stiffening::consistent;
      spread.whole = over_part(link, part, 1.0, 1.0);
      spread.ramp = over_part(link, part, start, passed / total);
      spreads.push_back(std::move(spread));
    }
  }
  return spreads;
}

void check_line_load(const Mechanism& mechanism, const LineLoad& load) {
  const auto fail = [&](const std::string& message) {
    throw MechanismError(load.name, fmt::format("load '{}': {}", load.name, message));
  };
  if (load.parts.empty()) fail("it lies on no link; give it a part");
  for (const LineLoad::Part& part : load.parts) {
    if (part.link <= 0 || part.link >= static_cast<int>(mechanism.links.size()))
      fail("it lies on a link that does not exist, or on the ground");
    const LinkData& link = mechanism.links[part.link];
    if (const auto* stretch = std::get_if<AxisStretch>(&part.line)) {
      if (!(link.axis.length > 0))
        fail(fmt::format("link '{}' has no axis along which a load could be spread; load its frames", link.name));
      if (!(stretch->from >= 0 && stretch->from < stretch->to && stretch->to <= link.axis.length * (1 + overshoot)))
        fail(fmt::format("it goes from {} m to {} m of link '{}', whose axis goes from 0 to {} m", stretch->from,
                         stretch->to, link.name, link.axis.length));
    } else if (link.elastic.count() > 0) {
      fail(fmt::format("link '{}' bends; spread the load along its axis", link.name));
    } else if (!(length_of(part) > 0 && std::isfinite(length_of(part)))) {
      fail(fmt::format("on link '{}' it has no length; give it two different ends", link.name));
    }
  }
}

}  // namespace lithe::detail

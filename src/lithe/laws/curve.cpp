#include "lithe/laws/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "lithe/laws/natural_spline.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {
namespace {

using detail::tolerance::written;

/// Pieces into which a span of a spline is split: over each the speed |r'(u)| is so smooth that the rule below gives its
/// length to rounding.
constexpr int spline_parts = 8;
/// Eight-point Gauss-Legendre rule on [-1, 1], half of it: the other points and weights are symmetric.
constexpr std::array<double, 4> gauss_at{0.18343464249564980, 0.52553240991632899, 0.79666647741362674,
                                         0.96028985649753623};
constexpr std::array<double, 4> gauss_weight{0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                                             0.10122853629037626};
constexpr int most_iterations = 20;

void require_distinct(const std::vector<Vec3>& points) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    if (!((points[i + 1] - points[i]).norm() > 0.0))
      throw std::invalid_argument(fmt::format("points {} and {} are the same", i + 1, i + 2));
}

}  // namespace

void Curve::add(const Piece& piece, double length) {
  const double begin = this->length();
  pieces_.push_back(piece);
  ends_.push_back(begin + length);
}

Curve Curve::lines(const std::vector<Vec3>& points, double corner) {
  if (points.empty()) throw std::invalid_argument("a path needs points");
  require_distinct(points);
  Curve curve;
  curve.only_ = points.front();
  curve.points_.push_back(0.0);
  double cut = 0.0;  // of the present line, at its beginning
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3 way = points[i + 1] - points[i], direction = way.normalized();
    const bool last = i + 2 == points.size();
    double next_cut = 0.0;
    Vec3 turned = direction;
    if (!last) turned = (points[i + 2] - points[i + 1]).normalized();
    const double angle = 2.0 * std::atan2((turned - direction).norm(), (turned + direction).norm());
    const bool turns = angle > written;
    if (turns && corner > 0.0) {
      if (std::numbers::pi - angle < written)
        throw std::invalid_argument(fmt::format("the path turns back at point {}, which cannot be rounded", i + 2));
      next_cut = corner;
    }
    if (cut + next_cut > way.norm() * (1.0 + written))
      throw std::invalid_argument(
          fmt::format("corners rounded over {:.6g} m do not fit between points {} and {}, which are {:.6g} m apart",
                      corner, i + 1, i + 2, way.norm()));
    const double straight = way.norm() - cut - next_cut;
    if (straight > 0.0) curve.add(Line{points[i] + cut * direction, direction}, straight);
    if (next_cut > 0.0) {
      const double radius = corner / std::tan(0.5 * angle);
      const Vec3 begin = points[i + 1] - corner * direction;
      const Vec3 inward = (turned - turned.dot(direction) * direction).normalized();
      curve.bends_.push_back(curve.length());
      curve.add(Arc{begin + radius * inward, -inward, direction, radius}, radius * angle);
      curve.bends_.push_back(curve.length());
      curve.points_.push_back(curve.length() - 0.5 * radius * angle);
    } else {
      curve.points_.push_back(curve.length());
      if (!last && turns) curve.stops_.push_back(curve.length());
    }
    cut = next_cut;
  }
  return curve;
}

Curve Curve::circle(const Vec3& centre, const Vec3& normal, const Vec3& start, double turns) {
  const Vec3 axis = normal.normalized(), out = start - centre;
  const double radius = out.norm();
  if (!(radius > 0.0)) throw std::invalid_argument("the circle starts at its centre; its radius is zero");
  if (std::abs(out.dot(axis)) > written * radius)
    throw std::invalid_argument(fmt::format("the start of the circle is {:.6g} m out of the plane through its centre",
                                            std::abs(out.dot(axis))));
  if (!(std::abs(turns) > 0.0)) throw std::invalid_argument("a circle of no turns has no length");
  Curve curve;
  const double sign = turns < 0.0 ? -1.0 : 1.0;
  curve.add(Arc{centre, out / radius, sign * axis.cross(out / radius), radius},
            2.0 * std::numbers::pi * radius * std::abs(turns));
  curve.points_ = {0.0, curve.length()};
  return curve;
}

Curve Curve::arc(const Vec3& from, const Vec3& through, const Vec3& to) {
  const Vec3 a = through - from, b = to - from, normal = a.cross(b);
  if (!(normal.norm() > written * a.norm() * b.norm()))
    throw std::invalid_argument("the three points of the arc are on one line");
  // Centre of the circle through three points.
  const Vec3 centre =
      from + (a.squaredNorm() * b.cross(normal) - b.squaredNorm() * a.cross(normal)) / (2.0 * normal.squaredNorm());
  const double radius = (from - centre).norm();
  const Vec3 out = (from - centre) / radius, along = normal.normalized().cross(out), end = (to - centre) / radius;
  double angle = std::atan2(end.dot(along), end.dot(out));
  if (angle <= 0.0) angle += 2.0 * std::numbers::pi;
  Curve curve;
  curve.add(Arc{centre, out, along, radius}, radius * angle);
  const Vec3 middle = (through - centre) / radius;
  double passed = std::atan2(middle.dot(along), middle.dot(out));
  if (passed <= 0.0) passed += 2.0 * std::numbers::pi;
  curve.points_ = {0.0, radius * passed, curve.length()};
  return curve;
}

Curve Curve::spline(const std::vector<Vec3>& points) {
  if (points.size() < 2) throw std::invalid_argument("a spline needs at least two points");
  require_distinct(points);
  const std::size_t n = points.size();
  std::vector<double> knots{0.0};
  for (std::size_t i = 0; i + 1 < n; ++i) knots.push_back(knots.back() + (points[i + 1] - points[i]).norm());
  std::vector<Vec3> second(n);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> values;
    for (const Vec3& point : points) values.push_back(point[axis]);
    const std::vector<double> curved = natural_spline(knots, values);
    for (std::size_t i = 0; i < n; ++i) second[i][axis] = curved[i];
  }
  Curve curve;
  curve.points_.push_back(0.0);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double h = knots[i + 1] - knots[i];
    const Vec3 &m0 = second[i], &m1 = second[i + 1];
    const Vec3 c0 = points[i], c1 = (points[i + 1] - points[i]) / h - h * (2.0 * m0 + m1) / 6.0, c2 = 0.5 * m0,
               c3 = (m1 - m0) / (6.0 * h);
    for (int part = 0; part < spline_parts; ++part) {
      const double u = h * part / spline_parts;
      const Cubic cubic{{c0 + u * (c1 + u * (c2 + u * c3)), c1 + u * (2.0 * c2 + 3.0 * u * c3), c2 + 3.0 * u * c3, c3},
                        h / spline_parts};
      curve.add(cubic, length_to(cubic, cubic.width));
    }
    curve.points_.push_back(curve.length());
  }
  return curve;
}

double Curve::length_to(const Cubic& cubic, double u) {
  const auto speed = [&](double at) { return (cubic.c[1] + at * (2.0 * cubic.c[2] + 3.0 * at * cubic.c[3])).norm(); };
  double sum = 0.0;
  for (std::size_t k = 0; k < gauss_at.size(); ++k)
    sum += gauss_weight[k] * (speed(0.5 * u * (1.0 - gauss_at[k])) + speed(0.5 * u * (1.0 + gauss_at[k])));
  return 0.5 * u * sum;
}

CurvePoint Curve::on(const Line& line, double s, double) {
  return {line.from + s * line.direction, line.direction, Vec3::Zero(), Vec3::Zero()};
}

CurvePoint Curve::on(const Arc& arc, double s, double) {
  const double angle = s / arc.radius, k = 1.0 / arc.radius;
  const Vec3 out = std::cos(angle) * arc.out + std::sin(angle) * arc.along;
  const Vec3 along = std::cos(angle) * arc.along - std::sin(angle) * arc.out;
  return {arc.centre + arc.radius * out, along, -k * out, -k * k * along};
}

CurvePoint Curve::on(const Cubic& cubic, double s, double length) {
  // u with length_to(u) = s by Newton's method; its slope is the speed |r'(u)|.
  double u = cubic.width * s / length;
  for (int i = 0; i < most_iterations; ++i) {
    const Vec3 r1 = cubic.c[1] + u * (2.0 * cubic.c[2] + 3.0 * u * cubic.c[3]);
    const double step = (length_to(cubic, u) - s) / r1.norm();
    u -= step;
    if (std::abs(step) <= 1e-16 * cubic.width) break;
  }
  const Vec3 r0 = cubic.c[0] + u * (cubic.c[1] + u * (cubic.c[2] + u * cubic.c[3]));
  const Vec3 r1 = cubic.c[1] + u * (2.0 * cubic.c[2] + 3.0 * u * cubic.c[3]);
  const Vec3 r2 = 2.0 * cubic.c[2] + 6.0 * u * cubic.c[3], r3 = 6.0 * cubic.c[3];
  // du/ds = 1/|r'| and its derivatives; d|r'|^2/du = 2 r' r''.
  const double u1 = 1.0 / r1.norm(), grows = r1.dot(r2);
  const double u2 = -grows * std::pow(u1, 4);
  const double u3 = -(r2.dot(r2) + r1.dot(r3)) * std::pow(u1, 5) - 4.0 * grows * std::pow(u1, 3) * u2;
  return {r0, r1 * u1, r2 * u1 * u1 + r1 * u2, r3 * u1 * u1 * u1 + 3.0 * u1 * u2 * r2 + r1 * u3};
}

CurvePoint Curve::at(double s) const {
  if (pieces_.empty()) return {only_, Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  const double held = std::clamp(s, 0.0, length());
  // A place where two pieces meet belongs to the one that begins there.
  const auto after = std::upper_bound(ends_.begin(), ends_.end() - 1, held);
  const auto i = static_cast<std::size_t>(after - ends_.begin());
  const double begin = i == 0 ? 0.0 : ends_[i - 1];
  return std::visit([&](const auto& piece) { return on(piece, held - begin, ends_[i] - begin); }, pieces_[i]);
}

}  // namespace lithe

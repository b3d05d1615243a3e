#include "lithe/laws/orientation.hpp"

#include <array>
#include <cmath>
#include <stdexcept>

#include "lithe/laws/jet.hpp"

namespace lithe {
namespace {

Jet square_root(const Jet& f) {
  const double root = std::sqrt(f.value);
  return chain(f, root, 0.5 / root, -0.25 / (root * f.value));
}

/// A vector of time.
using VectorJet = std::array<Jet, 3>;

Jet dot(const VectorJet& a, const VectorJet& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

VectorJet cross(const VectorJet& a, const VectorJet& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

VectorJet unit(const VectorJet& a) {
  const Jet size = square_root(dot(a, a));
  return {a[0] / size, a[1] / size, a[2] / size};
}

/// From R' = skew(w) R and R'' = (skew(w') + skew(w)^2) R: the skew parts of R' R^T and R'' R^T.
Turning turning_of(const VectorJet& x, const VectorJet& y, const VectorJet& z) {
  Mat3 R, R1, R2;
  const std::array<const VectorJet*, 3> columns{&x, &y, &z};
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) {
      const Jet& entry = (*columns[column])[row];
      R(row, column) = entry.value;
      R1(row, column) = entry.rate;
      R2(row, column) = entry.second;
    }
  }
  const auto axial = [](const Mat3& m) -> Vec3 {
    return 0.5 * Vec3(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1));
  };
  return {R, axial(R1 * R.transpose()), axial(R2 * R.transpose())};
}

Turning evaluate(const TurnsLaw& law, double t, const Jet&, const CurvePoint&) {
  Turning sum;
  for (const TurnLaw& turn : law.turns) {
    const Jet angle = turn.angle.at(t);
    // R = R1 R2: w = w1 + R1 w2, w' = w1' + R1 w2' + w1 x R1 w2.
    const Vec3 axis = sum.rotation * turn.axis;
    sum.acceleration += angle.second * axis + angle.rate * sum.velocity.cross(axis);
    sum.velocity += angle.rate * axis;
    sum.rotation = sum.rotation * rotation_from_vector(angle.value * turn.axis);
  }
  return sum;
}

Turning evaluate(const WaypointsLaw& law, double t, const Jet& s, const CurvePoint&) {
  const Jet at = law.over_time ? Jet{t, 1.0, 0.0} : s;
  std::array<Jet, 4> q;
  for (int k = 0; k < 4; ++k) {
    const Jet part = value_of(law.parts[k], at.value);
    q[k] = chain(at, part.value, part.rate, part.second);
  }
  const Jet size = square_root(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (Jet& part : q) part = part / size;
  const Quat r(q[0].value, q[1].value, q[2].value, q[3].value), r1(q[0].rate, q[1].rate, q[2].rate, q[3].rate),
      r2(q[0].second, q[1].second, q[2].second, q[3].second);
  // r' = w r / 2, with w as a quaternion without a scalar part.
  return {r.toRotationMatrix(), 2.0 * (r1 * r.conjugate()).vec(), 2.0 * (r2 * r.conjugate()).vec()};
}

Turning evaluate(const TangentLaw& law, double, const Jet& s, const CurvePoint& place) {
  VectorJet x, up;
  for (int k = 0; k < 3; ++k) {
    x[k] = chain(s, place.tangent[k], place.second[k], place.third[k]);
    up[k] = {law.up[k], 0.0, 0.0};
  }
  const VectorJet y = unit(cross(up, x));
  return turning_of(x, y, cross(x, y));
}

}  // namespace

WaypointsLaw make_waypoints(std::vector<double> at, std::vector<Quat> waypoints, bool over_time) {
  if (waypoints.size() != at.size()) throw std::invalid_argument("waypoints need as many places as quaternions");
  for (std::size_t i = 0; i < waypoints.size(); ++i) {
    waypoints[i].normalize();
    if (i > 0 && waypoints[i].dot(waypoints[i - 1]) < 0.0) waypoints[i].coeffs() *= -1.0;
  }
  WaypointsLaw law;
  law.over_time = over_time;
  for (int k = 0; k < 4; ++k) {
    std::vector<double> parts;
    for (const Quat& each : waypoints) parts.push_back(k == 0 ? each.w() : each.vec()[k - 1]);
    law.parts[k] = make_table(at, std::move(parts), TableLaw::Interpolation::cubic);
  }
  return law;
}

Turning turning_at(const OrientationLaw& law, double t, const Jet& s, const CurvePoint& place) {
  return std::visit([&](const auto& each) { return evaluate(each, t, s, place); }, law);
}

void note_breakpoints(const OrientationLaw& law, std::vector<double>& times) {
  if (const auto* turns = std::get_if<TurnsLaw>(&law)) {
    for (const TurnLaw& turn : turns->turns) {
      const std::vector<double> own = turn.angle.breakpoints();
      times.insert(times.end(), own.begin(), own.end());
    }
  } else if (const auto* waypoints = std::get_if<WaypointsLaw>(&law); waypoints != nullptr && waypoints->over_time) {
    times.insert(times.end(), {waypoints->parts[0].t.front(), waypoints->parts[0].t.back()});
  }
}

}  // namespace lithe

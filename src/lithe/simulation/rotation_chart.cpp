#include "lithe/simulation/rotation_chart.hpp"

#include <cmath>

namespace lithe::detail {
namespace {

/// omega = J rate with J = 1 - A theta x + B theta x theta x (right Jacobian of the exponential), and the derivatives
/// of A and B with respect to the angle, divided by it.
struct RightJacobian {
  double A, B, A_slope, B_slope;

  explicit RightJacobian(const Vec3& theta) {
    const double square = theta.squaredNorm();
    if (square < 1e-4) {  // the closed forms lose digits
      A = 1.0 / 2.0 - square / 24.0 * (1.0 - square / 30.0);
      B = 1.0 / 6.0 - square / 120.0 * (1.0 - square / 42.0);
      A_slope = -1.0 / 12.0 + square / 180.0 * (1.0 - square * 3.0 / 112.0);
      B_slope = -1.0 / 60.0 + square / 1260.0 * (1.0 - square / 48.0);
      return;
    }
    const double angle = std::sqrt(square);
    A = (1.0 - std::cos(angle)) / square;
    B = (angle - std::sin(angle)) / (square * angle);
    A_slope = (std::sin(angle) / angle - 2.0 * A) / square;
    B_slope = (A - 3.0 * B) / square;
  }

  Mat3 matrix(const Vec3& theta) const {
    const Mat3 cross = skew(theta);
    return Mat3::Identity() - A * cross + B * cross * cross;
  }

  /// Part of the angular acceleration that comes from the change of J.
  Vec3 bias(const Vec3& theta, const Vec3& rate) const {
    const Vec3 once = theta.cross(rate), twice = theta.cross(once);
    const double along = theta.dot(rate);
    return -A_slope * along * once + B_slope * along * twice + B * rate.cross(once);
  }
};

}  // namespace

BodyMotion body_motion(const ChartMotion& chart) {
  const RightJacobian J(chart.theta);
  const Mat3 matrix = J.matrix(chart.theta);
  return {matrix * chart.rate, matrix * chart.second + J.bias(chart.theta, chart.rate)};
}

ChartMotion chart_motion(const Vec3& theta, const BodyMotion& body) {
  const RightJacobian J(theta);
  const Mat3 inverse = J.matrix(theta).inverse();
  ChartMotion chart{theta, inverse * body.omega, Vec3::Zero()};
  chart.second = inverse * (body.alpha - J.bias(theta, chart.rate));
  return chart;
}

ChartMotion in_chart_from(const Vec3& start, const ChartMotion& motion) {
  const Mat3 turned = rotation_from_vector(start).transpose() * rotation_from_vector(motion.theta);
  return chart_motion(vector_from_rotation(turned), body_motion(motion));
}

}  // namespace lithe::detail

#include "lithe/simulation/rotation_chart.hpp"

#include "lithe/spatial/arithmetic.hpp"

namespace lithe::detail {
namespace {

// Seen from the body, a turn by theta is the ground turning by -theta.
Mat3 body_jacobian(const Vec3& theta) { return Spatial::turn_jacobian(-theta); }
Vec3 body_bias(const Vec3& theta, const Vec3& rate) { return -Spatial::turn_bias(-theta, -rate); }

}  // namespace

BodyMotion body_motion(const ChartMotion& chart) {
  const Mat3 J = body_jacobian(chart.theta);
  return {J * chart.rate, J * chart.second + body_bias(chart.theta, chart.rate)};
}

ChartMotion chart_motion(const Vec3& theta, const BodyMotion& body) {
  const Mat3 inverse = body_jacobian(theta).inverse();
  ChartMotion chart{theta, inverse * body.omega, Vec3::Zero()};
  chart.second = inverse * (body.alpha - body_bias(theta, chart.rate));
  return chart;
}

ChartMotion in_chart_from(const Vec3& start, const ChartMotion& motion) {
  const Mat3 turned = rotation_from_vector(start).transpose() * rotation_from_vector(motion.theta);
  return chart_motion(vector_from_rotation(turned), body_motion(motion));
}

}  // namespace lithe::detail

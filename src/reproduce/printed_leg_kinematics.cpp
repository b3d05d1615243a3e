#include "reproduce/printed_leg_kinematics.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>

#include "lithe/errors.hpp"
#include "reproduce/case_error.hpp"

namespace lithe::reproduce {
namespace {

constexpr int most_iterations = 50;
constexpr double side_tolerance = 1e-12;  ///< of the squared sides, relative

/// One link with its deformation: where its tip is and how it moves, link axes.
struct BentLink {
  double length = 0.0;
  Vec3 tip = Vec3::Zero();       ///< from the root, deformed
  Vec3 elastic = Vec3::Zero();   ///< elastic part of it
  Vec3 rate = Vec3::Zero();      ///< its rate
  Mat3 tilt = Mat3::Identity();  ///< A_i: undeformed axes of the joint at the tip
};

struct Leg {
  Pose base;  ///< r_i and R_0i
  BentLink lower, upper;
  double motor = 0.0, motor_rate = 0.0;
  double knee = 0.0;
  Vec3 corner = Vec3::Zero();  ///< on the platform, its axes
};

[[noreturn]] void refuse(const std::string& why) {
  throw CaseError("the printed leg kinematics is for three legs motor - link - revolute - link - ball - platform: " +
                  why);
}

Mat3 about_z(double angle) { return Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(); }

BentLink bent_link(const Plan& plan, const State& state, const FrameRef& tip) {
  const LinkData& link = plan.mechanism().links[tip.link];
  const ElasticPlace& place = plan.elastic_places()[tip.link];
  const Frame& frame = link.frames[tip.frame];
  BentLink bent;
  bent.length = frame.pose.position.norm();
  bent.tilt = frame.pose.rotation;
  if (place.count > 0) {
    bent.elastic = frame.shape * state.q.segment(place.q, place.count);
    bent.rate = frame.shape * state.v.segment(place.v, place.count);
  }
  bent.tip = frame.pose.position + bent.elastic;
  return bent;
}

/// (6.14a): sines and cosines of the two tip angles to first order.
Mat3 printed_turn(const BentLink& link) {
  const double y = std::atan(link.elastic.y() / link.length), z = std::atan(link.elastic.z() / link.length);
  Mat3 turn;
  turn << 1, -y, z, y, 1, 0, -z, 0, 1;
  return turn;
}

/// Joints of the leg, from the ground outwards.
class LegReader {
 public:
  LegReader(const Plan& plan, const State& state) : plan_(plan), state_(state) {}

  std::vector<Leg> read() {
    std::vector<Leg> legs;
    for (const Joint& joint : plan_.mechanism().joints)
      if (joint.from.link == 0) legs.push_back(leg(joint));
    if (legs.size() != 3) refuse(fmt::format("{} joints stand on the ground", legs.size()));
    return legs;
  }

 private:
  const Joint& next(int link, JointType type) const {
    const Joint* found = nullptr;
    for (const Joint& joint : plan_.mechanism().joints)
      if (joint.from.link == link) found = &joint;
    if (found == nullptr || found->type != type)
      refuse(fmt::format("link '{}' does not go on that way", plan_.mechanism().links[link].name));
    return *found;
  }

  const Frame& frame(const FrameRef& ref) const { return plan_.mechanism().links[ref.link].frames[ref.frame]; }

  Leg leg(const Joint& motor) const {
    const Joint& knee = next(motor.to.link, JointType::revolute);
    const Joint& ball = next(knee.to.link, JointType::spherical);
    const JointPlace& at_motor = place(motor);
    const JointPlace& at_knee = place(knee);
    if (at_motor.cut || at_knee.cut) refuse("a motor or a knee closes a loop; let a ball close it");
    Leg leg;
    leg.base = frame(motor.from).pose;
    leg.lower = bent_link(plan_, state_, knee.from);
    leg.upper = bent_link(plan_, state_, ball.from);
    leg.motor = state_.q[at_motor.q];
    leg.motor_rate = state_.v[at_motor.v];
    leg.knee = state_.q[at_knee.q];
    leg.corner = frame(ball.to).pose.position;
    return leg;
  }

  const JointPlace& place(const Joint& joint) const { return plan_.places()[plan_.mechanism().find_joint(joint.name)]; }

  const Plan& plan_;
  const State& state_;
};

/// A leg at an angle of its knee: its vectors in ground axes.
struct Placed {
  Mat3 lower, upper;          ///< R_i, R_{i+3}
  Vec3 knee_axis;             ///< z_{i+3}
  Vec3 lower_arm, upper_arm;  ///< a_i, a_{i+3}
  Vec3 corner;
};

Placed place(const Leg& leg, double knee) {
  Placed placed;
  placed.lower = leg.base.rotation * about_z(leg.motor);                                   // (6.11a)
  placed.upper = placed.lower * leg.lower.tilt * printed_turn(leg.lower) * about_z(knee);  // (6.11b) as printed
  placed.knee_axis = placed.upper.col(2);
  placed.lower_arm = placed.lower * leg.lower.tip;
  placed.upper_arm = placed.upper * leg.upper.tip;
  placed.corner = leg.base.position + placed.lower_arm + placed.upper_arm;  // (6.9)
  return placed;
}

constexpr std::array<std::pair<int, int>, 3> sides{{{0, 1}, {0, 2}, {1, 2}}};

using Three = std::array<Placed, 3>;

Three place_all(const std::vector<Leg>& legs, const Vec3& knees) {
  return {place(legs[0], knees[0]), place(legs[1], knees[1]), place(legs[2], knees[2])};
}

/// Rate of half the squared sides per rate of the knees.
Mat3 side_jacobian(const Three& legs) {
  Mat3 J = Mat3::Zero();
  for (int k = 0; k < 3; ++k) {
    const auto [m, n] = sides[k];
    const Placed &from = legs[m], &to = legs[n];
    const Vec3 side = to.corner - from.corner;
    J(k, n) = side.dot(to.knee_axis.cross(to.upper_arm));
    J(k, m) = -side.dot(from.knee_axis.cross(from.upper_arm));
  }
  return J;
}

/// (6.15)-(6.16): the corners have the distances of the platform.
Vec3 close(const std::vector<Leg>& legs, Vec3 knees) {
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const Three placed = place_all(legs, knees);
    Vec3 error;
    for (int k = 0; k < 3; ++k) {
      const auto [m, n] = sides[k];
      const auto from = static_cast<std::size_t>(m), to = static_cast<std::size_t>(n);
      error[k] = ((placed[to].corner - placed[from].corner).squaredNorm() -
                  (legs[to].corner - legs[from].corner).squaredNorm()) /
                 2;
    }
    if (error.norm() < side_tolerance * legs[0].corner.squaredNorm()) return knees;
    // The matrix of (6.14a) is not orthogonal, so this is only nearly Newton's method; it converges all the same.
    knees -= side_jacobian(placed).partialPivLu().solve(error);
  }
  throw PhysicsError("the printed leg kinematics does not close");
}

}  // namespace

PrintedLegs printed_legs(const Plan& plan, const State& state) {
  const std::vector<Leg> legs = LegReader(plan, state).read();
  PrintedLegs result;
  result.knees = close(legs, {legs[0].knee, legs[1].knee, legs[2].knee});
  const Three placed = place_all(legs, result.knees);

  // (6.21)-(6.23): velocities of the corners with the knees at rest, then the knees from the constant sides (6.24).
  std::array<Vec3, 3> rates;
  for (std::size_t i = 0; i < 3; ++i) {
    const Placed& leg = placed[i];
    const Vec3 lower_rate = legs[i].motor_rate * leg.lower.col(2);
    const Vec3 tip(0, -legs[i].lower.rate.z(), legs[i].lower.rate.y());
    const Vec3 upper_rate = lower_rate + leg.lower * tip / legs[i].lower.length;
    rates[i] = lower_rate.cross(leg.lower_arm) + leg.lower * legs[i].lower.rate + upper_rate.cross(leg.upper_arm) +
               leg.upper * legs[i].upper.rate;
    result.corners[i] = leg.corner;
  }
  Vec3 stretching;
  for (int k = 0; k < 3; ++k) {
    const auto from = static_cast<std::size_t>(sides[k].first);
    const auto to = static_cast<std::size_t>(sides[k].second);
    stretching[k] = (placed[to].corner - placed[from].corner).dot(rates[to] - rates[from]);
  }
  result.knee_rates = -side_jacobian(placed).partialPivLu().solve(stretching);
  for (std::size_t i = 0; i < 3; ++i) rates[i] += result.knee_rates[i] * placed[i].knee_axis.cross(placed[i].upper_arm);

  result.centre = (result.corners[0] + result.corners[1] + result.corners[2]) / 3;
  result.velocity = (rates[0] + rates[1] + rates[2]) / 3;
  const Vec3 x = (result.corners[2] - result.corners[0]).normalized();  // (6.17)-(6.19)
  const Vec3 z = x.cross(result.corners[1] - result.corners[0]).normalized();
  result.axes << x, z.cross(x), z;

  // (6.25)-(6.30): the angular velocity from three points, vect(P') = T omega.
  Mat3 P, P_rate;
  for (int i = 0; i < 3; ++i) {
    P.col(i) = result.corners[i] - result.centre;
    P_rate.col(i) = rates[i] - result.velocity;
  }
  const Vec3 vect = Vec3(P_rate(2, 1) - P_rate(1, 2), P_rate(0, 2) - P_rate(2, 0), P_rate(1, 0) - P_rate(0, 1)) / 2;
  const Mat3 T = (P.trace() * Mat3::Identity() - P) / 2;
  result.omega = T.partialPivLu().solve(vect);
  return result;
}

double printed_quantity(const PrintedLegs& legs, const std::vector<std::string>& words) {
  const auto fail = [&]() -> double {
    std::string name;
    for (const std::string& word : words) name += (name.empty() ? "" : ".") + word;
    throw CaseError(fmt::format("'{}' is not a quantity of the printed leg kinematics", name));
  };
  const auto axis = [&](const std::string& word) {
    return word.size() == 1 && word[0] >= 'x' && word[0] <= 'z' ? word[0] - 'x' : static_cast<int>(fail());
  };
  const auto number = [&](const std::string& word) {
    return word.size() == 1 && word[0] >= '1' && word[0] <= '3' ? word[0] - '1' : static_cast<int>(fail());
  };
  const std::string what = words.size() > 2 ? words[1] : "";
  if (words.size() == 3) {
    if (what == "knee") return legs.knees[number(words[2])];
    if (what == "knee-rate") return legs.knee_rates[number(words[2])];
    if (what == "centre") return legs.centre[axis(words[2])];
    if (what == "velocity") return legs.velocity[axis(words[2])];
    if (what == "omega") return legs.omega[axis(words[2])];
  }
  if (words.size() == 4) {
    if (what == "corner") return legs.corners[number(words[2])][axis(words[3])];
    if (what == "axes") return legs.axes(axis(words[2]), axis(words[3]));
  }
  return fail();
}

}  // namespace lithe::reproduce

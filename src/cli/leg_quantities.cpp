#include "leg_quantities.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>

#include "model_options.hpp"

namespace lithe::cli {
namespace {

/// A joint on the way from the platform to the ground; `sign` is -1 when its to-side looks away from the platform.
struct Step {
  int joint = 0;
  double sign = 1.0;
};

std::vector<Step> walk_to_ground(const Mechanism& mechanism, int platform, int first_joint) {
  std::vector<Step> steps;
  int at = platform, joint = first_joint;
  while (true) {
    const Joint& each = mechanism.joints[static_cast<std::size_t>(joint)];
    const bool forward = each.to.link == at;
    steps.push_back({joint, forward ? 1.0 : -1.0});
    at = forward ? each.from.link : each.to.link;
    if (at == 0) return steps;
    int next = -1;
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
      const Joint& other = mechanism.joints[j];
      if (static_cast<int>(j) == joint || (other.from.link != at && other.to.link != at)) continue;
      if (next >= 0)
        throw InputError(
            fmt::format("link '{}' is no part of a simple leg", mechanism.links[static_cast<std::size_t>(at)].name));
      next = static_cast<int>(j);
    }
    if (next < 0) throw InputError("a leg of the platform does not reach the ground");
    joint = next;
  }
}

/// Khan (27)-(30): sweep the passive generators from tip to base.
PlanarLeg annihilate(const std::vector<Vec3>& generators, const std::vector<bool>& actuated) {
  PlanarLeg leg;
  leg.generators = generators;
  for (std::size_t k = generators.size(); k-- > 0;) {
    if (actuated[k]) continue;
    leg.generators[k] = leg.annihilator * generators[k];
    leg.annihilator -= leg.generators[k] * leg.generators[k].transpose() / leg.generators[k].squaredNorm();
  }
  return leg;
}

int index_of(const std::string& word, std::size_t count) {
  const int index = word.size() == 1 ? word[0] - '1' : -1;
  if (index < 0 || index >= static_cast<int>(count)) throw InputError(fmt::format("'{}' is out of range", word));
  return index;
}

int component_of(const std::string& word) {
  if (word == "omega") return 0;
  if (word == "x") return 1;
  if (word == "y") return 2;
  throw InputError(fmt::format("'{}' is not a planar twist component: omega, x or y", word));
}

}  // namespace

std::vector<PlanarLeg> planar_legs(const Plan& plan, Workspace& work, const VectorX& q) {
  const Mechanism& mechanism = plan.mechanism();
  const int platform = mechanism.find_link(plan.options().platform);
  if (platform < 0 || !plan.is_planar()) throw InputError("legs: the model is not planar or names no platform");
  const Vec3 normal = plan.plane_normal();
  const Pose pose = frame_pose(plan, work, q, {platform, 0});
  const Vec3 P = pose * mechanism.links[static_cast<std::size_t>(platform)].centre;

  std::vector<PlanarLeg> legs;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& at_platform = mechanism.joints[j];
    if (at_platform.from.link != platform && at_platform.to.link != platform) continue;
    std::vector<Step> steps = walk_to_ground(mechanism, platform, static_cast<int>(j));
    std::reverse(steps.begin(), steps.end());
    std::vector<Vec3> generators;
    std::vector<bool> actuated;
    std::vector<Vec3> points;
    for (const Step& step : steps) {
      const Joint& joint = mechanism.joints[static_cast<std::size_t>(step.joint)];
      const Pose from = frame_pose(plan, work, q, joint.from);
      const Vec3 point = frame_pose(plan, work, q, joint.to).position;
      const Vec3 axis = step.sign * (from.rotation * joint.axis);
      if (joint.type != JointType::revolute && joint.type != JointType::prismatic) {
        throw InputError(fmt::format("legs: joint '{}' is neither revolute nor prismatic", joint.name));
      }
      const bool turns = joint.type == JointType::revolute;
      const Vec3 linear = turns ? Vec3(axis.cross(P - point)) : axis;
      generators.push_back({turns ? axis.dot(normal) : 0.0, linear.x(), linear.y()});
      actuated.push_back(joint.is_actuated());
      points.push_back(point);
    }
    PlanarLeg leg = annihilate(generators, actuated);
    if (points.size() >= 2) {
      const Vec3 tip = points.back();
      const Vec3 along = (tip - points[points.size() - 2]).normalized();
      leg.normal = {(tip - P).cross(along).dot(normal), along.x(), along.y()};
    }
    legs.push_back(std::move(leg));
  }
  return legs;
}

double leg_quantity(const std::vector<PlanarLeg>& legs, const std::vector<std::string>& words) {
  Mat3 K = Mat3::Zero();
  for (const PlanarLeg& leg : legs) K += leg.annihilator;
  if (words.size() == 2 && words[1] == "determinant") return K.determinant();
  if (words.size() == 2 && words[1] == "condition") {
    const Vec3 values = Eigen::JacobiSVD<Mat3>(K).singularValues();
    return values[0] / values[2];
  }
  if (words.size() == 4 && words[1] == "matrix") return K(index_of(words[2], 3), index_of(words[3], 3));
  if (words.size() >= 4) {
    const PlanarLeg& leg = legs[static_cast<std::size_t>(index_of(words[1], legs.size()))];
    if (words[2] == "normal") return leg.normal[component_of(words[3])];
    if (words[2] == "delta")
      return leg.generators[static_cast<std::size_t>(index_of(words[3], leg.generators.size()))].squaredNorm();
    if (words.size() == 5 && words[2] == "generator") {
      return leg
          .generators[static_cast<std::size_t>(index_of(words[3], leg.generators.size()))][component_of(words[4])];
    }
    if (words.size() == 5 && words[2] == "annihilator")
      return leg.annihilator(index_of(words[3], 3), index_of(words[4], 3));
  }
  throw InputError("legs: no such quantity");
}

}  // namespace lithe::cli

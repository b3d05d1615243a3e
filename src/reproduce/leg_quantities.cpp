#include "reproduce/leg_quantities.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include "lithe/kinematics/motion.hpp"
#include "reproduce/case_error.hpp"

namespace lithe::reproduce {
namespace {

int index_of(const std::string& word, Eigen::Index count) {
  const int index = word.size() == 1 ? word[0] - '1' : -1;
  if (index < 0 || index >= count) throw CaseError(fmt::format("'{}' is out of range", word));
  return index;
}

int component_of(const std::string& word) {
  if (word == "omega") return 0;
  if (word == "x") return 1;
  if (word == "y") return 2;
  throw CaseError(fmt::format("'{}' is not a planar twist component: omega, x or y", word));
}

double platform_quantity(const Mat3& K, const std::vector<std::string>& words) {
  if (words.size() == 2 && words[1] == "determinant") return K.determinant();
  if (words.size() == 2 && words[1] == "condition") {
    const Vec3 values = Eigen::SelfAdjointEigenSolver<Mat3>(K, Eigen::EigenvaluesOnly).eigenvalues();
    return values[2] / values[0];
  }
  if (words.size() == 4 && words[1] == "matrix") return K(index_of(words[2], 3), index_of(words[3], 3));
  throw CaseError("legs: no such quantity");
}

}  // namespace

PlanarLegs planar_legs(const Plan& plan, Workspace& work, const State& state, const VectorX& a) {
  const Mechanism& mechanism = plan.mechanism();
  const int platform = mechanism.find_link(plan.options().platform);
  if (platform < 0 || !plan.is_planar()) throw CaseError("legs: the model is not planar or names no platform");
  PlanarLegs robot{leg_quantities(plan, work, state, a), {}};
  const Vec3 P = frame_pose(plan, work, state.q, {platform, 0}) * mechanism.links[platform].centre;
  const auto place = [&](int joint) { return frame_pose(plan, work, state.q, mechanism.joints[joint].to).position; };
  for (const LegQuantities& leg : robot.legs) {
    Vec3& normal = robot.normals.emplace_back(Vec3::Zero());
    if (leg.joints.size() < 2) continue;
    const Vec3 tip = place(leg.joints.back());
    const Vec3 along = (tip - place(leg.joints[leg.joints.size() - 2])).normalized();
    normal = {(tip - P).cross(along).dot(plan.plane_normal()), along.x(), along.y()};
  }
  return robot;
}

double leg_quantity(const PlanarLegs& robot, const std::vector<std::string>& words) {
  if (words.size() < 4 || words[1] == "matrix") {
    Mat3 K = Mat3::Zero();
    for (const LegQuantities& leg : robot.legs) K += leg.annihilator;
    return platform_quantity(K, words);
  }
  const int number = index_of(words[1], std::ssize(robot.legs));
  const LegQuantities& leg = robot.legs[number];
  const Eigen::Index columns = leg.generators.cols();
  if (words[2] == "wrench") return leg.passive_wrench[component_of(words[3])];
  if (words[2] == "cut-wrench") return leg.cut_wrench[component_of(words[3])];
  if (words[2] == "normal") return robot.normals[number][component_of(words[3])];
  if (words[2] == "force") return leg.forces[index_of(words[3], columns)];
  if (words[2] == "delta") return leg.generators.col(index_of(words[3], columns)).squaredNorm();
  if (words.size() == 5 && words[2] == "inertia") {
    return leg.inertia(index_of(words[3], columns), index_of(words[4], columns));
  }
  if (words.size() == 5 && words[2] == "generator") {
    return leg.generators(component_of(words[4]), index_of(words[3], columns));
  }
  if (words.size() == 5 && words[2] == "annihilator") {
    return leg.annihilator(index_of(words[3], 3), index_of(words[4], 3));
  }
  throw CaseError("legs: no such quantity");
}

}  // namespace lithe::reproduce

#include "leg_quantities.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
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

/// The joints of one leg with their links as an open chain; the platform counts with `share` of its mass.
Mechanism open_chain(const Mechanism& mechanism, const std::vector<Step>& steps, int platform, double share) {
  Mechanism chain;
  chain.gravity = mechanism.gravity;
  chain.links[0] = mechanism.links[0];
  std::vector<int> index(mechanism.links.size(), 0);
  for (const Step& step : steps) {
    Joint joint = mechanism.joints[static_cast<std::size_t>(step.joint)];
    const int outboard = step.sign > 0 ? joint.to.link : joint.from.link;
    LinkData link = mechanism.links[static_cast<std::size_t>(outboard)];
    if (outboard == platform) {
      link.mass *= share;
      link.inertia *= share;
    }
    index[static_cast<std::size_t>(outboard)] = chain.add_link(link);
    joint.from.link = index[static_cast<std::size_t>(joint.from.link)];
    joint.to.link = index[static_cast<std::size_t>(joint.to.link)];
    chain.add_joint(joint);
  }
  return chain;
}

/// Coordinates, speeds and accelerations of all joints, whether cut or not.
struct JointMotion {
  JointMotion(const Plan& plan, Workspace& work, const State& state, const VectorX& a)
      : plan_(plan), state_(state), a_(a), cut_q_(plan.cut_nq()), cut_v_(plan.cut_nv()), cut_a_(plan.cut_nv()) {
    cut_coordinates(plan, work, state.q, cut_q_);
    cut_speeds(plan, work, state, cut_v_);
    cut_accelerations(plan, work, state, a, cut_a_);
  }
  Vec3 of(int joint) const {
    const JointPlace& place = plan_.places()[static_cast<std::size_t>(joint)];
    return place.cut ? Vec3(cut_q_[place.q], cut_v_[place.v], cut_a_[place.v])
                     : Vec3(state_.q[place.q], state_.v[place.v], a_[place.v]);
  }

 private:
  const Plan& plan_;
  const State& state_;
  const VectorX& a_;
  VectorX cut_q_, cut_v_, cut_a_;
};

/// Inertia matrix and joint forces of the open leg in its present motion.
void evaluate_open_leg(const Plan& plan, const JointMotion& motion, const std::vector<Step>& steps, int platform,
                       double share, PlanarLeg& leg) {
  const Plan chain(open_chain(plan.mechanism(), steps, platform, share));
  Workspace work(chain);
  const auto n = static_cast<Eigen::Index>(steps.size());
  State state{0.0, chain.neutral(), VectorX::Zero(chain.nv())};
  VectorX a = VectorX::Zero(chain.nv());
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const JointPlace& place = chain.places()[k];
    const Vec3 values = motion.of(steps[k].joint);
    state.q[place.q] = values[0];
    state.v[place.v] = values[1];
    a[place.v] = values[2];
  }
  VectorX force(chain.nv());
  tree_inverse_dynamics(chain, work, state, a, Actions(chain), force);
  MatrixX M;
  tree_inertia(chain, work, state.q, M);
  leg.inertia.resize(n, n);
  leg.forces.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int row = chain.places()[static_cast<std::size_t>(i)].v;
    leg.forces[i] = force[row];
    for (Eigen::Index j = 0; j < n; ++j) leg.inertia(i, j) = M(row, chain.places()[static_cast<std::size_t>(j)].v);
  }
}

/// pbar = A_p tau~_p with the dual vectors A_p of the passive generators: A_p^T G_p = 1.
Vec3 gather_passive(const std::vector<Vec3>& generators, const std::vector<bool>& actuated, const VectorX& forces) {
  Eigen::Matrix3Xd G(3, 0);
  VectorX passive(0);
  for (std::size_t k = 0; k < generators.size(); ++k) {
    if (actuated[k]) continue;
    G.conservativeResize(3, G.cols() + 1);
    G.col(G.cols() - 1) = generators[k];
    passive.conservativeResize(passive.size() + 1);
    passive[passive.size() - 1] = forces[static_cast<Eigen::Index>(k)];
  }
  return G * (G.transpose() * G).ldlt().solve(passive);
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

std::vector<PlanarLeg> planar_legs(const Plan& plan, Workspace& work, const State& state, const VectorX& a) {
  const Mechanism& mechanism = plan.mechanism();
  const int platform = mechanism.find_link(plan.options().platform);
  if (platform < 0 || !plan.is_planar()) throw InputError("legs: the model is not planar or names no platform");
  const VectorX& q = state.q;
  const JointMotion motion(plan, work, state, a);
  const auto touches = [&](const Joint& joint) { return joint.from.link == platform || joint.to.link == platform; };
  const double share =
      1.0 / static_cast<double>(std::count_if(mechanism.joints.begin(), mechanism.joints.end(), touches));
  const Vec3 normal = plan.plane_normal();
  const Pose pose = frame_pose(plan, work, q, {platform, 0});
  const Vec3 P = pose * mechanism.links[static_cast<std::size_t>(platform)].centre;

  std::vector<PlanarLeg> legs;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    if (!touches(mechanism.joints[j])) continue;
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
    evaluate_open_leg(plan, motion, steps, platform, share, leg);
    leg.wrench = gather_passive(generators, actuated, leg.forces);
    legs.push_back(std::move(leg));
  }
  Mat3 K = Mat3::Zero();
  Vec3 sum = Vec3::Zero();
  for (const PlanarLeg& leg : legs) {
    K += leg.annihilator;
    sum += leg.wrench;
  }
  const Vec3 shared = K.ldlt().solve(sum);
  for (PlanarLeg& leg : legs) leg.cut_wrench = leg.wrench - leg.annihilator * shared;
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
    if (words[2] == "wrench") return leg.wrench[component_of(words[3])];
    if (words[2] == "cut-wrench") return leg.cut_wrench[component_of(words[3])];
    if (words[2] == "force") return leg.forces[index_of(words[3], leg.generators.size())];
    if (words.size() == 5 && words[2] == "inertia") {
      return leg.inertia(index_of(words[3], leg.generators.size()), index_of(words[4], leg.generators.size()));
    }
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

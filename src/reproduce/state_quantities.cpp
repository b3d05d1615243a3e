#include "reproduce/state_quantities.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <sstream>

#include "lithe/dynamics/forward.hpp"
#include "reproduce/case_error.hpp"
#include "reproduce/deviations.hpp"
#include "reproduce/natural_frequencies.hpp"

namespace lithe::reproduce {
namespace {

std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> words;
  std::istringstream stream(name);
  for (std::string word; std::getline(stream, word, '.');) words.push_back(word);
  return words;
}

[[noreturn]] void unknown(const std::string& name) {
  throw CaseError(fmt::format("'{}' is not a quantity of this model at an instant", name));
}

int axis_of(const std::string& word) {
  if (word.size() == 1 && word[0] >= 'x' && word[0] <= 'z') return word[0] - 'x';
  throw CaseError(fmt::format("'{}' is not an axis: x, y or z", word));
}

void need(bool enough, const std::vector<std::string>& words) {
  if (enough) return;
  std::string name;
  for (const std::string& word : words) name += (name.empty() ? "" : ".") + word;
  unknown(name);
}

}  // namespace

int StateQuantities::link(const std::string& name) const {
  const int found = motion_.plan().mechanism().find_link(name);
  if (found < 0) throw CaseError(fmt::format("the model has no link '{}'", name));
  return found;
}

int StateQuantities::joint(const std::string& name) const {
  const int found = motion_.plan().mechanism().find_joint(name);
  if (found < 0) throw CaseError(fmt::format("the model has no joint '{}'", name));
  return found;
}

int StateQuantities::driven(const std::string& name) const {
  const JointPlace& place = motion_.plan().places()[static_cast<std::size_t>(joint(name))];
  const auto& independent = motion_.work().independent();
  const auto found = std::find(independent.begin(), independent.end(), place.v);
  if (place.cut || found == independent.end()) throw CaseError(fmt::format("joint '{}' is not independent", name));
  return static_cast<int>(found - independent.begin());
}

double StateQuantities::joint_value(const Words& words, const VectorX& tree, const VectorX& cut, bool positions) const {
  need(words.size() == 2 || words.size() == 3, words);
  const JointPlace& place = motion_.plan().places()[static_cast<std::size_t>(joint(words[1]))];
  const int coordinate = words.size() == 3 ? std::stoi(words[2]) : 0;
  need(coordinate >= 0 && coordinate < (positions ? place.nq : place.nv), words);
  const Eigen::Index index = (positions ? place.q : place.v) + coordinate;
  return place.cut ? cut[index] : tree[index];
}

double StateQuantities::frame_value(const Words& words, const VectorX& q) {
  need(words.size() == 4, words);
  const FrameRef frame = motion_.plan().mechanism().find_frame(words[1], words[2]);
  const Pose pose = frame_pose(motion_.plan(), motion_.work(), q, frame);
  const Vec3 value = words[0] == "pos" ? pose.position : vector_from_rotation(pose.rotation);
  return value[axis_of(words[3])];
}

Twist StateQuantities::centre_twist(int index, const VectorX& v) {
  State state = motion_.state();
  state.v = v;
  const Twist at_origin = frame_velocity(motion_.plan(), motion_.work(), state, {index, 0});
  const Mat3 axes = frame_pose(motion_.plan(), motion_.work(), state.q, {index, 0}).rotation;
  const Vec3 arm = axes * motion_.plan().mechanism().links[static_cast<std::size_t>(index)].centre;
  return {at_origin.angular, at_origin.linear + at_origin.angular.cross(arm)};
}

double StateQuantities::centre_value(const Words& words) {
  need(words.size() == 3, words);
  const int index = link(words[1]);
  const int axis = axis_of(words[2]);
  const Twist twist = centre_twist(index, motion_.state().v);
  if (words[0] == "omega") return twist.angular[axis];
  if (words[0] == "velocity") return twist.linear[axis];
  const Twist rate =
      frame_acceleration(motion_.plan(), motion_.work(), motion_.state(), motion_.accelerations(), {index, 0});
  if (words[0] == "alpha") return rate.angular[axis];
  const Mat3 axes = frame_pose(motion_.plan(), motion_.work(), motion_.state().q, {index, 0}).rotation;
  const Vec3 arm = axes * motion_.plan().mechanism().links[static_cast<std::size_t>(index)].centre;
  const Vec3 omega = twist.angular;
  return (rate.linear + rate.angular.cross(arm) + omega.cross(omega.cross(arm)))[axis];
}

const MatrixX& StateQuantities::complement() {
  if (!complement_) {
    complement_.emplace();
    motion_.require(loop_complement(motion_.plan(), motion_.work(), motion_.state().q, *complement_));
  }
  return *complement_;
}

const MatrixX& StateQuantities::inertia() {
  if (!inertia_) {
    inertia_.emplace();
    motion_.require(generalised_inertia(motion_.plan(), motion_.work(), motion_.state().q, *inertia_));
  }
  return *inertia_;
}

double StateQuantities::partial_value(const Words& words) {
  need(words.size() == 5, words);
  const VectorX v = complement().col(driven(words[4]));
  const Twist twist = centre_twist(link(words[2]), v);
  need(words[1] == "omega" || words[1] == "velocity", words);
  return (words[1] == "omega" ? twist.angular : twist.linear)[axis_of(words[3])];
}

double StateQuantities::reaction_value(const Words& words) {
  need(words.size() == 3, words);
  if (!reactions_) {
    reactions_ = joint_reactions(motion_.plan(), motion_.work(), motion_.state(), motion_.accelerations(),
                                 motion_.actions(motion_.motor_forces()));
  }
  const Wrench& wrench = (*reactions_)[static_cast<std::size_t>(joint(words[1]))];
  return (words[0] == "force" ? wrench.force : wrench.moment)[axis_of(words[2])];
}

/// Pivots of G = U D U^T, eliminated from the last row upwards: Khan (62)-(64).
double StateQuantities::pivot_value(const Words& words) {
  need(words.size() == 2, words);
  MatrixX G = inertia();
  const Eigen::Index wanted = driven(words[1]);
  for (Eigen::Index k = G.rows() - 1; k > wanted; --k) {
    const VectorX u = G.col(k).head(k) / G(k, k);
    G.topLeftCorner(k, k) -= G(k, k) * u * u.transpose();
  }
  return G(wanted, wanted);
}

double StateQuantities::euler_value(const Words& words) {
  need(words.size() == 3, words);
  const int index = joint(words[1]);
  const Joint& each = motion_.plan().mechanism().joints[static_cast<std::size_t>(index)];
  const Pose from = frame_pose(motion_.plan(), motion_.work(), motion_.state().q, each.from);
  const Pose to = frame_pose(motion_.plan(), motion_.work(), motion_.state().q, each.to);
  const Mat3 R = from.rotation.transpose() * to.rotation;  // Rx(a) Ry(b) Rz(c)
  const Vec3 angles(std::atan2(-R(1, 2), R(2, 2)), std::asin(R(0, 2)), std::atan2(-R(0, 1), R(0, 0)));
  const int k = std::stoi(words[2]);
  need(k >= 0 && k < 3, words);
  return angles[k];
}

const std::vector<VectorX>& StateQuantities::branches() {
  if (!branches_) {
    AssemblyOptions options;
    options.held = motion_.work().independent();
    branches_ = assembly_branches(motion_.plan(), motion_.work(), motion_.state().q, options);
  }
  return *branches_;
}

double StateQuantities::branch_value(const Words& words) {
  need(words.size() == 6, words);
  const std::size_t number = std::stoul(words[1]);
  if (number < 1 || number > branches().size()) return std::numeric_limits<double>::quiet_NaN();
  return frame_value({words.begin() + 2, words.end()}, branches()[number - 1]);
}

/// Motor forces for speeds v and driven accelerations at the present pose.
VectorX StateQuantities::forces_for(const VectorX& v, const VectorX& driven_accelerations) {
  const Plan& plan = motion_.plan();
  State state = motion_.state();
  state.v = v;
  VectorX a = VectorX::Zero(plan.nv());
  const auto& independent = motion_.work().independent();
  for (std::size_t k = 0; k < independent.size(); ++k)
    a[independent[k]] = driven_accelerations[static_cast<Eigen::Index>(k)];
  motion_.require(complete_accelerations(plan, motion_.work(), state, a));
  InverseResult result;
  inverse_dynamics(plan, motion_.work(), state, a, motion_.actions(VectorX::Zero(plan.nv() + plan.cut_nv())),
                   plan.actuated_speeds(), result);
  motion_.require(result.status);
  return result.tau;
}

VectorX StateQuantities::accelerate(const State& state, const VectorX& tau) {
  VectorX a = VectorX::Zero(motion_.plan().nv());
  motion_.require(forward_dynamics(motion_.plan(), motion_.work(), state, motion_.actions(tau), a));
  return a;
}

/// transition.i.j, transition.singular.k, counted from 1, and transition.determinant.
double StateQuantities::transition_value(const Words& words) {
  if (!transition_) transition_ = transition(motion_, start_, motion_.state().t);
  if (words.size() == 2 && words[1] == "determinant") return transition_->determinant();
  need(words.size() == 3, words);
  const Eigen::Index size = transition_->rows();
  const Eigen::Index second = std::stoi(words[2]) - 1;
  need(second >= 0 && second < size, words);
  if (words[1] == "singular") return Eigen::JacobiSVD<MatrixX>(*transition_).singularValues()[second];
  const Eigen::Index first = std::stoi(words[1]) - 1;
  need(first >= 0 && first < size, words);
  return (*transition_)(first, second);
}

double StateQuantities::natural_value(const Words& words) {
  need(words.size() == 3 && (words[1] == "free" || words[1] == "locked"), words);
  const bool locked = words[1] == "locked";
  if (!natural_.contains(locked)) natural_[locked] = natural_frequencies(motion_, locked);
  const Eigen::Index number = std::stoi(words[2]);
  need(number >= 1 && number <= natural_[locked].size(), words);
  return natural_[locked][number - 1];
}

double StateQuantities::axes_value(const Words& words) {
  need(words.size() == 5, words);
  const FrameRef frame = motion_.plan().mechanism().find_frame(words[1], words[2]);
  return frame_pose(motion_.plan(), motion_.work(), motion_.state().q, frame)
      .rotation(axis_of(words[3]), axis_of(words[4]));
}

double StateQuantities::operator()(const std::string& name) {
  const Plan& plan = motion_.plan();
  const State& state = motion_.state();
  const Words words = split(name);
  need(!words.empty(), words);
  const std::string& what = words[0];
  if (what == "q") {
    VectorX cut(plan.cut_nq());
    cut_coordinates(plan, motion_.work(), state.q, cut);
    return joint_value(words, state.q, cut, true);
  }
  if (what == "v") {
    VectorX cut(plan.cut_nv());
    cut_speeds(plan, motion_.work(), state, cut);
    return joint_value(words, state.v, cut, false);
  }
  if (what == "a") {
    VectorX cut(plan.cut_nv());
    cut_accelerations(plan, motion_.work(), state, motion_.accelerations(), cut);
    return joint_value(words, motion_.accelerations(), cut, false);
  }
  const auto force = [&](const VectorX& tau) {
    return joint_value(words, tau.head(plan.nv()), tau.tail(plan.cut_nv()), false);
  };
  const auto none = VectorX::Zero(static_cast<Eigen::Index>(motion_.work().independent().size()));
  if (what == "tau") return force(motion_.motor_forces());
  if (what == "static") return force(forces_for(VectorX::Zero(plan.nv()), none));
  if (what == "bias") return force(forces_for(state.v, none));
  if (what == "released") {
    return force((VectorX(plan.nv() + plan.cut_nv()) << accelerate(state, VectorX::Zero(plan.nv() + plan.cut_nv())),
                  VectorX::Zero(plan.cut_nv()))
                     .finished());
  }
  if (what == "pos" || what == "rot") return frame_value(words, state.q);
  if (what == "axes") return axes_value(words);
  if (what == "bending") {
    const DeflectionPlace place = deflection_place(plan.mechanism(), name.substr(what.size() + 1));
    const ElasticPlace& elastic = plan.elastic_places()[static_cast<std::size_t>(place.link)];
    return place.shape.dot(state.q.segment(elastic.q, elastic.count));
  }
  if (what == "omega" || what == "velocity" || what == "alpha" || what == "acceleration") return centre_value(words);
  if (what == "force" || what == "moment") return reaction_value(words);
  if (what == "inertia") {
    need(words.size() == 3, words);
    return inertia()(driven(words[1]), driven(words[2]));
  }
  if (what == "pivot") return pivot_value(words);
  if (what == "complement") {
    need(words.size() == 3, words);
    const VectorX column = complement().col(driven(words[2]));
    MatrixX cut(plan.cut_nv(), plan.nv());
    cut_jacobian(plan, motion_.work(), state.q, cut);
    return joint_value({what, words[1]}, column, cut * column, false);
  }
  if (what == "partial") return partial_value(words);
  if (what == "energy" && words.size() == 2) {
    const Energy now = energy(plan, motion_.work(), state);
    if (words[1] == "kinetic") return now.kinetic;
    if (words[1] == "potential") return now.potential;
  }
  if (what == "power") {
    Actions actions(plan);
    actions.tau = motion_.motor_forces();
    return supplied_power(plan, motion_.work(), state, actions);
  }
  if (what == "euler") return euler_value(words);
  if (what == "branches") return static_cast<double>(branches().size());
  if (what == "branch") return branch_value(words);
  if (what == "natural") return natural_value(words);
  if (what == "growth")
    return Eigen::EigenSolver<MatrixX>(frozen_state_matrix(motion_), false).eigenvalues().real().maxCoeff();
  if (what == "transition") return transition_value(words);
  if (what == "legs") {
    if (!legs_) legs_ = planar_legs(plan, motion_.work(), state, motion_.accelerations());
    return leg_quantity(*legs_, words);
  }
  if (what == "printed") {
    if (!printed_) printed_ = printed_legs(plan, state);
    return printed_quantity(*printed_, words);
  }
  unknown(name);
}

}  // namespace lithe::reproduce

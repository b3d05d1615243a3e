#include "reproduce/state_quantities.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <sstream>

#include "lithe/dynamics/forward.hpp"
#include "reproduce/case_error.hpp"
#include "reproduce/chain_quantities.hpp"
#include "reproduce/deviations.hpp"
#include "reproduce/natural_frequencies.hpp"
#include "reproduce/operation_counts.hpp"

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
  const JointPlace& place = motion_.plan().places()[joint(name)];
  const auto& independent = motion_.work().independent();
  const auto found = std::find(independent.begin(), independent.end(), place.v);
  if (place.cut || found == independent.end()) throw CaseError(fmt::format("joint '{}' is not independent", name));
  return static_cast<int>(found - independent.begin());
}

/// A joint, or an elastic coordinate LINK.eN.
int StateQuantities::independent(const std::string& speed) const {
  const std::vector<int>& speeds = motion_.work().independent();
  for (std::size_t k = 0; k < speeds.size(); ++k)
    if (motion_.plan().speed_name(speeds[k]) == speed) return static_cast<int>(k);
  return driven(speed);
}

double StateQuantities::joint_value(const Words& words, const VectorX& tree, const VectorX& cut, bool positions) const {
  need(words.size() == 2 || words.size() == 3, words);
  const JointPlace& place = motion_.plan().places()[joint(words[1])];
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
  const Vec3 arm = axes * motion_.plan().mechanism().links[index].centre;
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
  const Vec3 arm = axes * motion_.plan().mechanism().links[index].centre;
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
  const Wrench& wrench = (*reactions_)[joint(words[1])];
  return (words[0] == "force" ? wrench.force : wrench.moment)[axis_of(words[2])];
}

/// Pivot of G = U D U^T, eliminated from the last row upwards (Khan (62)-(64)): what the rows below leave of its entry.
double StateQuantities::pivot_value(const Words& words) {
  need(words.size() == 2, words);
  const MatrixX G = inertia();
  const Eigen::Index k = driven(words[1]), below = G.rows() - 1 - k;
  const VectorX coupling = G.col(k).tail(below);
  return G(k, k) - coupling.dot(MatrixX(G.bottomRightCorner(below, below)).ldlt().solve(coupling));
}

double StateQuantities::euler_value(const Words& words) {
  need(words.size() == 3, words);
  const int index = joint(words[1]);
  const Joint& each = motion_.plan().mechanism().joints[index];
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
  for (std::size_t k = 0; k < independent.size(); ++k) a[independent[k]] = driven_accelerations[k];
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

/// q.JOINT, v.JOINT, a.JOINT.
double StateQuantities::motion_value(const Words& words) {
  const Plan& plan = motion_.plan();
  const State& state = motion_.state();
  VectorX cut(words[0] == "q" ? plan.cut_nq() : plan.cut_nv());
  if (words[0] == "q") {
    cut_coordinates(plan, motion_.work(), state.q, cut);
    return joint_value(words, state.q, cut, true);
  }
  if (words[0] == "v") {
    cut_speeds(plan, motion_.work(), state, cut);
    return joint_value(words, state.v, cut, false);
  }
  cut_accelerations(plan, motion_.work(), state, motion_.accelerations(), cut);
  return joint_value(words, motion_.accelerations(), cut, false);
}

/// tau.JOINT, static.JOINT, bias.JOINT, released.JOINT.
double StateQuantities::force_value(const Words& words) {
  const Plan& plan = motion_.plan();
  const VectorX none = VectorX::Zero(std::ssize(motion_.work().independent()));
  VectorX tau;
  if (words[0] == "tau") tau = motion_.motor_forces();
  if (words[0] == "static") tau = forces_for(VectorX::Zero(plan.nv()), none);
  if (words[0] == "bias") tau = forces_for(motion_.state().v, none);
  if (words[0] == "released") {
    tau.setZero(plan.nv() + plan.cut_nv());
    tau.head(plan.nv()) = accelerate(motion_.state(), VectorX::Zero(plan.nv() + plan.cut_nv()));
  }
  return joint_value(words, tau.head(plan.nv()), tau.tail(plan.cut_nv()), false);
}

double StateQuantities::bending_value(const Words& words) {
  std::string place_name;
  for (std::size_t i = 1; i < words.size(); ++i) place_name += (i > 1 ? "." : "") + words[i];
  const DeflectionPlace place = deflection_place(motion_.plan().mechanism(), place_name);
  const ElasticPlace& elastic = motion_.plan().elastic_places()[place.link];
  return place.shape.dot(motion_.state().q.segment(elastic.q, elastic.count));
}

double StateQuantities::complement_value(const Words& words) {
  need(words.size() == 3, words);
  const VectorX column = complement().col(driven(words[2]));
  MatrixX cut(motion_.plan().cut_nv(), motion_.plan().nv());
  cut_jacobian(motion_.plan(), motion_.work(), motion_.state().q, cut);
  return joint_value({words[0], words[1]}, column, cut * column, false);
}

double StateQuantities::inertia_value(const Words& words) {
  Words speeds;  // LINK.eN was split into two words
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool is_coordinate = i > 1 && words[i].size() > 1 && words[i][0] == 'e' && std::isdigit(words[i][1]) != 0 &&
                               motion_.plan().mechanism().find_link(words[i - 1]) >= 0;
    if (is_coordinate)
      speeds.back() += "." + words[i];
    else
      speeds.push_back(words[i]);
  }
  need(speeds.size() == 2, words);
  return inertia()(independent(speeds[0]), independent(speeds[1]));
}

double StateQuantities::energy_value(const Words& words) {
  need(words.size() == 2 && (words[1] == "kinetic" || words[1] == "potential"), words);
  const Energy now = energy(motion_.plan(), motion_.work(), motion_.state());
  return words[1] == "kinetic" ? now.kinetic : now.potential;
}

double StateQuantities::power_value(const Words&) {
  Actions actions(motion_.plan());
  actions.tau = motion_.motor_forces();
  return supplied_power(motion_.plan(), motion_.work(), motion_.state(), actions);
}

double StateQuantities::mass_value(const Words& words) {
  need(words.size() > 1, words);
  double mass = 0.0;
  for (std::size_t i = 1; i < words.size(); ++i) mass += motion_.plan().mechanism().links[link(words[i])].mass;
  return mass;
}

double StateQuantities::growth_value(const Words&) {
  return Eigen::EigenSolver<MatrixX>(frozen_state_matrix(motion_), false).eigenvalues().real().maxCoeff();
}

double StateQuantities::fast_gain(const Words& words) {
  if (!fast_gains_) fast_gains_ = fast_gains(motion_);
  return fast_gain_value(*fast_gains_, words);
}

double StateQuantities::leg_value(const Words& words) {
  if (!legs_) legs_ = planar_legs(motion_.plan(), motion_.work(), motion_.state(), motion_.accelerations());
  return leg_quantity(*legs_, words);
}

double StateQuantities::printed_value(const Words& words) {
  if (!printed_) printed_ = printed_legs(motion_.plan(), motion_.state());
  return printed_quantity(*printed_, words);
}

double StateQuantities::chain_value(const Words& words) {
  return chain_quantity(beam_chain(motion_.plan().mechanism()), chain_state(motion_.plan(), motion_.state()), words);
}

double StateQuantities::operation_value(const Words& words) { return operation_quantity(words); }

double StateQuantities::operator()(const std::string& name) {
  using Quantity = double (StateQuantities::*)(const Words&);
  using Self = StateQuantities;
  static const std::map<std::string, Quantity> quantities{{"q", &Self::motion_value},
                                                          {"v", &Self::motion_value},
                                                          {"a", &Self::motion_value},
                                                          {"tau", &Self::force_value},
                                                          {"static", &Self::force_value},
                                                          {"bias", &Self::force_value},
                                                          {"released", &Self::force_value},
                                                          {"pos", &Self::place_value},
                                                          {"rot", &Self::place_value},
                                                          {"axes", &Self::axes_value},
                                                          {"bending", &Self::bending_value},
                                                          {"omega", &Self::centre_value},
                                                          {"velocity", &Self::centre_value},
                                                          {"alpha", &Self::centre_value},
                                                          {"acceleration", &Self::centre_value},
                                                          {"force", &Self::reaction_value},
                                                          {"moment", &Self::reaction_value},
                                                          {"inertia", &Self::inertia_value},
                                                          {"pivot", &Self::pivot_value},
                                                          {"complement", &Self::complement_value},
                                                          {"partial", &Self::partial_value},
                                                          {"energy", &Self::energy_value},
                                                          {"power", &Self::power_value},
                                                          {"mass", &Self::mass_value},
                                                          {"euler", &Self::euler_value},
                                                          {"branches", &Self::branch_count},
                                                          {"branch", &Self::branch_value},
                                                          {"natural", &Self::natural_value},
                                                          {"growth", &Self::growth_value},
                                                          {"transition", &Self::transition_value},
                                                          {"settled", &Self::settled_value},
                                                          {"pole", &Self::settled_value},
                                                          {"fast-gain", &Self::fast_gain},
                                                          {"legs", &Self::leg_value},
                                                          {"printed", &Self::printed_value},
                                                          {"chain", &Self::chain_value},
                                                          {"operations", &Self::operation_value}};
  const Words words = split(name);
  need(!words.empty(), words);
  const auto found = quantities.find(words[0]);
  if (found == quantities.end()) unknown(name);
  return (this->*found->second)(words);
}

}  // namespace lithe::reproduce

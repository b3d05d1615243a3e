#include "lithe/analysis/reach.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"

namespace lithe {
namespace {

constexpr int most_steps = 60;
constexpr double longest_step = 0.2;  ///< rad, or parts of the characteristic length
constexpr double still = 1e-9;        ///< a step shorter than this changes nothing that is seen
constexpr double keeping = 1e-3;      ///< weight of what is kept where there is a choice, beside what is pulled
/// Weights of a coordinate beyond its stop, one after the other. Only from beyond a stop does a step know of it: the first
/// one lets a coordinate pass a little, the second one brings it back.
constexpr double beyond_stop[] = {10.0, 1e3};
constexpr double reached_stop = 1e-5;  ///< rad or m

/// Equations that a step shall satisfy as well as it can: rows per tree speed, and what is missing.
struct Wanted {
  std::vector<VectorX> rows;
  std::vector<double> missing;

  void add(const VectorX& row, double rest, double weight) {
    rows.push_back(weight * row);
    missing.push_back(weight * rest);
  }
  double cost() const {
    double sum = 0.0;
    for (const double each : missing) sum += each * each;
    return sum;
  }
};

class Puller {
 public:
  Puller(const Plan& plan, Workspace& work, const Pull& pull, const VectorX& q)
      : plan_(plan), work_(work), pull_(pull) {
    if (pull.frame) axes_ = frame_pose(plan, work, q, *pull.frame).rotation;
    for (const JointValue& each : joint_values(plan, work, q))
      if (!pull.frame && each.actuated && each.speed != pull.speed) kept_.push_back(each);
    for (int v = 0; v < plan.nv(); ++v)
      if (plan.is_bending(v)) bending_.push_back(v);
  }

  Reach run(VectorX& q) {
    Reach reach;
    for (const double weight : beyond_stop) {
      stop_weight_ = weight;
      reach.iterations += approach(q);
    }
    reach.distance = distance_at(q);
    return reach;
  }

 private:
  /// Steps towards what is wanted; returns how many.
  int approach(VectorX& q) {
    double damping = 1e-3;
    int steps = 0;
    Wanted wanted = wanted_at(q);
    for (; steps < most_steps; ++steps) {
      const MatrixX free = free_motions(q);
      if (free.cols() == 0) break;
      const auto count = std::ssize(wanted.rows);
      MatrixX A(count, free.cols());
      VectorX rest(count);
      for (Eigen::Index i = 0; i < count; ++i) {
        A.row(i) = wanted.rows[i].transpose() * free;
        rest[i] = wanted.missing[i];
      }
      const MatrixX normal = A.transpose() * A;
      const VectorX slope = A.transpose() * rest;
      bool better = false;
      double length = 0.0;
      for (int attempt = 0; attempt < 12 && !better; ++attempt) {
        MatrixX damped = normal;
        damped.diagonal().array() += damping;
        VectorX step = damped.ldlt().solve(slope);
        if (const double largest = step.cwiseAbs().maxCoeff(); largest > longest_step) step *= longest_step / largest;
        length = step.cwiseAbs().maxCoeff();
        VectorX moved = q;
        move_coordinates(plan_, free * step, moved);
        if (project_positions(plan_, work_, moved)) {
          Wanted there = wanted_at(moved);
          if (there.cost() < wanted.cost()) {
            q = moved;
            wanted = std::move(there);
            better = true;
          }
        }
        damping = better ? std::max(damping / 5.0, 1e-12) : damping * 6.0;
      }
      if (!better || length < still) break;
    }
    return steps;
  }

  /// Tree speeds per free speed, each as large as a radian; elastic coordinates stay.
  MatrixX free_motions(const VectorX& q) {
    if (!select_independent(plan_, work_, q, bending_)) return {};
    MatrixX N;
    if (plan_.closure_count() == 0)
      N = MatrixX::Identity(plan_.nv(), plan_.nv());
    else if (!loop_complement(plan_, work_, q, N))
      return {};
    const std::vector<int>& independent = work_.independent();
    MatrixX free(plan_.nv(), 0);
    for (std::size_t k = 0; k < independent.size(); ++k) {
      if (plan_.is_bending(independent[k])) continue;
      free.conservativeResize(Eigen::NoChange, free.cols() + 1);
      free.col(free.cols() - 1) = plan_.speed_scale(independent[k]) * N.col(static_cast<Eigen::Index>(k));
    }
    return free;
  }

  double distance_at(const VectorX& q) {
    if (pull_.frame) return (pull_.place - frame_pose(plan_, work_, q, *pull_.frame).position).norm();
    for (const JointValue& each : joint_values(plan_, work_, q))
      if (each.speed == pull_.speed) return std::abs(way_to(pull_.value, each));
    return 0.0;
  }

  /// The angle of a cut joint is known up to whole turns.
  double way_to(double value, const JointValue& joint) const {
    const double way = value - joint.value;
    return joint.angle && joint.speed >= plan_.nv() ? std::remainder(way, 2.0 * std::numbers::pi) : way;
  }

  Wanted wanted_at(const VectorX& q) {
    Wanted wanted;
    const double length = plan_.characteristic_length();
    if (pull_.frame) {
      const Pose pose = frame_pose(plan_, work_, q, *pull_.frame);
      MatrixX J;
      frame_jacobian(plan_, work_, q, *pull_.frame, J);
      const Vec3 way = pull_.place - pose.position, turn = vector_from_rotation(axes_ * pose.rotation.transpose());
      for (int k = 0; k < 3; ++k) wanted.add(J.row(3 + k).transpose(), way[k], 1.0 / length);
      for (int k = 0; k < 3; ++k) wanted.add(J.row(k).transpose(), turn[k], keeping);
    }
    const std::vector<JointValue> joints = joint_values(plan_, work_, q);
    const auto add = [&](const JointValue& joint, double way, double weight) {
      const int speeds[] = {joint.speed};
      wanted.add(speed_jacobian(plan_, work_, q, speeds).row(0).transpose(), way,
                 joint.angle ? weight : weight / length);
    };
    for (const JointValue& joint : joints) {
      if (!pull_.frame && joint.speed == pull_.speed) add(joint, way_to(pull_.value, joint), 1.0);
      for (const JointValue& start : kept_)
        if (start.speed == joint.speed) add(joint, way_to(start.value, joint), keeping);
      if (joint.value > joint.upper) add(joint, joint.upper - joint.value, stop_weight_);
      if (joint.value < joint.lower) add(joint, joint.lower - joint.value, stop_weight_);
    }
    return wanted;
  }

  const Plan& plan_;
  Workspace& work_;
  const Pull& pull_;
  Mat3 axes_ = Mat3::Identity();  ///< of the pulled frame at the start
  std::vector<JointValue> kept_;  ///< motors, at the start
  std::vector<int> bending_;
  double stop_weight_ = 0.0;
};

}  // namespace

std::vector<JointValue> joint_values(const Plan& plan, Workspace& work, const VectorX& q) {
  VectorX cut_q;
  cut_coordinates(plan, work, q, cut_q);
  const std::vector<int>& motors = plan.actuated_speeds();
  std::vector<JointValue> values;
  for (std::size_t j = 0; j < plan.places().size(); ++j) {
    const Joint& joint = plan.mechanism().joints[j];
    const JointPlace& place = plan.places()[j];
    for (int k = 0; k < joint.facts().scalars(); ++k) {
      JointValue each;
      each.speed = (place.cut ? plan.nv() : 0) + place.v + k;
      each.name = plan.speed_name(each.speed);
      each.value = (place.cut ? cut_q : q)[place.q + k];
      const JointStop stop = k < static_cast<int>(joint.stops.size()) ? joint.stops[k] : JointStop{};
      each.lower = stop.lower;
      each.upper = stop.upper;
      each.angle = joint.facts().is_angle(k);
      each.actuated = std::find(motors.begin(), motors.end(), each.speed) != motors.end();
      each.at_limit = each.value >= each.upper - reached_stop || each.value <= each.lower + reached_stop;
      values.push_back(std::move(each));
    }
  }
  return values;
}

Reach pull(const Plan& plan, Workspace& work, VectorX& q, const Pull& pull) {
  const Reach reach = Puller(plan, work, pull, q).run(q);
  select_independent(plan, work, q);
  return reach;
}

}  // namespace lithe

#include "lithe/simulation/drive_feedback.hpp"

#include <algorithm>

#include "lithe/simulation/start_wishes.hpp"

namespace lithe::detail {
namespace {

bool answers(const Drive& drive) { return !drive.prescribed && (drive.kp != 0.0 || drive.kd != 0.0 || drive.law); }

/// The model with nothing left that depends on time alone.
Model only_feedback(Model model) {
  std::erase_if(model.drives, [](const Drive& drive) { return !answers(drive); });
  for (Drive& drive : model.drives) {
    drive.feed_forward = false;
    drive.torque = {};
  }
  model.loads.clear();
  model.line_loads.clear();
  return model;
}

/// A path that stays where its frame is.
Path path_at(const Pose& pose, bool turns) {
  Path path(ConstantLaw{pose.position.x()}, ConstantLaw{pose.position.y()}, ConstantLaw{pose.position.z()});
  const Vec3 turn = vector_from_rotation(pose.rotation);
  const double angle = turn.norm();
  if (turns) path.turn(TurnsLaw{{{angle > 0.0 ? Vec3(turn / angle) : Vec3::UnitZ(), ConstantLaw{angle}}}});
  return path;
}

/// What would be led by paths and by the laws of others is wanted where it is.
void hold_wanted_motion(Model& model, const Plan& plan, Workspace& work, const State& state) {
  VectorX cut_q;
  cut_coordinates(plan, work, state.q, cut_q);
  for (Drive& drive : model.drives) {
    if (!drive.is_led()) continue;
    const JointPlace& place = plan.places()[joint_index(plan, drive.joint)];
    drive.follow = ConstantLaw{(place.cut ? cut_q : state.q)[place.q + drive.coordinate]};
  }
  std::erase_if(model.paths, [](const PathDrive& path) { return !path.task.is_given(); });
  for (PathDrive& each : model.paths)
    each.path = path_at(frame_pose(plan, work, state.q, frame_of_path(plan, each)), each.path.turns());
}

}  // namespace

DriveFeedback::DriveFeedback(const Model& model, const Plan& plan, Workspace& work, const State& state)
    : drives_only_(only_feedback(model)), actions_(plan) {
  hold_wanted_motion(drives_only_, plan, work, state);
  const std::vector<int>& motors = plan.actuated_speeds();
  if (!drives_only_.paths.empty()) speeds_ = motors;
  for (const Drive& drive : drives_only_.drives) speeds_.push_back(speed_index(plan, drive.joint, drive.coordinate));
  for (const Controller& controller : drives_only_.controllers) {
    for (const std::string& name : controller.drives) speeds_.push_back(speed_named(plan, name));
    if (controller.drives.empty()) speeds_.insert(speeds_.end(), motors.begin(), motors.end());
  }
  std::sort(speeds_.begin(), speeds_.end());
  speeds_.erase(std::unique(speeds_.begin(), speeds_.end()), speeds_.end());
  if (speeds_.empty()) return;
  drives_ = std::make_unique<DriveSet>(drives_only_, plan, Arithmetic::automatic, state);
  drives_->ignore_limits();
  evaluate(state, work);
  first_ = actions_.tau;
}

void DriveFeedback::evaluate(const State& state, Workspace& work) {
  const RunStatus driven = drives_->evaluate(state, work, actions_);
  if (driven) return;
  if (drives_->thrown()) std::rethrow_exception(drives_->thrown());
  throw PhysicsError(driven.why());
}

void DriveFeedback::add_forces(const State& state, Workspace& work, VectorX& tau) {
  if (!drives_) return;
  evaluate(state, work);
  tau += actions_.tau - first_;
}

}  // namespace lithe::detail

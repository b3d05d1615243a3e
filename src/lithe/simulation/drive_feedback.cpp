#include "lithe/simulation/drive_feedback.hpp"

#include <algorithm>

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

}  // namespace

DriveFeedback::DriveFeedback(const Model& model, const Plan& plan, Workspace& work, const State& state)
    : drives_only_(only_feedback(model)), actions_(plan) {
  for (const Drive& drive : drives_only_.drives) speeds_.push_back(speed_index(plan, drive.joint, drive.coordinate));
  for (const Controller& controller : drives_only_.controllers) {
    for (const std::string& name : controller.drives) speeds_.push_back(speed_named(plan, name));
    if (controller.drives.empty())
      speeds_.insert(speeds_.end(), plan.actuated_speeds().begin(), plan.actuated_speeds().end());
  }
  std::sort(speeds_.begin(), speeds_.end());
  speeds_.erase(std::unique(speeds_.begin(), speeds_.end()), speeds_.end());
  if (speeds_.empty()) return;
  drives_ = std::make_unique<DriveSet>(drives_only_, plan, Arithmetic::automatic, state);
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

#include "lithe/kinematics/state.hpp"

#include <fmt/format.h>

#include "lithe/kinematics/kernel.hpp"

namespace lithe {

std::string describe(const Plan& plan, const Status& status, double t) {
  const auto loop = [&] {
    const std::size_t closures = plan.cut_joints().size() + plan.mechanism().couplings.size();
    return status.index >= 0 && status.index < static_cast<int>(closures) ? plan.closure_name(status.index)
                                                                          : std::string("the mechanism");
  };
  switch (status.code) {
    case Status::Code::ok:
      return "fine";
    case Status::Code::singular_closure:
      return fmt::format(
          "{} is singular at t = {:.6g} s (condition number {:.3g}): its independent speeds no longer "
          "determine the others",
          loop(), t, status.condition);
    case Status::Code::singular_inertia: {
      if (status.index >= 0 && status.index < plan.nv() && plan.is_bending(status.index))
        return fmt::format(
            "the inertia of the elastic coordinate '{}' vanishes at t = {:.6g} s: its link bends further than "
            "second-order foreshortening can follow, or a massless joint turns against it; add inertia at its joints, "
            "split the link with 'segments', or set its stiffening off",
            plan.speed_name(status.index), t);
      const std::string joint = status.index >= 0 && status.index < plan.nv() ? plan.speed_name(status.index) : "?";
      return fmt::format(
          "the inertia seen by joint '{}' vanishes at t = {:.6g} s: give the links beyond it mass or "
          "inertia, or hold the joint",
          joint, t);
    }
    case Status::Code::not_assembled:
      return fmt::format(
          "{} cannot be closed at t = {:.6g} s (remaining error {:.3g}): the pose is out of reach or the "
          "guess too far away",
          loop(), t, status.condition);
    case Status::Code::not_finite:
      return fmt::format("the motion diverged at t = {:.6g} s: a coordinate or speed is not a finite number", t);
    case Status::Code::not_applicable:
      return "this formulation does not fit the mechanism";
    case Status::Code::stress_diverged:
      return fmt::format(
          "stiffening 'stress' of link '{}' fails at t = {:.6g} s: its axial force depends on the accelerations, and "
          "both together do not settle (the last change is {:.3g} of its strain forces); use stiffening 'consistent'",
          plan.mechanism().links[status.index].name, t, status.condition);
  }
  return "";
}

Workspace::Workspace(const Plan& plan, Arithmetic arithmetic)
    : scratch_(std::make_unique<detail::Scratch>(plan.compiled(), arithmetic)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

bool Workspace::uses_planar_arithmetic() const { return scratch_->planar; }

namespace {
const detail::Selection& selection_of(const detail::Scratch& scratch) {
  return scratch.planar ? scratch.flat->selection : scratch.full->selection;
}
}  // namespace

const std::vector<int>& Workspace::independent() const { return selection_of(*scratch_).independent; }
const std::vector<int>& Workspace::dependent() const { return selection_of(*scratch_).dependent; }
const std::vector<int>& Workspace::redundant_rows() const { return selection_of(*scratch_).redundant; }

}  // namespace lithe

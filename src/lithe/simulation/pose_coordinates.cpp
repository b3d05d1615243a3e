#include "lithe/simulation/pose_coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/kinematics/motion.hpp"
#include "lithe/laws/suggestion.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe::detail {
namespace {

constexpr const char* pose_axes = "xyz";

[[noreturn]] void refuse_coordinate(const std::string& name, const std::string& hint) {
  throw MechanismError(name,
                       fmt::format("'{}' is no coordinate of a pose{}; there are q.JOINT, pos.LINK.FRAME.x|y|z and "
                                   "rot.LINK.FRAME.x|y|z",
                                   name, hint));
}

PoseCoordinate frame_coordinate(const Plan& plan, FrameRef frame, int axis, bool turns) {
  const LinkData& link = plan.mechanism().links[frame.link];
  PoseCoordinate found;
  found.kind = turns ? PoseCoordinate::Kind::rotation : PoseCoordinate::Kind::position;
  found.name =
      fmt::format("{}.{}.{}.{}", turns ? "rot" : "pos", link.name, link.frames[frame.frame].name, pose_axes[axis]);
  found.turns = turns;
  found.frame = frame;
  found.axis = axis;
  return found;
}

/// LINK or LINK.FRAME; names may have dots in them.
FrameRef frame_of(const Plan& plan, const std::string& name, const std::string& text) {
  const Mechanism& mechanism = plan.mechanism();
  if (const int link = mechanism.find_link(text); link > 0) return {link, 0};
  std::vector<std::string> known;
  for (std::size_t i = 1; i < mechanism.links.size(); ++i)
    for (const Frame& frame : mechanism.links[i].frames) {
      const std::string full = mechanism.links[i].name + "." + frame.name;
      if (full == text) return {static_cast<int>(i), mechanism.links[i].find_frame(frame.name)};
      known.push_back(full);
    }
  const std::string hint = did_you_mean(text, known);
  refuse_coordinate(name, fmt::format(": there is no frame '{}'{}", text, hint));
}

/// d/dt of a rotation vector = this times the angular velocity (ground axes): the inverse of the left Jacobian of SO(3).
Mat3 rotation_vector_rate(const Vec3& turn) {
  const double angle = turn.norm();
  Mat3 cross;
  cross << 0, -turn.z(), turn.y(), turn.z(), 0, -turn.x(), -turn.y(), turn.x(), 0;
  // (1/a^2)(1 - (a/2) cot(a/2)), 1/12 in the limit
  const double factor =
      angle < 1e-3 ? 1.0 / 12.0 + angle * angle / 720.0 : (1.0 - 0.5 * angle / std::tan(0.5 * angle)) / (angle * angle);
  return Mat3::Identity() - 0.5 * cross + factor * cross * cross;
}

}  // namespace

bool PoseCoordinate::operator==(const PoseCoordinate& other) const {
  if (kind != other.kind) return false;
  if (kind == Kind::joint || kind == Kind::still) return speed == other.speed;
  return frame == other.frame && axis == other.axis;
}

PoseCoordinate joint_coordinate_of_speed(const Plan& plan, int speed) {
  PoseCoordinate found;
  found.speed = speed;
  found.name = "q." + plan.speed_name(speed);
  found.turns = !plan.slides(speed);
  found.cut = speed >= plan.nv();
  for (const JointPlace& place : plan.places()) {
    const int k = speed - place.v - (place.cut ? plan.nv() : 0);
    if (place.cut != found.cut || k < 0 || k >= place.nv) continue;
    const int scalars = place.nq == place.nv ? place.nv : place.nv - 3;
    found.place = place.q + k;
    if (k >= scalars) found.kind = PoseCoordinate::Kind::still;
  }
  return found;
}

PoseCoordinate pose_coordinate(const Plan& plan, const std::string& name) {
  if (name.starts_with("q.")) {
    const PoseCoordinate found = joint_coordinate_of_speed(plan, speed_named(plan, name.substr(2)));
    if (found.kind == PoseCoordinate::Kind::still)
      throw MechanismError(name,
                           fmt::format("'{}' is part of a rotation in space and has no value of its own; take the "
                                       "orientation of a frame (rot.LINK.FRAME.x)",
                                       name));
    return found;
  }
  const bool turns = name.starts_with("rot.");
  if ((!turns && !name.starts_with("pos.")) || name.size() < 7 || name[name.size() - 2] != '.') {
    std::vector<std::string> joints;
    for (int v = 0; v < plan.nv() + plan.cut_nv(); ++v) joints.push_back(plan.speed_name(v));
    const bool is_joint = std::find(joints.begin(), joints.end(), name) != joints.end();
    refuse_coordinate(name, is_joint ? fmt::format("; do you mean 'q.{}'?", name) : std::string{});
  }
  const std::size_t axis = std::string_view(pose_axes).find(name.back());
  if (axis > 2) refuse_coordinate(name, "");
  return frame_coordinate(plan, frame_of(plan, name, name.substr(4, name.size() - 6)), static_cast<int>(axis), turns);
}

std::vector<PoseCoordinate> frame_coordinates(const Plan& plan, FrameRef frame) {
  std::vector<PoseCoordinate> all;
  for (const bool turns : {false, true})
    for (int axis = 0; axis < 3; ++axis) all.push_back(frame_coordinate(plan, frame, axis, turns));
  return all;
}

PoseRows::PoseRows(const Plan& plan, std::vector<PoseCoordinate> coordinates)
    : plan_(plan), coordinates_(std::move(coordinates)) {
  values_.setZero(count());
  rates_.setZero(count(), plan.nv());
  for (int row = 0; row < count(); ++row) {
    const PoseCoordinate& each = coordinates_[row];
    if (each.kind == PoseCoordinate::Kind::joint || each.kind == PoseCoordinate::Kind::still) {
      any_cut_ = any_cut_ || each.cut;
      if (!each.cut) rates_(row, each.speed) = 1.0;
      continue;
    }
    const auto known =
        std::find_if(frames_.begin(), frames_.end(), [&](const FrameRows& one) { return one.frame == each.frame; });
    (known == frames_.end() ? frames_.emplace_back(FrameRows{each.frame, {}}) : *known).rows.push_back(row);
  }
}

void PoseRows::evaluate(Workspace& work, const VectorX& q) {
  if (any_cut_) {
    cut_coordinates(plan_, work, q, cut_q_);
    cut_jacobian(plan_, work, q, cut_J_);
  }
  for (int row = 0; row < count(); ++row) {
    const PoseCoordinate& each = coordinates_[row];
    if (each.kind != PoseCoordinate::Kind::joint) continue;
    values_[row] = each.cut ? cut_q_[each.place] : q[each.place];
    if (each.cut) rates_.row(row) = cut_J_.row(each.speed - plan_.nv());
  }
  for (const FrameRows& frame : frames_) evaluate_frame(work, q, frame);
}

void PoseRows::evaluate_frame(Workspace& work, const VectorX& q, const FrameRows& frame) {
  const Pose pose = frame_pose(plan_, work, q, frame.frame);
  frame_jacobian(plan_, work, q, frame.frame, J_);
  const Vec3 turn = vector_from_rotation(pose.rotation);
  const Mat3 turning = rotation_vector_rate(turn);
  for (const int row : frame.rows) {
    const PoseCoordinate& each = coordinates_[row];
    values_[row] = each.turns ? turn[each.axis] : pose.position[each.axis];
    if (each.turns)
      rates_.row(row).noalias() = turning.row(each.axis) * J_.topRows<3>();
    else
      rates_.row(row) = J_.row(3 + each.axis);
  }
}

double PoseRows::error(int row, double wanted) const {
  const PoseCoordinate& each = coordinates_[row];
  if (each.kind == PoseCoordinate::Kind::still) return 0.0;
  const double off = values_[row] - wanted;
  return each.turns ? std::remainder(off, 2.0 * std::numbers::pi) : off;
}

}  // namespace lithe::detail

// lithe statics: equilibrium under gravity and loads, or under the inertia of a motion as well: how far frames move, what the motors
// hold, how stiff a frame is.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/bending_remarks.hpp"
#include "lithe/simulation/operating_point.hpp"
#include "lithe/simulation/rest.hpp"
#include "matrix_json.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "remarks.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

struct FrameShift {
  std::string name;
  Vec3 displacement, rotation;
};

/// Frames of the links that bend and those that the model records.
std::vector<FrameRef> frames_of_interest(const Model& model, const Plan& plan) {
  std::vector<FrameRef> frames = model.record.frames;
  for (std::size_t k = 1; k < plan.mechanism().links.size(); ++k) {
    const LinkData& link = plan.mechanism().links[k];
    const FrameRef tip{static_cast<int>(k), link.find_frame("tip")};
    const auto is_tip = [&](FrameRef frame) { return frame.link == tip.link && frame.frame == tip.frame; };
    if (link.elastic.count() > 0 && tip.frame >= 0 && std::none_of(frames.begin(), frames.end(), is_tip))
      frames.push_back(tip);
  }
  return frames;
}

/// Against their own length; the theory is that of small bending.
void print_bending(const Plan& plan, const std::vector<LinkBending>& bending) {
  Table table({"bent link", "deflection / length", "slope (rad)"}, "lrr");
  for (const LinkBending& each : worst_pieces(plan, bending))
    table.add({plan.mechanism().links[each.link].name, number(each.deflection, 3), number(each.slope, 3)});
  if (!table.empty()) table.print();
}

/// What every joint carries; numbers that are rounding beside the others are zero.
std::vector<Wrench> without_rounding(std::vector<Wrench> wrenches, const Plan& plan) {
  // A moment is a force at a distance of about the size of the mechanism, and rounds like it.
  const double length = plan.characteristic_length();
  double largest = 0.0;
  for (const Wrench& each : wrenches)
    largest = std::max({largest, each.force.cwiseAbs().maxCoeff(), each.moment.cwiseAbs().maxCoeff() / length});
  const auto rounded = [&](double value, double unit) {
    return std::abs(value) < 1e-12 * largest * unit ? 0.0 : value;
  };
  for (Wrench& each : wrenches) {
    for (double& value : each.force) value = rounded(value, 1.0);
    for (double& value : each.moment) value = rounded(value, length);
  }
  return wrenches;
}

void print_reactions(const Plan& plan, const std::vector<Wrench>& wrenches) {
  if (wrenches.empty()) return;
  heading("joints: force and moment that `from` exerts on `to`, at the to-frame (ground axes)");
  Table table({"joint", "Fx (N)", "Fy (N)", "Fz (N)", "Mx (N m)", "My (N m)", "Mz (N m)"}, "lrrrrrr");
  for (std::size_t j = 0; j < wrenches.size(); ++j) {
    std::vector<std::string> row{plan.mechanism().joints[j].name};
    for (int a = 0; a < 3; ++a) row.push_back(number(wrenches[j].force[a], 6));
    for (int a = 0; a < 3; ++a) row.push_back(number(wrenches[j].moment[a], 6));
    table.add(std::move(row));
  }
  table.print();
}

nlohmann::json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

/// What `lithe statics` found, in words of the model.
struct StaticsFound {
  std::string how;  ///< it was found
  bool stable = true;
  std::optional<std::pair<int, double>> search;  ///< iterations and the largest force left over; none along a motion
  State state;
  std::vector<FrameShift> shifts;
  std::vector<std::pair<std::string, double>> motors;
  std::vector<Wrench> carried;  ///< by joints
  std::vector<LinkBending> bending;
  std::vector<int> free_speeds;  ///< that are independent and not locked
  MatrixX compliance;            ///< of the frame that was asked for; empty: none was
  std::vector<std::string> inextensible;
};

/// What follows from the pose that was asked for and the one that was found.
void find_moved(const Model& model, const Plan& plan, Workspace& work, const State& before, StaticsFound& found) {
  for (const FrameRef frame : frames_of_interest(model, plan)) {
    const Pose from = frame_pose(plan, work, before.q, frame), to = frame_pose(plan, work, found.state.q, frame);
    const LinkData& link = plan.mechanism().links[frame.link];
    found.shifts.push_back({link.name + "/" + link.frames[frame.frame].name, to.position - from.position,
                            vector_from_rotation(to.rotation * from.rotation.transpose())});
  }
  found.bending = bending_of(plan, found.state.q);
}

StaticsFound find_statics(const Model& model, ModelAtRest& pose, const std::string& asked) {
  const Plan& plan = pose.plan();
  StaticsFound found;
  found.how = fmt::format("equilibrium, found in {} iterations", pose.rest().iterations);
  found.stable = pose.rest().stable;
  found.search = {pose.rest().iterations, pose.rest().residual};
  found.state = pose.rest().state;
  find_moved(model, plan, pose.work(), pose.start(), found);
  if (!asked.empty()) {
    found.inextensible = inextensible_links(plan.mechanism());
    found.compliance = frame_compliance(plan, pose.work(), pose.rest(), frame_named(plan.mechanism(), asked));
  }
  for (const int v : pose.locked()) found.motors.emplace_back(plan.speed_name(v), pose.rest().tau[v]);
  found.carried = without_rounding(pose.reactions(), plan);
  found.free_speeds = pose.rest().linear.speeds;
  return found;
}

/// Links bent as the motion at that time would bend them if they took no time for it.
StaticsFound find_moving(const Model& model, OperatingPoint& point) {
  const Plan& plan = point.plan();
  StaticsFound found;
  found.how = fmt::format("links under the inertia of the motion at t = {} s", point.state().t);
  found.state = point.state();
  find_moved(model, plan, point.work(), point.given(), found);
  found.motors = point.motor_forces();
  found.carried = without_rounding(
      joint_reactions(plan, point.work(), point.state(), point.accelerations(), point.actions()), plan);
  for (const int v : point.linear().speeds)
    if (plan.is_bending(v)) found.free_speeds.push_back(v);
  return found;
}

/// All but the head of the answer of --json.
void put_statics(const Model& model, const Plan& plan, const StaticsFound& found, nlohmann::json& answer) {
  answer["bending"] = nlohmann::json::object();
  for (const LinkBending& each : found.bending)
    answer["bending"][plan.mechanism().links[each.link].name] = each.measure();
  answer["stable"] = found.stable;
  if (found.search) {
    answer["iterations"] = found.search->first;
    answer["residual"] = found.search->second;
  }
  for (const FrameShift& shift : found.shifts)
    answer["frames"][shift.name] = {{"displacement", to_json(shift.displacement)},
                                    {"rotation", to_json(shift.rotation)}};
  for (const auto& [motor, force] : found.motors) answer["motors"][motor] = force;
  answer["reactions"] = nlohmann::json::object();
  for (std::size_t j = 0; j < found.carried.size(); ++j)
    answer["reactions"][plan.mechanism().joints[j].name] = {{"force", to_json(found.carried[j].force)},
                                                            {"moment", to_json(found.carried[j].moment)}};
  answer["coordinates"] = nlohmann::json::array();
  const std::vector<int> own = own_speeds(plan, model.mechanism);
  for (const int v : found.free_speeds)
    if (std::binary_search(own.begin(), own.end(), v)) answer["coordinates"].push_back(plan.speed_name(v));
  answer["elastic"] = nlohmann::json::object();
  for (std::size_t link = 0; link < model.mechanism.links.size(); ++link) {
    const ElasticPlace& place = plan.elastic_places()[link];
    for (int k = 0; k < model.mechanism.links[link].elastic.count(); ++k)
      answer["elastic"][plan.speed_name(place.v + k)] = found.state.q[place.q + k];
  }
  if (found.compliance.size() > 0) answer["compliance"] = rows_of(found.compliance);
  if (!found.inextensible.empty()) answer["inextensible"] = found.inextensible;
}

void print_compliance(const StaticsFound& found, const std::string& frame) {
  if (found.compliance.size() == 0) return;
  heading(fmt::format("compliance of {} (rad, m per N m, N; ground axes)", frame));
  Table table({"", "Mx", "My", "Mz", "Fx", "Fy", "Fz"}, "lrrrrrr");
  const char* names[6] = {"turn x", "turn y", "turn z", "x", "y", "z"};
  for (int i = 0; i < 6; ++i) {
    std::vector<std::string> row{names[i]};
    for (int j = 0; j < 6; ++j) row.push_back(number(found.compliance(i, j), 5));
    table.add(std::move(row));
  }
  table.print();
  if (!found.inextensible.empty())
    fmt::print("{}\n", dim(fmt::format("inextensible, because neither 'EA' nor a section is given (or stretching is "
                                       "switched off): {}",
                                       fmt::join(found.inextensible, ", "))));
}

void print_statics(const Model& model, const Plan& plan, const StaticsFound& found) {
  fmt::print("{}  {}\n", bold(model.name), dim(model.path));
  heading(found.how);
  if (!found.stable) fmt::print("{}\n", warning("unstable: a small disturbance grows"));
  Table moved({"frame", "dx (mm)", "dy (mm)", "dz (mm)", "turn x (mrad)", "turn y (mrad)", "turn z (mrad)"}, "lrrrrrr");
  for (const FrameShift& shift : found.shifts) {
    std::vector<std::string> row{shift.name};
    for (int a = 0; a < 3; ++a) row.push_back(number(1e3 * shift.displacement[a], 5));
    for (int a = 0; a < 3; ++a) row.push_back(number(1e3 * shift.rotation[a], 5));
    moved.add(std::move(row));
  }
  if (!moved.empty()) moved.print();
  Table motors({"motor", "holds (N m or N)"}, "lr");
  for (const auto& [motor, force] : found.motors) motors.add({motor, number(force, 8)});
  if (!motors.empty()) motors.print();
  print_bending(plan, found.bending);
  print_reactions(plan, found.carried);
}

}  // namespace

int statics(const PoseOptions& options) {
  if (options.moving && !options.at) throw InputError("--moving needs the time of the motion: --at TIME");
  if (options.moving && options.free_motors) throw InputError("--moving: the motors make the motion; drop --free");
  if (options.moving && !options.frame.empty())
    throw InputError("--frame asks for the compliance at rest; drop it or --moving");
  const Model model = load(options.model), twin = static_twin(model);
  std::optional<ModelAtRest> rest;
  std::optional<OperatingPoint> moving;
  if (options.moving)
    moving.emplace(twin, OperatingOptions{options.at, false, Motors::loaded});
  else
    rest.emplace(twin, RestOptions{options.at, options.free_motors});
  const Plan& plan = moving ? moving->plan() : rest->plan();
  const StaticsFound found = moving ? find_moving(model, *moving) : find_statics(model, *rest, options.frame);
  Remarks remarks = model.remarks;
  remarks.add(moving ? moving->remarks() : rest->remarks());
  remark_bending(plan, found.bending, false, remarks);
  const int code = exit_code_of(remarks);
  tell(remarks);

  if (options.model.json) {
    nlohmann::json answer = {{"ok", code == fine}, {"exit", code}, {"verb", "statics"}, {"model", model.name}};
    answer.update(to_json(remarks));
    put_statics(model, plan, found, answer);
    print_json(answer);
    return code;
  }
  print_statics(model, plan, found);
  print_compliance(found, options.frame);
  return code;
}

}  // namespace lithe::cli

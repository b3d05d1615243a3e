#include "live_pose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lithe/analysis/reach.hpp"
#include "lithe/analysis/statics.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/io/report.hpp"
#include "lithe/simulation/loads.hpp"
#include "model_options.hpp"

namespace lithe::cli {
namespace {

constexpr double near_singular = 1e3;  ///< condition numbers from here on are worth a warning
constexpr double farthest = 1e6;       ///< m or rad: what a page asks for beyond that is a mistake

nlohmann::json finite_or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

double number_in(const nlohmann::json& value) {
  if (!value.is_number()) throw InputError("a pull needs numbers under 'to'");
  const auto number = value.get<double>();
  if (!(std::abs(number) <= farthest)) throw InputError("a pull leads out of reach");
  return number;
}

FrameRef frame_pulled(const Mechanism& mechanism, const std::string& name) {
  const std::size_t slash = name.find('/');
  const std::string frame = slash == std::string::npos ? "origin" : name.substr(slash + 1);
  const int link = mechanism.find_link(name.substr(0, slash));
  const int index = link > 0 ? mechanism.links[link].find_frame(frame) : -1;
  if (index < 0) throw InputError(fmt::format("'{}' is no frame of a moving link", name));
  return {link, index};
}

/// What is near a singular pose, in words; empty: nothing is.
std::string singular_in_words(const Plan& plan, const Singularity& s) {
  if (s.closure > near_singular || s.dependent > near_singular)
    return describe(plan, {Status::Code::singular_closure, s.worst_loop, std::max(s.closure, s.dependent)}, 0.0);
  if (!plan.actuated_speeds().empty() && s.actuation > near_singular && std::isfinite(s.actuation))
    return fmt::format("the motors hardly hold the mechanism here: condition of actuation {:.3g}", s.actuation);
  return {};
}

}  // namespace

std::string with_entry(const std::string& json, const std::string& key, const nlohmann::json& value) {
  return fmt::format("{{\"{}\":{},{}", key, detail::json_text(value), json.substr(1));
}

LivePose::LivePose(std::shared_ptr<const Model> model) : model_(std::move(model)), prepared_(prepare(*model_)) {}

void LivePose::follow(const LivePose& other) {
  if (!other.pulled_) return;
  for (const auto& [name, value] : other.motors_) {
    const std::vector<JointValue> joints = joint_values(prepared_.plan, prepared_.work, prepared_.state.q);
    const auto joint =
        std::find_if(joints.begin(), joints.end(), [&](const JointValue& each) { return each.name == name; });
    if (joint == joints.end()) continue;
    Pull wanted;
    wanted.speed = joint->speed;
    wanted.value = value;
    lithe::pull(prepared_.plan, prepared_.work, prepared_.state.q, wanted);
  }
  motors_ = other.motors_;
  pulled_ = true;
}

void LivePose::pull(const nlohmann::json& request) {
  const Plan& plan = prepared_.plan;
  if (request.contains("reset")) {
    *this = LivePose(model_);
    return;
  }
  if (!request.contains("to")) throw InputError("a pull needs 'to'");
  const nlohmann::json& to = request["to"];
  Pull wanted;
  if (request.contains("frame") && request["frame"].is_string()) {
    wanted.frame = frame_pulled(plan.mechanism(), request["frame"].get<std::string>());
    if (!to.is_array() || to.size() != 3) throw InputError("a frame is pulled to three numbers");
    for (int k = 0; k < 3; ++k) wanted.place[k] = number_in(to[k]);
  } else if (request.contains("joint") && request["joint"].is_string()) {
    const auto name = request["joint"].get<std::string>();
    for (const JointValue& each : joint_values(plan, prepared_.work, prepared_.state.q))
      if (each.name == name) wanted.speed = each.speed;
    if (wanted.speed < 0) throw InputError(fmt::format("there is no joint coordinate '{}'", name));
    wanted.value = number_in(to);
  } else {
    throw InputError("a pull needs 'frame' or 'joint'");
  }
  missed_ = lithe::pull(plan, prepared_.work, prepared_.state.q, wanted).distance;
  for (const JointValue& each : joint_values(plan, prepared_.work, prepared_.state.q))
    if (each.actuated || plan.actuated_speeds().empty()) motors_[each.name] = each.value;
  pulled_ = true;
}

VectorX LivePose::settled(std::string& note) {
  const Plan& plan = prepared_.plan;
  const VectorX& q = prepared_.state.q;
  if (!plan.is_elastic()) return q;
  std::vector<int> motors;
  for (const int v : plan.actuated_speeds())
    if (v < plan.nv()) motors.push_back(v);
  try {
    if (!select_independent(plan, prepared_.work, q, motors)) return q;
    std::vector<int> held;
    for (const int v : prepared_.work.independent())
      if (!plan.is_bending(v)) held.push_back(v);
    State start = prepared_.state;
    start.v = VectorX::Zero(plan.nv());
    Actions actions(plan);
    evaluate_loads(*model_, start.t, actions);
    return find_equilibrium(plan, prepared_.work, start, actions, held).state.q;
  } catch (const std::runtime_error& error) {
    note = fmt::format("links are drawn straight: {}", error.what());
    return q;
  }
}

nlohmann::json LivePose::description() {
  const Plan& plan = prepared_.plan;
  nlohmann::json joints = nlohmann::json::array();
  for (const JointValue& each : joint_values(plan, prepared_.work, prepared_.state.q)) {
    joints.push_back({{"name", each.name},
                      {"value", each.value},
                      {"lower", finite_or_null(each.lower)},
                      {"upper", finite_or_null(each.upper)},
                      {"angle", each.angle},
                      {"actuated", each.actuated},
                      {"at_limit", each.at_limit}});
  }
  const Singularity s = singularity(plan, prepared_.work, prepared_.state.q);
  return {{"joints", std::move(joints)},
          {"pulled", pulled_},
          {"missed", missed_},
          {"length", plan.characteristic_length()},
          {"condition",
           {{"closure", finite_or_null(s.closure)},
            {"motors", plan.actuated_speeds().empty() ? nlohmann::json(nullptr)
                                                      : finite_or_null(std::max(s.dependent, s.actuation))}}},
          {"singular", singular_in_words(plan, s)}};
}

std::string LivePose::report() {
  nlohmann::json block = description();
  std::string note;
  const VectorX given = prepared_.state.q;
  prepared_.state.q = settled(note);
  Report made;
  try {
    made = make_report(*model_, prepared_);
  } catch (...) {
    prepared_.state.q = given;
    throw;
  }
  prepared_.state.q = given;
  block["note"] = note;
  return with_entry(made.json, "pose", block);
}

}  // namespace lithe::cli

#include "lithe/simulation/controller_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lithe::detail {
namespace {

std::string coordinate_name(const Mechanism& mechanism, const std::string& joint, int coordinate) {
  const int index = mechanism.find_joint(joint);
  const bool several = index >= 0 && speed_count(mechanism.joints[index].type) > 1;
  return several ? fmt::format("{}.{}", joint, coordinate) : joint;
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

std::string about(const std::string& law, double t, const std::string& why) {
  return fmt::format("{} failed at t = {:.6g} s: {}", law, t, why);
}

}  // namespace

std::pair<int, int> joint_coordinate(const Mechanism& mechanism, const std::string& name) {
  if (const int joint = mechanism.find_joint(name); joint >= 0) return {joint, 0};
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {-1, 0};
  int coordinate = -1;
  const char* end = name.data() + name.size();
  if (std::from_chars(name.data() + dot + 1, end, coordinate).ptr != end) return {-1, 0};
  return {mechanism.find_joint(name.substr(0, dot)), coordinate};
}

int coordinate_place(const Plan& plan, int speed) {
  if (speed < plan.nv()) return position_of_speed(plan, speed);
  for (const JointPlace& place : plan.places()) {
    const int k = speed - plan.nv() - place.v;
    if (!place.cut || k < 0 || k >= place.nv) continue;
    const int scalars = place.nq == place.nv ? place.nq : place.nq - 4;
    return k < scalars ? place.q + k : -1;
  }
  return -1;
}

ControllerSet::ControllerSet(const Model& model, const Plan& plan) : plan_(plan) {
  for (const Drive& drive : model.drives) {
    if (!drive.law) continue;
    speed_index(plan, drive.joint, drive.coordinate);  // complains about joints and coordinates that do not exist
    const std::string name = coordinate_name(plan.mechanism(), drive.joint, drive.coordinate);
    add(model, fmt::format("the law of joint '{}'", name), {name}, {name},
        [law = &drive.law](double t, std::span<const double> q, std::span<const double> v, std::span<double> force) {
          force[0] = (*law)(t, q[0], v[0]);
        });
  }
  for (const Controller& controller : model.controllers) {
    std::vector<std::string> drives = controller.drives;
    if (drives.empty()) {
      for (const int v : plan.actuated_speeds()) {
        drives.push_back(plan.speed_name(v));
      }
    }
    if (drives.empty()) throw MechanismError("controllers", "a controller has nothing to drive: no joint is actuated");
    if (!controller.law) {
      throw MechanismError("controllers", fmt::format("the controller of {} has no law", quoted_list(drives)));
    }
    add(model, fmt::format("the controller of {}", quoted_list(drives)), drives,
        controller.observes.empty() ? drives : controller.observes, controller.law);
  }
}

void ControllerSet::add(const Model& model, std::string name, const std::vector<std::string>& drives,
                        const std::vector<std::string>& observes, decltype(Controller::law) law) {
  Entry entry{std::move(name), {}, {}, {}, {}, {}, std::move(law)};
  for (const std::string& driven : drives) {
    const int speed = speed_named(plan_, driven);
    const auto prescribed = [&](const Drive& drive) {
      return drive.prescribed && speed_index(plan_, drive.joint, drive.coordinate) == speed;
    };
    if (std::any_of(model.drives.begin(), model.drives.end(), prescribed)) {
      throw MechanismError(driven, fmt::format("{}: the motion of '{}' is prescribed ('by: motion'), so no force law "
                                               "can act there; drive it by pd or inverse-dynamics instead",
                                               entry.name, driven));
    }
    if (speed < plan_.nv() && plan_.is_bending(speed)) {
      throw MechanismError(driven,
                           fmt::format("{}: '{}' is an elastic coordinate, which has no motor", entry.name, driven));
    }
    entry.driven.push_back(speed);
  }
  for (const std::string& observed : observes) {
    entry.observed.push_back(observe(observed));
    if (entry.observed.back().position < 0) {
      throw MechanismError(observed, fmt::format("{}: '{}' is part of a rotation in space, which has no scalar "
                                                 "coordinate to observe",
                                                 entry.name, observed));
    }
  }
  entry.q.resize(entry.observed.size());
  entry.v.resize(entry.observed.size());
  entry.force.resize(entry.driven.size());
  entries_.push_back(std::move(entry));
}

ControllerSet::Observed ControllerSet::observe(const std::string& name) {
  const int speed = speed_named(plan_, name);
  uses_cut_coordinates_ = uses_cut_coordinates_ || speed >= plan_.nv();
  return {speed, coordinate_place(plan_, speed)};
}

RunStatus ControllerSet::add_forces(double t, const State& state, const VectorX& cut_q, const VectorX& cut_v,
                                    VectorX& tau) {
  if (thrown_) return RunStatus::refused(about_thrown_);
  for (Entry& entry : entries_) {
    for (std::size_t i = 0; i < entry.observed.size(); ++i) {
      const Observed& observed = entry.observed[i];
      const bool cut = observed.speed >= plan_.nv();
      entry.q[i] = cut ? cut_q[observed.position] : state.q[observed.position];
      entry.v[i] = cut ? cut_v[observed.speed - plan_.nv()] : state.v[observed.speed];
    }
    std::fill(entry.force.begin(), entry.force.end(), 0.0);
    try {
      entry.law(t, entry.q, entry.v, entry.force);
    } catch (const std::exception& error) {
      return keep_thrown(entry, t, error.what());
    } catch (...) {
      return keep_thrown(entry, t, "it threw something that is no std::exception");
    }
    for (std::size_t i = 0; i < entry.driven.size(); ++i) {
      if (!std::isfinite(entry.force[i]))
        return RunStatus::refused(about(entry.name, t, fmt::format("its force is {}", entry.force[i])));
      tau[entry.driven[i]] += entry.force[i];
    }
  }
  return {};
}

RunStatus ControllerSet::keep_thrown(const Entry& entry, double t, const std::string& what) {
  thrown_ = std::current_exception();
  about_thrown_ = about(entry.name, t, what);
  return RunStatus::refused(about_thrown_);
}

}  // namespace lithe::detail

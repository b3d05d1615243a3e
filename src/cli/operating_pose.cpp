#include "operating_pose.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "model_options.hpp"
#include "remarks.hpp"
#include "terminal.hpp"

namespace lithe::cli {

std::string motors_in_words(const OperatingPoint& point) {
  switch (point.motors()) {
    case Motors::loaded:
      return point.is_moving() ? "motors apply what the motion needs" : "motors apply what holds the pose";
    case Motors::servo:
      return !point.feedback()        ? "motors locked"
             : point.locked().empty() ? "motors held by their feedback"
                                      : "motors held by their feedback, the others locked";
    case Motors::locked:
      return "motors locked";
    case Motors::free:
      return "motors free";
  }
  return "";
}

Motors motors_of_options(const PoseOptions& options, Motors otherwise) {
  if (options.free_motors && options.locked_motors)
    throw InputError("--free and --locked contradict each other; give one of them");
  return options.free_motors ? Motors::free : options.locked_motors ? Motors::locked : otherwise;
}

void print_pose(OperatingPoint& point) {
  const auto pose = point.pose(), given = point.given_pose();
  std::map<std::string, double> forces;
  for (const auto& [name, force] : point.motor_forces()) forces[name] = force;
  Table table({"joint", "given (rad, m)", "found (rad, m)", "motor (N m, N)"}, "lrrr");
  for (std::size_t i = 0; i < pose.size(); ++i) {
    const auto& [name, value] = pose[i];
    const bool elastic = point.plan().mechanism().find_link(name.substr(0, name.rfind('.'))) > 0 &&
                         point.plan().mechanism().find_joint(name) < 0 && name.find(".e") != std::string::npos;
    if (elastic) continue;
    const auto force = forces.find(name);
    table.add({name, number(given[i].second, 6), number(value, 6),
               force == forces.end() || point.motors() == Motors::free ? "" : number(force->second, 8)});
  }
  if (!table.empty()) table.print();
  if (point.shift().distance > 0)
    fmt::print("{}\n", dim(fmt::format("frames moved by up to {} mm from the given pose to this one",
                                       number(1e3 * point.shift().distance, 4))));
}

void add_pose(OperatingPoint& point, nlohmann::json& answer) {
  const auto object = [](const auto& pairs) {
    nlohmann::json map = nlohmann::json::object();
    for (const auto& [name, value] : pairs) map[name] = value;
    return map;
  };
  answer["t"] = point.state().t;
  answer["moving"] = point.is_moving();
  answer["pose"] = object(point.pose());
  answer["given"] = object(point.given_pose());
  answer["motors"] = object(point.motor_forces());
  answer["moved"] = {{"joint", point.shift().coordinate},
                     {"from", point.shift().from},
                     {"to", point.shift().to},
                     {"distance", point.shift().distance}};
  answer.update(to_json(point.remarks()));
}

}  // namespace lithe::cli

#include "lithe/io/read_move.hpp"

#include <fmt/format.h>

namespace lithe::io {
namespace {

void remember(const std::string& name, const Item& item, StudyFile& file) {
  file.places[name] = {*item.key_place.file, item.key_place.line, item.key_place.column, item.path, {}};
}

MotorMove read_motor(Reader& reader, const NamedItem& named, const Object& object) {
  MotorMove motor;
  motor.joint = named.name;
  const auto number = [&](const char* key, std::optional<double>& value) {
    if (const auto item = object.get(key)) value = reader.number(*item);
  };
  if (const auto to = object.get("to")) motor.to = reader.number(*to).value_or(0.0);
  number("from", motor.from);
  number("torque", motor.force);
  if (const auto force = object.get("force")) {
    if (object.has("torque")) reader.complain_key(*force, "'torque' and 'force' are two words for one thing; keep one");
    motor.force = reader.number(*force);
  }
  number("speed", motor.speed);
  number("acceleration", motor.acceleration);
  return motor;
}

}  // namespace

void read_move(Reader& reader, const Item& item, StudyFile& file) {
  remember("move", item, file);
  const auto object = reader.object(item, "study-move");
  if (!object) return;
  MoveProblem problem;
  bool is_limited = false;
  if (const auto motors = object->get("motors")) {
    remember("motors", *motors, file);
    for (const NamedItem& named : reader.map(*motors).value_or(std::vector<NamedItem>{})) {
      remember(named.name, named.item, file);
      const auto keys = reader.object(named.item, "study-motor");
      if (!keys || keys->incomplete) continue;
      problem.motors.push_back(read_motor(reader, named, *keys));
      const MotorMove& motor = problem.motors.back();
      is_limited = is_limited || motor.force || motor.speed || motor.acceleration;
    }
    if (!problem.motors.empty() && !is_limited)
      reader.complain_key(*motors,
                          "without a limit of 'torque', 'speed' or 'acceleration' a move may be as fast as one likes");
  }
  if (const auto vibration = object->get("vibration"))
    for (const NamedItem& named : reader.map(*vibration).value_or(std::vector<NamedItem>{})) {
      remember(named.name, named.item, file);
      if (const auto most = reader.number(named.item)) problem.quiet.push_back({named.name, *most});
    }
  if (const auto start = object->get("start")) {
    remember("start", *start, file);
    problem.start = reader.number(*start).value_or(0.0);
  }
  if (const auto watch = object->get("watch")) problem.watch = reader.number(*watch).value_or(0.0);
  if (const auto pieces = object->get("pieces")) {
    const auto count = reader.integer(*pieces);
    if (count && (*count < 4 || *count > 60))
      reader.complain(*pieces, fmt::format("expected 4 to 60 pieces, but this is {}", *count));
    else
      problem.pieces = static_cast<int>(count.value_or(12));
  }
  file.move = problem;
}

}  // namespace lithe::io

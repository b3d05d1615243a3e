#include "lithe/io/quantity.hpp"

#include <array>
#include <map>

namespace lithe {
namespace {

enum class Kind { angle, distance, orientation, elastic, unknown };

/// What the coordinate `name` ("motor", "wrist.2", "crank.e1") is; `speed`: it counts speeds, not coordinates.
Kind kind_of(const std::string& name, const Mechanism& mechanism, bool speed) {
  const auto dot = name.rfind('.');
  const std::string part = dot == std::string::npos ? "" : name.substr(dot + 1);
  int joint = mechanism.find_joint(name), coordinate = 0;
  if (joint < 0 && dot != std::string::npos) {
    if (part.size() > 1 && part[0] == 'e' && mechanism.find_link(name.substr(0, dot)) > 0) return Kind::elastic;
    joint = mechanism.find_joint(name.substr(0, dot));
    if (joint >= 0 && part.find_first_not_of("0123456789") == std::string::npos) coordinate = std::stoi(part);
  }
  // In Cartesian coordinates the platform hangs on a free joint that the file does not have.
  JointType type = JointType::free;
  if (joint >= 0) {
    type = mechanism.joints[joint].type;
  } else if (name.find(".free") == std::string::npos) {
    return Kind::unknown;
  }
  if (facts_of(type).is_angle(coordinate)) return Kind::angle;
  if (facts_of(type).is_distance(coordinate)) return Kind::distance;
  return speed ? Kind::angle : Kind::orientation;
}

/// What the last part of the name of a column says.
Quantity element_quantity(const std::string& kind, const std::string& name) {
  const std::string part = name.substr(name.rfind('.') + 1);
  if (kind == "rope") {
    if (part == "power") return {"power", "W"};
    return part == "tension" || part == "end-tension" ? Quantity{"rope tensions", "N"} : Quantity{"rope lengths", "m"};
  }
  if (kind == "contact") {
    if (part == "gap") return {"gaps", "m"};
    return part == "slip" ? Quantity{"slip", "m/s"} : Quantity{"contact forces", "N"};
  }
  switch (part[0]) {
    case 'r':
      return {"bushing turns", "rad"};
    case 'f':
      return {"bushing forces", "N"};
    case 'm':
      return {"bushing moments", "N m"};
    default:
      return {"bushing deflections", "m"};
  }
}

}  // namespace

Quantity quantity_of(const std::string& column, const Mechanism* mechanism) {
  const auto dot = column.find('.');
  const std::string head = column.substr(0, dot), name = dot == std::string::npos ? "" : column.substr(dot + 1);
  if (head == "path") return {"condition of the path", "1"};
  if (head == "closure") return {"closure error", "m or 1"};
  if (head == "energy") return {"energies", "J"};
  if (head == "pos") return {"positions", "m"};
  if (head == "vel") return {"velocities", "m/s"};
  if (head == "omega") return {"angular velocities", "rad/s"};
  if (head == "acc") return {"accelerations of frames", "m/s²"};
  if (head == "alpha") return {"angular accelerations of frames", "rad/s²"};
  if (head == "quat") return {"quaternions", "1"};
  if (head == "momentum") return {"momentum", "kg m/s"};
  if (head == "angular-momentum") return {"angular momentum", "kg m²/s"};
  if (head == "spring") {  // the last part is length, force or energy
    if (name.ends_with(".length")) return {"spring lengths", "m"};
    return name.ends_with(".force") ? Quantity{"spring forces", "N"} : Quantity{"energies", "J"};
  }
  if (head == "coupling") return {"coupling forces", "N m or N"};
  if (head == "rope" || head == "bushing" || head == "contact") return element_quantity(head, name);
  if (head == "motor" || head == "gear" || head == "cylinder") {
    static const std::map<std::string, Quantity, std::less<>> machine{
        {"motor.torque", {"motor torques", "N m"}}, {"motor.speed", {"motor speeds", "rad/s"}},
        {"motor.power", {"motor power", "W"}},      {"motor.loss", {"motor power", "W"}},
        {"motor.electrical", {"motor power", "W"}}, {"motor.current", {"currents", "A"}},
        {"motor.voltage", {"voltages", "V"}},       {"cylinder.force", {"forces", "N"}},
        {"cylinder.bore", {"pressures", "Pa"}},     {"cylinder.rod", {"pressures", "Pa"}},
        {"cylinder.flow", {"flows", "m³/s"}}};
    const auto found = machine.find(head + column.substr(column.rfind('.')));
    if (found != machine.end()) return found->second;
    const Kind turns =
        mechanism == nullptr ? Kind::unknown : kind_of(name.substr(0, name.rfind('.')), *mechanism, true);
    if (name.ends_with(".twist")) return {"twist of gears", turns == Kind::distance ? "m" : "rad"};
    return {"forces of gears", turns == Kind::distance ? "N" : "N m"};
  }
  static const std::map<std::string, Quantity, std::less<>> sensors{{"encoder", {"encoders", "rad or m"}},
                                                                    {"tachometer", {"tachometers", "rad/s or m/s"}},
                                                                    {"tracker", {"trackers", "m"}},
                                                                    {"gyro", {"gyros", "rad/s"}},
                                                                    {"accelerometer", {"accelerometers", "m/s²"}},
                                                                    {"strain-gauge", {"strain", "1"}}};
  if (const auto found = sensors.find(head); found != sensors.end()) return found->second;
  if (head == "force-torque")
    return name.find(".moment.") == std::string::npos ? Quantity{"joint forces", "N"}
                                                      : Quantity{"joint moments", "N m"};
  if (head == "control")
    return name.find(".state.") == std::string::npos ? Quantity{"forces of controllers", "N m or N"}
                                                     : Quantity{"states of controllers", ""};
  if (head == "deflection") return {"deflections", "m"};
  if (head == "deflection-at") return {"deflections at frames", "m"};
  if (head == "power") return {"motor power", "W"};
  if (head == "error") {  // of a joint, else the distance of a frame from its path
    const Kind follows = mechanism == nullptr ? Kind::unknown : kind_of(name, *mechanism, true);
    return {"tracking errors", follows == Kind::angle ? "rad" : mechanism == nullptr ? "" : "m"};
  }
  if (head == "bending") return {"bending of links", "m"};
  if (head == "bending-rate") return {"bending rates", "m/s"};
  if (head == "rot") return {"rotation vectors", "rad"};
  if (head == "force") return {"joint forces", "N"};
  if (head == "moment") return {"joint moments", "N m"};
  if (head == "section") {  // the last part is N, Qy, Qz, Mx, My or Mz
    const bool moment = name.find(".M", name.rfind('.')) != std::string::npos;
    return moment ? Quantity{"section moments", "N m"} : Quantity{"section forces", "N"};
  }
  if (head == "stress") {
    for (const char* part : {".axial", ".bending", ".shear", ".torsion"})
      if (name.ends_with(part)) return {"parts of stress", "Pa"};
    return {"stress", "Pa"};
  }
  if (head != "q" && head != "v" && head != "a" && head != "tau") return {"other", ""};

  const Kind kind = mechanism == nullptr ? Kind::unknown : kind_of(name, *mechanism, head != "q");
  struct Row {
    const char* head;
    std::array<Quantity, 5> by_kind;  ///< angle, distance, orientation, elastic, unknown
  };
  // Elastic coordinates belong to mass-normalised modes: half the square of a speed is an energy.
  static const std::array<Row, 4> table{{
      {"q",
       {{{"angles", "rad"},
         {"distances", "m"},
         {"quaternions", "1"},
         {"elastic amplitudes", "m √kg"},
         {"coordinates", ""}}}},
      {"v",
       {{{"angular speeds", "rad/s"},
         {"speeds", "m/s"},
         {"angular speeds", "rad/s"},
         {"elastic speeds", "m √kg/s"},
         {"speeds", ""}}}},
      {"a",
       {{{"angular accelerations", "rad/s²"},
         {"accelerations", "m/s²"},
         {"angular accelerations", "rad/s²"},
         {"elastic accelerations", "m √kg/s²"},
         {"accelerations", ""}}}},
      {"tau",
       {{{"torques", "N m"}, {"forces", "N"}, {"torques", "N m"}, {"elastic forces", "N/√kg"}, {"drive forces", ""}}}},
  }};
  for (const Row& row : table) {
    if (head == row.head) return row.by_kind[static_cast<std::size_t>(kind)];
  }
  return {"other", ""};
}

}  // namespace lithe

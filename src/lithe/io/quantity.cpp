#include "lithe/io/quantity.hpp"

#include <array>
#include <map>

namespace lithe {
namespace {

using QuantityTable = std::map<std::string, Quantity, std::less<>>;

enum class Kind { angle, distance, elastic, unknown, orientation };

/// What the coordinate `name` ("motor", "wrist.2", "crank.e1") is; `speed`: it counts speeds, not coordinates.
Kind kind_of(const std::string& name, const Mechanism* mechanism, bool speed) {
  if (mechanism == nullptr) return Kind::unknown;
  const auto dot = name.rfind('.');
  const std::string part = dot == std::string::npos ? "" : name.substr(dot + 1);
  int joint = mechanism->find_joint(name), coordinate = 0;
  if (joint < 0 && dot != std::string::npos) {
    if (part.size() > 1 && part[0] == 'e' && mechanism->find_link(name.substr(0, dot)) > 0) return Kind::elastic;
    joint = mechanism->find_joint(name.substr(0, dot));
    if (joint >= 0 && part.size() == 1 && part[0] >= '0' && part[0] <= '9') coordinate = part[0] - '0';
  }
  // In Cartesian coordinates the platform hangs on a free joint that the file does not have.
  JointType type = JointType::free;
  if (joint >= 0) {
    type = mechanism->joints[joint].type;
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

Quantity spring_quantity(const std::string& name) {
  if (name.ends_with(".length")) return {"spring lengths", "m"};
  return name.ends_with(".force") ? Quantity{"spring forces", "N"} : Quantity{"energies", "J"};
}

/// Of a motor, a gear or a cylinder. Those of a gear are in the units of the coordinate that it stands at.
Quantity machine_quantity(const std::string& head, const std::string& column, const Mechanism* mechanism) {
  static const QuantityTable table{
      {"motor.torque", {"motor torques", "N m"}}, {"motor.speed", {"motor speeds", "rad/s"}},
      {"motor.power", {"motor power", "W"}},      {"motor.loss", {"motor power", "W"}},
      {"motor.electrical", {"motor power", "W"}}, {"motor.current", {"currents", "A"}},
      {"motor.voltage", {"voltages", "V"}},       {"cylinder.force", {"forces", "N"}},
      {"cylinder.bore", {"pressures", "Pa"}},     {"cylinder.rod", {"pressures", "Pa"}},
      {"cylinder.flow", {"flows", "m³/s"}}};
  const auto last = column.rfind('.');
  if (last == std::string::npos) return {"other", ""};  // a file of somebody else
  const std::string part = column.substr(last);
  if (const auto found = table.find(head + part); found != table.end()) return found->second;
  const std::string name = column.substr(head.size() + 1);
  const bool slides = kind_of(name.substr(0, name.rfind('.')), mechanism, true) == Kind::distance;
  if (name.ends_with(".twist")) return {"twist of gears", slides ? "m" : "rad"};
  return {"forces of gears", slides ? "N" : "N m"};
}

/// The last part is N, Qy, Qz, Mx, My or Mz.
Quantity section_quantity(const std::string& name) {
  const bool is_moment = name.find(".M", name.rfind('.')) != std::string::npos;
  return is_moment ? Quantity{"section moments", "N m"} : Quantity{"section forces", "N"};
}

Quantity stress_quantity(const std::string& name) {
  for (const char* part : {".axial", ".bending", ".shear", ".torsion"})
    if (name.ends_with(part)) return {"parts of stress", "Pa"};
  return {"stress", "Pa"};
}

/// Of coordinates, their speeds and accelerations, and the forces along them.
Quantity coordinate_quantity(const std::string& head, const std::string& name, const Mechanism* mechanism) {
  // By kind: angle, distance, elastic, unknown. Elastic coordinates belong to mass-normalised modes: half the square of
  // a speed is an energy.
  static const std::map<std::string, std::array<Quantity, 4>> table{
      {"q", {{{"angles", "rad"}, {"distances", "m"}, {"elastic amplitudes", "m √kg"}, {"coordinates", ""}}}},
      {"v", {{{"angular speeds", "rad/s"}, {"speeds", "m/s"}, {"elastic speeds", "m √kg/s"}, {"speeds", ""}}}},
      {"a",
       {{{"angular accelerations", "rad/s²"},
         {"accelerations", "m/s²"},
         {"elastic accelerations", "m √kg/s²"},
         {"accelerations", ""}}}},
      {"tau", {{{"torques", "N m"}, {"forces", "N"}, {"elastic forces", "N/√kg"}, {"drive forces", ""}}}}};
  const auto found = table.find(head);
  if (found == table.end()) return {"other", ""};
  const Kind kind = kind_of(name, mechanism, head != "q");
  if (kind == Kind::orientation) return {"quaternions", "1"};  // speeds there are angular ones
  return found->second[static_cast<std::size_t>(kind)];
}

}  // namespace

Quantity quantity_of(const std::string& column, const Mechanism* mechanism) {
  static const QuantityTable table{{"path", {"condition of the path", "1"}},
                                   {"closure", {"closure error", "m or 1"}},
                                   {"energy", {"energies", "J"}},
                                   {"pos", {"positions", "m"}},
                                   {"vel", {"velocities", "m/s"}},
                                   {"omega", {"angular velocities", "rad/s"}},
                                   {"acc", {"accelerations of frames", "m/s²"}},
                                   {"alpha", {"angular accelerations of frames", "rad/s²"}},
                                   {"quat", {"quaternions", "1"}},
                                   {"rot", {"rotation vectors", "rad"}},
                                   {"momentum", {"momentum", "kg m/s"}},
                                   {"angular-momentum", {"angular momentum", "kg m²/s"}},
                                   {"coupling", {"coupling forces", "N m or N"}},
                                   {"encoder", {"encoders", "rad or m"}},
                                   {"tachometer", {"tachometers", "rad/s or m/s"}},
                                   {"tracker", {"trackers", "m"}},
                                   {"gyro", {"gyros", "rad/s"}},
                                   {"accelerometer", {"accelerometers", "m/s²"}},
                                   {"strain-gauge", {"strain", "1"}},
                                   {"deflection", {"deflections", "m"}},
                                   {"deflection-at", {"deflections at frames", "m"}},
                                   {"bending", {"bending of links", "m"}},
                                   {"bending-rate", {"bending rates", "m/s"}},
                                   {"power", {"motor power", "W"}},
                                   {"force", {"joint forces", "N"}},
                                   {"moment", {"joint moments", "N m"}}};
  const auto dot = column.find('.');
  const std::string head = column.substr(0, dot), name = dot == std::string::npos ? "" : column.substr(dot + 1);
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (const auto found = table.find(head); found != table.end()) return found->second;
  if (head == "spring") return spring_quantity(name);
  if (head == "rope" || head == "bushing" || head == "contact") return element_quantity(head, name);
  if (head == "motor" || head == "gear" || head == "cylinder") return machine_quantity(head, column, mechanism);
  if (head == "force-torque") return has(".moment.") ? Quantity{"joint moments", "N m"} : Quantity{"joint forces", "N"};
  if (head == "control")
    return has(".state.") ? Quantity{"states of controllers", ""} : Quantity{"forces of controllers", "N m or N"};
  if (head == "error") {  // of a joint, else the distance of a frame from its path
    const bool is_angle = kind_of(name, mechanism, true) == Kind::angle;
    return {"tracking errors", is_angle ? "rad" : mechanism == nullptr ? "" : "m"};
  }
  if (head == "section") return section_quantity(name);
  if (head == "stress") return stress_quantity(name);
  return coordinate_quantity(head, name, mechanism);
}

}  // namespace lithe

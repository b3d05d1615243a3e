// motor of a joint, cylinders.

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "lithe/io/model_builder.hpp"
#include "lithe/simulation/expand_motors.hpp"
#include "lithe/simulation/place_cylinders.hpp"

namespace lithe::io {

namespace {

constexpr double usual_wall = 1.2;   ///< outer diameter of a tube by its bore
constexpr double usual_dead = 0.05;  ///< dead volume by bore area times stroke

}  // namespace

void ModelBuilder::read_motor(const Object& object, Joint& joint) {
  const auto item = object.get("motor");
  if (!item) return;
  motors_.emplace(joint.name, *item);
  const auto motor = reader_.object(*item, "motor");
  if (joint.facts().scalars() == 0)
    return reader_.complain_key(*item, fmt::format("a {} joint has no coordinate that a motor could turn; give a "
                                                   "revolute or prismatic joint its motor",
                                                   name_of(joint.type)));
  if (!object.has("actuated") && speed_count(joint.type) == 1) joint.actuated = {true};
  const auto count = std::count(joint.actuated.begin(), joint.actuated.end(), true);
  if (count != 1)
    return reader_.complain_key(
        *item, count == 0
                   ? fmt::format("the joint is not actuated; say which of its speeds the motor drives{}",
                                 joint.facts().speeds == 1 ? ": actuated: true" : ": actuated: [true, false]")
                   : fmt::format("a motor drives one speed, but {} are actuated: actuated: [true, false]", count));
  if (!motor) return;
  Motor data;
  const auto number = [&](const Object& from, const char* key, double& value) {
    if (const auto given = from.get(key)) value = reader_.number(*given).value_or(value);
  };
  for (const auto& [key, value] : {std::pair{"rotor", &data.rotor}, std::pair{"ratio", &data.ratio},
                                   std::pair{"efficiency", &data.efficiency}, std::pair{"stiffness", &data.stiffness},
                                   std::pair{"damping", &data.damping}, std::pair{"torque", &data.torque}})
    number(*motor, key, *value);
  {
    const Reader::NoAngles distances(reader_, joint.facts().is_distance(0));
    number(*motor, "backlash", data.backlash);
  }
  if (const auto curve = motor->get("curve")) read_torque_curve(*curve, data);
  const auto windings_item = motor->get("windings");
  if (const auto windings = windings_item ? reader_.object(*windings_item, "windings") : std::nullopt)
    for (const auto& [key, value] :
         {std::pair{"resistance", &data.windings.resistance}, std::pair{"constant", &data.windings.constant},
          std::pair{"inductance", &data.windings.inductance}, std::pair{"voltage", &data.windings.voltage},
          std::pair{"current", &data.windings.current}})
      number(*windings, key, *value);
  if (options_.rigid) data.stiffness = data.damping = data.backlash = 0.0;
  if (const auto gyroscopic = motor->get("gyroscopic")) read_spinning_rotor(*gyroscopic, joint, data);
  joint.motor = std::move(data);
}

void ModelBuilder::read_spinning_rotor(const Item& item, const Joint& joint, const Motor& motor) {
  SpinningRotor rotor;
  rotor.joint = joint.name;
  const bool is_map = item.node->kind == Node::Kind::map;
  if (!is_map && !reader_.flag(item).value_or(false)) return;
  if (!(motor.rotor > 0.0))
    return reader_.complain_key(item, "a rotor without inertia has no gyroscopic effect; add 'rotor'");
  if (const auto object = is_map ? reader_.object(item, "rotor-axis") : std::nullopt) {
    if (const auto axis = object->get("axis")) {
      rotor.axis = reader_.axis(*axis);
      if (!rotor.axis) return;
    }
    if (const auto carrier = object->get("carrier")) {
      rotor.carrier = frame(*carrier);
      if (!rotor.carrier) return;
      if (!rotor.axis)
        return reader_.complain_key(*carrier, "about which axis of that frame does the rotor spin? add 'axis'");
    }
  }
  const auto driven = std::find(joint.actuated.begin(), joint.actuated.end(), true) - joint.actuated.begin();
  const JointSpeed& speed = joint.facts().speed[driven];
  if (!rotor.axis && (speed.direction != 2 || speed.in_to_frame))
    return reader_.complain_key(item, "about which axis does the rotor spin? gyroscopic: {axis: ...}");
  model_.spinning_rotors.push_back(std::move(rotor));
}

void ModelBuilder::read_torque_curve(const Item& item, Motor& motor) {
  const auto curve = reader_.object(item, "torque-curve");
  const auto speed_item = curve ? curve->get("speed") : std::nullopt,
             torque_item = curve ? curve->get("torque") : std::nullopt;
  const auto speeds = speed_item ? reader_.numbers(*speed_item, 1, SIZE_MAX) : std::nullopt;
  const auto torques = torque_item ? reader_.numbers(*torque_item, 1, SIZE_MAX) : std::nullopt;
  if (!speeds || !torques) return;
  if (speeds->size() != torques->size())
    return reader_.complain(*torque_item, fmt::format("a curve has one torque for each speed, but there are {} and {}",
                                                      torques->size(), speeds->size()));
  for (std::size_t i = 0; i < speeds->size(); ++i) motor.curve.push_back({(*speeds)[i], (*torques)[i]});
}

void ModelBuilder::read_cylinders(const Object& root) {
  const auto item = root.get("cylinders");
  const auto list = item ? reader_.map(*item) : std::nullopt;
  if (!list) return;
  for (const NamedItem& named : *list) {
    check_name(named);
    if (model_.mechanism.find_joint(named.name) >= 0)
      reader_.complain_key(named.item, fmt::format("there is a joint '{}' already; choose another name", named.name));
    cylinder_items_.emplace(named.name, named.item);
    Cylinder cylinder;
    cylinder.name = named.name;
    if (const auto object = reader_.object(named.item, "actuator")) read_cylinder(*object, cylinder);
    joint_types_known_[named.name] = true;
    add_cylinder(model_.mechanism, cylinder);
    for (int k = 0; k < 2; ++k) {
      model_.origins.emplace_back();
      frames_known_.push_back(true);
    }
    cylinders_.push_back(std::move(cylinder));
  }
}

void ModelBuilder::read_cylinder(const Object& object, Cylinder& cylinder) {
  const auto from = object.get("from"), to = object.get("to"), pins = object.get("pins");
  if (const auto place = from ? frame(*from) : std::nullopt) cylinder.from = *place;
  const auto far = to ? frame(*to) : std::nullopt;
  if (far) cylinder.to = *far;
  if (far && far->link == cylinder.from.link && !object.incomplete)
    reader_.complain(*to, fmt::format("a cylinder connects two links, but from and to are both on '{}'",
                                      model_.mechanism.links[far->link].name));
  if (pins) cylinder.pins = reader_.axis(*pins);
  for (const auto& [key, value] :
       {std::pair{"closed", &cylinder.closed}, std::pair{"stroke", &cylinder.stroke}, std::pair{"bore", &cylinder.bore},
        std::pair{"rod", &cylinder.rod}, std::pair{"tube", &cylinder.tube}, std::pair{"damping", &cylinder.damping}})
    if (const auto given = object.get(key)) *value = reader_.number(*given).value_or(0.0);
  if (!object.has("tube")) cylinder.tube = usual_wall * cylinder.bore;
  const auto masses_item = object.get("masses");
  if (cylinder.rod > 0.0 && cylinder.bore > 0.0 && !(cylinder.rod < cylinder.bore))
    reader_.complain(*object.get("rod"),
                     fmt::format("the rod ({} m) does not fit into the bore ({} m)", cylinder.rod, cylinder.bore));
  if (cylinder.tube > 0.0 && !(cylinder.tube > cylinder.bore))
    reader_.complain(*object.get("tube"), fmt::format("the tube is {} m thick and cannot have a bore of {} m",
                                                      cylinder.tube, cylinder.bore));
  cylinder.tube_mass = steel_tube_mass(cylinder);
  cylinder.rod_mass = steel_rod_mass(cylinder);
  if (const auto masses = masses_item ? reader_.numbers(*masses_item, 2, 2) : std::nullopt) {
    cylinder.tube_mass = (*masses)[0];
    cylinder.rod_mass = (*masses)[1];
  }
  const auto stops_item = object.get("stops");
  if (const auto stops = stops_item ? reader_.object(*stops_item, "end-stops") : std::nullopt) {
    const auto stiffness = stops->get("stiffness"), damping = stops->get("damping");
    if (stiffness) cylinder.stop_stiffness = reader_.number(*stiffness).value_or(0.0);
    if (damping) cylinder.stop_damping = reader_.number(*damping).value_or(0.0);
  }
  if (const auto oil = object.get("oil")) read_oil(*oil, cylinder);
}

void ModelBuilder::read_oil(const Item& item, Cylinder& cylinder) {
  const auto object = reader_.object(item, "oil");
  if (!object) return;
  OilData oil;
  oil.dead = usual_dead * cylinder.bore_area() * cylinder.stroke;
  for (const auto& [key, value] :
       {std::pair{"bulk", &oil.bulk}, std::pair{"dead", &oil.dead}, std::pair{"leak", &oil.leak},
        std::pair{"supply", &oil.supply}, std::pair{"tank", &oil.tank}})
    if (const auto given = object->get(key)) *value = reader_.number(*given).value_or(*value);
  const auto pressures_item = object->get("pressures");
  if (const auto pressures = pressures_item ? reader_.numbers(*pressures_item, 2, 2) : std::nullopt) {
    oil.bore_start = (*pressures)[0];
    oil.rod_start = (*pressures)[1];
  }
  const auto valve_item = object->get("valve"), flow = object->get("flow");
  if (valve_item && flow) reader_.complain_key(*flow, "a valve makes its own flow; give one of flow and valve");
  const Reader::NoAngles volumes(reader_);
  if (flow)
    if (auto given = law(*flow)) oil.flow = std::move(*given);
  if (const auto valve = valve_item ? reader_.object(*valve_item, "valve") : std::nullopt) {
    ValveData data;
    if (const auto given = valve->get("flow")) data.flow = reader_.number(*given).value_or(0.0);
    if (const auto given = valve->get("drop")) data.drop = reader_.number(*given).value_or(0.0);
    const auto opening = valve->get("opening");
    if (auto given = opening ? law(*opening) : std::nullopt) data.opening = std::move(*given);
    oil.valve = std::move(data);
    if (!object->has("supply") && !object->incomplete)
      reader_.complain_key(*valve_item, "a valve needs the pressure of its supply; add 'supply'");
  }
  if (object->has("supply") && !valve_item)
    reader_.complain_key(*object->get("supply"), "a supply acts through a valve; add 'valve'");
  cylinder.oil = std::move(oil);
}

void ModelBuilder::expand_machines() {
  place_cylinders(model_, cylinders_);
  expand_motors(model_);
}

}  // namespace lithe::io

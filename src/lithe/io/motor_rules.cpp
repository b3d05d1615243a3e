#include "lithe/io/motor_rules.hpp"

namespace lithe::io {

std::vector<MapRules> motor_sections() {
  return {
      {"motor",
       "a motor",
       "The motor of a joint and its gear. Motor side: the rotor; joint side: behind the gear.",
       {optional_key("rotor", "not-negative", "Inertia of the rotor about its axis, kg m^2; default 0."),
        optional_key("ratio", "plain",
                     "Radians of the rotor per radian (or metre) of the joint, of either sign; default 1."),
        optional_key("efficiency", "positive", "Of the gear, driving and driven alike; default 1."),
        optional_key("stiffness", "positive", "Of an elastic gear, joint side, N m/rad or N/m; default: a rigid gear."),
        optional_key("damping", "not-negative", "Of an elastic gear, joint side, N m s/rad or N s/m."),
        optional_key("backlash", "number", "Whole play of an elastic gear, joint side, rad or m."),
        optional_key("torque", "positive", "Largest torque, motor side, N m."),
        optional_key("curve", "torque-curve", "Largest torque over the speed, motor side."),
        optional_key("windings", "windings", "Of a direct-current motor.")},
       {}},
      {"torque-curve",
       "a torque-speed curve",
       "Largest torque at speeds of the motor, linear in between and constant outside.",
       {needed_key("speed", "list of not-negative", "Rising, rad/s."),
        needed_key("torque", "list of not-negative", "As many, N m.")},
       {}},
      {"windings",
       "a winding",
       "voltage = resistance i + inductance i' + constant (speed), torque = constant i.",
       {needed_key("resistance", "positive", "Ohm."), needed_key("constant", "positive", "N m/A, which is V s/rad."),
        optional_key("inductance", "not-negative", "H; felt under a law of voltage; default 0."),
        optional_key("voltage", "positive", "Largest, V."), optional_key("current", "positive", "Largest, A.")},
       {}},
  };
}

std::vector<MapRules> cylinder_sections() {
  return {
      {"actuator",
       "a cylinder",
       "A tube and a rod between two frames. It becomes the links NAME.tube and NAME.rod, the slide NAME and the pins "
       "NAME.base and NAME.head; the coordinate of the slide is the extension.",
       {needed_key("from", "frame", "LINK/FRAME of the tube's pin."),
        needed_key("to", "frame", "LINK/FRAME of the rod's pin."),
        optional_key("pins", "axis",
                     "Axis of both pins, in the axes of the frame from; default: a universal joint at the tube and a "
                     "spherical one at the rod."),
        needed_key("closed", "positive", "Distance of the pins when it is retracted, m."),
        needed_key("stroke", "positive", "Largest extension, m."),
        needed_key("bore", "positive", "Diameter of the piston, m."),
        needed_key("rod", "positive", "Diameter of the rod, m."),
        optional_key("tube", "positive", "Outer diameter of the tube, m; default 1.2 bore."),
        optional_key("masses", "list of not-negative", "Of tube and rod, kg; default: of steel, as long as closed."),
        optional_key("damping", "not-negative", "Viscous friction of the slide, N s/m."),
        optional_key("stops", "end-stops", "Its ends of the stroke; default hard."),
        optional_key("oil", "oil", "Oil in two chambers, in place of a drive.")},
       {}},
      {"end-stops",
       "an end stop",
       "Spring and damper beyond the ends of the stroke.",
       {needed_key("stiffness", "positive", "N/m."), optional_key("damping", "not-negative", "N s/m.")},
       {}},
      {"oil",
       "oil",
       "Pressures in the two chambers of a cylinder, moved by a valve or by a flow; with neither it is shut in.",
       {optional_key("bulk", "positive", "Bulk modulus, Pa; default 1.4e9."),
        optional_key("dead", "positive",
                     "Volume of each chamber beyond what the piston displaces, m^3; default 5 % of bore times stroke."),
        needed_key("pressures", "list of not-negative", "On the bore side and the rod side at the start, Pa."),
        optional_key("leak", "not-negative", "Past the piston, m^3/(s Pa); default 0."),
        optional_key("supply", "not-negative", "Pressure of the supply, Pa; for a valve."),
        optional_key("tank", "not-negative", "Pressure of the tank, Pa; default 0."),
        optional_key("valve", "valve", "Four edges between supply, tank and chambers."),
        optional_key("flow", "law",
                     "Into the bore side, m^3/s, in place of a valve; the rod side gives its share by the areas.")},
       {}},
      {"valve",
       "a valve",
       "Flow of an edge = opening (flow) sqrt(pressure difference / drop).",
       {needed_key("flow", "positive", "Of one edge, fully open, m^3/s."),
        needed_key("drop", "positive", "Pressure difference at which it flows, Pa."),
        needed_key("opening", "law",
                   "From -1 to 1; 1 connects the bore side with the supply and the rod side with the tank.")},
       {}},
  };
}

}  // namespace lithe::io

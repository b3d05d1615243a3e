#include "lithe/io/model_rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "lithe/io/control_rules.hpp"
#include "lithe/io/elastic_kinds.hpp"
#include "lithe/io/element_kinds.hpp"
#include "lithe/io/event_rules.hpp"
#include "lithe/io/identification_rules.hpp"
#include "lithe/io/link_rules.hpp"
#include "lithe/io/motor_rules.hpp"
#include "lithe/io/path_rules.hpp"
#include "lithe/io/study_rules.hpp"
#include "lithe/io/urdf_rules.hpp"
#include "lithe/simulation/run_entries.hpp"

namespace lithe::io {

namespace {

/// The keys of one section of `run:`, with their defaults.
std::vector<KeyRule> run_keys(std::string_view section) {
  std::vector<KeyRule> keys;
  RunOptions standard;
  for (const RunNumber& number : run_numbers())
    if (number.section == section)
      keys.push_back(optional_key(std::string(number.key), std::string(number.range),
                                  fmt::format("{}; default {}.", number.meaning, number.field(standard))));
  if (section == "run") {
    for (const RunChoice& choice : run_choices())
      keys.push_back(optional_key(std::string(choice.name), fmt::format("word({})", fmt::join(choice.choices(), ",")),
                                  fmt::format("{}; default {}.", choice.meaning, choice.get(standard))));
    keys.push_back(
        optional_key("stabilisation", "word(none) | stabilisation", "Of the multiplier form; default none."));
    keys.push_back(optional_key("penalty", "penalty", "Constants of the penalty formulation."));
  }
  for (KeyRule& key : keys) {
    key.required = section == "baumgarte";  // one without the other means nothing
    key.description[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(key.description[0])));
  }
  return keys;
}

std::vector<MapRules> plain_file_sections() {
  return {
      {"model",
       "a model file",
       "A mechanism and what is to be done with it.",
       {needed_key("lithe", "integer", "Version of the model file format: 1."),
        optional_key("name", "text", "What the mechanism is called in results; default the name of the file."),
        optional_key("description", "text", "Free text."),
        optional_key("include", "text | list of text", "Model files to start from; this file's entries win."),
        optional_key("remove", "list of text", "Entries of the included files to leave out, by path: joints.knee."),
        optional_key("parameters", "map of parameter",
                     "Named numbers for use in expressions, some with a range; --set overrides them."),
        optional_key("repeat", "repeat | list of repeat",
                     "Entries of the sections below, once for each value of an index."),
        optional_key("parts", "map of part", "Other model files, placed, with names and parameters of their own."),
        optional_key("gravity", "point", "Acceleration of gravity in ground axes, m/s^2; default none."),
        optional_key("materials", "map of material", "Materials for links given by shape."),
        optional_key("links", "map of link", "The bodies."),
        optional_key("ground", "map of rigid-frame", "Frames on the ground."),
        optional_key("scenery", "visual | list of visual", "What stands on the ground in pictures, in ground axes."),
        optional_key("joints", "map of joint", "What connects the links."),
        optional_key("couplings", "map of coupling", "Gears, screws, racks, belts: joints that are tied together."),
        optional_key("springs", "map of spring", "Spring-dampers between two points."),
        optional_key("cylinders", "map of actuator", "Hydraulic cylinders between two frames."),
        optional_key("loads", "map of load", "Forces and moments at frames, forces along links."),
        optional_key("damping", "mechanism-damping", "Of the whole mechanism, beside that of links and joints."),
        optional_key(
            "coordinates", "word(auto,joint,cartesian)",
            "Independent coordinates: chosen by conditioning (auto), the actuated joints, or the platform's pose."),
        optional_key("platform", "name", "The link called platform; needed for cartesian coordinates and denoc."),
        optional_key("initial", "map of initial | word(equilibrium)",
                     "Coordinates of joints and poses of links at the start, kept as far as the loops allow; or "
                     "equilibrium: the rest under gravity and loads with the motors held."),
        optional_key("speeds", "map of initial-speed", "Speeds of joints and twists of links at the start."),
        optional_key("drives", "map of drive", "What acts at actuated joints, and paths of frames."),
        optional_key("sensors", "map of sensor", "What controllers are told of the motion."),
        optional_key("controllers", "map of controller", "What acts on motors at sample instants."),
        optional_key("events", "map of event", "What happens in a simulation at a time or at a condition."),
        optional_key("run", "run", "How the run is done."),
        optional_key("record", "list of record-item", "What is recorded.")},
       {}},
      {"part",
       "a part",
       "A model file that is put in: the link L of the part P is called P-L, and so are joints and all other names.",
       {needed_key("model", "text", "Model file, relative to this one."),
        optional_key("at", "point", "Where the origin of its ground is, m; default the origin."),
        optional_key("rotate", "turn | list of turn",
                     "Turn of its ground: one turn, or several, each in the axes turned so far."),
        optional_key("quaternion", "list of plain", "The same as [w, x, y, z], in place of rotate."),
        optional_key("mirror", "axis",
                     "Mirror image: normal of the plane, through the origin of its ground and in its axes."),
        optional_key("set", "map of number", "Values for its parameters.")},
       {}},
      {"parameter-range",
       "a parameter",
       "A number and between which values it is meant to be varied: `lithe live` makes a slider of it.",
       {needed_key("value", "number", "The value, unless --set gives another one."),
        needed_key("from", "number", "The least value."), needed_key("to", "number", "The largest value.")},
       {}},
      {"mechanism-damping",
       "damping",
       "Damping of the whole mechanism, by ratios of its natural modes at rest in the initial pose, motors locked.",
       {optional_key("ratio", "not-negative", "Of critical damping, every mode."),
        optional_key("ratios", "list of not-negative",
                     "Of critical damping, by rising frequency; the modes beyond the list are not damped.")},
       {"ratio", "ratios"}},
  };
}

std::vector<MapRules> file_sections() {
  std::vector<MapRules> sections = plain_file_sections();
  // Sections of machine elements stand behind those of springs.
  std::vector<KeyRule>& keys = sections.front().keys;
  auto place = std::find_if(keys.begin(), keys.end(), [](const KeyRule& key) { return key.name == "loads"; });
  for (const ElementKind& kind : element_kinds())
    place = std::next(keys.insert(place, optional_key(kind.section, "map of " + kind.rule, kind.description)));
  return sections;
}

std::vector<MapRules> joint_sections() {
  return {
      {"joint",
       "a joint",
       "Connects two frames, which coincide at zero coordinates.",
       {optional_key("revolute", "axis", "Turns about this axis."),
        optional_key("prismatic", "axis", "Slides along this axis."),
        optional_key("cylindrical", "axis", "Turns about and slides along this axis."),
        optional_key("universal", "list of axis",
                     "Turns about the first axis (fixed in from), then the second (fixed in to)."),
        optional_key("spherical", "word(true) | nothing", "Turns freely about its centre."),
        optional_key("planar", "axis", "Slides in the plane across this axis and turns about it."),
        optional_key("fixed", "word(true) | nothing", "No motion."),
        optional_key("free", "word(true) | nothing", "No constraint."),
        needed_key("from", "frame", "LINK/FRAME on the base side."),
        needed_key("to", "frame", "LINK/FRAME on the moving side."),
        optional_key("actuated", "flag | list of flag", "Has a motor; one flag, or one per speed."),
        optional_key("spring", "joint-spring", "Spring that acts on the coordinate."),
        optional_key("damping", "not-negative | list of not-negative", "Viscous damping, N m s/rad or N s/m."),
        optional_key("friction", "friction | list of friction", "Friction; one for all speeds, or one per speed."),
        optional_key("stops", "stop | list of stop", "Ends of its range; one for all coordinates, or one each."),
        optional_key("armature", "not-negative | list of not-negative",
                     "Inertia of rotors that move with the joint, seen through their gears: kg m^2 or kg."),
        optional_key("motor", "motor", "Its motor and gear; the joint is then actuated."),
        optional_key("cut", "flag", "Open the loop at this joint.")},
       {"revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "fixed", "free"}},
      {"joint-spring",
       "a joint spring",
       "Force = stiffness (rest - coordinate).",
       {needed_key("stiffness", "not-negative | list of not-negative", "N m/rad or N/m; one number, or one per speed."),
        optional_key("rest", "number | list of number", "Coordinate without force; default 0.")},
       {}},
      {"friction",
       "friction",
       "Friction of a joint: viscous, and dry with rest and sliding.",
       {optional_key("viscous", "not-negative | list of not-negative",
                     "N m s/rad or N s/m; one number, or one per speed. Adds to damping."),
        optional_key("coulomb", "not-negative", "While it slides, N m or N."),
        optional_key("breakaway", "not-negative", "What it holds at rest, N m or N; default the same as coulomb."),
        optional_key("stribeck", "positive",
                     "Speed over which sliding friction falls from breakaway to coulomb; default at once."),
        optional_key("load", "not-negative",
                     "Friction per newton that the joint carries: coefficient (slides), coefficient times radius, m "
                     "(turns)."),
        optional_key("creep", "positive",
                     "No rest: friction grows with the speed and is full at this one, rad/s or m/s; default exact rest "
                     "and sliding.")},
       {}},
      {"stop",
       "stops",
       "Ends of the range of a coordinate: hard, with a restitution, or with stiffness and damping.",
       {optional_key("lower", "number", "Lower end, rad or m."), optional_key("upper", "number", "Upper end."),
        optional_key("stiffness", "positive", "Beyond an end, N m/rad or N/m; without: hard."),
        optional_key("damping", "not-negative", "Beyond an end, N m s/rad or N s/m."),
        optional_key("restitution", "not-negative",
                     "Of a hard stop: speed after an impact by that before, 0 (default) to 1.")},
       {}},
      {"nothing", "an empty map", "An empty map.", {}, {}},
      {"spring",
       "a spring",
       "Pulls two points together along their line.",
       {needed_key("from", "frame", "LINK/FRAME of one end."),
        needed_key("to", "frame", "LINK/FRAME of the other end."), optional_key("stiffness", "not-negative", "N/m."),
        optional_key("force", "spring-force",
                     "In place of stiffness, N: an expression of the stretch x and its rate v, or a curve."),
        optional_key("damping", "not-negative", "N s/m."),
        optional_key("length", "not-negative", "Length without force, m; default 0."),
        optional_key("one-sided", "word(push,pull)", "It only pushes, when shorter, or only pulls, when longer.")},
       {}},
      {"spring-curve",
       "a spring curve",
       "Force over stretch; beyond its ends it goes on straight.",
       {optional_key("stretch", "list of plain", "Length minus length without force, m, rising."),
        optional_key("force", "list of plain", "Force there, N, positive where it pulls."),
        optional_key("file", "text", "CSV file with a header line, relative to the model file, in place of the lists."),
        optional_key("column", "text",
                     "Name of the column with the force; default the second. The stretch is the first."),
        optional_key("interpolation", "word(linear,cubic)", "Default linear; cubic: natural spline.")},
       {"stretch", "file"}},
      {"load",
       "a load",
       "A force and a moment at a frame, or a force per length along a link.",
       {optional_key("at", "frame", "LINK/FRAME where it acts."),
        optional_key("along", "name", "LINK along which it is spread, in place of at."),
        optional_key("from", "not-negative | name",
                     "Where a load along a link begins: distance along the axis, m, or a frame; default its root."),
        optional_key("to", "not-negative | name", "Where it ends; default the tip."),
        optional_key("force", "list of law", "Components in N, along a link in N/m; laws of time."),
        optional_key("end", "list of law",
                     "Force per length at `to`, N/m, between them linear; default the same all along."),
        optional_key("moment", "list of law", "Components in N m at a frame; laws of time."),
        optional_key(
            "axes", "word(ground,frame,link)",
            "Axes of the components: ground (default), of the frame, or of the link along which it is spread.")},
       {"at", "along"}},
      {"pose",
       "an initial pose",
       "Start of a link, in ground axes, or of a spherical or free joint, in axes of its from-frame.",
       {optional_key("at", "point", "Position of the origin, m; links and free joints."),
        optional_key("position", "point", "The same as at."),
        optional_key("rotate", "turn | list of turn",
                     "Rotation: one turn, or several, each in the axes turned so far."),
        optional_key("axis", "axis", "Rotation axis; with angle, in place of rotate."),
        optional_key("angle", "number", "Rotation angle, rad or deg."),
        optional_key("quaternion", "list of plain", "Rotation as [w, x, y, z], in place of rotate.")},
       {}},
      {"twist",
       "an initial twist",
       "Motion of a link at the start, in ground axes.",
       {optional_key("velocity", "point", "Of its origin, m/s."),
        optional_key("angular", "rates", "Angular velocity, rad/s.")},
       {}},
  };
}

std::vector<MapRules> coupling_sections() {
  const std::string two = "Two joints; JOINT.k is coordinate k of a joint that has several.";
  return {
      {"coupling",
       "a coupling",
       "Ties coordinates of joints together, without play.",
       {optional_key("gear", "gear", "Two joints that move in a fixed ratio."),
        optional_key("screw", "screw", "A joint that turns moves another one along."),
        optional_key("rack", "rack", "A pinion moves what slides."),
        optional_key("belt", "belt", "Two pulleys turn together."),
        optional_key("mimic", "mimic", "joint = factor of + offset."),
        optional_key("equal", "list of text", "Joints whose coordinates are the same."),
        optional_key("terms", "map of plain", "Any equation: the sum of FACTOR times JOINT is the offset."),
        optional_key("offset", "number",
                     "Value of the first joint of a gear, belt or mimic, or of what slides, where the other one is "
                     "zero: rad, deg or m; default 0.")},
       {"gear", "screw", "rack", "belt", "mimic", "equal", "terms"}},
      {"gear",
       "a gear",
       "first = ratio second.",
       {needed_key("joints", "list of text", two),
        needed_key("ratio", "plain",
                   "Turns of the first per turn of the second, negative when they turn in opposite directions.")},
       {}},
      {"screw",
       "a screw",
       "slide = pitch turn / (2 pi).",
       {needed_key("turn", "text", "The joint that turns."), needed_key("slide", "text", "The joint that slides."),
        needed_key("pitch", "plain", "Travel per turn, m; negative for a left-hand thread.")},
       {}},
      {"rack",
       "a rack",
       "slide = radius pinion.",
       {needed_key("pinion", "text", "The joint that turns."), needed_key("slide", "text", "The joint that slides."),
        needed_key("radius", "plain", "Pitch radius of the pinion, m; negative when the rack runs the other way.")},
       {}},
      {"belt",
       "a belt",
       "radius first = radius second, each with its own.",
       {needed_key("joints", "list of text", two),
        needed_key("radii", "list of plain", "Of the two pulleys, m; one negative when the belt is crossed.")},
       {}},
      {"mimic",
       "a mimic",
       "joint = factor of + offset.",
       {needed_key("joint", "text", "The joint that follows."), needed_key("of", "text", "The joint that it follows."),
        optional_key("factor", "plain", "Default 1.")},
       {}},
  };
}

std::vector<MapRules> law_sections() {
  const std::string start = "Start time, s; default 0.", duration = "Duration, s.";
  return {
      {"law-kind",
       "a law of time",
       "One elementary law.",
       {optional_key("constant", "number", "The same at all times."),
        optional_key("cycloid", "cycloid", "Smooth step."),
        optional_key("trapezoid", "trapezoid", "From one value to another with limits of speed and acceleration."),
        optional_key("jerk-limited", "jerk-limited", "The same with a limit of the jerk."),
        optional_key("moves", "moves", "From value to value, each time from rest to rest."),
        optional_key("polynomial", "polynomial | list of number",
                     "Polynomial between two values, or coefficients of 1, t, t^2..."),
        optional_key("bezier", "bezier", "Bezier curve."),
        optional_key("table", "table", "Samples from a CSV file or given here."),
        optional_key("expression", "text", "Expression of t and the parameters.")},
       {"constant", "cycloid", "trapezoid", "jerk-limited", "moves", "polynomial", "bezier", "table", "expression"}},
      {"cycloid",
       "a cycloid",
       "from + (to - from) (tau - sin(2 pi tau)/(2 pi)), at rest before and after.",
       {needed_key("from", "number", "Value at the start."), needed_key("to", "number", "Value at the end."),
        needed_key("in", "positive", duration), optional_key("start", "plain", start)},
       {}},
      {"polynomial",
       "a polynomial",
       "Lowest polynomial between two values with given end derivatives.",
       {needed_key("from", "number", "Value at the start."), needed_key("to", "number", "Value at the end."),
        needed_key("in", "positive", duration), optional_key("start", "plain", start),
        optional_key("from-derivatives", "list of number", "Rate, acceleration, jerk at the start; default [0, 0]."),
        optional_key("to-derivatives", "list of number", "Rate, acceleration, jerk at the end; default [0, 0].")},
       {}},
      {"bezier",
       "a Bezier curve",
       "Bernstein form; the first and last points are the end values.",
       {needed_key("points", "list of number", "Control values, 2 to 60."), needed_key("in", "positive", duration),
        optional_key("start", "plain", start)},
       {}},
      {"table",
       "a table",
       "Samples, constant outside their range.",
       {optional_key("file", "text", "CSV file with a header line, relative to the model file."),
        optional_key("time", "text", "Name of the time column; default the first."),
        optional_key("column", "text", "Name of the value column; default the second."),
        optional_key("t", "list of plain", "Times, s, in place of a file."),
        optional_key("y", "list of number", "Values, in place of a file."),
        optional_key("interpolation", "word(hold,linear,cubic)", "Default linear; cubic: natural spline.")},
       {"file", "t"}},
      {"drive",
       "a drive",
       "What acts at an actuated joint, or the wanted motion of a frame.",
       {optional_key("follow", "law", "The wanted motion of a joint: rad or m."),
        optional_key("path", "path", "The wanted motion of the frame LINK/FRAME, or LINK, after which it is called."),
        optional_key(
            "shape", "word(none,zv,zvd,zvdd,ei,smooth) | shape",
            "Makes the wanted motion one that leaves no vibration; a word: for the lowest mode of the mechanism."),
        optional_key("by",
                     "word(motion,inverse-dynamics,rigid-inverse-dynamics,pd,pid,motors,controllers) | "
                     "list of word(motion,inverse-dynamics,rigid-inverse-dynamics,pd,pid,motors,controllers)",
                     "How the motion is followed; default motion. With motors: by the drives of other joints, which "
                     "have no motion of their own; with controllers: by those under 'controllers'. On a path: by all "
                     "motors that have no drive of their own."),
        optional_key("motors", "list of text",
                     "Joints whose motors follow a path; default: all that have no drive of their own."),
        optional_key("kp", "not-negative", "PD: N m/rad or N/m."),
        optional_key("kd", "not-negative", "PD: N m s/rad or N s/m."),
        optional_key("ki", "not-negative", "PID: N m/(rad s) or N/(m s)."),
        optional_key("task-pd", "task-pd", "PD or PID of a path in space, supplied by the motors."),
        optional_key("torque", "law", "Torque or force that is added: N m or N."),
        optional_key("force", "law", "The same as torque."),
        optional_key("voltage", "law", "Of a motor with windings, V; alone.")},
       {}},
  };
}

std::vector<MapRules> run_sections() {
  return {
      {"run", "run", "How the run is done.", run_keys("run"), {}},
      {"stabilisation",
       "a stabilisation",
       "Stabilisation of the multiplier form.",
       {needed_key("baumgarte", "baumgarte", "-2 alpha A v - beta^2 c is added to the closure accelerations.")},
       {}},
      {"baumgarte", "baumgarte", "Baumgarte's constants.", run_keys("baumgarte"), {}},
      {"penalty", "penalty", "Constants of the penalty formulation.", run_keys("penalty"), {}},
      {"record-frames",
       "a record entry",
       "Frames to record, by quantity. LINK alone means its origin.",
       {optional_key("frames", "list of frame", "Position and rotation vector."),
        optional_key("quaternions", "list of frame", "Orientation as quaternion w, x, y, z."),
        optional_key("velocities", "list of frame", "Velocity and angular velocity."),
        optional_key("accelerations", "list of frame", "Acceleration and angular acceleration."),
        optional_key("deflections", "list of frame", "Position minus that on the rigid twin with the same motors.")},
       {}},
  };
}

/// Sections of the file that may stand in a repetition, where $i is the index.
MapRules repeat_section() {
  MapRules repeat{
      "repeat",
      "a repetition",
      "Sections whose entries are written once for each value of the indices: $i stands for the index i, "
      "$(i + 1) for an expression of it, in names and in values.",
      {needed_key("for", "map of index", "The indices and their values, the last one fastest: {i: 1 to 6}.")},
      {}};
  const std::vector<MapRules> of_file = file_sections();
  for (const KeyRule& key : of_file.front().keys)
    if (key.type.starts_with("map of ") && key.name != "parameters")
      repeat.keys.push_back(optional_key(key.name, key.type, key.description));
  repeat.keys.push_back(optional_key("record", "list of record-item", "Goes on with the list of the file."));
  repeat.keys.push_back(optional_key("repeat", "repeat | list of repeat", "Inside each turn."));
  return repeat;
}

/// The alternatives as they are written.
std::vector<std::string> split(std::string_view type) {
  constexpr std::string_view separator = " | ";
  std::vector<std::string> list;
  for (std::size_t begin = 0; begin <= type.size();) {
    const std::size_t end = std::min(type.find(separator, begin), type.size());
    list.emplace_back(type.substr(begin, end - begin));
    begin = end + separator.size();
  }
  return list;
}

/// Every way in which a kind of link writes its frames.
std::string frame_alternatives() {
  std::vector<std::string> all = split("point | frame-pose");
  for (const ElasticKind& kind : elastic_kinds())
    for (const std::string& each : split(kind.frame_type))
      if (std::find(all.begin(), all.end(), each) == all.end()) all.push_back(each);
  std::string joined;
  for (const std::string& each : all) joined += (joined.empty() ? "" : " | ") + each;
  return joined;
}

}  // namespace

KeyRule needed_key(std::string name, std::string type, std::string description) {
  return {std::move(name), std::move(type), std::move(description), true, {}};
}

KeyRule optional_key(std::string name, std::string type, std::string description) {
  return {std::move(name), std::move(type), std::move(description), false, {}};
}

const KeyRule* MapRules::find(std::string_view key) const {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const KeyRule& rule) { return rule.name == key; });
  return found == keys.end() ? nullptr : &*found;
}

const std::vector<MapRules>& model_rules() {
  static const std::vector<MapRules> all = [] {
    std::vector<MapRules> list;
    for (const auto& part :
         {file_sections(), link_sections(), elastic_sections(), joint_sections(), coupling_sections(), law_sections(),
          path_sections(), run_sections(), motor_sections(), cylinder_sections(), control_sections(), shape_sections()})
      list.insert(list.end(), part.begin(), part.end());
    const auto drive =
        std::find_if(list.begin(), list.end(), [](const MapRules& rules) { return rules.name == "drive"; });
    const std::vector<MapRules> events = event_sections(*drive);
    list.insert(list.end(), events.begin(), events.end());
    list.push_back(repeat_section());
    for (const ElasticKind& kind : elastic_kinds()) list.insert(list.end(), kind.sections.begin(), kind.sections.end());
    for (const ElementKind& kind : element_kinds()) list.insert(list.end(), kind.sections.begin(), kind.sections.end());
    return list;
  }();
  return all;
}

const MapRules& section(std::string_view name) {
  for (const MapRules& candidate : model_rules())
    if (candidate.name == name) return candidate;
  // Asked only now, because those rules are made from the ones above.
  for (const MapRules& candidate : urdf_side_rules())
    if (candidate.name == name) return candidate;
  for (const MapRules& candidate : identification_rules())
    if (candidate.name == name) return candidate;
  for (const MapRules& candidate : study_rules())
    if (candidate.name == name) return candidate;
  throw std::logic_error("no section " + std::string(name) + " in the rules of the model file");
}

const std::vector<NamedType>& named_types() {
  static const std::vector<NamedType> all = [] {
    std::vector<NamedType> types = {
        {"rigid-frame", "point | frame-pose",
         "A place on a rigid link or the ground: its position, or position and axes."},
        {"frame-on-link", frame_alternatives(), "A place on a link; elastic links also say how far along."},
        {"law", "timed | law-kind | list of law-term",
         "A law of time: a number, an expression of t, one kind of law, or a list whose terms are added."},
        {"measured", "text | measured-column", "A recorded quantity, or how a column comes from one."},
        {"law-term", "timed | law-kind", "A number, an expression of t, or one kind of law."},
        {"spring-force", "stretched | spring-curve", "An expression of the stretch x and its rate v, or a curve."},
        {"changed-drive", "word(off) | event-drive", "A drive from an event on, or none."},
        {"index", "text | list of text", "Values of an index: '1 to 6', or a list of numbers or words."},
        {"parameter", "number | parameter-range", "A number, or a number with a range."},
        {"rates", "point", "Rates of turning about x, y and z, rad/s, or with deg."},
        {"initial", "number | list of number | pose | flag",
         "A coordinate or all coordinates of a joint, the pose of a link; a flag for equilibrium."},
        {"initial-speed", "number | list of number | twist", "A speed or all speeds of a joint, the twist of a link."},
        {"record-item",
         "word(coordinates,energy,forces,sections,stress,stress-parts,springs,elements,motors,control,"
         "controller-states,momentum) | "
         "record-frames",
         "Something to record."},
    };
    for (const ElasticKind& kind : elastic_kinds()) types.insert(types.end(), kind.types.begin(), kind.types.end());
    for (NamedType& type : control_types()) types.push_back(std::move(type));
    for (const ElementKind& kind : element_kinds()) types.insert(types.end(), kind.types.begin(), kind.types.end());
    return types;
  }();
  return all;
}

std::vector<std::string> alternatives(std::string_view type) {
  for (const NamedType& named : named_types())
    if (named.name == type) return split(named.type);
  return split(type);
}

std::vector<std::string> words_of(std::string_view type) {
  std::vector<std::string> words;
  for (const std::string& alternative : alternatives(type)) {
    if (!alternative.starts_with("word(")) continue;
    for (std::size_t begin = 5; begin < alternative.size();) {
      const std::size_t end = alternative.find_first_of(",)", begin);
      words.push_back(alternative.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return words;
}

std::string element_type(std::string_view type, std::string_view prefix) {
  for (const std::string& alternative : alternatives(type))
    if (alternative.starts_with(prefix)) return alternative.substr(prefix.size());
  return {};
}

}  // namespace lithe::io

#include "lithe/io/model_rules.hpp"

#include <algorithm>
#include <stdexcept>

#include "lithe/simulation/run.hpp"

namespace lithe::io {

namespace {

KeyRule needed(std::string name, std::string type, std::string description) {
  return {std::move(name), std::move(type), std::move(description), true, {}};
}
KeyRule optional(std::string name, std::string type, std::string description) {
  return {std::move(name), std::move(type), std::move(description), false, {}};
}
KeyRule elastic(std::string name) {
  return {std::move(name), "text", "Elastic links.", false,
          "elastic links are not available in this version; describe a stiff link with rigid, box, cylinder, sphere or "
          "rod"};
}

template <class Enum, std::size_t n>
std::string words(const Enum (&all)[n]) {
  std::string list;
  for (const Enum value : all) {
    if (!list.empty()) list += ',';
    list += name_of(value);
  }
  return "word(" + list + ")";
}

std::vector<Section> file_sections() {
  return {
      {"model",
       "a model file",
       "A mechanism and what is to be done with it.",
       {needed("lithe", "integer", "Version of the model file format: 1."),
        optional("name", "text", "What the mechanism is called in results; default the name of the file."),
        optional("description", "text", "Free text."),
        optional("include", "text | list of text", "Model files to start from; this file's entries win."),
        optional("parameters", "map of number", "Named numbers for use in expressions; --set overrides them."),
        optional("gravity", "point", "Acceleration of gravity in ground axes, m/s^2; default none."),
        optional("materials", "map of material", "Materials for links given by shape."),
        optional("links", "map of link", "The bodies."),
        optional("ground", "map of frame-on-link", "Frames on the ground."),
        optional("joints", "map of joint", "What connects the links."),
        optional("springs", "map of spring", "Spring-dampers between two points."),
        optional("loads", "map of load", "Forces and moments at frames."),
        optional(
            "coordinates", "word(auto,joint,cartesian)",
            "Independent coordinates: chosen by conditioning (auto), the actuated joints, or the platform's pose."),
        optional("platform", "name", "The link called platform; needed for cartesian coordinates and denoc."),
        optional("initial", "map of initial", "Joint coordinates at the start; guesses where they depend on others."),
        optional("speeds", "map of initial-speed", "Joint speeds at the start."),
        optional("drives", "map of drive", "What acts at actuated joints."),
        optional("run", "run", "How the run is done."), optional("record", "list of record-item", "What is recorded.")},
       {}},
  };
}

std::vector<Section> link_sections() {
  const std::string mass_doc = "Mass in kg; or give material.",
                    material_doc = "Name of a material that gives the density.";
  const std::string at_doc = "Centre of the body in link axes, m; default the origin.";
  return {
      {"material",
       "a material",
       "Density, and the constants that elastic links need.",
       {needed("density", "positive", "kg/m^3."), optional("young", "positive", "Young's modulus, Pa."),
        optional("poisson", "number", "Poisson's ratio, between -1 and 0.5.")},
       {}},
      {"link",
       "a link",
       "A body. Several of rigid, box, cylinder, sphere and rod add up to one rigid body.",
       {optional("rigid", "rigid", "Rigid body given by its mass properties."),
        optional("box", "box", "Uniform box, edges along the link axes."),
        optional("cylinder", "cylinder", "Uniform solid cylinder."),
        optional("sphere", "sphere", "Uniform solid sphere."),
        optional("rod", "rod", "Uniform slender rod between two points."),
        optional("frames", "map of frame-on-link", "Named places; the frame origin is always there."), elastic("beam"),
        elastic("truss"), elastic("modes"), elastic("damping"), elastic("stiffening")},
       {}},
      {"rigid",
       "a rigid body",
       "Mass properties in link axes.",
       {needed("mass", "not-negative", "kg."), optional("centre", "point", "Mass centre, m; default the origin."),
        optional("inertia", "list of number | list of point",
                 "About the mass centre, kg m^2: [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] (matrix elements) or "
                 "three rows; default zero (a point mass).")},
       {}},
      {"box",
       "a box",
       "Uniform box, edges along the link axes.",
       {needed("size", "list of positive", "Edge lengths along x, y, z, m."),
        optional("mass", "not-negative", mass_doc), optional("material", "name", material_doc),
        optional("at", "point", at_doc)},
       {"mass", "material"}},
      {"cylinder",
       "a cylinder",
       "Uniform solid cylinder.",
       {needed("radius", "positive", "m."), needed("length", "positive", "m."),
        optional("axis", "axis", "Direction of the cylinder axis; default z."),
        optional("mass", "not-negative", mass_doc), optional("material", "name", material_doc),
        optional("at", "point", at_doc)},
       {"mass", "material"}},
      {"sphere",
       "a sphere",
       "Uniform solid sphere.",
       {needed("radius", "positive", "m."), optional("mass", "not-negative", mass_doc),
        optional("material", "name", material_doc), optional("at", "point", at_doc)},
       {"mass", "material"}},
      {"rod",
       "a rod",
       "Uniform slender rod between two points.",
       {needed("from", "point", "One end, m."), needed("to", "point", "The other end, m."),
        optional("mass", "not-negative", mass_doc), optional("material", "name", material_doc + " Needs area."),
        optional("area", "positive", "Cross-section, m^2; only with material.")},
       {"mass", "material"}},
      {"frame-pose",
       "a frame",
       "A place on a link, with its axes.",
       {optional("at", "point", "Position in link axes, m; default the origin."),
        optional("rotate", "turn | list of turn",
                 "Turns applied one after the other, each about the axes already turned."),
        optional("quaternion", "list of number", "Rotation as [w, x, y, z], in place of rotate.")},
       {}},
      {"turn",
       "a turn",
       "A rotation about an axis.",
       {needed("axis", "axis", "Direction."), needed("angle", "number", "rad, or with deg.")},
       {}},
  };
}

std::vector<Section> joint_sections() {
  return {
      {"joint",
       "a joint",
       "Connects two frames, which coincide at zero coordinates.",
       {optional("revolute", "axis", "Turns about this axis."),
        optional("prismatic", "axis", "Slides along this axis."),
        optional("cylindrical", "axis", "Turns about and slides along this axis."),
        optional("universal", "list of axis",
                 "Turns about the first axis (fixed in from), then the second (fixed in to)."),
        optional("spherical", "word(true) | nothing", "Turns freely about its centre."),
        optional("planar", "axis", "Slides in the plane across this axis and turns about it."),
        optional("fixed", "word(true) | nothing", "No motion."),
        optional("free", "word(true) | nothing", "No constraint."),
        needed("from", "frame", "LINK/FRAME on the base side."),
        needed("to", "frame", "LINK/FRAME on the moving side."),
        optional("actuated", "flag | list of flag", "Has a motor; one flag, or one per speed."),
        optional("spring", "joint-spring", "Spring that acts on the coordinate."),
        optional("damping", "not-negative | list of not-negative", "Viscous damping, N m s/rad or N s/m."),
        optional("friction", "friction", "Friction; the viscous part adds to damping."),
        optional("cut", "flag", "Open the loop at this joint.")},
       {"revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "fixed", "free"}},
      {"joint-spring",
       "a joint spring",
       "Force = stiffness (rest - coordinate).",
       {needed("stiffness", "not-negative | list of not-negative", "N m/rad or N/m; one number, or one per speed."),
        optional("rest", "number | list of number", "Coordinate without force; default 0.")},
       {}},
      {"friction",
       "friction",
       "Friction of a joint.",
       {needed("viscous", "not-negative | list of not-negative", "N m s/rad or N s/m; one number, or one per speed.")},
       {}},
      {"nothing", "an empty map", "An empty map.", {}, {}},
      {"spring",
       "a spring",
       "Pulls two points together along their line.",
       {needed("from", "frame", "LINK/FRAME of one end."), needed("to", "frame", "LINK/FRAME of the other end."),
        optional("stiffness", "not-negative", "N/m."), optional("damping", "not-negative", "N s/m."),
        optional("length", "not-negative", "Length without force, m; default 0.")},
       {}},
      {"load",
       "a load",
       "A force and a moment at a frame.",
       {needed("at", "frame", "LINK/FRAME where it acts."),
        optional("force", "list of law", "Components in N; laws of time."),
        optional("moment", "list of law", "Components in N m; laws of time."),
        optional("axes", "word(ground,frame)", "Axes of the components; default ground.")},
       {}},
      {"pose",
       "an initial pose",
       "Start of a spherical or free joint.",
       {optional("position", "point", "Free joints: position in from-frame axes, m."),
        optional("axis", "axis", "Rotation axis; with angle."),
        optional("angle", "number", "Rotation angle, rad or deg."),
        optional("quaternion", "list of number", "Rotation as [w, x, y, z], in place of axis and angle.")},
       {}},
  };
}

std::vector<Section> law_sections() {
  const std::string start = "Start time, s; default 0.", duration = "Duration, s.";
  return {
      {"law-kind",
       "a law of time",
       "One elementary law.",
       {optional("constant", "number", "The same at all times."), optional("cycloid", "cycloid", "Smooth step."),
        optional("polynomial", "polynomial | list of number",
                 "Polynomial between two values, or coefficients of 1, t, t^2..."),
        optional("bezier", "bezier", "Bezier curve."),
        optional("table", "table", "Samples from a CSV file or given here."),
        optional("expression", "text", "Expression of t and the parameters.")},
       {"constant", "cycloid", "polynomial", "bezier", "table", "expression"}},
      {"cycloid",
       "a cycloid",
       "from + (to - from) (tau - sin(2 pi tau)/(2 pi)), at rest before and after.",
       {needed("from", "number", "Value at the start."), needed("to", "number", "Value at the end."),
        needed("in", "positive", duration), optional("start", "number", start)},
       {}},
      {"polynomial",
       "a polynomial",
       "Lowest polynomial between two values with given end derivatives.",
       {needed("from", "number", "Value at the start."), needed("to", "number", "Value at the end."),
        needed("in", "positive", duration), optional("start", "number", start),
        optional("from-derivatives", "list of number", "Rate, acceleration, jerk at the start; default [0, 0]."),
        optional("to-derivatives", "list of number", "Rate, acceleration, jerk at the end; default [0, 0].")},
       {}},
      {"bezier",
       "a Bezier curve",
       "Bernstein form; the first and last points are the end values.",
       {needed("points", "list of number", "Control values, 2 to 60."), needed("in", "positive", duration),
        optional("start", "number", start)},
       {}},
      {"table",
       "a table",
       "Samples, constant outside their range.",
       {optional("file", "text", "CSV file with a header line, relative to the model file."),
        optional("time", "text", "Name of the time column; default the first."),
        optional("column", "text", "Name of the value column; default the second."),
        optional("t", "list of number", "Times, s, in place of a file."),
        optional("y", "list of number", "Values, in place of a file."),
        optional("interpolation", "word(hold,linear,cubic)", "Default linear; cubic: natural spline.")},
       {"file", "t"}},
      {"drive",
       "a drive",
       "What acts at an actuated joint.",
       {optional("follow", "law", "The wanted motion: rad or m."),
        optional("by",
                 "word(motion,inverse-dynamics,rigid-inverse-dynamics,pd) | "
                 "list of word(motion,inverse-dynamics,rigid-inverse-dynamics,pd)",
                 "How the motion is followed; default motion."),
        optional("kp", "not-negative", "PD: N m/rad or N/m."),
        optional("kd", "not-negative", "PD: N m s/rad or N s/m."),
        optional("torque", "law", "Torque or force that is added: N m or N."),
        optional("force", "law", "The same as torque.")},
       {}},
  };
}

std::vector<Section> run_sections() {
  return {
      {"run",
       "run",
       "How the run is done.",
       {optional("from", "number", "Start time, s; default 0."), optional("until", "number", "End time, s; default 1."),
        optional("integrator", words(all_integrators), "Default bdf."),
        optional("rtol", "positive", "Relative tolerance; default 1e-8."),
        optional("atol", "positive", "Absolute tolerance; default 1e-10."),
        optional("step", "positive", "Step of fixed-step integrators, s; default 1e-3."),
        optional("max-step", "not-negative", "Largest step of adaptive integrators, s; 0: no limit."),
        optional("every", "positive", "Recording interval, s; default 1e-2."),
        optional("formulation", words(all_formulations), "Default noc."),
        optional("stabilisation", "word(none) | stabilisation", "Of the multiplier form; default none."),
        optional("penalty", "penalty", "Constants of the penalty formulation."),
        optional(
            "projection", words(all_projections),
            "When the coordinates are put back onto the closures: before every evaluation, after every step, never."),
        optional("condition-limit", "positive",
                 "Condition number of the closures at which a run stops as singular; "
                 "default 1e8."),
        optional("spectral-radius", "not-negative", "Of generalized-alpha at infinity, 0 to 1; default 0.9.")},
       {}},
      {"stabilisation",
       "a stabilisation",
       "Stabilisation of the multiplier form.",
       {needed("baumgarte", "baumgarte", "-2 alpha A v - beta^2 c is added to the closure accelerations.")},
       {}},
      {"baumgarte",
       "baumgarte",
       "Baumgarte's constants.",
       {needed("alpha", "not-negative", "1/s."), needed("beta", "not-negative", "1/s.")},
       {}},
      {"penalty",
       "penalty",
       "Constants of the penalty formulation.",
       {optional("stiffness", "positive", "N/m; default 1e6."),
        optional("damping", "not-negative", "N s/m; default 1e3.")},
       {}},
      {"record-frames",
       "a record entry",
       "Frames to record.",
       {needed("frames", "list of frame", "Frames whose position and rotation are recorded.")},
       {}},
  };
}

}  // namespace

const KeyRule* Section::find(std::string_view key) const {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const KeyRule& rule) { return rule.name == key; });
  return found == keys.end() ? nullptr : &*found;
}

const std::vector<Section>& model_rules() {
  static const std::vector<Section> all = [] {
    std::vector<Section> list;
    for (const auto& part : {file_sections(), link_sections(), joint_sections(), law_sections(), run_sections()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Section& section(std::string_view name) {
  for (const Section& candidate : model_rules())
    if (candidate.name == name) return candidate;
  throw std::logic_error("no section " + std::string(name) + " in the rules of the model file");
}

const std::vector<NamedType>& named_types() {
  static const std::vector<NamedType> all = {
      {"frame-on-link", "point | frame-pose", "A place on a link: its position, or position and axes."},
      {"law", "timed | law-kind | list of law-term",
       "A law of time: a number, an expression of t, one kind of law, or a list whose terms are added."},
      {"law-term", "timed | law-kind", "A number, an expression of t, or one kind of law."},
      {"initial", "number | list of number | pose", "A coordinate, or all coordinates of the joint."},
      {"initial-speed", "number | list of number", "A speed, or all speeds of the joint."},
      {"record-item", "word(coordinates,energy,forces) | record-frames", "Something to record."},
  };
  return all;
}

std::vector<std::string> alternatives(std::string_view type) {
  constexpr std::string_view separator = " | ";
  for (const NamedType& named : named_types())
    if (named.name == type) return alternatives(named.type);
  std::vector<std::string> list;
  for (std::size_t begin = 0; begin <= type.size();) {
    const std::size_t end = std::min(type.find(separator, begin), type.size());
    list.emplace_back(type.substr(begin, end - begin));
    begin = end + separator.size();
  }
  return list;
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

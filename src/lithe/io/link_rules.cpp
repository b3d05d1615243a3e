#include "lithe/io/link_rules.hpp"

#include <algorithm>

#include "lithe/io/elastic_kinds.hpp"
#include "lithe/io/read_visuals.hpp"

namespace lithe::io {

std::vector<MapRules> link_sections() {
  const std::string mass_doc = "Mass in kg; or give material.",
                    material_doc = "Name of a material that gives the density.";
  const std::string at_doc = "Centre of the body in link axes, m; default the origin.";
  std::vector<MapRules> sections{
      {"material",
       "a material",
       "Density, the constants that elastic links need, and what their stress is held against.",
       {needed_key("density", "positive", "kg/m^3."), optional_key("young", "positive", "Young's modulus, Pa."),
        optional_key("poisson", "plain", "Poisson's ratio, between -1 and 0.5."),
        optional_key("yield", "positive", "Yield stress, Pa."),
        optional_key("fatigue", "fatigue", "Cycles that it bears: an S-N line.")},
       {}},
      {"fatigue",
       "an S-N line",
       "A stress amplitude S is borne for N = cycles (amplitude / S)^slope cycles.",
       {needed_key("amplitude", "positive", "Stress amplitude of the known point, Pa."),
        needed_key("cycles", "positive", "Cycles that it is borne for."),
        needed_key("slope", "positive", "Exponent of the line."),
        optional_key("endurance", "positive",
                     "Amplitudes up to this do no damage, Pa; default: every cycle does some."),
        optional_key("ultimate", "positive",
                     "Ultimate stress, Pa: mean stress raises the amplitude as Goodman has it; default: it does not.")},
       {}},
      {"link",
       "a link",
       "A body: rigid, or one kind of elastic link. Several of rigid, box, cylinder, sphere, rod and mesh add up to "
       "one rigid body.",
       {optional_key("rigid", "rigid", "Rigid body given by its mass properties."),
        optional_key("box", "box", "Uniform box, edges along the link axes."),
        optional_key("cylinder", "cylinder", "Uniform solid cylinder."),
        optional_key("sphere", "sphere", "Uniform solid sphere."),
        optional_key("rod", "rod", "Uniform slender rod between two points."),
        optional_key("mesh", "mesh", "Uniform solid body inside a closed mesh."),
        optional_key("frames", "map of frame-on-link", "Named places; the frame origin is always there."),
        optional_key("modes", "modes | word(auto)", "Elastic links: which modes are kept, and on which supports."),
        optional_key("damping", "link-damping", "Elastic links: damping; default none."),
        optional_key("stiffening", "word(on,off,stress)",
                     "Elastic links: how axial forces change the bending stiffness; default on."),
        optional_key("tip-rotation", "word(tangent,chord)",
                     "Straight beams: what turns the frames, the slope at the frame (default) or the line to it from "
                     "the root."),
        optional_key("visual", "visual | list of visual", "What it looks like in pictures.")},
       {}},
      {"rigid",
       "a rigid body",
       "Mass properties in link axes.",
       {needed_key("mass", "not-negative", "kg."),
        optional_key("centre", "point", "Mass centre, m; default the origin."),
        optional_key(
            "inertia", "list of plain | list of point",
            "About the mass centre, kg m^2: [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] (matrix elements) or "
            "three rows; default zero (a point mass)."),
        optional_key("accept-inertia", "flag",
                     "Take an inertia that no body can have (a principal moment above the sum of the other two) as it "
                     "stands; default false: an error.")},
       {}},
      {"box",
       "a box",
       "Uniform box, edges along the link axes.",
       {needed_key("size", "list of positive", "Edge lengths along x, y, z, m."),
        optional_key("mass", "not-negative", mass_doc), optional_key("material", "name", material_doc),
        optional_key("at", "point", at_doc)},
       {"mass", "material"}},
      {"cylinder",
       "a cylinder",
       "Uniform solid cylinder.",
       {needed_key("radius", "positive", "m."), needed_key("length", "positive", "m."),
        optional_key("axis", "axis", "Direction of the cylinder axis; default z."),
        optional_key("mass", "not-negative", mass_doc), optional_key("material", "name", material_doc),
        optional_key("at", "point", at_doc)},
       {"mass", "material"}},
      {"sphere",
       "a sphere",
       "Uniform solid sphere.",
       {needed_key("radius", "positive", "m."), optional_key("mass", "not-negative", mass_doc),
        optional_key("material", "name", material_doc), optional_key("at", "point", at_doc)},
       {"mass", "material"}},
      {"rod",
       "a rod",
       "Uniform slender rod between two points.",
       {needed_key("from", "point", "One end, m."), needed_key("to", "point", "The other end, m."),
        optional_key("mass", "not-negative", mass_doc), optional_key("material", "name", material_doc + " Needs area."),
        optional_key("area", "positive", "Cross-section, m^2; only with material.")},
       {"mass", "material"}},
      {"frame-pose",
       "a frame",
       "A place on a link, with its axes.",
       {optional_key("at", "point", "Position in link axes, m; default the origin."),
        optional_key("rotate", "turn | list of turn",
                     "Turns applied one after the other, each about the axes already turned."),
        optional_key("quaternion", "list of plain", "Rotation as [w, x, y, z], in place of rotate.")},
       {}},
      {"turn",
       "a turn",
       "A rotation about an axis.",
       {needed_key("axis", "axis", "Direction."), needed_key("angle", "number", "rad, or with deg.")},
       {}},
  };
  for (MapRules& each : visual_sections()) sections.push_back(std::move(each));
  // Every kind of elastic link is a key of a link.
  for (MapRules& each : sections) {
    if (each.name != "link") continue;
    const auto frames =
        std::find_if(each.keys.begin(), each.keys.end(), [](const KeyRule& key) { return key.name == "frames"; });
    std::vector<KeyRule> keys;
    for (const ElasticKind& kind : elastic_kinds()) keys.push_back(optional_key(kind.key, kind.type, kind.description));
    each.keys.insert(frames, keys.begin(), keys.end());
  }
  return sections;
}

}  // namespace lithe::io

#include "lithe/io/urdf_rules.hpp"

#include "lithe/io/element_kinds.hpp"

namespace lithe::io {
namespace {

/// Keys of the model file that are copied as they stand.
std::vector<KeyRule> copied_keys() {
  std::vector<KeyRule> keys;
  for (const char* name :
       {"lithe",  "name",    "description", "include",     "remove", "parameters",  "gravity",  "materials",
        "ground", "scenery", "cylinders",   "springs",     "loads",  "coordinates", "platform", "initial",
        "speeds", "drives",  "sensors",     "controllers", "events", "run",         "record"})
    keys.push_back(*section("model").find(name));
  for (const ElementKind& kind : element_kinds()) keys.push_back(*section("model").find(kind.section));
  return keys;
}

/// A joint of the side file may say only what differs from the URDF.
MapRules side_joint() {
  MapRules joint = section("joint");
  joint.name = "side-joint";
  joint.description = "Changes a joint of the URDF, or, with a type, from and to, adds one that closes a loop.";
  for (KeyRule& key : joint.keys) key.required = false;
  joint.exactly_one.clear();
  return joint;
}

}  // namespace

const std::vector<MapRules>& urdf_side_rules() {
  static const std::vector<MapRules> all = [] {
    MapRules file{"side-file",
                  "a side file",
                  "What a URDF cannot say: loops, elastic links, drives, how the run is done.",
                  copied_keys(),
                  {}};
    file.keys.push_back(optional_key("rename", "side-rename", "New names; the rest of this file uses them."));
    file.keys.push_back(
        optional_key("base", "word(fixed,free)", "Whether the base stands on the ground; default fixed."));
    file.keys.push_back(optional_key("links", "map of link",
                                     "By the names in the URDF; a body replaces the rigid one, frames are added."));
    file.keys.push_back(optional_key("joints", "map of side-joint", "Changes of joints, and joints that close loops."));
    file.keys.push_back(optional_key("actuated", "word(all,none) | list of name",
                                     "Which joints have motors; default: see docs/urdf.md."));
    file.keys.push_back(optional_key("mimic", "word(coupled,free,fixed)",
                                     "What becomes of joints that mimic others; default coupled."));
    file.keys.push_back(optional_key("couplings", "word(refuse,ignore) | map of coupling",
                                     "Couplings of joints; or what becomes of couplings and force elements that cannot "
                                     "be read: an error (default), or left out with a note."));
    file.keys.push_back(optional_key("inertia", "word(refuse,repair,accept)",
                                     "Inertias that no body can have: an error (default), the nearest possible one, or "
                                     "as they stand."));
    return std::vector<MapRules>{file,
                                 side_joint(),
                                 {"side-rename",
                                  "a renaming",
                                  "From names in the URDF to names in the model.",
                                  {optional_key("links", "map of text", "New names of links."),
                                   optional_key("joints", "map of text", "New names of joints.")},
                                  {}}};
  }();
  return all;
}

}  // namespace lithe::io

#include "lithe/io/cross_sections.hpp"

#include <fmt/format.h>

#include "lithe/io/elastic_kinds.hpp"

namespace lithe::io {

Section SectionShape::section() const {
  const auto& d = dimensions;
  switch (kind) {
    case Kind::rectangle:
      return lithe::rectangle(material, d[0], d[1]);
    case Kind::circle:
      return lithe::circle(material, d[0]);
    case Kind::tube:
      return lithe::tube(material, d[0], d[1]);
    case Kind::i:
      return lithe::i_shape(material, d[0], d[1], d[2], d[3]);
  }
  return {};
}

std::vector<KeyRule> cross_section_keys() {
  return {
      optional_key("material", "name", "Name of a material with density and Young's modulus; with section."),
      optional_key("section", "cross-section", "Shape of the cross section; with material."),
      optional_key("EI", "positive", "Bending stiffness, N m^2; along y unless `bending` says otherwise."),
      optional_key("EI_y", "positive", "Bending stiffness for deflection along y, N m^2."),
      optional_key("EI_z", "positive", "Bending stiffness for deflection along z, N m^2."),
      optional_key("GJ", "positive", "Torsional stiffness, N m^2."),
      optional_key("EA", "positive", "Axial stiffness, N."),
      optional_key("kGA", "positive", "Shear stiffness kappa G A, N, in both planes."),
      optional_key("kGA_y", "positive", "Shear stiffness for deflection along y, N."),
      optional_key("kGA_z", "positive", "Shear stiffness for deflection along z, N."),
      optional_key("A", "positive", "Area of the section, m^2; for stress, with EA."),
      optional_key("W", "positive", "Section modulus, m^3, in both planes; for stress, with EI."),
      optional_key("W_y", "positive", "Section modulus for deflection along y, m^3."),
      optional_key("W_z", "positive", "Section modulus for deflection along z, m^3."),
      optional_key("W_t", "positive", "Torque over the largest shear stress, m^3; for stress, with GJ."),
      optional_key("strength", "name", "Name of a material whose yield and fatigue stress is held against; with W."),
      optional_key("mass-per-length", "not-negative", "kg/m."),
      optional_key("rotary-inertia", "not-negative | list of not-negative",
                   "Second moment of mass per length about y and z, kg m; one number for both."),
      optional_key("polar-inertia", "not-negative", "Second moment of mass per length about the axis, kg m."),
  };
}

std::vector<MapRules> cross_section_rules() {
  return {
      {"cross-section",
       "a cross section",
       "Shape of a cross section; y and z are its principal axes.",
       {optional_key("rectangle", "rectangle", "Solid rectangle."), optional_key("circle", "circle", "Solid circle."),
        optional_key("tube", "tube", "Round tube."),
        optional_key("i", "i-shape", "I shape: web along y, flanges along z.")},
       {"rectangle", "circle", "tube", "i"}},
      {"rectangle",
       "a rectangle",
       "Solid rectangle.",
       {needed_key("height", "positive", "Along y, m."), needed_key("width", "positive", "Along z, m.")},
       {}},
      {"circle", "a circle", "Solid circle.", {needed_key("radius", "positive", "m.")}, {}},
      {"tube",
       "a tube",
       "Round tube.",
       {needed_key("radius", "positive", "Outer radius, m."), needed_key("thickness", "positive", "Of the wall, m.")},
       {}},
      {"i-shape",
       "an I shape",
       "Web along y, flanges along z.",
       {needed_key("height", "positive", "Along y, over the flanges, m."),
        needed_key("width", "positive", "Of the flanges, along z, m."),
        needed_key("web", "positive", "Thickness of the web, m."),
        needed_key("flange", "positive", "Thickness of each flange, m.")},
       {}},
  };
}

namespace {

std::optional<SectionShape> read_shape(const Item& item, Reader& reader) {
  const auto object = reader.object(item, "cross-section");
  if (!object || object->incomplete) return std::nullopt;
  static const struct {
    const char* key;
    const char* rules;
    SectionShape::Kind kind;
    std::vector<const char*> dimensions;
  } shapes[] = {
      {"rectangle", "rectangle", SectionShape::Kind::rectangle, {"height", "width"}},
      {"circle", "circle", SectionShape::Kind::circle, {"radius"}},
      {"tube", "tube", SectionShape::Kind::tube, {"radius", "thickness"}},
      {"i", "i-shape", SectionShape::Kind::i, {"height", "width", "web", "flange"}},
  };
  for (const auto& each : shapes) {
    const auto given = object->get(each.key);
    if (!given) continue;
    const auto map = reader.object(*given, each.rules);
    if (!map) return std::nullopt;
    SectionShape shape;
    shape.kind = each.kind;
    Numbers numbers(*map, reader);
    for (std::size_t i = 0; i < each.dimensions.size(); ++i) shape.dimensions[i] = numbers.get(each.dimensions[i], 1.0);
    if (!numbers.good()) return std::nullopt;
    // Walls must fit into the outline.
    const auto& d = shape.dimensions;
    const auto refuse = [&](const char* key, const std::string& message) {
      reader.complain(*map->get(key), message);
      return std::nullopt;
    };
    if (shape.kind == SectionShape::Kind::tube && d[1] > d[0])
      return refuse("thickness", fmt::format("the wall is thicker than the outer radius of {} m", d[0]));
    if (shape.kind == SectionShape::Kind::i && d[2] > d[1])
      return refuse("web", fmt::format("the web is thicker than the flanges are wide, {} m", d[1]));
    if (shape.kind == SectionShape::Kind::i && 2 * d[3] >= d[0])
      return refuse("flange", fmt::format("two flanges leave no web in a height of {} m", d[0]));
    return shape;
  }
  return std::nullopt;
}

/// `EI` against `EI_y`, `EI_z`; the same for the shear stiffness.
bool refuse_both(const Object& object, const char* both, const std::vector<const char*>& single, Reader& reader) {
  for (const char* key : single) {
    const auto item = object.get(key);
    if (!item || !object.has(both)) continue;
    reader.complain_key(*item, fmt::format("'{}' stands for both planes; give either {} or {} and {}", both, both,
                                           single[0], single[1]));
    return true;
  }
  return false;
}

/// Stress that leaves out a part of the forces would look too small: every stiffness needs its modulus.
bool lacks_modulus(const Object& object, const SectionText& text, Reader& reader) {
  const SectionModuli& moduli = text.section.moduli;
  const struct {
    const char *stiffness, *modulus;
    bool is_missing;
  } pairs[] = {{"EI", "W", text.has_EI && !(moduli.bending_y > 0 && moduli.bending_z > 0)},
               {"EI_y", "W_y", text.has_EI_y && !(moduli.bending_y > 0)},
               {"EI_z", "W_z", text.has_EI_z && !(moduli.bending_z > 0)},
               {"GJ", "W_t", text.has_GJ && !(moduli.torsion > 0)},
               {"EA", "A", text.has_EA && !(moduli.area > 0)}};
  for (const auto& pair : pairs) {
    if (!pair.is_missing) continue;
    reader.complain_key(
        *object.get(pair.stiffness),
        fmt::format("stress from this needs '{}' as well; give it, or leave out all of A, W and W_t", pair.modulus));
    return true;
  }
  return false;
}

}  // namespace

std::optional<SectionText> read_cross_section(const Object& object, const std::optional<Item>& common_material,
                                              const Materials& materials, Reader& reader) {
  SectionText text;
  const auto shape = object.get("section");
  auto material = object.get("material");
  if (shape && !material) material = common_material;
  if (shape || material) {
    // The material gives everything; explicit values beside it would contradict it.
    bool good = true;
    for (const KeyRule& key : cross_section_keys()) {
      if (key.name == "material" || key.name == "section" || !object.has(key.name)) continue;
      reader.complain_key(*object.get(key.name),
                          "the material and the section give this already; give either those or explicit values");
      good = false;
    }
    if (shape && !material) reader.complain_key(*shape, "a section needs a material: 'material: NAME'");
    if (material && !shape)
      reader.complain_key(*material,
                          "a beam of a material needs its cross section: 'section: {circle: {radius: ...}}'");
    text.shape = shape ? read_shape(*shape, reader) : std::nullopt;
    const auto found = material ? materials.elastic(*material, reader) : std::nullopt;
    if (!good || !found || !text.shape) return std::nullopt;
    text.shape->material = *found;
    text.section = text.shape->section();
    text.has_EI_y = text.has_EI_z = text.has_GJ = text.has_EA = true;
    text.has_shear = text.has_rotary = text.has_mass = true;
    return text;
  }

  Numbers numbers(object, reader);
  Section& s = text.section;
  const auto set = [&](const char* key, double& value, bool& has) {
    const auto given = numbers.get(key);
    has = has || object.has(key);
    if (given) value = *given;
  };
  if (refuse_both(object, "EI", {"EI_y", "EI_z"}, reader)) numbers.fail();
  if (refuse_both(object, "kGA", {"kGA_y", "kGA_z"}, reader)) numbers.fail();
  set("EI", s.bending_y, text.has_EI);
  s.bending_z = s.bending_y;
  set("EI_y", s.bending_y, text.has_EI_y);
  set("EI_z", s.bending_z, text.has_EI_z);
  set("GJ", s.torsion, text.has_GJ);
  set("EA", s.axial, text.has_EA);
  set("kGA", s.shear_y, text.has_shear);
  s.shear_z = s.shear_y;
  set("kGA_y", s.shear_y, text.has_shear);
  set("kGA_z", s.shear_z, text.has_shear);
  if (refuse_both(object, "W", {"W_y", "W_z"}, reader)) numbers.fail();
  s.moduli.area = numbers.get("A", 0.0);
  s.moduli.bending_y = numbers.get("W_y", numbers.get("W", 0.0));
  s.moduli.bending_z = numbers.get("W_z", numbers.get("W", 0.0));
  s.moduli.torsion = numbers.get("W_t", 0.0);
  if (s.moduli.is_given() && lacks_modulus(object, text, reader)) numbers.fail();
  if (const auto strength = object.get("strength")) {
    if (!s.moduli.is_given()) {
      reader.complain_key(*strength, "stress needs the section moduli, too: give 'W'");
      numbers.fail();
    }
    const auto found = materials.strength(*strength, reader);
    if (!found) numbers.fail();
    s.strength = found.value_or(Strength{});
  }
  set("mass-per-length", s.mass_per_length, text.has_mass);
  bool has_polar = false;
  set("polar-inertia", s.polar, has_polar);
  if (const auto rotary = object.get("rotary-inertia")) {
    text.has_rotary = true;
    if (rotary->node->kind == Node::Kind::list) {
      const auto values = reader.numbers(*rotary, 2, 2);
      if (!values) return std::nullopt;
      s.rotary_y = (*values)[0];
      s.rotary_z = (*values)[1];
    } else {
      s.rotary_y = s.rotary_z = numbers.get("rotary-inertia", 0.0);
    }
    if (!has_polar) s.polar = s.rotary_y + s.rotary_z;
  }
  if (!numbers.good()) return std::nullopt;
  return text;
}

}  // namespace lithe::io

// contacts.

#include "lithe/io/element_kinds.hpp"
#include "lithe/mechanism/elements/contact.hpp"

namespace lithe::io {
namespace {

/// A rectangle about the frame of the plane, whose sides lie along x and y. False after complaints.
bool read_size(Reader& reader, const Object& contact, ContactData& data) {
  const auto size = contact.get("size");
  if (!size) return true;
  const auto sides = reader.numbers(*size, 2, 2);
  if (!sides) return false;
  data.length = (*sides)[0];
  data.width = (*sides)[1];
  if (const auto normal = contact.get("normal")) {
    reader.complain_key(*normal, "a plane with a size lies across z of its frame; turn the frame");
    return false;
  }
  if (!contact.has("radius")) {
    reader.complain_key(*size, "a plane with a size meets spheres only; give 'radius'");
    return false;
  }
  return true;
}

std::shared_ptr<const Element> read_contact(ElementReader& source, const std::string& name, const Object& contact) {
  Reader& reader = source.reader;
  ContactData data;
  const auto at = contact.get("at"), on = contact.get("plane");
  const auto point = at ? source.frame(*at) : std::nullopt, plane = on ? source.frame(*on) : std::nullopt;
  bool good = !contact.incomplete && point && plane;
  if (point && plane && point->link == plane->link) {
    reader.complain(*on, "a contact needs two links, but 'at' and 'plane' are on the same one");
    good = false;
  }
  if (const auto normal = contact.get("normal")) {
    const auto direction = reader.axis(*normal);
    good = good && direction.has_value();
    if (direction) data.normal = *direction;
  }
  good = read_size(reader, contact, data) && good;
  data.radius = source.number(contact, "radius");
  data.stiffness = source.number(contact, "stiffness");
  data.exponent = source.number(contact, "exponent", data.exponent);
  data.damping = source.number(contact, "damping");
  data.friction = source.number(contact, "friction");
  data.creep = source.number(contact, "creep", data.creep);
  if (const auto exponent = contact.get("exponent"); exponent && data.exponent < 1.0) {
    reader.complain(*exponent, "the exponent of a contact is 1 or more; a sphere on a plane has 1.5");
    good = false;
  }
  if (const auto creep = contact.get("creep"); creep && !contact.has("friction")) {
    reader.complain_key(*creep, "'creep' goes with 'friction'");
    good = false;
  }
  if (!good) return nullptr;
  data.point = *point;
  data.plane = *plane;
  return std::make_shared<Contact>(name, data);
}

}  // namespace

ElementKind contact_kind() {
  return {"contacts",
          "contact",
          "Points and spheres that may touch a plane.",
          {{"contact",
            "a contact",
            "Pushes a point or a sphere out of a plane: stiffness depth^exponent (1 + damping rate of depth).",
            {needed_key("at", "frame", "LINK/FRAME: the point, or the centre of the sphere."),
             needed_key("plane", "frame", "LINK/FRAME on the plane, on another link or the ground."),
             optional_key("normal", "axis", "Out of the solid, in axes of that frame; default z."),
             optional_key("radius", "positive", "Of the sphere, m; default a point."),
             optional_key("size", "list of positive",
                          "Sides along x and y, m: the plane is a rectangle about its frame; default without bounds."),
             needed_key("stiffness", "positive", "N/m^exponent."),
             optional_key("exponent", "positive", "Of the depth; default 1, by Hertz 1.5."),
             optional_key("damping", "not-negative", "Part by which the force grows per speed of approach, s/m."),
             optional_key("friction", "not-negative", "Coefficient of friction; default none."),
             optional_key("creep", "positive", "Slip at which friction is full, m/s; default 0.001.")},
            {}}},
          {},
          {"at", "plane"},
          {},
          read_contact};
}

}  // namespace lithe::io

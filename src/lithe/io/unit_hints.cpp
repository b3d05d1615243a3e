#include "lithe/io/unit_hints.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <span>

namespace lithe::io {
namespace {

// Materials: aerogels and silicone gels aside, solids that machines are made of lie far inside these.
constexpr double heaviest = 1e6;    ///< kg/m^3; osmium has 22.6e3, members that stand for lumps of mass some 1e5
constexpr double weakest = 1e5;     ///< Pa
constexpr double lightest = 30.0;   ///< kg/m^3; foams
constexpr double stiffest = 2e12;   ///< Pa; diamond has 1.2e12
constexpr double soft = 1e4;        ///< Pa; softer than any rubber
constexpr double soft_metal = 2e6;  ///< Pa; what weighs as much as a metal is stiffer
constexpr double metal = 2000.0;    ///< kg/m^3
// Mechanisms.
constexpr double thick = 1.0;   ///< m; of a cross section
constexpr double large = 20.0;  ///< m
constexpr double web = 1e-4;    ///< kg/m^2; booms and masts weigh more, for the square of their length

/// What a number would be in SI if it had been meant in another unit.
struct Unit {
  const char* name;
  double factor;
};

class UnitHints {
 public:
  UnitHints(const Object& root, const Model& model, Reader& reader) : root_(root), model_(model), reader_(reader) {}

  std::vector<std::string> all() {
    look_at_gravity();
    look_at_materials();
    if (const auto links = root_.get("links")) look_below(*links->node, links->path);
    if (const auto ground = root_.get("ground")) look_below(*ground->node, ground->path);
    look_at_initial();
    look_at_size();
    return std::move(hints_);
  }

 private:
  void say(const Item& item, const std::string& message) {
    const Place& place = item.node->place;
    hints_.push_back(
        Diagnostic{place.file == nullptr ? "" : *place.file, place.line, place.column, item.path, message}.text());
  }

  std::optional<double> value_of(const Item& item) {
    if (item.node->kind != Node::Kind::scalar) return std::nullopt;
    Item plain = item;
    plain.type = "number";
    return reader_.number(plain);
  }

  /// The first of the units that brings `value` between `from` and `to`.
  static const Unit* fitting(double value, double from, double to, std::span<const Unit> units) {
    for (const Unit& unit : units)
      if (value * unit.factor >= from && value * unit.factor <= to) return &unit;
    return nullptr;
  }

  void look_at_gravity() {
    static constexpr Unit units[] = {{"mm/s^2", 1e-3}, {"cm/s^2", 1e-2}, {"ft/s^2", 0.3048}};
    const auto item = root_.get("gravity");
    if (!item) return;
    const double size = model_.mechanism.gravity.norm();
    if (const Unit* unit = size > 20.0 ? fitting(size, 9.7, 9.9, units) : nullptr)
      say(*item, fmt::format("{:.6g} m/s^2 looks like {}; on earth it is 9.81", size, unit->name));
  }

  void look_at_materials() {
    const auto item = root_.get("materials");
    const auto materials = item ? reader_.map(*item) : std::nullopt;
    if (!materials) return;
    for (const NamedItem& named : *materials) {
      const auto object = reader_.object(named.item, "material");
      if (!object) continue;
      const auto density_item = object->get("density"), young_item = object->get("young");
      const double density = density_item ? value_of(*density_item).value_or(0.0) : 0.0;  // 0: unknown
      const std::optional<double> young = young_item ? value_of(*young_item) : std::nullopt;
      if (density_item) look_at_density(*density_item, density);
      if (young) look_at_young(*young_item, *young, density);
      if (const auto yield_item = object->get("yield"))
        if (const auto yield = value_of(*yield_item)) look_at_yield(*yield_item, *yield);
    }
  }

  void look_at_density(const Item& item, double density) {
    static constexpr Unit units[] = {{"g/cm^3", 1e3}, {"kg/mm^3", 1e9}, {"t/mm^3", 1e12}};
    if (density <= 0.0 || (density >= lightest && density <= heaviest)) return;
    if (const Unit* unit = fitting(density, 100.0, heaviest, units))
      say(item, fmt::format("{:.6g} kg/m^3 looks like {}; write {:.6g}", density, unit->name, density * unit->factor));
    else if (density > heaviest)
      say(item, fmt::format("{:.6g} kg/m^3 is more than any material has; steel has 7850", density));
  }

  /// Foams yield at 1e5 Pa.
  void look_at_yield(const Item& item, double yield) {
    if (yield > 0.0 && yield < weakest)
      say(item, fmt::format("{:.6g} Pa is less than foam bears and looks like MPa; write {:.6g}", yield, yield * 1e6));
  }

  void look_at_young(const Item& item, double young, double density) {
    static constexpr Unit units[] = {{"GPa", 1e9}, {"MPa (N/mm^2)", 1e6}, {"kPa", 1e3}};
    // A number between the two softnesses may be a rubber in Pa, or a metal in MPa: the density tells.
    const bool too_soft = young < soft || (young < soft_metal && density > metal);
    if (young <= 0.0 || (!too_soft && young <= stiffest)) return;
    if (too_soft) {
      const Unit* unit = fitting(young, young < 2000.0 ? 1e9 : 1e8, stiffest, units);
      say(item, unit != nullptr ? fmt::format("{:.6g} Pa is softer than rubber and looks like {}; write {:.6g}", young,
                                              unit->name, young * unit->factor)
                                : fmt::format("{:.6g} Pa is softer than rubber; steel has 2.1e11", young));
    } else {
      say(item, fmt::format("{:.6g} Pa is stiffer than diamond; steel has 2.1e11", young));
    }
  }

  /// Whole turns and more, as a plain number: 60, but not 60 deg or 20*pi.
  void look_at_angle(const Item& item) {
    const std::string& text = item.node->text;
    if (item.node->kind != Node::Kind::scalar || text.find_first_not_of("0123456789.+-eE ") != std::string::npos)
      return;
    const std::optional<double> angle = value_of(item);
    if (!angle || std::abs(*angle) <= 2.0 * std::numbers::pi) return;
    say(item, fmt::format("{:.6g} rad is more than a turn; degrees are written {} deg", *angle, text));
  }

  /// Cross sections and rotations anywhere in the links.
  void look_below(const Node& node, const std::string& path) {
    for (std::size_t i = 0; i < node.items.size(); ++i) look_below(node.items[i], fmt::format("{}[{}]", path, i));
    for (const Entry& entry : node.entries) {
      const std::string below = path + "." + entry.key;
      const Item item{&entry.value, entry.place, below, "number"};
      if (entry.key == "angle") look_at_angle(item);
      if (entry.key == "section") look_at_section(entry.value, below);
      look_below(entry.value, below);
    }
  }

  void look_at_section(const Node& section, const std::string& path) {
    for (const Entry& shape : section.entries)
      for (const Entry& entry : shape.value.entries) {
        const Item item{&entry.value, entry.place, fmt::format("{}.{}.{}", path, shape.key, entry.key), "number"};
        const std::optional<double> size = value_of(item);
        if (!size || *size < thick) continue;
        say(item, fmt::format("a cross section of {:.6g} m looks like mm; write {:.6g}", *size, 1e-3 * *size));
        return;
      }
  }

  void look_at_initial() {
    const auto item = root_.get("initial");
    if (!item || item->node->kind != Node::Kind::map) return;
    for (const Entry& entry : item->node->entries) {
      const std::size_t dot = entry.key.rfind('.');
      const int whole = model_.mechanism.find_joint(entry.key);
      const int part = dot == std::string::npos ? -1 : model_.mechanism.find_joint(entry.key.substr(0, dot));
      const Item value{&entry.value, entry.place, item->path + "." + entry.key, "number"};
      if (whole >= 0 && entry.value.kind == Node::Kind::list) {
        for (std::size_t i = 0; i < entry.value.items.size(); ++i)
          if (turns(whole, static_cast<int>(i)))
            look_at_angle({&entry.value.items[i], entry.place, fmt::format("{}[{}]", value.path, i), "number"});
      } else if (whole >= 0 ? turns(whole, 0) : part >= 0 && turns(part, std::atoi(entry.key.c_str() + dot + 1))) {
        look_at_angle(value);
      }
      look_below(entry.value, value.path);
    }
  }

  bool turns(int joint, int coordinate) const { return model_.mechanism.joints[joint].facts().is_angle(coordinate); }

  /// A mechanism of hundreds of metres that weighs next to nothing.
  void look_at_size() {
    double size = 0.0, mass = 0.0;
    const Item* where = nullptr;
    Item largest;
    const auto links = root_.get("links");
    for (const LinkData& link : model_.mechanism.links) {
      mass += link.mass;
      double reach = link.axis.length;
      for (const Frame& frame : link.frames) reach = std::max(reach, frame.pose.position.norm());
      if (reach <= size) continue;
      size = reach;
      const std::string name = link.name.substr(0, link.name.find('.'));
      const Entry* entry = links ? links->node->find(name) : nullptr;
      if (entry == nullptr) continue;
      largest = {&entry->value, entry->place, links->path + "." + name, "link"};
      where = &largest;
    }
    if (where == nullptr || size < large || mass <= 0.0 || mass > web * size * size) return;
    say(*where, fmt::format("{:.6g} m is large for a mechanism of {:.3g} kg: lengths look like mm; write them in m",
                            size, mass));
  }

  const Object& root_;
  const Model& model_;
  Reader& reader_;
  std::vector<std::string> hints_;
};

}  // namespace

std::vector<std::string> unit_hints(const Object& root, const Model& model, Reader& reader) {
  return UnitHints(root, model, reader).all();
}

}  // namespace lithe::io

#include "lithe/io/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/io/element_kinds.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/io/part_names.hpp"
#include "lithe/io/part_placement.hpp"
#include "lithe/io/places.hpp"
#include "lithe/io/repetition.hpp"
#include "lithe/io/yaml_writer.hpp"

namespace lithe::io {
namespace {

constexpr int deepest_parts = 20;
constexpr std::size_t most_part_values = 300000;  // as many as a file may have

/// What a part brings along; the rest of its file holds when it is run by itself.
const std::vector<std::string>& part_sections() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list{"materials", "ground",  "links",  "joints", "couplings", "cylinders",   "springs",
                                  "loads",     "initial", "speeds", "drives", "sensors",   "controllers", "events"};
    for (const ElementKind& kind : element_kinds()) list.push_back(kind.section);
    return list;
  }();
  return all;
}

void set_scope(Node& node, const Scope* scope) {
  node.scope = scope;
  for (Node& item : node.items) set_scope(item, scope);
  for (Entry& entry : node.entries) set_scope(entry.value, scope);
}

std::size_t count_values(const Node& node) {
  std::size_t count = 1;
  for (const Node& item : node.items) count += count_values(item);
  for (const Entry& entry : node.entries) count += count_values(entry.value);
  return count;
}

class PartExpansion {
 public:
  PartExpansion(SourceFiles& files, Reader& reader) : files_(files), reader_(reader) {}

  bool expand(Node& tree, Scope& scope, int depth) {
    if (!expand_repetition(tree, scope, reader_)) return false;
    const auto found =
        std::find_if(tree.entries.begin(), tree.entries.end(), [](Entry& e) { return e.key == "parts"; });
    if (found == tree.entries.end()) return true;
    const Entry section = std::move(*found);
    tree.entries.erase(found);
    const auto parts = reader_.map({&section.value, section.place, "parts", "map of part"});
    bool good = parts.has_value();
    for (const NamedItem& named : parts.value_or(std::vector<NamedItem>{})) good = add(tree, named, depth) && good;
    return good;
  }

 private:
  bool refuse(const Place& place, const std::string& path, const std::string& message) {
    reader_.complaints().add(place, path, message);
    return false;
  }

  bool add(Node& tree, const NamedItem& named, int depth) {
    if (const std::string fault = why_not_an_element_name(named.name); !fault.empty())
      return refuse(named.item.key_place, named.item.path, fault);
    const auto object = reader_.object(named.item, "part");
    const auto model = object ? object->get("model") : std::nullopt;
    if (!model || object->incomplete) return false;
    if (depth >= deepest_parts)
      return refuse(model->node->place, model->path,
                    fmt::format("parts stand in parts more than {} deep; does one contain itself?", deepest_parts));
    std::optional<Node> part = files_.load_part(*model->node, model->path);
    if (!part) return false;
    values_ += count_values(*part);
    if (values_ > most_part_values)
      return refuse(model->node->place, model->path,
                    fmt::format("the parts have more than {} values", most_part_values));
    Scope& scope = reader_.add_scope();
    set_scope(*part, &scope);
    if (!read_part_parameters(*part, *object, scope)) return false;
    const auto placement = read_placement(*object);
    if (!placement || !expand(*part, scope, depth + 1) || !place_part(*part, *placement, reader_)) return false;
    return merge(tree, std::move(*part), named, *placement);
  }

  /// The part's own parameters, with the values that `set:` gives some of them.
  bool read_part_parameters(Node& part, const Object& object, Scope& scope) {
    std::map<std::string, std::string> given;
    const auto set_item = object.get("set");
    const auto values = set_item ? reader_.map(*set_item) : std::vector<NamedItem>{};
    const Entry* declared = part.find("parameters");
    std::vector<std::string> known;
    if (declared != nullptr)
      for (const Entry& entry : declared->value.entries) known.push_back(entry.key);
    bool good = values.has_value();
    for (const NamedItem& value : values.value_or(std::vector<NamedItem>{})) {
      if (std::find(known.begin(), known.end(), value.name) == known.end()) {
        good = refuse(value.item.key_place, value.item.path,
                      fmt::format("the part has no parameter '{}'{}", value.name, hint(value.name, known)));
      } else if (const auto number = reader_.number(value.item)) {
        given[value.name] = fmt::format("{}", *number);
      } else {
        good = false;
      }
    }
    const Item whole{&part, {part.place.file, 1, 1}, {}, "model"};
    read_parameters(Object(whole, section("model")), given, scope, reader_);
    return good && scope.parameters_known && scope.broken_parameters.empty();
  }

  std::optional<Placement> read_placement(const Object& object) {
    Placement placement;
    bool good = true;
    if (const auto at = object.get("at")) {
      const auto position = reader_.point(*at);
      good = position.has_value();
      if (position) placement.pose.position = *position;
    }
    placement.pose.rotation = read_rotation(object, reader_);
    if (const auto item = object.get("mirror")) {
      const auto normal = reader_.axis(*item);
      good = good && normal.has_value();
      // Bodies are reflected in their own axes, S = diag(1, -1, 1); the rest of the reflection M is the turn M S.
      placement.mirrored = true;
      const Mat3 own = Vec3(1, -1, 1).asDiagonal();
      if (normal)
        placement.pose.rotation =
            placement.pose.rotation * Mat3((Mat3::Identity() - 2.0 * *normal * normal->transpose()) * own);
    }
    if (!good) return std::nullopt;
    return placement;
  }

  /// Puts the sections of the part into those of the model, under their new names.
  bool merge(Node& tree, Node part, const NamedItem& named, const Placement& placement) {
    const PartNames names(named.name, part);
    bool good = true;
    const auto put = [&](const std::string& key, Entry entry) {
      Node& into = section_of(tree, key, entry.place);
      if (const Entry* old = into.find(entry.key))
        good = refuse(
            entry.place, fmt::format("{}.{}", key, entry.key),
            fmt::format("part '{}' brings this name, which stands in {} line {} already; call the part otherwise",
                        named.name, *old->place.file, old->place.line));
      else
        into.entries.push_back(std::move(entry));
    };
    const Place& place = named.item.key_place;
    put("ground", {named.name, place, pose_node(placement.pose, place)});
    for (const std::string& key : part_sections()) {
      const auto found = std::find_if(part.entries.begin(), part.entries.end(), [&](Entry& e) { return e.key == key; });
      if (found == part.entries.end() || found->value.kind == Node::Kind::null) continue;
      // Equilibrium is a matter of the whole model.
      if (key == "initial" && found->value.kind == Node::Kind::scalar) continue;
      if (key == "initial") std::erase_if(found->value.entries, [](const Entry& e) { return e.key == "equilibrium"; });
      if (found->value.kind != Node::Kind::map) {
        good = refuse(found->value.place, key,
                      fmt::format("expected a map of names, but this is {}", describe(found->value)));
        continue;
      }
      names.rename(key, found->value);
      for (Entry& entry : found->value.entries) put(key, std::move(entry));
    }
    return good;
  }

  static Node& section_of(Node& tree, const std::string& key, const Place& place) {
    for (Entry& entry : tree.entries) {
      if (entry.key != key) continue;
      if (entry.value.kind == Node::Kind::null) entry.value.kind = Node::Kind::map;
      return entry.value;
    }
    tree.entries.push_back({key, place, map_node({}, place)});
    return tree.entries.back().value;
  }

  SourceFiles& files_;
  Reader& reader_;
  std::size_t values_ = 0;
};

}  // namespace

bool expand_model(Node& tree, SourceFiles& files, Reader& reader) {
  const bool good = PartExpansion(files, reader).expand(tree, reader.own, 0);
  reader.forget_read_expressions();
  return good;
}

}  // namespace lithe::io

// truss: bars between nodes, in the plane or in space.

#include <fmt/format.h>

#include <algorithm>

#include "lithe/io/elastic_kinds.hpp"
#include "lithe/io/places.hpp"
#include "lithe/links/truss.hpp"

namespace lithe::io {

namespace {

/// What bars are made of; keys of the truss (for all bars) and of a group of bars (for these).
std::vector<KeyRule> bar_keys() {
  return {optional_key("material", "name", "Material of the bars; needs area."),
          optional_key("area", "positive", "Cross-section of a bar, m^2."),
          optional_key("EA", "positive", "Stiffness against stretching, N, in place of material and area."),
          optional_key("mass-per-length", "not-negative", "kg/m, in place of the material's.")};
}

std::vector<MapRules> truss_sections() {
  std::vector<KeyRule> truss{
      needed_key("nodes", "map of point", "Places where bars meet, link axes, m."),
      needed_key("bars", "list of node-chain | map of bar-group", "Chains of nodes with a bar from each to the next."),
      optional_key("supports", "map of node-support", "Nodes that are held; they carry the link frame."),
      optional_key("masses", "map of not-negative", "Masses on nodes, besides the bars, kg."),
      optional_key("mass", "word(consistent,lumped)",
                   "Bars move with their points, or half of each sits at its ends; default consistent."),
      optional_key("planar", "flag", "Nodes move along x and y only; default when all stand at z = 0."),
  };
  std::vector<KeyRule> group{needed_key("between", "list of name | list of node-chain",
                                        "A chain of nodes with a bar from each to the next, or several chains.")};
  for (const KeyRule& key : bar_keys()) {
    truss.push_back(key);
    group.push_back(key);
  }
  return {
      {"truss", "a truss", "Bars between nodes.", truss, {}},
      {"bar-group", "a group of bars", "Bars that are alike.", group, {}},
      {"node-directions",
       "a support",
       "Directions of a node.",
       {optional_key("hold", "axis", "The only direction in which it cannot move."),
        optional_key("slide", "axis", "The only direction in which it can move.")},
       {"hold", "slide"}},
      {"truss-frame",
       "a frame on a truss",
       "Carried by nodes; turns with them.",
       {needed_key("nodes", "list of name", "The nodes that carry it."),
        optional_key("at", "point", "Position in link axes, m; default the middle of the nodes."),
        optional_key("rotate", "turn | list of turn",
                     "Turns applied one after the other, each about the axes already turned."),
        optional_key("quaternion", "list of plain", "Rotation as [w, x, y, z], in place of rotate.")},
       {}},
  };
}

/// `material`, `area`, `EA` and `mass-per-length` at one level.
struct BarText {
  std::optional<Material> material;
  std::optional<double> area, axial, mass_per_length;
};

class TrussReader {
 public:
  TrussReader(const ElasticSource& source, const Object& truss)
      : source_(source), reader_(source.reader), truss_(truss), good_(!truss.incomplete) {}

  std::optional<ReadElastic> read() {
    read_nodes();
    read_masses();
    read_bars();
    read_supports();
    read_frames();
    if (const auto mass = truss_.get("mass")) {
      const auto word = reader_.word(*mass);
      good_ = good_ && word;
      spec_.mass = word == "lumped" ? TrussMass::lumped : TrussMass::consistent;
    }
    spec_.planar = std::all_of(spec_.nodes.begin(), spec_.nodes.end(),
                               [](const TrussNode& node) { return node.position.z() == 0.0; });
    if (const auto planar = truss_.get("planar")) {
      const auto flag = reader_.flag(*planar);
      good_ = good_ && flag;
      spec_.planar = flag.value_or(false);
    }
    if (!good_) return std::nullopt;
    ReadElastic body;
    body.model = truss_model(source_.link, spec_);
    body.reference = spec_.supports.empty() ? Reference::clamped : Reference::supported;
    body.elements = static_cast<int>(spec_.bars.size());
    return body;
  }

 private:
  void complain(const Item& item, const std::string& message) {
    good_ = false;
    reader_.complain(item, message);
  }
  void complain_key(const Item& item, const std::string& message) {
    good_ = false;
    reader_.complain_key(item, message);
  }

  /// Entries of a map under `key` of the truss; none when it is absent or bad.
  std::vector<NamedItem> entries(const char* key) {
    const auto item = truss_.get(key);
    if (!item) return {};
    const auto map = reader_.map(*item);
    good_ = good_ && map;
    return map.value_or(std::vector<NamedItem>{});
  }

  void read_nodes() {
    for (const NamedItem& named : entries("nodes")) {
      if (const std::string fault = why_not_an_element_name(named.name); !fault.empty())
        complain_key(named.item, fault);
      const auto point = reader_.point(named.item);
      good_ = good_ && point;
      names_.push_back(named.name);
      spec_.nodes.push_back({named.name, point.value_or(Vec3::Zero()), 0.0});
    }
  }

  /// The number of a node; complains about an unknown name.
  std::optional<std::size_t> node(const Item& item, const std::optional<std::string>& name) {
    good_ = good_ && name;
    if (!name) return std::nullopt;
    const auto found = std::find(names_.begin(), names_.end(), *name);
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    good_ = false;
    if (truss_.has("nodes"))
      reader_.complain(item, fmt::format("the truss has no node '{}'{}", *name, hint(*name, names_)));
    return std::nullopt;
  }

  /// A node that is the key of an entry.
  std::optional<std::size_t> node_of_key(const NamedItem& named) {
    if (std::find(names_.begin(), names_.end(), named.name) == names_.end()) {
      good_ = false;
      if (truss_.has("nodes"))
        reader_.complain_key(named.item,
                             fmt::format("the truss has no node '{}'{}", named.name, hint(named.name, names_)));
      return std::nullopt;
    }
    return node(named.item, named.name);
  }

  /// Names of nodes in a list.
  std::vector<std::string> nodes(const Item& list, std::size_t least) {
    std::vector<std::string> found;
    const auto items = reader_.list(list, least);
    good_ = good_ && items;
    for (const Item& item : items.value_or(std::vector<Item>{}))
      if (const auto number = node(item, reader_.text(item))) found.push_back(names_[*number]);
    return found;
  }

  void read_masses() {
    for (const NamedItem& named : entries("masses")) {
      const auto number = node_of_key(named);
      const auto mass = reader_.number(named.item);
      good_ = good_ && mass;
      if (number) spec_.nodes[*number].mass = mass.value_or(0.0);
    }
  }

  BarText read_bar_text(const Object& object) {
    BarText text;
    Numbers numbers(object, reader_);
    text.area = numbers.get("area");
    text.axial = numbers.get("EA");
    text.mass_per_length = numbers.get("mass-per-length");
    good_ = good_ && numbers.good();
    if (const auto material = object.get("material")) {
      text.material = source_.materials.elastic(*material, reader_);
      good_ = good_ && text.material;
      if (const auto axial = object.get("EA"))
        complain_key(*axial, "the material gives the stiffness; give either EA or material and area");
    }
    return text;
  }

  /// A group says only what differs from the truss.
  void add_bars(const Item& blamed, const std::vector<std::vector<std::string>>& chains, const std::string& group,
                BarText own) {
    const BarText& common = *common_;
    if (!own.area) own.area = common.area;
    if (!own.axial && !own.material) {
      own.axial = common.axial;
      own.material = common.material;
    }
    if (!own.mass_per_length) own.mass_per_length = common.mass_per_length;
    const bool is_solid = own.material && own.area;
    if (!own.axial && !is_solid && good_) {
      complain_key(blamed, own.material ? "bars of a material need their cross-section: 'area'"
                                        : "bars need 'EA', or 'material' and 'area'");
      return;
    }
    std::size_t count = 0;
    for (const auto& chain : chains) count += chain.empty() ? 0 : chain.size() - 1;
    std::size_t number = 0;
    for (const auto& chain : chains)
      for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        TrussBar bar;
        ++number;
        if (!group.empty()) bar.name = count == 1 ? group : fmt::format("{}-{}", group, number);
        bar.from = chain[i];
        bar.to = chain[i + 1];
        bar.area = own.area.value_or(0.0);
        if (own.material) bar.strength = own.material->strength;
        bar.axial = own.axial ? *own.axial : is_solid ? own.material->young * *own.area : 0.0;
        bar.mass_per_length = own.mass_per_length ? *own.mass_per_length
                              : is_solid          ? own.material->density * *own.area
                                                  : 0.0;
        spec_.bars.push_back(bar);
      }
  }

  /// One chain (a list of names) or several (a list of lists).
  std::vector<std::vector<std::string>> chains(const Item& item, bool is_one) {
    if (is_one) return {nodes(item, 2)};
    std::vector<std::vector<std::string>> all;
    const auto items = reader_.list(item, 1);
    good_ = good_ && items;
    for (const Item& each : items.value_or(std::vector<Item>{})) {
      Item chain = each;
      chain.type = "list of name";
      all.push_back(nodes(chain, 2));
    }
    return all;
  }

  void read_bars() {
    common_ = read_bar_text(truss_);
    const auto item = truss_.get("bars");
    if (!item) return;
    if (item->node->kind != Node::Kind::map) {
      Item list = *item;
      list.type = "list of node-chain";
      add_bars(*item, chains(list, false), "", {});
      return;
    }
    for (const NamedItem& named : entries("bars")) {
      if (const std::string fault = why_not_an_element_name(named.name); !fault.empty())
        complain_key(named.item, fault);
      const auto group = reader_.object(named.item, "bar-group");
      good_ = good_ && group && !group->incomplete;
      const auto between = group ? group->get("between") : std::nullopt;
      if (!between) continue;
      const auto& items = between->node->items;
      Item list = *between;
      const bool is_one = items.empty() || items[0].kind == Node::Kind::scalar;
      list.type = is_one ? "list of name" : "list of node-chain";
      const auto found = chains(list, is_one);
      add_bars(named.item, found, named.name, read_bar_text(*group));
    }
  }

  void read_supports() {
    for (const NamedItem& named : entries("supports")) {
      const auto number = node_of_key(named);
      std::vector<Vec3> held;
      if (named.item.node->kind == Node::Kind::map) {
        held = read_directions(named.item);
      } else {
        const auto word = reader_.word(named.item);
        good_ = good_ && word;
        const std::string letters = word == "fixed" ? "xyz" : word.value_or("");
        for (const char letter : letters) held.push_back(Vec3::Unit(letter - 'x'));
      }
      if (number) spec_.supports.push_back({names_[*number], held});
    }
  }

  std::vector<Vec3> read_directions(const Item& item) {
    std::vector<Vec3> held;
    const auto object = reader_.object(item, "node-directions");
    good_ = good_ && object && !object->incomplete;
    if (!object) return held;
    if (const auto slide = object->get("slide")) {
      const auto axis = reader_.axis(*slide);
      good_ = good_ && axis;
      const Mat3 across = frame_with_z(axis.value_or(Vec3::UnitZ()));
      return {across.col(0), across.col(1)};
    }
    if (const auto hold = object->get("hold")) {
      const auto axis = reader_.axis(*hold);
      good_ = good_ && axis;
      held.push_back(axis.value_or(Vec3::UnitX()));
    }
    return held;
  }

  void read_frames() {
    for (const NamedItem& named : source_.frames) {
      TrussFrame frame;
      frame.name = named.name;
      const Item& item = named.item;
      if (item.node->kind == Node::Kind::scalar) {
        if (const auto number = node(item, reader_.text(item))) frame.nodes = {names_[*number]};
      } else if (item.node->kind == Node::Kind::list) {
        Item list = item;
        list.type = "list of name";
        frame.nodes = nodes(list, 1);
      } else {
        const auto object = reader_.object(item, "truss-frame");
        good_ = good_ && object && !object->incomplete;
        if (!object) continue;
        if (const auto list = object->get("nodes")) frame.nodes = nodes(*list, 1);
        if (const auto at = object->get("at")) {
          frame.position = reader_.point(*at);
          good_ = good_ && frame.position;
        }
        frame.rotation = read_rotation(*object, reader_);
      }
      spec_.frames.push_back(std::move(frame));
    }
  }

  const ElasticSource& source_;
  Reader& reader_;
  const Object& truss_;
  bool good_;
  std::optional<BarText> common_;
  std::vector<std::string> names_;  ///< of the nodes
  TrussSpec spec_;
};

std::optional<ReadElastic> read_truss(const ElasticSource& source) {
  const auto truss = source.reader.object(source.body, "truss");
  if (!truss) return std::nullopt;
  return TrussReader(source, *truss).read();
}

}  // namespace

ElasticKind truss_kind() {
  return {"truss",
          "truss",
          "Elastic truss of bars between nodes.",
          truss_sections(),
          "name | list of name | truss-frame",
          {},
          read_truss,
          {{"node-chain", "list of name", "Nodes with a bar from each to the next."},
           {"node-support", "word(fixed,x,y,z,xy,xz,yz,xyz) | node-directions", "What holds a node."}}};
}

}  // namespace lithe::io

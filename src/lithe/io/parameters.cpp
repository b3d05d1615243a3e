// parameters and their overrides: numbers that may use each other in any order, but not in a circle.

#include "lithe/io/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lithe/io/source_files.hpp"
#include "lithe/laws/angle.hpp"

namespace lithe::io {

namespace {

/// One declared parameter.
struct Parameter {
  Item item;                     ///< its value
  std::optional<Item> from, to;  ///< both, or none
  std::set<std::string> needs;   ///< parameters that its expression uses
  bool done = false;
  bool replaced = false;  ///< by --set
};

using Parameters = std::map<std::string, Parameter>;

/// "a -> b -> a", starting from a parameter that waits for others.
std::vector<std::string> circle_from(const std::string& start, const Parameters& all) {
  std::vector<std::string> chain{start};
  std::set<std::string> seen{start};
  for (;;) {
    for (const std::string& next : all.at(chain.back()).needs) {
      if (all.at(next).done) continue;
      chain.push_back(next);
      break;
    }
    if (!seen.insert(chain.back()).second) break;
  }
  const std::string last = chain.back();
  while (chain.front() != last) chain.erase(chain.begin());
  return chain;
}

std::string arrows(const std::vector<std::string>& chain) {
  std::string text;
  for (const std::string& name : chain) text += (text.empty() ? "" : " -> ") + name;
  return text;
}

/// Parameters and what they wait for.
class ParameterOrder {
 public:
  ParameterOrder(const std::vector<NamedItem>& declared, const std::map<std::string, Node>& overrides, Scope& scope,
                 Reader& reader)
      : scope_(scope), reader_(reader) {
    for (const NamedItem& named : declared) {
      if (const std::string fault = Expression::why_not_a_name(named.name); !fault.empty()) {
        reader.complain_key(named.item, fmt::format("'{}' cannot name a parameter: {}", named.name, fault));
        continue;
      }
      scope.parameters[named.name] = std::numeric_limits<double>::quiet_NaN();
      Parameter parameter;
      if (!read_parts(named, parameter)) {
        scope.broken_parameters.insert(named.name);
        parameter.done = true;
      }
      if (const auto replaced = overrides.find(named.name); replaced != overrides.end()) {
        parameter.item.node = &replaced->second;
        parameter.item.path = named.name;
        parameter.replaced = true;
      }
      all_[named.name] = parameter;
      order_.push_back(named.name);
    }
  }

  /// What needs what. An expression that cannot be parsed has been complained about and is broken.
  void find_needs() {
    for (const std::string& name : order_) {
      if (all_[name].done || reader_.expression(all_[name].item, false)) continue;
      scope_.broken_parameters.insert(name);
      all_[name].done = true;
    }
    for (const std::string& name : order_) {
      Parameter& parameter = all_[name];
      if (parameter.done) continue;
      parameter.needs = Expression::parse(parameter.item.node->text, scope_.parameters, false).constants();
      waiting_[name] = 0;
      for (const std::string& need : parameter.needs) {
        if (all_[need].done) continue;
        ++waiting_[name];
        needed_by_[need].push_back(name);
      }
      if (waiting_[name] == 0) ready_.push_back(name);
    }
  }

  /// Whatever has all it needs.
  void evaluate() {
    while (!ready_.empty()) {
      const std::string name = ready_.back();
      ready_.pop_back();
      Parameter& parameter = all_[name];
      parameter.done = true;
      if (const auto value = reader_.number(parameter.item)) {
        if (is_written_as_angle(parameter.item)) scope_.angle_parameters.insert(name);
        scope_.parameters[name] = *value;
      } else {
        scope_.broken_parameters.insert(name);
      }
      for (const std::string& next : needed_by_[name])
        if (--waiting_[next] == 0) ready_.push_back(next);
    }
  }

  /// What is left stands in a circle, or waits for one.
  void refuse_circles() {
    for (const std::string& name : order_) {
      if (all_[name].done) continue;
      const std::vector<std::string> circle = circle_from(name, all_);
      reader_.complain(all_[circle.front()].item,
                       fmt::format("parameters depend on each other in a circle: {}", arrows(circle)));
      for (const std::string& member : circle) all_[member].done = true;
      // Everything that waits for this circle is broken, too; one message is enough.
      std::vector<std::string> reached(circle.begin(), circle.end());
      while (!reached.empty()) {
        const std::string member = reached.back();
        reached.pop_back();
        if (!scope_.broken_parameters.insert(member).second) continue;
        all_[member].done = true;
        for (const std::string& next : needed_by_[member]) reached.push_back(next);
      }
    }
  }

  /// After the values: ends of a range may be expressions of any parameter.
  std::map<std::string, ParameterRange> read_ranges() {
    std::map<std::string, ParameterRange> ranges;
    for (const std::string& name : order_) {
      const Parameter& parameter = all_[name];
      if (!parameter.from || scope_.broken_parameters.contains(name)) continue;
      const auto from = reader_.number(*parameter.from), to = reader_.number(*parameter.to);
      if (!from || !to) continue;
      const double value = scope_.parameters[name];
      if (!(*from < *to)) {
        reader_.complain(*parameter.to,
                         fmt::format("expected more than 'from', which is {}, but this is {}", *from, *to));
      } else if (!parameter.replaced && (value < *from || value > *to)) {
        reader_.complain(parameter.item,
                         fmt::format("{} is not between 'from' and 'to', {} and {}", value, *from, *to));
      } else {
        const bool angle = is_written_as_angle(parameter.item) || is_written_as_angle(*parameter.from) ||
                           is_written_as_angle(*parameter.to);
        ranges[name] = {*from, *to, angle};
      }
    }
    return ranges;
  }

 private:
  /// The value of a parameter, and its range if it has one; false when they cannot be told.
  bool read_parts(const NamedItem& named, Parameter& parameter) {
    parameter.item = named.item;
    if (named.item.node->kind != Node::Kind::map) return true;
    const auto object = reader_.object(named.item, "parameter-range");
    if (!object || object->incomplete) return false;
    parameter.item = *object->get("value");
    parameter.from = object->get("from");
    parameter.to = object->get("to");
    return true;
  }

  bool is_written_as_angle(const Item& item) const {
    return is_angle(item.node->text, scope_.parameters, scope_.angle_parameters);
  }

  Scope& scope_;
  Reader& reader_;
  Parameters all_;
  std::vector<std::string> order_, ready_;  ///< as in the file; with all they need
  std::map<std::string, std::vector<std::string>> needed_by_;
  std::map<std::string, std::size_t> waiting_;  ///< for how many others
};

/// Texts that replace those of parameters.
std::map<std::string, Node> override_nodes(const std::map<std::string, std::string>& overrides,
                                           const std::vector<NamedItem>& declared, const Scope* scope, Reader& reader) {
  static const std::string option = "--set";
  std::map<std::string, Node> nodes;
  std::vector<std::string> known;
  for (const NamedItem& named : declared) known.push_back(named.name);
  for (const auto& [name, text] : overrides) {
    Node node;
    node.kind = Node::Kind::scalar;
    node.text = text;
    node.place = {&option, 0, 0};
    node.scope = scope;
    if (std::find(known.begin(), known.end(), name) == known.end())
      reader.complaints().add(node.place, name, "the model has no parameter of this name" + hint(name, known));
    nodes.emplace(name, std::move(node));
  }
  return nodes;
}

}  // namespace

std::map<std::string, ParameterRange> read_parameters_with_ranges(const Object& root,
                                                                  const std::map<std::string, std::string>& overrides,
                                                                  Scope& scope, Reader& reader) {
  const auto section_item = root.get("parameters");
  const auto declared = section_item ? reader.map(*section_item) : std::vector<NamedItem>{};
  scope.parameters_known = declared.has_value();
  if (!declared) return {};
  const std::map<std::string, Node> replaced = override_nodes(overrides, *declared, root.item().node->scope, reader);
  ParameterOrder parameters(*declared, replaced, scope, reader);
  parameters.find_needs();
  parameters.evaluate();
  parameters.refuse_circles();
  return parameters.read_ranges();
}

void read_parameters(const Object& root, const std::map<std::string, std::string>& overrides, Scope& scope,
                     Reader& reader) {
  read_parameters_with_ranges(root, overrides, scope, reader);
}

}  // namespace lithe::io

namespace lithe {

std::map<std::string, ParameterRange> parameter_ranges(const Model& model) {
  // The model has been read without a complaint, so its text is a map and there is nothing to complain about but values
  // of --set beyond a range, which is allowed: the text of the file is read, not the flattened one.
  io::Complaints complaints;
  io::SourceFiles files(complaints);
  const std::optional<io::Node> tree = files.load(model.text, model.path);
  if (!tree) return {};
  io::Reader reader(complaints);
  const io::Item whole{&*tree, {tree->place.file, 1, 1}, {}, "model"};
  return io::read_parameters_with_ranges(io::Object(whole, io::section("model")), {}, reader.own, reader);
}

}  // namespace lithe

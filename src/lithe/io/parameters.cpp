// parameters and their overrides: numbers that may use each other in any order, but not in a circle.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lithe/io/model_builder.hpp"
#include "lithe/laws/angle.hpp"

namespace lithe::io {

namespace {

/// One declared parameter.
struct Parameter {
  Item item;
  std::set<std::string> needs;  ///< parameters that its expression uses
  bool done = false;
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

}  // namespace

void read_parameters(const Object& root, const std::map<std::string, std::string>& overrides, Reader& reader) {
  static const std::string option = "--set";
  const auto section_item = root.get("parameters");
  const auto declared = section_item ? reader.map(*section_item) : std::vector<NamedItem>{};
  reader.parameters_known = declared.has_value();
  if (!declared) return;

  // Overrides replace the text of a parameter.
  std::map<std::string, Node> override_nodes;
  std::vector<std::string> known;
  for (const NamedItem& named : *declared) known.push_back(named.name);
  for (const auto& [name, text] : overrides) {
    Node node;
    node.kind = Node::Kind::scalar;
    node.text = text;
    node.place = {&option, 0, 0};
    if (std::find(known.begin(), known.end(), name) == known.end())
      reader.complaints().add(node.place, name, "the model has no parameter of this name" + hint(name, known));
    override_nodes.emplace(name, std::move(node));
  }

  const double unknown = std::numeric_limits<double>::quiet_NaN();
  Parameters all;
  std::vector<std::string> order;
  for (const NamedItem& named : *declared) {
    Item item = named.item;
    if (const auto replaced = override_nodes.find(named.name); replaced != override_nodes.end()) {
      item.node = &replaced->second;
      item.path = named.name;
    }
    if (const std::string fault = Expression::why_not_a_name(named.name); !fault.empty()) {
      reader.complain_key(named.item, fmt::format("'{}' cannot name a parameter: {}", named.name, fault));
      continue;
    }
    all[named.name].item = item;
    order.push_back(named.name);
    reader.parameters[named.name] = unknown;
  }

  // First pass: what needs what. An expression that cannot be parsed has been complained about and is broken.
  std::map<std::string, std::vector<std::string>> needed_by;
  std::map<std::string, std::size_t> waiting;
  std::vector<std::string> ready;
  for (const std::string& name : order) {
    Parameter& parameter = all[name];
    const auto expression = reader.expression(parameter.item, false);
    if (!expression) {
      reader.broken_parameters.insert(name);
      parameter.done = true;
    }
  }
  for (const std::string& name : order) {
    Parameter& parameter = all[name];
    if (parameter.done) continue;
    parameter.needs = Expression::parse(parameter.item.node->text, reader.parameters, false).constants();
    waiting[name] = 0;
    for (const std::string& need : parameter.needs) {
      if (all[need].done) continue;
      ++waiting[name];
      needed_by[need].push_back(name);
    }
    if (waiting[name] == 0) ready.push_back(name);
  }

  // Second pass: evaluate whatever has all it needs.
  while (!ready.empty()) {
    const std::string name = ready.back();
    ready.pop_back();
    Parameter& parameter = all[name];
    parameter.done = true;
    if (const auto value = reader.number(parameter.item)) {
      if (is_angle(parameter.item.node->text, reader.parameters, reader.angle_parameters))
        reader.angle_parameters.insert(name);
      reader.parameters[name] = *value;
    } else {
      reader.broken_parameters.insert(name);
    }
    for (const std::string& next : needed_by[name])
      if (--waiting[next] == 0) ready.push_back(next);
  }

  // What is left stands in a circle, or waits for one.
  for (const std::string& name : order) {
    if (all[name].done) continue;
    const std::vector<std::string> circle = circle_from(name, all);
    reader.complain(all[circle.front()].item,
                    fmt::format("parameters depend on each other in a circle: {}", arrows(circle)));
    for (const std::string& member : circle) all[member].done = true;
    // Everything that waits for this circle is broken, too; one message is enough.
    std::vector<std::string> reached(circle.begin(), circle.end());
    while (!reached.empty()) {
      const std::string member = reached.back();
      reached.pop_back();
      if (!reader.broken_parameters.insert(member).second) continue;
      all[member].done = true;
      for (const std::string& next : needed_by[member]) reached.push_back(next);
    }
  }
}

}  // namespace lithe::io

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

/// Parameters and what they wait for.
class ParameterOrder {
 public:
  ParameterOrder(const std::vector<NamedItem>& declared, const std::map<std::string, Node>& overrides, Scope& scope,
                 Reader& reader)
      : scope_(scope), reader_(reader) {
    for (const NamedItem& named : declared) {
      Item item = named.item;
      if (const auto replaced = overrides.find(named.name); replaced != overrides.end()) {
        item.node = &replaced->second;
        item.path = named.name;
      }
      if (const std::string fault = Expression::why_not_a_name(named.name); !fault.empty()) {
        reader.complain_key(named.item, fmt::format("'{}' cannot name a parameter: {}", named.name, fault));
        continue;
      }
      all_[named.name].item = item;
      order_.push_back(named.name);
      scope.parameters[named.name] = std::numeric_limits<double>::quiet_NaN();
    }
  }

  /// What needs what. An expression that cannot be parsed has been complained about and is broken.
  void find_needs() {
    for (const std::string& name : order_) {
      if (reader_.expression(all_[name].item, false)) continue;
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
        if (is_angle(parameter.item.node->text, scope_.parameters, scope_.angle_parameters))
          scope_.angle_parameters.insert(name);
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

 private:
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

void read_parameters(const Object& root, const std::map<std::string, std::string>& overrides, Scope& scope,
                     Reader& reader) {
  const auto section_item = root.get("parameters");
  const auto declared = section_item ? reader.map(*section_item) : std::vector<NamedItem>{};
  scope.parameters_known = declared.has_value();
  if (!declared) return;
  const std::map<std::string, Node> replaced = override_nodes(overrides, *declared, root.item().node->scope, reader);
  ParameterOrder parameters(*declared, replaced, scope, reader);
  parameters.find_needs();
  parameters.evaluate();
  parameters.refuse_circles();
}

}  // namespace lithe::io

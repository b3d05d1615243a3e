// The rules of the model file as a JSON Schema, for editors and other programs.

#include <nlohmann/json.hpp>
#include <set>

#include "lithe/io/identification_file.hpp"
#include "lithe/io/identification_rules.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/load_study.hpp"
#include "lithe/io/model_rules.hpp"
#include "lithe/io/study_rules.hpp"
#include "lithe/io/urdf.hpp"
#include "lithe/io/urdf_rules.hpp"

namespace lithe {

namespace {

using Json = nlohmann::ordered_json;

Json reference(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

/// A number with limits, or a text that is an expression.
Json number_with(const Json& limits, const std::string& description) {
  Json number{{"type", "number"}};
  number.update(limits);
  return {{"description", description}, {"anyOf", {number, {{"type", "string"}}}}};
}

Json scalar_types() {
  Json types;
  types["number"] = number_with(Json::object(), "A number, or an expression of the parameters; 'deg' makes degrees.");
  types["plain"] = number_with(Json::object(), "A number that is no angle, or an expression of the parameters.");
  types["positive"] = number_with({{"exclusiveMinimum", 0}}, "A positive number, or an expression of the parameters.");
  types["not-negative"] =
      number_with({{"minimum", 0}}, "Zero or a positive number, or an expression of the parameters.");
  types["timed"] = number_with(Json::object(), "A number, or an expression of t and the parameters.");
  types["stretched"] = number_with(Json::object(), "An expression of the stretch x, its rate v and the parameters.");
  types["condition"] = {{"type", "string"},
                        {"description", "An expression of t, of quantities of the results and of the parameters."}};
  types["count"] = {{"description", "A whole number, or an expression of the parameters."},
                    {"anyOf", {{{"type", "integer"}}, {{"type", "string"}}}}};
  types["integer"] = {{"type", "integer"}};
  types["flag"] = {{"type", "boolean"}};
  types["text"] = {{"type", {"string", "number"}}};
  types["name"] = {{"type", {"string", "number"}}};
  types["frame"] = {
      {"type", "string"}, {"pattern", "^[^/]+(/[^/]+)?$"}, {"description", "LINK/FRAME, or LINK for its origin."}};
  types["point"] = {{"type", "array"}, {"items", reference("number")}, {"minItems", 2}, {"maxItems", 3}};
  types["axis"] = {{"anyOf", {{{"type", "string"}, {"pattern", "^[+-]?[xyz]$"}}, reference("point")}}};
  return types;
}

Json value_of(const std::string& word) { return word == "true" ? Json(true) : Json(word); }

Json schema_of(const std::string& type);

Json schema_of_alternative(const std::string& type) {
  constexpr std::string_view list = "list of ", map = "map of ";
  if (type.starts_with(list)) return {{"type", "array"}, {"items", schema_of_alternative(type.substr(list.size()))}};
  if (type.starts_with(map))
    return {{"type", {"object", "null"}}, {"additionalProperties", schema_of_alternative(type.substr(map.size()))}};
  if (type.starts_with("word(")) {
    Json words = Json::array();
    for (const std::string& word : io::words_of(type)) {
      words.push_back(value_of(word));
      // YAML 1.1 readers take these two words for flags.
      if (word == "on" || word == "off") words.push_back(word == "on");
    }
    return {{"enum", words}};
  }
  return reference(type);
}

Json schema_of(const std::string& type) {
  Json any = Json::array();
  for (std::size_t begin = 0; begin <= type.size();) {
    const std::size_t end = std::min(type.find(" | ", begin), type.size());
    any.push_back(schema_of_alternative(type.substr(begin, end - begin)));
    begin = end + 3;
  }
  return any.size() == 1 ? any[0] : Json{{"anyOf", any}};
}

Json schema_of(const io::MapRules& section) {
  Json schema{{"description", section.description}, {"type", "object"}, {"additionalProperties", false}};
  Json properties = Json::object(), required = Json::array();
  for (const io::KeyRule& key : section.keys) {
    if (!key.unavailable.empty()) continue;
    Json property = schema_of(key.type);
    property["description"] = key.description;
    properties[key.name] = property;
    if (key.required) required.push_back(key.name);
  }
  schema["properties"] = properties;
  if (!required.empty()) schema["required"] = required;
  for (const std::string& key : section.exactly_one) schema["oneOf"].push_back({{"required", {key}}});
  return schema;
}

/// Names of definitions that a schema refers to, and those that these refer to.
void collect_references(const Json& schema, const Json& definitions, std::set<std::string>& names) {
  constexpr std::size_t prefix = std::string_view("#/$defs/").size();
  for (const auto& [key, value] : schema.items()) {
    if (value.is_structured()) {
      collect_references(value, definitions, names);
    } else if (key == "$ref") {
      const std::string name = value.get<std::string>().substr(prefix);
      if (names.insert(name).second) collect_references(definitions.at(name), definitions, names);
    }
  }
}

/// Refers to NAME-fragment in place of NAME, unless that is a scalar or a repetition; `open` gets these names.
void refer_to_fragments(Json& schema, const Json& scalars, std::vector<std::string>& open) {
  constexpr std::size_t prefix = std::string_view("#/$defs/").size();
  for (auto& [key, value] : schema.items()) {
    if (value.is_structured()) {
      refer_to_fragments(value, scalars, open);
    } else if (key == "$ref") {
      const std::string place = value.get<std::string>(), name = place.substr(prefix);
      if (scalars.contains(name) || name == "repeat") continue;
      open.push_back(name);
      value = place + "-fragment";
    }
  }
}

/// What stands in a repetition is put together with other turns and with the file, so that nothing is missing there:
/// copies of the definitions behind it demand nothing.
void add_fragments(Json& definitions) {
  if (!definitions.contains("repeat")) return;
  const Json scalars = scalar_types();
  std::vector<std::string> open;
  for (auto& [key, property] : definitions["repeat"]["properties"].items())
    if (key != "for") refer_to_fragments(property, scalars, open);
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    if (definitions.contains(name + "-fragment")) continue;
    Json fragment = definitions.at(name);
    fragment.erase("required");
    fragment.erase("oneOf");
    refer_to_fragments(fragment, scalars, open);
    definitions[name + "-fragment"] = std::move(fragment);
  }
}

/// The first section is the file.
std::string schema_text(const char* title, const std::vector<io::MapRules>& sections,
                        const std::vector<io::MapRules>& shared) {
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  Json definitions = scalar_types();
  for (const io::NamedType& named : io::named_types()) {
    definitions[named.name] = schema_of(named.type);
    definitions[named.name]["description"] = named.description;
  }
  schema.update(schema_of(sections[0]));
  for (auto section = sections.begin() + 1; section != sections.end(); ++section)
    definitions[section->name] = schema_of(*section);
  for (const io::MapRules& section : shared) definitions[section.name] = schema_of(section);
  add_fragments(definitions);
  // Other kinds of files have types of their own.
  std::set<std::string> used;
  collect_references(schema, definitions, used);
  for (const auto& [name, definition] : definitions.items())
    if (used.contains(name)) schema["$defs"][name] = definition;
  return detail::json_text(schema, 2) + "\n";
}

}  // namespace

std::string model_schema() { return schema_text("Lithe model file", io::model_rules(), {}); }

std::string urdf_side_schema() {
  // The keys of the side file have the types of the model file.
  std::vector<io::MapRules> shared(io::model_rules().begin() + 1, io::model_rules().end());
  return schema_text("Side file of lithe convert", io::urdf_side_rules(), shared);
}

std::string identification_schema() { return schema_text("Lithe identification file", io::identification_rules(), {}); }

std::string study_schema() { return schema_text("Lithe study file", io::study_rules(), {}); }

}  // namespace lithe

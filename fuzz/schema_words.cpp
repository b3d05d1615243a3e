// schema_words NAME SYNTAX_FILE: prints the dictionary of a fuzz target, which is every key and word of the JSON Schema of NAME (model, study,
// identification, urdf-side) and the lines of SYNTAX_FILE. Made from the schema each time, it has the newest keys.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "lithe/io/identification_file.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/load_study.hpp"
#include "lithe/io/urdf.hpp"

namespace {

const std::map<std::string, std::string (*)()> schemas{{"model", lithe::model_schema},
                                                       {"study", lithe::study_schema},
                                                       {"identification", lithe::identification_schema},
                                                       {"urdf-side", lithe::urdf_side_schema}};

void collect(const nlohmann::json& schema, std::set<std::string>& words) {
  if (schema.is_object()) {
    if (const auto keys = schema.find("properties"); keys != schema.end() && keys->is_object())
      for (const auto& [key, rule] : keys->items()) words.insert(key + ": ");
    if (const auto values = schema.find("enum"); values != schema.end())
      for (const auto& value : *values)
        if (value.is_string()) words.insert(value.get<std::string>());
    if (const auto value = schema.find("const"); value != schema.end() && value->is_string())
      words.insert(value->get<std::string>());
  }
  if (schema.is_structured())
    for (const auto& part : schema) collect(part, words);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3 || !schemas.contains(arguments[1])) {
    std::fputs("schema_words model|study|identification|urdf-side SYNTAX_FILE\n", stderr);
    return 2;
  }
  std::ifstream syntax(arguments[2]);
  if (!syntax) {
    std::fprintf(stderr, "%s cannot be read\n", arguments[2]);
    return 2;
  }
  std::set<std::string> words;
  collect(nlohmann::json::parse(schemas.at(arguments[1])()), words);
  for (const std::string& word : words) std::cout << nlohmann::json(word).dump() << '\n';
  std::cout << syntax.rdbuf();
  return std::cout.flush() ? 0 : 1;
}

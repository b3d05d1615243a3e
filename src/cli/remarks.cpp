#include "remarks.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "terminal.hpp"
#include "verbs.hpp"

namespace lithe::cli {
namespace {

bool is_news(const std::string& text) {
  static std::set<std::string> said;
  return said.insert(text).second;
}

}  // namespace

void tell(const Remarks& remarks) {
  for (const std::string& text : remarks.notes)
    if (talk() != Talk::quiet && is_news(text)) note(text);
  for (const std::string& text : remarks.warnings)
    if (is_news(text)) warn(text);
  for (const std::string& text : remarks.distrust)
    if (is_news(text)) complain(text);
}

int exit_code_of(const Remarks& remarks) { return remarks.trusted() ? fine : physics_failed; }

nlohmann::json to_json(const Remarks& remarks) {
  return {{"notes", remarks.notes},
          {"warnings", remarks.warnings},
          {"distrust", remarks.distrust},
          {"trusted", remarks.trusted()}};
}

}  // namespace lithe::cli

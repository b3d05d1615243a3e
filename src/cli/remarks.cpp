#include "remarks.hpp"

#include <fmt/format.h>

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

void tell_of(const Results& results) {
  Remarks named;
  const auto add = [&](const std::vector<std::string>& texts, const std::string& head, std::vector<std::string>& to) {
    for (const std::string& text : texts) to.push_back(fmt::format("{}: {}{}", results.path, head, text));
  };
  if (results.outcome != "complete") add({results.outcome}, "the run is not complete: ", named.warnings);
  add(results.audit.distrust, "not to be trusted: ", named.warnings);
  add(results.audit.warnings, "", named.warnings);
  add(results.audit.notes, "", named.notes);
  tell(named);
}

int exit_code_of(const Remarks& remarks) { return remarks.trusted() ? fine : physics_failed; }

nlohmann::json to_json(const Remarks& remarks) {
  return {{"notes", remarks.notes},
          {"warnings", remarks.warnings},
          {"distrust", remarks.distrust},
          {"trusted", remarks.trusted()}};
}

nlohmann::json remarks_json(const std::vector<Results>& results) {
  nlohmann::json list = nlohmann::json::array();
  for (const Results& each : results) {
    nlohmann::json entry = to_json(static_cast<const Remarks&>(each.audit));
    entry["file"] = each.path;
    entry["outcome"] = each.outcome;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace lithe::cli

#include "command_line_errors.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "lithe/laws/suggestion.hpp"

namespace lithe::cli {
namespace {

bool looks_like_option(const std::string& argument) { return argument.size() > 1 && argument[0] == '-'; }

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(verb->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string unknown_option(const CLI::App& app, const std::string& who, const std::string& option) {
  return fmt::format("{} has no option '{}'{}", who, option, did_you_mean(option, option_names(app)));
}

/// No verb was understood.
std::string without_verb(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return "a verb is missing, e.g. lithe check model.yaml";
  const std::string& first = arguments[0];
  if (looks_like_option(first)) return unknown_option(app, "lithe", first);
  if (first.ends_with(".yaml")) return fmt::format("a verb is missing, e.g. lithe check {}", first);
  return fmt::format("there is no verb '{}'{}", first, did_you_mean(first, verb_names(app)));
}

/// "model is required" says which; what it is says the help.
std::string missing_argument(const std::string& text) {
  const std::string name = text.substr(0, text.find(" is required"));
  return looks_like_option(name) ? fmt::format("the option {} is missing", name)
                                 : fmt::format("the argument {} is missing", name);
}

std::string unexpected_argument(const CLI::App& verb) {
  const std::vector<std::string> extras = verb.remaining();
  const auto option = std::find_if(extras.begin(), extras.end(), looks_like_option);
  const std::string who = "lithe " + verb.get_name();
  if (option != extras.end()) return unknown_option(verb, who, *option);
  return fmt::format("{} has no use for '{}'", who, extras.empty() ? "" : extras[0]);
}

}  // namespace

std::string explain_command_line(const CLI::App& app, const CLI::ParseError& error,
                                 const std::vector<std::string>& arguments) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return without_verb(app, arguments) + "\nTry: lithe --help";
  const CLI::App& verb = *chosen[0];
  std::string text = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) text = missing_argument(text);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) text = unexpected_argument(verb);
  return fmt::format("{}\nTry: lithe {} --help", text, verb.get_name());
}

}  // namespace lithe::cli

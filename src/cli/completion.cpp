// lithe completion: what a shell offers after the tabulator key, made from the description of the command line itself.

#include "completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "model_options.hpp"
#include "verbs.hpp"

namespace lithe::cli {
namespace {

/// What may stand at a place of the command line.
struct Place {
  std::vector<std::string> names;  ///< "-o", "--output"; empty: a word by its position
  std::string what;                ///< its description
  bool takes_value = false;
  std::vector<std::string> choices;  ///< of the value
  std::vector<std::string> endings;  ///< of files that the value may name, without dot
};

struct Verb {
  std::string name, what;
  std::vector<Place> options, words;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// The text that --help shows for a value says what it is: "bdf|adams" are choices, "FILE.h5|FILE.json" are files,
/// MODEL and RESULT are those, too.
Place place_of(const CLI::Option& option) {
  Place place;
  for (const std::string& name : option.get_snames()) place.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) place.names.push_back("--" + name);
  place.what = option.get_description();
  place.takes_value = option.get_items_expected_max() != 0;
  const std::string& text = option.get_option_text();
  for (const std::string& part : split(text, '|')) {
    const std::size_t dot = part.find('.');
    const bool is_word = !part.empty() && std::islower(static_cast<unsigned char>(part[0]));
    if (is_word) place.choices.push_back(part);
    if (part == "MODEL") place.endings.emplace_back("yaml");
    if (part == "RESULT...") place.endings.emplace_back("h5");
    if (part.starts_with("FILE.") || part.starts_with("SIDE.")) place.endings.push_back(part.substr(dot + 1));
  }
  return place;
}

Verb verb_of(const CLI::App& app) {
  Verb verb{app.get_name(), app.get_description(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    Place place = place_of(*option);
    (place.names.empty() ? verb.words : verb.options).push_back(std::move(place));
  }
  return verb;
}

std::vector<Verb> verbs_of(const CLI::App& app) {
  std::vector<Verb> verbs;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    verbs.push_back(verb_of(*each));
    // Kinds of starters and names of cases are on disk, not in the description.
    if (verbs.back().name == "new") verbs.back().words[0].choices = starter_names();
    if (verbs.back().name == "reproduce") verbs.back().words[0].choices = case_names();
  }
  return verbs;
}

std::vector<std::string> names_of(const std::vector<Place>& options) {
  std::vector<std::string> names;
  for (const Place& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// Bash.

std::string bash_value(const Place& place) {
  if (!place.choices.empty()) return fmt::format("words '{}'", fmt::join(place.choices, " "));
  return fmt::format("files {}", fmt::join(place.endings, " "));
}

std::string bash_script(const std::vector<Verb>& verbs, const Verb& program) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.push_back(verb.name);
  std::string text =
      "# Completion of lithe for bash; made by: lithe completion bash\n"
      "_lithe_add() { mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen \"$@\" -- \"$current\"); }\n"
      "_lithe_words() { _lithe_add -W \"$1\"; }\n"
      "_lithe_files() {\n"
      "  local ending\n"
      "  compopt -o filenames 2>/dev/null\n"
      "  _lithe_add -d\n"
      "  for ending in \"$@\"; do _lithe_add -f -X \"!*.$ending\"; done\n"
      "}\n"
      "_lithe() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= word IFS=$' \\t\\n'\n"
      "  COMPREPLY=()\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n";
  text += fmt::format("    case $word in {}) verb=$word; break ;; esac\n  done\n", fmt::join(names, "|"));
  text += "  case $verb:$before in\n";
  for (const Verb& verb : verbs) {
    for (const Place& option : verb.options) {
      if (!option.takes_value) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) patterns.push_back(verb.name + ":" + name);
      const bool is_known = !option.choices.empty() || !option.endings.empty();
      text += fmt::format("    {}) {}return ;;\n", fmt::join(patterns, "|"),
                          is_known ? "_lithe_" + bash_value(option) + "; " : "");
    }
  }
  text += "  esac\n  case $verb in\n";
  text += fmt::format("    '') _lithe_words '{} {}' ;;\n", fmt::join(names, " "),
                      fmt::join(names_of(program.options), " "));
  for (const Verb& verb : verbs) {
    std::string values;
    for (const Place& word : verb.words) {
      if (!word.choices.empty() || !word.endings.empty()) values += "_lithe_" + bash_value(word) + "; ";
    }
    text += fmt::format("    {}) if [[ $current == -* ]]; then _lithe_words '{}'; else {}:; fi ;;\n", verb.name,
                        fmt::join(names_of(verb.options), " "), values);
  }
  return text + "  esac\n}\ncomplete -F _lithe lithe ./lithe\n";
}

// Zsh.

std::string zsh_quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("'[]:`", at)) != std::string::npos;) {
    const std::string escaped = text[at] == '\'' ? "'\\''" : std::string("\\") + text[at];
    text.replace(at, 1, escaped);
    at += escaped.size();
  }
  return text;
}

std::string zsh_value(const Place& place) {
  if (!place.choices.empty()) return fmt::format("({})", fmt::join(place.choices, " "));
  // Parentheses around a single word would be glob qualifiers.
  if (place.endings.size() == 1) return fmt::format("_files -g \"*.{}\"", place.endings[0]);
  if (!place.endings.empty()) return fmt::format("_files -g \"*.({})\"", fmt::join(place.endings, "|"));
  return " ";
}

std::string zsh_options(const std::vector<Place>& options) {
  std::string text;
  for (const Place& option : options) {
    for (const std::string& name : option.names) {
      text += fmt::format(" \\\n        '{}[{}]{}'", name, zsh_quoted(option.what),
                          option.takes_value ? ":value:" + zsh_value(option) : "");
    }
  }
  return text;
}

std::string zsh_script(const std::vector<Verb>& verbs, const Verb& program) {
  std::string text =
      "#compdef lithe\n# Completion of lithe for zsh; made by: lithe completion zsh\n_lithe() {\n"
      "  local state line\n  local -a verbs\n  verbs=(\n";
  for (const Verb& verb : verbs) text += fmt::format("    '{}:{}'\n", verb.name, zsh_quoted(verb.what));
  text += fmt::format("  )\n  _arguments -C{} \\\n        '1:verb:->verb' '*::word:->word'\n",
                      zsh_options(program.options));
  text += "  case $state in\n    verb) _describe verb verbs ;;\n    word)\n      case $words[1] in\n";
  for (const Verb& verb : verbs) {
    text += fmt::format("        {}) _arguments{}", verb.name, zsh_options(verb.options));
    for (const Place& word : verb.words) text += fmt::format(" \\\n        '*:{}:{}'", "word", zsh_value(word));
    text += " ;;\n";
  }
  return text + "      esac ;;\n  esac\n}\n_lithe \"$@\"\n";
}

// Fish.

std::string fish_quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("'\\", at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string fish_value(const Place& place) {
  if (!place.choices.empty()) return fmt::format(" -x -a '{}'", fmt::join(place.choices, " "));
  std::string files;
  for (const std::string& ending : place.endings) files += fmt::format("(__fish_complete_suffix .{})", ending);
  return files.empty() ? " -r" : fmt::format(" -x -a '{}'", files);
}

std::string fish_script(const std::vector<Verb>& verbs, const Verb& program) {
  std::string text = "# Completion of lithe for fish; made by: lithe completion fish\ncomplete -c lithe -f\n";
  const auto add_options = [&](const Verb& verb, const std::string& condition) {
    for (const Place& option : verb.options) {
      text += fmt::format("complete -c lithe -n '{}'", condition);
      for (const std::string& name : option.names) {
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      text += fmt::format(" -d '{}'{}\n", fish_quoted(option.what), option.takes_value ? fish_value(option) : "");
    }
  };
  add_options(program, "__fish_use_subcommand");
  for (const Verb& verb : verbs) {
    text +=
        fmt::format("complete -c lithe -n __fish_use_subcommand -a {} -d '{}'\n", verb.name, fish_quoted(verb.what));
    const std::string condition = "__fish_seen_subcommand_from " + verb.name;
    add_options(verb, condition);
    for (const Place& word : verb.words) {
      if (word.choices.empty() && word.endings.empty()) continue;
      const std::string value = fish_value(word);
      text += fmt::format("complete -c lithe -n '{}' {}\n", condition, value.substr(value.find("-a")));
    }
  }
  return text;
}

}  // namespace

int completion(const CompletionOptions& options, const CLI::App& app) {
  const std::vector<Verb> verbs = verbs_of(app);
  const Verb program = verb_of(app);
  std::string script;
  if (options.shell == "bash") script = bash_script(verbs, program);
  if (options.shell == "zsh") script = zsh_script(verbs, program);
  if (options.shell == "fish") script = fish_script(verbs, program);
  if (script.empty())
    throw InputError(fmt::format("no completion for '{}'; there is bash, zsh and fish", options.shell));
  fmt::print("{}", script);
  return fine;
}

}  // namespace lithe::cli

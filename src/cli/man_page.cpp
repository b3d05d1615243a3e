// lithe man: verbs and options come from the description of the command line itself, so the page cannot fall behind.

#include "man_page.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "lithe/version.hpp"
#include "model_options.hpp"

namespace lithe::cli {
namespace {

/// Text as troff takes it: backslashes and hyphens escaped, no line that looks like a request.
std::string troff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n')) escaped += "\\&";
      escaped += c;
    }
  }
  return escaped;
}

std::vector<const CLI::App*> verbs_of_page(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// "-o, --output FILE.h5", or the name of a word.
std::string option_head(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  std::string value = option.get_option_text();
  if (value == " ") value.clear();
  if (names.empty()) return fmt::format("\\fI{}\\fR", troff(value.empty() ? option.get_name() : value));
  std::string head;
  for (const std::string& name : names) head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", troff(name));
  return value.empty() ? head : fmt::format("{} \\fI{}\\fR", head, troff(value));
}

std::string options_of_page(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options())
    text += fmt::format(".TP\n{}\n{}\n", option_head(*option), troff(option->get_description()));
  return text;
}

std::string synopsis(const CLI::App& verb) {
  std::string words;
  for (const CLI::Option* option : verb.get_options())
    if (option->get_snames().empty() && option->get_lnames().empty()) words += " " + option_head(*option);
  return fmt::format("\\fBlithe {}\\fR{} [\\fIoptions\\fR]", verb.get_name(), words);
}

const char* const closing = R"(.SH EXIT STATUS
.TP
.B 0
fine
.TP
.B 1
the physics failed (no assembly, a singular pose, a motion that the motors cannot make), the result is not to be trusted, or
the run was interrupted
.TP
.B 2
bad input: command line, model file, results
.SH FILES
.TP
.I model.yaml
a model file: links, joints, drives, how the run is done; \fBlithe new\fR writes one to start from, \fBlithe schema\fR prints
its JSON Schema
.TP
.I results.h5
results of a run (HDF5); with \fB\-\-csv\fR also as text
.TP
.I robot.urdf
a robot description, made into a model file by \fBlithe convert\fR
.TP
.I /usr/share/lithe/examples
the gallery of models
.TP
.I /usr/share/doc/lithe
the manual: tutorial, every key of a model file, theory
.SH ENVIRONMENT
.TP
.B NO_COLOR
when set, nothing is coloured
.SH NOTES
SI units everywhere; angles in radians, \fIdeg\fR in model files. Errors go to standard error, those of a file all at once, each
with file, line, column and key.
)";

}  // namespace

int man_page(const CLI::App& app) {
  std::string text = fmt::format(".TH LITHE 1 \"\" \"lithe {}\" \"User Commands\"\n", version());
  text += ".SH NAME\nlithe \\- dynamics of robot mechanisms with closed loops and elastic links\n";
  text += ".SH SYNOPSIS\n\\fBlithe\\fR \\fIverb\\fR [\\fImodel.yaml\\fR] [\\fIoptions\\fR]\n";
  text += fmt::format(
      ".SH DESCRIPTION\n{}.\nA mechanism of links and joints in any topology is read from a text file; "
      "lithe finds the loops, chooses independent coordinates, and computes kinematics, motor forces, "
      "motion, equilibrium and natural modes.\nEvery verb explains itself with \\fB\\-\\-help\\fR.\n",
      troff(app.get_description()));
  text += ".SH OPTIONS\n" + options_of_page(app) + ".SH VERBS\n";
  for (const CLI::App* verb : verbs_of_page(app))
    text += fmt::format(".SS {}\n{}\n.PP\n{}.\n{}.PP\n{}\n", troff(verb->get_name()), synopsis(*verb),
                        troff(verb->get_description()), options_of_page(*verb), troff(verb->get_footer()));
  fmt::print("{}{}", text, closing);
  return fine;
}

}  // namespace lithe::cli

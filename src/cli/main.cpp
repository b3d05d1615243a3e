// The program: reads the command line, runs one verb, turns what went wrong into one message and an exit code.

#include <fmt/format.h>

#include <csignal>
#include <new>
#include <nlohmann/json.hpp>

#include "command_line.hpp"
#include "command_line_errors.hpp"
#include "interrupt.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/simulation/free_memory.hpp"
#include "lithe/simulation/prepare.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace lithe::cli {
namespace {

/// `lithe help` is `lithe --help`, `lithe help check` is `lithe check --help`.
std::vector<std::string> without_help_verb(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments[0] != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.push_back("--help");
  return arguments;
}

/// One message on stderr; with --json also an object on stdout.
int fail(int code, bool json, const std::vector<std::string>& messages) {
  for (const std::string& message : messages) complain(message);
  if (json) {
    const nlohmann::json answer = {{"ok", false}, {"exit", code}, {"errors", messages}};
    try {
      print_json(answer);
    } catch (const std::exception&) {
      // stdout does not take it; finish_stdout() says so.
    }
  }
  return code;
}

int run_verb(const Request& request) {
  try {
    return request.run();
  } catch (const ModelError& error) {
    std::vector<std::string> texts;
    for (const Diagnostic& diagnostic : error.diagnostics()) texts.push_back(diagnostic.text());
    return fail(bad_input, request.json, texts);
  } catch (const MechanismError& error) {
    const std::string message = error.what();
    const bool is_named = message.find(error.element()) != std::string::npos;
    return fail(bad_input, request.json, {is_named ? message : fmt::format("{}: {}", error.element(), message)});
  } catch (const PhysicsError& error) {
    return fail(physics_failed, request.json, {error.what()});
  } catch (const std::bad_alloc&) {
    return fail(bad_input, request.json, {out_of_memory_text()});
  } catch (const std::exception& error) {
    return fail(bad_input, request.json, {error.what()});
  }
}

}  // namespace
}  // namespace lithe::cli

int main(int argc, char** argv) {
  using namespace lithe::cli;
  CLI::App app("Lithe: robot mechanisms whose kinematic chains close and whose links bend", "lithe");
  // A full disk and a reader that has gone are reasons for a message, not for a sudden end.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  TalkOptions talk;
  Request request;
  describe(app, talk, request);
  const std::vector<std::string> arguments = without_help_verb({argv + 1, argv + argc});
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // the last one first
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      app.exit(error);
      return finish_stdout() ? fine : bad_input;
    }
    complain(explain_command_line(app, error, arguments));
    return bad_input;
  }
  if (talk.quiet || talk.verbose) set_talk(talk.quiet ? Talk::quiet : Talk::verbose);
  const bool is_wanted = request.json || request.prints_product;
  if (talk.quiet && !is_wanted && std::freopen("/dev/null", "w", stdout) == nullptr) return bad_input;
  catch_interrupts();
  const int code = run_verb(request);
  return finish_stdout() ? code : bad_input;
}

#pragma once
// What is wrong with a command line, in words that name the argument and the remedy.

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace lithe::cli {

/// One message, which ends with the help that says more. `arguments` are those after the name of the program.
std::string explain_command_line(const CLI::App& app, const CLI::ParseError& error,
                                 const std::vector<std::string>& arguments);

}  // namespace lithe::cli

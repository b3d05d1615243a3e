#pragma once
// Scripts with which a shell completes the command line.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lithe::cli {

struct CompletionOptions {
  std::string shell;  ///< bash, zsh or fish
};

/// Prints the script for a shell, made from the description of the command line. Throws InputError for another shell.
int completion(const CompletionOptions& options, const CLI::App& app);

/// Kinds of starter models (new_model.cpp) and names of published cases (reproduce.cpp).
std::vector<std::string> starter_names();
std::vector<std::string> case_names();

}  // namespace lithe::cli

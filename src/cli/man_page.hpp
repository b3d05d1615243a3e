#pragma once
// The manual page of the program, for man(1).

namespace CLI {
class App;
}

namespace lithe::cli {

/// Prints the page in troff, made from the description of the command line.
int man_page(const CLI::App& app);

}  // namespace lithe::cli

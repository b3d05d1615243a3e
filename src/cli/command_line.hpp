#pragma once
// What the program understands: its verbs, their options and help.

#include <CLI/CLI.hpp>
#include <functional>

namespace lithe::cli {

/// The chosen verb, and whether what it prints is asked for by a script: JSON, or a text that is the product itself.
struct Request {
  std::function<int()> run;
  bool json = false;
  bool prints_product = false;
};

/// How much is printed besides the answer.
struct TalkOptions {
  bool quiet = false, verbose = false;
};

/// Teaches `app` all verbs. Parsing then fills `talk` and puts what is to be done into `request`; all three must live
/// until it is done.
void describe(CLI::App& app, TalkOptions& talk, Request& request);

}  // namespace lithe::cli

#pragma once
// What the program understands: its verbs, their options and help.

#include <CLI/CLI.hpp>
#include <functional>

#include "completion.hpp"
#include "verbs.hpp"

namespace lithe::cli {

/// The chosen verb, and whether what it prints is asked for by a script: JSON, or a text that is the product itself.
struct Request {
  std::function<int()> run;
  bool json = false;
  bool prints_product = false;
};

/// All option structures, alive while the verb runs.
struct Options {
  CheckOptions check;
  LinkOptions link;
  RunVerbOptions kinematics, inverse, simulate;
  StatesOptions compare, bench;
  PoseOptions statics, modes;
  LinearizeOptions linearize;
  ReproduceOptions reproduce;
  ShowOptions show;
  PlotOptions plot;
  NewOptions new_model;
  ConvertOptions convert;
  SchemaOptions schema;
  CompletionOptions completion;
  bool quiet = false, verbose = false;
  DemoOptions demo;
};

/// Teaches `app` all verbs. Parsing then fills `options` and puts what is to be done into `request`; all three must live
/// until it is done.
void describe(CLI::App& app, Options& options, Request& request);

}  // namespace lithe::cli

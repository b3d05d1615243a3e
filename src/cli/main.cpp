// The program: reads the command line, runs one verb, turns what went wrong into one message and an exit code.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <functional>
#include <nlohmann/json.hpp>

#include "command_line_errors.hpp"
#include "completion.hpp"
#include "interrupt.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/run_entries.hpp"
#include "lithe/version.hpp"
#include "man_page.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace lithe::cli {
namespace {

/// The chosen verb, and whether what it prints is asked for by a script: JSON, or a text that is the product itself.
struct Request {
  std::function<int()> run;
  bool json = false;
  bool prints_product = false;
};

void add_model_options(CLI::App& app, ModelOptions& options) {
  app.add_option("model", options.path, "model file (YAML)")->required()->option_text("MODEL");
  app.add_option("--set", options.sets, "replace a parameter or, by its path, a value of the model; may be repeated")
      ->option_text("NAME=VALUE")
      ->take_all()
      ->expected(1);
  app.add_flag("--json", options.json, "machine-readable answer, alone on stdout");
}

void add_rigid_option(CLI::App& app, ModelOptions& options) {
  app.add_flag("--rigid", options.rigid, "replace every elastic link by its rigid twin");
}

template <class Name>
void add_number(CLI::App& app, const char* flag, std::optional<double>& value, Name what) {
  app.add_option(flag, value, what)->option_text("NUMBER");
}

void add_run_options(CLI::App& app, RunVerbOptions& options, bool integrates) {
  add_model_options(app, options.model);
  add_rigid_option(app, options.model);
  app.add_option("-o,--output", options.hdf5, "write the results to an HDF5 file")->option_text("FILE.h5");
  app.add_option("--csv", options.csv, "write the results to a CSV file; - is stdout")->option_text("FILE.csv");
  app.add_flag("--any-size", options.any_size, "write results of more than 20 GB, too");
  for (const RunNumber& number : run_numbers()) {
    if (number.of_integration && !integrates) continue;
    const std::string name(number.name);
    app.add_option_function<double>(
           "--" + name, [&options, name](const double& value) { options.run.numbers[name] = value; },
           std::string(number.meaning))
        ->option_text("NUMBER");
  }
  if (!integrates) return;
  for (const RunChoice& choice : run_choices()) {
    const std::string name(choice.name);
    app.add_option_function<std::string>(
           "--" + name, [&options, name](const std::string& value) { options.run.choices[name] = value; },
           std::string(choice.meaning))
        ->option_text(fmt::format("{}", fmt::join(choice.choices(), "|")));
  }
}

/// All option structures, alive while the verb runs.
struct Options {
  CheckOptions check;
  LinkOptions link;
  RunVerbOptions kinematics, inverse, simulate;
  CompareOptions compare;
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

void add_pose_options(CLI::App& app, PoseOptions& options) {
  add_model_options(app, options.model);
  add_number(app, "--at", options.at, "pose of the motion laws at this time (s); without: the initial values");
  app.add_flag("--free", options.free_motors,
               "motors without any force: the pose is the equilibrium that is found from the given one");
}

void add_linearize_options(CLI::App& app, LinearizeOptions& options) {
  add_pose_options(app, options.pose);
  app.add_flag("--locked", options.pose.locked_motors,
               "lock the motors instead of loading them with what holds the pose");
  app.add_flag("--rest", options.rest, "with --at: stand still in that pose instead of passing through it");
  app.add_option("--outputs", options.outputs,
                 "recorded quantities that are outputs, separated by commas; * stands for anything (default: all)")
      ->option_text("NAME,...")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  app.add_option("-o,--output", options.output, "write the linear model to a MAT-file, for Octave and MATLAB")
      ->option_text("FILE.mat");
  app.add_flag("--matrices", options.matrices, "print A, B, C, D however large they are");
}

void add_show_options(CLI::App& app, ShowOptions& options) {
  app.add_option("results", options.results,
                 "results of runs (HDF5), several are shown over each other; or a model file: as it is assembled")
      ->required()
      ->option_text("RESULT...|MODEL");
  app.add_option("-o,--output", options.output, "the page (default: report.html)")->option_text("FILE.html");
  app.add_option("--title", options.title, "of the page (default: the name of the first model)")->option_text("TEXT");
  app.add_flag("--json", options.json, "machine-readable answer, alone on stdout");
}

void add_plot_options(CLI::App& app, PlotOptions& options) {
  app.add_option("results", options.results, "results of runs (HDF5); several are drawn over each other")
      ->required()
      ->option_text("RESULT...");
  app.add_option(
         "--what", options.what,
         "columns to plot, separated by commas; * stands for anything; also bending.LINK.FRAME.y of elastic links")
      ->option_text("COLUMN,...")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  app.add_option("-o,--output", options.output, "the figure: .svg, .pdf or .png")->required()->option_text("FILE.svg");
  app.add_option("--title", options.title, "above the figure (default: none)")->option_text("TEXT");
  add_number(app, "--from", options.from, "start of the time axis (s)");
  add_number(app, "--until", options.until, "end of the time axis (s)");
  app.add_option("--width", options.width, "of the figure (mm, 40 to 2000; default 160)")
      ->check(CLI::Range(40.0, 2000.0))
      ->option_text("MM");
  app.add_option("--height", options.height, "of each panel, one per unit (mm, 20 to 2000; default 80)")
      ->check(CLI::Range(20.0, 2000.0))
      ->option_text("MM");
  app.add_option("--dpi", options.dpi, "dots per inch of a PNG (30 to 1200; default 200)")
      ->check(CLI::Range(30.0, 1200.0))
      ->option_text("DPI");
  app.add_flag("--json", options.json, "machine-readable answer, alone on stdout");
}

void describe(CLI::App& app, Options& options, Request& request) {
  app.set_version_flag("--version", fmt::format("lithe {}", version()));
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "explain and leave");
  app.footer(
      "Every verb has its own --help and takes --quiet or --verbose. Exit code 0: fine, 1: the physics failed, 2: bad "
      "input.\n"
      "Example: lithe simulate examples/four-bar.yaml -o four-bar.h5");
  const auto verb = [&](const char* name, const char* what, const char* example) {
    CLI::App* added = app.add_subcommand(name, what);
    added->footer(std::string("Example: ") + example);
    return added;
  };

  CLI::App* new_verb = verb("new", "write a commented model to start from", "lithe new five-bar -o my-robot.yaml");
  new_verb->add_option("kind", options.new_model.kind, "which one; without: list them")->option_text("KIND");
  new_verb->add_option("-o,--output", options.new_model.output, "the model file (default: model.yaml)")
      ->option_text("FILE.yaml");
  new_verb->add_flag("--list", options.new_model.list, "list the kinds");
  new_verb->add_flag("--force", options.new_model.force, "overwrite a file that is there");
  new_verb->add_flag("--json", options.new_model.json, "machine-readable answer, alone on stdout");
  new_verb->callback([&] { request = {[&] { return new_model(options.new_model); }, options.new_model.json}; });

  CLI::App* check_verb = verb("check", "validate a model; print what the mechanism is made of and how it can move",
                              "lithe check examples/khan-3rrr.yaml --branches");
  add_model_options(*check_verb, options.check.model);
  add_rigid_option(*check_verb, options.check.model);
  check_verb->add_flag("--branches", options.check.branches, "search and list all ways to assemble the loops");
  check_verb->callback([&] { request = {[&] { return check(options.check); }, options.check.model.json}; });

  CLI::App* link_verb = verb("link", "one link by itself: mass properties, modes, buckling load, mode shapes",
                             "lithe link arm examples/flexible-pendulum.yaml --csv shapes.csv");
  link_verb->add_option("link", options.link.link, "name of the link")->required()->option_text("LINK");
  add_model_options(*link_verb, options.link.model);
  link_verb->add_option("--csv", options.link.csv, "write the mode shapes to a CSV file")->option_text("FILE.csv");
  link_verb->add_option("-o,--output", options.link.file, "write the finished link, for `imported:` in other models")
      ->option_text("FILE.json|FILE.h5");
  link_verb->callback([&] { request = {[&] { return link(options.link); }, options.link.model.json}; });

  CLI::App* kinematics_verb = verb("kinematics", "positions, speeds and accelerations along the drives",
                                   "lithe kinematics examples/four-bar.yaml --csv path.csv");
  add_run_options(*kinematics_verb, options.kinematics, false);
  const auto streams = [](const RunVerbOptions& run) { return run.csv == "-"; };
  kinematics_verb->callback([&, streams] {
    request = {[&] { return kinematics(options.kinematics); }, options.kinematics.model.json,
               streams(options.kinematics)};
  });

  CLI::App* inverse_verb = verb("inverse", "actuator forces that the motion along the drives needs",
                                "lithe inverse examples/khan-3rrr.yaml --set g=0 --csv torques.csv");
  add_run_options(*inverse_verb, options.inverse, false);
  inverse_verb->add_flag("--flexible", options.inverse.flexible,
                         "let the links bend: forces with which the joints follow their laws in spite of it (without: "
                         "those of the rigid twin)");
  inverse_verb->callback([&, streams] {
    request = {[&] { return inverse(options.inverse); }, options.inverse.model.json, streams(options.inverse)};
  });

  CLI::App* simulate_verb = verb("simulate", "motion of the mechanism under its drives and loads",
                                 "lithe simulate examples/five-bar.yaml --until 0.8 --integrator adams -o five-bar.h5");
  add_run_options(*simulate_verb, options.simulate, true);
  simulate_verb->add_flag("--equilibrium", options.simulate.equilibrium,
                          "start at static equilibrium, motors held (as `initial: equilibrium` in the model)");
  simulate_verb->callback([&, streams] {
    request = {[&] { return simulate(options.simulate); }, options.simulate.model.json, streams(options.simulate)};
  });

  CLI::App* compare_verb = verb("compare", "all formulations on the same random states: agreement and time per call",
                                "lithe compare examples/khan-6ups.yaml --states 20");
  add_model_options(*compare_verb, options.compare.model);
  add_rigid_option(*compare_verb, options.compare.model);
  compare_verb->add_option("--states", options.compare.states, "number of random states")
      ->check(CLI::Range(1, 1000000))
      ->option_text("COUNT");
  compare_verb->add_option("--seed", options.compare.seed, "of the random numbers; same seed, same states")
      ->option_text("COUNT");
  compare_verb->callback([&] { request = {[&] { return compare(options.compare); }, options.compare.model.json}; });

  CLI::App* statics_verb = verb("statics", "equilibrium under gravity and loads; deflections, motor forces, compliance",
                                "lithe statics examples/flexible-four-bar.yaml --frame coupler/tip");
  add_pose_options(*statics_verb, options.statics);
  statics_verb->add_option("--frame", options.statics.frame, "also print the compliance of this frame")
      ->option_text("LINK/FRAME");
  statics_verb->callback([&] { request = {[&] { return statics(options.statics); }, options.statics.model.json}; });

  CLI::App* modes_verb = verb("modes", "natural frequencies and shapes of the assembled mechanism at a pose",
                              "lithe modes examples/flexible-four-bar.yaml --count 5");
  add_pose_options(*modes_verb, options.modes);
  modes_verb->add_flag("--locked", options.modes.locked_motors,
                       "lock all motors (without: those with PD drives or laws in code answer by them)");
  modes_verb->add_option("--count", options.modes.count, "modes shown")
      ->check(CLI::Range(1, 100000))
      ->option_text("COUNT");
  modes_verb->callback([&] { request = {[&] { return modes(options.modes); }, options.modes.model.json}; });

  CLI::App* linearize_verb =
      verb("linearize",
           "linear model A, B, C, D and its poles about a pose that the motors hold, or about the "
           "motion at a time",
           "lithe linearize examples/flexible-four-bar.yaml --at 0.5 -o four-bar.mat");
  add_linearize_options(*linearize_verb, options.linearize);
  linearize_verb->callback([&] {
    request = {[&] { return linearize(options.linearize); }, options.linearize.pose.model.json};
  });

  CLI::App* schema_verb = verb("schema", "print the JSON Schema of the model file", "lithe schema > lithe.schema.json");
  const std::string schema_json = "accepted for uniformity: the schema is JSON";
  schema_verb->add_flag("--json", schema_json);
  schema_verb->add_flag("--side-file", options.schema.side_file, "of the side file of `lithe convert` instead");
  schema_verb->callback([&] { request = {[&] { return schema(options.schema); }, true}; });

  CLI::App* convert_verb = verb("convert", "make a model file from a URDF; a side file adds loops and elastic links",
                                "lithe convert robot.urdf --with side.yaml -o model.yaml");
  convert_verb->add_option("urdf", options.convert.urdf, "robot description (URDF)")
      ->required()
      ->option_text("FILE.urdf");
  convert_verb->add_option("--with", options.convert.side, "side file: loops, elastic links, drives, run")
      ->option_text("SIDE.yaml");
  convert_verb->add_option("-o,--output", options.convert.output, "the model file (default: stdout)")
      ->option_text("FILE.yaml");
  convert_verb->add_option("--inertia", options.convert.inertia, "inertias that no body can have (default: refuse)")
      ->option_text("refuse|repair|accept")
      ->check(CLI::IsMember({"refuse", "repair", "accept"}));
  convert_verb->add_flag("--ignore-couplings", options.convert.ignore_couplings,
                         "leave out couplings and force elements; the robot then moves differently");
  convert_verb->add_flag("--json", options.convert.json, "machine-readable answer, alone on stdout");
  convert_verb->callback([&] {
    request = {[&] { return convert(options.convert); }, options.convert.json, options.convert.output.empty()};
  });

  CLI::App* completion_verb = verb("completion", "print a script with which a shell completes lithe's command line",
                                   "lithe completion bash > ~/.local/share/bash-completion/completions/lithe");
  completion_verb->add_option("shell", options.completion.shell, "which shell")
      ->required()
      ->option_text("bash|zsh|fish");
  completion_verb->callback([&] { request = {[&] { return completion(options.completion, app); }, false, true}; });

  CLI::App* man_verb = verb("man", "print the manual page, for man(1)", "lithe man > lithe.1");
  man_verb->callback([&] { request = {[&] { return man_page(app); }, false, true}; });

  CLI::App* reproduce_verb =
      verb("reproduce", "published numbers beside ours, with tolerance and verdict", "lithe reproduce khan");
  reproduce_verb->add_option("case", options.reproduce.name, "name of a case, or a case file; without: list the cases")
      ->option_text("CASE");
  reproduce_verb->add_flag("--json", options.reproduce.json, "machine-readable answer, alone on stdout");
  reproduce_verb->add_flag("--failures", options.reproduce.failures_only, "print only the numbers that differ");
  reproduce_verb->callback([&] { request = {[&] { return reproduce(options.reproduce); }, options.reproduce.json}; });

  CLI::App* show_verb = verb("show", "one page with the moving mechanism, plots and audit of results; needs no network",
                             "lithe show flexible.h5 rigid.h5 -o report.html");
  add_show_options(*show_verb, options.show);
  show_verb->callback([&] { request = {[&] { return show(options.show); }, options.show.json}; });

  CLI::App* plot_verb = verb("plot", "a figure of columns of results, for papers",
                             "lithe plot four-bar.h5 --what q.motor,tau.* -o figure.svg");
  add_plot_options(*plot_verb, options.plot);
  plot_verb->callback([&] { request = {[&] { return plot(options.plot); }, options.plot.json}; });

  CLI::App* demo_verb =
      verb("demo", "run the gallery of examples and write one page about them", "lithe demo --folder /tmp/lithe-demo");
  demo_verb->add_option("--folder", options.demo.folder, "where the results and index.html go (default: out)")
      ->option_text("FOLDER");
  demo_verb->add_flag("--json", options.demo.json, "machine-readable answer, alone on stdout");
  demo_verb->callback([&] { request = {[&] { return demo(options.demo); }, options.demo.json}; });
}

/// Flags that every verb takes, before or after its name.
void add_talk_options(CLI::App& app, Options& options) {
  std::vector<CLI::App*> apps = app.get_subcommands([](CLI::App*) { return true; });
  apps.push_back(&app);
  for (CLI::App* each : apps) {
    // The blank stands where CLI11 would say what excludes what.
    CLI::Option* quiet =
        each->add_flag("-q,--quiet", options.quiet, "print warnings and errors only")->option_text(" ");
    each->add_flag("--verbose", options.verbose, "also print where the time went and the options in force")
        ->option_text(" ")
        ->excludes(quiet);
  }
}

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
  Options options;
  Request request;
  describe(app, options, request);
  add_talk_options(app, options);
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
  if (options.quiet || options.verbose) set_talk(options.quiet ? Talk::quiet : Talk::verbose);
  const bool is_wanted = request.json || request.prints_product;
  if (options.quiet && !is_wanted && std::freopen("/dev/null", "w", stdout) == nullptr) return bad_input;
  catch_interrupts();
  const int code = run_verb(request);
  return finish_stdout() ? code : bad_input;
}

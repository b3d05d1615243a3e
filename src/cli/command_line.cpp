#include "command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "completion.hpp"
#include "control_verbs.hpp"
#include "lithe/simulation/run_entries.hpp"
#include "lithe/simulation/workspace_map.hpp"
#include "lithe/version.hpp"
#include "live.hpp"
#include "man_page.hpp"

namespace lithe::cli {
namespace {

template <class Given>
void add_json_option(CLI::App& app, Given& given) {
  app.add_flag("--json", given.json, "machine-readable answer, alone on stdout");
}

void add_model_options(CLI::App& app, ModelOptions& options) {
  app.add_option("model", options.path, "model file (YAML)")->required()->option_text("MODEL");
  app.add_option("--set", options.sets, "replace a parameter or, by its path, a value of the model; may be repeated")
      ->option_text("NAME=VALUE")
      ->take_all()
      ->expected(1);
  add_json_option(app, options);
}

void add_rigid_option(CLI::App& app, ModelOptions& options) {
  app.add_flag("--rigid", options.rigid, "replace every elastic link by its rigid twin");
}

template <class Name>
void add_number(CLI::App& app, const char* flag, std::optional<double>& value, Name what) {
  app.add_option(flag, value, what)->option_text("NUMBER");
}

/// Names or numbers separated by commas.
template <class List>
void add_list(CLI::App& app, const char* flag, List& list, const std::string& what, const char* text = "NAME,...") {
  app.add_option(flag, list, what)->option_text(text)->delimiter(',')->expected(1)->take_all();
}

void add_run_options(CLI::App& app, RunVerbOptions& options, bool integrates) {
  add_model_options(app, options.model);
  add_rigid_option(app, options.model);
  app.add_option("-o,--output", options.hdf5, "write the results to an HDF5 file")->option_text("FILE.h5");
  app.add_option("--csv", options.csv, "write the results to a CSV file; - is stdout")->option_text("FILE.csv");
  app.add_option(
         "--shape", options.model.shape,
         "shape all wanted motions (zv, zvd, zvdd, ei, smooth) against vibration of the lowest mode or modes, or of "
         "given frequencies; none: leave out what the file shapes")
      ->option_text("KIND[:MODES|=HZ,...]");
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

void add_pose_options(CLI::App& app, PoseOptions& options) {
  add_model_options(app, options.model);
  add_number(app, "--at", options.at, "pose of the motion laws at this time (s); without: the initial values");
  app.add_flag("--free", options.free_motors,
               "motors without any force: the pose is the equilibrium that is found from the given one");
}

void add_states_options(CLI::App& app, StatesOptions& options) {
  add_model_options(app, options.model);
  add_rigid_option(app, options.model);
  app.add_option("--states", options.states, "number of random states")
      ->check(CLI::Range(1, 1000000))
      ->option_text("COUNT");
  app.add_option("--seed", options.seed, "of the random numbers; same seed, same states")->option_text("COUNT");
}

void add_linearize_options(CLI::App& app, LinearizeOptions& options) {
  add_pose_options(app, options.pose);
  app.add_flag("--locked", options.pose.locked_motors,
               "lock the motors instead of loading them with what holds the pose");
  app.add_flag("--rest", options.rest, "with --at: stand still in that pose instead of passing through it");
  add_list(app, "--outputs", options.outputs,
           "recorded quantities that are outputs, separated by commas; * stands for anything (default: all)");
  app.add_option("-o,--output", options.output, "write the linear model to a MAT-file, for Octave and MATLAB")
      ->option_text("FILE.mat");
  app.add_flag("--matrices", options.matrices, "print A, B, C, D however large they are");
}

void add_identify_options(CLI::App& app, IdentifyOptions& options) {
  add_model_options(app, options.model);
  app.get_option("model")->description("identification file (YAML); with --record a model file")->option_text("FILE");
  app.add_option("--record", options.record, "measurements of one experiment with the model: CSV, or a result (.h5)")
      ->option_text("RECORD");
  app.add_option("--parameters", options.parameters, "with --record: what is sought, separated by commas")
      ->option_text("NAME,...")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  app.add_option("--columns", options.columns,
                 "with --record: which columns are what, separated by commas (default: columns that are named like "
                 "recorded quantities)")
      ->option_text("COLUMN=QUANTITY,...")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  app.add_option("--run", options.run, "with --record: how the model comes to the quantities (default: simulate)")
      ->option_text("simulate|inverse|kinematics")
      ->check(CLI::IsMember({"simulate", "inverse", "kinematics"}));
  app.add_option("-o,--output", options.output, "write what was found, for --set @FILE of other verbs")
      ->option_text("FILE");
  app.add_option("--figure", options.figure, "measured, predicted and residuals: .svg, .pdf or .png")
      ->option_text("FILE.svg");
  app.add_option("--threads", options.threads, "runs at the same time (default: as many as the machine has cores)")
      ->check(CLI::Range(1, 1024))
      ->option_text("COUNT");
}

void add_map_options(CLI::App& app, MapVerbOptions& options) {
  add_model_options(app, options.model);
  add_rigid_option(app, options.model);
  app.add_option(
         "--over", options.over,
         "an axis of the grid, two or three of them: q.JOINT, pos.LINK.FRAME.x or rot.LINK.FRAME.z (default: 50 "
         "points)")
      ->option_text("COORDINATE=FROM:TO[:COUNT]")
      ->take_all()
      ->expected(1);
  app.add_option("--hold", options.hold, "keep another coordinate at a value; may be repeated")
      ->option_text("COORDINATE=VALUE")
      ->take_all()
      ->expected(1);
  std::vector<std::string> names;
  for (const MapQuantity& each : map_quantities()) names.push_back(each.name);
  add_list(app, "--what", options.what, fmt::format("quantities, separated by commas: {}", fmt::join(names, ", ")),
           "NAME,...");
  app.add_option("--frame", options.frame, "the tool (default: the frame of the axes, else the platform)")
      ->option_text("LINK/FRAME");
  app.add_option("--modes", options.modes, "natural frequencies of each kind (default: 3)")
      ->check(CLI::Range(1, 1000))
      ->option_text("COUNT");
  app.add_option("--payload", options.payload, "point mass that the tool carries (kg)")->option_text("NUMBER");
  app.add_option("--acceleration", options.acceleration, "of the tool, for torque (m/s^2; default: 10)")
      ->option_text("NUMBER");
  app.add_option("--branch", options.branch, "assembly, as numbered by lithe check --branches (default: 1)")
      ->check(CLI::Range(1, 100000))
      ->option_text("COUNT");
  app.add_option("--threads", options.threads, "the numbers do not depend on it (default: one per processor)")
      ->check(CLI::Range(1, 1024))
      ->option_text("COUNT");
  app.add_option("-o,--output", options.output, "write the map to an HDF5 file; an interrupted map goes on")
      ->option_text("FILE.h5");
  app.add_option("--csv", options.csv, "write the map to a CSV file; - is stdout")->option_text("FILE.csv");
  app.add_option("--figure", options.figures, "draw contours: .svg, .pdf or .png; may be repeated")
      ->option_text("FILE.svg")
      ->take_all()
      ->expected(1);
  add_list(app, "--draw", options.draw,
           "columns of the figure, separated by commas (default: the first of each quantity)", "COLUMN,...");
  app.add_option("--layer", options.layer, "point of the third axis that the figure shows (default: the middle one)")
      ->check(CLI::Range(1, 10000))
      ->option_text("COUNT");
  app.add_option("--width", options.width, "of the figure (mm, 40 to 2000; default 160)")
      ->check(CLI::Range(40.0, 2000.0))
      ->option_text("MM");
  app.add_option("--dpi", options.dpi, "dots per inch of a PNG (30 to 1200; default 200)")
      ->check(CLI::Range(30.0, 1200.0))
      ->option_text("DPI");
}

void add_frf_options(CLI::App& app, FrfOptions& options) {
  add_pose_options(app, options.pose);
  app.add_flag("--locked", options.pose.locked_motors, "lock the motors: loads are the inputs then");
  app.add_flag("--rest", options.rest, "with --at: stand still in that pose instead of passing through it");
  app.add_flag("--open", options.open, "leave out the feedback of the drives (without: the loops are closed)");
  add_list(app, "--inputs", options.inputs,
           "motors and loads, as linearize calls them; * stands for anything (default: all)");
  add_list(app, "--outputs", options.outputs, "recorded quantities; * stands for anything (default: all)");
  add_number(app, "--from", options.from, "lowest frequency (Hz; default: below the slowest mode)");
  add_number(app, "--until", options.until, "highest frequency (Hz; default: above the fastest mode)");
  app.add_option("--count", options.count, "frequencies of the table; peaks get more (default 200)")
      ->check(CLI::Range(2, 1000000))
      ->option_text("COUNT");
  add_list(app, "--frequencies", options.frequencies, "these frequencies (Hz) instead", "NUMBER,...");
  app.add_option("--csv", options.csv, "write the table: gain and phase (degrees); - is stdout")
      ->option_text("FILE.csv");
  app.add_option("-o,--output", options.output, "write the response to a MAT-file, for Octave and MATLAB")
      ->option_text("FILE.mat");
  app.add_option("--bode", options.bode, "draw gain and phase: .svg, .pdf or .png")->option_text("FILE.svg");
}

void add_gains_options(CLI::App& app, GainsOptions& options) {
  add_model_options(app, options.model);
  add_list(app, "--at", options.at, "poses of the motion laws at these times (s); without: the initial values",
           "TIME,...");
  add_list(app, "--over", options.over,
           "a grid of poses at rest in place of --at: joints with their first and last value and how many: "
           "motor-1=0.2:1.4:5,motor-2=-1:1:3",
           "JOINT=FROM:TO:COUNT,...");
  app.add_flag("--rest", options.rest, "with --at: stand still in these poses instead of passing through them");
  app.add_flag("--open", options.open, "leave out the feedback of the drives, which the gains replace");
  add_list(app, "--inputs", options.inputs, "motors and loads that control (default: all motors)");
  add_list(app, "--outputs", options.outputs, "recorded quantities to weight, to integrate, to draw (default: all)");
  add_list(app, "--allow", options.allow,
           "weights by allowed deviations of states, outputs, inputs: 'q.*=0.01,tau.*=20' (default: 1 of all states "
           "and inputs)",
           "NAME=NUMBER,...");
  add_list(app, "--poles", options.poles, "poles of the loop (1/s) instead of weights: -3+2i,-3-2i,-5", "POLE,...");
  add_list(app, "--integral", options.integral, "outputs with integral action; its deviations are integral.NAME");
  add_list(app, "--sensors", options.sensors, "outputs that are measured: an observer estimates the rest");
  add_list(app, "--noise", options.noise,
           "noise of inputs (density) and sensors (density, sampled: deviation): 'tau.*=0.1,q.*=1e-4' (default: 1, "
           "sensors 1e-3)",
           "NAME=NUMBER,...");
  add_list(app, "--observer-poles", options.observer_poles, "poles of the observer (1/s) instead of noise", "POLE,...");
  app.add_option("--sample", options.sample, "sample time of the controller (s; default: continuous)")
      ->option_text("NUMBER");
  app.add_option("--delay", options.delay, "from measuring to acting (s), whole or part of samples")
      ->option_text("NUMBER");
  app.add_option("--reduce", options.reduce, "compute the gains for a smaller model")
      ->option_text("modal=N|balanced=N|slow|fast|composite");
  app.add_option(
         "--write", options.write,
         "write a model file that includes this one and has the controller, to simulate at once; without --sensors "
         "every state that counts is measured")
      ->option_text("FILE.yaml");
  app.add_flag("--spillover", options.spillover,
               "what the controller does to each mode of the whole model, with those that --reduce left out");
  app.add_option("-o,--output", options.output, "write model and gains to a MAT-file")->option_text("FILE.mat");
  app.add_option("--bode", options.bode, "draw the open and the closed loop: .svg, .pdf or .png")
      ->option_text("FILE.svg");
  app.add_option("--step", options.step, "draw the step responses of the closed loop")->option_text("FILE.svg");
}

void add_show_options(CLI::App& app, ShowOptions& options) {
  app.add_option(
         "results", options.results,
         "results of runs (HDF5), several are shown over each other; or a map (lithe map -o), or a study (lithe "
         "sweep, lithe optimize); or a model file: as it is assembled")
      ->required()
      ->option_text("RESULT...|MAP|STUDY|MODEL");
  app.add_option("-o,--output", options.output, "the page (default: report.html)")->option_text("FILE.html");
  app.add_option("--title", options.title, "of the page (default: the name of the first model)")->option_text("TEXT");
  add_json_option(app, options);
}

void add_plot_options(CLI::App& app, PlotOptions& options) {
  app.add_option("results", options.results, "results of runs (HDF5); several are drawn over each other")
      ->required()
      ->option_text("RESULT...");
  add_list(app, "--what", options.what,
           "columns to plot, separated by commas; * stands for anything; also bending.LINK.FRAME.y of elastic links",
           "COLUMN,...");
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
  add_json_option(app, options);
}

template <class Given>
void add_study_options(CLI::App& app, Given& options) {
  app.add_option("study", options.study, "study file (YAML)")->required()->option_text("STUDY");
  app.add_option("-o,--output", options.hdf5, "the results (default: the name of the study, in this folder)")
      ->option_text("FILE.h5");
  app.add_option("--csv", options.csv, "write the variants to a CSV file, too")->option_text("FILE.csv");
  app.add_option("--threads", options.threads, "how many (default: as many as the machine has)")
      ->check(CLI::Range(1, 10000))
      ->option_text("COUNT");
  app.add_flag("--resume", options.resume, "go on where an earlier one was interrupted");
  add_json_option(app, options);
}

void add_sweep_options(CLI::App& app, SweepOptions& options) {
  add_study_options(app, options);
  app.add_option("--keep", options.keep, "also write whole runs of the extreme variants, by the first objective")
      ->option_text("worst:COUNT|best:COUNT");
}

void add_convert_options(CLI::App& app, ConvertOptions& options) {
  app.add_option("urdf", options.urdf, "robot description (URDF or MJCF)")->required()->option_text("FILE.urdf");
  app.add_option("--with", options.side, "side file: loops, elastic links, drives, run")->option_text("SIDE.yaml");
  app.add_option("-o,--output", options.output, "the model file (default: stdout)")->option_text("FILE.yaml");
  app.add_option("--inertia", options.inertia, "inertias that no body can have (default: refuse)")
      ->option_text("refuse|repair|accept")
      ->check(CLI::IsMember({"refuse", "repair", "accept"}));
  app.add_flag("--ignore-couplings", options.ignore_couplings,
               "leave out couplings and force elements; the robot then moves differently");
  app.add_flag("--stops", options.stops, "limits of joints become hard stops (default: comments)");
  add_json_option(app, options);
}

/// Whether stdout belongs to a script.
bool wants_json(const SchemaOptions&) { return true; }
template <class Given>
bool wants_json(const Given& given) {
  if constexpr (requires { given.json; })
    return given.json;
  else if constexpr (requires { given.model; })
    return given.model.json;
  else
    return given.pose.model.json;
}

/// Whether what is printed is the product itself, which --quiet leaves.
template <class Given>
bool prints_product(const Given&) {
  return false;
}
bool prints_product(const RunVerbOptions& given) { return given.csv == "-"; }
bool prints_product(const MapVerbOptions& given) { return given.csv == "-"; }
bool prints_product(const FrfOptions& given) { return given.csv == "-"; }
bool prints_product(const ConvertOptions& given) { return given.output.empty(); }

/// The verbs in the order of the help.
class Verbs {
 public:
  Verbs(CLI::App& app, Request& request) : app_(app), request_(request) {}

  void add_all() {
    add_models();
    add_runs();
    add_poses();
    add_records();
    add_studies();
    add_texts();
    add_results();
  }

 private:
  CLI::App& verb(const char* name, const char* what, const char* example) {
    CLI::App* added = app_.add_subcommand(name, what);
    added->footer(std::string("Example: ") + example);
    return *added;
  }

  /// What the command line gives the function behind a verb. The verb keeps it.
  template <class Given>
  Given& given_to(int (*run)(const Given&), CLI::App& verb) {
    const auto given = std::make_shared<Given>();
    verb.callback([&request = request_, run, given] {
      request = {[run, given] { return run(*given); }, wants_json(*given), prints_product(*given)};
    });
    return *given;
  }

  void add_models() {
    CLI::App& fresh = verb("new", "write a commented model to start from", "lithe new five-bar -o my-robot.yaml");
    NewOptions& start = given_to(new_model, fresh);
    fresh.add_option("kind", start.kind, "which one; without: list them")->option_text("KIND");
    fresh.add_option("-o,--output", start.output, "the model file (default: model.yaml)")->option_text("FILE.yaml");
    fresh.add_flag("--list", start.list, "list the kinds");
    fresh.add_flag("--force", start.force, "overwrite a file that is there");
    add_json_option(fresh, start);

    CLI::App& checking =
        verb("check", "validate a model or a study; print what the mechanism is made of and how it can move",
             "lithe check examples/khan-3rrr.yaml --branches");
    CheckOptions& look = given_to(check, checking);
    add_model_options(checking, look.model);
    add_rigid_option(checking, look.model);
    checking.add_flag("--branches", look.branches, "search and list all ways to assemble the loops");

    CLI::App& one_link = verb("link", "one link by itself: mass properties, modes, buckling load, mode shapes",
                              "lithe link arm examples/flexible-pendulum.yaml --csv shapes.csv");
    LinkOptions& asked = given_to(link, one_link);
    one_link.add_option("link", asked.link, "name of the link")->required()->option_text("LINK");
    add_model_options(one_link, asked.model);
    one_link.add_option("--csv", asked.csv, "write the mode shapes to a CSV file")->option_text("FILE.csv");
    one_link.add_option("-o,--output", asked.file, "write the finished link, for `imported:` in other models")
        ->option_text("FILE.json|FILE.h5");
  }

  void add_runs() {
    CLI::App& moving = verb("kinematics", "positions, speeds and accelerations along the drives",
                            "lithe kinematics examples/four-bar.yaml --csv path.csv");
    add_run_options(moving, given_to(kinematics, moving), false);

    CLI::App& driving = verb("inverse", "actuator forces that the motion along the drives needs",
                             "lithe inverse examples/khan-3rrr.yaml --set g=0 --csv torques.csv");
    RunVerbOptions& along = given_to(inverse, driving);
    add_run_options(driving, along, false);
    driving.add_flag("--flexible", along.flexible,
                     "let the links bend: forces with which the joints follow their laws in spite of it (without: "
                     "those of the rigid twin)");

    CLI::App& simulating = verb("simulate", "motion of the mechanism under its drives and loads",
                                "lithe simulate examples/five-bar.yaml --until 0.8 --integrator adams -o five-bar.h5");
    RunVerbOptions& through = given_to(simulate, simulating);
    add_run_options(simulating, through, true);
    simulating.add_flag("--equilibrium", through.equilibrium,
                        "start at static equilibrium, motors held (as `initial: equilibrium` in the model)");

    CLI::App& comparing = verb("compare", "all formulations on the same random states: agreement and time per call",
                               "lithe compare examples/khan-6ups.yaml --states 20");
    add_states_options(comparing, given_to(compare, comparing));

    CLI::App& timing = verb("bench", "what evaluations and the run of a model cost on this machine",
                            "lithe bench examples/flexible-3rrr.yaml");
    add_states_options(timing, given_to(bench, timing));
  }

  void add_poses() {
    CLI::App& resting = verb("statics", "equilibrium under gravity and loads; deflections, motor forces, compliance",
                             "lithe statics examples/flexible-four-bar.yaml --frame coupler/tip");
    PoseOptions& rest = given_to(statics, resting);
    add_pose_options(resting, rest);
    resting.add_option("--frame", rest.frame, "also print the compliance of this frame")->option_text("LINK/FRAME");
    resting.add_flag("--moving", rest.moving,
                     "with --at: under the inertia of the motion at that time, as if links took no time to bend");

    CLI::App& ringing = verb("modes", "natural frequencies and shapes of the assembled mechanism at a pose",
                             "lithe modes examples/flexible-four-bar.yaml --count 5");
    PoseOptions& pose = given_to(modes, ringing);
    add_pose_options(ringing, pose);
    ringing.add_flag("--locked", pose.locked_motors,
                     "lock all motors (without: those with PD drives or laws in code answer by them)");
    ringing.add_option("--count", pose.count, "modes shown")->check(CLI::Range(1, 100000))->option_text("COUNT");

    CLI::App& linear = verb("linearize",
                            "linear model A, B, C, D and its poles about a pose that the motors hold, or about the "
                            "motion at a time",
                            "lithe linearize examples/flexible-four-bar.yaml --at 0.5 -o four-bar.mat");
    add_linearize_options(linear, given_to(linearize, linear));

    CLI::App& mapping =
        verb("map",
             "over a grid of poses: reach, singular lines, condition, compliance, sag, frequencies, motor "
             "forces, payload",
             "lithe map examples/five-bar.yaml --over pos.forearm-left.tip.x=-0.4:0.4 --over "
             "pos.forearm-left.tip.y=0:0.5 --what condition,torque --figure map.svg");
    add_map_options(mapping, given_to(map, mapping));

    CLI::App& response =
        verb("frf", "frequency response about a pose, from motors and loads to recorded quantities",
             "lithe frf examples/flexible-3rrr.yaml --inputs tau.motor-1 --outputs 'pos.*' --bode bode.svg");
    add_frf_options(response, given_to(frf, response));

    CLI::App& regulating = verb("gains", "state feedback, observer and controller from the linear model at a pose",
                                "lithe gains examples/flexible-3rrr.yaml --at 0,0.25 --allow 'q.motor-*=0.01,tau.*=5'");
    add_gains_options(regulating, given_to(gains, regulating));
  }

  void add_records() {
    CLI::App& finding =
        verb("identify",
             "parameters of models from measured records, with intervals, and which of them the records "
             "cannot tell",
             "lithe identify examples/identification/study.yaml --figure residuals.svg");
    add_identify_options(finding, given_to(identify, finding));
  }

  void add_studies() {
    CLI::App& sweeping = verb("sweep", "all variants of a study: a model over many values of its numbers",
                              "lithe sweep examples/studies/five-bar-tolerances.yaml --csv variants.csv");
    add_sweep_options(sweeping, given_to(sweep, sweeping));

    CLI::App& searching = verb("optimize", "the values of a study that make its objective best within its limits",
                               "lithe optimize examples/studies/light-five-bar.yaml");
    add_study_options(searching, given_to(optimize_study, searching));
  }

  void add_texts() {
    CLI::App& form = verb("schema", "print the JSON Schema of the model file", "lithe schema > lithe.schema.json");
    const std::string uniform = "accepted for uniformity: the schema is JSON";
    form.add_flag("--json", uniform);
    SchemaOptions& kind = given_to(schema, form);
    CLI::Option* side = form.add_flag("--side-file", kind.side_file, "of the side file of `lithe convert` instead");
    CLI::Option* records =
        form.add_flag("--identification", kind.identification, "of the identification file of `lithe identify` instead")
            ->excludes(side);
    form.add_flag("--study", kind.study, "of the study file instead")->excludes(side)->excludes(records);

    CLI::App& converting = verb("convert", "make a model file from a URDF; a side file adds loops and elastic links",
                                "lithe convert robot.urdf --with side.yaml -o model.yaml");
    add_convert_options(converting, given_to(convert, converting));

    CLI::App& completing = verb("completion", "print a script with which a shell completes lithe's command line",
                                "lithe completion bash > ~/.local/share/bash-completion/completions/lithe");
    const auto shell = std::make_shared<CompletionOptions>();
    completing.add_option("shell", shell->shell, "which shell")->required()->option_text("bash|zsh|fish");
    completing.callback([&request = request_, shell, &app = app_] {
      request = {[shell, &app] { return completion(*shell, app); }, false, true};
    });

    CLI::App& manual = verb("man", "print the manual page, for man(1)", "lithe man > lithe.1");
    manual.callback([&request = request_, &app = app_] { request = {[&app] { return man_page(app); }, false, true}; });
  }

  void add_results() {
    CLI::App& published =
        verb("reproduce", "published numbers beside ours, with tolerance and verdict", "lithe reproduce khan");
    ReproduceOptions& wanted = given_to(reproduce, published);
    published.add_option("case", wanted.name, "name of a case, or a case file; without: list the cases")
        ->option_text("CASE");
    add_json_option(published, wanted);
    published.add_flag("--failures", wanted.failures_only, "print only the numbers that differ");

    CLI::App& page = verb(
        "show",
        "one page with the moving mechanism, plots and audit of results, or with a map or a study; needs no network",
        "lithe show flexible.h5 rigid.h5 -o report.html");
    add_show_options(page, given_to(show, page));

    CLI::App& following =
        verb("live", "a page that follows a model file while it is edited: checked, run and drawn anew",
             "lithe live examples/flexible-3rrr.yaml");
    LiveOptions& followed = given_to(live, following);
    add_model_options(following, followed.model);
    add_rigid_option(following, followed.model);
    following.add_option("--port", followed.port, "of the page on this machine (default: any that is free)")
        ->check(CLI::Range(1, 65535))
        ->option_text("PORT");
    following.add_flag_callback(
        "--no-open", [&followed] { followed.open = false; }, "do not open the page, print its address only");

    CLI::App& figure = verb("plot", "a figure of columns of results, for papers",
                            "lithe plot four-bar.h5 --what q.motor,tau.* -o figure.svg");
    add_plot_options(figure, given_to(plot, figure));

    CLI::App& gallery = verb("demo", "run the gallery of examples and write one page about them",
                             "lithe demo --folder /tmp/lithe-demo");
    DemoOptions& tour = given_to(demo, gallery);
    gallery.add_option("--folder", tour.folder, "where the results and index.html go (default: out)")
        ->option_text("FOLDER");
    add_json_option(gallery, tour);
  }

  CLI::App& app_;
  Request& request_;
};

/// Flags that every verb takes, before or after its name.
void add_talk_options(CLI::App& app, TalkOptions& options) {
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

}  // namespace

void describe(CLI::App& app, TalkOptions& talk, Request& request) {
  app.set_version_flag("--version", fmt::format("lithe {}", version()));
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "explain and leave");
  app.footer(
      "Every verb has its own --help and takes --quiet or --verbose. Exit code 0: fine, 1: the physics failed, 2: bad "
      "input.\n"
      "Example: lithe simulate examples/four-bar.yaml -o four-bar.h5");
  Verbs(app, request).add_all();
  add_talk_options(app, talk);
}

}  // namespace lithe::cli

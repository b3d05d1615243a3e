// lithe gains: state feedback, observer and controller from the linear model at one pose or along a motion.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "gain_options.hpp"
#include "gains_file.hpp"
#include "lithe/control/spillover.hpp"
#include "lithe/io/control_file.hpp"
#include "matrix_json.hpp"
#include "model_options.hpp"
#include "operating_pose.hpp"
#include "output_file.hpp"
#include "picture_file.hpp"
#include "remarks.hpp"
#include "response_figure.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

constexpr double rigid_motion = 1e-4;  ///< of the fastest pole: double poles at zero are found this far apart

/// What was found at one operating point.
struct GainPoint {
  std::vector<double> place;  ///< on the grid of poses
  OperatingPoint point;
  StateSpace plant;
  std::vector<int> fast;
  Access reached;
  std::optional<TimeScales> scales;
  Synthesis result;
  std::vector<LinearModel::Signal> measured, motors;  ///< that the controller sees and drives
  std::vector<LinearModel::Signal> linear_states;
};

void check_gain_files(const GainsOptions& options) {
  if (options.rest && options.at.empty())
    throw InputError("--rest belongs to --at; without a time the pose is at rest");
  if (!options.over.empty() && !options.at.empty())
    throw InputError("--over and --at are two ways to say where; give one");
  if (!options.output.empty()) {
    if (!options.output.ends_with(".mat"))
      throw InputError(fmt::format("{}: the name of gains ends in .mat", options.output));
    require_folder(options.output);
  }
  check_controller_file(options);
  for (const std::string& picture : {options.bode, options.step})
    if (!picture.empty()) require_picture_name(picture);
}

GainPoint find_gains_at(const Model& model, const GainsOptions& options, std::optional<double> at) {
  OperatingPoint point(model, {at, options.rest, Motors::loaded, options.open});
  const LinearModel linear = linear_model(point, options.outputs);
  const GainProblem problem = gain_problem(linear, elastic_states(point), options);
  GainPoint found{{}, std::move(point), problem.plant, problem.options.fast, {}, {}, {}, {}, {}, linear.states};
  for (const int sensor : problem.options.sensors) found.measured.push_back(linear.outputs[sensor]);
  for (const std::string& input : problem.plant.inputs)
    for (const LinearModel::Signal& signal : linear.inputs)
      if (signal.name == input) found.motors.push_back(signal);
  const StateSpace seen =
      problem.options.sensors.empty() ? problem.plant : select(problem.plant, problem.inputs, problem.options.sensors);
  found.reached = access(seen);
  const auto n = static_cast<std::size_t>(problem.plant.A.rows());
  if (!found.fast.empty() && found.fast.size() < n) found.scales = separate_time_scales(problem.plant, found.fast);
  found.result = synthesize(problem.plant, problem.options);
  return found;
}

/// Whether what does not decay stands still: rigid motion, whose poles at zero come out as rounding.
bool leaves_rigid_motion_alone(const Synthesis& result) {
  double largest = 0.0;
  for (const Pole& pole : result.closed_poles)
    if (std::isfinite(pole.rate.real())) largest = std::max(largest, std::abs(pole.rate));
  return std::all_of(result.closed_poles.begin(), result.closed_poles.end(), [&](const Pole& pole) {
    return pole.is_stable() || std::abs(pole.rate) < rigid_motion * largest;
  });
}

std::string percent_or_all(double value, int digits) { return std::isfinite(value) ? number(value, digits) : "any"; }

void print_gain_table(const Synthesis& result) {
  heading("K: u = -K x");
  std::vector<std::string> head{"state"};
  for (const std::string& input : result.plant.inputs) head.push_back(input);
  Table table(head, "l" + std::string(head.size() - 1, 'r'));
  std::vector<std::string> names = result.plant.states;
  for (Eigen::Index i = std::ssize(names); i < result.K_whole.cols(); ++i)
    names.push_back(result.closed.states.size() > static_cast<std::size_t>(i) ? result.closed.states[i] : "integral");
  for (Eigen::Index i = 0; i < result.K_whole.cols(); ++i) {
    std::vector<std::string> row{names[i]};
    for (Eigen::Index j = 0; j < result.K_whole.rows(); ++j) row.push_back(number(result.K_whole(j, i) + 0.0, 8));
    table.add(std::move(row));
  }
  table.print();
}

void print_loop(const Synthesis& result) {
  heading("poles of the loop");
  Table table({"real (1/s)", "imaginary (1/s)", "frequency (Hz)", "damping ratio"}, "rrrr");
  for (const Pole& pole : result.closed_poles) {
    if (pole.rate.imag() < 0 || !std::isfinite(pole.rate.real())) continue;  // z = 0: an input on its way
    table.add({pole.is_stable() ? number(pole.rate.real(), 6) : warning(number(pole.rate.real(), 6)),
               number(pole.rate.imag(), 6), number(pole.frequency(), 6), number(pole.damping(), 4)});
  }
  table.print();
  heading("margins, one loop opened at a time");
  Table margins({"input", "gain up", "gain down", "phase (deg)", "delay (s)", "crossover (Hz)", "least |1+L|"},
                "lrrrrrr");
  for (std::size_t j = 0; j < result.margins.size(); ++j) {
    const LoopMargins& one = result.margins[j];
    margins.add({result.plant.inputs[j], percent_or_all(one.gain_up, 4), number(one.gain_down, 4),
                 percent_or_all(one.phase * 180 / std::numbers::pi, 4), percent_or_all(one.delay, 4),
                 number(one.crossover, 4), number(one.distance, 4)});
  }
  margins.print();
}

void print_spillover(const Synthesis& result) {
  heading("modes of the whole model, without and with the controller");
  Table table({"frequency (Hz)", "damping ratio", "gains know it", "frequency in the loop (Hz)",
               "damping ratio in the loop", "rate in the loop (1/s)", ""},
              "rrlrrrl");
  for (const ModeChange& mode : mode_changes(result))
    table.add({number(mode.open.frequency(), 6), number(mode.open.damping(), 4), mode.designed ? "yes" : "no",
               number(mode.closed.frequency(), 6), number(mode.closed.damping(), 4), number(mode.closed.rate.real(), 5),
               mode.closed.is_stable() ? "decays" : warning("grows")});
  table.print();
}

void print_gains(GainPoint& found, bool spillover) {
  const Synthesis& result = found.result;
  const auto n = found.plant.A.rows();
  heading(fmt::format("gains at t = {} s, {}", number(found.point.state().t, 6),
                      found.point.is_moving() ? "along the motion" : "at rest"));
  fmt::print("{} states, {} of them controllable, {} observable; {} inputs\n", n, found.reached.controllable,
             found.reached.observable, found.plant.B.cols());
  if (found.scales)
    fmt::print("rigid motion up to {} 1/s, bending from {} 1/s on: {}\n", number(found.scales->fastest_slow, 4),
               number(found.scales->slowest_fast, 4),
               std::isfinite(found.scales->ratio) ? fmt::format("{} times faster", number(found.scales->ratio, 4))
                                                  : "the rigid motion has no stiffness of its own");
  if (result.left.rows() < n) {
    fmt::print("computed for a model of {} states", result.left.rows());
    if (result.bound > 0.0) fmt::print(", whose frequency response is off by at most {}", number(result.bound, 3));
    fmt::print("\n");
  }
  print_gain_table(result);
  print_loop(result);
  if (spillover) print_spillover(result);
  if (result.observer)
    fmt::print("{}\n",
               dim(fmt::format("controller of {} states from {} sensors; --json and -o FILE.mat have its matrices",
                               result.controller.A.rows(), result.controller.B.cols())));
}

/// "t = 0.2 s", "motor-1 = 0.3, motor-2 = 1"
std::string where(const GainPoint& found, const std::vector<GridAxis>& axes) {
  if (axes.empty()) return fmt::format("t = {} s", number(found.point.state().t, 6));
  std::string text;
  for (std::size_t a = 0; a < axes.size(); ++a)
    text += fmt::format("{}{} = {}", a == 0 ? "" : ", ", axes[a].joint, number(found.place[a], 6));
  return text;
}

/// One line for each pose: K is in --json, -o and --write.
void print_grid(const std::vector<GainPoint>& points, const std::vector<GridAxis>& axes) {
  heading(fmt::format("gains at {} poses at rest", points.size()));
  std::vector<std::string> head;
  for (const GridAxis& axis : axes) head.push_back(axis.joint);
  for (const char* each : {"largest gain", "slowest decay (1/s)", "least damping ratio", "least |1+L|"})
    head.emplace_back(each);
  Table table(head, std::string(head.size(), 'r'));
  for (const GainPoint& found : points) {
    double slowest = -std::numeric_limits<double>::infinity(), damping = 1.0, distance = 1e300;
    for (const Pole& pole : found.result.closed_poles) {
      if (!std::isfinite(pole.rate.real())) continue;
      slowest = std::max(slowest, pole.rate.real());
      damping = std::min(damping, pole.damping());
    }
    for (const LoopMargins& margin : found.result.margins) distance = std::min(distance, margin.distance);
    std::vector<std::string> row;
    for (const double value : found.place) row.push_back(number(value, 6));
    row.push_back(number(found.result.K.cwiseAbs().maxCoeff(), 5));
    row.push_back(slowest < 0.0 ? number(slowest, 5) : warning(number(slowest, 5)));
    row.push_back(number(damping, 4));
    row.push_back(number(distance, 4));
    table.add(std::move(row));
  }
  table.print();
}

nlohmann::json system_json(const StateSpace& system) {
  return {{"A", rows_of(system.A)},  {"B", rows_of(system.B)},  {"C", rows_of(system.C)},  {"D", rows_of(system.D)},
          {"sample", system.sample}, {"states", system.states}, {"inputs", system.inputs}, {"outputs", system.outputs}};
}

nlohmann::json poles_json(const std::vector<Pole>& list) {
  nlohmann::json values = nlohmann::json::array();
  for (const Pole& pole : list) values.push_back({pole.value.real(), pole.value.imag()});
  return values;
}

nlohmann::json spillover_json(const Synthesis& result) {
  nlohmann::json list = nlohmann::json::array();
  for (const ModeChange& mode : mode_changes(result))
    list.push_back({{"frequency", mode.open.frequency()},
                    {"damping_ratio", mode.open.damping()},
                    {"designed", mode.designed},
                    {"closed", {mode.closed.rate.real(), mode.closed.rate.imag()}},
                    {"closed_frequency", mode.closed.frequency()},
                    {"closed_damping_ratio", mode.closed.damping()}});
  return list;
}

nlohmann::json point_json(GainPoint& found) {
  const Synthesis& result = found.result;
  nlohmann::json one;
  add_pose(found.point, one);
  if (!found.place.empty()) one["place"] = found.place;
  one["plant"] = system_json(found.plant);
  one["controllable"] = found.reached.controllable;
  one["observable"] = found.reached.observable;
  one["model_of_gains"] = system_json(result.model);
  one["left"] = rows_of(result.left);
  one["K"] = rows_of(result.K);
  one["K_whole"] = rows_of(result.K_whole);
  one["residual"] = result.residual;
  one["stable"] = result.is_stable();
  one["design_poles"] = poles_json(result.design_poles);
  one["closed_poles"] = poles_json(result.closed_poles);
  for (const LoopMargins& margin : result.margins)
    one["margins"].push_back({{"gain_up", margin.gain_up},
                              {"gain_down", margin.gain_down},
                              {"phase", margin.phase},
                              {"delay", margin.delay},
                              {"crossover", margin.crossover},
                              {"distance", margin.distance}});
  if (result.hankel.size() > 0) {
    one["hankel"] = std::vector<double>(result.hankel.begin(), result.hankel.end());
    one["bound"] = result.bound;
  }
  if (found.scales)
    one["time_scales"] = {{"fastest_slow", found.scales->fastest_slow},
                          {"slowest_fast", found.scales->slowest_fast},
                          {"ratio", found.scales->ratio},
                          {"pole_error", found.scales->pole_error},
                          {"slow_poles", poles_json(found.scales->slow_poles)},
                          {"fast_poles", poles_json(found.scales->fast_poles)}};
  if (result.observer) {
    one["L"] = rows_of(result.observer->L);
    one["controller"] = system_json(result.controller);
  }
  one["modes"] = spillover_json(result);
  return one;
}

/// u[k] = - K [x; u[k-1]; u[k-2]; ...] from the states that count, with its own last outputs as its memory.
StateSpace state_feedback_law(const MatrixX& K, Eigen::Index states, const std::vector<int>& used) {
  const Eigen::Index m = K.rows(), late = K.cols() - states;
  StateSpace law{MatrixX::Zero(late, late),
                 MatrixX::Zero(late, std::ssize(used)),
                 -K.rightCols(late),
                 -MatrixX(K(Eigen::all, used)),
                 0.0,
                 {},
                 {},
                 {}};
  if (late == 0) return law;
  law.A.topRows(m) = law.C;
  law.A.bottomLeftCorner(late - m, late - m).setIdentity();
  law.B.topRows(m) = law.D;
  return law;
}

/// Controllers that measure every state with a gain at some of the points.
void feed_states_back(const std::vector<GainPoint>& points, std::vector<ControllerPoint>& controllers) {
  std::vector<int> used;
  const Eigen::Index states = points[0].linear_states.size();
  for (int i = 0; i < static_cast<int>(states); ++i)
    if (std::any_of(points.begin(), points.end(),
                    [&](const GainPoint& found) { return !found.result.K_whole.col(i).isZero(0.0); }))
      used.push_back(i);
  for (std::size_t p = 0; p < points.size(); ++p) {
    controllers[p].controller = state_feedback_law(points[p].result.K_whole, states, used);
    controllers[p].controller.outputs = points[p].result.plant.inputs;
    controllers[p].measured.clear();
    for (const int i : used) {
      controllers[p].measured.push_back(points[p].linear_states[i]);
      controllers[p].controller.inputs.push_back(controllers[p].measured.back().name);
    }
  }
}

void write_gain_files(const GainsOptions& options, const Model& model, const std::vector<GainPoint>& points,
                      const std::vector<GridAxis>& axes) {
  std::vector<Synthesis> results;
  std::vector<double> times;
  for (const GainPoint& found : points) {
    results.push_back(found.result);
    times.push_back(found.point.state().t);
  }
  if (!options.write.empty()) {
    std::vector<ControllerPoint> controllers;
    for (const GainPoint& found : points)
      controllers.push_back({found.point.state().t, found.result.controller, found.measured, found.motors});
    if (options.sensors.empty()) feed_states_back(points, controllers);
    write_controller_file(options, model, controllers, axes);
  }
  if (!options.output.empty()) write_file(options.output, mat_file(results, times, model.name), model.files);
  // Pictures show the first point.
  const Synthesis& first = results[0];
  const std::vector<NamedSystem> loops{{"open", first.plant}, {"closed", first.closed}};
  if (!options.bode.empty()) {
    const auto [from, until] = usual_frequencies(first.closed);
    write_picture(options.bode, bode_figure(loops, from, until, model.name), usual_dpi, model.files);
  }
  if (!options.step.empty())
    write_picture(options.step, step_figure({{"", first.closed}}, usual_duration(first.closed), model.name), usual_dpi,
                  model.files);
}

}  // namespace

int gains(const GainsOptions& options) {
  check_gain_files(options);
  const Model model = load(options.model);
  std::vector<GainPoint> points;
  const std::vector<GridAxis> axes = grid_axes(model, options.over);
  std::deque<Model> moved;  // that operating points refer to
  for (std::size_t k = 0; k < grid_size(axes) && !axes.empty(); ++k) {
    const std::vector<double> place = grid_place(axes, k);
    moved.push_back(model_at(model, axes, place));
    points.push_back(find_gains_at(moved.back(), options, {}));
    points.back().place = place;
  }
  if (options.at.empty() && axes.empty()) points.push_back(find_gains_at(model, options, {}));
  for (const double t : options.at) points.push_back(find_gains_at(model, options, t));
  int code = fine;
  for (GainPoint& found : points) {
    tell(found.point.remarks());
    code = std::max(code, exit_code_of(found.point.remarks()));
    if (found.result.is_stable()) continue;
    if (options.reduce == "fast" && leaves_rigid_motion_alone(found.result)) {
      note("the rigid motion is left to the drives: poles at zero are its own");
      continue;
    }
    complain(
        fmt::format("at {} the whole model is unstable with these gains: what the smaller model leaves out is "
                    "driven by them. Keep more states, or ask for less",
                    where(found, axes)));
    code = physics_failed;
  }
  write_gain_files(options, model, points, axes);
  if (!options.model.json) {
    fmt::print("{}  {}\n", bold(model.name), dim(model.path));
    if (!axes.empty()) print_grid(points, axes);
    for (GainPoint& found : points)
      if (axes.empty()) print_gains(found, options.spillover);
    return code;
  }
  nlohmann::json answer = {{"ok", code == fine}, {"exit", code}, {"verb", "gains"}, {"model", model.name}};
  for (const GridAxis& axis : axes) answer["axes"].push_back({{"joint", axis.joint}, {"values", axis.values}});
  answer["points"] = nlohmann::json::array();
  for (GainPoint& found : points) answer["points"].push_back(point_json(found));
  print_json(answer);
  return code;
}

}  // namespace lithe::cli

// lithe linearize: A, B, C, D, poles, pose and motor forces of a linear model about a pose or along the motion.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "lithe/io/linear_model_file.hpp"
#include "lithe/simulation/sampled_loop.hpp"
#include "matrix_json.hpp"
#include "model_options.hpp"
#include "operating_pose.hpp"
#include "output_file.hpp"
#include "remarks.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

constexpr std::size_t most_columns = 12;  // of a matrix that is printed without being asked for

nlohmann::json to_json(const std::vector<LinearModel::Signal>& signals) {
  nlohmann::json list = nlohmann::json::array();
  for (const LinearModel::Signal& signal : signals)
    list.push_back({{"name", signal.name}, {"unit", signal.unit}, {"value", signal.value}});
  return list;
}

nlohmann::json second_order(const OperatingPoint& point) {
  const Linearization& linear = point.linear();
  nlohmann::json inputs = nlohmann::json::array();
  for (const int v : linear.actuators) inputs.push_back(point.plan().speed_name(v));
  return {{"coordinates", linear.names}, {"inputs", inputs},       {"M", rows_of(linear.M)},
          {"D", rows_of(linear.D)},      {"K", rows_of(linear.K)}, {"B", rows_of(linear.B)}};
}

void print_poles(const LinearModel& linear) {
  heading(fmt::format("poles of {} states", linear.states.size()));
  Table table({"real (1/s)", "imaginary (1/s)", "frequency (Hz)", "damping ratio"}, "rrrr");
  for (const auto& p : linear.poles) {
    if (p.imag() < 0) continue;
    const double size = std::abs(p);
    table.add({p.real() > 1e-9 * (1 + size) ? warning(number(p.real(), 6)) : number(p.real(), 6), number(p.imag(), 6),
               number(size / (2 * std::numbers::pi), 6), number(size > 0 ? -p.real() / size : 0.0, 4)});
  }
  table.print();
}

/// Nothing for models without sampled controllers, and where their motors are locked.
std::optional<StateSpace> closed_loop_of(OperatingPoint& point) {
  if (point.model().sampled_controllers.empty() || point.motors() != Motors::loaded) return std::nullopt;
  return sampled_loop(point);
}

void print_sampled_loop(const StateSpace& loop) {
  heading(fmt::format("poles with the sampled controllers, every {} s", number(loop.sample, 6)));
  Table table({"|z|", "real (1/s)", "imaginary (1/s)", "frequency (Hz)", "damping ratio"}, "rrrrr");
  for (const Pole& pole : poles(loop)) {
    if (pole.value.imag() < 0 || std::abs(pole.value) < 1e-6) continue;  // z = 0: what is on its way
    const std::string size = number(std::abs(pole.value), 8);
    table.add({pole.is_stable() ? size : warning(size), number(pole.rate.real(), 6), number(pole.rate.imag(), 6),
               number(pole.frequency(), 6), number(pole.damping(), 4)});
  }
  table.print();
}

void print_matrix(const std::string& name, const MatrixX& matrix, const std::vector<LinearModel::Signal>& rows,
                  const std::vector<LinearModel::Signal>& columns) {
  if (matrix.size() == 0) return;
  heading(name);
  std::vector<std::string> head{""};
  for (const LinearModel::Signal& column : columns) head.push_back(column.name);
  Table table(head, "l" + std::string(columns.size(), 'r'));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    std::vector<std::string> row{rows[i].name};
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(number(matrix(i, j) + 0.0, 6));  // no -0
    table.add(std::move(row));
  }
  table.print();
}

void print_text(const LinearizeOptions& options, OperatingPoint& point, const LinearModel& linear) {
  fmt::print("{}  {}\n", bold(point.model().name), dim(point.model().path));
  heading(fmt::format("operating point at t = {} s, {}, {}", number(linear.t, 6),
                      point.is_moving() ? "along the motion" : "at rest", motors_in_words(point)));
  print_pose(point);
  if (linear.states.empty())
    fmt::print("nothing can move with the motors locked: all links are rigid\n");
  else
    print_poles(linear);
  if (const auto loop = closed_loop_of(point)) print_sampled_loop(*loop);
  const bool fits = linear.states.size() <= most_columns && linear.inputs.size() <= most_columns;
  if (options.matrices || fits) {
    print_matrix("A: rates of the states per state", linear.A, linear.states, linear.states);
    print_matrix("B: rates of the states per input", linear.B, linear.states, linear.inputs);
    print_matrix("C: outputs per state", linear.C, linear.outputs, linear.states);
    print_matrix("D: outputs per input", linear.D, linear.outputs, linear.inputs);
  }
  fmt::print("{}\n", dim(fmt::format("{} states, {} inputs, {} outputs; {}-o FILE.mat and --json give all of them",
                                     linear.states.size(), linear.inputs.size(), linear.outputs.size(),
                                     options.matrices || fits ? "" : "--matrices prints A, B, C and D, ")));
}

}  // namespace

int linearize(const LinearizeOptions& options) {
  if (!options.output.empty()) {
    if (!options.output.ends_with(".mat"))
      throw InputError(fmt::format("{}: the name of a linear model ends in .mat", options.output));
    require_folder(options.output);
  }
  if (options.rest && !options.pose.at) throw InputError("--rest belongs to --at; without a time the pose is at rest");
  const Model model = load(options.pose.model);
  OperatingPoint point(model, {options.pose.at, options.rest, motors_of_options(options.pose, Motors::loaded)});
  LinearModel linear = linear_model(point, options.outputs);
  add_units(linear, point.plan().mechanism());
  tell(point.remarks());
  const int code = exit_code_of(point.remarks());
  if (!options.output.empty()) write_file(options.output, mat_file(linear, model.name), model.files);
  if (!options.pose.model.json) {
    print_text(options, point, linear);
    return code;
  }
  nlohmann::json answer = {{"ok", code == fine}, {"exit", code}, {"verb", "linearize"}, {"model", model.name}};
  add_pose(point, answer);
  answer["states"] = to_json(linear.states);
  answer["inputs"] = to_json(linear.inputs);
  answer["outputs"] = to_json(linear.outputs);
  answer["A"] = rows_of(linear.A);
  answer["B"] = rows_of(linear.B);
  answer["C"] = rows_of(linear.C);
  answer["D"] = rows_of(linear.D);
  answer["poles"] = nlohmann::json::array();
  for (const auto& p : linear.poles) answer["poles"].push_back({p.real(), p.imag()});
  answer["second_order"] = second_order(point);
  if (const auto loop = closed_loop_of(point)) {
    answer["sampled_loop"] = {{"period", loop->sample}, {"states", loop->states}, {"poles", nlohmann::json::array()}};
    for (const Pole& pole : poles(*loop))
      answer["sampled_loop"]["poles"].push_back({pole.value.real(), pole.value.imag()});
  }
  print_json(answer);
  return code;
}

}  // namespace lithe::cli

// lithe frf: frequency response of a mechanism about a pose, from motors or loads to recorded quantities.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "control_verbs.hpp"
#include "lithe/io/control_file.hpp"
#include "lithe/io/linear_model_file.hpp"
#include "model_options.hpp"
#include "name_patterns.hpp"
#include "operating_pose.hpp"
#include "output_file.hpp"
#include "picture_file.hpp"
#include "remarks.hpp"
#include "response_figure.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

struct Answers {
  StateSpace system;
  std::vector<LinearModel::Signal> inputs, outputs;
  std::vector<double> frequencies;
  std::vector<Eigen::MatrixXcd> values;

  std::string unit(Eigen::Index i, Eigen::Index j) const {
    return fmt::format("{}/({})", outputs[i].unit.empty() ? "?" : outputs[i].unit,
                       inputs[j].unit.empty() ? "?" : inputs[j].unit);
  }
};

void check_frf_options(const FrfOptions& options) {
  if (options.rest && !options.pose.at) throw InputError("--rest belongs to --at; without a time the pose is at rest");
  if (!options.output.empty()) {
    if (!options.output.ends_with(".mat"))
      throw InputError(fmt::format("{}: the name of a frequency response ends in .mat", options.output));
    require_folder(options.output);
  }
  if (!options.bode.empty()) require_picture_name(options.bode);
  if (!options.csv.empty() && options.csv != "-") require_folder(options.csv);
}

std::string csv_table(const Answers& answers) {
  std::string text = "f";
  for (const auto& output : answers.outputs)
    for (const auto& input : answers.inputs)
      text += fmt::format(",gain {0} by {1},phase {0} by {1}", output.name, input.name);
  text += '\n';
  std::vector<double> before(answers.system.D.size(), 0.0);
  for (std::size_t k = 0; k < answers.frequencies.size(); ++k) {
    text += fmt::format("{}", answers.frequencies[k]);
    for (Eigen::Index i = 0; i < answers.system.D.rows(); ++i)
      for (Eigen::Index j = 0; j < answers.system.D.cols(); ++j) {
        double& phase = before[i * answers.system.D.cols() + j];
        phase = unwrapped(std::arg(answers.values[k](i, j)), phase);
        text += fmt::format(",{},{}", std::abs(answers.values[k](i, j)), phase * 180 / std::numbers::pi);
      }
    text += '\n';
  }
  return text;
}

void print_answers(const OperatingPoint& point, const Answers& answers) {
  fmt::print("{}  {}\n", bold(point.model().name), dim(point.model().path));
  heading(fmt::format("frequency response at t = {} s, {}, {}", number(point.state().t, 6),
                      point.is_moving() ? "along the motion" : "at rest", motors_in_words(point)));
  const MatrixX rest = static_gain(answers.system);
  Table table({"output", "input", "at rest", "largest", "at (Hz)", "unit"}, "llrrrl");
  for (Eigen::Index i = 0; i < rest.rows(); ++i)
    for (Eigen::Index j = 0; j < rest.cols(); ++j) {
      std::size_t peak = 0;
      for (std::size_t k = 0; k < answers.values.size(); ++k)
        if (std::abs(answers.values[k](i, j)) > std::abs(answers.values[peak](i, j))) peak = k;
      table.add({answers.outputs[i].name, answers.inputs[j].name,
                 std::isfinite(rest(i, j)) ? number(rest(i, j) + 0.0, 6) : "no rest",
                 number(std::abs(answers.values[peak](i, j)), 6), number(answers.frequencies[peak], 6),
                 answers.unit(i, j)});
    }
  table.print();
  heading("modes");
  Table modes({"frequency (Hz)", "damping ratio"}, "rr");
  for (const Pole& pole : poles(answers.system))
    if (pole.rate.imag() > 0) modes.add({number(pole.frequency(), 6), number(pole.damping(), 4)});
  modes.print();
  fmt::print("{}\n",
             dim(fmt::format("{} frequencies from {} to {} Hz; --csv FILE and --json give the table, --bode FILE.svg "
                             "draws it",
                             answers.frequencies.size(), number(answers.frequencies.front(), 4),
                             number(answers.frequencies.back(), 4))));
}

nlohmann::json answers_json(const Answers& answers) {
  nlohmann::json responses = nlohmann::json::array();
  for (Eigen::Index i = 0; i < answers.system.D.rows(); ++i)
    for (Eigen::Index j = 0; j < answers.system.D.cols(); ++j) {
      nlohmann::json one = {{"output", answers.outputs[i].name},
                            {"input", answers.inputs[j].name},
                            {"unit", answers.unit(i, j)},
                            {"real", nlohmann::json::array()},
                            {"imaginary", nlohmann::json::array()}};
      for (const Eigen::MatrixXcd& value : answers.values) {
        one["real"].push_back(value(i, j).real());
        one["imaginary"].push_back(value(i, j).imag());
      }
      responses.push_back(std::move(one));
    }
  return responses;
}

}  // namespace

int frf(const FrfOptions& options) {
  check_frf_options(options);
  const Model model = load(options.pose.model);
  OperatingPoint point(model,
                       {options.pose.at, options.rest, motors_of_options(options.pose, Motors::loaded), options.open});
  LinearModel linear = linear_model(point, options.outputs);
  add_units(linear, point.plan().mechanism());
  tell(point.remarks());
  const int code = exit_code_of(point.remarks());

  Answers answers;
  const StateSpace whole = state_space(linear);
  if (whole.inputs.empty())
    throw InputError(
        fmt::format("{}: the model has neither a motor nor a load that could be an input; a load with zero force "
                    "is one",
                    model.path));
  const std::vector<int> inputs =
      chosen_names(whole.inputs, options.inputs.empty() ? std::vector<std::string>{"*"} : options.inputs, "input");
  const std::vector<int> outputs = chosen_names(whole.outputs, {"*"}, "output");
  answers.system = select(whole, inputs, outputs);
  for (const int i : inputs) answers.inputs.push_back(linear.inputs[i]);
  answers.outputs = linear.outputs;
  const auto [low, high] = usual_frequencies(answers.system);
  const double from = options.from.value_or(options.until ? std::min(low, 1e-3 * *options.until) : low);
  const double until = options.until.value_or(std::max(high, 10 * from));
  if (options.frequencies.empty())
    answers.frequencies = frequency_grid(answers.system, from, until, options.count);
  else
    answers.frequencies = options.frequencies;
  for (const double f : answers.frequencies)
    if (!(f >= 0.0) || !std::isfinite(f)) throw InputError(fmt::format("--frequencies: {} Hz is no frequency", f));
  answers.values = frequency_response(answers.system, answers.frequencies);

  if (!options.output.empty())
    write_file(options.output, mat_file(answers.system, answers.frequencies, answers.values, model.name), model.files);
  if (!options.bode.empty())
    write_picture(options.bode, bode_figure({{"", answers.system}}, from, until, model.name), usual_dpi, model.files);
  if (options.csv == "-")
    fmt::print("{}", csv_table(answers));
  else if (!options.csv.empty())
    write_file(options.csv, csv_table(answers), model.files);
  if (!options.pose.model.json) {
    if (options.csv != "-") print_answers(point, answers);
    return code;
  }
  nlohmann::json answer = {{"ok", code == fine}, {"exit", code}, {"verb", "frf"}, {"model", model.name}};
  add_pose(point, answer);
  answer["frequencies"] = answers.frequencies;
  answer["responses"] = answers_json(answers);
  answer["poles"] = nlohmann::json::array();
  for (const Pole& pole : poles(answers.system)) answer["poles"].push_back({pole.rate.real(), pole.rate.imag()});
  print_json(answer);
  return code;
}

}  // namespace lithe::cli

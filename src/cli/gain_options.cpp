#include "gain_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "lithe/laws/suggestion.hpp"
#include "model_options.hpp"
#include "name_patterns.hpp"

namespace lithe::cli {
namespace {

constexpr double usual_sensor_noise = 1e-3;

/// "-3", "-3+2i", "2i"
std::complex<double> parse_pole(const std::string& text, const std::string& flag) {
  const auto refuse = [&] { throw InputError(fmt::format("{} {}: expected a pole such as -3 or -3+2i", flag, text)); };
  const char *at = text.data(), *end = text.data() + text.size();
  double parts[2] = {0.0, 0.0};
  bool any = false;
  while (at != end) {
    if (*at == '+') ++at;
    double value = 0.0;
    const auto [rest, problem] = std::from_chars(at, end, value);
    if (problem != std::errc() || !std::isfinite(value)) refuse();
    const bool imaginary = rest != end && (*rest == 'i' || *rest == 'j');
    parts[imaginary ? 1 : 0] += value;
    at = rest + (imaginary ? 1 : 0);
    any = true;
  }
  if (!any) refuse();
  return {parts[0], parts[1]};
}

std::vector<std::complex<double>> parse_poles(const std::vector<std::string>& texts, const std::string& flag) {
  std::vector<std::complex<double>> poles;
  for (const std::string& text : texts) poles.push_back(parse_pole(text, flag));
  return poles;
}

/// Numbers by name over several lists of names: every pattern belongs to the first list in which it fits something.
class NamedNumbers {
 public:
  NamedNumbers(const std::vector<std::string>& texts, std::string flag)
      : flag_(std::move(flag)), given_(pattern_numbers(texts, flag_)) {
    used_.resize(given_.size(), false);
  }

  /// The number of each name; `otherwise` where none is given. `any` tells whether one was.
  VectorX take(const std::vector<std::string>& names, double otherwise, bool& any) {
    VectorX values = VectorX::Constant(std::ssize(names), otherwise);
    for (std::size_t k = 0; k < given_.size(); ++k) {
      if (used_[k]) continue;
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (!fits(given_[k].first, names[i])) continue;
        values[static_cast<Eigen::Index>(i)] = given_[k].second;
        used_[k] = any = true;
      }
    }
    known_.insert(known_.end(), names.begin(), names.end());
    return values;
  }

  /// Throws InputError for what fitted nothing.
  void finish() const {
    for (std::size_t k = 0; k < given_.size(); ++k)
      if (!used_[k])
        throw InputError(
            fmt::format("{}: nothing is called '{}'{}", flag_, given_[k].first, did_you_mean(given_[k].first, known_)));
  }

 private:
  std::string flag_;
  std::vector<std::pair<std::string, double>> given_;
  std::vector<bool> used_;
  std::vector<std::string> known_;
};

/// 1/deviation^2; what has no deviation has no weight.
VectorX weights_of(const VectorX& deviations) {
  return deviations.unaryExpr([](double d) { return d > 0.0 ? 1.0 / (d * d) : 0.0; });
}

void read_weights(const GainsOptions& given, GainProblem& problem) {
  const StateSpace& plant = problem.plant;
  std::vector<std::string> integrals;
  for (const int output : problem.options.integrated) integrals.push_back("integral." + plant.outputs[output]);
  NamedNumbers allowed(given.allow, "--allow");
  bool any_motion = false, any = false;
  VectorX states = allowed.take(plant.states, 0.0, any_motion);
  const VectorX inputs = allowed.take(plant.inputs, 1.0, any);
  const VectorX sums = allowed.take(integrals, 1.0, any);
  const VectorX outputs = allowed.take(plant.outputs, 0.0, any_motion);
  allowed.finish();
  if (!any_motion) states.setOnes();
  problem.options.weights = output_weights(plant, weights_of(outputs).asDiagonal(), weights_of(inputs).asDiagonal());
  problem.options.weights.Q += MatrixX(weights_of(states).asDiagonal());
  problem.options.integral_weights = weights_of(sums);
}

void read_noise(const GainsOptions& given, GainProblem& problem) {
  NamedNumbers noise(given.noise, "--noise");
  std::vector<std::string> sensors;
  for (const int sensor : problem.options.sensors) sensors.push_back(problem.plant.outputs[sensor]);
  bool any = false;
  problem.options.input_noise = noise.take(problem.plant.inputs, 1.0, any);
  problem.options.sensor_noise = noise.take(sensors, usual_sensor_noise, any);
  noise.finish();
}

void read_reduction(const std::string& text, const std::vector<int>& fast, SynthesisOptions& options) {
  options.fast = fast;
  if (text.empty()) return;
  for (const auto& [word, reduction] :
       {std::pair{"slow", ModelReduction::slow}, std::pair{"fast", ModelReduction::fast},
        std::pair{"composite", ModelReduction::composite}})
    if (text == word) {
      options.reduction = reduction;
      return;
    }
  const auto equals = text.find('=');
  const std::string kind = text.substr(0, equals);
  const char *begin = text.data() + (equals == std::string::npos ? text.size() : equals + 1),
             *end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(begin, end, options.order);
  if ((kind != "modal" && kind != "balanced") || begin == end || rest != end || problem != std::errc() ||
      options.order < 1)
    throw InputError(
        fmt::format("--reduce {}: expected modal=N, balanced=N (N states), slow, fast or composite", text));
  options.reduction = kind == "modal" ? ModelReduction::modal : ModelReduction::balanced;
}

}  // namespace

GainProblem gain_problem(const LinearModel& linear, const std::vector<int>& fast, const GainsOptions& given) {
  const StateSpace whole = state_space(linear);
  if (whole.states.empty()) throw InputError("the model has no motion that could be controlled");
  if (given.inputs.empty() && std::none_of(whole.inputs.begin(), whole.inputs.end(),
                                           [](const std::string& name) { return fits("tau.*", name); }))
    throw InputError("the model has no motors; --inputs takes loads as well");
  const std::vector<std::string> motors{"tau.*"};
  const std::vector<int> inputs = chosen_names(whole.inputs, given.inputs.empty() ? motors : given.inputs, "input");
  std::vector<int> outputs(whole.outputs.size());
  std::iota(outputs.begin(), outputs.end(), 0);
  GainProblem problem;
  problem.plant = select(whole, inputs, outputs);
  problem.inputs.resize(inputs.size());
  std::iota(problem.inputs.begin(), problem.inputs.end(), 0);
  if (given.sample < 0.0 || !std::isfinite(given.sample))
    throw InputError("--sample: the sample time must be positive");
  if (given.delay > 0.0 && given.sample == 0.0)
    throw InputError("--delay belongs to --sample: a continuous controller has none");
  problem.options.period = given.sample;
  problem.options.delay = given.delay;
  problem.options.integrated = chosen_names(whole.outputs, given.integral, "output");
  problem.options.sensors = chosen_names(whole.outputs, given.sensors, "output");
  problem.options.poles = parse_poles(given.poles, "--poles");
  problem.options.observer_poles = parse_poles(given.observer_poles, "--observer-poles");
  if (!given.poles.empty() && !given.allow.empty())
    throw InputError("--poles and --allow are two ways to the gains; give one");
  if (given.sensors.empty() && (!given.noise.empty() || !given.observer_poles.empty()))
    throw InputError(fmt::format("{} belongs to an observer; name its --sensors",
                                 given.noise.empty() ? "--observer-poles" : "--noise"));
  read_reduction(given.reduce, fast, problem.options);
  read_weights(given, problem);
  read_noise(given, problem);
  return problem;
}

}  // namespace lithe::cli

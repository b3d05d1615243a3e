// lithe modes: natural frequencies and shapes of the assembled mechanism at a pose.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "model_options.hpp"
#include "operating_pose.hpp"
#include "output_file.hpp"
#include "remarks.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

/// The coordinates that move most in a mode, with their share of its kinetic energy.
std::string main_parts(const Linearization& linear, const VectorX& shape) {
  const VectorX momentum = linear.M * shape;
  std::vector<std::pair<double, std::string>> shares;
  for (Eigen::Index i = 0; i < shape.size(); ++i) shares.emplace_back(shape[i] * momentum[i], linear.names[i]);
  std::sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t i = 0; i < shares.size() && i < 3 && shares[i].first > 0.05; ++i)
    text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", shares[i].second, 100 * shares[i].first);
  return text;
}

/// Time constants of a mode that does not oscillate, the slower one first.
std::string decay(const DampedMode& mode) {
  std::string text;
  for (const double constant : mode.time_constants()) text += (text.empty() ? "" : ", ") + number(constant, 3);
  return text;
}

}  // namespace

int modes(const PoseOptions& options) {
  const Model model = load(options.model);
  OperatingPoint pose(model, {options.at, true, motors_of_options(options, Motors::servo)});
  const Linearization& linear = pose.linear();
  const NaturalModes found = pose.modes();
  const std::vector<DampedMode> damped = damped_modes(linear, found);
  tell(pose.remarks());
  const int code = exit_code_of(pose.remarks());
  const Eigen::Index count = std::min<Eigen::Index>(found.frequencies.size(), options.count);
  if (options.model.json) {
    nlohmann::json answer = {{"ok", code == fine}, {"exit", code}, {"verb", "modes"}, {"model", model.name}};
    add_pose(pose, answer);
    answer["coordinates"] = linear.names;
    answer["modes"] = nlohmann::json::array();
    for (Eigen::Index j = 0; j < count; ++j) {
      const DampedMode& moving = damped[j];
      nlohmann::json mode = {{"frequency", found.frequencies[j]},
                             {"damping_ratio", moving.ratio},
                             {"oscillates", moving.oscillates()},
                             {"poles", nlohmann::json::array()}};
      for (const std::complex<double>& pole : moving.poles) mode["poles"].push_back({pole.real(), pole.imag()});
      if (!moving.oscillates()) mode["time_constants"] = moving.time_constants();
      for (Eigen::Index v = 0; v < found.speeds.rows(); ++v)
        mode["shape"][pose.plan().speed_name(static_cast<int>(v))] = found.speeds(v, j);
      answer["modes"].push_back(mode);
    }
    print_json(answer);
    return code;
  }
  fmt::print("{}  {}\n", bold(model.name), dim(model.path));
  heading(fmt::format("natural modes at t = {} s, {}", number(pose.state().t, 6), motors_in_words(pose)));
  if (options.free_motors) print_pose(pose);
  if (found.frequencies.size() == 0) {
    fmt::print(
        "{}\n",
        pose.locked().empty()
            ? "nothing can move"
            : "nothing can move with the motors locked: all links are rigid; lithe linearize lets the motors move");
    return code;
  }
  const bool all_oscillate = std::all_of(damped.begin(), damped.begin() + count, std::mem_fn(&DampedMode::oscillates));
  Table table(all_oscillate
                  ? std::vector<std::string>{"mode", "frequency (Hz)", "damping ratio", "mostly"}
                  : std::vector<std::string>{"mode", "frequency (Hz)", "damping ratio", "decays in (s)", "mostly"},
              all_oscillate ? "rrrl" : "rrrrl");
  for (Eigen::Index j = 0; j < count; ++j) {
    const DampedMode& moving = damped[j];
    const double frequency = found.frequencies[j];
    std::vector<std::string> row{fmt::format("{}", j + 1),
                                 frequency < 0 ? warning(number(frequency, 6) + " unstable") : number(frequency, 6),
                                 frequency < 0 ? "-" : number(moving.ratio, 4)};
    if (!all_oscillate) row.push_back(decay(moving));
    row.push_back(main_parts(linear, found.shapes.col(j)));
    table.add(std::move(row));
  }
  table.print();
  if (!all_oscillate)
    fmt::print(
        "{}\n",
        dim("a damping ratio above 1: no oscillation, but two parts that decay, each with its own time constant"));
  if (count < found.frequencies.size())
    fmt::print("{}\n", dim(fmt::format("{} more; --count shows them", found.frequencies.size() - count)));
  return code;
}

}  // namespace lithe::cli

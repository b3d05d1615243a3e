// lithe modes: natural frequencies and shapes of the assembled mechanism at a pose.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model_options.hpp"
#include "operating_pose.hpp"
#include "remarks.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

/// The coordinates that move most in a mode, with their share of its kinetic energy.
std::string main_parts(const Linearisation& linear, const VectorX& shape) {
  const VectorX momentum = linear.M * shape;
  std::vector<std::pair<double, std::string>> shares;
  for (Eigen::Index i = 0; i < shape.size(); ++i)
    shares.emplace_back(shape[i] * momentum[i], linear.names[static_cast<std::size_t>(i)]);
  std::sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t i = 0; i < shares.size() && i < 3 && shares[i].first > 0.05; ++i)
    text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", shares[i].second, 100 * shares[i].first);
  return text;
}

}  // namespace

int modes(const PoseOptions& options) {
  const Model model = load(options.model);
  OperatingPoint pose(model, {options.at, true, motors_of_options(options, Motors::servo)});
  const Linearisation& linear = pose.linear();
  const NaturalModes found = pose.modes();
  const VectorX ratios = damping_ratios(linear, found);
  tell(pose.remarks());
  const int code = exit_code_of(pose.remarks());
  const Eigen::Index count = std::min<Eigen::Index>(found.frequencies.size(), options.count);
  if (options.model.json) {
    nlohmann::json answer = {{"ok", code == fine}, {"exit", code}, {"verb", "modes"}, {"model", model.name}};
    add_pose(pose, answer);
    answer["coordinates"] = linear.names;
    answer["modes"] = nlohmann::json::array();
    for (Eigen::Index j = 0; j < count; ++j) {
      nlohmann::json mode = {{"frequency", found.frequencies[j]}, {"damping_ratio", ratios[j]}};
      for (Eigen::Index v = 0; v < found.speeds.rows(); ++v)
        mode["shape"][pose.plan().speed_name(static_cast<int>(v))] = found.speeds(v, j);
      answer["modes"].push_back(mode);
    }
    fmt::print("{}\n", answer.dump(2));
    return code;
  }
  fmt::print("{}  {}\n", bold(model.name), dim(model.path));
  heading(fmt::format("natural modes at t = {} s, {}", number(pose.state().t, 6), motors_in_words(pose)));
  if (options.free_motors) print_pose(pose);
  if (found.frequencies.size() == 0) {
    fmt::print("{}\n",
               pose.locked().empty()
                   ? "nothing can move"
                   : "nothing can move with the motors locked: all links are rigid; lithe linearize lets the motors move");
    return code;
  }
  Table table({"mode", "frequency (Hz)", "damping ratio", "mostly"}, "rrrl");
  for (Eigen::Index j = 0; j < count; ++j)
    table.add({fmt::format("{}", j + 1),
               found.frequencies[j] < 0 ? warning(number(found.frequencies[j], 6) + " unstable")
                                        : number(found.frequencies[j], 6),
               number(ratios[j], 4), main_parts(linear, found.shapes.col(j))});
  table.print();
  if (count < found.frequencies.size())
    fmt::print("{}\n", dim(fmt::format("{} more; --count shows them", found.frequencies.size() - count)));
  return code;
}

}  // namespace lithe::cli

// lithe modes: natural frequencies and shapes of the assembled mechanism at a pose.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "lithe/analysis/rest.hpp"
#include "model_options.hpp"
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
  ModelAtRest pose(model, {options.at, options.free_motors});
  const Linearisation& linear = pose.rest().linear;
  const NaturalModes found = pose.modes();
  const Eigen::Index count = std::min<Eigen::Index>(found.frequencies.size(), options.count);
  const auto damping_ratio = [&](Eigen::Index j) {
    const double omega = 2 * std::numbers::pi * std::abs(found.frequencies[j]);
    return omega > 0 ? found.shapes.col(j).dot(linear.D * found.shapes.col(j)) / (2 * omega) : 0.0;
  };
  if (options.model.json) {
    nlohmann::json answer = {{"ok", true}, {"exit", fine}, {"verb", "modes"}, {"model", model.name}};
    answer["coordinates"] = linear.names;
    answer["modes"] = nlohmann::json::array();
    for (Eigen::Index j = 0; j < count; ++j) {
      nlohmann::json mode = {{"frequency", found.frequencies[j]}, {"damping_ratio", damping_ratio(j)}};
      for (Eigen::Index v = 0; v < found.speeds.rows(); ++v)
        mode["shape"][pose.plan().speed_name(static_cast<int>(v))] = found.speeds(v, j);
      answer["modes"].push_back(mode);
    }
    fmt::print("{}\n", answer.dump(2));
    return fine;
  }
  fmt::print("{}  {}\n", bold(model.name), dim(model.path));
  heading(fmt::format("natural modes at t = {} s, motors {}", number(pose.start().t, 6),
                      options.free_motors ? "free" : "locked"));
  if (found.frequencies.size() == 0) {
    fmt::print("{}\n",
               pose.locked().empty()
                   ? "nothing can move"
                   : "nothing can move with the motors locked: all links are rigid; --free lets the motors move");
    return fine;
  }
  Table table({"mode", "frequency (Hz)", "damping ratio", "mostly"}, "rrrl");
  for (Eigen::Index j = 0; j < count; ++j)
    table.add({fmt::format("{}", j + 1),
               found.frequencies[j] < 0 ? warning(number(found.frequencies[j], 6) + " unstable")
                                        : number(found.frequencies[j], 6),
               number(damping_ratio(j), 4), main_parts(linear, found.shapes.col(j))});
  table.print();
  if (count < found.frequencies.size())
    fmt::print("{}\n", dim(fmt::format("{} more; --count shows them", found.frequencies.size() - count)));
  return fine;
}

}  // namespace lithe::cli

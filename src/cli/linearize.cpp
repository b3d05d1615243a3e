// lithe linearize: M, D, K, the state matrices and the poles of small motions about rest at a pose.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "lithe/analysis/rest.hpp"
#include "matrix_json.hpp"
#include "model_options.hpp"
#include "terminal.hpp"

namespace lithe::cli {
int linearize(const PoseOptions& options) {
  const Model model = load(options.model);
  ModelAtRest pose(model, {options.at, options.free_motors});
  const Linearisation& linear = pose.rest().linear;
  const auto found = poles(linear);
  if (options.model.json) {
    nlohmann::json answer = {{"ok", true}, {"exit", fine}, {"verb", "linearize"}, {"model", model.name}};
    answer["coordinates"] = linear.names;
    answer["inputs"] = nlohmann::json::array();
    for (const int v : linear.actuators)
      answer["inputs"].push_back(v < pose.plan().nv() ? pose.plan().speed_name(v)
                                                      : pose.plan().cut_speed_name(v - pose.plan().nv()));
    answer["M"] = rows_of(linear.M);
    answer["D"] = rows_of(linear.D);
    answer["K"] = rows_of(linear.K);
    answer["B"] = rows_of(linear.B);
    answer["state_matrix"] = rows_of(linear.state_matrix());
    answer["input_matrix"] = rows_of(linear.input_matrix());
    answer["poles"] = nlohmann::json::array();
    for (const auto& p : found) answer["poles"].push_back({p.real(), p.imag()});
    fmt::print("{}\n", answer.dump(2));
    return fine;
  }
  fmt::print("{}  {}\n", bold(model.name), dim(model.path));
  heading(fmt::format("poles of {} coordinates about rest, motors {}", linear.names.size(),
                      options.free_motors ? "free" : "locked"));
  Table table({"real (1/s)", "imaginary (1/s)", "frequency (Hz)", "damping ratio"}, "rrrr");
  for (const auto& p : found) {
    if (p.imag() < 0) continue;
    const double size = std::abs(p);
    table.add({p.real() > 1e-9 * (1 + size) ? warning(number(p.real(), 6)) : number(p.real(), 6), number(p.imag(), 6),
               number(p.imag() / (2 * std::numbers::pi), 6), number(size > 0 ? -p.real() / size : 0.0, 4)});
  }
  table.print();
  fmt::print("{}\n", dim("--json gives the matrices M, D, K, B and the state-space form"));
  return fine;
}

}  // namespace lithe::cli

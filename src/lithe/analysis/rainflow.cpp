#include "lithe/analysis/rainflow.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace lithe {

std::vector<RainflowCycle> rainflow(std::span<const double> history) {
  std::vector<RainflowCycle> cycles;
  const auto keep = [&](const RainflowCycle& cycle) { cycles.push_back(cycle); };
  RainflowCounter counter;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (!std::isfinite(history[i]))
      throw std::invalid_argument(fmt::format("value {} of the history is not a finite number", i));
    counter.push(history[i], keep);
  }
  counter.finish(keep);
  return cycles;
}

double cycle_damage(const RainflowCycle& cycle, const SnLine& line) {
  return cycle.count / line.cycles_to_failure(cycle.range / 2, cycle.mean);
}

double miner_damage(std::span<const RainflowCycle> cycles, const SnLine& line) {
  double sum = 0.0;
  for (const RainflowCycle& cycle : cycles) sum += cycle_damage(cycle, line);
  return sum;
}

}  // namespace lithe

#include "lithe/simulation/run_clock.hpp"

#include <fmt/format.h>

namespace lithe::detail {

void check_run_options(const RunOptions& options) {
  const auto positive = [](double value, const char* key) {
    if (!(value > 0.0) || !std::isfinite(value)) {
      throw MechanismError("run", fmt::format("run.{} must be a positive number, not {}", key, value));
    }
  };
  if (!(options.until > options.from) || !std::isfinite(options.until) || !std::isfinite(options.from)) {
    throw MechanismError(
        "run", fmt::format("run.until ({} s) must be later than run.from ({} s)", options.until, options.from));
  }
  positive(options.every, "every");
  positive(options.rtol, "rtol");
  positive(options.atol, "atol");
  positive(options.step, "step");
  positive(options.condition_limit, "condition-limit");
  if (!(options.alpha_radius >= 0.0 && options.alpha_radius <= 1.0)) {
    throw MechanismError("run", fmt::format("run.alpha-radius must lie between 0 and 1, not {}", options.alpha_radius));
  }
}

}  // namespace lithe::detail

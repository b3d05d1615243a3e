#include "lithe/simulation/run_clock.hpp"

#include <fmt/format.h>

#include "lithe/simulation/integrator.hpp"

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
  constexpr double most_rows = 1e9;
  const double duration = options.until - options.from;
  if (!std::isfinite(duration) || duration / options.every > most_rows) {
    throw MechanismError("run", fmt::format("{:.3g} s with a row every {:.3g} s are more than {:.0e} rows; lengthen "
                                            "run.every to {:.2g} s or more, or end earlier (run.until)",
                                            duration, options.every, most_rows, 1.01 * duration / most_rows));
  }
  positive(options.tolerance, "tolerance");
  positive(options.rtol, "rtol");
  positive(options.atol, "atol");
  positive(options.step, "step");
  constexpr double most_steps = 1e10;
  if (has_fixed_step(options.integrator) && duration / options.step > most_steps) {
    throw MechanismError("run",
                         fmt::format("{:.3g} s in steps of {:.3g} s are more than {:.0e} steps; lengthen run.step "
                                     "to {:.2g} s or more, or end earlier (run.until)",
                                     duration, options.step, most_steps, 1.01 * duration / most_steps));
  }
  positive(options.condition_limit, "condition-limit");
  if (!(options.max_step >= 0.0)) {
    throw MechanismError("run", fmt::format("run.max-step must not be negative, but it is {}", options.max_step));
  }
  if (!(options.spectral_radius >= 0.0 && options.spectral_radius <= 1.0)) {
    throw MechanismError("run",
                         fmt::format("run.spectral-radius must lie between 0 and 1, not {}", options.spectral_radius));
  }
}

}  // namespace lithe::detail

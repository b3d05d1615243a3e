#pragma once
// Checks that the change of energy equals the work put in minus what was dissipated. A fixed-step method that is
// unstable, or far too coarse, still reaches the end of the run: only the balance tells.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::detail {

class EnergyAudit {
 public:
  explicit EnergyAudit(const Energy& start) : start_(start) {}

  void check(const Energy& now, double work, double dissipated, Audit& audit) {
    const double kinetic = now.kinetic - start_.kinetic, potential = now.potential - start_.potential;
    const double error = std::abs(kinetic + potential - work + dissipated);
    // An error that is not a number stays.
    if (!std::isnan(audit.energy_error) && !(error <= audit.energy_error)) audit.energy_error = error;
    for (const double part : {kinetic, potential, work, dissipated}) {
      audit.energy_scale = std::max(audit.energy_scale, std::abs(part));
    }
    largest_ = std::max({largest_, std::abs(now.kinetic), std::abs(now.potential)});
  }

  /// No trust in a run whose error is large compared with the energy exchanged. A mechanism at rest exchanges next to
  /// nothing: there, errors far below the energies themselves are no alarm. `remedy` says what to change.
  void judge(const std::string& remedy, Audit& audit) const {
    constexpr double tolerable_share = 0.01, noise = 1e-6;
    const double error = audit.energy_error;
    if (error <= tolerable_share * audit.energy_scale || error <= noise * largest_) return;
    audit.distrust.push_back(
        fmt::format("the energy balance is off by {:.2g} J, {:.2g} % of the {:.2g} J exchanged: do not trust this "
                    "motion; {}",
                    audit.energy_error, 100.0 * audit.energy_error / audit.energy_scale, audit.energy_scale, remedy));
  }

 private:
  Energy start_;
  double largest_ = 0.0;  ///< kinetic or potential energy, J
};

}  // namespace lithe::detail

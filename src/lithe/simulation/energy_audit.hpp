#pragma once
// Checks that the change of energy equals the work put in minus what was dissipated.

#include <algorithm>
#include <cmath>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::detail {

class EnergyAudit {
 public:
  explicit EnergyAudit(const Energy& start) : start_(start) {}

  void check(const Energy& now, double work, double dissipated, Audit& audit) const {
    const double kinetic = now.kinetic - start_.kinetic, potential = now.potential - start_.potential;
    audit.energy_error = std::max(audit.energy_error, std::abs(kinetic + potential - work + dissipated));
    for (const double part : {kinetic, potential, work, dissipated}) {
      audit.energy_scale = std::max(audit.energy_scale, std::abs(part));
    }
  }

 private:
  Energy start_;
};

}  // namespace lithe::detail

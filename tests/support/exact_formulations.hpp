#pragma once
// The formulations that a test compares: whatever the table of the library has, so a new one is tested at once.

#include <vector>

#include "lithe/dynamics/formulation.hpp"

namespace lithe::testing {

/// Those that give exact accelerations and fit this mechanism.
inline std::vector<Formulation> exact_formulations(const Plan& plan) {
  std::vector<Formulation> exact;
  for (const Formulation formulation : all_formulations)
    if (facts_of(formulation).is_exact && why_not_applicable(plan, formulation).empty()) exact.push_back(formulation);
  return exact;
}

}  // namespace lithe::testing

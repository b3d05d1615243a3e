#pragma once
// How a model may be refused: other exceptions, and refusals that say nothing, are what the fuzz targets look for.

#include <cstdlib>

#include "lithe/errors.hpp"
#include "lithe/io/load_model.hpp"

namespace lithe::fuzz {

/// Does `act`, which may throw a ModelError that says something, or a PhysicsError.
template <class Act>
void expect_or_refuse(const Act& act) {
  try {
    act();
  } catch (const ModelError& error) {
    if (error.diagnostics().empty()) std::abort();
  } catch (const PhysicsError&) {
  }
}

}  // namespace lithe::fuzz

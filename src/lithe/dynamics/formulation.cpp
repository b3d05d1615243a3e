#include "lithe/dynamics/forward.hpp"

namespace lithe {

std::string_view name_of(Formulation formulation) {
  switch (formulation) {
    case Formulation::noc:
      return "noc";
    case Formulation::denoc:
      return "denoc";
    case Formulation::multipliers:
      return "multipliers";
    case Formulation::penalty:
      return "penalty";
    case Formulation::partitioning:
      return "partitioning";
  }
  return "unknown";
}

}  // namespace lithe

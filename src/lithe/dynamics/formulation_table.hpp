#pragma once
// One row per formulation. A new one: its enumerator, its row with a declaration above the table, and a file with its
// forward dynamics.

#include "lithe/dynamics/forward.hpp"

namespace lithe::detail {

struct FormulationRow {
  Formulation formulation;
  FormulationFacts facts;
  /// Why it does not fit a mechanism; null: it fits all.
  std::string (*refusal)(const Compiled&);
  /// Accelerations of the tree speeds, `a` holding those of the prescribed ones.
  Status (*forward)(const Plan&, Workspace&, const State&, const Actions&, VectorX& a, const ForwardOptions&);
  /// Puts a state onto the closures in a way of its own; null: the independent coordinates and speeds stay.
  Status (*project)(Workspace&, State&, std::span<const int> prescribed) = nullptr;
};

const FormulationRow& row_of(Formulation formulation);

}  // namespace lithe::detail

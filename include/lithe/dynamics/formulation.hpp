#pragma once
// The formulations of the equations of motion by name. All that sets one apart stands in its row of
// src/lithe/dynamics/formulation_table.cpp.

#include <array>
#include <string>
#include <string_view>

#include "lithe/mechanism/plan.hpp"

namespace lithe {

enum class Formulation {
  noc,                   ///< recursive on the tree, loop complement for the loops; articulated recursion for open trees
  denoc,                 ///< modular platform-cut recursion with twist annihilators
  gibbs_appell,          ///< recursive gradient of the acceleration energy, loop complement for the loops
  multipliers,           ///< index-1 KKT system
  augmented_lagrangian,  ///< absolute coordinates with Euler parameters, all joints as equations; iterated penalty
  penalty,               ///< closures replaced by stiff springs and dampers
  // Slow ones, for checks: links by their momentum in dense matrices. They share the kinematics, the springs
  // of joints and line loads with the others, but no inertia and no elastic force of a link.
  partitioning,  ///< textbook embedding; chooses and eliminates the dependent speeds by itself
  noc_dense      ///< the complement written out with flexible twists; the independent speeds of `noc`
};

/// Every formulation, in the order of the enumeration (whose last one stands here).
inline constexpr auto all_formulations = [] {
  std::array<Formulation, static_cast<int>(Formulation::noc_dense) + 1> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Formulation>(i);
  return all;
}();

/// What a run and a comparison have to know.
struct FormulationFacts {
  std::string_view name;     ///< in model files and on the command line
  bool is_minimal = true;    ///< gives the accelerations of independent speeds, so a run integrates only these
  bool is_exact = true;      ///< the closures hold; otherwise they give a little
  bool is_projected = true;  ///< a run puts its state back onto the closures
  bool allocates = false;    ///< written for checks, not for speed
};

const FormulationFacts& facts_of(Formulation formulation);
inline std::string_view name_of(Formulation formulation) { return facts_of(formulation).name; }

/// Why `formulation` cannot be used for this mechanism; empty when it can.
std::string why_not_applicable(const Plan& plan, Formulation formulation);

}  // namespace lithe

#pragma once
// What a search for the fastest move consists of.

#include <memory>

#include "lithe/study/fastest_move.hpp"
#include "lithe/study/move_limits.hpp"
#include "lithe/study/move_shape.hpp"

namespace lithe {

namespace detail {
/// Of accelerations, part of way / duration^2: what one unit of a shape axis is; the quintic has up to 5.8.
inline constexpr double amount_scale = 4.0;
}  // namespace detail

struct MoveSearch::Parts {
  Parts(Model given, MoveProblem wanted_move, const Study& wanted);

  std::vector<MoveLaw> laws_at(const std::vector<double>& values) const;
  Model model_at(const std::vector<double>& values, double every) const;

  Model model;  ///< as given, but it starts at equilibrium
  MoveProblem problem;
  detail::MoveShapes shapes;
  double farthest = 0.0;  ///< rad or m, largest way of a motor
  Study study;
  long added_limits = 0;  ///< of its constraints, the first ones: those of wanted outputs
  std::unique_ptr<StudyEvaluator> evaluator;

 private:
  void find_times();
  void add_to_study();
};

}  // namespace lithe

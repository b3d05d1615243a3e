#pragma once
// Assembled states near the initial pose of a model, with random speeds and forces. Same seed, same states.

#include "lithe/dynamics/actions.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe::cli {

/// Of the closures. denoc sums projectors, which squares the condition number: at 1e3 it still keeps ten digits.
inline constexpr double most_condition = 1e3;

struct RandomState {
  State state;
  Actions actions;
};

/// `count` states: independent coordinates moved at random from the initial pose (up to 0.4 rad or 0.2 characteristic
/// lengths), the others brought along by continuity; poses closer to a singularity than `most_condition` are drawn
/// again. A third of them starts from a pose along the motion laws when the model has any. The independent set of
/// `prepared.work` changes.
std::vector<RandomState> random_states(const Model& model, Prepared& prepared, int count, unsigned seed);

/// What a verb on random states says of a mechanism without freedom, whose accelerations are all zero; exit code 0.
int nothing_can_move(const char* verb, const Model& model, bool json);

}  // namespace lithe::cli

#pragma once
// What a run of a move is from its limits, time by time: the peaks of short times are smoother functions of the laws than those
// of the whole run.

#include <vector>

#include "lithe/study/fastest_move.hpp"

namespace lithe::detail {

inline constexpr int bins_of_move = 72, bins_of_watch = 36;    ///< equal times of the move, and after it
inline constexpr int rows_of_bin = 4, rows_of_watch_bin = 12;  ///< of which the extremes count
/// Part of a limit that is kept free, since between the rows it may be a little more.
inline constexpr double limit_margin = 3e-3;

/// How many numbers limits_of_move() gives.
int count_of_limits(const MoveProblem& problem);

/// Numbers that are at most zero where the limits hold; one is as much again as the limit. `rows` has columns tau.JOINT
/// and the like from `begin` to `begin + duration + problem.watch`.
std::vector<double> limits_of_move(const MoveProblem& problem, const MemoryRecord& rows, double begin, double duration);

/// The motors hold the pose at the start and at the end: the largest force there over the limit, and whose it is.
struct HoldingForce {
  std::string joint;
  double force = 0.0, limit = 0.0;
  bool at_end = false;
};
std::vector<HoldingForce> too_heavy_poses(const MoveProblem& problem, const MemoryRecord& rows, double end);

}  // namespace lithe::detail

#pragma once
// Products and sums of one evaluation: by the formulas that M. H. Korayem and A. M. Shafei (2009) print, and measured.

#include <array>
#include <string>
#include <vector>

#include "reproduce/printed_recursion.hpp"

namespace lithe::reproduce {

/// A chain by its size: links, how many of them bend, and shapes of each of those.
struct ChainSize {
  int links = 0, bending = 0, shapes = 0;
};

using StepCounts = std::array<OperationCount, PrintedRecursion<double>::step_count>;

StepCounts printed_steps(const ChainSize& size);         ///< their table 1
OperationCount printed_total(const ChainSize& size);     ///< their table 2, Gibbs-Appell
OperationCount printed_lagrange(const ChainSize& size);  ///< their table 2, the recursive Lagrange equations of Book

/// What our recursion takes, step by step, with the elastic rotation of the source; without the modal sums, which the
/// source does not count either.
StepCounts measured_steps(const ChainSize& size);
OperationCount measured_sums_over_shapes(const ChainSize& size);

OperationCount total(const StepCounts& steps);

/// "operations.METHOD.products.LINKS.BENDING.SHAPES", also .sums; METHOD is `printed`, `steps` (sum of table 1),
/// `lagrange`, `measured` or `shapes` (measured modal sums). `words` is the name split at its dots.
double operation_quantity(const std::vector<std::string>& words);

}  // namespace lithe::reproduce

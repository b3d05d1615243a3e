#pragma once
// The best values of the axes of a study: one objective or two, within the limits of its outputs. The searches are
// NLopt's; each start is a search of its own, and what comes out does not depend on the number of threads.

#include <functional>
#include <string>
#include <vector>

#include "lithe/study/study.hpp"

namespace lithe {

///   cobyla       linear models on a simplex, knows limits; no slopes
///   bobyqa       quadratic models; no slopes
///   nelder_mead  simplex; no slopes
///   direct       divides the whole space into boxes: global; no slopes
///   slsqp        sequential quadratic programming, with slopes
///   mma          moving asymptotes, with slopes; for many limits
/// Those that know no limits get them by an augmented Lagrangian. Slopes are those of StudyEvaluator::slopes(), where
/// it knows them, else central differences of variants.
enum class OptimizeMethod { cobyla, bobyqa, nelder_mead, direct, slsqp, mma };
inline constexpr OptimizeMethod all_optimize_methods[] = {OptimizeMethod::cobyla,      OptimizeMethod::bobyqa,
                                                          OptimizeMethod::nelder_mead, OptimizeMethod::direct,
                                                          OptimizeMethod::slsqp,       OptimizeMethod::mma};
bool takes_slopes(OptimizeMethod method);
std::string name_of(OptimizeMethod method);  ///< as in study files: cobyla bobyqa nelder-mead direct slsqp mma

struct OptimizeOptions {
  OptimizeMethod method = OptimizeMethod::cobyla;
  int starts = 4;           ///< the first one in the middle, the others evenly over the space (Sobol's sequence)
  int evaluations = 200;    ///< of a search; the differences for slopes come on top
  double tolerance = 1e-4;  ///< of the axes, part of their range
  int points = 11;          ///< of the front of two objectives
};

/// Where one search ended.
struct Optimum {
  std::vector<double> values;   ///< of the axes
  std::vector<double> outputs;  ///< of the study
  bool feasible = false;        ///< keeps all limits, up to 1e-6 of their size
  std::string ending;           ///< why the search ended, in words
  bool converged = false;       ///< it ended by itself, not at the most evaluations or by a fault
  long evaluations = 0;         ///< variants that it took, differences included
};

struct OptimizeAnswer {
  std::vector<Optimum> searches;  ///< of one objective: one per start
  int best = -1;                  ///< among them; -1: none keeps the limits
  std::vector<Optimum> front;     ///< of two objectives: those that none other beats in both, by the first one
  bool stopped = false;
};

struct OptimizeControl {
  int threads = 0;  ///< 0: as many as the machine has
  const std::atomic<bool>* stop = nullptr;
  /// What is known already of variant `number`: a search that goes on takes the same way again. May be empty.
  std::function<const Variant*(long number)> known;
  /// Every new variant, by one thread at a time: its number (which search, which step), values and outputs.
  std::function<void(long number, const std::vector<double>& values, const Variant&)> finished;
  /// The same for every variant, known or new: the history.
  std::function<void(long number, const std::vector<double>& values, const Variant&)> passed;
};

/// Numbers of the variants of search i begin at i times this.
inline constexpr long search_stride = 1'000'000'000;

/// Throws MechanismError, with the axis or "objectives" as its element, when the study cannot be optimised.
void require_searchable(const Study& study);

/// Throws as require_searchable().
OptimizeAnswer optimize(const StudyEvaluator& evaluator, const OptimizeOptions& options,
                        const OptimizeControl& control);

}  // namespace lithe

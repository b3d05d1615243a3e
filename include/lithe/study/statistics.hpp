#pragma once
// What the variants of a study tell together: spread, correlation, sensitivity, probability of failure.

#include <optional>
#include <string>
#include <vector>

#include "lithe/study/sweep.hpp"

namespace lithe {

/// Of one output, over the variants without an error.
struct Spread {
  long count = 0;
  double mean = 0.0, deviation = 0.0;  ///< standard deviation (n - 1)
  double least = 0.0, most = 0.0, median = 0.0;
  double percentile_5 = 0.0, percentile_95 = 0.0;
  /// Of robust design: mean + k standard deviations.
  double robust(double k) const { return mean + k * deviation; }
};
Spread spread_of(std::vector<double> values);

double correlation(const std::vector<double>& x, const std::vector<double>& y);       ///< Pearson
double rank_correlation(const std::vector<double>& x, const std::vector<double>& y);  ///< Spearman; ties share a rank

/// How often variants break a limit, with the interval that holds the true probability with `confidence` (Clopper and
/// Pearson: exact for independent variants).
struct FailureProbability {
  long failures = 0, variants = 0;
  double probability = 0.0, low = 0.0, high = 1.0, confidence = 0.95;
};
FailureProbability failure_probability(long failures, long variants, double confidence = 0.95);

/// Of one output with respect to one axis.
struct SobolIndex {
  double first = 0.0, total = 0.0;  ///< parts of the variance: of the axis alone; with all that it takes part in
  double first_error = 0.0, total_error = 0.0;  ///< standard errors, by halves of the sample left out in turn
};
/// From the results of a saltelli sample of `axes` axes, variant after variant. First-order indices after Saltelli (2010),
/// total ones after Jansen (1999). A base point with a variant that failed (not a number) is left out.
std::vector<SobolIndex> sobol_indices(const std::vector<double>& results, int axes);

/// Elementary effects: changes of an output per whole range of an axis.
struct MorrisEffect {
  double mean = 0.0, mean_size = 0.0, deviation = 0.0;  ///< mu, mu*, sigma
};
std::vector<MorrisEffect> morris_effects(const Samples& samples, const std::vector<double>& results);

/// Quadratic response surface by least squares: y = c + sum b_i x_i + sum c_ij x_i x_j, x_i scaled to zero mean and unit
/// deviation. Squares and products are left out when there are too few variants for them (two per coefficient).
struct ResponseSurface {
  std::vector<double> mean, scale;  ///< of the axes
  double constant = 0.0;
  std::vector<double> linear;     ///< per axis
  std::vector<double> quadratic;  ///< i <= j, row by row; empty: linear surface
  double determination = 0.0;     ///< part of the variance that it explains
  double at(const std::vector<double>& values) const;
};
ResponseSurface response_surface(const StudyTable& table, int output);

/// Which axis brings how much of the variance of an output: slope of the response surface times covariance of axis and
/// output. Of independent axes that is the square of the slope times the variance of the axis; what correlated ones
/// have in common is shared between them. `unexplained`: of products, squares and noise.
struct ToleranceBudget {
  std::vector<double> shares;  ///< per axis, of the variance
  double unexplained = 0.0;
};
ToleranceBudget tolerance_budget(const StudyTable& table, int output);

}  // namespace lithe

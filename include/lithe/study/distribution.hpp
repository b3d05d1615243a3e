#pragma once
// How the values of one number of a study are spread: from a probability between 0 and 1 to the value below which that
// part of all values lies.

#include <string>
#include <vector>

namespace lithe {

/// Probability density and its parameters a, b, c:
///   values        one of the given ones, each as often as the others
///   uniform       between a and b
///   log_uniform   between a and b, every factor as often as any other
///   normal        mean a, standard deviation b
///   lognormal     median a; the logarithm has the standard deviation b
///   triangular    from a by the most frequent value b to c
///   weibull       scale a, shape b
/// A spread may be cut off at `low` and `high`: what lies between is as frequent, relatively, as before.
struct Distribution {
  enum class Kind { values, uniform, log_uniform, normal, lognormal, triangular, weibull };
  Kind kind = Kind::uniform;
  double a = 0.0, b = 1.0, c = 0.0;
  double low, high;  ///< infinite: not cut off
  std::vector<double> values;

  Distribution();
  bool is_discrete() const { return kind == Kind::values; }
  /// Value below which the part `probability` (from 0 to 1, ends excluded) of all values lies.
  double quantile(double probability) const;
  /// Part of all values that are at most x.
  double probability(double x) const;
  /// Where it starts and ends; infinite where it does not.
  double least() const;
  double most() const;
  /// Empty, or what makes no sense: "the standard deviation must be positive".
  std::string why_not() const;

 private:
  double whole_quantile(double probability) const;  ///< without the cut
  double whole_probability(double x) const;
};

/// Of the normal distribution with mean 0 and standard deviation 1.
double normal_probability(double x);
double normal_quantile(double probability);

}  // namespace lithe

#pragma once
// Which values the numbers of a study take in its variants. Variant k depends on the study and k alone: not on threads,
// ranks, or what was computed before.

#include <cstdint>
#include <string>
#include <vector>

#include "lithe/study/distribution.hpp"

namespace lithe {

/// One number that differs between variants.
struct StudyAxis {
  std::string name;  ///< a parameter of the model, or a value by its path: "run.tolerance"
  Distribution spread;
};

///   grid             every combination of the values; the last axis changes fastest
///   random           independent draws
///   latin_hypercube  `count` strata per axis, each hit once
///   sobol            a shifted Sobol sequence: fills the space evenly; best with powers of two
///   saltelli         count (d + 2) variants for Sobol's sensitivity indices: A, B, and A with one column of B each
///   morris           count (d + 1) variants: trajectories on a grid of `levels`, one axis after the other moves
enum class SampleMethod { grid, random, latin_hypercube, sobol, saltelli, morris };
inline constexpr SampleMethod all_sample_methods[] = {
    SampleMethod::grid,  SampleMethod::random,   SampleMethod::latin_hypercube,
    SampleMethod::sobol, SampleMethod::saltelli, SampleMethod::morris};
std::string name_of(
    SampleMethod method);  ///< as in study files: grid random latin-hypercube sobol sobol-indices morris

/// Correlation of two axes: that of the normal scores of their values (for two normal axes, the ordinary one).
struct AxisCorrelation {
  std::string a, b;
  double value = 0.0;
};

struct SampleOptions {
  SampleMethod method = SampleMethod::grid;
  long count = 0;  ///< variants; of saltelli and morris the number of base points or trajectories; grid: unused
  std::uint64_t seed = 1;
  int levels = 4;  ///< of morris, even
  std::vector<AxisCorrelation> correlations;
};

/// Most dimensions of the Sobol sequence; saltelli needs two per axis.
inline constexpr int sobol_dimensions = 21;
/// Digit by digit: point `k` of dimension `dimension` (from 0), times 2^32, without shift.
std::uint32_t sobol_digits(std::uint32_t k, int dimension);

class Samples {
 public:
  /// Throws MechanismError, with the axis or "sample" as its element, when axes and options do not fit.
  Samples(std::vector<StudyAxis> axes, SampleOptions options);

  long size() const { return size_; }
  const std::vector<StudyAxis>& axes() const { return axes_; }
  const SampleOptions& options() const { return options_; }
  /// Values of all axes in variant k.
  std::vector<double> at(long k) const;
  /// The same as probabilities between 0 and 1, before the spread of the axes; not of a grid.
  std::vector<double> probabilities(long k) const;

 private:
  void check() const;
  void factor_correlations();
  std::vector<double> grid_point(long k) const;
  double drawn(std::uint64_t stream, std::uint64_t k) const;
  double sobol_number(long k, int dimension) const;
  std::vector<double> morris_point(long k) const;

  std::vector<StudyAxis> axes_;
  SampleOptions options_;
  long size_ = 0;
  std::vector<std::vector<std::uint32_t>> strata_;  ///< of the Latin hypercube: permutations, per axis
  std::vector<double> factor_;                      ///< lower triangle of the Cholesky factor of the correlations
};

}  // namespace lithe

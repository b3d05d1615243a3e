#pragma once
// The bounded elastic motion between rest at both ends, for internal dynamics that would run away when integrated.

#include <functional>
#include <vector>

#include "lithe/simulation/elastic_inversion.hpp"

namespace lithe::detail {

/// Values and speeds at equally spaced times; the accelerations are left at zero.
struct ElasticPath {
  std::vector<double> times;
  std::vector<ElasticMotion> points;
  double error = 0.0;  ///< estimate for the values, in units of the elastic coordinates
  int iterations = 0;  ///< of Newton's method, both grids
};

/// Solves residual(t, eta, eta', eta'') = 0 by the box scheme on `intervals` steps and on twice as many, and
/// extrapolates (order 4). `goes_on` is asked now and then and ends the search with false: refused without words.
RunStatus solve_two_point(ElasticInversion& inversion, double from, double until, int intervals, ElasticPath& path,
                          const std::function<bool(double fraction)>& goes_on);

}  // namespace lithe::detail

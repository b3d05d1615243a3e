#include "lithe/study/sample_grid.hpp"

#include <algorithm>
#include <cmath>

namespace lithe::detail {
namespace {

constexpr int points = 6;           ///< of a polynomial
constexpr double finer = 4.0;       ///< rows per gap between samples, where these are uneven
constexpr double same_time = 1e-6;  ///< of a row and a sample, in rows

/// Whether all instants are rows of this grid.
bool fits(double from, double every, const std::vector<double>& times) {
  return std::all_of(times.begin(), times.end(), [&](double t) {
    const double row = (t - from) / every;
    return std::abs(row - std::round(row)) < same_time;
  });
}

}  // namespace

SampleGrid::SampleGrid(double from, const std::vector<double>& times) : from_(from) {
  const double span = times.back() - times.front(), last = times.back();
  const double gap = times.size() > 1 ? span / static_cast<double>(times.size() - 1) : last - from;
  // Records are mostly even, and begin with the run or a whole number of gaps after it.
  const double rows = std::max(1.0, std::round((last - from) / gap));
  if (fits(from, (last - from) / rows, times)) {
    every_ = (last - from) / rows;
    until_ = last;
    return;
  }
  every_ = std::min(gap / finer, (last - from) / points);
  until_ = from + every_ * std::ceil((last - from) / every_);
}

double SampleGrid::at(double t, const std::vector<double>& rows) const {
  const double place = (t - from_) / every_;
  const auto nearest = std::clamp<long>(std::lround(place), 0, std::ssize(rows) - 1);
  if (std::abs(place - static_cast<double>(nearest)) < same_time) return rows[nearest];
  const int count = std::min(points, static_cast<int>(rows.size()));
  const long first =
      std::clamp<long>(static_cast<long>(place) - count / 2 + 1, 0, std::ssize(rows) - count);
  double value = 0.0;
  for (int i = 0; i < count; ++i) {
    double weight = 1.0;
    for (int j = 0; j < count; ++j)
      if (j != i) weight *= (place - static_cast<double>(first + j)) / static_cast<double>(i - j);
    value += weight * rows[first + i];
  }
  return value;
}

}  // namespace lithe::detail

#include "lithe/study/move_limits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lithe::detail {
namespace {

constexpr const char* ground_axes[] = {".x", ".y", ".z"};

/// A column at times of one's own, by the cubic through the four rows around; at a row it is the row.
class ColumnAt {
 public:
  ColumnAt(const std::vector<double>& t, std::vector<double> y) : t_(t), y_(std::move(y)) {}

  double operator()(double time) const {
    const auto rows = std::ssize(t_);
    const long above = std::lower_bound(t_.begin(), t_.end(), time) - t_.begin();
    const long first = std::clamp(above - 2, 0L, std::max(0L, rows - 4)), last = std::min(rows, first + 4);
    double sum = 0.0;
    for (long i = first; i < last; ++i) {
      double weight = 1.0;
      for (long j = first; j < last; ++j)
        if (j != i) weight *= (time - t_[j]) / (t_[i] - t_[j]);
      sum += weight * y_[i];
    }
    return sum;
  }

 private:
  const std::vector<double>& t_;
  std::vector<double> y_;
};

std::vector<double> equal_times(double from, double until, int steps) {
  std::vector<double> times;
  for (int i = 0; i <= steps; ++i) times.push_back(from + (until - from) * i / steps);
  return times;
}

/// Two numbers for each bin of values: how far its largest is above the limit, and how far its smallest below the
/// negative one. A bin has the first value of the next one as well.
void add_limits(const std::vector<double>& values, int bins, double most, std::vector<double>& limits) {
  const auto rows = static_cast<long>(values.size() - 1) / bins;
  for (int bin = 0; bin < bins; ++bin) {
    const auto begin = values.begin() + bin * rows, end = begin + rows + 1;
    const auto [low, high] = std::minmax_element(begin, end);
    limits.push_back(*high / most - 1.0 + limit_margin);
    limits.push_back(-*low / most - 1.0 + limit_margin);
  }
}

std::string column_of_frame(const std::string& frame, const char* axis) {
  std::string name = "pos." + frame;
  std::replace(name.begin(), name.end(), '/', '.');
  return name + axis;
}

}  // namespace

int count_of_limits(const MoveProblem& problem) {
  const int move = 2 * bins_of_move, watch = 2 * bins_of_watch;
  int count = 0;
  for (const MotorMove& motor : problem.motors)
    count += (motor.force ? move + watch : 0) + (motor.speed ? move : 0) + (motor.acceleration ? move : 0);
  return count + 3 * watch * static_cast<int>(problem.quiet.size());
}

std::vector<double> limits_of_move(const MoveProblem& problem, const MemoryRecord& rows, double begin,
                                   double duration) {
  const double end = begin + duration;
  const std::vector<double> t = rows.column("t"), move = equal_times(begin, end, bins_of_move * rows_of_bin),
                            watch = equal_times(end, end + problem.watch, bins_of_watch * rows_of_watch_bin);
  const auto values_at = [&](const std::string& column, const std::vector<double>& times) {
    const ColumnAt value(t, rows.column(column));
    std::vector<double> values;
    for (const double time : times) values.push_back(value(time));
    return values;
  };
  std::vector<double> limits;
  for (const MotorMove& motor : problem.motors) {
    if (motor.force) {
      add_limits(values_at("tau." + motor.joint, move), bins_of_move, *motor.force, limits);
      add_limits(values_at("tau." + motor.joint, watch), bins_of_watch, *motor.force, limits);
    }
    if (motor.speed) add_limits(values_at("v." + motor.joint, move), bins_of_move, *motor.speed, limits);
    if (motor.acceleration) add_limits(values_at("a." + motor.joint, move), bins_of_move, *motor.acceleration, limits);
  }
  for (const QuietFrame& quiet : problem.quiet)
    for (const char* axis : ground_axes) {
      std::vector<double> places = values_at(column_of_frame(quiet.frame, axis), watch);
      const double mean = std::accumulate(places.begin(), places.end(), 0.0) / static_cast<double>(places.size());
      for (double& place : places) place -= mean;
      add_limits(places, bins_of_watch, quiet.most, limits);
    }
  return limits;
}

std::vector<HoldingForce> too_heavy_poses(const MoveProblem& problem, const MemoryRecord& rows, double end) {
  const std::vector<double> t = rows.column("t");
  std::vector<HoldingForce> found;
  for (const MotorMove& motor : problem.motors) {
    if (!motor.force) continue;
    const std::vector<double> force = rows.column("tau." + motor.joint);
    if (std::abs(force.front()) > *motor.force) found.push_back({motor.joint, force.front(), *motor.force, false});
    double sum = 0.0;
    int count = 0;
    for (std::size_t i = 0; i < t.size(); ++i)
      if (t[i] >= end) sum += force[i], ++count;
    if (count > 0 && std::abs(sum / count) > *motor.force)
      found.push_back({motor.joint, sum / count, *motor.force, true});
  }
  return found;
}

}  // namespace lithe::detail

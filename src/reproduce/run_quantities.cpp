#include "reproduce/run_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

#include "reproduce/bending.hpp"
#include "reproduce/case_error.hpp"

namespace lithe::reproduce {
namespace {

/// When `name` starts with `prefix`, the rest of it.
std::optional<std::string> after(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  return name.substr(prefix.size());
}

}  // namespace

bool asks_for_nominal(const std::string& quantity) {
  return quantity.starts_with("largest correction.") || quantity.find("extra.") != std::string::npos;
}

double RunQuantities::bending(std::size_t row, const std::string& name, bool is_rate) const {
  const DeflectionPlace place = deflection_place(model_.mechanism, name);
  const std::string& link = model_.mechanism.links[place.link].name;
  double sum = 0.0;
  for (Eigen::Index i = 0; i < place.shape.size(); ++i)
    sum += place.shape[i] * record_.at(row, fmt::format("{}.{}.e{}", is_rate ? "v" : "q", link, i + 1));
  return sum;
}

double RunQuantities::value(std::size_t row, const std::string& column) const {
  if (const auto place = after(column, "bending.")) return bending(row, *place, false);
  if (const auto place = after(column, "bending-rate.")) return bending(row, *place, true);
  if (const auto joint = after(column, "error.")) return tracking_error(*joint, row);
  if (const auto joint = after(column, "error-rate.")) return tracking_error(*joint, row, true);
  if (const auto joint = after(column, "extra.")) return record_.at(row, "tau." + *joint) - nominal().at(row, "tau." + *joint);
  return record_.at(row, column);
}

double RunQuantities::at_instant(const std::string& column, double t) const {
  for (std::size_t row = 0; row < record_.rows(); ++row) {
    if (std::abs(record_.at(row, "t") - t) < 1e-9) return value(row, column);
  }
  throw CaseError(fmt::format("no row at t = {} s was recorded", t));
}

RunQuantities::Rows RunQuantities::rows_between(double from, double until) const {
  constexpr double rounding = 1e-9;  // s
  Rows rows{record_.rows(), 0};
  for (std::size_t row = 0; row < record_.rows(); ++row) {
    const double t = record_.at(row, "t");
    if (t < from - rounding || t > until + rounding) continue;
    rows.first = std::min(rows.first, row);
    rows.end = row + 1;
  }
  if (rows.first >= rows.end) throw CaseError(fmt::format("no row from t = {} to {} s was recorded", from, until));
  return rows;
}

double RunQuantities::extreme(const std::string& column, double sign, bool time, Rows rows) const {
  std::size_t best = rows.first;
  for (std::size_t row = rows.first + 1; row < rows.end; ++row)
    if (sign * value(row, column) > sign * value(best, column)) best = row;
  const double t = record_.at(best, "t"), y = value(best, column);
  if (best == rows.first || best + 1 == rows.end) return time ? t : y;
  // Vertex of the parabola through the best row and its neighbours (equidistant rows).
  const double before = value(best - 1, column), behind = value(best + 1, column);
  const double slope = (behind - before) / 2, curvature = behind - 2 * y + before;
  const double shift = curvature == 0 ? 0.0 : -slope / curvature;
  return time ? t + shift * (record_.at(best + 1, "t") - t) : y + shift * slope / 2;
}

double RunQuantities::peak(const std::string& column, Rows rows) const {
  double largest = 0.0;
  for (std::size_t row = rows.first; row < rows.end; ++row) largest = std::max(largest, std::abs(value(row, column)));
  return largest;
}

double RunQuantities::frequency(const std::string& column, Rows rows) const {
  double mean = 0.0;
  for (std::size_t row = rows.first; row < rows.end; ++row) mean += value(row, column);
  mean /= static_cast<double>(rows.end - rows.first);
  int rises = 0;
  double first = 0.0, last = 0.0;
  for (std::size_t row = rows.first; row + 1 < rows.end; ++row) {
    const double here = value(row, column) - mean, next = value(row + 1, column) - mean;
    if (!(here < 0 && next >= 0)) continue;
    const double t = record_.at(row, "t");
    last = t + (record_.at(row + 1, "t") - t) * here / (here - next);
    if (rises++ == 0) first = last;
  }
  if (rises < 2) throw CaseError(fmt::format("'{}' does not oscillate", column));
  return (rises - 1) / (last - first);
}

double RunQuantities::time_beyond(const std::string& column, double limit) const {
  for (std::size_t row = 0; row < record_.rows(); ++row)
    if (std::abs(value(row, column)) > limit) return record_.at(row, "t");
  return std::numeric_limits<double>::infinity();
}

double RunQuantities::tracking_error(const std::string& joint, std::size_t row, bool is_rate) const {
  for (const Drive& drive : model_.drives) {
    if (drive.joint != joint || !drive.wants_motion()) continue;
    const auto wanted = drive.follow.at(record_.at(row, "t"));
    return record_.at(row, (is_rate ? "v." : "q.") + joint) - (is_rate ? wanted.rate : wanted.value);
  }
  throw CaseError(fmt::format("joint '{}' follows no motion law", joint));
}

const MemoryRecord& RunQuantities::nominal() const {
  if (nominal_ == nullptr) throw CaseError("corrections need a drive that follows a motion");
  return *nominal_;
}

double RunQuantities::correction(const std::string& joint) const {
  double largest = 0.0;
  for (std::size_t row = 0; row < std::min(record_.rows(), nominal().rows()); ++row) {
    const double wanted = nominal().at(row, "tau." + joint);
    largest = std::max(largest, 100.0 * std::abs((record_.at(row, "tau." + joint) - wanted) / wanted));
  }
  return largest;
}

double RunQuantities::of_rows(const std::string& name, Rows rows) const {
  if (const auto column = after(name, "max ")) return extreme(*column, 1.0, false, rows);
  if (const auto column = after(name, "min ")) return extreme(*column, -1.0, false, rows);
  if (const auto column = after(name, "peak ")) return peak(*column, rows);
  if (const auto column = after(name, "frequency ")) return frequency(*column, rows);
  if (const auto column = after(name, "time of max ")) return extreme(*column, 1.0, true, rows);
  if (const auto column = after(name, "time of min ")) return extreme(*column, -1.0, true, rows);
  throw CaseError(fmt::format("'{}' is not a quantity of a run", name));
}

double RunQuantities::operator()(const std::string& name, std::optional<double> t) const {
  if (t) return at_instant(name, *t);
  const Audit& audit = outcome_.audit;
  if (name == "steps") return static_cast<double>(audit.steps);
  if (name == "rejected") return static_cast<double>(audit.rejected);
  if (name == "evaluations") return static_cast<double>(audit.evaluations);
  if (name == "worst closure") return audit.worst_closure;
  if (name == "energy error") return audit.energy_error;
  if (record_.rows() == 0) throw CaseError("nothing was recorded");
  if (name == "largest error" || name == "largest last error") {
    double largest = 0.0;
    for (const Drive& drive : model_.drives) {
      if (!drive.wants_motion()) continue;
      for (std::size_t row = name == "largest error" ? 0 : record_.rows() - 1; row < record_.rows(); ++row) {
        largest = std::max(largest, std::abs(tracking_error(drive.joint, row)));
      }
    }
    return largest;
  }
  if (const auto joint = after(name, "last error.")) return tracking_error(*joint, record_.rows() - 1);
  if (const auto joint = after(name, "largest correction.")) return correction(*joint);
  if (const auto column = after(name, "last ")) return value(record_.rows() - 1, *column);
  if (const auto column = after(name, "first ")) return value(0, *column);
  static const std::regex window("(.*) from ([0-9.]+) to ([0-9.]+)"), beyond("time of (.*) beyond ([0-9.e-]+)");
  std::smatch found;
  if (std::regex_match(name, found, beyond)) return time_beyond(found[1], std::stod(found[2]));
  if (std::regex_match(name, found, window))
    return of_rows(found[1], rows_between(std::stod(found[2]), std::stod(found[3])));
  return of_rows(name, {0, record_.rows()});
}

}  // namespace lithe::reproduce

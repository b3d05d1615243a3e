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

constexpr double same_instant = 1e-9;  // s

/// When `name` starts with `prefix`, the rest of it.
std::optional<std::string> after(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  return name.substr(prefix.size());
}

/// a + factor * b.
std::vector<double> sum(std::vector<double> a, double factor, const std::vector<double>& b) {
  for (std::size_t row = 0; row < a.size(); ++row) a[row] += factor * b[row];
  return a;
}

}  // namespace

const RunQuantities::Series& RunQuantities::series(const std::string& column) const {
  const auto known = series_.find(column);
  return known != series_.end() ? known->second : series_.emplace(column, made_series(column)).first->second;
}

RunQuantities::Series RunQuantities::made_series(const std::string& column) const {
  for (const auto& [word, sign] : {std::pair{" minus ", -1.0}, std::pair{" plus ", 1.0}})
    if (const std::size_t at = column.find(word); at != std::string::npos)
      return sum(series(column.substr(0, at)), sign, series(column.substr(at + std::string(word).size())));
  if (const auto place = after(column, "bending.")) return bending(*place, "q");
  if (const auto place = after(column, "bending-rate.")) return bending(*place, "v");
  if (const auto place = after(column, "path.")) return path_error(*place);
  if (const auto joint = after(column, "error.")) return tracking_error(*joint, false);
  if (const auto joint = after(column, "error-rate.")) return tracking_error(*joint, true);
  if (const auto joint = after(column, "feedback.")) {
    const Drive& drive = following(*joint);
    const Series none(record_.rows(), 0.0);
    return sum(sum(none, -drive.kp, series("error." + *joint)), -drive.kd, series("error-rate." + *joint));
  }
  return record_.column(column);
}

/// `kind`: q or v.
RunQuantities::Series RunQuantities::bending(const std::string& name, const std::string& kind) const {
  const DeflectionPlace place = deflection_place(model_.mechanism, name);
  const std::string& link = model_.mechanism.links[place.link].name;
  Series all(record_.rows(), 0.0);
  for (Eigen::Index i = 0; i < place.shape.size(); ++i)
    all = sum(std::move(all), place.shape[i], series(fmt::format("{}.{}.e{}", kind, link, i + 1)));
  return all;
}

const Drive& RunQuantities::following(const std::string& joint) const {
  for (const Drive& drive : model_.drives)
    if (drive.joint == joint && drive.wants_motion()) return drive;
  throw CaseError(fmt::format("joint '{}' follows no motion law", joint));
}

RunQuantities::Series RunQuantities::tracking_error(const std::string& joint, bool is_rate) const {
  const Law& law = following(joint).follow;
  const Series& t = series("t");
  Series error = series((is_rate ? "v." : "q.") + joint);
  for (std::size_t row = 0; row < error.size(); ++row)
    error[row] -= is_rate ? law.at(t[row]).rate : law.at(t[row]).value;
  return error;
}

/// `place`: LINK.FRAME.x, y, z or norm.
RunQuantities::Series RunQuantities::path_error(const std::string& place) const {
  for (const PathDrive& drive : model_.paths) {
    const std::string frame = drive.link + "." + drive.frame;
    const auto axis = after(place, frame + ".");
    if (!axis || (*axis != "x" && *axis != "y" && *axis != "z" && *axis != "norm")) continue;
    const Series &t = series("t"), &x = series("pos." + frame + ".x"), &y = series("pos." + frame + ".y"),
                 &z = series("pos." + frame + ".z");
    Series all(record_.rows());
    for (std::size_t row = 0; row < all.size(); ++row) {
      const Vec3 error = Vec3(x[row], y[row], z[row]) - drive.path.at(t[row]).position;
      all[row] = *axis == "norm" ? error.norm() : error[(*axis)[0] - 'x'];
    }
    return all;
  }
  throw CaseError(fmt::format("'path.{}' is no frame on a path and x, y, z or norm", place));
}

double RunQuantities::at_instant(const std::string& column, double t) const {
  const Series& times = series("t");
  for (std::size_t row = 0; row < times.size(); ++row)
    if (std::abs(times[row] - t) < same_instant) return series(column)[row];
  throw CaseError(fmt::format("no row at t = {} s was recorded", t));
}

RunQuantities::Rows RunQuantities::rows_between(double from, double until) const {
  const Series& t = series("t");
  const auto first = std::lower_bound(t.begin(), t.end(), from - same_instant);
  const auto end = std::upper_bound(t.begin(), t.end(), until + same_instant);
  if (first >= end) throw CaseError(fmt::format("no row from t = {} to {} s was recorded", from, until));
  return {static_cast<std::size_t>(first - t.begin()), static_cast<std::size_t>(end - t.begin())};
}

double RunQuantities::extreme(const std::string& column, double sign, bool time, Rows rows) const {
  const Series &t = series("t"), &y = series(column);
  std::size_t best = rows.first;
  for (std::size_t k = rows.first + 1; k < rows.end; ++k) {
    if (sign * y[k] > sign * y[best]) best = k;
  }
  if (best == rows.first || best + 1 == rows.end) return time ? t[best] : y[best];
  // Vertex of the parabola through the best row and its neighbours (equidistant rows).
  const double slope = (y[best + 1] - y[best - 1]) / 2, curvature = y[best + 1] - 2 * y[best] + y[best - 1];
  const double shift = curvature == 0 ? 0.0 : -slope / curvature;
  return time ? t[best] + shift * (t[best + 1] - t[best]) : y[best] + shift * slope / 2;
}

double RunQuantities::peak(const std::string& column, Rows rows) const {
  const Series& y = series(column);
  double largest = 0.0;
  for (std::size_t row = rows.first; row < rows.end; ++row) largest = std::max(largest, std::abs(y[row]));
  return largest;
}

double RunQuantities::frequency(const std::string& column, Rows rows) const {
  const Series &t = series("t"), &y = series(column);
  double mean = 0.0;
  for (std::size_t row = rows.first; row < rows.end; ++row) mean += y[row];
  mean /= static_cast<double>(rows.end - rows.first);
  int rises = 0;
  double first = 0.0, last = 0.0;
  for (std::size_t row = rows.first; row + 1 < rows.end; ++row) {
    const double here = y[row] - mean, next = y[row + 1] - mean;
    if (!(here < 0 && next >= 0)) continue;
    last = t[row] + (t[row + 1] - t[row]) * here / (here - next);
    if (rises++ == 0) first = last;
  }
  if (rises < 2) throw CaseError(fmt::format("'{}' does not oscillate", column));
  return (rises - 1) / (last - first);
}

double RunQuantities::time_beyond(const std::string& column, double limit) const {
  const Series& y = series(column);
  for (std::size_t row = 0; row < y.size(); ++row)
    if (std::abs(y[row]) > limit) return series("t")[row];
  return std::numeric_limits<double>::infinity();
}

/// Of all driven joints, from row `first` on.
double RunQuantities::largest_error(std::size_t first) const {
  double largest = 0.0;
  for (const Drive& drive : model_.drives)
    if (drive.wants_motion()) largest = std::max(largest, peak("error." + drive.joint, {first, record_.rows()}));
  return largest;
}

double RunQuantities::correction(const std::string& joint) const {
  if (!nominal_) throw CaseError("corrections need a drive that follows a motion");
  double largest = 0.0;
  for (std::size_t row = 0; row < std::min(record_.rows(), nominal_->rows()); ++row) {
    const double wanted = nominal_->at(row, "tau." + joint);
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
  if (name == "largest error") return largest_error(0);
  if (name == "largest last error") return largest_error(record_.rows() - 1);
  if (const auto joint = after(name, "largest correction.")) return correction(*joint);
  if (const auto column = after(name, "last ")) return series(*column).back();
  if (const auto column = after(name, "first ")) return series(*column).front();
  static const std::regex window("(.*) from ([0-9.]+) to ([0-9.]+)"), beyond("time of (.*) beyond ([0-9.e-]+)");
  std::smatch found;
  if (std::regex_match(name, found, beyond)) return time_beyond(found[1], std::stod(found[2]));
  if (std::regex_match(name, found, window))
    return of_rows(found[1], rows_between(std::stod(found[2]), std::stod(found[3])));
  return of_rows(name, {0, record_.rows()});
}

}  // namespace lithe::reproduce

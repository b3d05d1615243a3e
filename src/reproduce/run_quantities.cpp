#include "reproduce/run_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

double RunQuantities::value(std::size_t row, const std::string& column) const {
  const auto amount = after(column, "bending."), rate = after(column, "bending-rate.");
  if (!amount && !rate) return record_.at(row, column);
  const DeflectionPlace place = deflection_place(model_.mechanism, amount ? *amount : *rate);
  const std::string& link = model_.mechanism.links[place.link].name;
  double sum = 0.0;
  for (Eigen::Index i = 0; i < place.shape.size(); ++i)
    sum += place.shape[i] * record_.at(row, fmt::format("{}.{}.e{}", amount ? "q" : "v", link, i + 1));
  return sum;
}

double RunQuantities::at_instant(const std::string& column, double t) const {
  for (std::size_t row = 0; row < record_.rows(); ++row) {
    if (std::abs(record_.at(row, "t") - t) < 1e-9) return value(row, column);
  }
  throw CaseError(fmt::format("no row at t = {} s was recorded", t));
}

double RunQuantities::extreme(const std::string& column, double sign, bool time) const {
  const std::vector<double> t = record_.column("t");
  if (t.empty()) throw CaseError("nothing was recorded");
  std::vector<double> y(t.size());
  for (std::size_t row = 0; row < y.size(); ++row) y[row] = value(row, column);
  std::size_t best = 0;
  for (std::size_t k = 1; k < y.size(); ++k) {
    if (sign * y[k] > sign * y[best]) best = k;
  }
  if (best == 0 || best + 1 == y.size()) return time ? t[best] : y[best];
  // Vertex of the parabola through the best row and its neighbours (equidistant rows).
  const double slope = (y[best + 1] - y[best - 1]) / 2, curvature = y[best + 1] - 2 * y[best] + y[best - 1];
  const double shift = curvature == 0 ? 0.0 : -slope / curvature;
  return time ? t[best] + shift * (t[best + 1] - t[best]) : y[best] + shift * slope / 2;
}

double RunQuantities::peak(const std::string& column) const {
  double largest = 0.0;
  for (std::size_t row = 0; row < record_.rows(); ++row) largest = std::max(largest, std::abs(value(row, column)));
  return largest;
}

double RunQuantities::tracking_error(const std::string& joint, std::size_t row) const {
  for (const Drive& drive : model_.drives) {
    if (drive.joint != joint || !drive.wants_motion()) continue;
    return record_.at(row, "q." + joint) - drive.follow.at(record_.at(row, "t")).value;
  }
  throw CaseError(fmt::format("joint '{}' follows no motion law", joint));
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
  if (const auto column = after(name, "max ")) return extreme(*column, 1.0, false);
  if (const auto column = after(name, "min ")) return extreme(*column, -1.0, false);
  if (const auto column = after(name, "peak ")) return peak(*column);
  if (const auto column = after(name, "time of max ")) return extreme(*column, 1.0, true);
  if (const auto column = after(name, "time of min ")) return extreme(*column, -1.0, true);
  throw CaseError(fmt::format("'{}' is not a quantity of a run", name));
}

}  // namespace lithe::reproduce

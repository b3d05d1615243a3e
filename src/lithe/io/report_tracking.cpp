#include "lithe/io/report_tracking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/io/report_numbers.hpp"
#include "lithe/mechanism/plan.hpp"

namespace lithe::detail {
namespace {

using Json = nlohmann::ordered_json;

constexpr double rounding = 1e-9;  ///< rad or m: forces from inverse dynamics leave no more than this

/// From such an event on, another motion is wanted.
bool is_changed(const Drive& drive, const std::vector<Event>& events) {
  return std::any_of(events.begin(), events.end(), [&](const Event& event) {
    return std::any_of(event.actions.begin(), event.actions.end(), [&](const EventAction& action) {
      const bool is_drive = action.kind == EventAction::Kind::drive || action.kind == EventAction::Kind::silence;
      return is_drive && action.joint == drive.joint && action.coordinate == drive.coordinate;
    });
  });
}

/// `largest` grows to the size of the errors.
Json error_series(const Drive& drive, const Plan& plan, const Results& results, const std::vector<std::size_t>& rows,
                  double& largest) {
  const Mechanism& mechanism = plan.mechanism();
  const int joint = mechanism.find_joint(drive.joint);
  if (joint < 0 || drive.prescribed || !drive.wants_motion()) return nullptr;
  int column = results.find("q." + drive.joint);
  if (column < 0) column = results.find(fmt::format("q.{}.{}", drive.joint, drive.coordinate));
  if (column < 0) return nullptr;
  const bool angle = facts_of(mechanism.joints[joint].type).is_angle(drive.coordinate);
  std::vector<float> errors;
  for (const std::size_t row : rows) {
    double error = results.at(row, column) - drive.follow.at(results.at(row, 0)).value;
    // As the drive has it: the angle of a cut joint is known up to whole turns.
    if (angle && plan.places()[joint].cut) error = std::remainder(error, 2.0 * std::numbers::pi);
    largest = std::max(largest, std::abs(error));
    errors.push_back(static_cast<float>(error));
  }
  return {{"name", "error." + results.columns[column].substr(2)},
          {"group", "tracking errors"},
          {"unit", angle ? "rad" : "m"},
          {"values", packed(errors)}};
}

/// Distance of a recorded frame from its path; what moves in a plane has no z.
Json distance_series(const PathDrive& drive, const Results& results, const std::vector<std::size_t>& rows,
                     double& largest) {
  const std::string frame = drive.link + "." + drive.frame;
  int columns[3];
  for (int k = 0; k < 3; ++k) {
    columns[k] = results.find(fmt::format("pos.{}.{}", frame, "xyz"[k]));
  }
  if (columns[0] < 0 || columns[1] < 0) return nullptr;
  std::vector<float> errors;
  for (const std::size_t row : rows) {
    const Vec3 wanted = drive.path.at(results.at(row, 0)).position;
    double square = 0.0;
    for (int k = 0; k < 3; ++k)
      if (columns[k] >= 0) square += std::pow(results.at(row, columns[k]) - wanted[k], 2);
    largest = std::max(largest, std::sqrt(square));
    errors.push_back(static_cast<float>(std::sqrt(square)));
  }
  return {{"name", "error." + frame}, {"group", "tracking errors"}, {"unit", "m"}, {"values", packed(errors)}};
}

}  // namespace

Json tracking_errors(const Results& results, const Model& model, const std::vector<std::size_t>& rows) {
  Json series = Json::array();
  if (model.drives.empty()) return series;
  double largest = 0.0;
  const Plan plan(model.mechanism, model.plan);
  for (const Drive& drive : model.drives)
    if (Json each = is_changed(drive, model.events) ? Json(nullptr) : error_series(drive, plan, results, rows, largest);
        !each.is_null())
      series.push_back(std::move(each));
  for (const PathDrive& path : model.paths)
    if (Json each = distance_series(path, results, rows, largest); !each.is_null()) series.push_back(std::move(each));
  return largest > rounding ? series : Json::array();
}

}  // namespace lithe::detail

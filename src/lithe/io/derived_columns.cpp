#include "lithe/io/derived_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/io/report_motion.hpp"
#include "lithe/mechanism/plan.hpp"

namespace lithe {
using namespace detail;  // NOLINT: poses of links as the report has them

namespace {

constexpr double rounding = 1e-9;       ///< rad or m: forces from inverse dynamics leave no more than this
constexpr int most_frames = 6;          ///< of the rigid twin that are compared, beside the middles of links
constexpr std::size_t most_places = 8;  ///< with these
constexpr double same_place = 0.02;     ///< of the length of a link: a middle as near to a frame says nothing new

using Rows = std::vector<std::size_t>;
using Wanted = std::function<bool(const std::string&)>;

/// From such an event on, another motion is wanted.
bool is_changed(const Drive& drive, const std::vector<Event>& events) {
  return std::any_of(events.begin(), events.end(), [&](const Event& event) {
    return std::any_of(event.actions.begin(), event.actions.end(), [&](const EventAction& action) {
      const bool is_drive = action.kind == EventAction::Kind::drive || action.kind == EventAction::Kind::silence;
      return is_drive && action.joint == drive.joint && action.coordinate == drive.coordinate;
    });
  });
}

/// Appends the error of a drive that follows a law, if it does.
void add_error(const Drive& drive, const Plan& plan, const Results& results, const Rows& rows,
               std::vector<DerivedColumn>& columns) {
  const Mechanism& mechanism = plan.mechanism();
  const int joint = mechanism.find_joint(drive.joint);
  if (joint < 0 || drive.prescribed || !drive.wants_motion()) return;
  int column = results.find("q." + drive.joint);
  if (column < 0) column = results.find(fmt::format("q.{}.{}", drive.joint, drive.coordinate));
  if (column < 0) return;
  const bool angle = facts_of(mechanism.joints[joint].type).is_angle(drive.coordinate);
  DerivedColumn errors{"error." + results.columns[column].substr(2), {}};
  for (const std::size_t row : rows) {
    const double error = results.at(row, column) - drive.follow.at(results.at(row, 0)).value;
    // As the drive has it: the angle of a cut joint is known up to whole turns.
    errors.values.push_back(angle && plan.places()[joint].cut ? std::remainder(error, 2.0 * std::numbers::pi) : error);
  }
  columns.push_back(std::move(errors));
}

/// Appends the distance of a recorded frame from its path; what moves in a plane has no z.
void add_distance(const PathDrive& drive, const Results& results, const Rows& rows,
                  std::vector<DerivedColumn>& columns) {
  const std::string frame = drive.link + "." + drive.frame;
  int sources[3];
  for (int k = 0; k < 3; ++k) sources[k] = results.find(fmt::format("pos.{}.{}", frame, "xyz"[k]));
  if (sources[0] < 0 || sources[1] < 0) return;
  DerivedColumn errors{"error." + frame, {}};
  for (const std::size_t row : rows) {
    const Vec3 wanted = drive.path.at(results.at(row, 0)).position;
    double square = 0.0;
    for (int k = 0; k < 3; ++k)
      if (sources[k] >= 0) square += std::pow(results.at(row, sources[k]) - wanted[k], 2);
    errors.values.push_back(std::sqrt(square));
  }
  columns.push_back(std::move(errors));
}

/// Force times speed of the joints that have a motor.
void add_powers(const Mechanism& mechanism, const Results& results, const Rows& rows, const Wanted& wanted,
                std::vector<DerivedColumn>& columns) {
  for (std::size_t force = 0; force < results.columns.size(); ++force) {
    const std::string& name = results.columns[force];
    if (!name.starts_with("tau.") || !wanted("power." + name.substr(4))) continue;
    const bool driven = std::any_of(mechanism.joints.begin(), mechanism.joints.end(), [&](const Joint& joint) {
      return joint.is_actuated() && (name == "tau." + joint.name || name.starts_with("tau." + joint.name + "."));
    });
    const int speed = results.find("v." + name.substr(4));
    if (!driven || speed < 0) continue;
    DerivedColumn power{"power." + name.substr(4), {}};
    for (const std::size_t row : rows)
      power.values.push_back(results.at(row, static_cast<int>(force)) * results.at(row, speed));
    columns.push_back(std::move(power));
  }
}

/// A point of a link that moves with its deformation.
struct Place {
  std::string name;
  int link;
  Vec3 position;
  Matrix3X shape;
};

/// Frames that the model records, else the tips of elastic links; then the middles of these.
std::vector<Place> places_of(const Model& model) {
  const std::vector<LinkData>& links = model.mechanism.links;
  std::vector<Place> places;
  const auto add = [&](int link, const Frame& frame) {
    if (static_cast<int>(places.size()) < most_frames)
      places.push_back(
          {fmt::format("deflection-at.{}.{}", links[link].name, frame.name), link, frame.pose.position, frame.shape});
  };
  bool any = false;
  for (const FrameRef& each : model.record.frames) {
    if (each.link == 0) continue;
    any = true;
    add(each.link, links[each.link].frames[each.frame]);
  }
  for (std::size_t l = 1; l < links.size() && !any; ++l)
    for (const Frame& frame : links[l].frames)
      if (links[l].elastic.count() > 0 && frame.name == "tip") add(static_cast<int>(l), frame);
  for (std::size_t l = 1; l < links.size() && places.size() < most_places; ++l) {
    const Outline& outline = links[l].outline;
    if (links[l].elastic.count() == 0 || outline.lines.size() < 2) continue;
    const Outline::Point& middle = outline.points[outline.lines[outline.lines.size() / 2].from];
    double extent = 0.0;
    for (const Outline::Point& point : outline.points)
      extent = std::max(extent, (point.position - outline.points[0].position).norm());
    const bool known = std::any_of(places.begin(), places.end(), [&](const Place& place) {
      return place.link == static_cast<int>(l) && (place.position - middle.position).norm() < same_place * extent;
    });
    if (!known)
      places.push_back(
          {fmt::format("deflection-at.{}.middle", links[l].name), static_cast<int>(l), middle.position, middle.shape});
  }
  return places;
}

/// Distances from the rigid twin; none when the coordinates were not recorded.
void add_deflections(const Model& model, const Results& results, const Rows& rows, const Wanted& wanted,
                     std::vector<DerivedColumn>& columns) {
  std::vector<Place> places = places_of(model);
  std::erase_if(places, [&](const Place& place) { return !wanted(place.name); });
  if (places.empty()) return;
  std::optional<RecordedMotion> motion;
  try {
    motion.emplace(model, results);
  } catch (const std::exception&) {
    return;
  }
  const Plan& plan = motion->plan();
  if (!plan.is_elastic()) return;
  const std::size_t first = columns.size();
  for (const Place& place : places) columns.push_back({place.name, {}});
  for (const std::size_t row : rows) {
    const LinkPoses now = motion->poses(row);
    const VectorX q = motion->coordinates();
    const LinkPoses rigid = motion->rigid_poses(row);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const Place& place = places[k];
      const ElasticPlace& elastic = plan.elastic_places()[place.link];
      Vec3 local = place.position;
      if (place.shape.cols() == elastic.count && elastic.count > 0)
        local += place.shape * q.segment(elastic.q, elastic.count);
      columns[first + k].values.push_back((now[place.link] * local - rigid[place.link] * place.position).norm());
    }
  }
}

}  // namespace

std::vector<DerivedColumn> tracking_errors(const Results& results, const Model& model, const Rows& rows) {
  std::vector<DerivedColumn> columns;
  if (model.drives.empty()) return columns;
  const Plan plan(model.mechanism, model.plan);
  for (const Drive& drive : model.drives)
    if (!is_changed(drive, model.events)) add_error(drive, plan, results, rows, columns);
  for (const PathDrive& path : model.paths) add_distance(path, results, rows, columns);
  const bool any = std::any_of(columns.begin(), columns.end(), [](const DerivedColumn& column) {
    return std::any_of(column.values.begin(), column.values.end(), [](double x) { return std::abs(x) > rounding; });
  });
  return any ? columns : std::vector<DerivedColumn>();
}

std::vector<DerivedColumn> derived_columns(const Model& drawn, const Model* laws, const Results& results,
                                           const Rows& rows, const Wanted& wanted) {
  std::vector<DerivedColumn> columns;
  add_deflections(drawn, results, rows, wanted, columns);
  if (laws != nullptr)
    for (DerivedColumn& error : tracking_errors(results, *laws, rows))
      if (wanted(error.name)) columns.push_back(std::move(error));
  add_powers(drawn.mechanism, results, rows, wanted, columns);
  return columns;
}

std::optional<Model> model_with_laws(const Model& stored, const Results& results) {
  if (stored.drives.empty() && results.flattened.find("loads:") == std::string::npos) return std::nullopt;
  try {
    return model_of(results);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace lithe

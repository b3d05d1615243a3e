#include "lithe/simulation/workspace_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <thread>

#include "lithe/kinematics/forget.hpp"
#include "lithe/simulation/free_memory.hpp"
#include "lithe/simulation/map_boundary.hpp"
#include "lithe/simulation/map_values.hpp"

namespace lithe {

double MapAxis::at(int k) const {
  // From both ends, so that a grid that is symmetric about zero is so exactly.
  return (from * (count - 1 - k) + to * k) / (count - 1);
}

std::string_view name_of(MapCurve::Kind kind) {
  switch (kind) {
    case MapCurve::Kind::reach:
      return "reach";
    case MapCurve::Kind::actuation:
      return "actuation";
    case MapCurve::Kind::task:
      return "task";
    case MapCurve::Kind::stop:
      break;
  }
  return "stop";
}

int WorkspaceMap::find(const std::string& column) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == column) return static_cast<int>(i);
  return -1;
}

bool WorkspaceMap::has_pose(std::size_t point) const {
  return points[point] != MapPoint::unknown && points[point] != MapPoint::unreachable;
}

std::vector<double> WorkspaceMap::place(std::size_t point) const {
  std::vector<double> place;
  for (const MapAxis& axis : axes) {
    place.push_back(axis.at(static_cast<int>(point % axis.count)));
    point /= axis.count;
  }
  return place;
}

namespace detail {
namespace {

constexpr std::size_t fewest_per_thread = 4;  ///< points of a front, for which a thread is worth its start
constexpr std::size_t most_starts = 2000;     ///< points of the grid that are tried from the start of the model
constexpr int crossing_halvings = 12;         ///< of a cell, to a place from which a line is found
constexpr double last_part = 1.0 / 256;       ///< of a cell: so near to the end of a branch the first way to it leads

/// What one thread has.
struct MapWorker {
  explicit MapWorker(const MapSetup& setup)
      : work(setup.rigid()), follower(setup.rigid(), work, setup.equations()), values(setup) {}
  Workspace work;
  PoseFollower follower;
  MapValues values;
  std::string why;
  VectorX q, from, to;
};

/// The flood: generation after generation, the undecided neighbours of the points that the last one reached are followed from
/// these. What a point is followed from does not depend on threads, nor do its numbers.
class MapFlood {
 public:
  MapFlood(const MapSetup& setup, const MapProgress& progress) : setup_(setup), progress_(progress) {
    map_.axes = setup.options().axes;
    for (std::size_t i = 0; i < map_.axes.size(); ++i)
      map_.axis_units.push_back(setup.equations().coordinates[i].unit());
    map_.frame = setup.frame_name();
    map_.held = setup.held();
    map_.columns = setup.columns();
    map_.coordinates = setup.rigid().nq();
    std::size_t size = 1;
    for (const MapAxis& axis : map_.axes) size *= static_cast<std::size_t>(axis.count);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const std::size_t numbers = map_.columns.size() + static_cast<std::size_t>(map_.coordinates) + 1;
    require_memory(static_cast<double>(size * numbers) * sizeof(double), "axes",
                   fmt::format("{} points with {} numbers each", size, numbers),
                   "take fewer points along an axis, or fewer quantities");
    map_.points.assign(size, MapPoint::unknown);
    map_.values.assign(size * map_.columns.size(), nan);
    map_.poses.assign(size * static_cast<std::size_t>(map_.coordinates), nan);
    queued_.assign(size, not_queued);
    if (progress.known != nullptr) take_over(*progress.known);
    for (int i = 0; i < setup.options().threads; ++i) workers_.push_back(std::make_unique<MapWorker>(setup));
  }

  WorkspaceMap run() {
    std::vector<std::size_t> front = start();
    while (!front.empty() && !is_stopped()) front = advance(front);
    if (!is_stopped()) {
      for (MapPoint& point : map_.points)
        if (point == MapPoint::unknown) point = MapPoint::unreachable;
      if (setup_.options().boundaries) trace();
      map_.finished = true;
    }
    if (failed_ > 0)
      map_.warnings.push_back(
          fmt::format("no rest was found at {} of the points that are reached; the first: {}", failed_, why_failed_));
    warn_of_rigidity();
    return std::move(map_);
  }

 private:
  /// Compliances of zero surprise where links are elastic.
  void warn_of_rigidity() {
    const bool tells = setup_.wants("compliance");
    const int column = map_.find(tells ? "compliance.least" : "stiffness.most");
    if (column < 0) return;
    std::size_t rigid = 0;
    for (std::size_t point = 0; point < map_.size(); ++point) {
      const double value = map_.at(point, column);
      rigid += tells ? value == 0.0 : std::isinf(value);
    }
    if (rigid == 0) return;
    std::string why;
    if (const std::vector<std::string> stiff = inextensible_links(setup_.twin().mechanism()); !stiff.empty())
      why = fmt::format(
          "; these links bend but do not stretch, because neither 'EA' nor a section is given (or stretching "
          "is switched off): {}",
          fmt::join(stiff, ", "));
    map_.warnings.push_back(fmt::format(
        "at {} of the points the frame does not give way in every direction: compliance 0, stiffness infinite{}", rigid,
        why));
  }

  struct Task {
    std::size_t point;
    std::vector<std::size_t> from;  ///< reached neighbours
  };
  static constexpr std::size_t not_queued = std::numeric_limits<std::size_t>::max();

  bool is_stopped() const { return progress_.stop != nullptr && progress_.stop->load(); }

  /// Points that an interrupted map has decided; unreachable ones follow from the others.
  void take_over(const WorkspaceMap& known) {
    if (known.points.size() != map_.points.size() || known.columns.size() != map_.columns.size() ||
        known.coordinates != map_.coordinates)
      return;
    known_ = &known;
  }

  VectorX pose(std::size_t point) const {
    return Eigen::Map<const VectorX>(map_.poses.data() + point * static_cast<std::size_t>(map_.coordinates),
                                     map_.coordinates);
  }

  VectorX targets(std::size_t point) const {
    VectorX wanted = setup_.targets();
    const std::vector<double> place = map_.place(point);
    for (std::size_t i = 0; i < place.size(); ++i) wanted[static_cast<Eigen::Index>(i)] = place[i];
    return wanted;
  }

  /// Follows the branch to a point and, if it gets there, finds the numbers.
  void decide(MapWorker& worker, std::size_t point, const VectorX& from_q, const VectorX& from) {
    if (known_ != nullptr && known_->has_pose(point)) {
      copy(point);
      return;
    }
    forget_poses(worker.work);
    worker.q = from_q;
    worker.to = targets(point);
    if (!worker.follower.follow(from, worker.to, worker.q)) return;
    std::copy_n(worker.q.data(), map_.coordinates,
                map_.poses.begin() + static_cast<std::ptrdiff_t>(point * static_cast<std::size_t>(map_.coordinates)));
    if (!passed_stops(setup_.rigid(), worker.work, worker.q).empty()) {
      map_.points[point] = MapPoint::stopped;
      return;
    }
    const bool rests = worker.values.evaluate(worker.q, map_.values.data() + point * map_.columns.size(), worker.why);
    map_.points[point] = rests ? MapPoint::reached : MapPoint::no_rest;
    if (rests) return;
    const std::lock_guard guard(failures_);
    if (failed_++ == 0 || point < first_failed_) {
      first_failed_ = point;
      why_failed_ = worker.why;
    }
  }

  void copy(std::size_t point) {
    const auto columns = map_.columns.size(), coordinates = static_cast<std::size_t>(map_.coordinates);
    map_.points[point] = known_->points[point];
    std::copy_n(known_->values.begin() + static_cast<std::ptrdiff_t>(point * columns), columns,
                map_.values.begin() + static_cast<std::ptrdiff_t>(point * columns));
    std::copy_n(known_->poses.begin() + static_cast<std::ptrdiff_t>(point * coordinates), coordinates,
                map_.poses.begin() + static_cast<std::ptrdiff_t>(point * coordinates));
  }

  /// The point next to the start of the model that can be reached from it.
  std::vector<std::size_t> start() {
    PoseRows rows(setup_.rigid(), setup_.equations().coordinates);
    rows.evaluate(workers_[0]->work, setup_.start());
    const VectorX from = rows.values();
    std::vector<std::size_t> order(map_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> far(map_.size());
    for (std::size_t point = 0; point < map_.size(); ++point) {
      const std::vector<double> place = map_.place(point);
      for (std::size_t i = 0; i < place.size(); ++i) {
        const MapAxis& axis = map_.axes[i];
        const double off = rows.error(static_cast<int>(i), place[i]) / (axis.to - axis.from);
        far[point] += off * off;
      }
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return far[a] < far[b]; });
    for (std::size_t k = 0; k < std::min(order.size(), most_starts) && !is_stopped(); ++k) {
      decide(*workers_[0], order[k], setup_.start(), from);
      if (is_open(order[k])) return {order[k]};
    }
    if (is_stopped()) return {};
    throw PhysicsError(
        "the branch of the initial pose reaches no point of the grid; choose axes around the initial pose, other held "
        "values, or another branch");
  }

  /// Its neighbours can be followed from it.
  bool is_open(std::size_t point) const {
    return map_.points[point] == MapPoint::reached || map_.points[point] == MapPoint::no_rest;
  }

  /// Calls f(neighbour, axis) of a point of the grid.
  template <class F>
  void for_neighbours(std::size_t point, F&& f) const {
    std::size_t stride = 1, rest = point;
    for (std::size_t i = 0; i < map_.axes.size(); ++i) {
      const auto count = static_cast<std::size_t>(map_.axes[i].count);
      const std::size_t k = rest % count;
      if (k > 0) f(point - stride, static_cast<int>(i));
      if (k + 1 < count) f(point + stride, static_cast<int>(i));
      stride *= count;
      rest /= count;
    }
  }

  /// The next front. A point is tried from all points of the front beside it, and again when another neighbour is reached.
  std::vector<std::size_t> advance(const std::vector<std::size_t>& front) {
    std::vector<Task> tasks;
    for (const std::size_t from : front)
      for_neighbours(from, [&](std::size_t point, int) {
        if (map_.points[point] != MapPoint::unknown) return;
        if (queued_[point] == not_queued) {
          queued_[point] = tasks.size();
          tasks.push_back({point, {}});
        }
        tasks[queued_[point]].from.push_back(from);
      });
    work_off(tasks);
    std::vector<std::size_t> reached;
    for (const Task& task : tasks) {
      queued_[task.point] = not_queued;
      if (is_open(task.point)) reached.push_back(task.point);
      decided_ += map_.points[task.point] != MapPoint::unknown ? 1 : 0;
    }
    if (progress_.report) progress_.report(map_, static_cast<double>(decided_) / static_cast<double>(map_.size()));
    return reached;
  }

  void work_off(const std::vector<Task>& tasks) {
    std::atomic<std::size_t> next{0};
    const auto part = [&](MapWorker& worker) {
      for (std::size_t k = next++; k < tasks.size() && !is_stopped(); k = next++)
        for (const std::size_t from : tasks[k].from)
          if (map_.points[tasks[k].point] == MapPoint::unknown)
            decide(worker, tasks[k].point, pose(from), targets(from));
    };
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < std::min(workers_.size(), tasks.size() / fewest_per_thread); ++t)
      others.emplace_back([&part, this, t] { part(*workers_[t]); });
    part(*workers_[0]);
  }

  void trace();
  void trace_singular(const PoseEquations& equations, MapCurve::Kind kind, LineTracer& tracer);
  bool find_last_before(std::size_t point, std::size_t beyond, int axis, int side, PoseFollower& other, VectorX& q);
  void trace_ends(LineTracer& tracer);
  int layer_of(std::size_t point) const {
    return static_cast<int>(point / static_cast<std::size_t>(map_.axes[0].count) /
                            static_cast<std::size_t>(map_.axes[1].count));
  }

  const MapSetup& setup_;
  const MapProgress& progress_;
  WorkspaceMap map_;
  const WorkspaceMap* known_ = nullptr;
  std::vector<std::unique_ptr<MapWorker>> workers_;
  std::vector<std::size_t> queued_;  ///< its place among the tasks of the present front
  std::size_t decided_ = 0;
  std::mutex failures_;
  std::size_t failed_ = 0, first_failed_ = 0;
  std::string why_failed_;
};

/// Where reached points stand beside others.
void MapFlood::trace_ends(LineTracer& tracer) {
  MapWorker& worker = *workers_[0];
  const Plan& plan = setup_.rigid();
  for (std::size_t point = 0; point < map_.size(); ++point) {
    if (!is_open(point)) continue;
    for_neighbours(point, [&](std::size_t beside, int axis) {
      if (axis > 1 || is_open(beside)) return;
      LineTracer::Seed seed{pose(point), axis, layer_of(point)};
      if (map_.points[beside] == MapPoint::stopped) {
        for (const PassedStop& each : passed_stops(plan, worker.work, pose(beside))) {
          StopFunction function(plan, worker.work, setup_.equations(), each.joint, each.stop);
          tracer.trace(seed, function, MapCurve::Kind::stop, each.joint.name.substr(2));
        }
        return;
      }
      worker.follower.follow(targets(point), targets(beside), seed.q);
      SingularFunction function(plan, worker.work, setup_.equations());
      tracer.trace(seed, function, MapCurve::Kind::reach, "");
    });
  }
}

/// On the way from a reached point to one beyond the end of the branch: leaves q at the last pose before the sides of `other` change.
/// False when they do not.
bool MapFlood::find_last_before(std::size_t point, std::size_t beyond, int axis, int side, PoseFollower& other,
                                VectorX& q) {
  PoseFollower& follower = workers_[0]->follower;
  const VectorX from = targets(point), way = targets(beyond) - from;
  const auto side_of = [&](const VectorX& at) { return other.side(at) * follower.side(at); };
  q = pose(point);
  if (!follower.follow(from, from + way, q)) {
    // Nearer to the end, beside which the line may lie: from the last pose by steps that are as much shorter once more.
    follower.system().evaluate(q, from);
    const double done = follower.system().rows().error(axis, from[axis]) / way[axis];
    follower.follow(from + done * way, from + std::min(1.0, done + last_part) * way, q);
  }
  if (side_of(q) == side) return false;
  q = pose(point);
  double low = 0.0, high = 1.0;
  for (int k = 0; k < crossing_halvings; ++k) {
    const double middle = 0.5 * (low + high);
    VectorX there = q;
    if (follower.follow(from + low * way, from + middle * way, there) && side_of(there) == side) {
      q = there;
      low = middle;
    } else {
      high = middle;
    }
  }
  return true;
}

/// Where the sides of other equations change between reached points, or between one of them and the end of the branch beside it.
void MapFlood::trace_singular(const PoseEquations& equations, MapCurve::Kind kind, LineTracer& tracer) {
  const Plan& plan = setup_.rigid();
  MapWorker& worker = *workers_[0];
  PoseFollower other(plan, worker.work, equations);
  std::vector<signed char> sides(map_.size(), 0);
  for (std::size_t point = 0; point < map_.size(); ++point)
    if (is_open(point))
      sides[point] = static_cast<signed char>(other.side(pose(point)) * worker.follower.side(pose(point)));
  for (std::size_t point = 0; point < map_.size(); ++point) {
    if (sides[point] == 0) continue;
    for_neighbours(point, [&](std::size_t beside, int axis) {
      if (axis > 1) return;
      LineTracer::Seed seed{pose(point), axis, layer_of(point)};
      if (sides[beside] == 0) {
        if (!find_last_before(point, beside, axis, sides[point], other, seed.q)) return;
      } else {
        if (beside < point || sides[beside] == sides[point]) return;
        if (!worker.follower.follow(targets(point), 0.5 * (targets(point) + targets(beside)), seed.q)) return;
      }
      SingularFunction function(plan, worker.work, equations);
      tracer.trace(seed, function, kind, "");
    });
  }
}

void MapFlood::trace() {
  LineTracer tracer(setup_, workers_[0]->work);
  trace_ends(tracer);
  const PoseEquations& equations = setup_.equations();
  const auto same = [&](const std::vector<PoseCoordinate>& others) {
    return std::is_permutation(others.begin(), others.end(), equations.coordinates.begin(),
                               equations.coordinates.end());
  };
  const auto fits = [&](const std::vector<PoseCoordinate>& others) {
    return others.size() == equations.coordinates.size() && !same(others);
  };
  if (fits(setup_.motors()))
    trace_singular(with_coordinates(equations, setup_.rigid(), setup_.motors()), MapCurve::Kind::actuation, tracer);
  if (fits(setup_.task()))
    trace_singular(with_coordinates(equations, setup_.rigid(), setup_.task()), MapCurve::Kind::task, tracer);
  map_.curves = tracer.take_curves();
}

}  // namespace
}  // namespace detail

WorkspaceMap make_map(const Model& model, const MapOptions& options, const MapProgress& progress) {
  const detail::MapSetup setup(model, options);
  return detail::MapFlood(setup, progress).run();
}

}  // namespace lithe

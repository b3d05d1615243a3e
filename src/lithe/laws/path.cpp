#include "lithe/laws/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "lithe/spatial/tolerances.hpp"

namespace lithe {
namespace {

constexpr int halvings = 200;            ///< more than a time has digits
constexpr int tangents_looked_at = 100;  ///< for one along `up`

/// Durations of the moves between the stops of a curve, which share what the dwells leave of the whole.
std::vector<double> durations_of(const std::vector<double>& stops, const PathTiming& timing) {
  if (!timing.duration) return {};
  const auto moves = static_cast<double>(stops.size() - 1);
  const double moving = *timing.duration - timing.dwell * (moves - 1.0);
  if (!(moving > 0.0))
    throw std::invalid_argument(fmt::format("{:.6g} s are too short: the rests at the corners alone take {:.6g} s",
                                            *timing.duration, timing.dwell * (moves - 1.0)));
  const bool limited = missing_limit(timing.profile, timing.limits).empty();
  std::vector<double> durations;
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    const double distance = stops[i + 1] - stops[i];
    durations.push_back(limited ? Progress(timing.profile, distance, timing.limits).duration() : distance);
    sum += durations.back();
  }
  if (limited && sum > moving * (1.0 + detail::tolerance::written))
    throw std::invalid_argument(fmt::format("{:.6g} s are too short for the limits; the path takes at least {:.6g} s",
                                            *timing.duration, sum + timing.dwell * (moves - 1.0)));
  for (double& each : durations) each *= moving / sum;
  return durations;
}

/// When a law that does not fall reaches s, between two times.
double time_at(const Law& law, double s, double early, double late) {
  for (int i = 0; i < halvings && late > std::nextafter(early, late); ++i) {
    const double middle = 0.5 * (early + late);
    (law.at(middle).value < s ? early : late) = middle;
  }
  return late;
}

}  // namespace

Path::Path(Curve curve, const PathTiming& timing) : curve_(std::move(curve)) {
  if (curve_.length() == 0.0) return;
  std::vector<double> stops{0.0};
  stops.insert(stops.end(), curve_.stops().begin(), curve_.stops().end());
  stops.push_back(curve_.length());
  progress_ =
      make_moves(stops, {timing.profile, timing.limits, durations_of(stops, timing), timing.start, timing.dwell});
  find_bends();
}

void Path::find_bends() {
  const std::vector<double> times = progress_.breakpoints();
  end_ = times.empty() ? 0.0 : times.back();
  bends_.clear();
  for (const double s : curve_.bends()) bends_.push_back({time_at(progress_, s, times.front(), times.back()), s});
}

Path::Path(Law x, Law y, Law z) : by_laws_(true), laws_{std::move(x), std::move(y), std::move(z)} {}

void Path::turn(OrientationLaw orientation) {
  if (const auto* tangent = std::get_if<TangentLaw>(&orientation)) {
    if (by_laws_ || curve_.length() == 0.0)
      throw std::invalid_argument("only a curve of some length has a tangent: lines, an arc, a circle or a spline");
    if (!curve_.stops().empty())
      throw std::invalid_argument("the tangent jumps at the corners; round them ('corner'), or take a spline");
    for (int i = 0; i <= tangents_looked_at; ++i) {
      const Vec3 along = curve_.at(curve_.length() * i / tangents_looked_at).tangent;
      if (along.cross(tangent->up).norm() < detail::tolerance::written)
        throw std::invalid_argument("the path runs along 'up', which leaves the turn about it open; give another 'up'");
    }
  }
  orientation_ = std::move(orientation);
}

void Path::change_timing(const std::function<Law(const Law&)>& change) {
  if (!curve_.stops().empty())
    throw std::invalid_argument("the path stops at its corners, where its direction jumps; round them ('corner')");
  if (orientation_) {
    if (const auto* waypoints = std::get_if<WaypointsLaw>(&*orientation_); waypoints != nullptr && waypoints->over_time)
      throw std::invalid_argument(
          "the waypoints of the orientation have times of their own; give them over the arc length, or as turns");
    if (auto* turns = std::get_if<TurnsLaw>(&*orientation_))
      for (TurnLaw& turn : turns->turns) turn.angle = change(turn.angle);
  }
  if (by_laws_)
    for (Law& law : laws_) law = change(law);
  if (progress_.empty()) return;
  progress_ = change(progress_);
  find_bends();
}

void Path::place(const Pose& base, bool mirrored) { placement_ = {base, mirrored}; }

void Path::put_into_place(PathPoint& point) const {
  const Mat3& turn = placement_->base.rotation;
  Turning& turning = point.turning;
  if (placement_->mirrored) {
    const Mat3 own = Vec3(1, -1, 1).asDiagonal();
    for (Vec3* polar : {&point.position, &point.velocity, &point.acceleration}) *polar = own * *polar;
    for (Vec3* axial : {&turning.velocity, &turning.acceleration}) *axial = -(own * *axial);
    turning.rotation = own * turning.rotation * own;
  }
  point.position = placement_->base.position + turn * point.position;
  for (Vec3* vector : {&point.velocity, &point.acceleration, &turning.velocity, &turning.acceleration})
    *vector = turn * *vector;
  turning.rotation = turn * turning.rotation;
}

Jet Path::travelled(double t) const {
  Jet s = progress_.at(t);
  for (const Bend& bend : bends_)
    s.value = t < bend.t ? std::min(s.value, std::nextafter(bend.s, 0.0)) : std::max(s.value, bend.s);
  return s;
}

PathPoint Path::at(double t) const {
  PathPoint point;
  CurvePoint place;
  Jet s;
  if (by_laws_) {
    for (int k = 0; k < 3; ++k) {
      const Jet x = laws_[k].at(t);
      point.position[k] = x.value;
      point.velocity[k] = x.rate;
      point.acceleration[k] = x.second;
    }
  } else {
    s = travelled(t);
    place = curve_.at(s.value);
    point.position = place.position;
    point.velocity = s.rate * place.tangent;
    point.acceleration = s.second * place.tangent + s.rate * s.rate * place.second;
  }
  if (orientation_) point.turning = turning_at(*orientation_, t, s, place);
  if (placement_) put_into_place(point);
  return point;
}

std::vector<double> Path::breakpoints() const {
  std::vector<double> times = progress_.breakpoints();
  for (const Bend& bend : bends_) times.push_back(bend.t);
  for (const Law& law : laws_) {
    const std::vector<double> own = law.breakpoints();
    times.insert(times.end(), own.begin(), own.end());
  }
  if (orientation_) note_breakpoints(*orientation_, times);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace lithe

#include "lithe/laws/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace lithe {
namespace {

constexpr double pi = std::numbers::pi;
/// A duration that is short by less than this part is the shortest one, written down.
constexpr double rounding = 1e-9;

/// Largest speed, acceleration and jerk of a profile over distance 1 in time 1.
struct Peaks {
  double speed, acceleration, jerk;
};
/// Quintic: s' = 30 tau^2 (1-tau)^2, s'' = 60 tau (1-tau) (1-2 tau), s''' at the ends.
const Peaks quintic_peaks{15.0 / 8.0, 10.0 / std::sqrt(3.0), 60.0};
const Peaks cycloid_peaks{2.0, 2.0 * pi, 4.0 * pi* pi};

double shortest(const Peaks& peaks, double distance, const MotionLimits& limits) {
  return std::max({peaks.speed * distance / limits.speed,
                   std::sqrt(peaks.acceleration * distance / limits.acceleration),
                   std::cbrt(peaks.jerk * distance / limits.jerk)});
}

bool is_limited(const MotionLimits& limits) {
  return std::isfinite(limits.speed) || std::isfinite(limits.acceleration) || std::isfinite(limits.jerk);
}

/// Limits that make the phases of a profile over distance 1 in time 1 equally long.
MotionLimits even_limits(MotionProfile profile, double distance) {
  MotionLimits limits;
  if (profile == MotionProfile::trapezoid) {
    limits.speed = 3.0 / 2.0 * distance;
    limits.acceleration = 9.0 / 2.0 * distance;
  } else {
    limits.speed = 7.0 / 4.0 * distance;
    limits.acceleration = 49.0 / 8.0 * distance;
    limits.jerk = 343.0 / 8.0 * distance;
  }
  return limits;
}

}  // namespace

std::string_view missing_limit(MotionProfile profile, const MotionLimits& limits) {
  switch (profile) {
    case MotionProfile::trapezoid:
      return std::isfinite(limits.acceleration) ? "" : "acceleration";
    case MotionProfile::jerk_limited:
      return std::isfinite(limits.jerk) ? "" : "jerk";
    case MotionProfile::quintic:
    case MotionProfile::cycloid:
      break;
  }
  return is_limited(limits) ? "" : "speed, acceleration or jerk";
}

Progress::Progress(MotionProfile profile, double distance, const MotionLimits& limits, std::optional<double> duration)
    : profile_(profile), distance_(distance) {
  for (const double limit : {limits.speed, limits.acceleration, limits.jerk})
    if (!(limit > 0.0)) throw std::invalid_argument("limits of a motion must be positive");
  if (duration && !(*duration > 0.0)) throw std::invalid_argument("the duration of a motion must be positive");
  const std::string_view missing = missing_limit(profile, limits);
  if (!duration && !missing.empty())
    throw std::invalid_argument(fmt::format("give a duration, or a limit of {}", missing));
  if (!(distance > 0.0)) {
    distance_ = 0.0;
    end_ = duration_ = duration.value_or(0.0);
    return;
  }
  const bool even = !missing.empty();  // only with a duration: equally long phases in a time of 1, stretched
  if (profile == MotionProfile::trapezoid) {
    shape_trapezoid(even ? even_limits(profile, distance) : limits);
  } else if (profile == MotionProfile::jerk_limited) {
    shape_jerk_limited(even ? even_limits(profile, distance) : limits);
  } else {
    duration_ = shortest(profile == MotionProfile::quintic ? quintic_peaks : cycloid_peaks, distance, limits);
  }
  end_ = duration_;
  if (!duration) return;
  double least = duration_;
  if (even && phase_count_ > 0) {
    const Peaks peaks{phases_[phase_count_ / 2].v, std::max(phases_[0].a, phases_[1].a), phases_[0].j};
    least = shortest(peaks, 1.0, limits);
  }
  if (*duration < least * (1.0 - rounding))
    throw std::invalid_argument(
        fmt::format("{:.6g} s are too short for the limits; the motion takes at least {:.6g} s", *duration, least));
  stretch_to(*duration);
}

void Progress::add_phase(double length, double a, double j) {
  Phase next;
  if (phase_count_ > 0) {
    const Phase& last = phases_[phase_count_ - 1];
    const double t = duration_ - last.begin;
    next.s = last.s + t * (last.v + t * (last.a / 2.0 + t * last.j / 6.0));
    next.v = last.v + t * (last.a + t * last.j / 2.0);
  }
  next.begin = duration_;
  next.a = a;
  next.j = j;
  phases_[phase_count_++] = next;
  duration_ += length;
}

void Progress::shape_trapezoid(const MotionLimits& limits) {
  // Without room for the full speed there is only a triangle.
  const double a = limits.acceleration;
  const double speed = std::min(limits.speed, std::sqrt(distance_ * a)), ramp = speed / a;
  add_phase(ramp, a, 0.0);
  add_phase(std::max(0.0, distance_ / speed - ramp), 0.0, 0.0);
  add_phase(ramp, -a, 0.0);
}

void Progress::shape_jerk_limited(const MotionLimits& limits) {
  const double a = limits.acceleration, j = limits.jerk;
  // Time from rest to a speed: jerk, constant acceleration where it comes to its limit, jerk back.
  const auto reaches = [&](double speed) { return speed * j >= a * a; };
  const auto rise = [&](double speed) { return reaches(speed) ? speed / a + a / j : 2.0 * std::sqrt(speed / j); };
  double speed = limits.speed;
  if (!(distance_ >= speed * rise(speed))) {
    // No room for the full speed: rise and fall alone cover the distance, speed * rise(speed) = D.
    speed = std::cbrt(0.25 * distance_ * distance_ * j);
    if (reaches(speed)) speed = 0.5 * a * (std::sqrt(a * a / (j * j) + 4.0 * distance_ / a) - a / j);
  }
  const double ramp = reaches(speed) ? a / j : std::sqrt(speed / j), peak = ramp * j;
  const double hold = std::max(0.0, rise(speed) - 2.0 * ramp);
  const double cruise = std::max(0.0, distance_ / speed - rise(speed));
  add_phase(ramp, 0.0, j);
  add_phase(hold, peak, 0.0);
  add_phase(ramp, peak, -j);
  add_phase(cruise, 0.0, 0.0);
  add_phase(ramp, 0.0, -j);
  add_phase(hold, -peak, 0.0);
  add_phase(ramp, -peak, j);
}

void Progress::stretch_to(double duration) {
  const double k = duration_ > 0.0 ? duration / duration_ : 1.0;
  for (Phase& phase : phases_) {
    phase.begin *= k;
    phase.v /= k;
    phase.a /= k * k;
    phase.j /= k * k * k;
  }
  end_ = duration_ = duration;
}

Progress Progress::from(double start) const {
  Progress later = *this;
  later.start_ = start;
  for (Phase& phase : later.phases_) phase.begin += start - start_;
  later.end_ = start + duration_;
  return later;
}

Jet Progress::at(double t) const {
  if (!(t >= start_) || distance_ == 0.0) return {};
  if (t >= end_) return {distance_, 0.0, 0.0};
  if (phase_count_ == 0) {
    const double T = duration_, tau = (t - start_) / T, D = distance_;
    if (profile_ == MotionProfile::cycloid)
      return {D * (tau - std::sin(2.0 * pi * tau) / (2.0 * pi)), D * (1.0 - std::cos(2.0 * pi * tau)) / T,
              D * 2.0 * pi * std::sin(2.0 * pi * tau) / (T * T)};
    const double rest = 1.0 - tau;
    return {D * tau * tau * tau * (10.0 + tau * (6.0 * tau - 15.0)), D * 30.0 * tau * tau * rest * rest / T,
            D * 60.0 * tau * rest * (rest - tau) / (T * T)};
  }
  int i = phase_count_ - 1;
  while (i > 0 && phases_[i].begin > t) --i;
  const auto in_phase = [](const Phase& phase, double dt) -> Jet {
    return {phase.s + dt * (phase.v + dt * (phase.a / 2.0 + dt * phase.j / 6.0)),
            phase.v + dt * (phase.a + dt * phase.j / 2.0), phase.a + dt * phase.j};
  };
  if (2 * i < phase_count_) return in_phase(phases_[i], t - phases_[i].begin);
  // The second half is the first one backwards, so that the end is met exactly.
  const Phase& mirrored = phases_[phase_count_ - 1 - i];
  const Jet back = in_phase(mirrored, end_ - t - (mirrored.begin - start_));
  return {distance_ - back.value, back.rate, -back.second};
}

void Progress::note_breakpoints(std::vector<double>& times) const {
  times.push_back(start_);
  for (int i = 1; i < phase_count_; ++i) times.push_back(phases_[i].begin);
  times.push_back(end_);
}

}  // namespace lithe

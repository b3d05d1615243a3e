#include "lithe/control/held_output.hpp"

#include <algorithm>
#include <cmath>

namespace lithe {

void HeldOutput::set(double t, double value) {
  const double ramp_now = ramp(t - set_at_), now = at(t);
  set_at_ = t;
  asked_ = std::clamp(value, limits_.low, limits_.high);
  start_ = now;
  rise_ = slope_ = 0.0;
  kink_ = std::numeric_limits<double>::infinity();
  if (std::isinf(limits_.rate)) {
    ramp_start_ = asked_;
    return;
  }
  ramp_start_ = ramp_now;
  slope_ = std::copysign(limits_.rate, asked_ - ramp_now);
  rise_ = std::abs(asked_ - ramp_now) / limits_.rate;
  if (rise_ > 0.0) kink_ = t + rise_;
}

double HeldOutput::ramp(double since) const { return since >= rise_ ? asked_ : ramp_start_ + slope_ * since; }

double HeldOutput::at(double t) const {
  const double since = std::max(0.0, t - set_at_);
  if (limits_.lag == 0.0) return ramp(since);
  // lag y' + y = ramp; on a ramp y runs behind it by lag times its slope.
  const double rising = std::min(since, rise_);
  const double behind = slope_ * limits_.lag;
  const double after_ramp =
      ramp_start_ + slope_ * rising - behind + (start_ - ramp_start_ + behind) * std::exp(-rising / limits_.lag);
  if (since <= rise_) return after_ramp;
  return asked_ + (after_ramp - asked_) * std::exp(-(since - rise_) / limits_.lag);
}

}  // namespace lithe

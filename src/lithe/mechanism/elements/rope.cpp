#include "lithe/mechanism/elements/rope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe {

bool Rope::has_winch() const {
  const auto& terms = data_.free_length.terms();
  return !std::all_of(terms.begin(), terms.end(),
                      [](const Law::Term& term) { return std::holds_alternative<ConstantLaw>(term); });
}

std::vector<std::string> Rope::columns() const {
  std::vector<std::string> names{"tension", "length", "free-length"};
  if (data_.friction > 0.0) names.emplace_back("end-tension");
  if (has_winch()) names.emplace_back("power");
  return names;
}

void Rope::check(const Mechanism&) const {
  const auto fail = [&](const char* message) {
    throw MechanismError(name(), fmt::format("rope '{}': {}", name(), message));
  };
  if (data_.through.size() < 2) fail("it needs two ends");
  if (!(data_.stiffness > 0.0) || !std::isfinite(data_.stiffness)) fail("the stiffness must be positive");
  if (!(data_.damping >= 0.0) || !std::isfinite(data_.damping)) fail("the damping must not be negative");
  if (!(data_.friction >= 0.0) || !std::isfinite(data_.friction)) fail("the friction must not be negative");
  if (!(data_.creep > 0.0) || !std::isfinite(data_.creep)) fail("the creep must be positive");
  if (data_.friction > 0.0 && data_.through.size() < 3) fail("friction acts at pulleys, and it runs over none");
  if (data_.free_length.empty()) fail("it has no free length");
  if (!has_winch() && !(data_.free_length.at(0.0).value > 0.0)) fail("the free length must be positive");
}

/// The straight stretches between the points of a rope, one after the other.
struct Rope::Falls {
  const ElementMotion& motion;
  double friction, creep;
  double length = 0.0, rate = 0.0;  ///< of all of them
  double thinning = 0.0;            ///< e'/(1 + e): how fast the rope becomes longer by itself, 1/s

  Vec3 span(std::size_t fall) const {
    return motion.frames[fall + 1].pose.position - motion.frames[fall].pose.position;
  }
  Vec3 direction(std::size_t fall) const {
    const Vec3 r = span(fall);
    const double size = r.norm();
    // A fall without length has no direction: it pulls nowhere.
    return size > 0.0 ? Vec3(r / size) : Vec3::Zero();
  }
  double lengthening(std::size_t fall) const {
    return direction(fall).dot(motion.frames[fall + 1].velocity - motion.frames[fall].velocity);
  }
  std::size_t count() const { return motion.frames.size() - 1; }

  /// Calls `use` for each fall with its number, its tension by that of the first, and with friction the speed of the
  /// rope over the pulley before it (towards the other end).
  template <class Use>
  void each(Use use) const {
    double behind = length, behind_rate = rate, share = 1.0, speed = 0.0;
    for (std::size_t fall = 0; fall < count(); ++fall) {
      if (fall > 0 && friction > 0.0) {
        behind -= span(fall - 1).norm();
        behind_rate -= lengthening(fall - 1);
        // What lies behind the pulley grows by what comes over it and by its strain.
        speed = behind_rate - behind * thinning;
        const Vec3 from = direction(fall - 1), to = direction(fall);
        const double turn = std::atan2(from.cross(to).norm(), from.dot(to));
        share *= std::exp(friction * turn * std::tanh(speed / creep));
      }
      use(fall, share, speed);
    }
  }
};

void Rope::act(const ElementMotion& motion, ElementAnswer& answer) const {
  Falls falls{motion, data_.friction, data_.creep};
  for (std::size_t fall = 0; fall < falls.count(); ++fall) {
    falls.length += falls.span(fall).norm();
    falls.rate += falls.lengthening(fall);
  }

  // A winch that has taken in the whole rope makes no sense: the tension is not a number then, and the run says so.
  const Jet free = data_.free_length.at(motion.t);
  const double L = free.value > 0.0 ? free.value : NAN;
  const double strain = falls.length / L - 1.0;
  const double stretching = falls.rate - (1.0 + strain) * free.rate;  // L times the rate of strain
  const double elastic = strain <= 0.0 ? 0.0 : data_.stiffness * strain;
  const double mean = strain <= 0.0 ? 0.0 : std::max(elastic + data_.damping * stretching / L, 0.0);
  const double viscous = mean - elastic;
  falls.thinning = stretching / (L * (1.0 + strain));

  double first = mean;
  if (data_.friction > 0.0 && mean > 0.0) {
    double shares = 0.0;  // tensions by the first one, over the length
    falls.each([&](std::size_t fall, double share, double) { shares += share * falls.span(fall).norm(); });
    first = mean * falls.length / shares;
  }
  double last = first, rubbed = 0.0;
  falls.each([&](std::size_t fall, double share, double speed) {
    const double tension = first * share;
    const Vec3 pull = tension * falls.direction(fall);
    answer.wrenches[fall].force += pull;
    answer.wrenches[fall + 1].force -= pull;
    rubbed += (tension - last) * speed;
    last = tension;
  });
  answer.stored = 0.5 * elastic * strain * L;
  answer.lost = viscous * stretching + rubbed;
  // Of the strained rope that leaves at (1 + e) L' the winch gets the work of the tension, less the strain within.
  answer.supplied = -(first * (1.0 + strain) - 0.5 * elastic * strain) * free.rate;

  std::size_t value = 0;
  answer.values[value++] = first;
  answer.values[value++] = falls.length;
  answer.values[value++] = free.value;
  if (data_.friction > 0.0) answer.values[value++] = last;
  if (value < answer.values.size()) answer.values[value] = answer.supplied;
  answer.switches[0] = falls.length - free.value;
}

}  // namespace lithe

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
  if (data_.free_length.empty()) fail("it has no free length");
  if (!has_winch() && !(data_.free_length.at(0.0).value > 0.0)) fail("the free length must be positive");
}

void Rope::act(const ElementMotion& motion, ElementAnswer& answer) const {
  const std::size_t falls = data_.through.size() - 1;
  const auto direction = [&](std::size_t fall) -> Vec3 {
    const Vec3 r = motion.frames[fall + 1].pose.position - motion.frames[fall].pose.position;
    const double length = r.norm();
    // A fall without length has no direction: it pulls nowhere.
    return length > 0.0 ? Vec3(r / length) : Vec3::Zero();
  };
  double length = 0.0, rate = 0.0;
  for (std::size_t fall = 0; fall < falls; ++fall) {
    length += (motion.frames[fall + 1].pose.position - motion.frames[fall].pose.position).norm();
    rate += direction(fall).dot(motion.frames[fall + 1].velocity - motion.frames[fall].velocity);
  }

  // A winch that has taken in the whole rope makes no sense: the tension is not a number then, and the run says so.
  const Jet free = data_.free_length.at(motion.t);
  const double L = free.value > 0.0 ? free.value : NAN;
  const double strain = length / L - 1.0;
  const double stretching = rate - (1.0 + strain) * free.rate;  // L times the rate of strain
  const double elastic = strain <= 0.0 ? 0.0 : data_.stiffness * strain;
  const double tension = strain <= 0.0 ? 0.0 : std::max(elastic + data_.damping * stretching / L, 0.0);
  const double viscous = tension - elastic;

  for (std::size_t fall = 0; fall < falls; ++fall) {
    const Vec3 pull = tension * direction(fall);
    answer.wrenches[fall].force += pull;
    answer.wrenches[fall + 1].force -= pull;
  }
  answer.stored = 0.5 * elastic * strain * L;
  answer.lost = viscous * stretching;
  // Of the strained rope that leaves at (1 + e) L' the winch gets the work of the tension, less the strain within.
  answer.supplied = -(elastic * (1.0 + 0.5 * strain) + viscous * (1.0 + strain)) * free.rate;

  answer.values[0] = tension;
  answer.values[1] = length;
  answer.values[2] = free.value;
  if (answer.values.size() > 3) answer.values[3] = answer.supplied;
  answer.switches[0] = length - free.value;
}

}  // namespace lithe

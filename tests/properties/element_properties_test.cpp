// Ropes, bushings, springs of any law and contacts on random mechanisms with loops and elastic links: their power is
// balanced, and all formulations know them.

#include "lithe/dynamics/elements.hpp"
#include "lithe/mechanism/elements/bushing.hpp"
#include "lithe/mechanism/elements/contact.hpp"
#include "lithe/mechanism/elements/rope.hpp"
#include "lithe/mechanism/elements/spring.hpp"
#include "properties/subject.hpp"
#include "support/exact_formulations.hpp"

namespace lithe::testing {
namespace {

/// One element of each kind between frames of any links.
RandomMechanism with_elements(const MechanismShape& shape) {
  RandomMechanism random = make_mechanism(shape);
  Mechanism& mechanism = random.mechanism;
  std::uint32_t next = 1000 * shape.seed;
  const auto any = [&](double from, double to) { return from + (to - from) * std::abs(random_vector(next++, 1)[0]); };
  const auto frame = [&](int link) -> FrameRef {
    return {link, static_cast<int>(any(0, 0.999) * static_cast<double>(mechanism.links[link].frames.size()))};
  };
  const int links = static_cast<int>(mechanism.links.size());
  const auto moving = [&] { return frame(1 + static_cast<int>(any(0, 0.999) * (links - 1))); };
  // On another link than `from`, the ground included.
  const auto other = [&](FrameRef from) {
    return frame((from.link + 1 + static_cast<int>(any(0, 0.999) * (links - 1))) % links);
  };

  const FrameRef end = moving(), pulley = other(end);
  mechanism.elements.push_back(std::make_shared<Rope>(
      "rope",
      RopeData{{end, pulley, moving()}, Law(PolynomialCoefficients{{any(0.2, 0.5), any(-0.3, 0.3)}}), 20.0, 2.0}));
  BushingData bushing{moving(), {}, {5, 6, 7, 1, 2, 3}, {0.5, 0.6, 0.7, 0.1, 0.2, 0.3}, {1, 0, -1, 0.2, 0, 0.1}};
  bushing.to = other(bushing.from);
  mechanism.elements.push_back(std::make_shared<Bushing>("bushing", bushing));
  const FrameRef a = moving();
  mechanism.elements.push_back(std::make_shared<Spring>(
      "spring",
      SpringData{a, other(a), 0.3, ForceCurve(Expression::of_variables("9*x + 4*x^3 + v^3", {}, {"x", "v"})), 0.5}));
  ContactData contact;
  contact.point = moving();
  contact.plane = other(contact.point);
  contact.radius = any(0.5, 2.0);
  contact.stiffness = 30.0;
  contact.damping = 0.2;
  contact.friction = 0.4;
  contact.creep = 1.0;
  mechanism.elements.push_back(std::make_shared<Contact>("contact", contact));
  return random;
}

VectorX accelerations_with(Subject& subject, Formulation formulation = Formulation::noc) {
  VectorX a(subject.plan.nv());
  RC_ASSERT(bool(forward_dynamics(subject.plan, subject.work, subject.state, subject.actions, a, {formulation})));
  return a;
}

LITHE_PROPERTY(PowerOfElementsIsBalanced, any_shape()) {
  Subject subject(with_elements(shape), shape.seed, Arithmetic::automatic, {});
  RC_PRE(subject.is_well_posed());
  const VectorX a = accelerations_with(subject);
  const auto moved = [&](double h) {
    State there = subject.state;
    there.t += h;
    move_coordinates(subject.plan, VectorX(h * subject.state.v + 0.5 * h * h * a), there.q);
    there.v += h * a;
    return there;
  };
  const double h = 1e-3 / std::max(1.0, std::sqrt(a.cwiseAbs().maxCoeff()));
  // Differences say nothing across a kink.
  const VectorX before = element_activity(subject.plan, subject.work, moved(-5 * h)).switches;
  const VectorX after = element_activity(subject.plan, subject.work, moved(5 * h)).switches;
  RC_PRE((before.array() * after.array() > 0.0).all());
  const auto total = [&](double step) {
    const Energy e = energy(subject.plan, subject.work, moved(step));
    return e.kinetic + e.potential;
  };
  const double supplied = supplied_power(subject.plan, subject.work, subject.state, subject.actions);
  const double dissipated = dissipated_power(subject.plan, subject.work, subject.state);
  RC_ASSERT(dissipated >= 0.0);
  constexpr double weights[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double rate = 0.0;
  for (int i = 0; i < 4; ++i) rate += weights[i] * (total((i + 1) * h) - total(-(i + 1) * h)) / h;
  // Energies are rounded to 1e-16 of their size, which the step of the difference enlarges.
  const Energy now = energy(subject.plan, subject.work, subject.state);
  const double scale = std::abs(supplied) + dissipated + now.kinetic + std::abs(now.potential) + 1.0;
  RC_ASSERT(std::abs(rate - (supplied - dissipated)) < 1e-8 * scale);
}

LITHE_PROPERTY(ExactFormulationsKnowElements, any_shape()) {
  Subject subject(with_elements(shape), shape.seed, Arithmetic::automatic, {});
  RC_PRE(subject.is_well_posed());
  const VectorX expected = accelerations_with(subject, Formulation::partitioning);
  for (const Formulation formulation : exact_formulations(subject.plan)) {
    RC_LOG() << name_of(formulation) << '\n';
    RC_ASSERT(relative_error(accelerations_with(subject, formulation), expected) < 1e-9);
  }
}

}  // namespace
}  // namespace lithe::testing

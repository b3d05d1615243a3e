// Ropes, bushings, springs of any law and contacts on random mechanisms with loops and elastic links: their power is
// balanced, and all formulations know them.

#include "lithe/dynamics/elements.hpp"
#include "lithe/mechanism/elastic_gear.hpp"
#include "lithe/mechanism/elements/bushing.hpp"
#include "lithe/mechanism/elements/contact.hpp"
#include "lithe/mechanism/elements/rope.hpp"
#include "lithe/mechanism/elements/spring.hpp"
#include "lithe/mechanism/voltage_motor.hpp"
#include "properties/subject.hpp"
#include "support/allocation_counter.hpp"
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

/// A motor on a voltage at every joint of one speed, an elastic gear with play from each to the next; friction that
/// creeps and soft stops.
void add_machines(Mechanism& mechanism) {
  int last = -1;
  for (int j = 0; j < static_cast<int>(mechanism.joints.size()); ++j) {
    Joint& joint = mechanism.joints[j];
    if (joint.facts().speeds != 1) continue;
    joint.friction = {{0.3, 0.4, 0.1, 0.0, 0.05}};
    JointStop stop;
    stop.upper = 0.0;
    stop.stiffness = 10.0;
    stop.damping = 1.0;
    joint.stops = {stop};
    Motor motor;
    motor.efficiency = 0.9;
    motor.windings = {1.0, 0.1, 0.0, 12.0, 5.0};
    mechanism.elements.push_back(
        std::make_shared<VoltageMotor>("motor-" + joint.name, CoordinateRef{j, 0}, motor, Law(ConstantLaw{3.0})));
    if (last >= 0)
      mechanism.elements.push_back(std::make_shared<ElasticGear>(
          "gear-" + joint.name, ElasticGear::Data{{j, 0}, {last, 0}, 20.0, 0.3, 1e-3, 0.8, 2.0}));
    last = j;
  }
}

LITHE_PROPERTY(ElementsDoNotAllocate, any_shape()) {
  if (!allocations_are_counted()) return;
  RandomMechanism random = with_elements(shape);
  add_machines(random.mechanism);
  Subject subject(std::move(random), shape.seed, Arithmetic::automatic, {});
  RC_PRE(subject.is_well_posed());
  VectorX a(subject.plan.nv());
  const auto evaluate = [&] {
    const bool good =
        static_cast<bool>(forward_dynamics(subject.plan, subject.work, subject.state, subject.actions, a));
    energy(subject.plan, subject.work, subject.state);
    supplied_power(subject.plan, subject.work, subject.state, subject.actions);
    dissipated_power(subject.plan, subject.work, subject.state);
    return good;
  };
  RC_ASSERT(evaluate());
  const long before = allocation_count();
  const bool good = evaluate();
  const long after = allocation_count();
  RC_ASSERT(good);
  RC_ASSERT(after == before);
}

}  // namespace
}  // namespace lithe::testing

#include "lithe/mechanism/joint_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lithe::detail {
namespace {

/// An element on one coordinate of a joint, called after it.
class JointElement : public Element {
 public:
  JointElement(std::string_view kind, std::string name, CoordinateRef at) : Element(kind, std::move(name)), at_(at) {}
  std::vector<CoordinateRef> coordinates() const override { return {at_}; }
  std::vector<std::string> columns() const override { return {"force"}; }

 private:
  CoordinateRef at_;
};

/// Force = stiffness (depth) + damping (its rate), never towards the end.
class SoftStop : public JointElement {
 public:
  SoftStop(std::string name, CoordinateRef at, const JointStop& stop)
      : JointElement("stop", std::move(name), at), stop_(stop) {}

  std::vector<Switch> switches() const override {
    std::vector<Switch> all;
    if (std::isfinite(stop_.lower)) all.push_back({"leaves its lower stop", "meets its lower stop"});
    if (std::isfinite(stop_.upper)) all.push_back({"leaves its upper stop", "meets its upper stop"});
    return all;
  }

  void act(const ElementMotion& motion, ElementAnswer& answer) const override {
    const double q = motion.q[0], v = motion.v[0];
    std::size_t next = 0;
    if (std::isfinite(stop_.lower)) {
      answer.switches[next++] = q - stop_.lower;
      push(stop_.lower - q, -v, 1.0, answer);
    }
    if (std::isfinite(stop_.upper)) {
      answer.switches[next++] = stop_.upper - q;
      push(q - stop_.upper, v, -1.0, answer);
    }
    answer.values[0] = answer.forces[0];
  }

 private:
  void push(double depth, double rate, double sign, ElementAnswer& answer) const {
    if (depth <= 0.0) return;
    const double spring = stop_.stiffness * depth, force = std::max(0.0, spring + stop_.damping * rate);
    answer.forces[0] += sign * force;
    answer.stored += 0.5 * spring * depth;
    answer.lost += (force - spring) * rate;
  }

  JointStop stop_;
};

/// Dry friction that never rests: it grows with the speed, smoothly, and is full from the creep speed on.
class CreepingFriction : public JointElement {
 public:
  CreepingFriction(std::string name, CoordinateRef at, const JointFriction& friction)
      : JointElement("friction", std::move(name), at), friction_(friction) {}

  void act(const ElementMotion& motion, ElementAnswer& answer) const override {
    const double v = motion.v[0], part = std::clamp(v / friction_.creep, -1.0, 1.0);
    double full = friction_.coulomb;
    if (friction_.stribeck > 0.0) {
      const double ratio = std::max(0.0, std::abs(v) - friction_.creep) / friction_.stribeck;
      full += (friction_.breakaway - friction_.coulomb) * std::exp(-ratio * ratio);
    }
    const double force = full * 0.5 * part * (3.0 - part * part);
    answer.forces[0] = answer.values[0] = -force;
    answer.lost = force * v;
  }

 private:
  JointFriction friction_;
};

}  // namespace

void add_joint_elements(Mechanism& mechanism) {
  std::erase_if(mechanism.elements, [](const std::shared_ptr<const Element>& element) {
    return dynamic_cast<const JointElement*>(element.get()) != nullptr;
  });
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    for (int k = 0; k < joint.facts().scalars(); ++k) {
      const std::string name = joint.facts().speeds == 1 ? joint.name : fmt::format("{}.{}", joint.name, k);
      const CoordinateRef at{static_cast<int>(j), k};
      if (!joint.stops.empty() && joint.stops[k].is_given() && joint.stops[k].stiffness > 0.0)
        mechanism.elements.push_back(std::make_shared<SoftStop>(name, at, joint.stops[k]));
      if (!joint.friction.empty() && joint.friction[k].acts() && joint.friction[k].creep > 0.0)
        mechanism.elements.push_back(std::make_shared<CreepingFriction>(name, at, joint.friction[k]));
    }
  }
}

}  // namespace lithe::detail

#pragma once
// A spring between two points with any force law. Those with a constant stiffness and both signs are PointSprings of the
// mechanism, which cost less.

#include "lithe/mechanism/element.hpp"
#include "lithe/mechanism/elements/force_curve.hpp"

namespace lithe {

struct SpringData {
  FrameRef a, b;
  double length = 0.0;   ///< from which the stretch counts, m
  ForceCurve force;      ///< that pulls the two points together
  double damping = 0.0;  ///< N s/m; of a one-sided spring where it acts, and never with the other sign
};

class Spring : public Element {
 public:
  Spring(std::string name, SpringData data) : Element("spring", std::move(name)), data_(std::move(data)) {}

  const SpringData& data() const { return data_; }

  std::vector<FrameRef> frames() const override { return {data_.a, data_.b}; }
  /// Length (m), force (N, positive: pulls) and energy (J), as of a PointSpring.
  std::vector<std::string> columns() const override { return {"length", "force", "energy"}; }
  /// Where it begins to act, and the kinks of its force.
  std::vector<Switch> switches() const override;
  void check(const Mechanism& mechanism) const override;
  void act(const ElementMotion& motion, ElementAnswer& answer) const override;

 private:
  SpringData data_;
};

}  // namespace lithe

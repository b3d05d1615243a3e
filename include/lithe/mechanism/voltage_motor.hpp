#pragma once
// A direct-current motor on a law of voltage, with its gear. voltage = resistance i + inductance i' + constant (speed),
// torque = constant i. With an inductance the current is a state of its own.
//
// The supply holds the voltage within its limits, and so near to constant (speed) that the current stays within its
// own: |voltage - constant (speed)| <= resistance (largest current).

#include "lithe/laws/law.hpp"
#include "lithe/mechanism/element.hpp"

namespace lithe {

class VoltageMotor : public Element {
 public:
  /// Called after its joint; `law` in V.
  VoltageMotor(std::string name, CoordinateRef coordinate, Motor motor, Law law)
      : Element("motor", std::move(name)), coordinate_(coordinate), motor_(std::move(motor)), law_(std::move(law)) {}

  const Motor& motor() const { return motor_; }
  std::vector<CoordinateRef> coordinates() const override { return {coordinate_}; }
  std::vector<std::string> states() const override;
  std::vector<std::string> columns() const override;
  std::vector<Switch> switches() const override;
  std::vector<double> breakpoints() const override { return law_.breakpoints(); }
  void check(const Mechanism& mechanism) const override;
  void act(const ElementMotion& motion, ElementAnswer& answer) const override;

 private:
  bool is_limited() const;
  double largest_current(double speed) const;

  CoordinateRef coordinate_;
  Motor motor_;
  Law law_;
};

/// What is recorded of a motor: torque, speed, power, loss; with windings current, voltage and electrical as well.
std::vector<std::string> motor_columns(const Motor& motor);

}  // namespace lithe

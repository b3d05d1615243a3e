#pragma once
// An elastic gear between the rotor of a motor and its joint, both counted on the joint side (the rotor's angle by the
// gear ratio). Its twist is rotor - joint. Within the backlash it carries nothing; beyond, a spring and a damper push
// and never pull. What the joint gets is less by the losses of the gear (see motor_law.hpp).

#include "lithe/mechanism/element.hpp"

namespace lithe {

class ElasticGear : public Element {
 public:
  struct Data {
    CoordinateRef joint, rotor;
    double stiffness = 0.0;  ///< N m/rad or N/m
    double damping = 0.0;    ///< N m s/rad or N s/m
    double backlash = 0.0;   ///< whole play, rad or m
    double efficiency = 1.0;
    double ratio = 1.0;  ///< radians of the rotor per radian (or metre) of the joint
  };

  ElasticGear(std::string name, const Data& data) : Element("gear", std::move(name)), data_(data) {}

  const Data& data() const { return data_; }
  std::vector<CoordinateRef> coordinates() const override { return {data_.joint, data_.rotor}; }
  std::vector<std::string> columns() const override { return {"twist", "force"}; }
  std::vector<Switch> switches() const override;
  void act(const ElementMotion& motion, ElementAnswer& answer) const override;

 private:
  Data data_;
};

}  // namespace lithe

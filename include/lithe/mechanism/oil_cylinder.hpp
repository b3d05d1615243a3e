#pragma once
// The oil in a cylinder: two chambers whose pressures are states of their own, on the coordinate of the slide.
//
// Mass flows are counted as volumes at pressure zero: w = flow exp(p/K). With the enthalpy h(p) = K (1 - exp(-p/K)) of
// such a volume and the energy V (K (exp(p/K) - 1) - p) of a chamber, energy balances exactly:
// p V' = w h(p) - rate of the energy.

#include "lithe/mechanism/cylinder.hpp"

namespace lithe {

class OilCylinder : public Element {
 public:
  OilCylinder(const Cylinder& cylinder, CoordinateRef slide);

  std::vector<CoordinateRef> coordinates() const override { return {slide_}; }
  std::vector<std::string> states() const override { return {"bore", "rod"}; }
  std::vector<double> start() const override { return {oil_.bore_start, oil_.rod_start}; }
  std::vector<std::string> columns() const override { return {"force", "bore", "rod", "flow"}; }
  std::vector<double> breakpoints() const override;
  void check(const Mechanism& mechanism) const override;
  void act(const ElementMotion& motion, ElementAnswer& answer) const override;

 private:
  OilData oil_;
  CoordinateRef slide_;
  double bore_area_, rod_area_, stroke_;
};

}  // namespace lithe

#pragma once
// Numbers of a model at a point of its motion in which its elastic links have settled, by name.
//
//   settled.LINK.eN                 N-th elastic coordinate: links bend as the motion and the loads make them bend without
//                                   vibration (quasi-statically)
//   settled.LINK.FRAME.x            how far a frame of the link then moves in the axes of the link (m)
//   settled.tau.JOINT               motor force of that state
//   pole.N.real pole.N.imag         N-th pole of the linear model at rest in that pose with what the drives feed back, by
//                                   rising magnitude; of a pair the one with positive imaginary part (rad/s)

#include <complex>
#include <string>
#include <vector>

#include "lithe/simulation/operating_point.hpp"

namespace lithe::reproduce {

class SettledQuantities {
 public:
  /// `model` must outlive this object.
  SettledQuantities(const Model& model, double t) : model_(model), t_(t) {}

  /// The words of a name between its dots; throws CaseError for a name that means nothing.
  double operator()(const std::vector<std::string>& words);

 private:
  double settled(const std::vector<std::string>& words);
  double pole(const std::vector<std::string>& words);

  const Model& model_;
  double t_;
  std::optional<OperatingPoint> moving_;
  std::optional<std::vector<std::complex<double>>> poles_;
};

}  // namespace lithe::reproduce

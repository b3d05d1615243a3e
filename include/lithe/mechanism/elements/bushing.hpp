#pragma once
// A bushing: an elastic mount between two frames.

#include <array>

#include "lithe/mechanism/element.hpp"

namespace lithe {

/// Three numbers for translations along the axes of the from-frame, then three for rotations about them.
struct BushingData {
  FrameRef from, to;
  std::array<double, 6> stiffness{};  ///< N/m, N m/rad
  std::array<double, 6> damping{};    ///< N s/m, N m s/rad
  std::array<double, 6> preload{};    ///< what pulls the to-frame back where both coincide: N, N m
};

/// Springs on the place x of the to-frame and on its rotation vector p, both in axes of the from-frame, which have the
/// energy (x.K x + p.K p)/2 + preload.(x, p) exactly: the moment is K p to first order only. Dampers on the rate of x and
/// on the relative angular velocity. For turns well below half a turn, where the rotation vector jumps.
class Bushing : public Element {
 public:
  Bushing(std::string name, const BushingData& data) : Element("bushing", std::move(name)), data_(data) {}

  const BushingData& data() const { return data_; }

  std::vector<FrameRef> frames() const override { return {data_.from, data_.to}; }
  /// Place (m) and rotation vector (rad) of the to-frame, force (N) and moment (N m) on it; from-frame axes.
  std::vector<std::string> columns() const override;
  void check(const Mechanism& mechanism) const override;
  void act(const ElementMotion& motion, ElementAnswer& answer) const override;

 private:
  BushingData data_;
};

}  // namespace lithe

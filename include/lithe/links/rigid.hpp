#pragma once
// Rigid links for mechanisms built in code.

#include "lithe/links/link_data.hpp"

namespace lithe {

/// A uniform slender rod between two points of its link axes (m), with the frames "root" and "tip" there. Mass in kg.
LinkData slender_rod(const std::string& name, const Vec3& from, const Vec3& to, double mass);

/// A rod along x from the link origin.
inline LinkData slender_rod(const std::string& name, double length, double mass) {
  return slender_rod(name, Vec3::Zero(), Vec3(length, 0, 0), mass);
}

}  // namespace lithe

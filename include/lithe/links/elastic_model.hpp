#pragma once
// A link before reduction: finite-element (or Ritz) coordinates u with mass and stiffness, and its displacement field.
// Every kind of elastic link makes one of these; reduction and the integrals of LinkData are then the same for all.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lithe/links/link_data.hpp"

namespace lithe {

/// A lump of mass with the motion that unit values of the reduced coordinates give it. Gauss points: sums over them are
/// the integrals over the link.
struct FieldPoint {
  double mass = 0.0;                      ///< kg
  Vec3 position = Vec3::Zero();           ///< undeformed, link axes (m)
  Matrix3X shape;                         ///< displacement per coordinate
  Matrix3X turn;                          ///< rotation per coordinate
  Mat3 rotary = Mat3::Zero();             ///< own second moment, link axes (kg m^2)
  std::array<MatrixX, 3> foreshortening;  ///< empty when not asked for
};

struct ElasticModel {
  MatrixX mass, stiffness;         ///< supports already removed; symmetric
  std::vector<std::string> names;  ///< of the coordinates

  /// Gauss points of the field in the coordinates eta, u = basis * eta.
  std::function<std::vector<FieldPoint>(const MatrixX& basis, bool stiffening)> points;
  /// In place of sums over the points, where only the mass matrix is known (imported links): fills mass, centre,
  /// inertia and the integrals without stiffening. The points then only serve names and pictures. May be empty.
  std::function<void(const MatrixX& basis, LinkData& link)> integrals;
  /// With `integrals`: linear (3 rows) and angular momentum about the origin per coordinate u.
  std::function<MatrixX()> momenta;
  /// Frames with their shapes in the same coordinates; "origin" first.
  std::function<std::vector<Frame>(const MatrixX& basis, bool stiffening)> frames;
  /// Stiffness from a unit tension at the far end (tip pulled along the axis), in the coordinates u; may be empty.
  std::function<MatrixX()> tension_stiffness;
  /// Puts the foreshortening of `link` (frames and integrals, coordinates eta, u = basis * eta) into the form that
  /// belongs to an axial force constant over each element, Fattah (5.18): what Stiffening::stress wants. May be empty.
  std::function<void(const MatrixX& basis, LinkData& link)> element_stress;
  /// Section forces along the link in the same coordinates; may be empty.
  std::function<std::vector<SectionForces>(const MatrixX& basis)> section_forces;
  /// Centre lines for drawing; may be empty.
  std::function<Outline(const MatrixX& basis)> outline;
  /// The axis along which loads can be spread, in the same coordinates; empty: the link has none.
  std::function<Axis(const MatrixX& basis)> axis;

  /// The same link with every way to deform that is known, where this model leaves some out (the stretching of a
  /// slender beam, as a rule), on the same reference; and what shapes of this model are in its coordinates. Statics
  /// uses it. Empty: this model has them all.
  std::shared_ptr<const ElasticModel> whole;
  std::function<MatrixX(const MatrixX& basis)> in_whole;
};

/// Mass, first and second moments, all shape integrals, section forces, outline and axis of `model` in the coordinates
/// u = basis * eta. Throws MechanismError naming the link when it has no foreshortening but `stiffening` is asked for.
/// `squares`: with ElasticData::foreshortening_squares, which only motion needs.
LinkData integrate_link(const std::string& name, const ElasticModel& model, const MatrixX& basis, bool stiffening,
                        bool squares = true);

}  // namespace lithe

#pragma once
// A link before reduction: finite-element (or Ritz) coordinates u with mass and stiffness, and its displacement field.
// Every kind of elastic link makes one of these; reduction and the integrals of LinkData are then the same for all.

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

/// The displacement field of a link in its coordinates u, and what is drawn and loaded of it. Every answer is given in
/// the coordinates eta of a basis, u = basis * eta. A kind of elastic link is one class that implements this.
class ElasticField {
 public:
  virtual ~ElasticField() = default;

  /// Gauss points of the field.
  virtual std::vector<FieldPoint> points(const MatrixX& basis, bool stiffening) const = 0;
  /// Frames with their shapes; "origin" first.
  virtual std::vector<Frame> frames(const MatrixX& basis, bool stiffening) const = 0;

  // Not every kind has the following; where it is not overridden, the answer says so.

  /// Where only the mass matrix is known (imported links), in place of sums over the points, which then only serve
  /// names and pictures: fills mass, centre, inertia and the integrals without stiffening. False: take the points.
  virtual bool integrate(const MatrixX& /*basis*/, LinkData& /*link*/) const { return false; }
  /// With integrate(): linear (3 rows) and angular momentum about the origin per coordinate u. Empty otherwise.
  virtual MatrixX momenta() const { return {}; }
  /// Stiffness from a unit tension at the far end (tip pulled along the axis), in the coordinates u; may be empty.
  virtual MatrixX tension_stiffness() const { return {}; }
  /// Puts the foreshortening of `link` (frames and integrals) into the form that belongs to an axial force constant
  /// over each element, Fattah (5.18): what Stiffening::stress wants. Other kinds leave it as it is.
  virtual void take_element_stress(const MatrixX& /*basis*/, LinkData& /*link*/) const {}
  virtual std::vector<SectionForces> section_forces(const MatrixX& /*basis*/) const { return {}; }
  virtual Outline outline(const MatrixX& /*basis*/) const { return {}; }
  /// The axis along which loads can be spread; of zero length when the link has none.
  virtual Axis axis(const MatrixX& /*basis*/) const { return {}; }
};

struct ElasticModel {
  MatrixX mass, stiffness;         ///< supports already removed; symmetric
  std::vector<std::string> names;  ///< of the coordinates
  std::shared_ptr<const ElasticField> field;

  /// The same link with every way to deform that is known, where this model leaves some out (the stretching of a
  /// slender beam, as a rule), on the same reference; and the coordinates of this model in those of the whole, column
  /// by column. Statics uses it. Empty: this model has them all.
  std::shared_ptr<const ElasticModel> whole;
  MatrixX in_whole;
};

/// Mass, first and second moments, all shape integrals, section forces, outline and axis of `model` in the coordinates
/// u = basis * eta. Throws MechanismError naming the link when it has no foreshortening but `stiffening` is asked for.
/// `squares`: with ElasticData::foreshortening_squares, which only motion needs.
LinkData integrate_link(const std::string& name, const ElasticModel& model, const MatrixX& basis, bool stiffening,
                        bool squares = true);

}  // namespace lithe

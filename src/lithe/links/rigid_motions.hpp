#pragma once
// Which rigid-body motions an elastic model can still make.

#include "lithe/links/elastic_model.hpp"

namespace lithe::detail {

/// Coordinates u of a basis of the motions without deformation that the coordinates of `model` allow (none when it is
/// held). Found from the displacement field, not from small eigenvalues: those of a fine mesh and of a free one look
/// alike. The mass matrix must be positive definite.
MatrixX rigid_motions(const ElasticModel& model);

/// A mass matrix that is not positive definite has no modes: throws MechanismError naming `link`.
void require_positive_mass(const std::string& link, const ElasticModel& model);

}  // namespace lithe::detail

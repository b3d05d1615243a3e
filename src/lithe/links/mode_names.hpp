#pragma once
// What makes modes reproducible and readable: their directions where frequencies coincide, their signs, their names.

#include "lithe/links/elastic_model.hpp"

namespace lithe::detail {

/// Shapes of equal frequency (both bending planes of a tube) may come out mixed in any way: turns them within their
/// space so that each moves mostly along one link axis. `squares` ascending; columns of `shapes` mass-normalised.
void separate_equal_frequencies(const ElasticModel& model, const VectorX& squares, MatrixX& shapes);

/// Makes the largest displacement of the tip positive (of the frame "tip", or of the last frame); where the tip stands
/// still, its largest rotation; where that is zero too, the largest coordinate.
void fix_signs(const ElasticModel& model, MatrixX& shapes);

/// "bending y 1", "stretching 1", "torsion 2": what a shape mostly does by kinetic energy. The long direction of the
/// link is the link axis nearest to the line from the origin to the tip.
std::vector<std::string> name_modes(const ElasticModel& model, const MatrixX& shapes);

}  // namespace lithe::detail

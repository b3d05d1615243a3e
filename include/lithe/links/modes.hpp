#pragma once
// From finite-element coordinates to few: natural modes of a link on its supports, and what they are called.

#include "lithe/links/elastic_model.hpp"

namespace lithe {

/// Which modes are kept. `list` (numbers from 1, by frequency) wins over `count`, and `count` over `below`.
struct ModeChoice {
  std::vector<int> list;
  int count = 0;
  double below = 0.0;  ///< Hz; 0: no limit
};

struct Reduction {
  MatrixX basis;                   ///< u = basis * eta
  VectorX frequencies;             ///< rad/s
  std::vector<std::string> names;  ///< "bending y 1", "bending z 1", "torsion 1", "stretching 1"
};

/// Mass-normalised natural modes, ascending. Rigid-body modes of a link without enough supports are left out. Modes of
/// equal frequency are turned towards the link axes, and the sign of a mode makes the largest displacement of the tip
/// positive (frame "tip", else the last frame), so the same link always gets the same modes. Up to 400 coordinates by
/// the dense solver, above by shift-invert Lanczos. Throws MechanismError naming `link` when more modes are asked for
/// than there are.
Reduction link_modes(const std::string& link, const ElasticModel& model, const ModeChoice& choice);

/// No reduction: the finite-element coordinates themselves.
Reduction all_coordinates(const ElasticModel& model);

/// The reduced link with frequencies and names.
LinkData reduced_link(const std::string& name, const ElasticModel& model, const Reduction& reduction, bool stiffening);

/// Smallest end compression (N) at which the supported link buckles; infinite when it has no tension stiffness.
double buckling_load(const ElasticModel& model);

}  // namespace lithe

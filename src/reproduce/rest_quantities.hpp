#pragma once
// Numbers of a model at rest in its initial pose with its motors locked, by name. Deflections are exact for the links, see static_twin().
//
//   pos.LINK.FRAME.x                   place of a frame
//   stiffness.LINK.FRAME.xy            force along x per displacement along y, the frame being free along the other axes (N/m)
//   stiffness-index.LINK.FRAME.xy      1 where the stiffness in the plane of these axes is the same in all directions, 0 where there is a
//                                      direction without any: inverse condition number, norm of Frobenius over its least value
//   dexterity.LINK.FRAME.xy            the same of the map from motor speeds to the velocity of the frame
//   frequency.N                        N-th natural frequency of the model itself (Hz)

#include <optional>

#include "lithe/simulation/rest.hpp"

namespace lithe::reproduce {

class RestQuantities {
 public:
  explicit RestQuantities(const Model& model) : model_(model), twin_(static_twin(model)), still_(twin_) {}

  /// Throws CaseError for a name that means nothing.
  double operator()(const std::string& name);

 private:
  const Model& model_;
  Model twin_;
  ModelAtRest still_;  ///< the twin
  std::optional<VectorX> frequencies_;
};

}  // namespace lithe::reproduce

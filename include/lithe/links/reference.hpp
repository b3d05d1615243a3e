#pragma once
// The body frame of an elastic link: which material motion the elastic coordinates leave out.

#include "lithe/links/elastic_model.hpp"

namespace lithe {

enum class Reference : unsigned char {
  supported,  ///< the supports of the model hold it already
  clamped,    ///< the frame `root` neither moves nor turns
  chord,      ///< `root` does not move, `tip` moves only along the line between them, no turning about that line
  free        ///< mean axes (Buckens): no linear or angular momentum in the elastic motion, to first order
};

const char* name_of(Reference reference);  ///< as written in model files

/// The model with the coordinates that `reference` leaves; rigid motions of a free model are taken out. Throws
/// MechanismError naming `link` when a frame is unknown or the link can still move as a rigid body.
ElasticModel with_reference(const std::string& link, const ElasticModel& model, Reference reference,
                            const std::string& root = "root", const std::string& tip = "tip");

}  // namespace lithe

#pragma once
// From the model of an elastic link and what was chosen for it to its LinkData.

#include <optional>

#include "lithe/errors.hpp"
#include "lithe/links/damping.hpp"
#include "lithe/links/link_origin.hpp"
#include "lithe/links/reduction.hpp"
#include "lithe/links/reference.hpp"
#include "lithe/links/static_twin.hpp"
#include "lithe/links/tip_rotation.hpp"

namespace lithe {

/// An elastic link before anything is chosen, and what is known of its kind.
struct ElasticSpec {
  std::string kind = "beam";         ///< for messages and reports, as in model files
  ElasticModel model;                ///< free of supports, unless `reference` is `supported`
  std::optional<LinkData> finished;  ///< in place of `model`: a link that is reduced already; no modes are chosen then
  Reference reference = Reference::clamped;  ///< unless chosen; `supported`: none can be chosen
  int default_modes = 2;                     ///< lowest modes that are kept where nothing was chosen
  bool is_flat = false;                      ///< all its shapes lie in one plane
  bool has_given_shapes = false;             ///< its author has given every shape: all of them are kept
  bool stiffens = true;                      ///< false: it has no foreshortening, so stiffening is off
  bool straight = false;                     ///< a straight beam along the line from "root" to "tip"
  int elements = 0;                          ///< finite elements or bars, for reports
};

/// Which shapes of a link are kept, and in which body frame.
struct ModesChoice {
  ReductionChoice choice;
  std::optional<Reference> reference;
  bool is_chosen = false;          ///< `choice` says it; otherwise the mechanism chooses or the lowest modes are kept
  bool automatic = false;          ///< the mechanism shall choose (choose_link_shapes())
  bool refuses_automatic = false;  ///< it shall not, even where nothing else is said
  double up_to = 0.0;              ///< Hz: automatic for the frequencies of the mechanism up to this one; 0: the first
  double within = 0.01;            ///< automatic: how exact these shall be
};

/// Everything that can be chosen for an elastic link; empty: the default.
struct LinkChoices {
  std::optional<ModesChoice> modes;
  std::optional<Damping> damping;
  std::optional<Stiffening> stiffening;  ///< consistent, where the link can
  std::optional<TipRotation> rotation;   ///< tangent
  std::optional<StaticChoice> statics;   ///< where the mechanism acts on the link; empty while that is not known
};

/// One of the choices makes no sense for the link.
class LinkChoiceError : public MechanismError {
 public:
  enum class Choice { link, modes, damping, stiffening, rotation };
  LinkChoiceError(const std::string& link, Choice choice, const std::string& message)
      : MechanismError(link, message), choice_(choice) {}
  Choice choice() const { return choice_; }

 private:
  Choice choice_;
};

/// The link with the chosen shapes, or its lowest modes; with integrals, stiffening, tip rotation, damping and static
/// shapes. `origin` (may be null) learns what reports say about it. Throws LinkChoiceError.
LinkData make_link(const std::string& name, const ElasticSpec& spec, const LinkChoices& choices,
                   LinkOrigin* origin = nullptr);

/// Whether the mechanism chooses the shapes: on demand, and where nothing was said about them. Until then
/// undecided_link() stands for the link.
bool leaves_shapes_open(const ElasticSpec& spec, const LinkChoices& choices);

/// The rigid twin of a link whose shapes wait for the mechanism: mass, frames, axis. Throws LinkChoiceError for choices
/// that make no sense with any shapes.
LinkData undecided_link(const std::string& name, const ElasticSpec& spec, const LinkChoices& choices);

/// Shapes of a link that are decided: the model on its reference, and what is kept of it.
struct DecidedShapes {
  const ElasticModel& held;
  const Reduction& reduction;
  Reference reference;
};

/// make_link() with these shapes.
LinkData make_link(const std::string& name, const ElasticSpec& spec, const LinkChoices& choices,
                   const DecidedShapes& shapes, LinkOrigin* origin = nullptr);

}  // namespace lithe

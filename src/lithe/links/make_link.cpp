#include "lithe/links/make_link.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lithe {

namespace {

using Choice = LinkChoiceError::Choice;

/// What goes wrong while `work` is done is the fault of this choice.
template <class Work>
auto blaming(const std::string& link, Choice choice, const Work& work) {
  try {
    return work();
  } catch (const LinkChoiceError&) {
    throw;
  } catch (const MechanismError& error) {
    std::string message = error.what();
    if (const std::string prefix = fmt::format("link '{}': ", link); message.starts_with(prefix))
      message.erase(0, prefix.size());
    throw LinkChoiceError(link, choice, message);
  }
}

/// `count: 0` and nothing beside it.
bool keeps_no_shape(const ModesChoice& modes) {
  const ReductionChoice& choice = modes.choice;
  return modes.is_chosen && !choice.all && choice.modes.count == 0 && choice.modes.below == 0.0 &&
         choice.modes.list.empty() && choice.interfaces.empty() && choice.loaded.empty();
}

Choice blamed_for_shapes(const LinkChoices& choices) { return choices.modes ? Choice::modes : Choice::link; }

/// Mistakes in what was chosen that no mechanism can mend.
void require_sense(const std::string& name, const ElasticSpec& spec, const LinkChoices& choices) {
  if (choices.modes && choices.modes->reference && spec.reference == Reference::supported)
    throw LinkChoiceError(name, Choice::modes,
                          fmt::format("a link given by '{}' has its supports already; drop 'root'", spec.kind));
  if (!spec.stiffens && choices.stiffening.value_or(Stiffening::off) != Stiffening::off)
    throw LinkChoiceError(name, Choice::stiffening,
                          fmt::format("the foreshortening of a link given by '{}' is not known; say 'off'", spec.kind));
  if (choices.rotation == TipRotation::chord && !spec.straight)
    throw LinkChoiceError(name, Choice::rotation,
                          "only the frames of a straight beam can turn with its chord; say 'tangent'");
}

/// Changes a link and its static twin alike.
template <class Change>
void change_with_twin(LinkData& link, const Change& change) {
  change(link);
  if (!link.statics) return;
  LinkData twin = *link.statics;
  change(twin);
  link.statics = std::make_shared<const LinkData>(std::move(twin));
}

/// Tip rotation and damping, which every link may have.
void complete(LinkData& data, const LinkChoices& choices) {
  if (choices.rotation == TipRotation::chord)
    blaming(data.name, Choice::rotation,
            [&] { change_with_twin(data, [](LinkData& each) { turn_with_chord(each); }); });
  if (choices.damping) blaming(data.name, Choice::damping, [&] { set_damping(data, *choices.damping); });
}

void tell_origin(const ElasticSpec& spec, int coordinates, Reference reference, LinkOrigin* origin) {
  if (origin == nullptr) return;
  origin->kind = spec.kind;
  origin->elements = spec.elements;
  origin->coordinates = coordinates;
  origin->reference = name_of(reference);
}

/// A link that came reduced from a file.
LinkData finished_link(const std::string& name, const ElasticSpec& spec, const LinkChoices& choices,
                       LinkOrigin* origin) {
  if (choices.modes)
    throw LinkChoiceError(name, Choice::modes,
                          fmt::format("a link given by '{}' is reduced already; drop 'modes'", spec.kind));
  LinkData data = *spec.finished;
  data.name = name;
  if (choices.stiffening) {
    if (*choices.stiffening != Stiffening::off && data.elastic.foreshortening[0].size() == 0)
      throw LinkChoiceError(name, Choice::stiffening, "the data of this link have no foreshortening; say 'off'");
    change_with_twin(data, [&](LinkData& each) { each.elastic.stiffening = *choices.stiffening; });
  }
  complete(data, choices);
  tell_origin(spec, data.elastic.count(), Reference::supported, origin);
  return data;
}

}  // namespace

LinkData make_link(const std::string& name, const ElasticSpec& spec, const LinkChoices& choices, LinkOrigin* origin) {
  if (spec.finished) return finished_link(name, spec, choices, origin);
  require_sense(name, spec, choices);
  const ModesChoice modes = choices.modes.value_or(ModesChoice{});
  const Reference reference = modes.reference.value_or(spec.reference);
  if (keeps_no_shape(modes)) {
    tell_origin(spec, static_cast<int>(spec.model.mass.rows()), reference, origin);
    return undecided_link(name, spec, {});
  }
  return blaming(name, blamed_for_shapes(choices), [&] {
    const ElasticModel held = with_reference(name, spec.model, reference);
    ReductionChoice choice = modes.choice;
    if (!modes.is_chosen && choice.interfaces.empty())
      choice.modes.count = std::min(spec.default_modes, static_cast<int>(held.mass.rows()));
    return make_link(name, spec, choices, {held, reduce(name, held, choice), reference}, origin);
  });
}

LinkData make_link(const std::string& name, const ElasticSpec& spec, const LinkChoices& choices,
                   const DecidedShapes& shapes, LinkOrigin* origin) {
  require_sense(name, spec, choices);
  const Stiffening stiffening = spec.stiffens ? choices.stiffening.value_or(Stiffening::consistent) : Stiffening::off;
  LinkData data = blaming(name, blamed_for_shapes(choices), [&] {
    LinkData link = reduced_link(name, shapes.held, shapes.reduction, stiffening != Stiffening::off);
    if (stiffening == Stiffening::stress) shapes.held.field->take_element_stress(shapes.reduction.basis, link);
    link.elastic.stiffening = stiffening;
    if (choices.statics || link.frames.size() <= most_static_frames)
      add_static_twin(link, shapes.held, shapes.reduction.basis, choices.statics.value_or(StaticChoice{}));
    return link;
  });
  complete(data, choices);
  tell_origin(spec, static_cast<int>(shapes.held.mass.rows()), shapes.reference, origin);
  return data;
}

bool leaves_shapes_open(const ElasticSpec& spec, const LinkChoices& choices) {
  if (spec.finished) return false;
  const ModesChoice modes = choices.modes.value_or(ModesChoice{});
  if (modes.automatic) return true;
  // Ratios per mode belong to modes that their author knows.
  return !spec.has_given_shapes && !modes.refuses_automatic && !modes.is_chosen && modes.choice.interfaces.empty() &&
         modes.choice.loaded.empty() && (!choices.damping || choices.damping->ratios.empty());
}

LinkData undecided_link(const std::string& name, const ElasticSpec& spec, const LinkChoices& choices) {
  require_sense(name, spec, choices);
  // What is wrong with frames that turn with the chord shows with any shapes.
  if (choices.rotation == TipRotation::chord) make_link(name, spec, choices);
  return blaming(name, Choice::link, [&] {
    return rigid_twin(integrate_link(name, spec.model, MatrixX(spec.model.mass.rows(), 0), false));
  });
}

}  // namespace lithe

// What all elastic links share: the way from a kind's ElasticModel to LinkData, frames and segments.

#include <fmt/format.h>

#include <algorithm>

#include "lithe/io/elastic_building.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/mechanism/mechanism.hpp"

namespace lithe::io {

const std::vector<ElasticKind>& elastic_kinds() {
  static const std::vector<ElasticKind> kinds{beam_kind(),  assumed_modes_kind(), bezier_kind(),
                                              truss_kind(), imported_kind(),      matrices_kind()};
  return kinds;
}

std::optional<double> Numbers::get(const std::string& key) {
  const auto item = object_.get(key);
  if (!item) return std::nullopt;
  const auto value = reader_.number(*item);
  good_ = good_ && value.has_value();
  return value;
}

bool Numbers::flag(const std::string& key, bool otherwise) {
  const auto item = object_.get(key);
  if (!item) return otherwise;
  const auto value = reader_.flag(*item);
  good_ = good_ && value.has_value();
  return value.value_or(otherwise);
}

namespace {

/// What is kept of a piece of a segmented link: frames that other pieces carry are not asked of it. Without `modes` the
/// shapes that its two ends impose, which is what joins the pieces.
void adapt_to_segment(const ElasticBody& piece, ModesText& modes, bool is_given) {
  if (!is_given) modes.choice.interfaces = {"tip"};
  for (std::vector<std::string>* names : {&modes.choice.interfaces, &modes.choice.loaded})
    std::erase_if(*names, [&](const std::string& name) {
      return name != "root" && name != "tip" &&
             std::find(piece.frames.begin(), piece.frames.end(), name) == piece.frames.end();
    });
}

/// Whether the mechanism chooses the shapes: on demand, and where nothing was said about them.
bool leaves_choice(const ElasticSayings& sayings) {
  const ModesText& modes = sayings.modes;
  if (modes.automatic) return true;
  // Ratios per mode belong to modes that their author knows.
  return !modes.refuses_automatic && !modes.is_chosen && modes.choice.interfaces.empty() &&
         modes.choice.loaded.empty() && sayings.damping.ratios.empty();
}

/// Mistakes in what was said that no mechanism can mend.
void require_sense(const std::string& key, const ElasticBody& body, const ElasticSayings& sayings) {
  if (sayings.modes.reference && body.reference == Reference::supported)
    throw BuildError{*sayings.modes_item,
                     fmt::format("a link given by '{}' has its supports already; drop 'root'", key)};
  if (!body.stiffens && sayings.stiffening_item && sayings.stiffening != Stiffening::off)
    throw BuildError{*sayings.stiffening_item,
                     fmt::format("the foreshortening of a link given by '{}' is not known; say 'off'", key)};
  if (sayings.rotation == TipRotation::chord && !body.straight)
    throw BuildError{*sayings.rotation_item,
                     "only the frames of a straight beam can turn with its chord; say 'tangent'"};
}

/// Tip rotation and damping, which every link may have.
void complete(LinkData& data, const ElasticSayings& sayings, Item& blamed) {
  if (sayings.rotation == TipRotation::chord) {
    blamed = *sayings.rotation_item;
    turn_with_chord(data);
    if (data.statics) {
      LinkData twin = *data.statics;
      turn_with_chord(twin);
      data.statics = std::make_shared<const LinkData>(std::move(twin));
    }
  }
  if (sayings.damping_item) {
    blamed = *sayings.damping_item;
    set_damping(data, sayings.damping);
  }
}

void set_stiffening(LinkData& link, Stiffening stiffening) {
  link.elastic.stiffening = stiffening;
  if (!link.statics) return;
  LinkData twin = *link.statics;
  twin.elastic.stiffening = stiffening;
  link.statics = std::make_shared<const LinkData>(std::move(twin));
}

}  // namespace

LinkData rigid_link(const std::string& name, const ElasticBody& body) {
  return rigid_twin(integrate_link(name, body.model, MatrixX(body.model.mass.rows(), 0), false));
}

LinkData finish_link(const std::string& name, const std::string& key, const ElasticBody& body,
                     const ElasticSayings& sayings, const DecidedShapes& shapes, LinkOrigin& origin, Item& blamed) {
  require_sense(key, body, sayings);
  const Stiffening stiffening = body.stiffens ? sayings.stiffening : Stiffening::off;
  origin.coordinates = static_cast<int>(shapes.held.mass.rows());
  origin.reference = name_of(shapes.reference);
  LinkData data = reduced_link(name, shapes.held, shapes.reduction, stiffening != Stiffening::off);
  if (stiffening == Stiffening::stress && shapes.held.element_stress)
    shapes.held.element_stress(shapes.reduction.basis, data);
  data.elastic.stiffening = stiffening;
  if (sayings.statics || data.frames.size() <= most_static_frames)
    add_static_twin(data, shapes.held, shapes.reduction.basis, sayings.statics.value_or(StaticChoice{}));
  complete(data, sayings, blamed);
  return data;
}

LinkData build_link(const std::string& name, const std::string& key, const ElasticBody& body,
                    const ElasticSayings& sayings, LinkOrigin& origin, Item& blamed) {
  if (body.finished) {
    if (sayings.modes_item)
      throw BuildError{*sayings.modes_item, fmt::format("a link given by '{}' is reduced already; drop 'modes'", key)};
    LinkData data = *body.finished;
    data.name = name;
    origin.coordinates = data.elastic.count();
    origin.reference = name_of(Reference::supported);
    if (sayings.stiffening_item) {
      if (sayings.stiffening != Stiffening::off && data.elastic.foreshortening[0].size() == 0)
        throw BuildError{*sayings.stiffening_item, "the data of this link have no foreshortening; say 'off'"};
      set_stiffening(data, sayings.stiffening);
    }
    complete(data, sayings, blamed);
    return data;
  }
  if (sayings.modes_item) blamed = *sayings.modes_item;
  require_sense(key, body, sayings);
  const Reference reference = sayings.modes.reference.value_or(body.reference);
  const ElasticModel held = with_reference(name, body.model, reference);
  ReductionChoice choice = sayings.modes.choice;
  if (!sayings.modes.is_chosen && choice.interfaces.empty())
    choice.modes.count = std::min(body.default_modes, static_cast<int>(held.mass.rows()));
  return finish_link(name, key, body, sayings, {held, reduce(name, held, choice), reference}, origin, blamed);
}

std::vector<NamedItem> ModelBuilder::elastic_frames(const Object& link, const ElasticKind& kind, bool& good) {
  std::vector<NamedItem> frames;
  const auto item = link.get("frames");
  const auto map = item ? reader_.map(*item) : std::vector<NamedItem>{};
  good = map.has_value();
  for (NamedItem named : map.value_or(std::vector<NamedItem>{})) {
    named.item.type = kind.frame_type;
    const bool is_own = std::find(kind.own_frames.begin(), kind.own_frames.end(), named.name) != kind.own_frames.end();
    if (named.name == "origin" || is_own) {
      reader_.complain_key(
          named.item, fmt::format("the frame '{}' is always there on a {}; choose another name", named.name, kind.key));
      good = false;
      continue;
    }
    check_name(named);
    frames.push_back(std::move(named));
  }
  return frames;
}

std::vector<ModelBuilder::ElasticLink> ModelBuilder::read_elastic_link(const std::string& name, const Object& link,
                                                                       const ElasticKind& kind) {
  bool good = true;
  ElasticSource source{reader_, materials_, name, *link.get(kind.key), elastic_frames(link, kind, good)};
  std::vector<std::string> frames = kind.own_frames;
  for (const NamedItem& frame : source.frames) frames.push_back(frame.name);

  // Read everything before anything is built, so that all mistakes are reported at once.
  ElasticSayings choices;
  choices.modes_item = link.get("modes");
  choices.damping_item = link.get("damping");
  choices.stiffening_item = link.get("stiffening");
  choices.rotation_item = link.get("tip-rotation");
  if (choices.modes_item) {
    const auto text = read_modes(*choices.modes_item, frames, reader_);
    good = good && text;
    choices.modes = text.value_or(ModesText{});
  }
  if (choices.damping_item) {
    const auto damping = read_damping(*choices.damping_item, reader_);
    good = good && damping;
    choices.damping = damping.value_or(Damping{});
  }
  if (choices.stiffening_item) {
    const auto stiffening = read_stiffening(*choices.stiffening_item, reader_);
    good = good && stiffening;
    choices.stiffening = stiffening.value_or(Stiffening::consistent);
  }
  if (choices.rotation_item) {
    const auto rotation = read_tip_rotation(*choices.rotation_item, reader_);
    good = good && rotation;
    choices.rotation = rotation.value_or(TipRotation::tangent);
  }

  // Mistakes found while building are complaints about the key that asked for it.
  Item blamed = source.body;
  std::vector<ElasticLink> links;
  try {
    source.is_chosen = !leaves_choice(choices);
    const std::optional<ElasticBody> body = kind.read(source);
    if (!body || !good) return {};
    const bool is_whole = body->segments.empty();
    if (!is_whole && choices.rotation == TipRotation::chord)
      throw BuildError{*choices.rotation_item,
                       "the pieces of a segmented beam are welded at their slopes; say 'tangent' or drop 'segments'"};
    if (choices.modes.automatic && !is_whole)
      throw BuildError{*choices.modes_item,
                       "a beam in segments keeps the shapes that its ends impose; give 'count', or leave 'modes' out"};
    const std::vector<ElasticBody> pieces = is_whole ? std::vector<ElasticBody>{*body} : body->segments;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      ElasticLink piece;
      piece.origin.kind = kind.key;
      piece.origin.elements = pieces[i].elements;
      if (!pieces[i].finished)
        elastic_.push_back({static_cast<int>(model_.mechanism.links.size() + links.size()), pieces[i]});
      const std::string piece_name = is_whole ? name : fmt::format("{}.{}", name, i + 1);
      if (is_whole && !body->finished && leaves_choice(choices) &&
          (choices.modes.automatic || !body->has_given_shapes)) {
        require_sense(kind.key, pieces[i], choices);
        // What is wrong with frames that turn with the chord shows with any shapes.
        if (choices.rotation == TipRotation::chord)
          build_link(piece_name, kind.key, pieces[i], choices, piece.origin, blamed);
        automatic_.push_back(
            {static_cast<int>(model_.mechanism.links.size()), kind.key, pieces[i], choices, source.body});
        piece.data = rigid_link(piece_name, pieces[i]);
      } else {
        ElasticSayings of_piece = choices;
        if (!is_whole) adapt_to_segment(pieces[i], of_piece.modes, choices.modes_item.has_value());
        if (!pieces[i].finished)
          reduced_.push_back(
              {static_cast<int>(model_.mechanism.links.size() + i), kind.key, pieces[i], of_piece, source.body});
        piece.data = build_link(piece_name, kind.key, pieces[i], of_piece, piece.origin, blamed);
      }
      links.push_back(std::move(piece));
    }
    return links;
  } catch (const BuildError& error) {
    reader_.complain_key(error.item, error.message);
  } catch (const MechanismError& error) {
    std::string message = error.what();
    if (const std::string prefix = fmt::format("link '{}': ", error.element()); message.starts_with(prefix))
      message.erase(0, prefix.size());
    reader_.complain_key(blamed, message);
  }
  return {};
}

}  // namespace lithe::io

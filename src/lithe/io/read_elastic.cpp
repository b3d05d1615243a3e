// What all elastic links share: their choices, frames and segments, and mistakes in them.

#include <fmt/format.h>

#include <algorithm>

#include "lithe/analysis/reference_choice.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/mechanism/mechanism.hpp"
#include "lithe/simulation/automatic_shapes.hpp"

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
void adapt_to_segment(const ReadElastic& piece, LinkChoices& choices) {
  if (!choices.modes) choices.modes.emplace().choice.interfaces = {"tip"};
  choices.modes->refuses_automatic = true;
  for (std::vector<std::string>* names : {&choices.modes->choice.interfaces, &choices.modes->choice.loaded})
    std::erase_if(*names, [&](const std::string& name) {
      return name != "root" && name != "tip" &&
             std::find(piece.frames.begin(), piece.frames.end(), name) == piece.frames.end();
    });
}

LinkData renamed(LinkData link, const std::string& name) {
  link.name = name;
  if (link.statics) link.statics = std::make_shared<const LinkData>(renamed(*link.statics, name));
  return link;
}

}  // namespace

void ModelBuilder::complain_choice(const ElasticItems& items, const LinkChoiceError& error) {
  using Choice = LinkChoiceError::Choice;
  const std::map<Choice, std::optional<Item>> blamed{{Choice::modes, items.modes},
                                                     {Choice::damping, items.damping},
                                                     {Choice::stiffening, items.stiffening},
                                                     {Choice::rotation, items.rotation}};
  const auto found = blamed.find(error.choice());
  reader_.complain_key(found == blamed.end() ? items.kind : found->second.value_or(items.kind), error.what());
}

void ModelBuilder::complete_statics() {
  for (LinkRecipe& recipe : recipes_) {
    if (waits_for_shapes(recipe.link)) continue;  // choose_link_shapes() looks for itself
    recipe.choices.statics = static_choice(model_.mechanism, recipe.link);
    if (recipe.choices.statics->frames.empty() && recipe.choices.statics->stretches.empty()) continue;
    // Made once more, now with what acts on it.
    LinkData& data = model_.mechanism.links[recipe.link];
    data = made_link(data.name, recipe.spec, recipe.choices, model_.origins[recipe.link]);
  }
}

std::optional<ReadElastic> ModelBuilder::read_body(const ElasticKind& kind, const ElasticSource& source,
                                                   const Node& link) {
  const std::string text = text_with_values(link, reader_) + materials_text_;
  texts_of_links_[source.link] = text;
  if (store_ == nullptr) return kind.read(source);
  if (const auto known = store_->find_body(text)) return *known;
  std::optional<ReadElastic> body = kind.read(source);
  if (body) store_->keep_body(text, *body);
  return body;
}

/// make_link(), or what it made before. The pieces of a segmented link are called LINK.1, LINK.2, ...
LinkData ModelBuilder::made_link(const std::string& name, const ElasticSpec& spec, const LinkChoices& choices,
                                 LinkOrigin& origin) {
  auto text = texts_of_links_.find(name);
  std::string piece;
  if (text == texts_of_links_.end()) {
    piece = name.substr(std::min(name.rfind('.'), name.size()));
    text = texts_of_links_.find(name.substr(0, name.size() - piece.size()));
  }
  if (text == texts_of_links_.end()) return make_link(name, spec, choices, &origin);
  if (store_ == nullptr) {
    // Another link of the model may have been made from the same text, and for the same that acts on it.
    const std::vector<LinkData>& links = model_.mechanism.links;
    const auto is_alike = [&](const LinkRecipe& recipe) {
      if (recipe.link >= std::ssize(links) || waits_for_shapes(recipe.link) ||
          recipe.choices.statics != choices.statics)
        return false;
      const std::string& other = links[recipe.link].name;
      if (other == name || !other.ends_with(piece)) return false;
      const auto found = texts_of_links_.find(other.substr(0, other.size() - piece.size()));
      return found != texts_of_links_.end() && found->second == text->second;
    };
    const auto alike = std::find_if(recipes_.begin(), recipes_.end(), is_alike);
    if (alike == recipes_.end()) return make_link(name, spec, choices, &origin);
    origin = model_.origins[alike->link];
    return renamed(links[alike->link], name);
  }
  if (const auto known = store_->find(text->second, name, choices.statics)) {
    origin = known->origin;
    return known->data;
  }
  LinkData data = make_link(name, spec, choices, &origin);
  store_->keep(text->second, name, choices.statics, {data, origin});
  return data;
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

void ModelBuilder::choose_shapes() {
  std::vector<LinkRecipe> open;
  std::copy_if(recipes_.begin(), recipes_.end(), std::back_inserter(open),
               [&](const LinkRecipe& recipe) { return waits_for_shapes(recipe.link); });
  if (!open.empty()) choose_link_shapes(model_, std::move(open));
}

std::optional<LinkChoices> ModelBuilder::read_link_choices(const ElasticItems& items,
                                                           const std::vector<std::string>& frames) {
  LinkChoices choices;
  bool good = true;
  const auto take = [&](auto& choice, auto answer) {
    good = good && answer;
    choice = std::move(answer);
  };
  if (items.modes) take(choices.modes, read_modes(*items.modes, frames, reader_));
  if (items.damping) take(choices.damping, read_damping(*items.damping, reader_));
  if (items.stiffening) take(choices.stiffening, read_stiffening(*items.stiffening, reader_));
  if (items.rotation) take(choices.rotation, read_tip_rotation(*items.rotation, reader_));
  if (!good) return std::nullopt;
  return choices;
}

std::vector<ModelBuilder::ElasticLink> ModelBuilder::read_elastic_link(const std::string& name, const Object& link,
                                                                       const ElasticKind& kind) {
  bool good = true;
  ElasticSource source{reader_, materials_, name, *link.get(kind.key), elastic_frames(link, kind, good)};
  std::vector<std::string> frames = kind.own_frames;
  for (const NamedItem& frame : source.frames) frames.push_back(frame.name);

  // Read everything before anything is built, so that all mistakes are reported at once.
  const ElasticItems items{source.body, link.get("modes"), link.get("damping"), link.get("stiffening"),
                           link.get("tip-rotation")};
  const std::optional<LinkChoices> choices = read_link_choices(items, frames);
  try {
    source.is_chosen = !leaves_shapes_open({}, choices.value_or(LinkChoices{}));
    std::optional<ReadElastic> read = read_body(kind, source, *link.item().node);
    if (!read || !good || !choices) return {};
    if (!read->stations.empty()) stations_[name] = read->stations;
    if (read->segments.empty()) return {elastic_piece(name, std::move(*read), kind, *choices, items)};
    if (choices->rotation == TipRotation::chord)
      throw LinkChoiceError(
          name, LinkChoiceError::Choice::rotation,
          "the pieces of a segmented beam are welded at their slopes; say 'tangent' or drop 'segments'");
    if (choices->modes && choices->modes->automatic)
      throw LinkChoiceError(
          name, LinkChoiceError::Choice::modes,
          "a beam in segments keeps the shapes that its ends impose; give 'count', or leave 'modes' out");
    std::vector<ElasticLink> pieces;
    for (ReadElastic& piece : read->segments) {
      LinkChoices adapted = *choices;
      adapt_to_segment(piece, adapted);
      stations_[fmt::format("{}.{}", name, pieces.size() + 1)] = piece.stations;
      pieces.push_back(elastic_piece(fmt::format("{}.{}", name, pieces.size() + 1), std::move(piece), kind, adapted,
                                     items, static_cast<int>(pieces.size())));
    }
    return pieces;
  } catch (const LinkChoiceError& error) {
    complain_choice(items, error);
  } catch (const MechanismError& error) {
    std::string message = error.what();
    if (const std::string prefix = fmt::format("link '{}': ", error.element()); message.starts_with(prefix))
      message.erase(0, prefix.size());
    reader_.complain_key(items.kind, message);
  }
  return {};
}

/// A link, or piece number `index` of one. The shapes may wait for the mechanism; what was read is kept.
ModelBuilder::ElasticLink ModelBuilder::elastic_piece(const std::string& name, ElasticSpec spec,
                                                      const ElasticKind& kind, const LinkChoices& choices,
                                                      const ElasticItems& items, int index) {
  ElasticLink piece;
  spec.kind = piece.origin.kind = kind.key;
  piece.origin.elements = spec.elements;
  const int link = static_cast<int>(model_.mechanism.links.size()) + index;
  const bool waits = leaves_shapes_open(spec, choices);
  if (waits) waiting_.push_back(link);
  piece.data = waits ? undecided_link(name, spec, choices) : made_link(name, spec, choices, piece.origin);
  elastic_items_.emplace(name, items);
  if (!spec.finished) recipes_.push_back({link, std::move(spec), choices});
  return piece;
}

}  // namespace lithe::io

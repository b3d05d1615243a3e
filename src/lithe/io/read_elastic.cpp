// What all elastic links share: modes, damping, stiffening, and the way from a kind's ElasticModel to LinkData.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lithe/io/elastic_kinds.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/links/damping.hpp"
#include "lithe/links/reduction.hpp"
#include "lithe/mechanism/mechanism.hpp"

namespace lithe::io {

const std::vector<ElasticKind>& elastic_kinds() {
  static const std::vector<ElasticKind> kinds{beam_kind(), assumed_modes_kind(), bezier_kind(), truss_kind()};
  return kinds;
}

std::vector<Section> elastic_sections() {
  return {
      {"modes",
       "the choice of modes",
       "What is kept of an elastic link. At most one of count, below, list and all.",
       {optional_key("count", "integer", "The lowest so many modes."),
        optional_key("below", "positive", "All modes below this frequency, Hz."),
        optional_key("list", "list of integer", "These modes, counted from 1 by frequency."),
        optional_key("all", "flag", "Every finite-element coordinate; no reduction."),
        optional_key("root", "word(clamped,chord,free)",
                     "What the elastic motion leaves out: motion of the root, motion of the line from root to tip, or "
                     "mean motion (no momentum)."),
        optional_key("interfaces", "list of name",
                     "Craig-Bampton: frames whose unit motions are kept beside the modes with these frames held."),
        optional_key("loaded", "list of name",
                     "Frames whose static deflections under load are kept beside the modes.")},
       {}},
      {"link-damping",
       "damping",
       "Damping of an elastic link; the parts add up.",
       {optional_key("ratio", "not-negative", "Of critical damping, every mode."),
        optional_key("ratios", "list of not-negative", "Of critical damping, one per mode."),
        optional_key("rayleigh", "rayleigh", "Proportional to mass and stiffness."),
        optional_key("kelvin-voigt", "not-negative", "Stress per strain rate over Young's modulus, s."),
        optional_key("loss-factor", "not-negative", "Of a complex modulus; equal at each natural frequency.")},
       {}},
      {"rayleigh",
       "rayleigh",
       "Damping matrix = mass times M + stiffness times K.",
       {optional_key("mass", "not-negative", "1/s."), optional_key("stiffness", "not-negative", "s.")},
       {}},
  };
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

/// `modes:` as written.
struct ModesText {
  ReductionChoice choice;
  std::optional<Reference> reference;
  bool is_chosen = false;  ///< count, below, list or all was given
};

const char* name_of(Reference reference) {
  switch (reference) {
    case Reference::supported:
      return "supported";
    case Reference::clamped:
      return "clamped";
    case Reference::chord:
      return "chord";
    case Reference::free:
      return "free";
  }
  return "";
}

/// Names of frames of this link; complains about unknown ones.
std::optional<std::vector<std::string>> frame_names(const Item& item, const std::vector<std::string>& known,
                                                    Reader& reader) {
  const auto list = reader.list(item);
  if (!list) return std::nullopt;
  std::vector<std::string> names;
  bool good = true;
  for (const Item& each : *list) {
    const auto name = reader.text(each);
    good = good && name;
    if (!name) continue;
    if (std::find(known.begin(), known.end(), *name) == known.end()) {
      reader.complain(each, fmt::format("the link has no frame '{}'{}", *name, hint(*name, known)));
      good = false;
    }
    names.push_back(*name);
  }
  if (!good) return std::nullopt;
  return names;
}

/// A whole number of modes, from 1.
std::optional<int> mode_number(const Item& item, Reader& reader) {
  const auto number = reader.integer(item);
  if (!number) return std::nullopt;
  if (*number >= 1 && *number <= 100000) return static_cast<int>(*number);
  reader.complain(item, fmt::format("expected a whole number from 1, but this is {}", *number));
  return std::nullopt;
}

std::optional<ModesText> read_modes(const Object& modes, const std::vector<std::string>& frames, Reader& reader) {
  ModesText text;
  bool good = !modes.incomplete;
  std::vector<std::string> given;
  for (const char* key : {"count", "below", "list", "all"})
    if (modes.has(key)) given.emplace_back(key);
  text.is_chosen = !given.empty();
  if (given.size() > 1) {
    reader.complain_key(*modes.get(given[1]), fmt::format("modes take only one of {}", listed(given, "and")));
    good = false;
  }
  if (const auto count = modes.get("count")) {
    const auto number = mode_number(*count, reader);
    good = good && number;
    text.choice.modes.count = number.value_or(0);
  }
  if (const auto below = modes.get("below")) {
    const auto number = reader.number(*below);
    good = good && number;
    text.choice.modes.below = number.value_or(0.0);
  }
  if (const auto list = modes.get("list")) {
    const auto numbers = reader.list(*list, 1);
    good = good && numbers;
    for (const Item& each : numbers.value_or(std::vector<Item>{})) {
      const auto number = mode_number(each, reader);
      good = good && number;
      std::vector<int>& chosen = text.choice.modes.list;
      if (number && std::find(chosen.begin(), chosen.end(), *number) != chosen.end()) {
        reader.complain(each, fmt::format("mode {} stands twice in the list", *number));
        good = false;
      }
      chosen.push_back(number.value_or(0));
    }
  }
  if (const auto all = modes.get("all")) {
    const auto flag = reader.flag(*all);
    good = good && flag;
    text.choice.all = flag.value_or(false);
    text.is_chosen = text.is_chosen && (given.size() > 1 || text.choice.all);
  }
  for (const auto& [key, names] :
       {std::pair{"interfaces", &text.choice.interfaces}, std::pair{"loaded", &text.choice.loaded}}) {
    const auto item = modes.get(key);
    if (!item) continue;
    if (text.choice.all) {
      reader.complain_key(*item, "all coordinates are kept already; drop this or 'all'");
      good = false;
    }
    const auto found = frame_names(*item, frames, reader);
    good = good && found;
    *names = found.value_or(std::vector<std::string>{});
  }
  if (const auto root = modes.get("root")) {
    const auto word = reader.word(*root);
    good = good && word;
    if (word)
      text.reference = *word == "chord" ? Reference::chord : *word == "free" ? Reference::free : Reference::clamped;
  }
  if (!good) return std::nullopt;
  return text;
}

std::optional<Damping> read_damping(const Item& item, Reader& reader) {
  const auto object = reader.object(item, "link-damping");
  if (!object) return std::nullopt;
  Numbers numbers(*object, reader);
  Damping damping;
  damping.ratio = numbers.get("ratio", 0.0);
  damping.stiffness_factor = numbers.get("kelvin-voigt", 0.0);
  damping.loss_factor = numbers.get("loss-factor", 0.0);
  bool good = numbers.good();
  if (const auto ratios = object->get("ratios")) {
    const auto values = reader.numbers(*ratios, 1, SIZE_MAX);
    good = good && values;
    damping.ratios = values.value_or(std::vector<double>{});
    if (object->has("ratio")) {
      reader.complain_key(*ratios, "give either ratio or ratios");
      good = false;
    }
  }
  if (const auto rayleigh = object->get("rayleigh")) {
    const auto factors = reader.object(*rayleigh, "rayleigh");
    if (!factors) return std::nullopt;
    Numbers of_rayleigh(*factors, reader);
    damping.mass_factor = of_rayleigh.get("mass", 0.0);
    damping.stiffness_factor += of_rayleigh.get("stiffness", 0.0);
    good = good && of_rayleigh.good();
  }
  if (!good) return std::nullopt;
  return damping;
}

std::optional<Stiffening> read_stiffening(const Item& item, Reader& reader) {
  const auto word = reader.word(item);
  if (!word) return std::nullopt;
  return *word == "off" ? Stiffening::off : *word == "stress" ? Stiffening::stress : Stiffening::consistent;
}

}  // namespace

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

std::optional<LinkData> ModelBuilder::read_elastic_link(const std::string& name, const Object& link,
                                                        const ElasticKind& kind, LinkOrigin& origin) {
  const Item body_item = *link.get(kind.key);
  bool good = true;
  const ElasticSource source{reader_, materials_, name, body_item, elastic_frames(link, kind, good)};
  std::vector<std::string> frames = kind.own_frames;
  for (const NamedItem& frame : source.frames) frames.push_back(frame.name);

  // Read everything before anything is built, so that all mistakes are reported at once.
  const auto modes_item = link.get("modes"), damping_item = link.get("damping"),
             stiffening_item = link.get("stiffening");
  ModesText modes;
  if (modes_item) {
    const auto object = reader_.object(*modes_item, "modes");
    const auto text = object ? read_modes(*object, frames, reader_) : std::nullopt;
    good = good && text;
    modes = text.value_or(ModesText{});
  }
  const auto damping = damping_item ? read_damping(*damping_item, reader_) : Damping{};
  const auto stiffening = stiffening_item ? read_stiffening(*stiffening_item, reader_) : Stiffening::consistent;
  good = good && damping && stiffening;

  // Errors found while building are complaints about the key that asked for it.
  const Item* blamed = &body_item;
  try {
    std::optional<ElasticBody> body = kind.read(source);
    if (!body || !good) return std::nullopt;
    origin.kind = kind.key;
    origin.elements = body->elements;
    LinkData data;
    if (body->finished) {
      if (modes_item) {
        reader_.complain_key(*modes_item,
                             fmt::format("a link given by '{}' is reduced already; drop 'modes'", kind.key));
        return std::nullopt;
      }
      data = std::move(*body->finished);
      data.name = name;
      origin.coordinates = data.elastic.count();
      origin.reference = name_of(Reference::supported);
    } else {
      if (modes_item) blamed = &*modes_item;
      Reference reference = modes.reference.value_or(body->reference);
      if (modes.reference && body->reference == Reference::supported) {
        reader_.complain_key(*modes_item,
                             fmt::format("a link given by '{}' has its supports already; drop 'root'", kind.key));
        return std::nullopt;
      }
      const ElasticModel held = with_reference(name, body->model, reference);
      const auto coordinates = static_cast<int>(held.mass.rows());
      if (!modes.is_chosen && modes.choice.interfaces.empty())
        modes.choice.modes.count = std::min(body->default_modes, coordinates);
      const Reduction reduction = reduce(name, held, modes.choice);
      data = reduced_link(name, held, reduction, *stiffening != Stiffening::off);
      origin.coordinates = coordinates;
      origin.reference = name_of(reference);
      origin.buckling_load = buckling_load(held);
    }
    if (stiffening_item && body->finished && *stiffening != Stiffening::off &&
        data.elastic.foreshortening[0].size() == 0) {
      reader_.complain_key(*stiffening_item, "the data of this link have no foreshortening; say 'off'");
      return std::nullopt;
    }
    if (stiffening_item || !body->finished) data.elastic.stiffening = *stiffening;
    if (damping_item) {
      blamed = &*damping_item;
      set_damping(data, *damping);
    }
    return data;
  } catch (const MechanismError& error) {
    std::string message = error.what();
    if (const std::string prefix = fmt::format("link '{}': ", name); message.starts_with(prefix))
      message.erase(0, prefix.size());
    reader_.complain_key(*blamed, message);
    return std::nullopt;
  }
}

}  // namespace lithe::io

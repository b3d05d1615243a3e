#include "lithe/io/elastic_choices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/io/elastic_kinds.hpp"

namespace lithe::io {

std::vector<MapRules> elastic_sections() {
  return {
      {"modes",
       "the choice of modes",
       "What is kept of an elastic link. At most one of count, below, list, all and auto.",
       {optional_key("count", "count", "The lowest so many modes; 0: the link is rigid."),
        optional_key("below", "positive", "All modes below this frequency, Hz."),
        optional_key("list", "list of count", "These modes, counted from 1 by frequency."),
        optional_key("all", "flag", "Every finite-element coordinate; no reduction."),
        optional_key("auto", "automatic | flag", "Chosen from the mechanism, which is the default."),
        optional_key("root", "word(clamped,chord,free)",
                     "What the elastic motion leaves out: motion of the root, motion of the line from root to tip, or "
                     "mean motion (no momentum)."),
        optional_key("interfaces", "list of name",
                     "Craig-Bampton: frames whose unit motions are kept beside the modes with these frames held."),
        optional_key("loaded", "list of name",
                     "Frames whose static deflections under load are kept beside the modes.")},
       {}},
      {"automatic",
       "an automatic choice",
       "As few shapes as settle frequencies, compliance and deflections of the assembled mechanism.",
       {optional_key("up-to", "positive",
                     "Frequencies of the mechanism up to this one, Hz; default the first, as many as there are such "
                     "links, at least three."),
        optional_key("within", "positive", "How exact they shall be; default 0.01.")},
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

namespace {

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

/// A whole number of modes, or the number of one, from `least`.
std::optional<int> mode_number(const Item& item, int least, Reader& reader) {
  const auto number = reader.integer(item);
  if (!number) return std::nullopt;
  if (*number >= least && *number <= 100000) return static_cast<int>(*number);
  reader.complain(item, fmt::format("expected a whole number from {}, but this is {}", least, *number));
  return std::nullopt;
}

/// `auto: true`, or a map.
bool read_automatic(const Item& item, ModesChoice& text, Reader& reader) {
  if (item.node->kind == Node::Kind::scalar) {
    const auto flag = reader.flag(item);
    text.automatic = flag.value_or(false);
    text.refuses_automatic = !text.automatic;
    return flag.has_value();
  }
  const auto object = reader.object(item, "automatic");
  if (!object) return false;
  Numbers numbers(*object, reader);
  text.automatic = true;
  text.up_to = numbers.get("up-to", 0.0);
  text.within = numbers.get("within", text.within);
  return numbers.good();
}

}  // namespace

std::optional<ModesChoice> read_modes(const Item& item, const std::vector<std::string>& frames, Reader& reader) {
  ModesChoice text;
  if (item.node->kind == Node::Kind::scalar) {
    text.automatic = reader.word(item).has_value();
    return text.automatic ? std::optional(text) : std::nullopt;
  }
  const std::optional<Object> object = reader.object(item, "modes");
  if (!object) return std::nullopt;
  const Object& modes = *object;
  bool good = !modes.incomplete;
  std::vector<std::string> given;
  for (const char* key : {"count", "below", "list", "all", "auto"})
    if (modes.has(key)) given.emplace_back(key);
  text.is_chosen = !given.empty() && !modes.has("auto");
  if (given.size() > 1) {
    reader.complain_key(*modes.get(given[1]), fmt::format("modes take only one of {}", listed(given, "and")));
    good = false;
  }
  if (const auto count = modes.get("count")) {
    const auto number = mode_number(*count, 0, reader);
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
      const auto number = mode_number(each, 1, reader);
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
  if (const auto automatic = modes.get("auto")) good = read_automatic(*automatic, text, reader) && good;
  for (const auto& [key, names] :
       {std::pair{"interfaces", &text.choice.interfaces}, std::pair{"loaded", &text.choice.loaded}}) {
    const auto shapes = modes.get(key);
    if (!shapes) continue;
    if (text.choice.all || text.automatic) {
      reader.complain_key(*shapes, text.automatic
                                       ? "an automatic choice finds its static shapes itself; drop this or 'auto'"
                                       : "all coordinates are kept already; drop this or 'all'");
      good = false;
    }
    const auto found = frame_names(*shapes, frames, reader);
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

std::optional<TipRotation> read_tip_rotation(const Item& item, Reader& reader) {
  const auto word = reader.word(item);
  if (!word) return std::nullopt;
  return *word == "chord" ? TipRotation::chord : TipRotation::tangent;
}

}  // namespace lithe::io

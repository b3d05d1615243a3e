// loads: at frames and along links.

#include <fmt/format.h>

#include <algorithm>

#include "lithe/io/model_builder.hpp"

namespace lithe::io {

namespace {

/// Does it read as a number or an expression of the parameters? Without known parameters any word may.
bool reads_as_number(const Item& item, const Reader& reader) {
  if (item.node->kind != Node::Kind::scalar || !reader.scope_of(*item.node).parameters_known) return true;
  try {
    Expression::parse(item.node->text, reader.scope_of(*item.node).parameters, false);
    return true;
  } catch (const ExpressionError&) {
    return !why_not_an_element_name(item.node->text).empty();
  }
}

/// What a link is called in the file whose pieces, `count` of them, begin with this one.
std::string whole_name(const LinkData& first, int count) {
  return count == 1 ? first.name : first.name.substr(0, first.name.rfind('.'));
}

}  // namespace

void ModelBuilder::read_loads(const Object& root) {
  const auto item = root.get("loads");
  const auto loads = item ? reader_.map(*item) : std::nullopt;
  if (!loads) return;
  for (const NamedItem& named : *loads) {
    check_name(named);
    loads_.emplace(named.name, named.item);
    const auto load = reader_.object(named.item, "load");
    if (!load) continue;
    if (load->has("along"))
      read_line_load(named, *load);
    else
      read_frame_load(named, *load);
  }
}

void ModelBuilder::read_components(const Object& load, const char* key, Law (&components)[3]) {
  const auto given = load.get(key);
  const auto list = given ? reader_.list(*given, 2, 3) : std::nullopt;
  if (!list) return;
  const Reader::NoAngles forces(reader_);
  for (std::size_t i = 0; i < list->size(); ++i)
    if (auto component = law((*list)[i])) components[i] = std::move(*component);
}

void ModelBuilder::read_frame_load(const NamedItem& named, const Object& load) {
  LoadPort port;
  LoadLaws laws;
  port.name = laws.load = named.name;
  const auto at = load.get("at");
  const auto place = at ? frame(*at) : std::nullopt;
  if (place) port.at = *place;
  if (place && place->link == 0) reader_.complain(*at, "a load on the ground has no effect; name another link");
  for (const char* key : {"from", "to", "end"})
    if (const auto item = load.get(key); item && at)
      reader_.complain_key(*item,
                           fmt::format("'{}' belongs to a load along a link; say 'along' in place of 'at'", key));
  if (const auto axes = load.get("axes")) {
    const auto word = reader_.word(*axes);
    port.in_frame_axes = word == "frame";
    if (word == "link" && at)
      reader_.complain(*axes, "a load at a frame has the axes 'ground' or 'frame'; those of a link go with 'along'");
  }
  read_components(load, "force", laws.force);
  read_components(load, "moment", laws.moment);
  if (!load.has("force") && !load.has("moment") && !load.incomplete)
    reader_.complain_key(named.item, "a load needs force or moment");
  model_.mechanism.loads.push_back(std::move(port));
  model_.loads.push_back(std::move(laws));
}

void ModelBuilder::read_line_load(const NamedItem& named, const Object& load) {
  LineLoad line;
  LineLoadLaws laws;
  line.name = laws.load = named.name;
  read_line(load, *load.get("along"), line);
  if (const auto axes = load.get("axes")) {
    const auto word = reader_.word(*axes);
    line.in_link_axes = word == "link";
    if (word == "frame")
      reader_.complain(*axes, "a load along a link has the axes 'ground' or 'link'; those of a frame go with 'at'");
  }
  if (const auto moment = load.get("moment"))
    reader_.complain_key(*moment, "a load along a link is a force per length; give a moment at a frame, with 'at'");
  read_components(load, "force", laws.force);
  read_components(load, "end", laws.end);
  laws.uniform = !load.has("end");
  if (!load.has("force") && !load.incomplete)
    reader_.complain_key(named.item, "a load along a link needs force, in N/m");
  model_.mechanism.line_loads.push_back(std::move(line));
  model_.line_loads.push_back(std::move(laws));
}

void ModelBuilder::read_line(const Object& load, const Item& along, LineLoad& line) {
  const auto name = reader_.text(along);
  if (!name) return;
  const auto segments = segmented_.find(*name);
  if (segments != segmented_.end())
    return read_line_on_axis(load, segments->second.first, segments->second.second, line);
  const int link = model_.mechanism.find_link(*name);
  if (link < 0) {
    if (!links_known_) return;
    const bool is_frame = name->find('/') != std::string::npos;
    reader_.complain(along,
                     is_frame ? fmt::format("expected a link, but '{}' is a frame; a load at a frame says 'at'", *name)
                              : fmt::format("unknown link '{}'{}", *name, hint(*name, link_names())));
    return;
  }
  if (link == 0) return reader_.complain(along, "a load on the ground has no effect; name another link");
  if (!frames_known_[link]) return;
  const LinkData& data = model_.mechanism.links[link];
  if (data.axis.length > 0) return read_line_on_axis(load, link, 1, line);
  if (data.elastic.count() == 0 && !waits_for_shapes(link)) return read_line_between_frames(load, link, line);
  reader_.complain(along, fmt::format("link '{}' is given by '{}' and has no axis along which a load could be spread; "
                                      "put loads at its frames, with 'at'",
                                      *name, model_.origins[link].kind));
}

/// The frame that `item` names on a link, or on `count` pieces that make one from the link `first` on. A name of a
/// frame comes before a parameter of the same name; what is neither a name nor a number is left to the number.
std::optional<FrameRef> ModelBuilder::frame_or_number(const Item& item, int first, int count, bool& is_number) {
  is_number = false;
  const LinkData& link = model_.mechanism.links[first];
  std::vector<std::string> known;
  for (int piece = first; piece < first + count; ++piece)
    for (const Frame& each : model_.mechanism.links[piece].frames)
      if (std::find(known.begin(), known.end(), each.name) == known.end()) known.push_back(each.name);
  const std::string& text = item.node->text;
  const std::string whole = whole_name(link, count);
  if (item.node->kind == Node::Kind::scalar && std::find(known.begin(), known.end(), text) != known.end())
    return count == 1 ? FrameRef{first, link.find_frame(text)} : *frame_on_segments(item, whole, text);
  is_number = reads_as_number(item, reader_);
  if (!is_number) reader_.complain(item, fmt::format("link '{}' has no frame '{}'{}", whole, text, hint(text, known)));
  return std::nullopt;
}

/// Distance along the axis of a link, or of `count` pieces that make one from the link `first` on.
std::optional<double> ModelBuilder::place_on_axis(const Item& item, int first, int count) {
  const auto axis = [&](int piece) -> const Axis& { return model_.mechanism.links[piece].axis; };
  const auto before = [&](int piece) {
    double length = 0.0;
    for (int each = first; each < piece; ++each) length += axis(each).length;
    return length;
  };
  bool is_number = false;
  if (const auto place = frame_or_number(item, first, count, is_number))
    return before(place->link) + axis(place->link).frames.at(place->frame);
  const auto distance = is_number ? reader_.number(item) : std::nullopt;
  const double length = before(first + count);
  if (!distance || *distance <= length * (1 + 1e-12)) return distance;
  reader_.complain(item, fmt::format("this is {} m along link '{}', but its axis is {:.6g} m long", *distance,
                                     whole_name(model_.mechanism.links[first], count), length));
  return std::nullopt;
}

void ModelBuilder::read_line_on_axis(const Object& load, int first, int count, LineLoad& line) {
  const auto from = load.get("from"), to = load.get("to");
  double length = 0.0;
  for (int piece = first; piece < first + count; ++piece) length += model_.mechanism.links[piece].axis.length;
  const auto start = from ? place_on_axis(*from, first, count) : 0.0;
  const auto end = to ? place_on_axis(*to, first, count) : length;
  if (!start || !end) return;
  if (!(*start < *end))
    return reader_.complain(to ? *to : *from, fmt::format("the load goes from {:.6g} m to {:.6g} m along the link; "
                                                          "'to' must lie further out than 'from'",
                                                          *start, *end));
  double before = 0.0;
  for (int piece = first; piece < first + count; ++piece) {
    const double here = model_.mechanism.links[piece].axis.length;
    const AxisStretch stretch{std::max(*start - before, 0.0), std::min(*end - before, here)};
    // A stretch that only touches a piece has the length of rounding.
    if (stretch.to - stretch.from > 1e-12 * length) line.parts.push_back({piece, stretch});
    before += here;
  }
}

void ModelBuilder::read_line_between_frames(const Object& load, int link, LineLoad& line) {
  const LinkData& data = model_.mechanism.links[link];
  StraightLine between;
  for (const auto& [key, point] : {std::pair{"from", &between.from}, std::pair{"to", &between.to}}) {
    const auto item = load.get(key);
    if (!item) {
      if (!load.incomplete)
        reader_.complain_key(*load.get("along"),
                             fmt::format("link '{}' is rigid and has no axis; say between which of its "
                                         "frames the load lies, with 'from' and 'to'",
                                         data.name));
      return;
    }
    bool is_number = false;
    const auto place = frame_or_number(*item, link, 1, is_number);
    if (is_number)
      reader_.complain(
          *item, fmt::format("link '{}' is rigid and has no axis to measure along; name one of its frames", data.name));
    if (!place) return;
    *point = data.frames[place->frame].pose.position;
  }
  if (between.from == between.to)
    return reader_.complain(*load.get("to"), "the load has no length: 'from' and 'to' stand at the same place");
  line.parts.push_back({link, between});
}

}  // namespace lithe::io

#include "lithe/io/read_study_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lithe::io {
namespace {

constexpr const char* bounds[] = {"above", "below"};

void remember(const std::string& name, const Item& item, StudyFile& file) {
  file.places[name] = {*item.key_place.file, item.key_place.line, item.key_place.column, item.path, {}};
}

void read_axes(Reader& reader, const Item& over, StudyFile& file, MapOptions& options) {
  for (const NamedItem& named : reader.map(over).value_or(std::vector<NamedItem>{})) {
    remember(named.name, named.item, file);
    const auto object = reader.object(named.item, "study-map-axis");
    if (!object || object->incomplete) continue;
    MapAxis axis{named.name, reader.number(*object->get("from")).value_or(0.0),
                 reader.number(*object->get("to")).value_or(1.0), 2};
    if (const auto count = reader.integer(*object->get("count"))) {
      if (*count < 2 || *count > 10000)
        reader.complain(*object->get("count"), fmt::format("expected 2 to 10000 points, but this is {}", *count));
      axis.count = static_cast<int>(*count);
    }
    if (!(axis.from < axis.to))
      reader.complain_key(named.item, fmt::format("goes from {} to {}; the second must be larger", axis.from, axis.to));
    options.axes.push_back(std::move(axis));
  }
  if (options.axes.size() < 2 || options.axes.size() > 3)
    reader.complain_key(over, fmt::format("a map has two or three coordinates; here are {}", options.axes.size()));
}

/// Columns of a map start with these.
std::vector<std::string> column_starts() {
  std::vector<std::string> known{map_reached, "dexterity", "elastic-dexterity"};
  for (const MapQuantity& each : map_quantities()) known.push_back(each.name);
  return known;
}

}  // namespace

void read_study_map(Reader& reader, const Item& item, StudyFile& file) {
  remember(study_map_place, item, file);
  const auto object = reader.object(item, "study-map");
  if (!object) return;
  MapOptions options;
  if (const auto over = object->get("over")) read_axes(reader, *over, file, options);
  if (const auto hold = object->get("hold"))
    for (const NamedItem& named : reader.map(*hold).value_or(std::vector<NamedItem>{})) {
      remember(named.name, named.item, file);
      if (const auto value = reader.number(named.item)) options.held[named.name] = *value;
    }
  if (const auto frame = object->get("frame")) options.frame = reader.text(*frame).value_or("");
  const auto whole = [&](const char* key, int& value) {
    const auto given = object->get(key);
    const auto count = given ? reader.integer(*given) : std::nullopt;
    if (!count) return;
    if (*count < 1 || *count > 1000)
      return reader.complain(*given, fmt::format("expected 1 to 1000, but this is {}", *count));
    value = static_cast<int>(*count);
  };
  whole("modes", options.modes);
  whole("branch", options.branch);
  if (const auto payload = object->get("payload")) options.payload = reader.number(*payload).value_or(0.0);
  if (const auto acceleration = object->get("acceleration"))
    options.acceleration = reader.number(*acceleration).value_or(options.acceleration);
  file.study.map = std::move(options);
}

void read_map_output(Reader& reader, const Object& object, Output& output) {
  const bool is_map = output.kind == OutputKind::map, is_column = is_map && output.of != map_reached;
  const auto take = object.get("take");
  if (take && !is_column)
    reader.complain_key(*take, is_map ? "'reached' is a number already: the part of the grid's points that are reached"
                                      : "belongs to a column of a map");
  if (take && is_column) output.what = reader.word(*take).value_or("");
  if (is_column && !take && !object.incomplete)
    reader.complain_key(object.item(),
                        "a column of a map needs 'take': what becomes of its points; max, min, mean or share");
  if (is_column && quantity_of_map_column(output.of).empty())
    reader.complain(*object.get("map"), fmt::format("a map has no column '{}'{}", output.of,
                                                    hint(output.of.substr(0, output.of.find('.')), column_starts())));
  const bool is_share = is_column && output.what == "share";
  for (const char* key : bounds)
    if (const auto bound = object.get(key)) {
      if (!is_share) reader.complain_key(*bound, "belongs to 'take: share'");
      (key == bounds[0] ? output.above : output.below) = reader.number(*bound);
    }
  if (is_share && !output.above && !output.below && !object.incomplete)
    reader.complain_key(object.item(), "a share needs 'above' or 'below': which values count");
  if (output.above && output.below && *output.above > *output.below)
    reader.complain_key(object.item(), "'above' is beyond 'below': no value is both");
}

}  // namespace lithe::io

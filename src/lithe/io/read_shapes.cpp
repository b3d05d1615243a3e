// shape: wanted motions that leave no vibration.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lithe/io/model_builder.hpp"

namespace lithe::io {
namespace {

/// Nothing: averages in the place of a shaper.
std::optional<ShaperKind> shaper_kind(const std::string& word) {
  for (const ShaperKind kind : {ShaperKind::zv, ShaperKind::zvd, ShaperKind::zvdd, ShaperKind::ei})
    if (name_of(kind) == word) return kind;
  return std::nullopt;
}

/// One number or a list of them.
std::optional<std::vector<double>> number_or_numbers(const Item& item, const std::string& type, Reader& reader) {
  if (item.node->kind != Node::Kind::list) {
    const auto value = reader.number(item);
    if (!value) return std::nullopt;
    return std::vector<double>{*value};
  }
  Item list = item;
  list.type = "list of " + type;
  return reader.numbers(list, 1, SIZE_MAX);
}

}  // namespace

std::string ModelBuilder::WaitingShape::name() const {
  if (path < 0) return joint;
  return "path " + item.path.substr(item.path.find('.') + 1, item.path.rfind('.') - item.path.find('.') - 1);
}

void ModelBuilder::read_shape(const Item& item, WaitingShape target) {
  if (item.node->kind != Node::Kind::map) {
    const auto word = reader_.word(item);
    if (!word || *word == "none") return;
    target.shape.kind = shaper_kind(*word);
    shapes_.push_back(std::move(target));
    return;
  }
  const auto object = reader_.object(item, "shape");
  if (!object || object->incomplete || !read_shape_keys(*object, target.shape)) return;
  shapes_.push_back(std::move(target));
}

bool ModelBuilder::read_shape_keys(const Object& object, CommandShape& shape) {
  const auto kind = reader_.word(*object.get("kind"));
  if (!kind) return false;
  shape.kind = shaper_kind(*kind);
  bool good = true;
  const auto take = [&](const char* key, double& value) {
    const auto given = object.get(key);
    const auto number = given ? reader_.number(*given) : value;
    good = good && number;
    value = number.value_or(value);
  };
  take("band", shape.band);
  take("vibration", shape.vibration);
  if (const auto given = object.get("modes")) {
    const auto count = reader_.integer(*given);
    if (!count) return false;
    shape.count = static_cast<int>(*count);
    if (object.has("frequency")) {
      reader_.complain_key(*given, "the modes are given by their frequencies; leave one of the two out");
      return false;
    }
  }
  if (const auto band = object.get("band"); band && shape.band >= 1.0) {
    reader_.complain_key(*band, "a band of 1 reaches down to no frequency at all; say 0.1 for 10 percent");
    return false;
  }
  const auto frequency = object.get("frequency"), damping = object.get("damping");
  if (damping && !frequency) {
    reader_.complain_key(*damping, "the mechanism knows the damping of its modes; give it with a 'frequency' only");
    return false;
  }
  const auto frequencies = frequency ? number_or_numbers(*frequency, "positive", reader_) : std::vector<double>{};
  auto dampings = damping ? number_or_numbers(*damping, "not-negative", reader_) : std::vector<double>{0.0};
  if (!frequencies || !dampings) return false;
  if (dampings->size() == 1) dampings->resize(std::max<std::size_t>(1, frequencies->size()), dampings->front());
  if (!frequencies->empty() && dampings->size() != frequencies->size()) {
    reader_.complain(*damping,
                     fmt::format("{} damping ratios for {} frequencies", dampings->size(), frequencies->size()));
    return false;
  }
  for (std::size_t i = 0; i < frequencies->size(); ++i) shape.modes.push_back({(*frequencies)[i], (*dampings)[i]});
  return good;
}

void ModelBuilder::shape_commands() {
  std::vector<Vibration> own;
  const auto waits =
      std::find_if(shapes_.begin(), shapes_.end(), [](const WaitingShape& each) { return each.shape.modes.empty(); });
  if (waits != shapes_.end()) {
    try {
      own = vibrations_after_motion(model_);
    } catch (const std::runtime_error& error) {
      return reader_.complain_key(waits->item, fmt::format("the modes at the end of the motion cannot be found: {}. "
                                                           "Give a 'frequency'",
                                                           error.what()));
    }
  }
  std::vector<std::pair<CommandShape, std::vector<std::string>>> alike;
  for (const WaitingShape& waiting : shapes_) {
    try {
      apply_shape(waiting, make_command_filter(waiting.shape, own));
    } catch (const std::exception& error) {
      reader_.complain_key(waiting.item, error.what());
      continue;
    }
    const auto same =
        std::find_if(alike.begin(), alike.end(), [&](const auto& each) { return each.first == waiting.shape; });
    if (same == alike.end())
      alike.push_back({waiting.shape, {waiting.name()}});
    else
      same->second.push_back(waiting.name());
  }
  for (const auto& [shape, names] : alike) {
    const std::vector<Vibration> modes = shaped_modes(shape, own);
    model_.remarks.notes.push_back(
        modes.empty() ? fmt::format("motion of {} not shaped: nothing vibrates at its end", fmt::join(names, ", "))
                      : fmt::format("motion of {} shaped: {}", fmt::join(names, ", "),
                                    describe(shape, make_command_filter(shape, own), modes)));
  }
}

/// To all drives of the joint: behind an elastic gear its rotor follows, too.
void ModelBuilder::apply_shape(const WaitingShape& waiting, const CommandFilter& filter) {
  if (waiting.path >= 0)
    return model_.paths[waiting.path].path.change_timing([&](const Law& law) { return filter.applied_to(law); });
  for (Drive& drive : model_.drives)
    if ((drive.joint == waiting.joint || drive.joint == waiting.joint + ".rotor") &&
        drive.coordinate == waiting.coordinate)
      drive.follow = filter.applied_to(drive.follow);
}

}  // namespace lithe::io

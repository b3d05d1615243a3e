// Paths of frames, and laws that keep limits.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/io/model_builder.hpp"

namespace lithe::io {

namespace {

double plain_or(const Object& object, const char* key, double otherwise, Reader& reader) {
  const auto item = object.get(key);
  return item ? reader.number(*item).value_or(otherwise) : otherwise;
}

MotionProfile profile_of(const Object& object, Reader& reader) {
  const auto item = object.get("profile");
  const std::string word = item ? reader.word(*item).value_or("quintic") : "quintic";
  if (word == "trapezoid") return MotionProfile::trapezoid;
  if (word == "jerk-limited") return MotionProfile::jerk_limited;
  return word == "cycloid" ? MotionProfile::cycloid : MotionProfile::quintic;
}

/// Limits of a motion, which need not be there when it has a duration. False: there was a complaint.
bool read_limits(const Object& object, MotionProfile profile, bool has_duration, MotionLimits& limits, Reader& reader) {
  bool good = true;
  const auto take = [&](const char* key, double& limit) {
    const auto item = object.section().find(key) == nullptr ? std::nullopt : object.get(key);
    if (!item) return;
    const auto value = reader.number(*item);
    good = good && value;
    if (value && !(*value > 0.0)) {
      reader.complain(*item, fmt::format("expected a positive number, but this is {}", *value));
      good = false;
    }
    if (value && *value > 0.0) limit = *value;
  };
  take("speed", limits.speed);
  take("acceleration", limits.acceleration);
  take("jerk", limits.jerk);
  if (profile == MotionProfile::trapezoid && std::isfinite(limits.jerk)) {
    reader.complain_key(*object.get("jerk"),
                        "the acceleration of a trapezoid jumps; take 'jerk-limited' for a limit of the jerk");
    return false;
  }
  const std::string_view missing = missing_limit(profile, limits);
  if (!good || has_duration || missing.empty() || object.incomplete) return good;
  reader.complain_key(object.item(), fmt::format("how long does it take? Give 'in', or a limit: {}", missing));
  return false;
}

/// What the laws refuse becomes a complaint.
template <class Make>
auto made_or_complained(const Item& item, Reader& reader, Make make) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const std::invalid_argument& error) {
    reader.complain_key(item, error.what());
    return std::nullopt;
  }
}

}  // namespace

std::optional<Law::Term> ModelBuilder::move(const Item& item, MotionProfile profile) {
  const auto object = reader_.object(item, profile == MotionProfile::trapezoid ? "trapezoid" : "jerk-limited");
  if (!object || object->incomplete) return std::nullopt;
  MoveOptions options;
  options.profile = profile;
  options.start = plain_or(*object, "start", 0.0, reader_);
  const auto from = reader_.number(*object->get("from")), to = reader_.number(*object->get("to"));
  const auto in = object->get("in");
  const auto duration = in ? reader_.number(*in) : std::nullopt;
  if (!from || !to || (in && !duration)) return std::nullopt;
  if (!read_limits(*object, profile, in.has_value(), options.limits, reader_)) return std::nullopt;
  if (duration) options.durations = {*duration};
  return made_or_complained(item, reader_, [&] { return make_moves({*from, *to}, options); });
}

std::optional<Law::Term> ModelBuilder::moves(const Item& item) {
  const auto object = reader_.object(item, "moves");
  if (!object || object->incomplete) return std::nullopt;
  MoveOptions options;
  options.profile = profile_of(*object, reader_);
  options.start = plain_or(*object, "start", 0.0, reader_);
  options.dwell = plain_or(*object, "dwell", 0.0, reader_);
  const auto through = reader_.numbers(*object->get("through"), 2, SIZE_MAX);
  if (!through) return std::nullopt;
  const auto pass = object->get("pass"), in = object->get("in");
  const bool passes = pass && reader_.flag(*pass).value_or(false);
  const std::vector<double> values = passes ? turning_values(*through) : *through;
  if (in && in->node->kind == Node::Kind::list) {
    Item list = *in;
    list.type = "list of positive";
    const auto durations = reader_.numbers(list, 1, SIZE_MAX);
    if (!durations) return std::nullopt;
    if (durations->size() + 1 != values.size()) {
      reader_.complain(*in, fmt::format("{} durations for {} moves{}", durations->size(), values.size() - 1,
                                        passes ? " between the values at which it turns round" : ""));
      return std::nullopt;
    }
    options.durations = *durations;
  } else if (in) {
    const auto duration = reader_.number(*in);
    if (!duration) return std::nullopt;
    options.durations.assign(values.size() - 1, *duration);
  }
  if (!read_limits(*object, options.profile, in.has_value(), options.limits, reader_)) return std::nullopt;
  return made_or_complained(item, reader_, [&] { return make_moves(values, options); });
}

std::optional<Path> ModelBuilder::path(const Item& item) {
  const auto object = reader_.object(item, "path");
  if (!object || object->incomplete) return std::nullopt;
  const auto corner = object->get("corner");
  if (corner && !object->has("points")) {
    reader_.complain_key(*corner, "only the corners of 'points' can be rounded");
    return std::nullopt;
  }
  const auto timing = object->get("timing"), orientation = object->get("orientation");
  std::optional<Path> result;
  if (object->has("position") || object->has("table")) {
    if (timing) {
      reader_.complain_key(*timing, "these positions have their own times; 'timing' is for curves");
      return std::nullopt;
    }
    result = path_of_laws(*object);
  } else if (const auto made = curve(*object)) {
    result = timed_path(*object, *made);
  }
  if (result && orientation) {
    const auto law = orientation_law(*orientation, *result);
    if (!law) return std::nullopt;
    const auto turned = made_or_complained(*orientation, reader_, [&] {
      result->turn(*law);
      return true;
    });
    if (!turned) return std::nullopt;
  }
  const auto base = object->get("base"), mirrored = object->get("mirrored");
  if (!result || (!base && !mirrored)) return result;
  const auto axes = base ? ground_frame(*base) : Pose();
  const auto reflected = mirrored ? reader_.flag(*mirrored) : false;
  if (!axes || !reflected) return std::nullopt;
  result->place(*axes, *reflected);
  return result;
}

/// The pose of a frame of the ground: axes in which something is given.
std::optional<Pose> ModelBuilder::ground_frame(const Item& item) {
  const auto place = frame(item);
  if (!place) return std::nullopt;
  if (place->link != 0) {
    reader_.complain(item, "this frame moves; name one of the ground: ground/FRAME");
    return std::nullopt;
  }
  return model_.mechanism.links[0].frames[place->frame].pose;
}

std::optional<std::vector<Vec3>> ModelBuilder::path_points(const Item& item, std::size_t least) {
  const auto list = reader_.list(item, least);
  if (!list) return std::nullopt;
  std::vector<Vec3> points;
  for (const Item& each : *list)
    if (const auto point = reader_.point(each)) points.push_back(*point);
  if (points.size() != list->size()) return std::nullopt;
  return points;
}

std::optional<Curve> ModelBuilder::curve(const Object& path) {
  if (const auto item = path.get("points")) {
    const auto points = path_points(*item, 1);
    const auto corner = path.get("corner");
    const auto rounded = corner ? reader_.number(*corner) : 0.0;
    if (!points || !rounded) return std::nullopt;
    return made_or_complained(*item, reader_, [&] { return Curve::lines(*points, *rounded); });
  }
  if (const auto item = path.get("spline")) {
    const auto points = path_points(*item, 2);
    if (!points) return std::nullopt;
    return made_or_complained(*item, reader_, [&] { return Curve::spline(*points); });
  }
  const auto point = [&](const Object& object, const char* key) { return reader_.point(*object.get(key)); };
  if (const auto item = path.get("arc")) {
    const auto object = reader_.object(*item, "path-arc");
    if (!object || object->incomplete) return std::nullopt;
    const auto from = point(*object, "from"), through = point(*object, "through"), to = point(*object, "to");
    if (!from || !through || !to) return std::nullopt;
    return made_or_complained(*item, reader_, [&] { return Curve::arc(*from, *through, *to); });
  }
  const auto item = path.get("circle");
  const auto object = item ? reader_.object(*item, "path-circle") : std::nullopt;
  if (!object || object->incomplete) return std::nullopt;
  const auto centre = point(*object, "centre"), start = point(*object, "start");
  const auto normal_item = object->get("normal");
  const auto normal = normal_item ? reader_.axis(*normal_item) : Vec3::UnitZ();
  const double turns = plain_or(*object, "turns", 1.0, reader_);
  if (!centre || !start || !normal) return std::nullopt;
  return made_or_complained(*item, reader_, [&] { return Curve::circle(*centre, *normal, *start, turns); });
}

std::optional<Path> ModelBuilder::timed_path(const Object& path, const Curve& curve) {
  const auto item = path.get("timing");
  if (!item && curve.length() > 0.0) {
    reader_.complain_key(path.item(), "a curve needs a 'timing': {in: ...} or limits of speed and acceleration");
    return std::nullopt;
  }
  PathTiming timing;
  if (!item) return Path(curve, timing);
  const auto object = reader_.object(*item, "timing");
  if (!object || object->incomplete) return std::nullopt;
  timing.profile = profile_of(*object, reader_);
  timing.start = plain_or(*object, "start", 0.0, reader_);
  timing.dwell = plain_or(*object, "dwell", 0.0, reader_);
  if (const auto in = object->get("in")) {
    timing.duration = reader_.number(*in);
    if (!timing.duration) return std::nullopt;
  }
  if (!read_limits(*object, timing.profile, timing.duration.has_value(), timing.limits, reader_)) return std::nullopt;
  return made_or_complained(*item, reader_, [&] { return Path(curve, timing); });
}

std::optional<Path> ModelBuilder::path_of_laws(const Object& path) {
  std::vector<Law> laws;
  if (const auto item = path.get("position")) {
    const Reader::NoAngles distances(reader_);
    const auto list = reader_.list(*item, 2, 3);
    if (!list) return std::nullopt;
    for (const Item& each : *list)
      if (auto component = law(each)) laws.push_back(std::move(*component));
    if (laws.size() != list->size()) return std::nullopt;
    if (laws.size() == 2) laws.emplace_back(ConstantLaw{0.0});
    return Path(std::move(laws[0]), std::move(laws[1]), std::move(laws[2]));
  }
  const auto object = reader_.object(*path.get("table"), "path-table");
  if (!object || object->incomplete) return std::nullopt;
  const Item file_item = *object->get("file");
  const auto file = reader_.text(file_item);
  const auto time_item = object->get("time"), columns_item = object->get("columns");
  const auto time = time_item ? reader_.text(*time_item) : std::nullopt;
  std::vector<std::string> columns{"x", "y", "z"};
  if (columns_item) {
    const auto list = reader_.list(*columns_item, 3, 3);
    if (!list) return std::nullopt;
    for (std::size_t k = 0; k < 3; ++k) columns[k] = reader_.text((*list)[k]).value_or("");
  }
  auto interpolation = TableLaw::Interpolation::cubic;
  if (const auto given = object->get("interpolation"); given && reader_.word(*given) == "linear")
    interpolation = TableLaw::Interpolation::linear;
  if (!file) return std::nullopt;
  for (const std::string& column : columns) {
    auto samples =
        read_table_file(beside(file_item.node->place, *file), time, column, interpolation, file_item, reader_);
    if (!samples) return std::nullopt;
    laws.emplace_back(std::move(*samples));
  }
  return Path(std::move(laws[0]), std::move(laws[1]), std::move(laws[2]));
}

std::optional<OrientationLaw> ModelBuilder::orientation_law(const Item& item, const Path& path) {
  if (item.node->kind != Node::Kind::map) {
    if (!reader_.word(item)) return std::nullopt;
    return TurnsLaw{};
  }
  const auto object = reader_.object(item, "orientation");
  if (!object || object->incomplete) return std::nullopt;
  const auto times = object->get("t"), quaternions = object->get("quaternions");
  if (times && !quaternions) {
    reader_.complain_key(*times, "'t' goes with 'quaternions'");
    return std::nullopt;
  }
  if (quaternions) return waypoints(*quaternions, times, path);
  if (const auto tangent_item = object->get("tangent")) {
    const auto tangent = reader_.object(*tangent_item, "tangent");
    const auto up_item = tangent ? tangent->get("up") : std::nullopt;
    const auto up = up_item ? reader_.axis(*up_item) : Vec3::UnitZ();
    if (!tangent || !up) return std::nullopt;
    return TangentLaw{*up};
  }
  const Item rotate = *object->get("rotate");
  std::vector<Item> turns{rotate};
  if (rotate.node->kind == Node::Kind::list) turns = reader_.list(rotate, 1).value_or(std::vector<Item>{});
  TurnsLaw result;
  for (const Item& each : turns) {
    const auto turn = reader_.object(each, "timed-turn");
    if (!turn || turn->incomplete) return std::nullopt;
    const auto axis = reader_.axis(*turn->get("axis"));
    auto angle = law(*turn->get("angle"));
    if (!axis || !angle) return std::nullopt;
    result.turns.push_back({*axis, std::move(*angle)});
  }
  if (result.turns.empty()) return std::nullopt;
  return result;
}

std::optional<OrientationLaw> ModelBuilder::waypoints(const Item& item, const std::optional<Item>& times,
                                                      const Path& path) {
  const auto list = reader_.list(item, 1);
  if (!list) return std::nullopt;
  std::vector<Quat> turns;
  for (const Item& each : *list) {
    const auto turn = reader_.quaternion(each);
    if (!turn) return std::nullopt;
    turns.push_back(*turn);
  }
  std::vector<double> places;
  const double length = path.curve().length();
  if (times) {
    const auto given = reader_.numbers(*times, 1, SIZE_MAX);
    if (!given) return std::nullopt;
    places = *given;
    if (places.size() != turns.size()) {
      reader_.complain(*times,
                       fmt::format("t has {} entries, but there are {} quaternions", places.size(), turns.size()));
      return std::nullopt;
    }
    const auto stuck = std::adjacent_find(places.begin(), places.end(), [](double a, double b) { return !(a < b); });
    if (stuck != places.end()) {
      reader_.complain(*times, fmt::format("the times must increase, but {} is followed by {}", *stuck, *(stuck + 1)));
      return std::nullopt;
    }
  } else if (length == 0.0) {
    reader_.complain_key(item, "the path has no length along which they could be spread; give their times 't'");
    return std::nullopt;
  } else if (path.curve().points().size() == turns.size()) {
    places = path.curve().points();
  } else {
    for (std::size_t i = 0; i < turns.size(); ++i)
      places.push_back(turns.size() == 1 ? 0.0
                                         : length * static_cast<double>(i) / static_cast<double>(turns.size() - 1));
  }
  return make_waypoints(places, turns, times.has_value());
}

}  // namespace lithe::io

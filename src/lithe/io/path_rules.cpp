#include "lithe/io/path_rules.hpp"

namespace lithe::io {
namespace {

const char* const profiles = "word(quintic,cycloid,trapezoid,jerk-limited)";

/// Limits of a motion. An angle per second is written like an angle: 90 deg.
std::vector<KeyRule> limit_keys(const std::string& what) {
  return {optional_key("speed", "number", "Largest speed" + what + "."),
          optional_key("acceleration", "number", "Largest acceleration" + what + ".")};
}

void add(std::vector<KeyRule>& keys, const std::vector<KeyRule>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
}

MapRules move_section(const std::string& name, const std::string& title, const std::string& description, bool jerk) {
  MapRules rules{name, title, description, {}, {}};
  rules.keys = {needed_key("from", "number", "Value at the start."), needed_key("to", "number", "Value at the end.")};
  add(rules.keys, limit_keys(""));
  if (jerk) rules.keys.push_back(optional_key("jerk", "number", "Largest jerk."));
  rules.keys.push_back(optional_key("in", "positive", "Duration, s; default the shortest within the limits."));
  rules.keys.push_back(optional_key("start", "plain", "Start time, s; default 0."));
  return rules;
}

}  // namespace

std::vector<MapRules> path_sections() {
  MapRules moves{"moves",
                 "moves",
                 "From value to value, each time from rest to rest.",
                 {needed_key("through", "list of number", "The values, two at least."),
                  optional_key("profile", profiles, "How each move goes; default quintic.")},
                 {}};
  add(moves.keys, limit_keys(""));
  add(moves.keys,
      {optional_key("jerk", "number", "Largest jerk."),
       optional_key("in", "positive | list of positive",
                    "Duration of each move, s: one for all, or one each; default the shortest within the limits."),
       optional_key("dwell", "not-negative", "Rest between moves, s; default 0."),
       optional_key("pass", "flag", "Values on the way to the next are passed without a stop; default false."),
       optional_key("start", "plain", "Start time, s; default 0.")});

  MapRules timing{"timing",
                  "a timing",
                  "How a curve is travelled: from rest to rest, with a stop at every corner that is not rounded.",
                  {optional_key("profile", profiles, "Default quintic."),
                   optional_key("in", "positive", "Duration of the whole, s; default the shortest within the limits."),
                   optional_key("speed", "positive", "Largest speed along the curve, m/s."),
                   optional_key("acceleration", "positive", "Largest acceleration along the curve, m/s^2."),
                   optional_key("jerk", "positive", "Largest jerk along the curve, m/s^3."),
                   optional_key("dwell", "not-negative", "Rest at each corner, s; default 0."),
                   optional_key("start", "plain", "Start time, s; default 0.")},
                  {}};

  return {
      move_section("trapezoid", "a trapezoid",
                   "Constant acceleration, constant speed, constant deceleration; at rest before and after.", false),
      move_section("jerk-limited", "a jerk-limited move",
                   "A trapezoid whose acceleration has ramps; at rest before and after.", true),
      moves,
      {"path",
       "a path",
       "The wanted motion of a frame in space.",
       {optional_key("points", "list of point", "Straight lines through these points, m; one point: stays there."),
        optional_key("corner", "positive",
                     "Corners of 'points' are rounded by arcs that begin so far from them, m; default: a stop."),
        optional_key("spline", "list of point", "A smooth curve through these points, m."),
        optional_key("circle", "path-circle", "A circle, or several turns of it."),
        optional_key("arc", "path-arc", "An arc through three points."),
        optional_key("position", "list of law", "x, y and z as laws of time, m."),
        optional_key("table", "path-table", "x, y and z over time from a CSV file, m."),
        optional_key("timing", "timing", "How a curve is travelled."),
        optional_key("base", "frame", "Frame of the ground in whose axes all of it is given; default the ground."),
        optional_key("mirrored", "flag",
                     "The mirror image at the plane y = 0 of these axes, for a frame of a mirrored part."),
        optional_key("orientation", "word(fixed) | orientation",
                     "How the axes of the frame are turned; fixed: as those of the ground. Default: nothing is said "
                     "about it.")},
       {"points", "spline", "circle", "arc", "position", "table"}},
      {"path-circle",
       "a circle",
       "About a normal through its centre, right-handed.",
       {needed_key("centre", "point", "m."), needed_key("start", "point", "Where it begins, m."),
        optional_key("normal", "axis", "Default z."),
        optional_key("turns", "plain", "Negative: the other way round; default 1.")},
       {}},
      {"path-arc",
       "an arc",
       "Part of the circle through three points.",
       {needed_key("from", "point", "m."), needed_key("through", "point", "m."), needed_key("to", "point", "m.")},
       {}},
      {"path-table",
       "a table",
       "Positions over time.",
       {needed_key("file", "text", "CSV file with a header line, relative to the model file."),
        optional_key("time", "text", "Name of the time column; default the first."),
        optional_key("columns", "list of text", "Names of the columns of x, y and z; default x, y, z."),
        optional_key("interpolation", "word(linear,cubic)", "Default cubic: natural spline.")},
       {}},
      timing,
      {"orientation",
       "an orientation",
       "How the axes of the frame are turned along a path.",
       {optional_key("rotate", "timed-turn | list of timed-turn",
                     "One turn, or several, each in the axes turned so far; their angles are laws of time."),
        optional_key("quaternions", "list of list of plain",
                     "Waypoints [w, x, y, z]: one per point of the curve, or evenly along it; or at the times 't'."),
        optional_key("t", "list of plain", "Times of the quaternions, s."),
        optional_key("tangent", "tangent | nothing", "The x-axis along the path.")},
       {"rotate", "quaternions", "tangent"}},
      {"timed-turn",
       "a turn",
       "A rotation about an axis by a law of time.",
       {needed_key("axis", "axis", "Direction."), needed_key("angle", "law", "rad, or with deg.")},
       {}},
      {"tangent",
       "a tangent",
       "The x-axis along the path, the z-axis as near to 'up' as possible.",
       {optional_key("up", "axis", "Default z.")},
       {}},
      {"task-pd",
       "a controller",
       "Springs and dampers between the frame and its place on the path, and sums of the error; the motors supply what "
       "they do.",
       {optional_key("kp", "not-negative", "N/m."), optional_key("kd", "not-negative", "N s/m."),
        optional_key("turn-kp", "not-negative", "N m/rad."), optional_key("turn-kd", "not-negative", "N m s/rad."),
        optional_key("ki", "not-negative", "N/(m s)."), optional_key("turn-ki", "not-negative", "N m/(rad s).")},
       {}},
  };
}

}  // namespace lithe::io

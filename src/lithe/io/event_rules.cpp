#include "lithe/io/event_rules.hpp"

namespace lithe::io {
namespace {

MapRules event_drive(const MapRules& drive) {
  MapRules changed = drive;
  changed.name = "event-drive";
  changed.description = "What acts at a joint from an event on; in its laws t counts from the event.";
  for (KeyRule& key : changed.keys)
    if (key.name == "ki")
      key.unavailable = "a drive that sums its error up begins with the run; leave 'ki' out here";
    else if (key.name == "path" || key.name == "motors" || key.name == "task-pd" || key.name == "shape" ||
             key.name == "voltage")
      key.unavailable = "an event cannot change this; it changes follow, by, kp, kd, torque and force";
  changed.keys.push_back(
      optional_key("start", "word(here)", "The motion is moved so that it starts where the joint is."));
  return changed;
}

}  // namespace

std::vector<MapRules> event_sections(const MapRules& drive) {
  return {
      {"event",
       "an event",
       "Something that happens in a simulation, and what it does.",
       {needed_key("when", "plain | word(start) | event-condition", "A time (s), the start, or a condition."),
        optional_key("do", "event-actions", "What it does; default: it is listed, no more."),
        optional_key("repeat", "flag", "It may happen again; default once.")},
       {}},
      {"event-condition",
       "a condition",
       "When an expression of t and of quantities of the results passes through zero, or some time after another "
       "event.",
       {optional_key("rises", "condition", "Expression that becomes positive."),
        optional_key("falls", "condition", "Expression that becomes negative."),
        optional_key("crosses", "condition", "Expression that does either."),
        optional_key("after", "name", "It counts only after this event."),
        optional_key("delay", "positive", "In place of an expression: so long after that event, s.")},
       {"rises", "falls", "crosses", "delay"}},
      {"event-actions",
       "an action of an event",
       "Joints that are locked or let go, drives that change, controllers that are switched, the end of the run.",
       {optional_key("lock", "name | list of name",
                     "Joints that stand still from now on: a payload is caught, a brake closes."),
        optional_key("release", "name | list of name", "Joints that move again: a payload flies off, a brake opens."),
        optional_key("drives", "map of changed-drive", "Drives from now on, by joint; off: none."),
        optional_key("start", "name | list of name", "Controllers that are switched on, anew."),
        optional_key("stop", "name | list of name", "Controllers that are switched off."),
        optional_key("end", "flag", "The run ends.")},
       {}},
      event_drive(drive),
  };
}

}  // namespace lithe::io

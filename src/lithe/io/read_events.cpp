// events: what happens at a time or at a condition.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lithe/io/model_builder.hpp"
#include "lithe/laws/suggestion.hpp"

namespace lithe::io {
namespace {

bool is_word_char(char c) {
  const auto u = static_cast<unsigned char>(c);
  return u >= 0x80U || std::isalnum(u) || c == '_' || c == '-' || c == '.';
}

/// Quantities of the results in the text of a condition, the longest known name at each place. `unknown` gets the first
/// word with dots that is none, and where it stands.
std::vector<std::string> quantities_in(const std::string& text, const std::vector<std::string>& known,
                                       std::optional<std::pair<std::string, std::size_t>>& unknown) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    if (!std::isalpha(static_cast<unsigned char>(text[at]))) {
      // A whole number, so that the e of 2.5e-3 is no name.
      std::size_t end = at + 1;
      if (std::isdigit(static_cast<unsigned char>(text[at])))
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '.')) ++end;
      at = end;
      continue;
    }
    const std::string* longest = nullptr;
    for (const std::string& name : known) {
      if (!std::string_view(text).substr(at).starts_with(name)) continue;
      const char next = at + name.size() < text.size() ? text[at + name.size()] : ' ';
      const bool ends = !is_word_char(next) || next == '-';
      if (ends && (longest == nullptr || name.size() > longest->size())) longest = &name;
    }
    if (longest != nullptr) {
      if (std::find(found.begin(), found.end(), *longest) == found.end()) found.push_back(*longest);
      at += longest->size();
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word_char(text[end])) ++end;
    const std::string word = text.substr(at, end - at);
    if (word.find('.') != std::string::npos && !unknown) unknown.emplace(word, at);
    at = end;
  }
  return found;
}

}  // namespace

void ModelBuilder::read_events(const Object& root) {
  const auto item = root.get("events");
  const auto events = item ? reader_.map(*item) : std::nullopt;
  if (!events) return;
  std::vector<std::string> names;
  for (const NamedItem& named : *events) names.push_back(named.name);
  for (const NamedItem& named : *events) {
    check_name(named);
    const auto object = reader_.object(named.item, "event");
    if (!object || object->incomplete) continue;
    Event event;
    event.name = named.name;
    if (const auto repeat = object->get("repeat")) event.repeats = reader_.flag(*repeat).value_or(false);
    if (!read_event_time(*object->get("when"), names, event)) continue;
    if (const auto actions = object->get("do")) read_event_actions(*actions, event);
    if (event.repeats && !event.condition && event.after.empty())
      reader_.complain_key(*object->get("repeat"), "this happens at one instant only; leave out 'repeat'");
    model_.events.push_back(std::move(event));
  }
}

bool ModelBuilder::read_event_time(const Item& when, const std::vector<std::string>& names, Event& event) {
  if (when.node->kind == Node::Kind::scalar && when.node->text == "start") {
    event.at_start = true;
    return true;
  }
  if (when.node->kind != Node::Kind::map) {
    event.time = reader_.number(when);
    return event.time.has_value();
  }
  const auto object = reader_.object(when, "event-condition");
  if (!object || object->incomplete) return false;
  const auto after = object->get("after"), delay = object->get("delay");
  if (after) {
    const auto name = reader_.text(*after);
    if (!name) return false;
    event.after = *name;
    if (std::find(names.begin(), names.end(), *name) == names.end()) {
      reader_.complain(*after, fmt::format("there is no event '{}'{}", *name, hint(*name, names)));
      return false;
    }
    if (*name == event.name) {
      reader_.complain(*after, "an event cannot wait for itself");
      return false;
    }
  }
  if (delay) {
    if (!after) {
      reader_.complain_key(*delay, "after which event? add 'after'");
      return false;
    }
    const auto seconds = reader_.number(*delay);
    event.delay = seconds.value_or(0.0);
    return seconds.has_value();
  }
  for (const auto& [key, direction] :
       {std::pair{"rises", EventCondition::Direction::rises}, std::pair{"falls", EventCondition::Direction::falls},
        std::pair{"crosses", EventCondition::Direction::crosses}}) {
    const auto given = object->get(key);
    if (!given) continue;
    event.condition.emplace();
    event.condition->direction = direction;
    conditions_.push_back({event.name, *given});
  }
  return true;
}

void ModelBuilder::read_event_actions(const Item& item, Event& event) {
  const auto object = reader_.object(item, "event-actions");
  if (!object) return;
  std::set<std::string> held;
  for (const auto& [key, kind] :
       {std::pair{"lock", EventAction::Kind::lock}, std::pair{"release", EventAction::Kind::release}}) {
    const auto given = object->get(key);
    if (!given) continue;
    std::vector<Item> joints{*given};
    if (given->node->kind == Node::Kind::list) joints = reader_.list(*given, 1).value_or(std::vector<Item>{});
    for (const Item& each : joints) {
      const auto name = reader_.text(each);
      const int joint = name ? joint_named(*name, each) : -1;
      if (joint < 0) continue;
      if (model_.mechanism.joints[joint].type == JointType::fixed)
        reader_.complain(each, fmt::format("the fixed joint '{}' never moves; make it a free one, locked by an event "
                                           "at the start",
                                           *name));
      if (!held.insert(*name).second)
        reader_.complain(each, fmt::format("the joint '{}' is named twice by this event", *name));
      EventAction action;
      action.kind = kind;
      action.joint = *name;
      event.actions.push_back(std::move(action));
    }
  }
  for (const auto& [key, kind] :
       {std::pair{"start", EventAction::Kind::start}, std::pair{"stop", EventAction::Kind::stop}})
    read_switched_controllers(*object, key, kind, event);
  if (const auto drives = object->get("drives"))
    for (const NamedItem& named : reader_.map(*drives).value_or(std::vector<NamedItem>{}))
      read_changed_drive(named, event);
  if (const auto end = object->get("end"); end && reader_.flag(*end).value_or(false))
    event.actions.push_back(EventAction{EventAction::Kind::end, {}, 0, {}, false, {}});
}

void ModelBuilder::read_switched_controllers(const Object& object, const char* key, EventAction::Kind kind,
                                             Event& event) {
  const auto given = object.get(key);
  if (!given) return;
  std::vector<Item> controllers{*given};
  if (given->node->kind == Node::Kind::list) controllers = reader_.list(*given, 1).value_or(std::vector<Item>{});
  for (const Item& each : controllers) {
    const auto name = reader_.text(each);
    if (!name) continue;
    if (!controller_items_.contains(*name)) {
      std::vector<std::string> known;
      for (const auto& [controller, item] : controller_items_) known.push_back(controller);
      reader_.complain(each, fmt::format("there is no controller '{}'{}", *name, hint(*name, known)));
      continue;
    }
    EventAction action;
    action.kind = kind;
    action.controller = *name;
    event.actions.push_back(std::move(action));
  }
}

void ModelBuilder::read_changed_drive(const NamedItem& named, Event& event) {
  const auto target = joint_coordinate(named, speed_count);
  if (!target) return;
  const Joint& joint = *target->joint;
  const int speeds = speed_count(joint.type);
  if (!target->coordinate && speeds > 1)
    return reader_.complain_key(named.item,
                                fmt::format("the {} joint '{}' has {} speeds; name the driven ones: {}.0, {}.1, ...",
                                            name_of(joint.type), named.name, speeds, named.name, named.name));
  if (joint.motor && joint.motor->is_elastic())
    return reader_.complain_key(
        named.item,
        fmt::format("the motor of joint '{}' has an elastic gear; its drive stays as it is all along", joint.name));
  EventAction action;
  action.joint = joint.name;
  action.coordinate = target->coordinate.value_or(0);
  if (named.item.node->kind == Node::Kind::scalar) {
    const auto word = reader_.word(named.item);
    if (!word) return;
    action.kind = EventAction::Kind::silence;
    event.actions.push_back(std::move(action));
    return;
  }
  const auto object = reader_.object(named.item, "event-drive");
  if (!object || object->incomplete) return;
  action.kind = EventAction::Kind::drive;
  action.drive.joint = action.joint;
  action.drive.coordinate = action.coordinate;
  if (!read_drive(named, *object, joint, action.drive)) return;
  if (action.drive.is_led())
    return reader_.complain_key(named.item, "the drive of an event needs a motion of its own; add 'follow'");
  if (const auto start = object->get("start")) {
    action.starts_here = reader_.word(*start).has_value();
    if (!action.drive.wants_motion())
      return reader_.complain_key(*start, "'start: here' is for a motion; add 'follow', or leave it out");
  }
  event.actions.push_back(std::move(action));
}

/// Conditions need the names of all quantities, which are known when the mechanism is.
void ModelBuilder::read_conditions() {
  if (conditions_.empty()) return;
  const std::vector<std::string> known = condition_quantities(model_);
  for (const NamedItem& named : conditions_) {
    const auto event = std::find_if(model_.events.begin(), model_.events.end(),
                                    [&](const Event& each) { return each.name == named.name; });
    if (event == model_.events.end()) continue;
    std::vector<std::string> variables{"t"};
    if (named.item.node->kind == Node::Kind::scalar) {
      std::optional<std::pair<std::string, std::size_t>> unknown;
      event->condition->quantities = quantities_in(named.item.node->text, known, unknown);
      if (unknown) {
        std::string meant = did_you_mean(unknown->first, known);
        if (meant.empty()) meant = "; known are columns of results such as q.JOINT or pos.LINK.FRAME.x";
        reader_.complain_expression(
            named.item,
            ExpressionError(unknown->second, fmt::format("there is no quantity '{}'{}", unknown->first, meant)));
        continue;
      }
      variables.insert(variables.end(), event->condition->quantities.begin(), event->condition->quantities.end());
    }
    auto expression = reader_.expression(named.item, variables);
    if (!expression) continue;
    if (!expression->depends_on_time() && event->condition->quantities.empty()) {
      reader_.complain(named.item, "this never changes; use t, or quantities of the results such as q.JOINT");
      continue;
    }
    event->condition->value = std::move(*expression);
  }
}

}  // namespace lithe::io

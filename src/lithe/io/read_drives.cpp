// drives: what acts at actuated joints.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lithe/io/model_builder.hpp"

namespace lithe::io {

namespace {

/// Rotations of spherical and free joints have speeds, but no coordinate that a law could give.
bool can_follow(const Joint& joint, int coordinate) { return coordinate < joint.facts().scalars(); }

}  // namespace

void ModelBuilder::read_drives(const Object& root) {
  const auto item = root.get("drives");
  const auto drives = item ? reader_.map(*item) : std::nullopt;
  if (!drives) return;
  std::set<std::pair<std::string, int>> driven;
  std::optional<Item> helped, helping;  // follows by the motors of others; moves others without a motion of its own
  bool has_feed_forward = false, all_read = true;
  for (const NamedItem& named : *drives) {
    const auto target = joint_coordinate(named, speed_count);
    if (!target) continue;
    const Joint& joint = *target->joint;
    const int speeds = speed_count(joint.type);
    if (!target->coordinate && speeds > 1) {
      reader_.complain_key(named.item,
                           fmt::format("the {} joint '{}' has {} speeds; name the driven ones: {}.0, {}.1, ...",
                                       name_of(joint.type), named.name, speeds, named.name, named.name));
      continue;
    }
    const std::string name = target->coordinate && model_.mechanism.find_joint(named.name) < 0
                                 ? named.name.substr(0, named.name.rfind('.'))
                                 : named.name;
    const int coordinate = target->coordinate.value_or(0);
    if (!driven.emplace(name, coordinate).second) {
      reader_.complain_key(named.item, fmt::format("the joint '{}' has a drive already", name));
      continue;
    }
    Drive drive;
    drive.joint = name;
    drive.coordinate = coordinate;
    if (!read_drive(named, joint, drive)) {
      all_read = false;
      continue;
    }
    has_feed_forward = has_feed_forward || drive.feed_forward;
    const bool gives_nothing =
        !drive.prescribed && !drive.feed_forward && drive.kp == 0.0 && drive.kd == 0.0 && drive.torque.empty();
    if (drive.wants_motion() && gives_nothing) helped = named.item;
    if (!drive.wants_motion() && drive.feed_forward) helping = named.item;
    model_.drives.push_back(std::move(drive));
  }
  if (!all_read) return;
  if (helped && !has_feed_forward)
    reader_.complain_key(*helped, "no motor makes this motion; add drives 'by: inverse-dynamics' for the motors");
  if (helping && !helped)
    reader_.complain_key(*helping,
                         "there is no motion whose forces it could give; add 'follow', here or with 'by: motors' to "
                         "the drive of the joint that shall move");
}

bool ModelBuilder::read_drive(const NamedItem& named, const Joint& joint, Drive& drive) {
  const auto object = reader_.object(named.item, "drive");
  if (!object) return false;
  const auto follow = object->get("follow"), torque = object->get("torque"), force = object->get("force");
  if (torque && force) reader_.complain_key(*force, "force is another word for torque; give one of them");
  if (!follow && !torque && !force && !object->has("by") && !object->incomplete) {
    reader_.complain_key(named.item, "a drive needs follow (a motion) or torque");
    return false;
  }
  if (follow) {
    if (!can_follow(joint, drive.coordinate))
      reader_.complain_key(
          *follow, fmt::format("a rotation of the {} joint '{}' cannot follow a law; only a torque can act on it",
                               name_of(joint.type), drive.joint));
    const Reader::NoAngles distances(reader_, slides(joint, drive.coordinate));
    if (auto motion = law(*follow)) drive.follow = std::move(*motion);
  }
  const Reader::NoAngles forces(reader_);
  if (const auto& given = torque ? torque : force)
    if (auto extra = law(*given)) drive.torque = std::move(*extra);
  if (!read_drive_modes(*object, drive)) return false;

  // Motion may be imposed on any joint; a force needs a motor.
  const auto speed = static_cast<std::size_t>(drive.coordinate);
  const bool has_motor = speed < joint.actuated.size() && joint.actuated[speed];
  const bool gives_force = drive.feed_forward || drive.kp > 0.0 || drive.kd > 0.0 || torque || force;
  if (gives_force && !has_motor && model_.mechanism.find_joint(drive.joint) >= 0)
    reader_.complain_key(named.item,
                         fmt::format("the joint '{}' has no motor for this drive; add 'actuated: true' to the joint, "
                                     "or impose the motion with 'by: motion'",
                                     drive.joint));
  return true;
}

bool ModelBuilder::read_drive_modes(const Object& object, Drive& drive) {
  const bool has_follow = object.has("follow");
  const auto by = object.get("by"), kp = object.get("kp"), kd = object.get("kd");
  std::vector<std::string> modes;
  if (by) {
    std::vector<Item> words{*by};
    if (by->node->kind == Node::Kind::list) {
      const auto list = reader_.list(*by, 1);
      if (!list) return false;
      words = *list;
    }
    for (const Item& each : words) {
      const auto word = reader_.word(each);
      if (!word) return false;
      modes.push_back(*word);
    }
    const bool serves_others = std::all_of(modes.begin(), modes.end(), [](const std::string& mode) {
      return mode == "inverse-dynamics" || mode == "rigid-inverse-dynamics";
    });
    if (!has_follow && !serves_others && !object.incomplete) {
      reader_.complain_key(*by, "'by' says how a motion is followed; add 'follow'");
      return false;
    }
  } else if (has_follow && !kp && !kd) {
    modes.emplace_back("motion");
  }
  const auto has = [&](const char* mode) { return std::find(modes.begin(), modes.end(), mode) != modes.end(); };
  drive.prescribed = has("motion");
  drive.feed_forward = has("inverse-dynamics") || has("rigid-inverse-dynamics");
  if (has("motors") && modes.size() > 1) {
    reader_.complain(*by, "'motors' leaves the forces to other joints; nothing can be added to it");
    return false;
  }
  if (drive.prescribed && modes.size() > 1) {
    reader_.complain(*by, "'motion' imposes the motion exactly; nothing can be added to it");
    return false;
  }
  if (drive.prescribed && (object.has("torque") || object.has("force"))) {
    reader_.complain_key(
        object.has("torque") ? *object.get("torque") : *object.get("force"),
        "an imposed motion takes whatever force it needs; leave the torque out or choose another 'by'");
    return false;
  }
  if (has("pd") && !kp && !kd && !object.incomplete) reader_.complain_key(object.item(), "'by: pd' needs kp or kd");
  for (const auto& gain : {kp, kd})
    if (gain && !has("pd")) {
      reader_.complain_key(*gain, "this gain has no effect; add 'by: pd'");
      return false;
    }
  const auto proportional = kp ? reader_.number(*kp) : 0.0, derivative = kd ? reader_.number(*kd) : 0.0;
  drive.kp = proportional.value_or(0.0);
  drive.kd = derivative.value_or(0.0);
  return proportional && derivative;
}

}  // namespace lithe::io

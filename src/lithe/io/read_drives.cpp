// drives: what acts at actuated joints.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lithe/io/model_builder.hpp"

namespace lithe::io {

namespace {

/// Rotations of spherical and free joints have speeds, but no coordinate that a law could give.
bool can_follow(const Joint& joint, int coordinate) { return coordinate < joint.facts().scalars(); }

bool is_path(const NamedItem& named) {
  return named.item.node->kind == Node::Kind::map && named.item.node->find("path") != nullptr;
}

}  // namespace

void ModelBuilder::read_drives(const Object& root) {
  const auto item = root.get("drives");
  const auto drives = item ? reader_.map(*item) : std::nullopt;
  if (!drives) return;
  for (const NamedItem& named : *drives) {
    const Entry* by = named.item.node->find("by");
    has_lead_ = has_lead_ || is_path(named) || (by != nullptr && by->value.text == "motors");
  }
  std::set<std::pair<std::string, int>> driven;
  std::optional<Item> helped, helping;  // follows by the motors of others; moves others without a motion of its own
  bool makes_motion = false, all_read = true;
  for (const NamedItem& named : *drives) {
    if (is_path(named)) {
      const std::size_t before = model_.paths.size();
      read_path_drive(named);
      all_read = all_read && model_.paths.size() > before;
      continue;
    }
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
    if (std::any_of(cylinders_.begin(), cylinders_.end(),
                    [&](const Cylinder& each) { return each.name == name && each.oil; })) {
      reader_.complain_key(named.item,
                           fmt::format("the oil of cylinder '{}' moves it; leave out the drive, or the oil", name));
      continue;
    }
    Drive drive;
    drive.joint = name;
    drive.coordinate = coordinate;
    const auto object = reader_.object(named.item, "drive");
    if (!object || !read_drive(named, *object, joint, drive)) {
      all_read = false;
      continue;
    }
    makes_motion = makes_motion || drive.feed_forward || drive.controlled || drive.is_led();
    if (const auto shape = object->get("shape")) {
      if (drive.wants_motion())
        read_shape(*shape, {*shape, name, coordinate, -1, {}});
      else
        reader_.complain_key(*shape, "only a motion of its own can be shaped; add 'follow'");
    }
    const bool gives_nothing = !drive.prescribed && !drive.feed_forward && !drive.controlled && drive.kp == 0.0 &&
                               drive.kd == 0.0 && drive.ki == 0.0 && drive.torque.empty();
    if (drive.wants_motion() && gives_nothing) helped = named.item;
    if (!drive.wants_motion() && drive.feed_forward) helping = named.item;
    model_.drives.push_back(std::move(drive));
  }
  if (!all_read) return;
  drive_motors_of_paths();
  for (const NamedItem& named : *drives)
    if (is_path(named)) helped = named.item;
  for (const PathDrive& path : model_.paths) makes_motion = makes_motion || path.task.is_given();
  if (helped && !makes_motion && leaders_.empty())
    reader_.complain_key(*helped, "no motor makes this motion; add drives 'by: inverse-dynamics' for the motors");
  if (helping && !helped)
    reader_.complain_key(*helping,
                         "there is no motion whose forces it could give; add 'follow', here or with 'by: motors' to "
                         "the drive of the joint that shall move");
}

/// LINK or LINK/FRAME: {path: ...}.
void ModelBuilder::read_path_drive(const NamedItem& named) {
  const auto object = reader_.object(named.item, "drive");
  if (!object || object->incomplete) return;
  for (const char* key : {"follow", "torque", "force"}) {
    if (const auto given = object->get(key))
      return reader_.complain_key(*given, fmt::format("'{}' is for joints; a frame has a 'path'", key));
  }
  PathDrive drive;
  const std::size_t slash = named.name.find('/');
  drive.link = named.name.substr(0, slash);
  if (slash != std::string::npos) drive.frame = named.name.substr(slash + 1);
  if (segmented_.contains(drive.link)) {
    const auto place = frame_on_segments(named.item, drive.link, drive.frame);
    if (!place) return;
    drive.link = model_.mechanism.links[place->link].name;
    drive.frame = model_.mechanism.links[place->link].frames[place->frame].name;
  }
  const int link = model_.mechanism.find_link(drive.link);
  if (link < 0) {
    if (links_known_)
      reader_.complain_key(named.item, fmt::format("a path belongs to a link, and there is no link '{}'{}", drive.link,
                                                   hint(drive.link, link_names())));
    return;
  }
  if (link == 0) return reader_.complain_key(named.item, "the ground does not move; give the path of another link");
  if (model_.mechanism.links[link].find_frame(drive.frame) < 0) {
    std::vector<std::string> known;
    for (const Frame& frame : model_.mechanism.links[link].frames) known.push_back(frame.name);
    if (frames_known_[link])
      reader_.complain_key(
          named.item, fmt::format("link '{}' has no frame '{}'{}", drive.link, drive.frame, hint(drive.frame, known)));
    return;
  }
  auto way = path(*object->get("path"));
  if (!way) return;
  drive.path = std::move(*way);
  const auto task = object->get("task-pd");
  if (task && !read_task_gains(*task, drive, drive.task)) return;
  Drive modes;
  if (!read_drive_modes(*object, modes)) return;
  if (task && modes.prescribed)
    return reader_.complain_key(*task, "'motion' imposes the motion exactly; nothing can be added to it");
  const auto motors = object->get("motors");
  if (modes.prescribed || modes.feed_forward || modes.controlled || modes.kp != 0.0 || modes.kd != 0.0) {
    Leader leader{named.item, modes, {}};
    if (motors) leader.motors = reader_.list(*motors, 1);
    if (motors && !leader.motors) return;
    const auto leads_all = [](const Leader& each) { return !each.motors; };
    if (!motors && std::any_of(leaders_.begin(), leaders_.end(), leads_all))
      return reader_.complain_key(named.item,
                                  "another path says already how the motors follow; say 'by: motors' here, or which "
                                  "'motors' follow each of them");
    leaders_.push_back(std::move(leader));
  } else if (motors) {
    return reader_.complain_key(*motors, "how do these motors follow? say 'by: motion', 'by: pd' or another way");
  }
  model_.paths.push_back(std::move(drive));
  if (const auto shape = object->get("shape"))
    read_shape(*shape, {*shape, {}, 0, static_cast<int>(model_.paths.size()) - 1, {}});
}

bool ModelBuilder::read_task_gains(const Item& item, const PathDrive& path, TaskGains& gains) {
  const auto object = reader_.object(item, "task-pd");
  if (!object || object->incomplete) return false;
  bool good = true;
  const auto take = [&](const char* key, double& gain) {
    const auto given = object->get(key);
    if (!given) return;
    const auto value = reader_.number(*given);
    good = good && value;
    gain = value.value_or(0.0);
  };
  take("kp", gains.kp);
  take("kd", gains.kd);
  take("turn-kp", gains.turn_kp);
  take("turn-kd", gains.turn_kd);
  take("ki", gains.ki);
  take("turn-ki", gains.turn_ki);
  if (!good) return false;
  if (!gains.is_given()) {
    reader_.complain_key(item, "'task-pd' needs gains: kp, kd, ki, turn-kp, turn-kd or turn-ki");
    return false;
  }
  if (gains.is_about_turns() && !path.path.turns()) {
    reader_.complain_key(
        item, "the path says nothing about rotation; add an 'orientation', or leave turn-kp, turn-kd and turn-ki out");
    return false;
  }
  return true;
}

/// Motors follow as the paths say that name them, those without a drive of their own as the path says that names none.
void ModelBuilder::drive_motors_of_paths() {
  std::stable_partition(leaders_.begin(), leaders_.end(),
                        [](const Leader& leader) { return leader.motors.has_value(); });
  for (const Leader& leader : leaders_) {
    if (!leader.motors) {
      int count = 0;
      for (const Joint& joint : model_.mechanism.joints)
        for (const bool actuated : joint.actuated) count += actuated ? 1 : 0;
      for (const Joint& joint : model_.mechanism.joints)
        if (drive_motors_of_joint(leader, joint) < 0) return;
      if (count == 0 && joints_known_)
        reader_.complain_key(leader.item,
                             "there is no motor that could make this motion; add 'actuated: true' to joints");
      continue;
    }
    for (const Item& each : *leader.motors) {
      const auto name = reader_.text(each);
      const int joint = name ? joint_named(*name, each) : -1;
      if (joint < 0) continue;
      if (drive_motors_of_joint(leader, model_.mechanism.joints[joint]) == 0)
        reader_.complain(each, fmt::format("the joint '{}' has no motor that could follow, or its motor has a drive of "
                                           "its own or follows another path",
                                           *name));
    }
  }
}

/// How many motors of the joint follow now; less than none after a complaint.
int ModelBuilder::drive_motors_of_joint(const Leader& leader, const Joint& joint) {
  int count = 0;
  for (std::size_t k = 0; k < joint.actuated.size(); ++k) {
    const auto coordinate = static_cast<int>(k);
    const auto drives_it = [&](const Drive& drive) {
      return drive.joint == joint.name && drive.coordinate == coordinate;
    };
    if (!joint.actuated[k] || std::any_of(model_.drives.begin(), model_.drives.end(), drives_it)) continue;
    Drive drive = leader.like;
    drive.joint = joint.name;
    drive.coordinate = coordinate;
    if (drive.is_led() && !can_follow(joint, coordinate)) {
      reader_.complain_key(leader.item, fmt::format("a rotation of the {} joint '{}' cannot follow; let it follow 'by: "
                                                    "inverse-dynamics' alone, or use 'task-pd'",
                                                    name_of(joint.type), joint.name));
      return -1;
    }
    model_.drives.push_back(std::move(drive));
    ++count;
  }
  return count;
}

bool ModelBuilder::read_drive(const NamedItem& named, const Object& object, const Joint& joint, Drive& drive) {
  const auto follow = object.get("follow"), torque = object.get("torque"), force = object.get("force");
  if (const auto task = object.get("task-pd")) {
    reader_.complain_key(*task, "'task-pd' goes with a 'path'");
    return false;
  }
  if (const auto motors = object.get("motors")) {
    reader_.complain_key(*motors, "'motors' goes with a 'path'; this drive is of one motor");
    return false;
  }
  if (torque && force) reader_.complain_key(*force, "force is another word for torque; give one of them");
  if (const auto voltage = object.get("voltage")) return read_voltage(object, *voltage, joint, drive);
  if (!follow && !torque && !force && !object.has("by") && !object.incomplete) {
    reader_.complain_key(named.item, "a drive needs follow (a motion) or torque");
    return false;
  }
  const auto refuse_rotation = [&](const Item& item) {
    reader_.complain_key(item, fmt::format("a rotation of the {} joint '{}' cannot follow a law; only a torque can act "
                                           "on it. The motion of a link in space is given by a 'path'",
                                           name_of(joint.type), drive.joint));
  };
  if (follow) {
    if (!can_follow(joint, drive.coordinate)) refuse_rotation(*follow);
    const Reader::NoAngles distances(reader_, slides(joint, drive.coordinate));
    if (auto motion = law(*follow)) drive.follow = std::move(*motion);
  }
  const Reader::NoAngles forces(reader_);
  if (const auto& given = torque ? torque : force)
    if (auto extra = law(*given)) drive.torque = std::move(*extra);
  if (!read_drive_modes(object, drive)) return false;
  if (!follow && drive.is_led() && !can_follow(joint, drive.coordinate)) refuse_rotation(named.item);

  // Motion may be imposed on any joint; a force needs a motor.
  const auto speed = static_cast<std::size_t>(drive.coordinate);
  const bool has_motor = speed < joint.actuated.size() && joint.actuated[speed];
  const bool gives_force = drive.feed_forward || drive.kp > 0.0 || drive.kd > 0.0 || drive.ki > 0.0 || torque || force;
  if (gives_force && !has_motor && model_.mechanism.find_joint(drive.joint) >= 0)
    reader_.complain_key(named.item,
                         fmt::format("the joint '{}' has no motor for this drive; add 'actuated: true' to the joint, "
                                     "or impose the motion with 'by: motion'",
                                     drive.joint));
  return true;
}

bool ModelBuilder::read_voltage(const Object& object, const Item& voltage, const Joint& joint, Drive& drive) {
  for (const char* key : {"follow", "by", "kp", "kd", "ki", "torque", "force"})
    if (const auto other = object.get(key)) {
      reader_.complain_key(*other,
                           "on a law of voltage the motor follows no motion and gives no other torque; leave "
                           "this out");
      return false;
    }
  if (!joint.motor || !joint.motor->has_windings()) {
    reader_.complain_key(voltage, fmt::format("the motor of joint '{}' has no windings; give it 'motor: {{windings: "
                                              "{{resistance: ..., constant: ...}}}}'",
                                              drive.joint));
    return false;
  }
  const Reader::NoAngles volts(reader_);
  auto given = law(voltage);
  if (given) drive.voltage = std::move(*given);
  return given.has_value();
}

bool ModelBuilder::read_drive_modes(const Object& object, Drive& drive) {
  const bool has_follow = object.has("follow") || object.has("path");
  const auto by = object.get("by"), kp = object.get("kp"), kd = object.get("kd"), ki = object.get("ki");
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
    if (!has_follow && !serves_others && !has_lead_ && !object.incomplete) {
      reader_.complain_key(*by, "'by' says how a motion is followed; add 'follow'");
      return false;
    }
  } else if (has_follow && !kp && !kd && !ki && !object.has("task-pd")) {
    modes.emplace_back("motion");
  }
  const auto has = [&](const char* mode) { return std::find(modes.begin(), modes.end(), mode) != modes.end(); };
  drive.prescribed = has("motion");
  drive.feed_forward = has("inverse-dynamics") || has("rigid-inverse-dynamics");
  drive.controlled = has("controllers");
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
  if (has("pid") && !ki && !object.incomplete) reader_.complain_key(object.item(), "'by: pid' needs ki");
  for (const auto& gain : {kp, kd})
    if (gain && !has("pd") && !has("pid")) {
      reader_.complain_key(*gain, "this gain has no effect; add 'by: pd'");
      return false;
    }
  if (ki && !has("pid")) {
    reader_.complain_key(*ki, "this gain has no effect; add 'by: pid'");
    return false;
  }
  if (ki && !object.has("follow")) {
    reader_.complain_key(*ki,
                         "the sum of the error needs a motion of its own; add 'follow'. Along a path 'task-pd' has a "
                         "'ki', and 'by: controllers' with 'pid' knows the motion of each motor");
    return false;
  }
  bool good = true;
  for (const auto& [gain, value] : {std::pair{&kp, &drive.kp}, std::pair{&kd, &drive.kd}, std::pair{&ki, &drive.ki}}) {
    if (!*gain) continue;
    const auto number = reader_.number(**gain);
    good = good && number;
    *value = number.value_or(0.0);
  }
  return good;
}

}  // namespace lithe::io

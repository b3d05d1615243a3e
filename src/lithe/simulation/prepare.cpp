#include "lithe/simulation/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "lithe/analysis/statics.hpp"
#include "lithe/dynamics/elements.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/laws/suggestion.hpp"
#include "lithe/simulation/controller_set.hpp"
#include "lithe/simulation/drive_integrals.hpp"
#include "lithe/simulation/given_speeds.hpp"
#include "lithe/simulation/loads.hpp"
#include "lithe/simulation/modal_damping.hpp"
#include "lithe/simulation/motor_set.hpp"
#include "lithe/simulation/start_wishes.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {
namespace {

const JointPlace& place_of(const Plan& plan, const std::string& joint) {
  return plan.places()[detail::joint_index(plan, joint)];
}

JointType type_of(const Plan& plan, const std::string& joint) {
  return plan.mechanism().joints[detail::joint_index(plan, joint)].type;
}

void actuate(Joint& joint, int coordinate) {
  const int count = speed_count(joint.type);
  if (coordinate < 0 || coordinate >= count) return;  // speed_index() complains with the full story
  joint.actuated.resize(count, false);
  joint.actuated[coordinate] = true;
}

/// A drive that exerts a force makes its joint an actuated one, so that the plan keeps it in the tree.
Mechanism with_driven_joints_actuated(const Model& model) {
  Mechanism mechanism = model.mechanism;
  std::vector<Drive> drives = model.drives;
  for (const Event& event : model.events)
    for (const EventAction& action : event.actions)
      if (action.kind == EventAction::Kind::drive) drives.push_back(action.drive);
  for (const Drive& drive : drives) {
    const bool exerts_force = drive.prescribed || drive.feed_forward || drive.kp != 0.0 || drive.kd != 0.0 ||
                              drive.ki != 0.0 || !drive.torque.empty() || drive.law;
    const int index = mechanism.find_joint(drive.joint);
    if (exerts_force && !drive.behind_gear && index >= 0) actuate(mechanism.joints[index], drive.coordinate);
  }
  for (const Controller& controller : model.controllers) {
    for (const std::string& name : controller.drives) {
      const auto [joint, coordinate] = detail::joint_coordinate(mechanism, name);
      if (joint >= 0) actuate(mechanism.joints[joint], coordinate);
    }
  }
  detail::add_drive_integrals(model, mechanism);
  return mechanism;
}

[[noreturn]] void refuse_assembly(const Plan& plan, const Model& model, const AssemblyReport& report) {
  throw PhysicsError(fmt::format(
      "{}; closure error at the guess {:.3g}, at best {:.3g}. Give better guesses under 'initial', or check lengths "
      "and motion laws at the start",
      describe(plan, report.status, model.run.from), report.initial_error, report.error));
}

/// Whether a rotor is given another start than its joint: a gear that is twisted.
bool is_twisted(const std::vector<InitialValue>& given, const std::string& joint, const std::string& rotor) {
  const auto value_of = [&](const std::string& name) {
    return std::find_if(given.begin(), given.end(), [&](const InitialValue& value) { return value.joint == name; });
  };
  const auto own = value_of(rotor), of_joint = value_of(joint);
  return own != given.end() && (of_joint == given.end() || own->value != of_joint->value);
}

/// What a coupling ties to a rotor, its spinning body, goes along: `values` are coordinates (with the offset) or speeds.
void turn_with_rotor(const Plan& plan, int rotor, bool speeds, VectorX& values) {
  const auto index = [&](const CoordinateRef& at) {
    const JointPlace& place = plan.places()[at.joint];
    return (speeds ? place.v : place.q) + at.coordinate;
  };
  const auto is_rotor = [&](const CoordinateRef& at) {
    const JointPlace& place = plan.places()[at.joint];
    return !place.cut && place.v + at.coordinate == rotor;
  };
  for (const Coupling& coupling : plan.mechanism().couplings) {
    if (coupling.terms.size() != 2) continue;
    for (std::size_t k = 0; k < 2; ++k) {
      const Coupling::Term &own = coupling.terms[k], &other = coupling.terms[1 - k];
      if (!is_rotor(own.coordinate)) continue;
      const double rest = (speeds ? 0.0 : coupling.offset) - own.factor * values[index(own.coordinate)];
      values[index(other.coordinate)] = rest / other.factor;
    }
  }
}

/// Rotors behind elastic gears stand as their joints do, wherever the loops and the paths have brought these.
void place_rotors(const Model& model, Prepared& prepared) {
  const Plan& plan = prepared.plan;
  VectorX cut_q;
  for (const detail::GearPair& gear : detail::gear_pairs(plan)) {
    if (gear.rotor >= plan.nv() || is_twisted(model.initial, plan.speed_name(gear.joint), plan.speed_name(gear.rotor)))
      continue;
    const int from = detail::coordinate_place(plan, gear.joint);
    const bool cut = gear.joint >= plan.nv();
    if (cut) cut_coordinates(plan, prepared.work, prepared.state.q, cut_q);
    prepared.state.q[detail::coordinate_place(plan, gear.rotor)] = cut ? cut_q[from] : prepared.state.q[from];
    turn_with_rotor(plan, gear.rotor, false, prepared.state.q);
  }
}

/// And move alike.
void move_rotors(const Model& model, Prepared& prepared) {
  const Plan& plan = prepared.plan;
  VectorX cut_v;
  for (const detail::GearPair& gear : detail::gear_pairs(plan)) {
    if (gear.rotor >= plan.nv() ||
        is_twisted(model.initial_speeds, plan.speed_name(gear.joint), plan.speed_name(gear.rotor)))
      continue;
    const bool cut = gear.joint >= plan.nv();
    if (cut) cut_speeds(plan, prepared.work, prepared.state, cut_v);
    prepared.state.v[gear.rotor] = cut ? cut_v[gear.joint - plan.nv()] : prepared.state.v[gear.joint];
    turn_with_rotor(plan, gear.rotor, true, prepared.state.v);
  }
}

/// Where the loops are closed, what cannot be reached is the beginning of a path.
void refuse_start_of_path(const Model& model, const Plan& plan, Workspace& work, const VectorX& q) {
  constexpr double there = 1e-6;  ///< of the mechanism's length
  for (const PathDrive& path : model.paths) {
    const Vec3 place = path.path.at(model.run.from).position;
    const FrameRef frame = plan.mechanism().find_frame(path.link, path.frame);
    const double distance = (frame_pose(plan, work, q, frame).position - place).norm();
    if (distance <= there * plan.characteristic_length() && !path.path.turns()) continue;
    throw PhysicsError(
        fmt::format("'{}/{}' cannot be where its path begins, at [{:.6g}, {:.6g}, {:.6g}] m{} (t = {:.6g} s): the "
                    "mechanism does not "
                    "reach that place. Let the path begin elsewhere, or give better guesses under 'initial'",
                    path.link, path.frame, place.x(), place.y(), place.z(),
                    path.path.turns() ? " turned as it says" : "", model.run.from));
  }
}

/// Closes the loops with regard to everything that the model says about its start.
void assemble_start(const Model& model, Start start, Prepared& prepared) {
  const Plan& plan = prepared.plan;
  prepared.state.x = element_start(plan);
  VectorX& q = prepared.state.q;
  for (const ElasticValue& value : model.initial_elastic)
    q[detail::elastic_index(plan, value, &ElasticPlace::q)] = value.value;
  const std::vector<Wish> wishes = detail::start_wishes(model, plan);
  // In Cartesian coordinates the choice has been made among assemblies in joint coordinates.
  const bool choose = model.plan.coordinates != Coordinates::cartesian && start != Start::nearest;
  const WishedAssembly assembly = assemble_wishes(plan, prepared.work, q, wishes, choose);
  prepared.assembly = assembly.report;
  if (!assembly.report.status && closure_error(plan, prepared.work, q) <= detail::tolerance::written)
    refuse_start_of_path(model, plan, prepared.work, q);
  if (!assembly.report.status) refuse_assembly(plan, model, assembly.report);
  place_rotors(model, prepared);
  Remarks& remarks = prepared.remarks;
  remarks = detail::what_gave_way(plan, prepared.work, q, wishes, assembly);
  if (assembly.report.bends_links)
    remarks.notes.insert(remarks.notes.begin(),
                         "no assembly was found with the elastic coordinates at their initial values: the run starts "
                         "with links bent to close the loops");
}

/// Joints that an event at the start locks.
std::vector<std::string> locked_at_start(const Model& model) {
  std::vector<std::string> joints;
  for (const Event& event : model.events) {
    if (!event.at_start && event.time != model.run.from) continue;
    for (const EventAction& action : event.actions)
      if (action.kind == EventAction::Kind::lock) joints.push_back(action.joint);
  }
  return joints;
}

/// Lets everything but the motors give way to gravity, springs and the loads of the start.
void settle_at_equilibrium(const Model& model, Prepared& prepared) {
  const Plan& plan = prepared.plan;
  std::vector<int> locked;
  for (const int v : plan.actuated_speeds()) {
    if (v >= plan.nv()) {
      const std::string& name = plan.speed_name(v);
      throw MechanismError(name, fmt::format("motor '{}' closes a loop and cannot be held for a start at equilibrium; "
                                             "mark another joint of its loop 'cut: true' in the model",
                                             name));
    }
    locked.push_back(v);
  }
  for (const std::string& joint : locked_at_start(model)) {
    const JointPlace& place = place_of(plan, joint);
    if (place.cut)
      throw MechanismError(joint, fmt::format("joint '{}' closes a loop and cannot be held for a start at equilibrium; "
                                              "mark another joint of its loop 'cut: true' in the model",
                                              joint));
    for (int k = 0; k < place.nv; ++k) locked.push_back(place.v + k);
  }
  prepared.state.v = VectorX::Zero(plan.nv());
  Actions actions(plan);
  actions.tau = VectorX::Zero(plan.nv() + plan.cut_nv());
  evaluate_loads(model, prepared.state.t, actions);
  const Equilibrium rest = find_equilibrium(plan, prepared.work, prepared.state, actions, locked);
  prepared.state.q = rest.state.q;
  if (!rest.stable)
    prepared.remarks.warnings.push_back("the equilibrium of the start is unstable: a small disturbance grows");
}

/// Speeds from `speeds:` and from the motion laws, completed by the closures.
void start_speeds(const Model& model, Prepared& prepared) {
  const Plan& plan = prepared.plan;
  detail::GivenSpeeds speeds(plan, prepared.work, prepared.state);
  for (const ElasticValue& value : model.initial_elastic_speeds)
    speeds.add(detail::elastic_index(plan, value, &ElasticPlace::v), value.value);
  for (const Drive& drive : model.drives) {
    if (!drive.wants_motion() || position_for_law(plan, drive.joint, drive.coordinate) < 0) continue;
    speeds.add(speed_index(plan, drive.joint, drive.coordinate), drive.follow.at(model.run.from).rate);
  }
  for (const PathDrive& path : model.paths) speeds.add(path);
  for (const InitialValue& value : model.initial_speeds)
    speeds.add(speed_index(plan, value.joint, value.coordinate), value.value);
  for (const InitialTwist& twist : model.initial_twists) speeds.add(twist);
  speeds.solve();
  move_rotors(model, prepared);
}

/// Cartesian coordinates: the guesses of the file are for its joints, so the loops are closed in joint coordinates
/// first and the pose of the platform follows.
VectorX guess_from_joint_coordinates(const Model& model, const Plan& plan, Arithmetic arithmetic) {
  Model plain = model;
  plain.plan.coordinates = Coordinates::automatic;
  const InitialPose platform = detail::pose_of_platform(model, plan);
  if (platform.position || platform.rotation) plain.initial_poses.push_back(platform);
  const auto unknown = [&](const auto& entry) { return model.mechanism.find_joint(entry.joint) < 0; };
  std::erase_if(plain.initial, unknown);
  std::erase_if(plain.drives, unknown);
  plain.initial_speeds.clear();
  plain.initial_twists.clear();
  plain.initial_elastic_speeds.clear();
  plain.damping = {};
  Prepared closed = prepare(plain, arithmetic, Start::assembled);
  VectorX q = transfer_coordinates(closed.plan, closed.work, closed.state.q, plan);
  for (const ElasticPlace& place : plan.elastic_places()) q.segment(place.q, place.count).setZero();
  return q;
}

/// The joint and its coordinate behind a speed of [v; cut speeds]; the joint is -1 for an elastic coordinate.
std::pair<int, int> joint_of_speed(const Plan& plan, int speed) {
  for (std::size_t j = 0; j < plan.places().size(); ++j) {
    const JointPlace& place = plan.places()[j];
    const int k = speed - place.v - (place.cut ? plan.nv() : 0);
    if (k >= 0 && k < place.nv) return {static_cast<int>(j), k};
  }
  return {-1, 0};
}

/// What is wanted of a state as wishes that hold; elastic values are written into q.
std::vector<Wish> firm_wishes(const Plan& plan, const StateValues& wanted, VectorX& q) {
  std::vector<Wish> wishes;
  for (const auto& [name, value] : wanted.coordinates) {
    const int speed = speed_named(plan, name);
    Wish wish;
    std::tie(wish.index, wish.coordinate) = joint_of_speed(plan, speed);
    wish.value = value;
    wish.firm = true;
    if (wish.index < 0) {
      q[position_of_speed(plan, speed)] = value;
      continue;
    }
    const Joint& joint = plan.mechanism().joints[wish.index];
    if (wish.coordinate >= joint.facts().scalars()) {
      throw MechanismError(name,
                           fmt::format("'{}' is part of a rotation in space and has no value of its own; give the "
                                       "pose of a link",
                                       name));
    }
    wishes.push_back(wish);
  }
  for (const InitialPose& pose : wanted.poses) {
    std::vector<Wish> parts = detail::wishes_of_pose(plan, pose);
    for (Wish& wish : parts) wish.firm = true;
    wishes.insert(wishes.end(), parts.begin(), parts.end());
  }
  return wishes;
}

/// Compiles the mechanism again with the damping of its assembled modes; independent set and state stay.
void damp_modes(const Model& model, Arithmetic arithmetic, Prepared& prepared) {
  const std::vector<int> independent = prepared.work.independent();
  PlanOptions options = model.plan;
  options.damping = detail::modal_damping(model, prepared);
  Plan plan(with_driven_joints_actuated(model), options);
  Workspace work(plan, arithmetic);
  prepared.work = std::move(work);
  prepared.plan = std::move(plan);
  if (Status status = select_independent(prepared.plan, prepared.work, prepared.state.q, independent); !status)
    throw PhysicsError(describe(prepared.plan, status, prepared.state.t));
}

}  // namespace

AssemblyReport set_state(Prepared& prepared, const StateValues& wanted) {
  const Plan& plan = prepared.plan;
  State reached = prepared.state;
  const std::vector<Wish> wishes = firm_wishes(plan, wanted, reached.q);
  normalise_quaternions(plan, reached.q);
  const AssemblyReport report = assemble_wishes(plan, prepared.work, reached.q, wishes, false).report;
  if (!report.status) {
    const Remarks missed = detail::what_gave_way(plan, prepared.work, reached.q, wishes, {});
    const std::vector<std::string>& first = missed.warnings.empty() ? missed.notes : missed.warnings;
    throw PhysicsError(describe(plan, report.status, reached.t) + (first.empty() ? "" : "; at best, " + first[0]) +
                       "; start from coordinates nearer to the wanted pose, or check lengths");
  }
  detail::GivenSpeeds speeds(plan, prepared.work, reached);
  for (const auto& [name, value] : wanted.speeds) speeds.add(speed_named(plan, name), value);
  for (const InitialTwist& twist : wanted.twists) speeds.add(twist);
  speeds.solve();
  prepared.state = reached;
  return report;
}

int speed_named(const Plan& plan, const std::string& name) {
  std::vector<std::string> known;
  for (int v = 0; v < plan.nv() + plan.cut_nv(); ++v) known.push_back(plan.speed_name(v));
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) {
    throw MechanismError(name, fmt::format("there is no coordinate '{}'{}", name, did_you_mean(name, known)));
  }
  return static_cast<int>(found - known.begin());
}

int position_of_speed(const Plan& plan, int speed) {
  for (const JointPlace& place : plan.places()) {
    const int k = speed - place.v;
    if (place.cut || k < 0 || k >= place.nv) continue;
    const int scalars = place.nq == place.nv ? place.nq : place.nq - 4;
    return k < scalars ? place.q + k : -1;
  }
  for (const ElasticPlace& place : plan.elastic_places()) {
    const int k = speed - place.v;
    if (k >= 0 && k < place.count) return place.q + k;
  }
  return -1;
}

int speed_index(const Plan& plan, const std::string& joint, int coordinate) {
  const JointPlace& place = place_of(plan, joint);
  if (coordinate < 0 || coordinate >= place.nv) {
    throw MechanismError(joint, fmt::format("joint '{}' ({}) has {} speeds, counted from 0; there is no {}", joint,
                                            name_of(type_of(plan, joint)), place.nv, coordinate));
  }
  return (place.cut ? plan.nv() : 0) + place.v + coordinate;
}

int position_for_law(const Plan& plan, const std::string& joint, int coordinate) {
  const JointPlace& place = place_of(plan, joint);
  const JointType type = type_of(plan, joint);
  if (coordinate >= facts_of(type).scalars()) {
    throw MechanismError(joint,
                         fmt::format("coordinate {} of joint '{}' ({}) is part of a rotation in space and cannot "
                                     "follow a law of its own; only distances and single angles can",
                                     coordinate, joint, name_of(type)));
  }
  return place.cut ? -1 : place.q + coordinate;
}

Prepared prepare(const Model& model, Arithmetic arithmetic, Start start) {
  Plan plan(with_driven_joints_actuated(model), model.plan);
  Workspace work(plan, arithmetic);
  Prepared prepared{std::move(plan), std::move(work), State{}, AssemblyReport{}, {}};
  State& state = prepared.state;
  state.t = model.run.from;
  state.q = model.plan.coordinates == Coordinates::cartesian
                ? guess_from_joint_coordinates(model, prepared.plan, arithmetic)
                : prepared.plan.neutral();
  assemble_start(model, start, prepared);
  if (start == Start::of_the_model && model.start_at_equilibrium) settle_at_equilibrium(model, prepared);
  start_speeds(model, prepared);

  std::vector<int> prescribed;
  for (const Drive& drive : model.drives) {
    if (drive.prescribed) prescribed.push_back(speed_index(prepared.plan, drive.joint, drive.coordinate));
  }
  const bool insist = !prescribed.empty() || model.plan.coordinates == Coordinates::joint;
  if (Status status = select_independent(prepared.plan, prepared.work, state.q, prescribed, insist); !status) {
    throw PhysicsError(describe(prepared.plan, status, state.t));
  }
  if (model.damping.is_given()) damp_modes(model, arithmetic, prepared);
  return prepared;
}

}  // namespace lithe

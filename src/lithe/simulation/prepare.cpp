#include "lithe/simulation/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/laws/suggestion.hpp"
#include "lithe/simulation/controller_set.hpp"
#include "lithe/simulation/coordinate_kind.hpp"

namespace lithe {
namespace {

constexpr double other_branch = 0.5;      ///< rad: a guess this far off means that another assembly is wanted
constexpr double speed_tolerance = 1e-8;  ///< rad/s or m/s: given speeds may differ by rounding from the closures

const Joint& joint_named(const Mechanism& mechanism, const std::string& name) {
  const int index = mechanism.find_joint(name);
  if (index < 0) throw MechanismError(name, fmt::format("there is no joint '{}'", name));
  return mechanism.joints[static_cast<std::size_t>(index)];
}

const JointPlace& place_of(const Plan& plan, const std::string& joint) {
  joint_named(plan.mechanism(), joint);
  return plan.places()[static_cast<std::size_t>(plan.mechanism().find_joint(joint))];
}

void actuate(Joint& joint, int coordinate) {
  const int count = speed_count(joint.type);
  if (coordinate < 0 || coordinate >= count) return;  // speed_index() complains with the full story
  joint.actuated.resize(static_cast<std::size_t>(count), false);
  joint.actuated[static_cast<std::size_t>(coordinate)] = true;
}

/// A drive that exerts a force makes its joint an actuated one, so that the plan keeps it in the tree.
Mechanism with_driven_joints_actuated(const Model& model) {
  Mechanism mechanism = model.mechanism;
  for (const Drive& drive : model.drives) {
    const bool exerts_force = drive.prescribed || drive.feed_forward || drive.kp != 0.0 || drive.kd != 0.0 ||
                              !drive.torque.empty() || drive.law;
    const int index = mechanism.find_joint(drive.joint);
    if (exerts_force && index >= 0) actuate(mechanism.joints[static_cast<std::size_t>(index)], drive.coordinate);
  }
  for (const Controller& controller : model.controllers) {
    for (const std::string& name : controller.drives) {
      const auto [joint, coordinate] = detail::joint_coordinate(mechanism, name);
      if (joint >= 0) actuate(mechanism.joints[static_cast<std::size_t>(joint)], coordinate);
    }
  }
  return mechanism;
}

/// Place of an elastic coordinate in State::q or State::v, by `first`.
int elastic_index(const Plan& plan, const ElasticValue& value, int ElasticPlace::*first) {
  const int link = plan.mechanism().find_link(value.link);
  if (link < 0) throw MechanismError(value.link, fmt::format("there is no link '{}'", value.link));
  const ElasticPlace& place = plan.elastic_places()[static_cast<std::size_t>(link)];
  if (value.coordinate < 0 || value.coordinate >= place.count)
    throw MechanismError(value.link, fmt::format("link '{}' has {} elastic coordinates; there is no {}.e{}", value.link,
                                                 place.count, value.link, value.coordinate + 1));
  return place.*first + value.coordinate;
}

struct Wanted {
  std::vector<int> driven;  ///< tree speeds with a motion law
  std::vector<int> given;   ///< tree speeds whose coordinate the model gives
};

/// Places the initial values and, over them, the motion laws at the start.
Wanted place_guesses(const Model& model, const Plan& plan, VectorX& q) {
  Wanted wanted;
  for (const ElasticValue& value : model.initial_elastic) q[elastic_index(plan, value, &ElasticPlace::q)] = value.value;
  for (const InitialValue& value : model.initial) {
    const JointPlace& place = place_of(plan, value.joint);
    if (value.coordinate < 0 || value.coordinate >= place.nq) {
      throw MechanismError(value.joint, fmt::format("joint '{}' has {} coordinates, counted from 0; there is no {}",
                                                    value.joint, place.nq, value.coordinate));
    }
    if (place.cut) continue;
    q[place.q + value.coordinate] = value.value;
    if (place.nq == place.nv) wanted.given.push_back(place.v + value.coordinate);
  }
  for (const Drive& drive : model.drives) {
    if (!drive.wants_motion()) continue;
    const int speed = speed_index(plan, drive.joint, drive.coordinate);
    const int position = position_of_speed(plan, drive.joint, drive.coordinate);
    if (position < 0) continue;
    q[position] = drive.follow.at(model.run.from).value;
    wanted.driven.push_back(speed);
  }
  normalise_quaternions(plan, q);
  return wanted;
}

[[noreturn]] void refuse_assembly(const Plan& plan, const Model& model, const AssemblyReport& report) {
  throw PhysicsError(fmt::format(
      "{}; closure error at the guess {:.3g}, at best {:.3g}. Give better guesses under 'initial', or check lengths "
      "and motion laws at the start",
      describe(plan, report.status, model.run.from), report.initial_error, report.error));
}

/// Difference between a coordinate and its guess, in rad or characteristic lengths; quaternions do not count.
double off_guess(const Plan& plan, const InitialValue& guess, const VectorX& q, const VectorX& cut_q) {
  const JointPlace& place = place_of(plan, guess.joint);
  const JointType type = joint_named(plan.mechanism(), guess.joint).type;
  const double value = (place.cut ? cut_q : q)[place.q + guess.coordinate];
  if (detail::is_angle(type, guess.coordinate)) return std::remainder(value - guess.value, 2.0 * std::numbers::pi);
  return detail::is_distance(type, guess.coordinate) ? (value - guess.value) / plan.characteristic_length() : 0.0;
}

/// Guesses at cut joints cannot be placed in q; when the assembly is far from them, they choose among all assemblies.
void prefer_branch_of_cut_guesses(const Model& model, const Plan& plan, Workspace& work, const AssemblyOptions& options,
                                  VectorX& q) {
  VectorX cut_q;
  const auto worst_cut_guess = [&](const VectorX& at) {
    double worst = 0.0;
    cut_coordinates(plan, work, at, cut_q);
    for (const InitialValue& guess : model.initial) {
      if (place_of(plan, guess.joint).cut) worst = std::max(worst, std::abs(off_guess(plan, guess, at, cut_q)));
    }
    return worst;
  };
  if (worst_cut_guess(q) <= other_branch) return;
  const auto distance = [&](const VectorX& at) {
    double sum = 0.0;
    cut_coordinates(plan, work, at, cut_q);
    for (const InitialValue& guess : model.initial) sum += std::pow(off_guess(plan, guess, at, cut_q), 2);
    return sum;
  };
  double best = distance(q);
  for (const VectorX& branch : assembly_branches(plan, work, q, options)) {
    const double off = distance(branch);
    if (off >= best) continue;
    best = off;
    q = branch;
  }
  // Branches are found by random search: angles come back without the turns of their guesses.
  for (const InitialValue& guess : model.initial) {
    const JointPlace& place = place_of(plan, guess.joint);
    const bool angle = detail::is_angle(joint_named(plan.mechanism(), guess.joint).type, guess.coordinate);
    if (place.cut || !angle) continue;
    double& value = q[place.q + guess.coordinate];
    value = guess.value + std::remainder(value - guess.value, 2.0 * std::numbers::pi);
  }
}

bool has_elastic_coordinates(const Plan& plan) {
  const std::vector<ElasticPlace>& places = plan.elastic_places();
  return std::any_of(places.begin(), places.end(), [](const ElasticPlace& place) { return place.count > 0; });
}

/// Closes the loops with the driven coordinates held, and the given ones among the independent if that is possible.
/// Links are bent only when the joints cannot do it, whichever of them are held.
AssemblyReport close_loops(const Model& model, const Plan& plan, Workspace& work, const Wanted& wanted, VectorX& q) {
  (void)select_independent(plan, work, q, wanted.driven);
  std::vector<int> given = wanted.driven;
  for (const int v : work.independent()) {
    const auto holds = [v](const std::vector<int>& list) {
      return std::find(list.begin(), list.end(), v) != list.end();
    };
    if (holds(wanted.given) && !holds(wanted.driven)) given.push_back(v);
  }
  std::vector<std::vector<int>> holdings{given};
  if (given.size() > wanted.driven.size()) holdings.push_back(wanted.driven);
  const VectorX guess = q;
  AssemblyOptions options;
  AssemblyReport report;
  for (const bool bend : {false, true}) {
    if (bend && !has_elastic_coordinates(plan)) break;
    options.links_may_bend = bend;
    for (const std::vector<int>& held : holdings) {
      options.held = held;
      q = guess;
      report = assemble(plan, work, q, options);
      if (!report.status) continue;
      if (held.size() == given.size()) prefer_branch_of_cut_guesses(model, plan, work, options, q);
      return report;
    }
  }
  refuse_assembly(plan, model, report);
}

/// Speeds from `speeds:` and from the motion laws, completed by the closures.
void start_speeds(const Model& model, const Plan& plan, Workspace& work, State& state) {
  state.v = VectorX::Zero(plan.nv());
  std::vector<std::pair<int, double>> given;
  for (const ElasticValue& value : model.initial_elastic_speeds)
    given.emplace_back(elastic_index(plan, value, &ElasticPlace::v), value.value);
  for (const Drive& drive : model.drives) {
    if (!drive.wants_motion() || position_of_speed(plan, drive.joint, drive.coordinate) < 0) continue;
    given.emplace_back(speed_index(plan, drive.joint, drive.coordinate), drive.follow.at(model.run.from).rate);
  }
  for (const InitialValue& value : model.initial_speeds) {
    const int speed = speed_index(plan, value.joint, value.coordinate);
    if (speed >= plan.nv()) {
      throw MechanismError(value.joint, fmt::format("joint '{}' closes a loop, so its speed follows from the others; "
                                                    "give the speed of another joint of the loop",
                                                    value.joint));
    }
    const auto same = std::find_if(given.begin(), given.end(), [&](const auto& pair) { return pair.first == speed; });
    if (same == given.end()) {
      given.emplace_back(speed, value.value);
    } else {
      same->second = value.value;
    }
  }
  std::vector<int> keep;
  for (const auto& [speed, value] : given) {
    keep.push_back(speed);
    state.v[speed] = value;
  }
  if (Status status = select_independent(plan, work, state.q, keep); !status) {
    throw PhysicsError(describe(plan, status, state.t));
  }
  if (Status status = complete_speeds(plan, work, state.q, state.v); !status) {
    throw PhysicsError(describe(plan, status, state.t));
  }
  for (const auto& [speed, value] : given) {
    if (std::abs(state.v[speed] - value) <= speed_tolerance * (1.0 + std::abs(value))) continue;
    throw PhysicsError(
        fmt::format("the initial speed {:.6g} of '{}' contradicts the closures and the other "
                    "given speeds, which make it {:.6g}",
                    value, plan.speed_name(speed), state.v[speed]));
  }
}

/// Cartesian coordinates: the guesses of the file are for its joints, so the loops are closed in joint coordinates
/// first and the pose of the platform follows.
VectorX guess_from_joint_coordinates(const Model& model, const Plan& plan, Arithmetic arithmetic) {
  Model plain = model;
  plain.plan.coordinates = Coordinates::automatic;
  const auto unknown = [&](const auto& entry) { return model.mechanism.find_joint(entry.joint) < 0; };
  std::erase_if(plain.initial, unknown);
  std::erase_if(plain.drives, unknown);
  plain.initial_speeds.clear();
  plain.initial_elastic_speeds.clear();
  Prepared closed = prepare(plain, arithmetic);
  VectorX q = transfer_coordinates(closed.plan, closed.work, closed.state.q, plan);
  for (const ElasticPlace& place : plan.elastic_places()) q.segment(place.q, place.count).setZero();
  return q;
}

}  // namespace

int speed_named(const Plan& plan, const std::string& name) {
  std::vector<std::string> known;
  for (int v = 0; v < plan.nv(); ++v) known.push_back(plan.speed_name(v));
  for (int v = 0; v < plan.cut_nv(); ++v) known.push_back(plan.cut_speed_name(v));
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
                                            name_of(joint_named(plan.mechanism(), joint).type), place.nv, coordinate));
  }
  return (place.cut ? plan.nv() : 0) + place.v + coordinate;
}

int position_of_speed(const Plan& plan, const std::string& joint, int coordinate) {
  const JointPlace& place = place_of(plan, joint);
  const JointType type = joint_named(plan.mechanism(), joint).type;
  const bool turns_by_quaternion = type == JointType::spherical || (type == JointType::free && coordinate >= 3);
  if (turns_by_quaternion) {
    throw MechanismError(joint,
                         fmt::format("coordinate {} of joint '{}' ({}) is part of a rotation in space and cannot "
                                     "follow a law of its own; only distances and single angles can",
                                     coordinate, joint, name_of(type)));
  }
  return place.cut ? -1 : place.q + coordinate;
}

Prepared prepare(const Model& model, Arithmetic arithmetic) {
  Plan plan(with_driven_joints_actuated(model), model.plan);
  Workspace work(plan, arithmetic);
  Prepared prepared{std::move(plan), std::move(work), State{}, AssemblyReport{}, {}};
  State& state = prepared.state;
  state.t = model.run.from;
  state.q = model.plan.coordinates == Coordinates::cartesian
                ? guess_from_joint_coordinates(model, prepared.plan, arithmetic)
                : prepared.plan.neutral();
  const Wanted wanted = place_guesses(model, prepared.plan, state.q);
  prepared.assembly = close_loops(model, prepared.plan, prepared.work, wanted, state.q);
  if (prepared.assembly.bends_links)
    prepared.remarks.notes.emplace_back(
        "no assembly was found with the elastic coordinates at their initial values: the run starts with links bent to "
        "close the loops");
  start_speeds(model, prepared.plan, prepared.work, state);

  std::vector<int> prescribed;
  for (const Drive& drive : model.drives) {
    if (drive.prescribed) prescribed.push_back(speed_index(prepared.plan, drive.joint, drive.coordinate));
  }
  const bool insist = !prescribed.empty() || model.plan.coordinates == Coordinates::joint;
  if (Status status = select_independent(prepared.plan, prepared.work, state.q, prescribed, insist); !status) {
    throw PhysicsError(describe(prepared.plan, status, state.t));
  }
  return prepared;
}

}  // namespace lithe

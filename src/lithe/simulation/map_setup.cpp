#include "lithe/simulation/map_setup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/laws/suggestion.hpp"
#include "lithe/mechanism/build.hpp"
#include "lithe/simulation/asked_pose.hpp"
#include "lithe/simulation/rest.hpp"

namespace lithe {

const std::vector<MapQuantity>& map_quantities() {
  static const std::vector<MapQuantity> all{
      {"condition",
       "rigid links, motor speeds to frame speeds: condition number, dexterity (its inverse by norms; 1 is best)"},
      {"manipulability", "product of the gains from motor speeds to frame speeds"},
      {"stiffness-index", "how evenly the wrenches of the motors resist from all sides; 1 is best, 0 is singular"},
      {"torque", "largest force of the motors while the frame accelerates in the worst direction"},
      {"compliance", "displacement of the frame per force, motors locked: largest, least, and the matrix"},
      {"stiffness", "force per displacement, motors locked: least, most, and the matrix"},
      {"elastic-condition", "of the compliance: condition number, and dexterity by norms"},
      {"sag", "way of the frame under gravity, loads and payload, motors locked"},
      {"frequency", "natural frequencies, motors locked"},
      {"frequency-held", "the same, motors held by their feedback (pd)"},
      {"frequency-free", "the same, motors free under the constant forces that hold the pose"},
      {"payload", "largest mass at the frame with which rest is stable, motors locked"}};
  return all;
}

std::string quantity_of_map_column(const std::string& column) {
  if (column == "dexterity") return "condition";
  if (column == "elastic-dexterity") return "elastic-condition";
  const std::string family = column.substr(0, column.find('.'));
  for (const MapQuantity& each : map_quantities())
    if (each.name == family) return family;
  return {};
}

namespace detail {
namespace {

constexpr double rounding_of_loops = 1e-14;  ///< rad or m: what assembling leaves of a zero
constexpr double largest_grid = 1e7;         ///< of a grid; all of them are kept in memory

Model without_dynamics_of_the_run(Model model) {
  model.plan.coordinates = Coordinates::automatic;
  model.damping = {};
  model.start_at_equilibrium = false;
  model.initial_speeds.clear();
  model.initial_twists.clear();
  model.initial_elastic.clear();
  model.initial_elastic_speeds.clear();
  return model;
}

/// A point mass that is fixed to the frame.
void carry(double mass, FrameRef at, Model& model) {
  LinkData weight;
  weight.name = "payload of the map";
  weight.mass = mass;
  const int link = model.mechanism.add_link(std::move(weight));
  if (!model.origins.empty()) model.origins.emplace_back();
  Joint joint;
  joint.name = "payload of the map";
  joint.type = JointType::fixed;
  joint.from = at;
  joint.to = {link, 0};
  model.mechanism.add_joint(std::move(joint));
}

void require_sense(const MapOptions& options) {
  if (options.axes.size() < 2 || options.axes.size() > 3)
    throw MechanismError("axes", fmt::format("a map has two or three axes, not {}", options.axes.size()));
  for (const MapAxis& axis : options.axes) {
    if (!std::isfinite(axis.from) || !std::isfinite(axis.to) || !(axis.from < axis.to))
      throw MechanismError(axis.coordinate, fmt::format("axis '{}' goes from {} to {}; the second must be larger",
                                                        axis.coordinate, axis.from, axis.to));
    if (axis.count < 2 || axis.count > 10000)
      throw MechanismError(axis.coordinate, fmt::format("axis '{}' has {} points; 2 to 10000 are possible",
                                                        axis.coordinate, axis.count));
  }
  double points = 1.0;
  for (const MapAxis& axis : options.axes) points *= axis.count;
  if (points > largest_grid)
    throw MechanismError("axes",
                         fmt::format("the grid has {:.0f} points; at most {:.0f} are possible, take fewer along an "
                                     "axis",
                                     points, largest_grid));
  std::vector<std::string> known;
  for (const MapQuantity& each : map_quantities()) known.push_back(each.name);
  for (const std::string& name : options.quantities) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string hint = did_you_mean(name, known);
    throw MechanismError(name,
                         fmt::format("a map has no quantity '{}'{}", name,
                                     hint.empty() ? fmt::format("; there are: {}", fmt::join(known, ", ")) : hint));
  }
  if (!(options.payload >= 0.0) || !std::isfinite(options.payload))
    throw MechanismError("payload", fmt::format("the payload is {} kg; it must not be negative", options.payload));
  if (!(options.acceleration >= 0.0) || !std::isfinite(options.acceleration))
    throw MechanismError("acceleration",
                         fmt::format("the acceleration is {} m/s^2; it must not be negative", options.acceleration));
  if (options.modes < 1) throw MechanismError("modes", "a map of frequencies needs at least one mode");
  if (options.threads < 1) throw MechanismError("threads", "a map needs at least one thread");
}

/// Rotations about the normal and displacements in the plane, or all six; rotations first.
std::vector<int> possible_rows(const Plan& plan) {
  if (plan.is_planar())
    for (int normal = 0; normal < 3; ++normal)
      if (std::abs(plan.plane_normal()[normal]) > 1.0 - 1e-12) {
        std::vector<int> rows{normal};
        for (int axis = 0; axis < 3; ++axis)
          if (axis != normal) rows.push_back(3 + axis);
        return rows;
      }
  return {0, 1, 2, 3, 4, 5};
}

constexpr const char* row_names[] = {"rx", "ry", "rz", "x", "y", "z"};

}  // namespace

MapSetup::MapSetup(const Model& model, const MapOptions& options)
    : options_(options), own_model_(without_dynamics_of_the_run(model)) {
  require_sense(options);
  {
    Model rigid = own_model_;
    for (LinkData& link : rigid.mechanism.links) link = rigid_twin(link);
    rigid_ = std::make_unique<Prepared>(prepare(rigid, Arithmetic::automatic, Start::assembled));
  }
  choose_frame();
  if (options_.payload > 0.0) {
    // The same mechanism with one link more; its coordinates stay as they are.
    carry(options_.payload, frame_, own_model_);
    Model rigid = own_model_;
    for (LinkData& link : rigid.mechanism.links) link = rigid_twin(link);
    rigid_ = std::make_unique<Prepared>(prepare(rigid, Arithmetic::automatic, Start::assembled));
  }
  start_ = rigid_->state.q;
  if (options_.branch != 1) choose_branch();
  choose_coordinates();
  if (wants_frequencies())
    own_ = std::make_unique<Plan>(prepare(own_model_, Arithmetic::automatic, Start::nearest).plan);
  if (wants_statics()) {
    Model twin = static_twin(own_model_);
    if (wants("payload")) {
      payload_port_ = static_cast<int>(twin.mechanism.loads.size());
      twin.mechanism.loads.push_back({"payload of the map", frame_});
      twin.loads.push_back({"payload of the map", {}, {}});
    }
    twin_ = std::make_unique<Plan>(prepare(twin, Arithmetic::automatic, Start::nearest).plan);
    dimensions_ = possible_rows(*twin_);  // links may bend out of the plane in which they move
  }
  if (wants_frequencies() || wants_statics())
    for (const int motor : rigid().actuated_speeds()) require_lockable(rigid(), motor);
  describe_columns();
}

bool MapSetup::wants(const std::string& quantity) const {
  return std::find(options_.quantities.begin(), options_.quantities.end(), quantity) != options_.quantities.end();
}

bool MapSetup::wants_frequencies() const {
  return wants("frequency") || wants("frequency-held") || wants("frequency-free");
}

bool MapSetup::wants_statics() const {
  return wants("compliance") || wants("stiffness") || wants("elastic-condition") || wants("sag") || wants("payload");
}

void MapSetup::choose_frame() {
  const Mechanism& mechanism = rigid().mechanism();
  const auto named = [&](FrameRef frame) {
    return mechanism.links[frame.link].name + "/" + mechanism.links[frame.link].frames[frame.frame].name;
  };
  frame_ = {};
  if (!options_.frame.empty()) {
    frame_ = frame_named(mechanism, options_.frame);
    if (frame_.link == 0)
      throw MechanismError(options_.frame, fmt::format("frame '{}' stands on the ground", options_.frame));
  } else {
    for (const MapAxis& axis : options_.axes) {
      const PoseCoordinate coordinate = pose_coordinate(rigid(), axis.coordinate);
      if (frame_.link == 0 && coordinate.kind != PoseCoordinate::Kind::joint) frame_ = coordinate.frame;
    }
    if (frame_.link == 0 && !own_model_.plan.platform.empty())
      frame_ = {mechanism.find_link(own_model_.plan.platform), 0};
    if (frame_.link == 0 && !own_model_.record.frames.empty()) frame_ = own_model_.record.frames[0];
    if (frame_.link == 0)
      throw MechanismError("frame",
                           "which frame is the tool? Name it: LINK/FRAME (--frame), or let the model record it");
  }
  frame_name_ = named(frame_);
}

void MapSetup::choose_branch() {
  AssemblyOptions held;
  held.held = rigid_->work.independent();
  const std::vector<VectorX> branches = assembly_branches(rigid(), rigid_->work, start_, held);
  if (options_.branch < 1 || options_.branch > static_cast<int>(branches.size()))
    throw MechanismError("branch",
                         fmt::format("there is no assembly {}: {} found with the motors of the start (lithe check "
                                     "--branches lists them)",
                                     options_.branch, branches.size()));
  start_ = branches[options_.branch - 1];
}

void MapSetup::choose_coordinates() {
  std::vector<PoseCoordinate> wanted;
  std::vector<double> values;
  for (const MapAxis& axis : options_.axes) wanted.push_back(pose_coordinate(rigid(), axis.coordinate));
  for (const auto& [name, value] : options_.held) wanted.push_back(pose_coordinate(rigid(), name));
  const std::size_t firm = wanted.size();
  for (std::size_t i = 0; i < firm; ++i)
    if (wanted[i].kind != PoseCoordinate::Kind::joint)
      for (const PoseCoordinate& each : frame_coordinates(rigid(), wanted[i].frame)) wanted.push_back(each);
  for (const int speed : rigid().actuated_speeds()) {
    motors_.push_back(joint_coordinate_of_speed(rigid(), speed));
    wanted.push_back(motors_.back());
  }
  for (int v = 0; v < rigid().nv(); ++v) wanted.push_back(joint_coordinate_of_speed(rigid(), v));
  int refused = -1;
  equations_ = choose_equations(rigid(), rigid_->work, start_, wanted, static_cast<int>(firm), refused);
  if (refused >= 0)
    throw MechanismError(
        wanted[refused].name,
        fmt::format("'{}' cannot be chosen freely: the mechanism, or the coordinates named before it, determine it",
                    wanted[refused].name));
  PoseRows rows(rigid(), equations_.coordinates);
  rows.evaluate(rigid_->work, start_);
  targets_ = rows.values();
  std::size_t next = options_.axes.size();
  for (const auto& [name, value] : options_.held) {
    if (!std::isfinite(value)) throw MechanismError(name, fmt::format("the value of '{}' is not a number", name));
    targets_[static_cast<Eigen::Index>(next++)] = value;
  }
  int none = -1;
  task_ = choose_equations(rigid(), rigid_->work, start_, frame_coordinates(rigid(), frame_), 0, none).coordinates;
}

std::map<std::string, double> MapSetup::held() const {
  std::map<std::string, double> held;
  for (std::size_t i = options_.axes.size(); i < equations_.coordinates.size(); ++i)
    if (equations_.coordinates[i].kind != PoseCoordinate::Kind::still) {
      const double value = targets_[static_cast<Eigen::Index>(i)];
      held[equations_.coordinates[i].name] = std::abs(value) < rounding_of_loops ? 0.0 : value;
    }
  return held;
}

void MapSetup::add_matrix_columns(const std::string& name, const char* linear, const char* mixed, const char* angular) {
  for (std::size_t i = 0; i < dimensions_.size(); ++i)
    for (std::size_t j = i; j < dimensions_.size(); ++j) {
      const int turning = (dimensions_[i] < 3) + (dimensions_[j] < 3);
      columns_.push_back({fmt::format("{}.{}.{}", name, row_names[dimensions_[i]], row_names[dimensions_[j]]),
                          turning == 0   ? linear
                          : turning == 1 ? mixed
                                         : angular});
    }
}

// In the order in which map_values.cpp fills them.
void MapSetup::describe_columns() {
  if (wants("condition")) columns_.insert(columns_.end(), {{"condition", "1"}, {"dexterity", "1"}});
  if (wants("manipulability")) {
    int lengths = static_cast<int>(task_.size());
    for (const PoseCoordinate& motor : motors_) lengths -= motor.turns ? 0 : 1;
    columns_.push_back({"manipulability", lengths == 0 ? "1" : lengths == 1 ? "m" : fmt::format("m^{}", lengths)});
  }
  if (wants("stiffness-index")) columns_.push_back({"stiffness-index", "1"});
  if (wants("torque"))
    for (const PoseCoordinate& motor : motors_)
      columns_.push_back({"torque." + motor.name.substr(2), motor.turns ? "N m" : "N"});
  if (wants("compliance")) {
    columns_.insert(columns_.end(), {{"compliance", "m/N"}, {"compliance.least", "m/N"}});
    add_matrix_columns("compliance", "m/N", "1/N", "rad/(N m)");
  }
  if (wants("stiffness")) {
    columns_.insert(columns_.end(), {{"stiffness", "N/m"}, {"stiffness.most", "N/m"}});
    add_matrix_columns("stiffness", "N/m", "N", "N m/rad");
  }
  if (wants("elastic-condition"))
    columns_.insert(columns_.end(), {{"elastic-condition", "1"}, {"elastic-dexterity", "1"}});
  if (wants("sag")) {
    columns_.push_back({"sag", "m"});
    for (const int row : dimensions_)
      if (row >= 3) columns_.push_back({fmt::format("sag.{}", row_names[row]), "m"});
    columns_.push_back({"sag.turn", "rad"});
  }
  for (const char* name : {"frequency", "frequency-held", "frequency-free"})
    for (int mode = 1; wants(name) && mode <= options_.modes; ++mode)
      columns_.push_back({fmt::format("{}.{}", name, mode), "Hz"});
  if (wants("payload")) columns_.push_back({"payload", "kg"});
}

}  // namespace detail
}  // namespace lithe

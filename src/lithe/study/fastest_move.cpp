// The problem of the fastest move, as a study of its laws.

#include "lithe/study/fastest_move.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lithe/laws/suggestion.hpp"
#include "lithe/mechanism/build.hpp"
#include "lithe/simulation/command_shape.hpp"
#include "lithe/study/fastest_move_parts.hpp"
#include "lithe/study/recorded_quantity.hpp"

namespace lithe {
namespace {

using namespace detail;  // NOLINT: this file puts the parts together

/// Slopes are differences of runs: their steps must not show. Of the search and of the check.
struct RunTolerances {
  double tolerance, rtol, atol;
};
constexpr RunTolerances tight{1e-6, 1e-9, 1e-11}, tighter{1e-8, 1e-10, 1e-12};
constexpr int finer = 20;  ///< rows of the check for each bin of the search
constexpr double periods_watched = 2;
constexpr double largest_amount = 4.0;
constexpr int instants_looked_at = 50;

void make_tight(const RunTolerances& wanted, RunOptions& run) {
  // `automatic` takes another integrator where rtol or atol is given.
  const bool has_own = run.integrator == Integrator::exponential ||
                       (run.integrator == Integrator::automatic && run.rtol == default_rtol && run.atol == default_atol);
  run.tolerance = std::min(run.tolerance, wanted.tolerance);
  if (has_own) return;
  run.rtol = std::min(run.rtol, wanted.rtol);
  run.atol = std::min(run.atol, wanted.atol);
}

std::string name_of_drive(const Drive& drive, const Mechanism& mechanism) {
  const int joint = mechanism.find_joint(drive.joint);
  const bool is_single = joint >= 0 && speed_count(mechanism.joints[joint].type) == 1;
  return is_single ? drive.joint : fmt::format("{}.{}", drive.joint, drive.coordinate);
}

/// The drive of this speed; made when there is none.
Drive& drive_of(Model& model, const std::string& speed) {
  for (Drive& drive : model.drives)
    if (name_of_drive(drive, model.mechanism) == speed) return drive;
  Drive drive;
  drive.joint = speed;
  if (model.mechanism.find_joint(speed) < 0) {
    const std::size_t dot = speed.rfind('.');
    drive.joint = speed.substr(0, dot);
    drive.coordinate = std::stoi(speed.substr(dot + 1));
  }
  drive.prescribed = true;
  return model.drives.emplace_back(drive);
}

void check_motors(const Model& model, const MoveProblem& problem) {
  const Plan plan(model.mechanism, model.plan);
  std::vector<std::string> known;
  for (const int v : plan.actuated_speeds()) known.push_back(plan.speed_name(v));
  for (const Drive& drive : model.drives)
    if (!drive.voltage.empty())
      throw MechanismError(drive.joint,
                           fmt::format("'{}' is driven by a voltage, but a move is a motion to be followed; "
                                       "drive it with 'follow' in the model",
                                       drive.joint));
  if (!model.paths.empty())
    throw MechanismError("motors",
                         "the model moves a frame on a path, which would fight the move; take it out of the model");
  if (problem.motors.empty()) throw MechanismError("motors", "no motor is to move");
  for (const MotorMove& motor : problem.motors)
    if (std::find(known.begin(), known.end(), motor.joint) == known.end())
      throw MechanismError(motor.joint, fmt::format("the model has no motor '{}'{}; motors are: {}", motor.joint,
                                                    did_you_mean(motor.joint, known), fmt::join(known, ", ")));
}

/// Everything else has to stand still: a move is from rest to rest.
void check_others(const Model& model, const MoveProblem& problem) {
  for (const Drive& drive : model.drives) {
    const std::string name = name_of_drive(drive, model.mechanism);
    const bool is_moved = std::any_of(problem.motors.begin(), problem.motors.end(),
                                      [&](const MotorMove& motor) { return motor.joint == name; });
    if (is_moved || !drive.wants_motion()) continue;
    for (int i = 0; i <= instants_looked_at; ++i) {
      const double t = model.run.from + (model.run.until - model.run.from) * i / instants_looked_at;
      if (drive.motion_at(t).rate != 0.0)
        throw MechanismError(
            "motors", fmt::format("the model moves '{}' as well, which the move does not know; name it here, too, or let "
                                  "it stand still",
                                  name));
    }
  }
}

/// Where the motor is before the move.
double place_before(const Model& model, const MotorMove& motor) {
  for (const Drive& drive : model.drives)
    if (name_of_drive(drive, model.mechanism) == motor.joint && drive.wants_motion())
      return drive.motion_at(model.run.from).value;
  for (const InitialValue& value : model.initial)
    if (motor.joint == value.joint || motor.joint == fmt::format("{}.{}", value.joint, value.coordinate))
      return value.value;
  throw MechanismError(motor.joint,
                       fmt::format("the model does not say where '{}' starts; say 'from', or its place under 'initial' "
                                   "of the model",
                                   motor.joint));
}

/// "LINK/FRAME" of what may be written "LINK".
std::string full_frame(const Mechanism& mechanism, const std::string& frame) {
  try {
    const FrameRef ref = frame_named(mechanism, frame);
    const LinkData& link = mechanism.links[ref.link];
    return link.name + "/" + link.frames[ref.frame].name;
  } catch (const MechanismError& error) {
    throw MechanismError(frame, error.what());
  }
}

Output output_of(const std::string& name, OutputKind kind, const std::string& column) {
  Output output;
  output.name = name;
  output.kind = kind;
  output.of = column;
  return output;
}

StudyAxis axis_of(const std::string& name, double least, double most) {
  StudyAxis axis{name, {}};
  axis.spread.a = least;
  axis.spread.b = most;
  return axis;
}

}  // namespace

MoveSearch::Parts::Parts(Model given, MoveProblem wanted_move, const Study& wanted)
    : model(std::move(given)), problem(std::move(wanted_move)), shapes(std::max(problem.pieces, 4)), study(wanted) {
  check_motors(model, problem);
  check_others(model, problem);
  model.text.clear();
  model.start_at_equilibrium = true;
  for (MotorMove& motor : problem.motors) {
    if (!motor.from) motor.from = place_before(model, motor);
    farthest = std::max(farthest, std::abs(motor.to - *motor.from));
  }
  for (QuietFrame& quiet : problem.quiet) quiet.frame = full_frame(model.mechanism, quiet.frame);
  if (!(farthest > 0.0)) throw MechanismError("motors", "no motor moves: 'to' is where each of them is already");
  find_times();
  add_to_study();
  evaluator = std::make_unique<StudyEvaluator>(study, [this](const std::vector<double>& values) {
    Model moving = model_at(values, values[0] / (bins_of_move * rows_of_bin));
    make_tight(tight, moving.run);
    moving.record = nothing_recorded();
    return moving;
  });
}

void MoveSearch::Parts::find_times() {
  if (problem.start == 0.0) {
    problem.start = end_of_motion(model) - model.run.from;
    if (!(problem.start > 0.0))
      throw MechanismError("start",
                           "the model has no motion to start from; say 'start': how long a first guess takes, s");
  }
  if (problem.watch > 0.0) return;
  const std::vector<double> first(1 + problem.motors.size() * static_cast<std::size_t>(shapes.freedoms()), 0.0);
  std::vector<double> values = first;
  values[0] = problem.start;
  const std::vector<Vibration> modes = vibrations_after_motion(model_at(values, problem.start));
  problem.watch = modes.empty() ? problem.start / 2 : periods_watched / modes[0].frequency;
}

void MoveSearch::Parts::add_to_study() {
  study.run = StudyRun::simulate;
  added_limits = std::ssize(study.constraints);
  study.axes = {axis_of("duration", 0.05 * problem.start, 4 * problem.start)};
  for (const MotorMove& motor : problem.motors)
    for (int i = 0; i < shapes.freedoms(); ++i)
      study.axes.push_back(axis_of(fmt::format("{}:{}", motor.joint, i + 1), -largest_amount, largest_amount));
  std::vector<Output> outputs = {output_of("duration", OutputKind::expression, "duration")};
  const auto limit = [&](Output output, const std::optional<double>& most) {
    if (!most) return;
    study.constraints.push_back({output.name, {}, most});
    outputs.push_back(std::move(output));
  };
  for (const MotorMove& motor : problem.motors) {
    limit(output_of(motor.joint + ".force", OutputKind::peak, "tau." + motor.joint), motor.force);
    limit(output_of(motor.joint + ".speed", OutputKind::peak, "v." + motor.joint), motor.speed);
    limit(output_of(motor.joint + ".acceleration", OutputKind::peak, "a." + motor.joint), motor.acceleration);
  }
  for (const QuietFrame& quiet : problem.quiet) {
    std::string column = "pos." + quiet.frame;
    std::replace(column.begin(), column.end(), '/', '.');
    for (const char* axis : {".x", ".y", ".z"}) {
      Output output = output_of(quiet.frame + axis, OutputKind::residual, column + axis);
      output.from = fmt::format("{:.17g} + duration", model.run.from);
      limit(std::move(output), quiet.most);
    }
  }
  study.outputs.insert(study.outputs.begin(), outputs.begin(), outputs.end());
  study.objectives = {{"duration", false}};
}

std::vector<MoveLaw> MoveSearch::Parts::laws_at(const std::vector<double>& values) const {
  const double duration = values[0];
  std::vector<MoveLaw> laws;
  for (std::size_t m = 0; m < problem.motors.size(); ++m) {
    const MotorMove& motor = problem.motors[m];
    const double way = motor.to - *motor.from;
    const int n = shapes.freedoms();
    const VectorX amounts = Eigen::Map<const VectorX>(values.data() + 1 + static_cast<long>(m) * n, n);
    // A motor that returns to where it was may be moved as far as the others.
    const double scale = amount_scale * (way != 0.0 ? std::abs(way) : farthest);
    const VectorX places = shapes.places(shapes.accelerations(way, scale, amounts));
    MoveLaw law{motor.joint, {}, {}};
    for (int k = 0; k <= shapes.pieces(); ++k) {
      law.t.push_back(model.run.from + duration * k / shapes.pieces());
      law.y.push_back(*motor.from + places[k]);
    }
    law.y.back() = motor.to;
    laws.push_back(std::move(law));
  }
  return laws;
}

Model MoveSearch::Parts::model_at(const std::vector<double>& values, double every) const {
  Model moving = model;
  for (const MoveLaw& law : laws_at(values)) {
    Drive& drive = drive_of(moving, law.joint);
    drive.follow = make_table(law.t, law.y, TableLaw::Interpolation::cubic);
    drive.clock = drive.shift = 0.0;
    // Not a drive that gave forces alone: it has to follow now.
    if (!drive.feed_forward && !drive.controlled && drive.kp == 0.0 && drive.kd == 0.0) drive.prescribed = true;
  }
  moving.run.until = model.run.from + values[0] + problem.watch;
  moving.run.every = every;
  return moving;
}

MoveSearch::MoveSearch(Model model, MoveProblem problem, const Study& wanted)
    : parts_(std::make_unique<Parts>(std::move(model), std::move(problem), wanted)) {
  std::vector<double> values(parts_->study.axes.size(), 0.0);
  values[0] = parts_->problem.start;
  MemoryRecord rows;
  parts_->evaluator->first(values);  // what the model does not have is told as that
  const Variant guess = parts_->evaluator->evaluate(values, &rows);
  if (!guess.error.empty())
    throw PhysicsError(fmt::format("the first guess, {:.4g} s long, does not run: {}", values[0], guess.error));
  for (const HoldingForce& held :
       too_heavy_poses(parts_->problem, rows, parts_->model.run.from + parts_->problem.start))
    throw MechanismError(held.joint,
                         fmt::format("holding the pose at the {} takes {:.4g} of '{}', more than its limit {:.4g}",
                                     held.at_end ? "end" : "start", std::abs(held.force), held.joint, held.limit));
}

MoveSearch::~MoveSearch() = default;

const Study& MoveSearch::study() const { return parts_->study; }
const MoveProblem& MoveSearch::problem() const { return parts_->problem; }
std::vector<MoveLaw> MoveSearch::laws(const std::vector<double>& values) const { return parts_->laws_at(values); }
Model MoveSearch::model(const std::vector<double>& values, double every) const {
  Model moving = parts_->model_at(values, every);
  make_tight(tight, moving.run);
  return moving;
}

Variant MoveSearch::check(const std::vector<double>& values) const {
  const StudyEvaluator fine(parts_->study, [this](const std::vector<double>& point) {
    Model moving = parts_->model_at(point, point[0] / (finer * bins_of_move));
    make_tight(tighter, moving.run);
    return moving;
  });
  return fine.evaluate(values);
}

}  // namespace lithe

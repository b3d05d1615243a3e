// The example of the fastest move against the best quintics behind input shapers, all of them run in the same way.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "lithe/io/load_study.hpp"
#include "lithe/simulation/command_shape.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

constexpr double torque = 2;  // N m, the limit of the example

/// Ends a run at the first row beyond `most_torque`: whatever comes after, it has failed.
class StoppedByTorque : public MemoryRecord {
 public:
  explicit StoppedByTorque(double most_torque) : most_torque_(most_torque) {}
  void row(std::span<const double> values) override {
    MemoryRecord::row(values);
    for (const char* motor : {"tau.motor-1", "tau.motor-2"})
      if (std::abs(at(rows() - 1, motor)) > most_torque_) stop = true;
  }
  std::atomic<bool> stop = false;

 private:
  double most_torque_;
};

/// Peaks of a run of the five-bar whose motion is over at `end`.
struct Peaks {
  bool runs = false;
  double torque = 0.0, speed = 0.0, vibration = 0.0;
};

Peaks peaks_of(Model model, double end, double watch, double most_torque) {
  model.run.until = end + watch;
  model.run.every = 1e-3;
  model.record.frames = {};
  const int link = model.mechanism.find_link("tool");
  model.record.frames.push_back({link, 0});
  StoppedByTorque rows(most_torque);
  RunControl control;
  control.stop = &rows.stop;
  try {
    if (run_simulation(model, rows, control).ending != RunOutcome::Ending::complete) return {};
  } catch (const PhysicsError&) {
    return {};
  }
  Peaks peaks{true};
  const std::vector<double> t = rows.column("t");
  for (const char* motor : {"motor-1", "motor-2"}) {
    for (const double force : rows.column(std::string("tau.") + motor))
      peaks.torque = std::max(peaks.torque, std::abs(force));
    for (const double speed : rows.column(std::string("v.") + motor))
      peaks.speed = std::max(peaks.speed, std::abs(speed));
  }
  for (const char* axis : {"pos.tool.origin.x", "pos.tool.origin.y"}) {
    double low = 1e9, high = -1e9;
    const std::vector<double> place = rows.column(axis);
    for (std::size_t i = 0; i < t.size(); ++i)
      if (t[i] >= end) low = std::min(low, place[i]), high = std::max(high, place[i]);
    peaks.vibration = std::max(peaks.vibration, (high - low) / 2);
  }
  return peaks;
}

/// The shortest motion of this shape that keeps the limits of the example, within a twenty-fifth.
double best_quintic(const Model& base, const MoveProblem& problem, const std::optional<CommandShape>& shape,
                    double not_above) {
  const auto with_duration = [&](double seconds) {
    Model model = base;
    for (const MotorMove& motor : problem.motors)
      for (Drive& drive : model.drives)
        if (drive.joint == motor.joint)
          drive.follow = make_polynomial(*motor.from, motor.to, 0.0, seconds, {0.0, 0.0}, {0.0, 0.0});
    return model;
  };
  CommandFilter filter;
  if (shape) filter = make_command_filter(*shape, vibrations_after_motion(with_duration(0.3)));
  for (double seconds = 0.1; seconds + filter.duration() < not_above; seconds *= 1.04) {
    Model model = with_duration(seconds);
    for (Drive& drive : model.drives) drive.follow = filter.applied_to(drive.follow);
    const double end = seconds + filter.duration();
    const Peaks peaks = peaks_of(model, end, problem.watch, torque);
    if (peaks.runs && peaks.torque <= torque && peaks.speed <= 5 && peaks.vibration <= 2e-4) return end;
  }
  return not_above;
}

TEST(FastestMove, OfTheElasticFiveBarIsAFifthFasterThanTheBestShapedQuintic) {
  const StudyFile file = load_study(source_folder() + "/examples/studies/fastest-five-bar.yaml");
  const Model model = load_model(file.model, file.set);
  const MoveSearch search(model, *file.move, file.study);
  const OptimizeAnswer answer = search.run(file.optimize, {});
  ASSERT_EQ(answer.best, 0);
  const std::vector<double>& values = answer.searches[0].values;

  // Run independently: another integrator, three times as long, and the limits of the example.
  Model move = search.model(values, 1e-3);
  move.run.integrator = Integrator::bdf;
  move.run.rtol = 1e-9;
  move.run.atol = 1e-11;
  const Peaks found = peaks_of(move, values[0], 3 * search.problem().watch, 1e9);
  ASSERT_TRUE(found.runs);
  EXPECT_LE(found.torque, torque);
  EXPECT_LE(found.speed, 5);
  EXPECT_LE(found.vibration, 2e-4);

  double quintic = 0.9;
  std::string which = "none";
  const auto look = [&](const char* name, const std::optional<CommandShape>& shape) {
    const double end = best_quintic(model, search.problem(), shape, quintic);
    if (end < quintic) which = name;
    quintic = end;
  };
  look("plain", std::nullopt);
  for (const int count : {1, 2}) {
    for (const ShaperKind kind : {ShaperKind::zv, ShaperKind::zvd, ShaperKind::ei}) {
      CommandShape shape;
      shape.kind = kind;
      shape.count = count;
      look(std::string(name_of(kind)).c_str(), shape);
    }
    CommandShape smooth;
    smooth.kind.reset();
    smooth.count = count;
    look("smooth", smooth);
  }
  EXPECT_LT(values[0], 0.8 * quintic) << which;
  RecordProperty("move", std::to_string(values[0]));
  RecordProperty("quintic", std::to_string(quintic) + " " + which);
}

}  // namespace
}  // namespace lithe

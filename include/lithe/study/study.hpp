#pragma once
// A study: a model run over many values of some of its numbers, each run reduced to a few numbers.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lithe/errors.hpp"
#include "lithe/simulation/simulate.hpp"
#include "lithe/simulation/workspace_map.hpp"
#include "lithe/study/sample.hpp"

namespace lithe {

namespace detail {
class OutputExpressions;
}

/// What a number of a variant is made from.
enum class OutputKind {
  // Of a column of a run, over its rows between `from` and `until`:
  peak,           ///< largest size
  maximum,        ///< largest value
  minimum,        ///< smallest value
  final,          ///< last value
  mean,           ///< over time (trapezoids)
  rms,            ///< root of the mean of the square over time
  range,          ///< largest less smallest value
  integral,       ///< over time
  peak_time,      ///< s, when the size is largest
  settling_time,  ///< s after `from`: from when on it stays within `band` of its last value
  overshoot,      ///< how far it goes beyond its last value, as a part of the way from the first to the last one
  residual,       ///< half the range: the amplitude of what still vibrates
  ringing,        ///< Hz: frequency of the crossings of its mean
  // Of what a run tells about itself:
  stress,   ///< Pa, largest von Mises stress in the link
  safety,   ///< least ratio of yield stress to stress in the link
  damage,   ///< Miner's sum of the link
  bending,  ///< largest bending measure of the link
  motor,    ///< `what` of a motor: peak_torque, rms_torque, ... (audit_fields.hpp)
  audit,    ///< a number of the audit: energy_error, steps, ...
  // Of the assembled mechanism at the pose of `at`:
  frequency,      ///< Hz, natural mode `number` (from 1), motors held as `lithe modes` holds them
  damping_ratio,  ///< of that mode
  // Of its equilibrium there:
  deflection,  ///< m, of the frame, from the pose without forces: its size, or along a ground axis
  compliance,  ///< m/N, of the frame along a ground axis
  holding,     ///< N m or N, what the motor applies
  // Of a map over the grid of the study:
  map,  ///< `what` of column `of`, or the part of the points that are reached
  // Of the model:
  mass,  ///< kg, of a link, or of all of them
  // Of everything above and the axes:
  expression
};

/// What a complaint about the map of a study has as its element, unless it is about one of its coordinates.
inline constexpr const char* study_map_place = "map of the study";
/// What output `of` of a map is called that is no column: the part of its points that are reached.
inline constexpr const char* map_reached = "reached";

/// Whether it is made from a column of a run.
constexpr bool is_of_column(OutputKind kind) { return kind <= OutputKind::ringing; }

struct Output {
  std::string name;
  OutputKind kind = OutputKind::final;
  /// Column (or expression of t, columns and axes), link, joint, frame; or expression of axes and outputs before.
  std::string of;
  std::string what;                    ///< of a motor; of a map: max, min, mean, share
  std::string from, until;             ///< s, of a column: numbers or expressions of the axes; empty: those of the run
  double band = 0.0;                   ///< of settling_time, in the unit of the column
  int number = 1;                      ///< of a mode
  int direction = -1;                  ///< 0, 1, 2: x, y, z; -1: the size
  std::optional<double> above, below;  ///< of a share: values that count, ends included
};

/// A limit of an output. A variant beyond one has failed as a design, not as a computation.
struct Constraint {
  std::string output;
  std::optional<double> least, most;
};

struct Objective {
  std::string output;
  bool maximize = false;
};

enum class StudyRun { simulate, inverse, kinematics };

struct Study {
  std::string name;
  std::vector<StudyAxis> axes;
  SampleOptions sample;
  StudyRun run = StudyRun::simulate;
  std::optional<double> at;       ///< s, pose of modes and statics: of the motion laws then; without: the initial one
  std::optional<MapOptions> map;  ///< that outputs are taken from; its quantities and threads do not matter
  std::vector<Output> outputs;
  std::vector<Constraint> constraints;
  std::vector<Objective> objectives;

  /// Whether outputs need a run, modes, statics, a map, or the model at all.
  bool needs_run() const;
  bool needs_modes() const;
  bool needs_statics() const;
  bool needs_map() const;
  bool needs_model() const;
  int output_named(const std::string& output) const;  ///< -1: none
  /// Whether the outputs keep the constraints; false too when one of them is not a number.
  bool is_feasible(const std::vector<double>& outputs) const;
};

/// An output asks for what the model does not have; `element` is its name.
class OutputError : public MechanismError {
 public:
  using MechanismError::MechanismError;
};

/// What came out of one variant. With an error, outputs that could not be computed are not a number.
struct Variant {
  std::vector<double> outputs;
  std::string error;  ///< empty: none
};

/// The model with these values of the axes; throws what loading throws. Called by many threads at once.
using ModelOfValues = std::function<Model(const std::vector<double>&)>;

/// Computes variants; one for all threads.
class StudyEvaluator {
 public:
  /// `study` must outlive it. Throws OutputError for an expression that cannot be read.
  StudyEvaluator(const Study& study, ModelOfValues model_of);
  virtual ~StudyEvaluator();

  /// Never throws for what a variant brings about: that stands in its error. With `record` the rows of the run go
  /// there as well. `stop` ends the run; the variant is then without value, and its error says so.
  virtual Variant evaluate(const std::vector<double>& values, RecordSink* record = nullptr,
                           const std::atomic<bool>* stop = nullptr) const;

  /// The same, but an output that the model does not have is not taken for a fault of the variant: throws OutputError.
  Variant first(const std::vector<double>& values) const;

  /// Per output whether slopes() knows it: masses, statics, frequencies, the peak, largest, smallest and last value
  /// along motion laws, and expressions of those.
  virtual std::vector<char> with_slopes() const;
  /// Slopes of the outputs (rows) by the axes (columns) at `values`, where the outputs are those of `at`, for less than
  /// a variant each: see study/output_slopes.hpp. Not a number where with_slopes() says no, or where neighbouring
  /// values do not continue each other.
  MatrixX slopes(const std::vector<double>& values, const Variant& at) const;

  const Study& study() const { return study_; }

 private:
  void compute(const std::vector<double>& values, RecordSink* record, const std::atomic<bool>* stop,
               Variant& variant) const;

  const Study& study_;
  ModelOfValues model_of_;
  std::unique_ptr<detail::OutputExpressions> expressions_;
};

}  // namespace lithe

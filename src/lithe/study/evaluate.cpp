// One variant of a study: the model, what is to be computed of it, and the numbers that are asked for.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/kinematics/motion.hpp"
#include "lithe/laws/suggestion.hpp"
#include "lithe/mechanism/build.hpp"
#include "lithe/simulation/audit_fields.hpp"
#include "lithe/simulation/free_memory.hpp"
#include "lithe/simulation/operating_point.hpp"
#include "lithe/simulation/rest.hpp"
#include "lithe/study/map_outputs.hpp"
#include "lithe/study/output_columns.hpp"
#include "lithe/study/output_expressions.hpp"
#include "lithe/study/output_slopes.hpp"
#include "lithe/study/variant_parts.hpp"

namespace lithe {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Keeps the rows and hands them on.
class KeptRun : public RecordSink {
 public:
  explicit KeptRun(RecordSink* next) : next_(next) {}
  void begin(const Model& model, const std::vector<std::string>& columns) override {
    rows_.begin(model, columns);
    if (next_ != nullptr) next_->begin(model, columns);
  }
  void row(std::span<const double> values) override {
    rows_.row(values);
    if (next_ != nullptr) next_->row(values);
  }
  void finish(const Audit& audit, const std::string& outcome) override {
    rows_.finish(audit, outcome);
    if (next_ != nullptr) next_->finish(audit, outcome);
  }
  const MemoryRecord& rows() const { return rows_; }

 private:
  MemoryRecord rows_;
  RecordSink* next_;
};

template <class Map>
const typename Map::mapped_type& entry(const Output& output, const Map& map, const char* what) {
  const auto found = map.find(output.of);
  if (found != map.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, value] : map) known.push_back(name);
  throw OutputError(output.name,
                    fmt::format("the run has no {} of '{}'{}", what, output.of, did_you_mean(output.of, known)));
}

double stress_number(const Output& output, const Audit& audit) {
  const LinkStress& link = entry(output, audit.stress, "stress");
  if (output.kind == OutputKind::stress) return link.peak;
  const std::optional<double>& value = output.kind == OutputKind::safety ? link.safety : link.damage;
  if (!value)
    throw OutputError(output.name, fmt::format("the material of link '{}' has no '{}'", output.of,
                                               output.kind == OutputKind::safety ? "yield" : "fatigue"));
  return *value;
}

double motor_number(const Output& output, const Audit& audit) {
  const MotorDuty& duty = entry(output, audit.motors, "motor");
  std::vector<std::string> known;
  for (const MotorDutyField& field : motor_duty_fields) {
    if (output.what == field.name) return duty.*field.field;
    known.emplace_back(field.name);
  }
  throw OutputError(output.name, fmt::format("a motor has no '{}'{}", output.what, did_you_mean(output.what, known)));
}

double audit_number(const Output& output, const Audit& audit) {
  std::vector<std::string> known;
  for (const auto& [name, field, meaning] : audit_counts) {
    if (output.of == name) return static_cast<double>(audit.*field);
    known.emplace_back(name);
  }
  for (const auto& [name, field, meaning] : audit_numbers) {
    if (std::string_view(name) == "wall_seconds") continue;  // no two runs have the same
    if (output.of == name) return audit.*field;
    known.emplace_back(name);
  }
  throw OutputError(output.name,
                    fmt::format("the audit has no number '{}'{}", output.of, did_you_mean(output.of, known)));
}

/// Of what the run tells about itself.
double report_number(const Output& output, const Audit& audit) {
  switch (output.kind) {
    case OutputKind::bending:
      return entry(output, audit.bending, "bending");
    case OutputKind::motor:
      return motor_number(output, audit);
    case OutputKind::audit:
      return audit_number(output, audit);
    default:
      return stress_number(output, audit);
  }
}

bool is_of_run(OutputKind kind) { return kind <= OutputKind::audit; }
bool is_of_modes(OutputKind kind) { return kind == OutputKind::frequency || kind == OutputKind::damping_ratio; }
bool is_of_statics(OutputKind kind) { return kind >= OutputKind::deflection && kind <= OutputKind::holding; }

template <class Test>
bool wants(const Study& study, const Test& test) {
  return std::any_of(study.outputs.begin(), study.outputs.end(), [&](const Output& each) { return test(each.kind); });
}

using RunFunction = RunOutcome (*)(const Model&, RecordSink&, const RunControl&);

RunFunction function_of(StudyRun run) {
  switch (run) {
    case StudyRun::simulate:
      return run_simulation;
    case StudyRun::inverse:
      return run_inverse;
    case StudyRun::kinematics:
      return run_kinematics;
  }
  return run_simulation;
}

/// Along motion laws the work is a matter of its own: most of the states would be visited for it alone.
bool asks_for_energy(const Study& study) {
  return std::any_of(study.outputs.begin(), study.outputs.end(), [](const Output& each) {
    return each.kind == OutputKind::audit || (is_of_column(each.kind) && each.of.find("energy.") != std::string::npos);
  });
}

std::string without_rows(const Output& output, const TimeWindow& window, const std::vector<double>& t) {
  const std::string where = window.from && window.until
                                ? fmt::format("between {:.6g} s and {:.6g} s", *window.from, *window.until)
                            : window.from ? fmt::format("from {:.6g} s on", *window.from)
                                          : fmt::format("up to {:.6g} s", *window.until);
  return fmt::format("output '{}': the run, from {:.6g} s to {:.6g} s, has no row {}", output.name, t.front(), t.back(),
                     where);
}

void add_run(const Study& study, const std::vector<double>& values, const detail::OutputExpressions& expressions,
             const Model& model, RecordSink* record, const std::atomic<bool>* stop, Variant& variant) {
  KeptRun sink(record);
  RunControl control;
  control.stop = stop;
  control.energy_balance = record != nullptr || asks_for_energy(study);
  const RunOutcome outcome = function_of(study.run)(model, sink, control);
  if (outcome.ending != RunOutcome::Ending::complete) {
    variant.error = outcome.message;
    return;
  }
  if (!outcome.audit.distrust.empty()) variant.error = outcome.audit.distrust.front();
  const std::vector<double> t = sink.rows().column("t");
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    const Output& output = study.outputs[i];
    if (is_of_column(output.kind)) {
      const TimeWindow window = expressions.window(i, values);
      variant.outputs[i] =
          reduce_column(output, window, t, detail::output_column(study, output, values, model.mechanism, sink.rows()));
      if (variant.error.empty() && !has_rows(window, t)) variant.error = without_rows(output, window, t);
    } else if (is_of_run(output.kind))
      variant.outputs[i] = report_number(output, outcome.audit);
  }
}

void add_modes(const Study& study, const Model& model, Variant& variant) {
  OperatingPoint pose = detail::pose_of_modes(study, model);
  const NaturalModes modes = pose.modes();
  std::vector<DampedMode> damped;
  if (wants(study, [](OutputKind kind) { return kind == OutputKind::damping_ratio; }))
    damped = damped_modes(pose.linear(), modes);
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    const Output& output = study.outputs[i];
    if (!is_of_modes(output.kind)) continue;
    if (output.number > modes.frequencies.size())
      throw OutputError(output.name, fmt::format("the mechanism has {} natural modes, but mode {} is asked for",
                                                 modes.frequencies.size(), output.number));
    variant.outputs[i] = output.kind == OutputKind::frequency
                             ? modes.frequencies[output.number - 1]
                             : damped[output.number - 1].ratio;
  }
}

FrameRef frame_of(const Output& output, const Mechanism& mechanism) {
  try {
    return frame_named(mechanism, output.of);
  } catch (const MechanismError& error) {
    throw OutputError(output.name, error.what());
  }
}

double holding_force(const Output& output, const ModelAtRest& pose) {
  std::vector<std::string> known;
  for (const int v : pose.locked()) {
    if (pose.plan().speed_name(v) == output.of) return pose.rest().tau[v];
    known.push_back(pose.plan().speed_name(v));
  }
  throw OutputError(output.name,
                    fmt::format("no motor '{}' holds the pose{}", output.of, did_you_mean(output.of, known)));
}

}  // namespace

namespace detail {

OperatingPoint pose_of_modes(const Study& study, const Model& model) {
  return OperatingPoint(model, {study.at, true, Motors::servo});
}

RunOutcome run_for_columns(const Study& study, const Model& model, RecordSink& sink) {
  RunControl control;
  control.energy_balance = false;
  return function_of(study.run)(model, sink, control);
}

void add_statics(const Study& study, const Model& model, Variant& variant) {
  const Model twin = static_twin(model);
  ModelAtRest pose(twin, {study.at, false});
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    const Output& output = study.outputs[i];
    if (!is_of_statics(output.kind)) continue;
    if (output.kind == OutputKind::holding) {
      variant.outputs[i] = holding_force(output, pose);
      continue;
    }
    const FrameRef frame = frame_of(output, pose.plan().mechanism());
    if (output.kind == OutputKind::compliance) {
      const MatrixX compliance = frame_compliance(pose.plan(), pose.work(), pose.rest(), frame);
      variant.outputs[i] = compliance(3 + output.direction, 3 + output.direction);
      continue;
    }
    const Vec3 shift = frame_pose(pose.plan(), pose.work(), pose.rest().state.q, frame).position -
                       frame_pose(pose.plan(), pose.work(), pose.start().q, frame).position;
    variant.outputs[i] = output.direction < 0 ? shift.norm() : shift[output.direction];
  }
}

double mass_of(const Output& output, const Mechanism& mechanism) {
  double mass = 0.0;
  std::vector<std::string> known{"all"};
  for (std::size_t i = 1; i < mechanism.links.size(); ++i) {
    const LinkData& link = mechanism.links[i];
    if (output.of == link.name) return link.mass;
    known.push_back(link.name);
    mass += link.mass;
  }
  if (output.of == "all") return mass;
  throw OutputError(output.name,
                    fmt::format("the model has no link '{}'{}", output.of, did_you_mean(output.of, known)));
}

}  // namespace detail

StudyEvaluator::StudyEvaluator(const Study& study, ModelOfValues model_of)
    : study_(study), model_of_(std::move(model_of)), expressions_(std::make_unique<detail::OutputExpressions>(study)) {}

StudyEvaluator::~StudyEvaluator() = default;

std::vector<char> StudyEvaluator::with_slopes() const { return detail::outputs_with_slopes(study_, *expressions_); }

MatrixX StudyEvaluator::slopes(const std::vector<double>& values, const Variant& at) const {
  return detail::output_slopes(study_, model_of_, *expressions_, with_slopes(), values, at);
}

void StudyEvaluator::compute(const std::vector<double>& values, RecordSink* record, const std::atomic<bool>* stop,
                             Variant& variant) const {
  variant.outputs.assign(study_.outputs.size(), unknown);
  if (study_.needs_model()) {
    Model model = model_of_(values);
    for (std::size_t i = 0; i < study_.outputs.size(); ++i)
      if (study_.outputs[i].kind == OutputKind::mass)
        variant.outputs[i] = detail::mass_of(study_.outputs[i], model.mechanism);
    if (study_.needs_modes()) add_modes(study_, model, variant);
    if (study_.needs_statics()) detail::add_statics(study_, model, variant);
    if (study_.needs_map()) detail::add_map(study_, model, stop, variant);
    if (study_.needs_run() || record != nullptr) {
      detail::record_outputs(study_, record != nullptr, model);
      add_run(study_, values, *expressions_, model, record, stop, variant);
    }
  }
  expressions_->add(values, variant);
}

Variant StudyEvaluator::evaluate(const std::vector<double>& values, RecordSink* record,
                                 const std::atomic<bool>* stop) const {
  Variant variant;
  try {
    compute(values, record, stop, variant);
  } catch (const std::bad_alloc&) {
    variant.error = out_of_memory_text();
  } catch (const std::exception& error) {
    variant.error = error.what();
  }
  return variant;
}

Variant StudyEvaluator::first(const std::vector<double>& values) const {
  Variant variant;
  try {
    compute(values, nullptr, nullptr, variant);
  } catch (const OutputError&) {
    throw;
  } catch (const std::exception& error) {
    variant.error = error.what();
  }
  return variant;
}

}  // namespace lithe

// One variant of a study: the model, what is to be computed of it, and the numbers that are asked for.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/kinematics/motion.hpp"
#include "lithe/laws/expression.hpp"
#include "lithe/laws/suggestion.hpp"
#include "lithe/mechanism/build.hpp"
#include "lithe/simulation/audit_fields.hpp"
#include "lithe/simulation/operating_point.hpp"
#include "lithe/simulation/rest.hpp"
#include "lithe/study/column_reduction.hpp"
#include "lithe/study/study.hpp"

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

/// pos.LINK.x means pos.LINK.origin.x, as everywhere.
std::string full_name(const std::vector<std::string>& columns, const std::string& column) {
  const auto has = [&](const std::string& name) {
    return std::find(columns.begin(), columns.end(), name) != columns.end();
  };
  if (has(column)) return column;
  const std::size_t dot = column.rfind('.');
  const std::string of_origin = dot == std::string::npos ? "" : column.substr(0, dot) + ".origin" + column.substr(dot);
  return has(of_origin) ? of_origin : std::string{};
}

std::vector<double> column_of(const Output& output, const MemoryRecord& rows) {
  const std::string name = full_name(rows.columns(), output.of);
  if (name.empty())
    throw OutputError(output.name,
                      fmt::format("the run records no column '{}'{}; what is recorded stands under 'record' "
                                  "of the model",
                                  output.of, did_you_mean(output.of, rows.columns())));
  return rows.column(name);
}

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
  const LinkStress& link = entry(output, audit.stress, "stress (with 'stress' under 'record' of the model)");
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

double run_number(const Output& output, const MemoryRecord& rows, const std::vector<double>& t, const Audit& audit) {
  switch (output.kind) {
    case OutputKind::stress:
    case OutputKind::safety:
    case OutputKind::damage:
      return stress_number(output, audit);
    case OutputKind::bending:
      return entry(output, audit.bending, "bending");
    case OutputKind::motor:
      return motor_number(output, audit);
    case OutputKind::audit:
      return audit_number(output, audit);
    default:
      return reduce_column(output, t, column_of(output, rows));
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

void add_run(const Study& study, const Model& model, RecordSink* record, const std::atomic<bool>* stop,
             Variant& variant) {
  KeptRun sink(record);
  RunControl control;
  control.stop = stop;
  const RunOutcome outcome = function_of(study.run)(model, sink, control);
  if (outcome.ending != RunOutcome::Ending::complete) {
    variant.error = outcome.message;
    return;
  }
  if (!outcome.audit.distrust.empty()) variant.error = outcome.audit.distrust.front();
  const std::vector<double> t = sink.rows().column("t");
  for (std::size_t i = 0; i < study.outputs.size(); ++i)
    if (is_of_run(study.outputs[i].kind))
      variant.outputs[i] = run_number(study.outputs[i], sink.rows(), t, outcome.audit);
}

void add_modes(const Study& study, const Model& model, Variant& variant) {
  OperatingPoint pose(model, {study.at, true, Motors::servo});
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
                             : damped[static_cast<std::size_t>(output.number - 1)].ratio;
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

}  // namespace

/// Those among the outputs, parsed once. Variables are the axes that have plain names, and the outputs before.
class StudyEvaluator::Expressions {
 public:
  explicit Expressions(const Study& study) {
    std::vector<std::string> names;
    for (std::size_t a = 0; a < study.axes.size(); ++a)
      if (Expression::why_not_a_name(study.axes[a].name).empty()) {
        names.push_back(study.axes[a].name);
        axes_.push_back(a);
      }
    for (std::size_t i = 0; i < study.outputs.size(); ++i) {
      const Output& output = study.outputs[i];
      if (output.kind == OutputKind::expression) {
        try {
          parsed_.emplace_back(i, Expression::of_variables(output.of, {}, names));
        } catch (const ExpressionError& error) {
          throw OutputError(output.name, fmt::format("{} (column {} of the expression; it may use axes and the outputs "
                                                     "before it)",
                                                     error.what(), error.column() + 1));
        }
      }
      names.push_back(output.name);
    }
  }

  void add(const std::vector<double>& values, Variant& variant) const {
    if (parsed_.empty()) return;
    std::vector<double> variables;
    for (const std::size_t a : axes_) variables.push_back(values[a]);
    const std::size_t given = variables.size();
    variables.insert(variables.end(), variant.outputs.begin(), variant.outputs.end());
    for (const auto& [i, expression] : parsed_)
      variables[given + i] = variant.outputs[i] = expression.value_at({variables.data(), given + i});
  }

 private:
  std::vector<std::size_t> axes_;
  std::vector<std::pair<std::size_t, Expression>> parsed_;
};

StudyEvaluator::StudyEvaluator(const Study& study, ModelOfValues model_of)
    : study_(study), model_of_(std::move(model_of)), expressions_(std::make_unique<Expressions>(study)) {}

StudyEvaluator::~StudyEvaluator() = default;

void StudyEvaluator::compute(const std::vector<double>& values, RecordSink* record, const std::atomic<bool>* stop,
                             Variant& variant) const {
  variant.outputs.assign(study_.outputs.size(), unknown);
  if (study_.needs_model()) {
    const Model model = model_of_(values);
    for (std::size_t i = 0; i < study_.outputs.size(); ++i)
      if (study_.outputs[i].kind == OutputKind::mass) variant.outputs[i] = mass_of(study_.outputs[i], model.mechanism);
    if (study_.needs_modes()) add_modes(study_, model, variant);
    if (study_.needs_statics()) add_statics(study_, model, variant);
    if (study_.needs_run() || record != nullptr) add_run(study_, model, record, stop, variant);
  }
  expressions_->add(values, variant);
}

Variant StudyEvaluator::evaluate(const std::vector<double>& values, RecordSink* record,
                                 const std::atomic<bool>* stop) const {
  Variant variant;
  try {
    compute(values, record, stop, variant);
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

#include "lithe/study/output_slopes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>

#include "lithe/study/output_columns.hpp"
#include "lithe/study/variant_parts.hpp"

namespace lithe::detail {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
/// Of the axis, and of its range: errors of the formulas and of rounding are both some 1e-8 of the slope then.
constexpr double step_share = 1e-4;
constexpr double least_share = 1e-3;  ///< of its range, which counts as the size of a value near zero
constexpr double straight = 1e-4;     ///< of an output: how far three neighbours may lie off a line
constexpr double twin_modes = 1e-6;   ///< relative distance of two w^2 whose shapes are arbitrary

bool is_of_one_row(OutputKind kind) {
  return kind == OutputKind::peak || kind == OutputKind::maximum || kind == OutputKind::minimum ||
         kind == OutputKind::final;
}

bool is_of_statics(OutputKind kind) { return kind >= OutputKind::deflection && kind <= OutputKind::holding; }

bool has_slope(const Study& study, const OutputExpressions& expressions, std::size_t i,
               const std::vector<char>& known) {
  const Output& output = study.outputs[i];
  if (output.kind == OutputKind::mass || output.kind == OutputKind::frequency || is_of_statics(output.kind))
    return true;
  if (is_of_one_row(output.kind))  // work is summed up on the way
    return study.run != StudyRun::simulate && output.of.find("energy.") == std::string::npos;
  if (output.kind != OutputKind::expression) return false;
  for (std::size_t j = 0; j < i; ++j)
    if (known[j] == 0 && expressions.uses(i, j)) return false;
  return true;
}

/// The row of a column that an output is taken from, and the sign with which.
struct Row {
  std::size_t output;
  double t, sign;
};

Row row_of(std::size_t i, const Output& output, const TimeWindow& window, const std::vector<double>& t,
           const std::vector<double>& x) {
  const double slack = 1e-9 * (t.back() - t.front());
  Row best{i, none, 1.0};
  double most = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    if ((window.from && t[k] < *window.from - slack) || (window.until && t[k] > *window.until + slack)) continue;
    const double sign = output.kind == OutputKind::minimum                      ? -1.0
                        : output.kind == OutputKind::peak && std::signbit(x[k]) ? -1.0
                                                                                : 1.0;
    if (std::isnan(best.t) || output.kind == OutputKind::final || sign * x[k] > most) {
      most = sign * x[k];
      best.t = t[k];
      best.sign = output.kind == OutputKind::peak ? sign : 1.0;
    }
  }
  return best;
}

class Slopes {
 public:
  Slopes(const Study& study, const ModelOfValues& model_of, const OutputExpressions& expressions,
         const std::vector<char>& known, const std::vector<double>& values, const Variant& at)
      : study_(study), model_of_(model_of), expressions_(expressions), known_(known), values_(values), at_(at) {}

  MatrixX find() {
    const auto outputs = std::ssize(study_.outputs);
    MatrixX slopes = MatrixX::Constant(outputs, std::ssize(values_), none);
    const auto wants = [&](const auto& test) {
      for (std::size_t i = 0; i < study_.outputs.size(); ++i)
        if (known_[i] != 0 && test(study_.outputs[i].kind)) return true;
      return false;
    };
    wants_model_ = wants([](OutputKind kind) { return kind != OutputKind::expression; });
    try {
      if (wants_model_) {
        base_.emplace(model_of_(values_));
        if (wants([](OutputKind kind) { return kind == OutputKind::frequency; })) find_shapes();
        wants_statics_ = wants(is_of_statics);
        if (wants(is_of_one_row)) find_rows();
        for (std::size_t a = 0; a < values_.size(); ++a) slopes.col(static_cast<Eigen::Index>(a)) = along(a);
      }
      expressions_.add_slopes(values_, at_, known_, slopes);
    } catch (const std::exception&) {
      slopes.setConstant(none);  // as of a neighbour below
    }
    return slopes;
  }

 private:
  /// Shapes and matrices at the values themselves.
  void find_shapes() {
    OperatingPoint pose = pose_of_modes(study_, *base_);
    modes_ = pose.modes();
    linear_ = pose.linear();
  }

  void find_rows() {
    Model model = *base_;
    record_outputs(study_, false, model);
    MemoryRecord rows;
    if (run_for_columns(study_, model, rows).ending != RunOutcome::Ending::complete) return;
    const std::vector<double> t = rows.column("t");
    for (std::size_t i = 0; i < study_.outputs.size(); ++i)
      if (known_[i] != 0 && is_of_one_row(study_.outputs[i].kind)) {
        const Row row = row_of(i, study_.outputs[i], expressions_.window(i, values_), t,
                               output_column(study_, study_.outputs[i], values_, model.mechanism, rows));
        if (!std::isnan(row.t)) rows_[row.t].push_back(row);
      }
  }

  /// Central difference along an axis; at an end of it one of the same order from the inside.
  VectorX along(std::size_t a) const {
    const double least = study_.axes[a].spread.least(), most = study_.axes[a].spread.most(), range = most - least;
    const double size = std::isfinite(range) ? std::clamp(std::abs(values_[a]), least_share * range, range)
                                             : std::max(std::abs(values_[a]), 1.0);
    const double step = step_share * size, value = values_[a];
    const double side = value + step > most ? -1.0 : value - step < least ? 1.0 : 0.0;
    const std::array<double, 2> offsets =
        side == 0.0 ? std::array{-step, step} : std::array{side * step, 2.0 * side * step};
    const std::array<VectorX, 2> there{numbers(a, value + offsets[0]), numbers(a, value + offsets[1])};
    VectorX slope = VectorX::Constant(there[0].size(), none);
    for (Eigen::Index i = 0; i < slope.size(); ++i) {
      const double f = at_.outputs[i], f1 = there[0][i], f2 = there[1][i];
      const double bend = side == 0.0 ? f1 - 2.0 * f + f2 : f - 2.0 * f1 + f2;
      if (!(std::abs(bend) <= straight * std::max({std::abs(f), std::abs(f1), std::abs(f2)}))) continue;
      slope[i] = side == 0.0 ? (f2 - f1) / (2.0 * step) : side * (-3.0 * f + 4.0 * f1 - f2) / (2.0 * step);
    }
    return slope;
  }

  /// Outputs of a neighbour, as far as slopes are made of them.
  VectorX numbers(std::size_t a, double value) const {
    VectorX found = VectorX::Constant(std::ssize(study_.outputs), none);
    try {
      std::vector<double> values = values_;
      values[a] = value;
      const Model model = model_of_(values);
      for (std::size_t i = 0; i < study_.outputs.size(); ++i)
        if (known_[i] != 0 && study_.outputs[i].kind == OutputKind::mass)
          found[static_cast<Eigen::Index>(i)] = mass_of(study_.outputs[i], model.mechanism);
      if (modes_) put_frequencies(model, found);
      if (wants_statics_) put_statics(model, found);
      if (!rows_.empty()) put_rows(values, model, found);
    } catch (const std::exception&) {
      // What this neighbour lacks stays unknown; whoever wants the slope finds another way to it.
    }
    return found;
  }

  /// Rayleigh's quotient of the shape at the values: it differs from w^2 by the square of the step.
  void put_frequencies(const Model& model, VectorX& found) const {
    const OperatingPoint pose = pose_of_modes(study_, model);
    const Linearization& linear = pose.linear();
    if (linear.names != linear_.names) return;
    for (std::size_t i = 0; i < study_.outputs.size(); ++i) {
      const int mode = study_.outputs[i].number - 1;
      if (known_[i] == 0 || study_.outputs[i].kind != OutputKind::frequency || has_twin(mode)) continue;
      const VectorX shape = modes_->shapes.col(mode);
      const double square = shape.dot(linear.K * shape) / shape.dot(linear.M * shape);
      found[static_cast<Eigen::Index>(i)] = std::copysign(std::sqrt(std::abs(square)), square) / (2 * std::numbers::pi);
    }
  }

  bool has_twin(int mode) const {
    const VectorX& f = modes_->frequencies;
    for (Eigen::Index other = 0; other < f.size(); ++other)
      if (other != mode && std::abs(f[other] - f[mode]) <= twin_modes * std::abs(f[mode])) return true;
    return false;
  }

  void put_statics(const Model& model, VectorX& found) const {
    Variant variant;
    variant.outputs.assign(study_.outputs.size(), none);
    add_statics(study_, model, variant);
    for (std::size_t i = 0; i < study_.outputs.size(); ++i)
      if (known_[i] != 0 && is_of_statics(study_.outputs[i].kind))
        found[static_cast<Eigen::Index>(i)] = variant.outputs[i];
  }

  /// One short run per time: its rows are the start and that time.
  void put_rows(const std::vector<double>& values, Model model, VectorX& found) const {
    if (model.run.from != base_->run.from || model.run.until != base_->run.until || model.run.every != base_->run.every)
      return;  // the rows themselves move
    record_outputs(study_, false, model);
    for (const auto& [t, list] : rows_) {
      if (t > model.run.from) {
        model.run.until = t;
        model.run.every = t - model.run.from;
      }
      MemoryRecord rows;
      if (run_for_columns(study_, model, rows).ending != RunOutcome::Ending::complete) continue;
      for (const Row& row : list) {
        const Output& output = study_.outputs[row.output];
        const TimeWindow now = expressions_.window(row.output, values), then = expressions_.window(row.output, values_);
        if (now.from != then.from || now.until != then.until) continue;
        const std::vector<double> x = output_column(study_, output, values, model.mechanism, rows);
        found[static_cast<Eigen::Index>(row.output)] = row.sign * (t > base_->run.from ? x.back() : x.front());
      }
    }
  }

  const Study& study_;
  const ModelOfValues& model_of_;
  const OutputExpressions& expressions_;
  const std::vector<char>& known_;
  const std::vector<double>& values_;
  const Variant& at_;
  std::optional<Model> base_;
  bool wants_model_ = false, wants_statics_ = false;
  std::optional<NaturalModes> modes_;
  Linearization linear_;
  std::map<double, std::vector<Row>> rows_;  ///< by time
};

}  // namespace

std::vector<char> outputs_with_slopes(const Study& study, const OutputExpressions& expressions) {
  std::vector<char> known(study.outputs.size(), 0);
  for (std::size_t i = 0; i < known.size(); ++i) known[i] = has_slope(study, expressions, i, known) ? 1 : 0;
  return known;
}

MatrixX output_slopes(const Study& study, const ModelOfValues& model_of, const OutputExpressions& expressions,
                      const std::vector<char>& known, const std::vector<double>& values, const Variant& at) {
  return Slopes(study, model_of, expressions, known, values, at).find();
}

}  // namespace lithe::detail

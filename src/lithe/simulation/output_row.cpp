#include "lithe/simulation/output_row.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numbers>

#include "lithe/laws/suggestion.hpp"

namespace lithe::detail {
namespace {

/// Whether `name` fits `pattern`, in which * stands for any letters.
bool fits_pattern(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*')
    return fits_pattern(pattern.substr(1), name) || (!name.empty() && fits_pattern(pattern, name.substr(1)));
  return !name.empty() && name[0] == pattern[0] && fits_pattern(pattern.substr(1), name.substr(1));
}

/// Time and sums over the run so far are no functions of the state; the closure error is zero at every state; the
/// largest stress over a section has no slope where nothing is stressed.
bool follows_from_state(const std::string& column) {
  if (column.starts_with("stress.") && !column.ends_with(".axial")) return false;
  return column != "t" && column != "closure" && column != "energy.work" && column != "energy.dissipated";
}

}  // namespace

class OutputRow::Sink : public RecordSink {
 public:
  void begin(const Model&, const std::vector<std::string>& names) override { columns = names; }
  void row(std::span<const double> row) override { values.assign(row.begin(), row.end()); }
  void finish(const Audit&, const std::string&) override {}

  std::vector<std::string> columns;
  std::vector<double> values;
};

OutputRow::OutputRow(const Model& model, const Plan& plan, Workspace& work, const std::vector<std::string>& wanted)
    : sink_(std::make_unique<Sink>()),
      recorder_(std::make_unique<Recorder>(model, plan, work, RecordedForces::all, *sink_)),
      sensors_(model, plan, work) {
  std::vector<std::string> columns = sink_->columns;
  const std::vector<std::string> signals = sensors_.columns();
  columns.insert(columns.end(), signals.begin(), signals.end());
  const auto choose = [&](std::size_t column) {
    if (!follows_from_state(columns[column]) || std::find(chosen_.begin(), chosen_.end(), column) != chosen_.end())
      return false;
    chosen_.push_back(column);
    names_.push_back(columns[column]);
    return true;
  };
  for (std::size_t i = 0; i < columns.size() && wanted.empty(); ++i) choose(i);
  for (const std::string& pattern : wanted) {
    bool any = false;
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (fits_pattern(pattern, columns[i])) any = choose(i) || any;
    if (any) continue;
    std::vector<std::string> known;
    std::copy_if(columns.begin(), columns.end(), std::back_inserter(known), follows_from_state);
    const std::string hint = did_you_mean(pattern, known);
    throw MechanismError(pattern,
                         fmt::format("output '{}': the model records no such quantity{}", pattern,
                                     hint.empty() ? fmt::format("; there are: {}", fmt::join(known, ", ")) : hint));
  }
}

OutputRow::~OutputRow() = default;

// A rotation vector of length r may also be written with length r - 2 pi; near half a turn a small motion changes over.
void OutputRow::keep_branch() {
  std::vector<double>& values = sink_->values;
  for (std::size_t i = 0; i + 2 < sink_->columns.size(); ++i) {
    const std::string& name = sink_->columns[i];
    if (!name.starts_with("rot.") || !name.ends_with(".x")) continue;
    Eigen::Map<Vec3> turn(values.data() + i);
    const Eigen::Map<const Vec3> first(first_.data() + i);
    const double length = turn.norm();
    if (length == 0.0 || (turn - first).norm() < std::numbers::pi) continue;
    turn *= (length - 2 * std::numbers::pi) / length;
  }
}

VectorX OutputRow::at(const State& state, const VectorX& a, const Actions& actions) {
  recorder_->row(state, a, actions, 0.0, 0.0);
  sensors_.measure(state, a, actions, sink_->values);
  if (first_.empty()) first_ = sink_->values;
  keep_branch();
  VectorX chosen(std::ssize(chosen_));
  for (std::size_t i = 0; i < chosen_.size(); ++i) chosen[i] = sink_->values[chosen_[i]];
  return chosen;
}

}  // namespace lithe::detail

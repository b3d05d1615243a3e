#include "lithe/study/sweep.hpp"

#include <fmt/format.h>
#include <tbb/info.h>

#include <algorithm>
#include <limits>
#include <mutex>

#include "lithe/simulation/free_memory.hpp"
#include "lithe/study/side_by_side.hpp"

namespace lithe {

StudyTable::StudyTable(const Study& study, const Samples& samples) : rows(samples.size()) {
  for (const StudyAxis& axis : study.axes) axes.push_back(axis.name);
  for (const Output& output : study.outputs) outputs.push_back(output.name);
  const auto count = static_cast<std::size_t>(rows);
  values.reserve(count * axes.size());
  for (long k = 0; k < rows; ++k) {
    const std::vector<double> point = samples.at(k);
    values.insert(values.end(), point.begin(), point.end());
  }
  results.assign(count * outputs.size(), std::numeric_limits<double>::quiet_NaN());
  errors.resize(count);
  known.assign(count, 0);
}

void StudyTable::put(long row, const Variant& variant) {
  if (variant.outputs.size() == outputs.size())
    std::copy(variant.outputs.begin(), variant.outputs.end(),
              results.begin() + row * std::ssize(outputs));
  errors[row] = variant.error;
  known[row] = 1;
}

std::span<const double> StudyTable::values_of(long row) const {
  return std::span(values).subspan(static_cast<std::size_t>(row) * axes.size(), axes.size());
}

std::span<const double> StudyTable::results_of(long row) const {
  return std::span(results).subspan(static_cast<std::size_t>(row) * outputs.size(), outputs.size());
}

long StudyTable::computed() const { return std::count(known.begin(), known.end(), 1); }

long StudyTable::failed() const {
  return std::count_if(errors.begin(), errors.end(), [](const std::string& error) { return !error.empty(); });
}

std::vector<long> StudyTable::missing() const {
  std::vector<long> list;
  for (long k = 0; k < rows; ++k)
    if (known[k] == 0) list.push_back(k);
  return list;
}

std::vector<long> StudyTable::good_rows() const {
  std::vector<long> list;
  for (long k = 0; k < rows; ++k)
    if (known[k] != 0 && errors[k].empty()) list.push_back(k);
  return list;
}

int machine_threads() { return tbb::info::default_concurrency(); }

double sweep_memory(const Study& study, long variants) {
  const auto axes = static_cast<double>(study.axes.size()), outputs = static_cast<double>(study.outputs.size());
  const double row = sizeof(double) * (axes + outputs) + sizeof(std::string) + sizeof(char);  // of the table
  const double strata = study.sample.method == SampleMethod::latin_hypercube ? sizeof(std::uint32_t) * axes : 0.0;
  // List of the missing ones, and of the analysis of an output: rows, x and y, their order and their ranks.
  constexpr double lists = sizeof(long) + 8 * sizeof(double);
  return static_cast<double>(variants) * (row + strata + lists);
}

void require_sweep_memory(const Study& study, long variants) {
  const double needed = sweep_memory(study, variants);
  const double fitting = std::floor(static_cast<double>(variants) * std::max(free_memory().bytes, 0.0) / needed);
  require_memory(
      needed, "sample", fmt::format("{} variants", variants),
      fmt::format("take at most {:.2g} of them, or fewer outputs, and put the tables of several studies with "
                  "other seeds together",
                  fitting));
}

bool run_variants(const StudyEvaluator& evaluator, const Samples& samples, const std::vector<long>& rows,
                  const SweepControl& control) {
  const auto is_stopped = [&] { return control.stop != nullptr && control.stop->load(); };
  std::mutex one_at_a_time;
  const auto work = [&](long row) {
    if (is_stopped()) return;
    const Variant variant = evaluator.evaluate(samples.at(row), nullptr, control.stop);
    if (is_stopped()) return;  // what a stopped run gives is no answer
    const std::lock_guard lock(one_at_a_time);
    if (control.finished) control.finished(row, variant);
  };
  detail::side_by_side(control.threads, rows.size(), [&](std::size_t i) { work(rows[i]); });
  return !is_stopped();
}

}  // namespace lithe

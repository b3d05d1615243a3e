#pragma once
// All variants of a study, on the threads of one machine. What comes out does not depend on their number.

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lithe/study/study.hpp"

namespace lithe {

/// What is known of the variants of a study: row k belongs to variant k.
struct StudyTable {
  std::vector<std::string> axes, outputs;  ///< names
  long rows = 0;
  std::vector<double> values;       ///< of the axes, rows one after the other
  std::vector<double> results;      ///< outputs likewise; not a number where a variant failed or has not been computed
  std::vector<std::string> errors;  ///< per row; empty: none
  std::vector<char> known;          ///< per row: has been computed

  StudyTable() = default;
  StudyTable(const Study& study, const Samples& samples);
  void put(long row, const Variant& variant);
  std::span<const double> values_of(long row) const;
  std::span<const double> results_of(long row) const;
  long computed() const;
  long failed() const;  ///< computed, with an error
  std::vector<long> missing() const;
  /// Output `output` of all rows that were computed without an error, and the numbers of these rows.
  std::vector<long> good_rows() const;
};

struct SweepControl {
  int threads = 0;                          ///< 0: as many as the machine has
  const std::atomic<bool>* stop = nullptr;  ///< ends the sweep; variants under way are given up
  /// Called with every variant that is finished, by one thread at a time, in any order. What it throws ends the sweep.
  std::function<void(long row, const Variant&)> finished;
};

/// Computes the variants `rows`. False when it was stopped.
bool run_variants(const StudyEvaluator& evaluator, const Samples& samples, const std::vector<long>& rows,
                  const SweepControl& control);

/// Threads that this machine offers.
int machine_threads();

/// Memory that a sweep of so many variants takes with its analysis, beside what one variant needs; about, in bytes.
double sweep_memory(const Study& study, long variants);
/// Throws MechanismError about "sample" when there is less; before the work, because a table that does not fit would be
/// found out hours later.
void require_sweep_memory(const Study& study, long variants);

}  // namespace lithe

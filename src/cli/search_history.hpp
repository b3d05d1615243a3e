#pragma once
// The variants of a search as they come: into the journal, and at the end into the results.

#include <map>
#include <nlohmann/json_fwd.hpp>

#include "lithe/io/study_results.hpp"
#include "lithe/study/optimize.hpp"
#include "terminal.hpp"

namespace lithe::cli {

class SearchHistory {
 public:
  SearchHistory(const Study& study, const std::string& journal, const std::string& fingerprint, bool resume);

  /// Control of a search that notes everything here; `most`: variants that it may take.
  OptimizeControl control(ProgressBar& bar, double most);
  std::size_t size() const { return history_.size(); }
  /// What the first variant has against it when all of them failed; else empty.
  std::string why_none() const;
  /// Says that it was stopped; the exit code.
  int tell_stopped() const;
  /// Results as those of a sweep; `csv` may be empty. The journal is then removed.
  void write(const std::string& hdf5, const std::string& csv, const StudyRecord& record,
             const std::vector<std::string>& inputs);

 private:
  StudyTable table() const;

  const Study& study_;
  StudyJournal journal_;
  std::map<long, Variant> known_;
  std::map<long, std::pair<std::vector<double>, Variant>> history_;
  long computed_ = 0;
};

nlohmann::ordered_json to_json(const Study& study, const Optimum& found);
/// Of one objective.
void print_searches(const Study& study, const OptimizeAnswer& answer);

}  // namespace lithe::cli

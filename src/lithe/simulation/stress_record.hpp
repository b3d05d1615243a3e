#pragma once
// Stress in the elastic links, row by row: columns, peaks, and the damage of the cycles that it goes through.

#include <string>
#include <vector>

#include "lithe/analysis/rainflow.hpp"
#include "lithe/dynamics/section_forces.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::detail {

/// How a place along a link is called in columns: "0.25m+".
std::string place_name(const SectionForces& place);

class StressRecord {
 public:
  /// Of the links of `plan` whose sections are known.
  StressRecord(const RecordOptions& options, const Plan& plan);

  void add_columns(std::vector<std::string>& columns) const;
  /// Appends the values of one row.
  void put(double t, const SectionRecovery& forces, std::vector<double>& values);

  /// Peaks, safety, damage and life into the audit; warns of links beyond yield.
  void judge(Audit& audit) const;

 private:
  /// A fibre whose cycles are counted.
  struct Counted {
    RainflowCounter counter;
    double damage = 0.0;
  };
  struct Place {
    int link = 0, number = 0;
    const SectionForces* data = nullptr;
    double peak = 0.0, time = 0.0;  ///< von Mises, Pa; when, s
    std::vector<Counted> fibres;    ///< where the material has an S-N line
  };

  static double total_damage(const Counted& fibre, const SnLine& line);
  static void judge_place(const Place& place, LinkStress& link);

  const RecordOptions& options_;
  const Plan& plan_;
  std::vector<Place> places_;  ///< link by link
  double first_time_ = 0.0, last_time_ = 0.0;
  bool has_rows_ = false;
};

}  // namespace lithe::detail

#pragma once
// Numbers of a finished run, by name.
//
//   COLUMN                        at an instant: the recorded value there
//   bending.LINK.FRAME.y          may stand for COLUMN: how far a frame of an elastic link moves in the axes of the
//                                 link (m); bending-rate. likewise its rate
//   error.JOINT  error-rate.JOINT may, too: coordinate minus motion law, and its rate
//   feedback.JOINT                likewise: what the PD of its drive adds
//   path.LINK.FRAME.x             likewise: position of a frame minus its place on its path (m); y, z, norm
//   COLUMN minus COLUMN, plus     likewise
//   last COLUMN  first COLUMN     of the whole run
//   max COLUMN  min COLUMN        refined by a parabola through the three best rows
//   time of max COLUMN ...        and when that is
//   peak COLUMN                   largest magnitude among the rows, as it stands there
//   frequency COLUMN              Hz, from the first to the last rise through its mean
//   ... from A to B               these four: of the rows with A <= t <= B only
//   time of COLUMN beyond X       of the first row with a larger magnitude than X; infinite when there is none
//   steps, rejected, evaluations, worst closure, energy error       from the audit
//   largest last error            of all driven joints at the end
//   largest error                 of all driven joints at all rows
//   largest correction.JOINT      |motor force - nominal force| / |nominal force|, percent, at all rows

#include <map>
#include <optional>

#include "lithe/simulation/simulate.hpp"

namespace lithe::reproduce {

class RunQuantities {
 public:
  /// `nominal`: motor forces of inverse dynamics at the same instants, for corrections; may be null.
  RunQuantities(const Model& model, const MemoryRecord& record, const RunOutcome& outcome, const MemoryRecord* nominal)
      : model_(model), record_(record), outcome_(outcome), nominal_(nominal) {}

  /// Throws CaseError for a name that means nothing.
  double operator()(const std::string& name, std::optional<double> t) const;

 private:
  using Series = std::vector<double>;  ///< one value per row

  /// Rows from `first` up to, not including, `end`.
  struct Rows {
    std::size_t first, end;
  };
  const Series& series(const std::string& column) const;
  Series made_series(const std::string& column) const;
  Series bending(const std::string& place, const std::string& kind) const;
  Series tracking_error(const std::string& joint, bool is_rate) const;
  Series path_error(const std::string& place) const;
  const Drive& following(const std::string& joint) const;
  double at_instant(const std::string& column, double t) const;
  Rows rows_between(double from, double until) const;
  double of_rows(const std::string& name, Rows rows) const;
  double extreme(const std::string& column, double sign, bool time, Rows rows) const;
  double peak(const std::string& column, Rows rows) const;
  double frequency(const std::string& column, Rows rows) const;
  double time_beyond(const std::string& column, double limit) const;
  double largest_error(std::size_t first) const;
  double correction(const std::string& joint) const;

  const Model& model_;
  const MemoryRecord& record_;
  const RunOutcome& outcome_;
  const MemoryRecord* nominal_;
  mutable std::map<std::string, Series> series_;  ///< those that have been asked for
};

}  // namespace lithe::reproduce

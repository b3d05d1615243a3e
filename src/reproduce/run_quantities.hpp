#pragma once
// Numbers of a finished run, by name.
//
//   COLUMN                        at an instant: the recorded value there
//   bending.LINK.FRAME.y          may stand for COLUMN: how far a frame of an elastic link moves in the axes of the
//                                 link (m); bending-rate. likewise its rate
//   error.JOINT  error-rate.JOINT may, too: coordinate minus motion law, and its rate
//   extra.JOINT                   likewise: motor force minus nominal force (of inverse dynamics)
//   last COLUMN  first COLUMN     of the whole run
//   max COLUMN  min COLUMN        refined by a parabola through the three best rows
//   time of max COLUMN ...        and when that is
//   peak COLUMN                   largest magnitude among the rows, as it stands there
//   frequency COLUMN              Hz, from the first to the last rise through its mean
//   ... from A to B               these four: of the rows with A <= t <= B only
//   time of COLUMN beyond X       of the first row with a larger magnitude than X; infinite when there is none
//   steps, rejected, evaluations, worst closure, energy error       from the audit
//   last error.JOINT              coordinate minus motion law at the end
//   largest last error            of all driven joints at the end
//   largest error                 of all driven joints at all rows
//   largest correction.JOINT      |motor force - nominal force| / |nominal force|, percent, at all rows
//
// Corrections and extra forces need the nominal forces: asks_for_nominal() says which quantities do.

#include <optional>

#include "lithe/simulation/simulate.hpp"

namespace lithe::reproduce {

/// Whether RunQuantities needs the nominal motor forces for it.
bool asks_for_nominal(const std::string& quantity);

class RunQuantities {
 public:
  /// `nominal`: motor forces of inverse dynamics at the same instants; may be null.
  RunQuantities(const Model& model, const MemoryRecord& record, const RunOutcome& outcome, const MemoryRecord* nominal)
      : model_(model), record_(record), outcome_(outcome), nominal_(nominal) {}

  /// Throws CaseError for a name that means nothing.
  double operator()(const std::string& name, std::optional<double> t) const;

 private:
  /// Rows from `first` up to, not including, `end`.
  struct Rows {
    std::size_t first, end;
  };
  double value(std::size_t row, const std::string& column) const;
  double bending(std::size_t row, const std::string& place, bool is_rate) const;
  double at_instant(const std::string& column, double t) const;
  Rows rows_between(double from, double until) const;
  double of_rows(const std::string& name, Rows rows) const;
  double extreme(const std::string& column, double sign, bool time, Rows rows) const;
  double peak(const std::string& column, Rows rows) const;
  double frequency(const std::string& column, Rows rows) const;
  double time_beyond(const std::string& column, double limit) const;
  double tracking_error(const std::string& joint, std::size_t row, bool is_rate = false) const;
  const MemoryRecord& nominal() const;
  double correction(const std::string& joint) const;

  const Model& model_;
  const MemoryRecord& record_;
  const RunOutcome& outcome_;
  const MemoryRecord* nominal_;
};

}  // namespace lithe::reproduce

#pragma once
// Numbers of a finished run, by name.
//
//   COLUMN                        at an instant: the recorded value there
//   bending.LINK.FRAME.y          may stand for COLUMN: how far a frame of an elastic link moves in the axes of the
//                                 link (m); bending-rate. likewise its rate
//   last COLUMN  first COLUMN     of the whole run
//   max COLUMN  min COLUMN        refined by a parabola through the three best rows
//   time of max COLUMN ...        and when that is
//   peak COLUMN                   largest magnitude among the rows, as it stands there
//   steps, rejected, evaluations, worst closure, energy error       from the audit
//   last error.JOINT              coordinate minus motion law at the end
//   largest last error            of all driven joints at the end
//   largest error                 of all driven joints at all rows
//   largest correction.JOINT      |motor force - nominal force| / |nominal force|, percent, at all rows

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
  double value(std::size_t row, const std::string& column) const;
  double at_instant(const std::string& column, double t) const;
  double extreme(const std::string& column, double sign, bool time) const;
  double peak(const std::string& column) const;
  double tracking_error(const std::string& joint, std::size_t row) const;
  double correction(const std::string& joint) const;

  const Model& model_;
  const MemoryRecord& record_;
  const RunOutcome& outcome_;
  const MemoryRecord* nominal_;
};

}  // namespace lithe::reproduce

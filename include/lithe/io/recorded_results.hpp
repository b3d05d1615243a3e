#pragma once
// A run kept in memory as if it had been read from a result file.

#include "lithe/io/read_results.hpp"

namespace lithe {

class ResultsRecord : public RecordSink {
 public:
  /// Whether the model can be rebuilt from the results; needless while it is at hand, and it takes as long as a tenth of a short run.
  enum class Mechanism { kept, left_out };

  /// `results` is filled and must outlive this object.
  explicit ResultsRecord(Results& results, Mechanism mechanism = Mechanism::kept)
      : results_(results), mechanism_(mechanism) {}

  /// Throws ResultsError when the rows would not fit into the memory of the machine.
  void begin(const Model& model, const std::vector<std::string>& columns) override;
  void row(std::span<const double> values) override;
  void finish(const Audit& audit, const std::string& outcome) override;

 private:
  Results& results_;
  Mechanism mechanism_;
};

}  // namespace lithe

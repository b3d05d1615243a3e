#pragma once
// Rows of a run for the printed table: memory does not grow with the run.

#include "lithe/simulation/simulate.hpp"

namespace lithe::cli {

/// Keeps rows at equal distances, the first and the last one always: all of them while they are few, then every second,
/// every fourth and so on.
class SampledRecord : public RecordSink {
 public:
  void begin(const Model& model, const std::vector<std::string>& columns) override;
  void row(std::span<const double> values) override;
  void finish(const Audit& audit, const std::string& outcome) override;

  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t rows() const { return seen_; }  ///< of the run
  std::size_t kept() const { return kept_.size(); }
  double at(std::size_t kept, std::size_t column) const { return kept_[kept][column]; }

 private:
  static constexpr std::size_t most_kept = 4096;
  std::vector<std::string> columns_;
  std::vector<std::vector<double>> kept_;
  std::vector<double> last_;
  std::size_t seen_ = 0, stride_ = 1;
};

}  // namespace lithe::cli

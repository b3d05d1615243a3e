#pragma once
// What the models of experiments predict for their measurements, for many values of the parameters at once.

#include "lithe/study/identification.hpp"

namespace lithe::detail {

/// Predictions of all samples of all measurements, experiment by experiment, measurement by measurement; or why there
/// are none.
struct Prediction {
  VectorX samples;
  std::string fault;
  bool known() const { return fault.empty(); }
};

class ExperimentRuns {
 public:
  /// Both are kept by the caller.
  ExperimentRuns(const std::vector<Experiment>& experiments, const std::vector<SoughtParameter>& sought, int threads,
                 const std::atomic<bool>* stop);

  /// At the start values; what is wrong is thrown.
  VectorX predict_start();

  /// For each column of `points` (values of the parameters). Of every experiment only the first `share` of its samples
  /// is predicted; the others are not numbers.
  std::vector<Prediction> predict(const std::vector<VectorX>& points, double share = 1.0);

  long samples() const { return samples_; }
  long runs() const { return runs_; }
  /// Place of the first sample of a measurement in Prediction::samples.
  long first_sample(std::size_t experiment, std::size_t measurement) const {
    return first_[experiment] + static_cast<long>(measurement * experiments_[experiment].times.size());
  }

 private:
  void predict(std::size_t experiment, const VectorX& point, double share, VectorX& samples) const;

  const std::vector<Experiment>& experiments_;
  const std::vector<SoughtParameter>& sought_;
  std::vector<long> first_;  ///< sample of each experiment
  long samples_ = 0, runs_ = 0;
  int threads_ = 1;
  const std::atomic<bool>* stop_;
};

}  // namespace lithe::detail

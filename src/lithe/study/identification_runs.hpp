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

/// How predictions are made.
struct RunRequest {
  double share = 1.0;       ///< of the samples of each experiment, the first ones; the others are not numbers
  double tolerance = 1e-8;  ///< of a step, against the largest motion
  bool held_back = false;   ///< also of experiments that are held back; without: those are not numbers
  bool operator==(const RunRequest&) const = default;
};

class ExperimentRuns {
 public:
  /// Both are kept by the caller.
  ExperimentRuns(const std::vector<Experiment>& experiments, const std::vector<SoughtParameter>& sought, int threads,
                 const std::atomic<bool>* stop);

  /// Of all experiments at the start values; what is wrong is thrown.
  void try_start();

  /// For each of the points (values of the parameters). Experiments whose model does not depend on what a point has moved
  /// away from `base` are taken from `known`, the samples there.
  std::vector<Prediction> predict(const std::vector<VectorX>& points, const RunRequest& request,
                                  const VectorX& base = {}, const VectorX& known = {});

  long samples() const { return samples_; }
  long runs() const { return runs_; }
  /// Place of the first sample of a measurement in Prediction::samples.
  long first_sample(std::size_t experiment, std::size_t measurement) const {
    return first_[experiment] + static_cast<long>(measurement * experiments_[experiment].times.size());
  }

 private:
  void predict(std::size_t experiment, const VectorX& point, const RunRequest& request, VectorX& samples) const;
  /// Whether the model of the experiment is the same at both points.
  bool is_same(std::size_t experiment, const VectorX& a, const VectorX& b) const;

  const std::vector<Experiment>& experiments_;
  const std::vector<SoughtParameter>& sought_;
  std::vector<long> first_;  ///< sample of each experiment
  long samples_ = 0, runs_ = 0;
  int threads_ = 1;
  const std::atomic<bool>* stop_;
};

}  // namespace lithe::detail

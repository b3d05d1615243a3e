#pragma once
// The processes of a sweep that mpirun has started: rank 0 gives out the work and takes part in it, the others do it.

#include <functional>
#include <memory>

#include "lithe/study/sweep.hpp"

struct LitheRanks;

namespace lithe::cli {

/// Number of this process among those of mpirun or srun, from the environment; -1: it runs alone.
int launched_rank();

class Ranks {
 public:
  /// Joins the others; null when this process runs alone. Throws InputError when this Lithe was built without MPI.
  static std::unique_ptr<Ranks> join();
  ~Ranks();

  int rank() const;
  int size() const;

  /// Rank 0: all variants `rows`, by all ranks, each with so many threads; as run_variants().
  bool distribute(const StudyEvaluator& evaluator, const Samples& samples, const std::vector<long>& rows,
                  const SweepControl& control);
  /// After it was stopped: ends all ranks at once.
  void abort(int code);
  /// The others: computes what rank 0 sends until there is no more.
  void work(const StudyEvaluator& evaluator, const Samples& samples, const SweepControl& control);

 private:
  explicit Ranks(const LitheRanks& module);
  std::unique_ptr<LitheRanks> module_;
};

}  // namespace lithe::cli

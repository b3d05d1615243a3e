// Sequential convex programming over the laws of a move: the duration is the objective, every instant has its limits.

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "lithe/study/convex_step.hpp"
#include "lithe/study/fastest_move_parts.hpp"
#include "lithe/study/side_by_side.hpp"

namespace lithe {
namespace {

using namespace detail;  // NOLINT: this file puts the parts together

constexpr double difference_step = 1e-3;  ///< of slopes: of the shapes, and of the duration as a part of its start
constexpr double limit_reserve = 1e-3;    ///< of limit_margin, that a move may use up
// Of the steps: what a limit that does not hold costs, over the part of the duration; how short they are.
constexpr double penalty = 2.0, first_weight = 7.0, least_weight = 1e-3, largest_weight = 1e6, shortening = 4.0;
constexpr double farthest_step = 0.5, accepted_part = 0.1, good_part = 0.7;
constexpr int most_lengthenings = 8, most_corrections = 4, steps_compared = 5;
constexpr double lengthening = 1.25;
constexpr double start_spread = 0.15;  ///< of the shapes of further guesses
constexpr double longer_start = 0.25;  ///< by which part of the first guess the next ones last longer

/// One search. Its variables are the duration over that of the first guess, and the shapes.
class MoveSearcher {
 public:
  MoveSearcher(const MoveSearch::Parts& parts, long search, const OptimizeControl& control, std::mutex& mutex)
      : evaluator_(*parts.evaluator),
        problem_(parts.problem),
        added_(parts.study.constraints.begin(), parts.study.constraints.begin() + parts.added_limits),
        begin_(parts.model.run.from),
        search_(search),
        control_(control),
        mutex_(mutex),
        limits_(count_of_limits(problem_) + static_cast<int>(added_.size())) {
    const std::vector<StudyAxis>& axes = parts.study.axes;
    low_.resize(std::ssize(axes));
    high_.resize(low_.size());
    for (Eigen::Index i = 0; i < low_.size(); ++i) {
      const double unit = i == 0 ? problem_.start : 1.0;
      low_[i] = axes[i].spread.least() / unit;
      high_[i] = axes[i].spread.most() / unit;
    }
  }

  Optimum run(const OptimizeOptions& options) {
    std::vector<double> u = first_guess();
    VectorX limits = look_at(u, one(u, steps_++));
    for (int longer = 0; longer < most_lengthenings && best_.values.empty() && !is_stopped(); ++longer) {
      u[0] *= lengthening;  // it does not even run
      limits = look_at(u, one(u, steps_++));
    }
    best_.ending = "stopped";
    std::vector<double> merits;
    for (int step = 0; step < options.evaluations && !is_stopped(); ++step) {
      const Ending ending = take_step(u, limits, options.tolerance);
      best_.ending = ending == Ending::open        ? "as many steps as allowed"
                     : ending == Ending::converged ? "the duration no longer changes"
                                                   : "no step brings progress";
      best_.converged = ending == Ending::converged;
      if (ending != Ending::open) break;
      merits.push_back(merit(u[0], limits));
      const auto before = std::ssize(merits) - 1 - steps_compared;
      if (before >= 0 && merits[before] - merits.back() < steps_compared * options.tolerance) {
        best_.ending = "the duration hardly changes";
        best_.converged = true;
        break;
      }
    }
    if (!is_stopped()) restore(u, limits);
    best_.evaluations = steps_;
    return best_;
  }

 private:
  std::vector<double> first_guess() const {
    std::vector<double> u(evaluator_.study().axes.size(), 0.0);
    u[0] = 1.0 + longer_start * static_cast<double>(search_);
    for (std::size_t i = 1; i < u.size() && search_ > 0; ++i) {
      const auto digits = sobol_digits(static_cast<std::uint32_t>(search_) + 1,
                                       static_cast<int>((i - 1) % static_cast<std::size_t>(sobol_dimensions)));
      u[i] = start_spread * (2.0 * (static_cast<double>(digits) + 0.5) * 0x1p-32 - 1.0);
    }
    return u;
  }

  /// What a step is to make small: the duration, and the worst limit where it does not hold.
  static double merit(double duration, const VectorX& limits) {
    return duration + penalty * std::max(0.0, limits.size() > 0 ? limits.maxCoeff() : 0.0);
  }

  struct Trial {
    bool runs = false;
    std::vector<double> u;
    VectorX limits;
    double merit = 0.0;
  };

  Trial try_step(const VectorX& here, const VectorX& d) {
    const VectorX there = here + d;
    Trial trial{false, {there.begin(), there.end()}, {}, 0.0};
    const Variant variant = one(trial.u, steps_++);
    trial.runs = variant.error.empty();
    trial.limits = look_at(trial.u, variant);
    trial.merit = merit(trial.u[0], trial.limits);
    return trial;
  }

  enum class Ending { open, converged, stuck };

  /// From u, where the limits are known, to a better point; the next one is tried closer by when this one is not.
  Ending take_step(std::vector<double>& u, VectorX& limits, double tolerance) {
    const auto n = std::ssize(u);
    const VectorX here = Eigen::Map<const VectorX>(u.data(), n);
    slopes_ = slopes_at(u, limits);
    ConvexStep step{VectorX::Unit(n, 0), limits, slopes_, {}, {}, penalty, weight_};
    step.low = (low_ - here).cwiseMax(-farthest_step);
    step.high = (high_ - here).cwiseMin(farthest_step);
    const double before = merit(u[0], limits);
    for (; step.weight < largest_weight && !is_stopped(); step.weight *= shortening) {
      VectorX d;
      step.limits = limits;
      if (!step.solve(d) || d.isZero()) continue;  // too long a step for NLopt's arithmetic
      const double promised = before - merit(u[0] + d[0], limits + VectorX(step.slopes * d));
      if (promised < tolerance) return step.weight <= first_weight ? Ending::converged : Ending::stuck;
      // Limits are curved: what they are there corrects the step, without new slopes.
      Trial best;
      for (int correction = 0; correction <= most_corrections; ++correction) {
        const Trial trial = try_step(here, d);
        if (!trial.runs || (correction > 0 && trial.merit > best.merit)) break;
        best = trial;
        if (before - best.merit > good_part * promised) break;
        step.limits = trial.limits - VectorX(step.slopes * d);
        if (!step.solve(d)) break;
      }
      const double gained = before - best.merit;
      if (!best.runs || gained < accepted_part * promised) continue;
      if (gained > good_part * promised) step.weight /= shortening;
      weight_ = std::max(step.weight, least_weight);
      u = best.u;
      limits = best.limits;
      return Ending::open;
    }
    return Ending::stuck;
  }

  /// A little beyond the limits, where a search ends: the shortest way back, with the slopes of the last step.
  void restore(const std::vector<double>& end, VectorX limits) {
    const auto n = std::ssize(end);
    VectorX here = Eigen::Map<const VectorX>(end.data(), n);
    for (int i = 0; i < most_corrections && slopes_.rows() == limits_ && limits.maxCoeff() > limit_reserve; ++i) {
      const ConvexStep back{VectorX::Zero(n), limits, slopes_, low_ - here, high_ - here, 1.0 / limit_reserve, 1.0};
      VectorX d;
      if (!back.solve(d)) return;
      const Trial trial = try_step(here, d);
      if (!trial.runs) return;
      here += d;
      limits = trial.limits;
    }
  }

  /// Slopes of the limits, by differences of runs side by side.
  MatrixX slopes_at(const std::vector<double>& u, const VectorX& limits) {
    const std::size_t n = u.size();
    std::vector<VectorX> aside(n);
    side_by_side_within(n, [&](std::size_t i) {
      std::vector<double> v = u;
      v[i] += difference_step;
      aside[i] = limits_of(one(v, steps_ + static_cast<long>(i)));
    });
    steps_ += static_cast<long>(n);
    MatrixX slopes(limits.size(), static_cast<Eigen::Index>(n));
    for (std::size_t i = 0; i < n; ++i) slopes.col(static_cast<long>(i)) = (aside[i] - limits) / difference_step;
    return slopes;
  }

  /// The variant with this number, computed or known. Called by several threads.
  Variant one(const std::vector<double>& u, long step) {
    const long number = search_ * search_stride + step;
    std::vector<double> values = u;
    values[0] *= problem_.start;
    const Variant* known = nullptr;
    if (control_.known) {
      const std::lock_guard lock(mutex_);
      known = control_.known(number);
    }
    Variant variant;
    if (known != nullptr) {
      variant = *known;
    } else if (!is_stopped()) {
      MemoryRecord rows;
      variant = evaluator_.evaluate(values, &rows, control_.stop);
      variant.outputs.resize(evaluator_.study().outputs.size(), std::nan(""));
      if (variant.error.empty())
        for (const double limit : limits_of_move(problem_, rows, begin_, values[0])) variant.outputs.push_back(limit);
    }
    if (is_stopped()) return {{}, "stopped"};
    const std::lock_guard lock(mutex_);
    if (known == nullptr && control_.finished) control_.finished(number, values, variant);
    if (control_.passed) control_.passed(number, values, variant);
    return variant;
  }

  bool is_stopped() const { return control_.stop != nullptr && control_.stop->load(); }

  VectorX limits_of(const Variant& variant) const {
    const Study& study = evaluator_.study();
    const auto outputs = study.outputs.size();
    std::vector<double> all;
    if (variant.error.empty() && variant.outputs.size() > outputs)
      all.assign(variant.outputs.begin() + static_cast<long>(outputs), variant.outputs.end());
    for (const Constraint& limit : added_) {
      if (all.empty()) break;
      const double value = variant.outputs[study.output_named(limit.output)];
      double beyond = -1.0;
      if (limit.most) beyond = std::max(beyond, (value - *limit.most) / (*limit.most != 0 ? std::abs(*limit.most) : 1));
      if (limit.least)
        beyond = std::max(beyond, (*limit.least - value) / (*limit.least != 0 ? std::abs(*limit.least) : 1));
      all.push_back(std::isnan(value) ? 1.0 : beyond + limit_margin);
    }
    all.resize(limits_, 1.0);  // a run that failed: as far beyond as the limits themselves
    return Eigen::Map<const VectorX>(all.data(), limits_);
  }

  /// Is it the best so far? The limits of this variant.
  VectorX look_at(const std::vector<double>& u, const Variant& variant) {
    VectorX all = limits_of(variant);
    if (!variant.error.empty()) return all;
    const double beyond = all.size() == 0 ? 0.0 : all.maxCoeff();
    const bool feasible = beyond <= limit_reserve;
    const bool better = best_.values.empty() || (feasible && !best_.feasible) ||
                        (feasible == best_.feasible && (feasible ? u[0] < best_u_ : beyond < best_beyond_));
    if (!better) return all;
    best_.values = u;
    best_.values[0] *= problem_.start;
    const auto outputs = std::ssize(evaluator_.study().outputs);
    best_.outputs.assign(variant.outputs.begin(), variant.outputs.begin() + outputs);
    best_.feasible = feasible;
    best_u_ = u[0];
    best_beyond_ = beyond;
    return all;
  }

  const StudyEvaluator& evaluator_;
  const MoveProblem& problem_;
  const std::vector<Constraint> added_;  ///< of outputs, which are not known row by row
  double begin_;
  long search_;
  const OptimizeControl& control_;
  std::mutex& mutex_;
  int limits_;
  VectorX low_, high_;  ///< of the variables
  MatrixX slopes_;      ///< of the limits, where the last step began
  double weight_ = first_weight;
  long steps_ = 0;
  Optimum best_;
  double best_u_ = 0.0, best_beyond_ = 0.0;
};

}  // namespace

OptimizeAnswer MoveSearch::run(const OptimizeOptions& options, const OptimizeControl& control) const {
  OptimizeAnswer answer;
  answer.searches.resize(options.starts);
  std::mutex mutex;
  side_by_side(control.threads, answer.searches.size(), [&](std::size_t i) {
    answer.searches[i] = MoveSearcher(*parts_, static_cast<int>(i), control, mutex).run(options);
  });
  for (int i = 0; i < options.starts; ++i) {
    const Optimum& each = answer.searches[i];
    if (each.feasible && (answer.best < 0 || each.values[0] < answer.searches[answer.best].values[0])) answer.best = i;
  }
  answer.stopped = control.stop != nullptr && control.stop->load();
  return answer;
}

}  // namespace lithe

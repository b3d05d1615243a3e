#include "lithe/study/identification.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lithe/errors.hpp"
#include "lithe/study/identification_fit.hpp"
#include "lithe/study/identification_judgement.hpp"
#include "lithe/study/identification_runs.hpp"

namespace lithe {
namespace {

using detail::ExperimentRuns;
using detail::Fit;
using detail::Prediction;
using detail::RunRequest;

/// Noise of measurements without a given one, before it can be estimated: of the size of the signal.
constexpr double first_noise = 0.1;
/// Noise that is estimated is at least so large a part of the signal: runs are no more exact.
constexpr double least_noise = 1e-7;
/// Of runs: while the parameters are still far away, at the end of the fit, and for derivatives from which is judged.
constexpr double search_tolerance = 1e-6, fit_tolerance = 1e-8, judge_tolerance = 1e-9;
/// Differences move the predictions by this part of the signal: errors of the difference are its square, those of the
/// runs, whose adaptive steps jump, are divided by it.
constexpr double wanted_change = 5e-3;
constexpr RunRequest exact{1.0, fit_tolerance};
/// Relative changes of the sum of squares at which a fit ends: first, and at last. One of 1e-6 with 1000 samples is a
/// thirtieth of a deviation, and what follows such a step is far smaller.
constexpr double rough = 1e-4, settled = 1e-6;
constexpr double longest_step = 1e-2, shortest_step = 1e-8;  ///< of a difference, in scales
/// A fit that explains less of the signal may have ended in a wrong valley.
constexpr double good_fit = 0.8;
/// Parts of the records with which a fit from afar begins: over a short time oscillations of a wrong frequency are still
/// in step with the measured ones.
constexpr double shares[] = {0.06, 0.12, 0.25, 0.5};
/// While only part of the records is used, parameters are drawn to their start, by this part of the signal per scale.
constexpr double pull_to_start = 0.03;

double rms(double sum_of_squares, long count) {
  return count > 0 ? std::sqrt(sum_of_squares / static_cast<double>(count)) : 0.0;
}

/// A measurement of an experiment, its place among the samples, its noise.
struct Channel {
  std::size_t experiment, measurement;
  long first, length;  ///< instants of the experiment, with those that have no sample
  long samples;        ///< that are there
  double mean, size;   ///< size: rms about the mean, or of the mean when nothing changes
  double noise;
  bool noise_given, held_back;
};

class IdentificationWork {
 public:
  IdentificationWork(const std::vector<Experiment>& experiments, const std::vector<SoughtParameter>& sought,
                     const IdentificationOptions& options)
      : experiments_(experiments),
        sought_(sought),
        options_(options),
        runs_(experiments, sought, options.threads, options.stop) {
    n_ = std::ssize(sought);
    check();
    collect();
  }

  Identification run() {
    VectorX start(n_);
    for (Eigen::Index i = 0; i < n_; ++i) start[i] = sought_[i].start;
    runs_.try_start();
    choose_scales(start);
    VectorX point = fitted(start);
    point = with_estimated_noise(point);
    return answer(point);
  }

 private:
  void check() const {
    if (sought_.empty()) throw MechanismError("parameters", "there is no parameter to identify");
    std::set<std::string> names;
    for (const SoughtParameter& each : sought_) {
      if (!names.insert(each.name).second)
        throw MechanismError(each.name, fmt::format("parameter '{}' is sought twice", each.name));
      if (!(each.lower < each.upper) || !(each.start >= each.lower && each.start <= each.upper))
        throw MechanismError(
            each.name, fmt::format("parameter '{}' starts at {:.6g}, which must lie between its bounds {:.6g} and "
                                   "{:.6g}",
                                   each.name, each.start, each.lower, each.upper));
    }
    for (const Experiment& each : experiments_)
      if (each.times.size() < 2 || std::adjacent_find(each.times.begin(), each.times.end(),
                                                      [](double a, double b) { return !(a < b); }) != each.times.end())
        throw MechanismError(
            each.name,
            fmt::format("experiment '{}' needs two instants at least, each later than the one before", each.name));
  }

  void collect() {
    measured_.resize(runs_.samples());
    long used = 0;
    for (std::size_t e = 0; e < experiments_.size(); ++e)
      for (std::size_t m = 0; m < experiments_[e].measurements.size(); ++m) {
        const Measurement& measurement = experiments_[e].measurements[m];
        if (measurement.values.size() != experiments_[e].times.size())
          throw MechanismError(
              measurement.name,
              fmt::format("experiment '{}': column '{}' has {} values at {} instants", experiments_[e].name,
                          measurement.name, measurement.values.size(), experiments_[e].times.size()));
        Channel channel{e, m,    runs_.first_sample(e, m), std::ssize(measurement.values), 0, 0, 0,
                        0, true, experiments_[e].held_back};
        double sum = 0.0, squares = 0.0;
        for (long k = 0; k < channel.length; ++k) {
          measured_[channel.first + k] = measurement.values[k];
          if (!std::isfinite(measurement.values[k])) continue;
          ++channel.samples;
          sum += measurement.values[k];
        }
        channel.mean = channel.samples > 0 ? sum / static_cast<double>(channel.samples) : 0.0;
        for (const double value : measurement.values)
          if (std::isfinite(value)) squares += (value - channel.mean) * (value - channel.mean);
        channel.size = rms(squares, channel.samples);
        if (!(channel.size > 0.0)) channel.size = channel.mean != 0.0 ? std::abs(channel.mean) : 1.0;
        channel.noise_given = measurement.noise.has_value();
        channel.noise = measurement.noise.value_or(first_noise * channel.size);
        if (!channel.held_back) used += channel.samples;
        channels_.push_back(channel);
      }
    if (used <= n_)
      throw MechanismError("experiments", fmt::format("{} samples cannot determine {} parameters", used, n_));
    samples_ = used;
  }

  /// Whether a sample counts: it was measured, predicted, and not held back.
  bool counts(const Channel& channel, long k, const VectorX& predicted) const {
    return !channel.held_back && std::isfinite(measured_[channel.first + k]) &&
           std::isfinite(predicted[channel.first + k]);
  }

  /// Values per noise; zero where a sample does not count.
  VectorX weighted(const VectorX& values, const VectorX& predicted) const {
    VectorX result = VectorX::Zero(values.size());
    for (const Channel& channel : channels_)
      for (long k = 0; k < channel.length; ++k)
        if (counts(channel, k, predicted)) result[channel.first + k] = values[channel.first + k] / channel.noise;
    return result;
  }

  /// The same of the measurements about their means: what there is to explain.
  double signal() const {
    double squares = 0.0;
    for (const Channel& channel : channels_)
      if (!channel.held_back)
        squares += static_cast<double>(channel.samples) * std::pow(channel.size / channel.noise, 2);
    return std::sqrt(squares);
  }

  /// Parameters without a scale get one, and differences their steps.
  void choose_scales(const VectorX& start) {
    scale_.resize(n_);
    step_.setConstant(n_, 1e-4);
    std::vector<bool> is_known(n_, true);
    for (Eigen::Index i = 0; i < n_; ++i) {
      const SoughtParameter& each = sought_[i];
      scale_[i] = each.scale > 0.0 ? each.scale : std::abs(each.start);
      if (scale_[i] > 0.0) continue;
      const bool is_bounded = std::isfinite(each.lower) && std::isfinite(each.upper);
      scale_[i] = is_bounded ? 0.5 * (each.upper - each.lower) : 1.0;
      is_known[i] = is_bounded;
    }
    if (std::find(is_known.begin(), is_known.end(), false) == is_known.end()) return;
    MatrixX J;
    if (!slopes(start, {1.0, search_tolerance}, J)) throw PhysicsError(fault_);
    for (Eigen::Index i = 0; i < n_; ++i) {
      const double size = J.col(i).norm();
      if (!is_known[i] && size > 0.0) scale_[i] *= signal() / size;
    }
    slopes_point_.resize(0);  // those were of other scales
  }

  /// Samples at a point; those of the last one are kept.
  bool predict(const VectorX& point, const RunRequest& request, VectorX& samples) {
    if (request == last_request_ && point == last_point_) {
      samples = last_samples_;
      return true;
    }
    const std::vector<Prediction> answers = runs_.predict({point}, request);
    if (!answers[0].known()) {
      fault_ = answers[0].fault;
      return false;
    }
    last_point_ = point;
    last_request_ = request;
    last_samples_ = samples = answers[0].samples;
    return true;
  }

  /// Derivatives of all predictions by the parameters in scales, per noise: central differences, one-sided where a bound
  /// or the model does not allow the other side. `stretch` lengthens the steps.
  bool slopes(const VectorX& point, const RunRequest& request, MatrixX& J, double stretch = 1.0) {
    VectorX middle;
    if (!predict(point, request, middle)) return false;
    if (stretch == 1.0 && request == slopes_request_ && point == slopes_point_) {  // only the noise is another one
      J.resize(middle.size(), n_);
      for (Eigen::Index i = 0; i < n_; ++i) J.col(i) = weighted(slopes_.col(i), middle);
      return true;
    }
    std::vector<VectorX> points;
    for (Eigen::Index i = 0; i < n_; ++i)
      for (const double side : {1.0, -1.0}) points.push_back(moved(point, i, side * stretch));
    const std::vector<Prediction> answers = runs_.predict(points, request, point, middle);
    J.resize(middle.size(), n_);
    MatrixX found(middle.size(), n_);
    for (Eigen::Index i = 0; i < n_; ++i) {
      const Prediction &up = answers[2 * i], &down = answers[2 * i + 1];
      const double h = stretch * step_[i];
      VectorX slope;
      if (up.known() && down.known() && is_allowed(points[2 * i]) && is_allowed(points[2 * i + 1])) {
        slope = (up.samples - down.samples) / (2.0 * h);
      } else {
        const bool upwards = up.known() && is_allowed(points[2 * i]);
        const double side = upwards ? 1.0 : -1.0;
        const Prediction& near = upwards ? up : down;
        const Prediction far = runs_.predict({moved(point, i, 2.0 * side * stretch)}, request)[0];
        if (!near.known() || !far.known()) {
          fault_ = near.known() ? far.fault : near.fault;
          return false;
        }
        slope = side * (4.0 * near.samples - far.samples - 3.0 * middle) / (2.0 * h);
      }
      found.col(i) = slope;
      J.col(i) = weighted(slope, middle);
    }
    if (stretch == 1.0) {
      slopes_ = found;
      slopes_point_ = point;
      slopes_request_ = request;
      steps_taken_ = step_;
      const double wanted = wanted_change * signal();
      for (Eigen::Index i = 0; i < n_; ++i) {
        const double size = J.col(i).norm();
        step_[i] = size > 0.0 ? std::clamp(wanted / size, shortest_step, longest_step) : longest_step;
      }
    }
    return true;
  }

  VectorX moved(const VectorX& point, Eigen::Index i, double steps) const {
    VectorX other = point;
    other[i] += steps * step_[i] * scale_[i];
    return other;
  }

  bool is_allowed(const VectorX& point) const {
    for (Eigen::Index i = 0; i < n_; ++i)
      if (point[i] < sought_[i].lower || point[i] > sought_[i].upper) return false;
    return true;
  }

  /// Least squares over a share of each record. With less than all of it the parameters are drawn to their start.
  Fit fit_records(const VectorX& from, const RunRequest& request, int most_iterations, double tolerance) {
    const bool pulls = request.share < 1.0;
    const long count = runs_.samples() + (pulls ? n_ : 0);
    const double pull = pull_to_start * std::sqrt(request.share) * signal();
    const detail::Residuals residuals = [&](const VectorX& x, VectorX& r, MatrixX* J) {
      const VectorX point = x.cwiseProduct(scale_);
      VectorX samples;
      if (!predict(point, request, samples)) return false;
      r.head(runs_.samples()) = weighted(samples - measured_, samples);
      for (Eigen::Index i = 0; pulls && i < n_; ++i)
        r[runs_.samples() + i] = pull * (x[i] - sought_[i].start / scale_[i]);
      if (J == nullptr) return true;
      MatrixX slope;
      if (!slopes(point, request, slope)) return false;
      J->setZero(count, n_);
      J->topRows(runs_.samples()) = slope;
      if (pulls) J->bottomRows(n_).diagonal().setConstant(pull);
      return true;
    };
    detail::FitOptions settings;
    settings.lower.resize(n_);
    settings.upper.resize(n_);
    for (Eigen::Index i = 0; i < n_; ++i) {
      settings.lower[i] = sought_[i].lower / scale_[i];
      settings.upper[i] = sought_[i].upper / scale_[i];
    }
    settings.most_iterations = most_iterations;
    settings.function_tolerance = tolerance;
    settings.parameter_tolerance = 0.1 * tolerance;
    settings.stop = options_.stop;
    settings.progress = [&](int, double misfit) {
      if (options_.progress) options_.progress(iterations_, misfit);
      ++iterations_;
    };
    Fit fit = detail::fit_least_squares(residuals, count, from.cwiseQuotient(scale_), settings);
    fit.x = fit.x.cwiseProduct(scale_);
    require_not_stopped();
    return fit;
  }

  void require_not_stopped() const {
    if (options_.stop != nullptr && options_.stop->load()) throw PhysicsError("the identification was stopped");
  }

  /// From the start over the whole record; where that explains little, once more over parts of growing length.
  VectorX fitted(const VectorX& start) {
    const RunRequest whole{1.0, search_tolerance};
    fit_ = fit_records(start, whole, options_.most_iterations, rough);
    const double wanted = 0.5 * std::pow((1.0 - good_fit) * signal(), 2);
    if (fit_.misfit <= wanted) return fit_.x;
    VectorX point = start, samples;
    for (const double share : shares) {
      if (!predict(point, {share, search_tolerance}, samples)) return fit_.x;
      point = fit_records(point, {share, search_tolerance}, 15, 10 * rough).x;
    }
    if (!predict(point, whole, samples)) return fit_.x;
    const Fit other = fit_records(point, whole, options_.most_iterations, rough);
    if (other.misfit < fit_.misfit) fit_ = other;
    return fit_.x;
  }

  /// Noise from the residuals and the fit with that noise, in turn, until it stays.
  VectorX with_estimated_noise(VectorX point) {
    for (int round = 0; round < 5; ++round) {
      const double change = estimate_noise(point);
      fit_ = fit_records(point, exact, options_.most_iterations, settled);
      point = fit_.x;
      if (change < 0.02) break;
    }
    estimate_noise(point);
    return point;
  }

  /// Largest relative change of a noise.
  double estimate_noise(const VectorX& point) {
    VectorX samples;
    if (!predict(point, exact, samples)) throw PhysicsError(fault_);
    const double freedoms = 1.0 - static_cast<double>(n_) / static_cast<double>(samples_);
    double change = 0.0;
    for (Channel& channel : channels_) {
      if (channel.noise_given || channel.held_back) continue;
      const double noise =
          std::max(rms(squares(channel, samples) / freedoms, channel.samples), least_noise * channel.size);
      change = std::max(change, std::abs(noise / channel.noise - 1.0));
      channel.noise = noise;
    }
    return change;
  }

  double squares(const Channel& channel, const VectorX& samples) const {
    double sum = 0.0;
    for (long k = 0; k < channel.length; ++k)
      if (std::isfinite(measured_[channel.first + k]))
        sum += std::pow(samples[channel.first + k] - measured_[channel.first + k], 2);
    return sum;
  }

  /// The Jacobian at the end, from differences over one step and two, and how far it is from the first of them.
  MatrixX final_slopes(const VectorX& point, VectorX& error) {
    MatrixX fine, coarse;
    const RunRequest request{1.0, judge_tolerance};
    if (!slopes(point, request, fine)) throw PhysicsError(fault_);
    step_ = steps_taken_;
    if (!slopes(point, request, coarse, 2.0)) throw PhysicsError(fault_);
    const MatrixX J = (4.0 * fine - coarse) / 3.0;
    error.setZero(n_);
    for (Eigen::Index i = 0; i < n_; ++i)
      if (const double size = J.col(i).norm(); size > 0.0) error[i] = (J.col(i) - fine.col(i)).norm() / size;
    return J;
  }

  Identification answer(const VectorX& point);
  std::vector<Eigen::Index> begin_estimates(const VectorX& point, Identification& result) const;
  void judge(const MatrixX& J, const VectorX& error, const std::vector<Eigen::Index>& free, Identification& result);
  void take_intervals(const detail::Judgement& judgement, double quantile, const std::vector<Eigen::Index>& free,
                      Identification& result) const;
  void report_blind(const detail::Judgement& judgement, const std::vector<Eigen::Index>& free,
                    Identification& result) const;
  MeasurementFit fit_of(const Channel& channel, const VectorX& samples) const;
  void remark_on(const MeasurementFit& fit, Identification& result) const;
  void remark_on_estimates(const VectorX& error, Identification& result) const;

  const std::vector<Experiment>& experiments_;
  const std::vector<SoughtParameter>& sought_;
  const IdentificationOptions& options_;
  ExperimentRuns runs_;
  Eigen::Index n_ = 0;
  long samples_ = 0;  ///< that the fit is made to
  std::vector<Channel> channels_;
  VectorX measured_;
  VectorX scale_, step_;  ///< step_: of differences, in scales
  // What was evaluated last, and the derivatives (not per noise) that were found last, with their steps.
  VectorX last_point_, last_samples_, slopes_point_, steps_taken_;
  MatrixX slopes_;
  RunRequest last_request_, slopes_request_;
  std::string fault_;  ///< why the model did not run
  Fit fit_;
  int iterations_ = 0;
};

MeasurementFit IdentificationWork::fit_of(const Channel& channel, const VectorX& samples) const {
  const Experiment& experiment = experiments_[channel.experiment];
  const Measurement& measurement = experiment.measurements[channel.measurement];
  MeasurementFit fit;
  fit.experiment = experiment.name;
  fit.name = measurement.name;
  fit.quantity = measurement.quantity;
  fit.held_back = channel.held_back;
  fit.samples = channel.samples;
  fit.noise = channel.noise;
  fit.noise_given = channel.noise_given;
  fit.rms = rms(squares(channel, samples), channel.samples);
  fit.explained = 1.0 - fit.rms / channel.size;
  double products = 0.0, sum = 0.0, before = 0.0;
  for (long k = 0; k < channel.length; ++k) {
    const double measured = measured_[channel.first + k], predicted = samples[channel.first + k];
    if (!std::isfinite(measured)) continue;
    fit.times.push_back(experiment.times[k]);
    fit.measured.push_back(measured);
    fit.predicted.push_back(predicted);
    const double residual = predicted - measured;
    products += residual * before;
    sum += residual * residual;
    before = residual;
  }
  fit.correlation = sum > 0.0 ? products / sum : 0.0;
  return fit;
}

/// By how much noise must be larger to count as if its samples were independent. Where neighbours correlate by r, as in
/// noise that was filtered, the slow part of the noise has (1 + r) / (1 - r) times the variance.
double widening_of(const MeasurementFit& fit) {
  const double size = fit.explained < 1.0 ? fit.rms / (1.0 - fit.explained) : 0.0;
  const bool is_exact = fit.rms <= 1e-5 * size;  // residuals of runs, not of measurements
  // Of independent residuals the correlation has a deviation of one over the root of their number.
  const double by_chance = std::max(0.15, 4.0 / std::sqrt(static_cast<double>(fit.samples)));
  if (is_exact || fit.held_back || fit.correlation < by_chance) return 1.0;
  const double r = std::min(fit.correlation, 1.0 - 1.0 / static_cast<double>(fit.samples));
  return std::sqrt((1.0 + r) / (1.0 - r));
}

void IdentificationWork::remark_on(const MeasurementFit& fit, Identification& result) const {
  const std::string where = fmt::format("experiment '{}', column '{}'", fit.experiment, fit.name);
  if (const double widening = widening_of(fit); widening > 1.0)
    result.remarks.warnings.push_back(
        fmt::format("{}: the residuals are no independent noise (neighbours correlate by {:.2f}): the model lacks "
                    "something, or the "
                    "record was filtered; its noise counts {:.1f} times, which widens the intervals",
                    where, fit.correlation, widening));
  if (fit.noise_given && fit.rms > 1.5 * fit.noise)
    result.remarks.warnings.push_back(fmt::format(
        "{}: the residuals are {:.1f} times as large as the noise that was given; the intervals are too narrow", where,
        fit.rms / fit.noise));
}

std::string change_in_words(const std::string& name, double scales, double scale) {
  return fmt::format("'{}' by {:+.3g}", name, scales * scale);
}

void IdentificationWork::report_blind(const detail::Judgement& judgement, const std::vector<Eigen::Index>& free,
                                      Identification& result) const {
  for (Eigen::Index k = 0; k < judgement.singular_values.size(); ++k) {
    if (!judgement.is_blind[k]) continue;
    VectorX v = judgement.directions.col(k);
    Eigen::Index largest = 0;
    v.cwiseAbs().maxCoeff(&largest);
    v /= v[largest];
    BlindDirection direction;
    for (Eigen::Index i = 0; i < v.size(); ++i)
      if (std::abs(v[i]) > 0.1) direction.parts.emplace_back(sought_[free[i]].name, v[i]);
    std::stable_sort(direction.parts.begin(), direction.parts.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
    direction.seen = judgement.singular_values[k] / std::abs(judgement.directions(largest, k));
    result.blind.push_back(direction);
    std::vector<std::string> changes, names;
    for (const auto& [name, scales] : direction.parts) {
      const auto i = std::find_if(sought_.begin(), sought_.end(), [&](const auto& each) { return each.name == name; });
      changes.push_back(change_in_words(name, scales, scale_[i - sought_.begin()]));
      names.push_back(fmt::format("'{}'", name));
    }
    const std::string seen = direction.seen < 1e-3 ? "does not change the predictions"
                                                   : fmt::format(
                                                         "changes all predictions together by {:.2g} deviations "
                                                         "of the noise",
                                                         direction.seen);
    result.remarks.distrust.push_back(
        direction.parts.size() == 1
            ? fmt::format("the records do not determine {}: a change of {} {}; leave it out, or record something that "
                          "depends on it",
                          names[0], changes[0], seen)
            : fmt::format("the records cannot tell {} apart: a change of {} {}; keep one of them fixed, or record "
                          "something that tells them apart",
                          fmt::join(names, " and "), fmt::join(changes, " with "), seen));
  }
}

/// Values; the parameters to be judged are given back. What stands at a bound would go on beyond it; the others are
/// judged with it fixed.
std::vector<Eigen::Index> IdentificationWork::begin_estimates(const VectorX& point, Identification& result) const {
  std::vector<Eigen::Index> free;
  for (Eigen::Index i = 0; i < n_; ++i) {
    Estimate estimate;
    estimate.name = sought_[i].name;
    estimate.start = sought_[i].start;
    estimate.value = point[i];
    const double margin = 1e-6 * scale_[i];
    estimate.is_at_bound = point[i] - sought_[i].lower < margin || sought_[i].upper - point[i] < margin;
    if (estimate.is_at_bound) {
      estimate.is_determined = true;
      estimate.lower = estimate.upper = estimate.value;
    } else {
      free.push_back(i);
    }
    result.estimates.push_back(estimate);
  }
  return free;
}

void IdentificationWork::judge(const MatrixX& J, const VectorX& error, const std::vector<Eigen::Index>& free,
                               Identification& result) {
  MatrixX of_free(J.rows(), free.size());
  VectorX error_of_free(free.size());
  for (std::size_t i = 0; i < free.size(); ++i) {
    // A parameter that has grown beyond its first scale is measured by its own size.
    const double size = std::max(1.0, std::abs(result.estimates[free[i]].value) / scale_[free[i]]);
    of_free.col(i) = J.col(free[i]) * size;
    error_of_free[i] = error[free[i]];
    scale_[free[i]] *= size;
  }
  const bool knows_noise = std::all_of(channels_.begin(), channels_.end(),
                                       [](const Channel& each) { return each.noise_given || each.held_back; });
  const double freedoms = knows_noise ? 1e9 : static_cast<double>(samples_ - n_);
  const double quantile = detail::student_quantile(options_.confidence, freedoms);
  const detail::Judgement judgement = detail::judge_parameters(of_free, error_of_free, quantile, options_.widest);
  result.singular_values = judgement.singular_values;
  take_intervals(judgement, quantile, free, result);
  report_blind(judgement, free, result);
}

/// Deviations, intervals and covariance of what is determined; what is not loses its value.
void IdentificationWork::take_intervals(const detail::Judgement& judgement, double quantile,
                                        const std::vector<Eigen::Index>& free, Identification& result) const {
  std::vector<Eigen::Index> determined;
  for (std::size_t i = 0; i < free.size(); ++i) {
    Estimate& estimate = result.estimates[free[i]];
    estimate.is_determined = judgement.is_determined[i];
    if (!estimate.is_determined) {
      estimate.value = 0.0;
      continue;
    }
    determined.push_back(static_cast<Eigen::Index>(i));
    result.covariance_names.push_back(estimate.name);
    estimate.deviation = scale_[free[i]] * std::sqrt(judgement.covariance(i, i));
    estimate.lower = std::max(sought_[free[i]].lower, estimate.value - quantile * estimate.deviation);
    estimate.upper = std::min(sought_[free[i]].upper, estimate.value + quantile * estimate.deviation);
  }
  const auto count = std::ssize(determined);
  result.covariance.resize(count, count);
  for (Eigen::Index a = 0; a < count; ++a)
    for (Eigen::Index b = 0; b < count; ++b)
      result.covariance(a, b) = scale_[free[determined[a]]] * scale_[free[determined[b]]] *
                                judgement.covariance(determined[a], determined[b]);
}

void IdentificationWork::remark_on_estimates(const VectorX& error, Identification& result) const {
  for (const Estimate& estimate : result.estimates)
    if (estimate.is_at_bound)
      result.remarks.warnings.push_back(
          fmt::format("'{}' ended at its bound {:.6g}: it has no interval, and those of the others hold with it fixed",
                      estimate.name, estimate.value));
  for (Eigen::Index i = 0; i < n_; ++i)
    if (error[i] > 0.05 && result.estimates[i].is_determined && !result.estimates[i].is_at_bound)
      result.remarks.warnings.push_back(
          fmt::format("the runs do not change smoothly with '{}' (differences over one step and two are {:.0f} percent "
                      "apart): its interval is rough",
                      sought_[i].name, 300 * error[i]));
}

Identification IdentificationWork::answer(const VectorX& point) {
  Identification result;
  result.confidence = options_.confidence;
  VectorX samples, error;
  MatrixX J = final_slopes(point, error);
  if (!predict(point, {1.0, fit_tolerance, true}, samples)) throw PhysicsError(fault_);
  for (const Channel& channel : channels_) {
    result.fits.push_back(fit_of(channel, samples));
    remark_on(result.fits.back(), result);
    J.middleRows(channel.first, channel.length) /= widening_of(result.fits.back());
  }
  const std::vector<Eigen::Index> free = begin_estimates(point, result);
  if (!free.empty()) judge(J, error, free, result);
  remark_on_estimates(error, result);
  result.converged = fit_.converged;
  if (!fit_.converged)
    result.remarks.distrust.push_back(
        fmt::format("the fit did not end: {}{}; begin nearer to the answer, or give bounds", fit_.ending,
                    fault_.empty() ? "" : fmt::format(" (the last that did not run: {})", fault_)));
  result.iterations = iterations_;
  result.runs = runs_.runs();
  return result;
}

}  // namespace

bool Identification::all_determined() const {
  return std::all_of(estimates.begin(), estimates.end(), [](const Estimate& each) { return each.is_determined; });
}

std::map<std::string, double> Identification::values() const {
  std::map<std::string, double> found;
  for (const Estimate& each : estimates)
    if (each.is_determined) found[each.name] = each.value;
  return found;
}

Identification identify(const std::vector<Experiment>& experiments, const std::vector<SoughtParameter>& sought,
                        const IdentificationOptions& options) {
  return IdentificationWork(experiments, sought, options).run();
}

}  // namespace lithe

#include "lithe/study/identification_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

#include "lithe/errors.hpp"
#include "lithe/laws/expression.hpp"
#include "lithe/laws/suggestion.hpp"
#include "lithe/simulation/simulate.hpp"
#include "lithe/study/recorded_quantity.hpp"
#include "lithe/study/sample_grid.hpp"

namespace lithe::detail {
namespace {

// Of integrators with relative and absolute tolerances, by RunRequest::tolerance.
constexpr double rtol_of_tolerance = 1.0, atol_of_tolerance = 1e-2;

/// Keeps the columns that were measured.
class MeasuredColumns : public RecordSink {
 public:
  explicit MeasuredColumns(const Experiment& experiment) : experiment_(experiment) {
    rows_.resize(experiment.measurements.size());
  }

  void begin(const Model& model, const std::vector<std::string>& columns) override {
    for (const Measurement& each : experiment_.measurements) {
      const auto found = std::find(columns.begin(), columns.end(), full_name(each.quantity, columns));
      if (found == columns.end()) refuse(each.quantity, model, columns);
      places_.push_back(found - columns.begin());
    }
  }
  void row(std::span<const double> values) override {
    for (std::size_t m = 0; m < rows_.size(); ++m) rows_[m].push_back(values[places_[m]]);
  }
  void finish(const Audit&, const std::string&) override {}

  const std::vector<double>& column(std::size_t measurement) const { return rows_[measurement]; }

 private:
  [[noreturn]] void refuse(const std::string& quantity, const Model& model, std::vector<std::string> known) const {
    for (std::string& name : quantities_of_frames(model.mechanism)) known.push_back(std::move(name));
    throw MechanismError(quantity, fmt::format("experiment '{}': a run of the model has no quantity '{}'{}; names are "
                                               "those of the columns of results",
                                               experiment_.name, quantity, did_you_mean(quantity, known)));
  }

  const Experiment& experiment_;
  std::vector<std::ptrdiff_t> places_;
  std::vector<std::vector<double>> rows_;
};

double calibration(const std::string& text, const Model& model, const Experiment& experiment, const Measurement& of) {
  try {
    return Expression::parse(text, model.parameters, false).value();
  } catch (const ExpressionError& error) {
    throw MechanismError(of.name,
                         fmt::format("experiment '{}', column '{}': '{}' is no expression of the parameters of "
                                     "the model: {}",
                                     experiment.name, of.name, text, error.what()));
  }
}

RunOutcome run_experiment(const Model& model, ExperimentRun run, RecordSink& sink, const RunControl& control) {
  switch (run) {
    case ExperimentRun::inverse:
      return run_inverse(model, sink, control);
    case ExperimentRun::kinematics:
      return run_kinematics(model, sink, control);
    default:
      return run_simulation(model, sink, control);
  }
}

}  // namespace

ExperimentRuns::ExperimentRuns(const std::vector<Experiment>& experiments, const std::vector<SoughtParameter>& sought,
                               int threads, const std::atomic<bool>* stop)
    : experiments_(experiments),
      sought_(sought),
      threads_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
      stop_(stop) {
  for (const Experiment& each : experiments) {
    first_.push_back(samples_);
    samples_ += static_cast<long>(each.times.size() * each.measurements.size());
  }
}

void ExperimentRuns::predict(std::size_t number, const VectorX& point, const RunRequest& request,
                             VectorX& samples) const {
  const Experiment& experiment = experiments_[number];
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < sought_.size(); ++i) values[sought_[i].name] = point[i];
  Model model = experiment.model(values);
  const auto count =
      std::max<std::size_t>(2, std::lround(request.share * static_cast<double>(experiment.times.size())));
  const std::vector<double> times(experiment.times.begin(),
                                  experiment.times.begin() + std::min(count, experiment.times.size()));
  if (times.front() < model.run.from || !(times.back() > model.run.from))
    throw MechanismError(experiment.name,
                         fmt::format("experiment '{}': the samples, from {:.6g} s to {:.6g} s, do not lie behind the "
                                     "start of the run at {:.6g} s",
                                     experiment.name, times.front(), times.back(), model.run.from));
  const SampleGrid grid(model.run.from, times);
  model.run.every = grid.every();
  model.run.until = grid.until();
  model.run.tolerance = std::min(model.run.tolerance, request.tolerance);
  model.run.rtol = std::min(model.run.rtol, rtol_of_tolerance * request.tolerance);
  model.run.atol = std::min(model.run.atol, atol_of_tolerance * request.tolerance);
  model.record = nothing_recorded();
  for (const Measurement& each : experiment.measurements) record_quantity(each.quantity, model.mechanism, model.record);

  MeasuredColumns columns(experiment);
  RunControl control;
  control.stop = stop_;
  const RunOutcome outcome = run_experiment(model, experiment.run, columns, control);
  if (outcome.ending != RunOutcome::Ending::complete)
    throw PhysicsError(fmt::format("experiment '{}': {}", experiment.name, outcome.message));
  for (std::size_t m = 0; m < experiment.measurements.size(); ++m) {
    const Measurement& measurement = experiment.measurements[m];
    const double factor = calibration(measurement.factor, model, experiment, measurement);
    const double offset = calibration(measurement.offset, model, experiment, measurement);
    const std::vector<double>& column = columns.column(m);
    const long first = first_sample(number, m);
    for (std::size_t k = 0; k < times.size(); ++k) {
      samples[first + k] = offset + factor * grid.at(times[k], column);
      if (!std::isfinite(samples[first + k]))
        throw PhysicsError(fmt::format("experiment '{}': the prediction of '{}' is not a number at {:.6g} s",
                                       experiment.name, measurement.name, experiment.times[k]));
    }
  }
}

bool ExperimentRuns::is_same(std::size_t experiment, const VectorX& a, const VectorX& b) const {
  if (a.size() != b.size()) return false;
  const std::vector<std::string>& fixed = experiments_[experiment].fixed;
  for (std::size_t i = 0; i < sought_.size(); ++i)
    if (a[i] != b[i] && std::find(fixed.begin(), fixed.end(), sought_[i].name) == fixed.end()) return false;
  return true;
}

void ExperimentRuns::try_start() {
  VectorX point(sought_.size()), samples(samples_);
  for (std::size_t i = 0; i < sought_.size(); ++i) point[i] = sought_[i].start;
  for (std::size_t e = 0; e < experiments_.size(); ++e) predict(e, point, {1.0, 1e-6, true}, samples);
  runs_ += std::ssize(experiments_);
}

std::vector<Prediction> ExperimentRuns::predict(const std::vector<VectorX>& points, const RunRequest& request,
                                                const VectorX& base, const VectorX& known) {
  std::vector<Prediction> answers(points.size());
  struct Job {
    std::size_t point, experiment;
  };
  std::vector<Job> jobs;
  for (std::size_t p = 0; p < points.size(); ++p) {
    answers[p].samples = VectorX::Constant(samples_, std::nan(""));
    for (std::size_t e = 0; e < experiments_.size(); ++e) {
      const long end = e + 1 < experiments_.size() ? first_[e + 1] : samples_;
      if (experiments_[e].held_back && !request.held_back) continue;
      if (is_same(e, points[p], base))
        answers[p].samples.segment(first_[e], end - first_[e]) = known.segment(first_[e], end - first_[e]);
      else
        jobs.push_back({p, e});
    }
  }
  std::atomic<std::size_t> next{0};
  std::mutex faults;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      Prediction& answer = answers[jobs[i].point];
      try {
        predict(jobs[i].experiment, points[jobs[i].point], request, answer.samples);
      } catch (const std::exception& error) {
        const std::scoped_lock lock(faults);
        answer.fault = error.what();
      }
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads_, jobs.size()); ++i) others.emplace_back(work);
  work();
  others.clear();
  runs_ += std::ssize(jobs);
  return answers;
}

}  // namespace lithe::detail

// Work-precision diagrams: CPU inside the run against error, for all integrators on ten mechanisms of the gallery.
//
//   lithe-work-precision PICTURE.svg [TEXT]      mechanisms whose name contains TEXT
//
// A run writes the rows of its model as CSV. Error: the largest deviation of an elastic coordinate or recorded position
// from Dormand-Prince at 1e-12, in parts of the largest elastic coordinate; of rigid mechanisms that of positions and
// angles, in parts of the largest one. Time is CPU time, the best of a few runs. Tables in Markdown go to stdout.

#include "work_precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <optional>

#include "lithe/io/load_model.hpp"
#include "lithe/io/results.hpp"

namespace bench {
namespace {

using lithe::Integrator;
using lithe::RunOptions;

constexpr double too_long = 3.0;   ///< s of CPU: such a run is given up
constexpr double too_wrong = 1.0;  ///< error of a point that is not worth drawing
constexpr int runs_of_defaults = 7, runs_of_points = 3;

struct Subject {
  const char* name;
  bool elastic;
};
constexpr Subject subjects[] = {
    {"flexible-four-bar", true}, {"flexible-slider-crank", true}, {"flexible-3rrr", true}, {"flexible-pendulum", true},
    {"spin-up-beam", true},      {"fattah-3rrr", true},           {"fattah-3rrs", true},   {"soft-pendulum", true},
    {"double-pendulum", false},  {"delta-robot", false}};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Writes rows as CSV and keeps them; looks at the clock where a run begins and ends.
class TimedRows : public lithe::RecordSink {
 public:
  explicit TimedRows(const std::string& path) : text_(lithe::csv_sink(path)) {}

  void begin(const lithe::Model& model, const std::vector<std::string>& columns) override {
    started_ = cpu_seconds();
    names = columns;
    text_->begin(model, columns);
  }
  void row(std::span<const double> row) override {
    values.insert(values.end(), row.begin(), row.end());
    text_->row(row);
  }
  void finish(const lithe::Audit& audit, const std::string& outcome) override {
    text_->finish(audit, outcome);
    seconds = cpu_seconds() - started_;
  }

  std::vector<std::string> names;
  std::vector<double> values;  ///< row by row
  double seconds = 0.0;

 private:
  std::unique_ptr<lithe::RecordSink> text_;
  double started_ = 0.0;
};

/// Whether a column is an elastic coordinate: q.LINK.e3.
bool is_deflection(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return name.starts_with("q.") && dot > 1 && name.size() > dot + 2 && name[dot + 1] == 'e' &&
         name.find_first_not_of("0123456789", dot + 2) == std::string::npos;
}

double error_of(const TimedRows& run, const TimedRows& reference, bool elastic) {
  double largest = 0.0, worst = 0.0;
  const std::size_t width = reference.names.size();
  for (std::size_t i = 0; i < reference.values.size(); ++i) {
    const std::string& name = reference.names[i % width];
    const bool position = name.starts_with("pos."), counts = elastic ? is_deflection(name) : name.starts_with("q.");
    if (counts || (!elastic && position)) largest = std::max(largest, std::abs(reference.values[i]));
    if (counts || position) worst = std::max(worst, std::abs(run.values[i] - reference.values[i]));
  }
  return worst / largest;
}

/// One mechanism and the file into which its rows go.
class Bench {
 public:
  Bench(const Subject& subject, std::string rows)
      : subject_(subject), path_(fmt::format("{}/{}.yaml", LITHE_EXAMPLES, subject.name)), rows_(std::move(rows)) {
    RunOptions exact = defaults();
    exact.integrator = Integrator::dopri;
    exact.rtol = 1e-12;
    exact.atol = 1e-14;
    Outcome ignored;
    reference_ = run(exact, std::numeric_limits<double>::infinity(), ignored);
    if (!reference_) throw std::runtime_error(fmt::format("{}: no reference", subject.name));
  }

  /// The run of the model with the numerics of one that says nothing about them.
  RunOptions defaults() const {
    const RunOptions own = lithe::load_model(path_).run;
    RunOptions options;
    options.from = own.from;
    options.until = own.until;
    options.every = own.every;
    return options;
  }

  /// The best of `runs`; none when the run fails, takes too long or is not worth drawing.
  std::optional<Outcome> measure(const RunOptions& options, int runs) const {
    std::optional<Outcome> best;
    for (int i = 0; i < runs; ++i) {
      Outcome outcome;
      const auto rows = run(options, too_long, outcome);
      if (!rows || rows->values.size() != reference_->values.size()) return {};
      outcome.error = error_of(*rows, *reference_, subject_.elastic);
      if (!(outcome.error <= too_wrong)) return {};
      if (!best || outcome.seconds < best->seconds) best = outcome;
      if (outcome.seconds > 0.1 * too_long) break;
    }
    return best;
  }

 private:
  std::unique_ptr<TimedRows> run(const RunOptions& options, double longest, Outcome& outcome) const {
    const double start = cpu_seconds();
    lithe::Model model = lithe::load_model(path_);
    model.run = options;
    auto rows = std::make_unique<TimedRows>(rows_);
    std::atomic<bool> stop = false;
    lithe::RunControl control;
    control.progress = [&](double) { stop = cpu_seconds() - start > longest; };
    control.stop = &stop;
    try {
      const lithe::RunOutcome result = lithe::run_simulation(model, *rows, control);
      if (result.ending != lithe::RunOutcome::Ending::complete) return nullptr;
      outcome = {rows->seconds, cpu_seconds() - start, 0.0, result.audit.evaluations};
    } catch (const lithe::MechanismError&) {  // an integrator that does not fit this mechanism
      return nullptr;
    }
    return rows;
  }

  Subject subject_;
  std::string path_, rows_;
  std::unique_ptr<TimedRows> reference_;
};

/// The settings of one integrator, from coarse to fine.
std::vector<RunOptions> settings_of(Integrator integrator, RunOptions options) {
  std::vector<RunOptions> all;
  options.integrator = integrator;
  const bool fixed = integrator == Integrator::rk4 || integrator == Integrator::dopri5_fixed ||
                     integrator == Integrator::generalized_alpha;
  for (int i = 0; i < 6; ++i) {
    const double tolerance = std::pow(10.0, -i);
    if (fixed) {
      options.step = (options.until - options.from) / (500 << i);
    } else if (integrator == Integrator::exponential) {
      options.tolerance = 1e-2 * tolerance;
    } else {
      options.rtol = 1e-4 * tolerance;
      options.atol = 1e-6 * tolerance;
    }
    all.push_back(options);
  }
  return all;
}

Diagram diagram_of(const Subject& subject, const std::string& rows) {
  const Bench bench(subject, rows);
  const RunOptions usual = bench.defaults();
  RunOptions before = usual;
  before.integrator = Integrator::bdf;
  Diagram diagram{subject.name, subject.elastic, {}, {}, {}};
  const auto now = bench.measure(usual, runs_of_defaults), then = bench.measure(before, runs_of_defaults);
  if (!now || !then) throw std::runtime_error(fmt::format("{}: a run with default settings fails", subject.name));
  diagram.usual = *now;
  diagram.before = *then;
  for (const Integrator integrator : lithe::all_integrators) {
    if (integrator == Integrator::automatic) continue;
    Curve curve{std::string(name_of(integrator)), {}};
    for (const RunOptions& options : settings_of(integrator, usual))
      if (const auto outcome = bench.measure(options, runs_of_points)) curve.points.push_back(*outcome);
    diagram.curves.push_back(curve);
  }
  return diagram;
}

/// CPU of the cheapest run within 0.1 percent, ms; empty when there is none.
std::string cheapest(const Curve& curve) {
  double least = std::numeric_limits<double>::infinity();
  for (const Outcome& point : curve.points)
    if (point.error <= 1e-3) least = std::min(least, point.seconds);
  return std::isfinite(least) ? fmt::format("{:.1f}", 1e3 * least) : "";
}

void print_defaults(const std::vector<Diagram>& diagrams) {
  std::cout << "\n| mechanism | error of `auto` (%) | of `bdf` | run by `auto` (ms) | by `bdf` | times less | with "
               "loading (ms) | by "
               "`bdf` | times less |\n|---|---|---|---|---|---|---|---|---|\n";
  double inside = 0.0, whole = 0.0;
  int elastic = 0;
  for (const Diagram& d : diagrams) {
    const double gain = d.before.seconds / d.usual.seconds, of_all = d.before.with_load / d.usual.with_load;
    if (d.elastic) {
      inside += std::log(gain);
      whole += std::log(of_all);
      ++elastic;
    }
    std::cout << fmt::format("| {} | {:.2g} | {:.2g} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n",
                             d.mechanism, 100 * d.usual.error, 100 * d.before.error, 1e3 * d.usual.seconds,
                             1e3 * d.before.seconds, gain, 1e3 * d.usual.with_load, 1e3 * d.before.with_load, of_all);
  }
  if (elastic > 0)
    std::cout << fmt::format("| elastic ones, geometric mean | | | | | {:.1f} | | | {:.1f} |\n",
                             std::exp(inside / elastic), std::exp(whole / elastic));
}

void print_cheapest(const std::vector<Diagram>& diagrams) {
  std::cout << "\n| mechanism |";
  for (const Curve& curve : diagrams.front().curves) std::cout << " " << curve.integrator << " |";
  std::cout << "\n|---|";
  for (std::size_t i = 0; i < diagrams.front().curves.size(); ++i) std::cout << "---|";
  std::cout << "\n";
  for (const Diagram& d : diagrams) {
    std::cout << "| " << d.mechanism << " |";
    for (const Curve& curve : d.curves) std::cout << " " << cheapest(curve) << " |";
    std::cout << "\n";
  }
}

int draw(const std::string& picture, const std::string& text) {
  const std::string rows = picture + ".rows.csv";
  std::vector<Diagram> diagrams;
  for (const Subject& subject : subjects) {
    if (std::string(subject.name).find(text) == std::string::npos) continue;
    std::cerr << subject.name << "\n";
    diagrams.push_back(diagram_of(subject, rows));
  }
  std::filesystem::remove(rows);
  if (diagrams.empty()) return 2;
  print_defaults(diagrams);
  print_cheapest(diagrams);
  std::ofstream(picture) << svg_panels(diagrams);
  return 0;
}

}  // namespace
}  // namespace bench

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: lithe-work-precision PICTURE.svg [TEXT]\n";
    return 2;
  }
  try {
    return bench::draw(arguments[1], count > 2 ? arguments[2] : "");
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}

// Convergence of assembled mechanisms with elastic links.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "lithe/analysis/statics.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "studies.hpp"
#include "support/beam_mechanisms.hpp"

namespace lithe::verification {
namespace {

using Settings = std::map<std::string, std::string>;

Model example(const std::string& name, int modes, int elements, Settings settings = {}) {
  settings["modes"] = std::to_string(modes);
  settings["elements"] = std::to_string(elements);
  return load_model(std::string(LITHE_SOURCE_DIR) + "/examples/" + name, settings);
}

/// Natural frequencies (Hz) at rest in the initial pose with the motors locked.
VectorX frequencies_of(const Model& model) {
  Prepared at = prepare(model);
  State start = at.state;
  start.v.setZero();
  const Equilibrium rest = find_equilibrium(at.plan, at.work, start, Actions(at.plan), at.plan.actuated_speeds());
  return natural_modes(at.plan, at.work, rest.state.q, rest.linear).frequencies;
}

/// Largest displacements of two frames in the axes of their links, over the run (m).
std::array<double, 2> peak_deflections(const Model& model,
                                       const std::array<std::pair<const char*, const char*>, 2>& frames) {
  MemoryRecord record;
  run_simulation(model, record);
  std::array<double, 2> peaks{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string link = frames[k].first;
    const LinkData& data = model.mechanism.links[model.mechanism.find_link(link)];
    const Matrix3X& shape = data.frames[data.find_frame(frames[k].second)].shape;
    Matrix3X moved = Matrix3X::Zero(3, static_cast<Eigen::Index>(record.rows()));
    for (int i = 0; i < data.elastic.count(); ++i) {
      const std::vector<double> amplitude = record.column("q." + link + ".e" + std::to_string(i + 1));
      moved += shape.col(i) * Eigen::Map<const Eigen::RowVectorXd>(amplitude.data(), moved.cols());
    }
    peaks[k] = moved.colwise().norm().maxCoeff();
  }
  return peaks;
}

void add_point(Series& series, double x, double y) {
  series.x.push_back(x);
  series.y.push_back(y);
}

constexpr const char* robot = "flexible-3rrr.yaml";
constexpr const char* four_bar = "flexible-four-bar.yaml";

}  // namespace

Chart assembled_elements() {
  Chart chart{"assembled-elements",
              "Assembled mechanisms: error of a frequency over the mesh",
              "finite elements of each link",
              "relative error",
              true,
              true,
              {},
              {{4, 2, 10, 1e-4}}};
  struct Case {
    const char *file, *name;
    Eigen::Index mode;
  };
  for (const Case& c : {Case{robot, "3-RRR, frequency 1", 0}, Case{robot, "4", 3}, Case{robot, "7", 6},
                        Case{four_bar, "four-bar, frequency 1", 0}, Case{four_bar, "3", 2}}) {
    Series series{c.name, {}, {}};
    const double fine = frequencies_of(example(c.file, 2, 48))[c.mode];
    for (const int elements : {1, 2, 3, 4, 6, 8, 12, 16})
      add_point(series, elements, std::abs(frequencies_of(example(c.file, 2, elements))[c.mode] / fine - 1));
    chart.series.push_back(series);
  }
  return chart;
}

Chart assembled_modes() {
  Chart chart{"assembled-modes",
              "3-RRR, 16 elements a link: error of a frequency over the modes kept",
              "modes of each link",
              "relative error",
              false,
              true,
              {},
              {}};
  const VectorX all = frequencies_of(example(robot, 12, 16));
  for (const auto& [name, mode] :
       {std::pair{"frequency 1", 0}, std::pair{"3", 2}, std::pair{"4", 3}, std::pair{"7", 6}}) {
    Series series{name, {}, {}};
    for (int modes = 1; modes <= 6; ++modes) {
      const VectorX f = frequencies_of(example(robot, modes, 16));
      if (mode < f.size()) add_point(series, modes, std::abs(f[mode] / all[mode] - 1));
    }
    chart.series.push_back(series);
  }
  return chart;
}

Chart four_bar_peaks() {
  Chart chart{"four-bar-peaks",
              "Four-bar: error of the largest deflection in a run",
              "modes, or finite elements, of each link",
              "relative error",
              true,
              true,
              {{"coupler, over modes", {}, {}},
               {"rocker, over modes", {}, {}},
               {"coupler, over elements", {}, {}},
               {"rocker, over elements", {}, {}}},
              {{4, 4, 12, 1e-5}}};
  // The crank turns fastest at 0.6 s; by 0.8 s both links have had their largest deflection.
  const auto peaks = [](int modes, int elements) {
    Model model = example(four_bar, modes, elements);
    model.run.until = 0.8;
    return peak_deflections(model, {{{"coupler", "middle"}, {"rocker", "middle"}}});
  };
  const auto compare = [&](std::size_t first, int x, const std::array<double, 2>& ours,
                           const std::array<double, 2>& fine) {
    for (std::size_t i = 0; i < 2; ++i) add_point(chart.series[first + i], x, std::abs(ours[i] / fine[i] - 1));
  };
  const std::array<double, 2> many_modes = peaks(8, 16), fine_mesh = peaks(2, 48);
  for (int modes = 1; modes <= 6; ++modes) compare(0, modes, peaks(modes, 16), many_modes);
  for (const int elements : {1, 2, 3, 4, 6, 8, 12, 16}) compare(2, elements, peaks(2, elements), fine_mesh);
  return chart;
}

Chart robot_peaks() {
  Chart chart{"robot-peaks",
              "3-RRR: error of the largest deflection in a run",
              "modes of each link",
              "relative error",
              false,
              true,
              {{"tip of crank-1", {}, {}}, {"middle of rod-1", {}, {}}},
              {}};
  std::vector<std::array<double, 2>> peaks;
  for (int modes = 1; modes <= 5; ++modes)
    peaks.push_back(peak_deflections(example(robot, modes, 16), {{{"crank-1", "tip"}, {"rod-1", "middle"}}}));
  for (std::size_t modes = 0; modes + 1 < peaks.size(); ++modes)
    for (std::size_t i = 0; i < 2; ++i)
      add_point(chart.series[i], static_cast<double>(modes + 1), std::abs(peaks[modes][i] / peaks.back()[i] - 1));
  return chart;
}

Chart rigid_limit() {
  Chart chart{"rigid-limit",
              "Driven beam: distance of the tip from its rigid twin",
              "EI / (mu g L^3)",
              "distance / L",
              true,
              true,
              {{"deviation in the second half of the run", {}, {}}},
              {{1, 100, 10000, 5e-4}}};
  for (const double bending : {1e2, 1e3, 1e4, 1e5, 1e6}) {
    Model model;
    model.mechanism = testing::beam_on_joint(JointType::revolute, {.bending = bending, .modes = 2});
    model.mechanism.gravity = Vec3(0, -9.81, 0);
    model.mechanism.loads.clear();
    LinkData& beam = model.mechanism.links[1];
    beam.elastic.damping =
        (0.4 * beam.elastic.frequencies).asDiagonal();  // a fifth of critical: it soon follows quietly
    Drive drive;
    drive.joint = "root";
    drive.prescribed = true;
    drive.follow = CycloidLaw{0.0, 1.0, 0.0, 2.0};
    model.drives.push_back(drive);
    model.run.until = 2.0;
    model.run.every = 0.01;
    model.run.rtol = 1e-9;
    model.run.atol = 1e-13;
    model.record.frames = {model.mechanism.find_frame("beam", "tip")};
    MemoryRecord record;
    run_simulation(model, record);
    double largest = 0.0;
    for (std::size_t i = record.rows() / 2; i < record.rows(); ++i) {
      const double angle = record.at(i, "q.root");
      largest = std::max(largest, std::hypot(record.at(i, "pos.beam.tip.x") - std::cos(angle),
                                             record.at(i, "pos.beam.tip.y") - std::sin(angle)));
    }
    add_point(chart.series[0], bending / 9.81, largest);
  }
  return chart;
}

std::vector<double> four_bar_frequencies() {
  const VectorX f = frequencies_of(example(four_bar, 4, 16));
  return {f.begin(), f.end()};
}

std::vector<double> robot_frequencies() {
  const VectorX f = frequencies_of(example(robot, 20, 16));
  return {f.begin(), f.end()};
}

std::vector<Chart> flexible_charts() {
  return {assembled_elements(), assembled_modes(), four_bar_peaks(), robot_peaks(), rigid_limit()};
}

}  // namespace lithe::verification

// Convergence of elastic links.

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "lithe/links/assumed_modes.hpp"
#include "lithe/links/bezier_beam.hpp"
#include "lithe/links/reduction.hpp"
#include "lithe/links/truss.hpp"
#include "studies.hpp"
#include "support/beams.hpp"

namespace lithe::verification {
namespace {

constexpr double pi = std::numbers::pi;
const std::vector<BeamSupport> clamped{{0.0, true, true}};

nlohmann::json oracle(const std::string& name) {
  std::ifstream file(std::string(LITHE_SOURCE_DIR) + "/tests/oracles/" + name);
  return nlohmann::json::parse(file);
}

VectorX frequencies(const MatrixX& stiffness, const MatrixX& mass) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(stiffness, mass).eigenvalues().cwiseMax(0.0).cwiseSqrt();
}

/// A beam of tests/oracles/beam_frequencies.py: everything is one at its root.
BeamSpec oracle_beam(const nlohmann::json& given, int elements) {
  BeamSpec spec = testing::uniform_beam(1, 1, 1, elements);
  Section root = spec.stations[0].section;
  const double shear = given["shear"], softer = given["softer"], lighter = given["lighter"];
  root.shear_y = shear > 0 ? 1 / shear : 0.0;
  root.rotary_z = given["rotary"];
  Section tip = root;
  tip.bending_y = 1 - softer;
  tip.mass_per_length = 1 - lighter;
  spec.stations = {{0.0, root}, {1.0, tip}};
  return spec;
}

void add(Series& series, double x, double y) {
  series.x.push_back(x);
  series.y.push_back(y);
}

}  // namespace

Chart beam_mesh() {
  Chart chart{"beam-mesh",
              "Clamped-free beams: error of a frequency over the mesh",
              "finite elements",
              "relative error",
              true,
              true,
              {},
              {{4, 3, 16, 3e-5}, {2, 8, 32, 2.5e-2}}};
  const nlohmann::json exact = oracle("beam_frequencies.json");
  struct Case {
    const char *key, *name;
    int mode;
  };
  for (const Case& c :
       {Case{"euler_bernoulli", "Euler-Bernoulli, mode 1", 0}, Case{"euler_bernoulli", "mode 2", 1},
        Case{"euler_bernoulli", "mode 3", 2}, Case{"timoshenko", "Timoshenko, mode 1", 0},
        Case{"timoshenko", "mode 2", 1}, Case{"tapered", "tapered, mode 1", 0}, Case{"tapered", "mode 2", 1}}) {
    Series series{c.name, {}, {}};
    for (const int elements : {2, 3, 4, 6, 8, 12, 16, 24, 32}) {
      const ElasticModel model = beam_model("beam", oracle_beam(exact[c.key], elements), clamped);
      const double f = frequencies(model.stiffness, model.mass)[c.mode];
      add(series, elements,
          std::abs(f / exact[c.key]["frequencies"][c.mode].get<double>() - 1));
    }
    chart.series.push_back(series);
  }
  return chart;
}

Chart beam_buckling() {
  Chart chart{"beam-buckling",
              "Euler columns: error of the buckling load over the mesh",
              "finite elements",
              "relative error",
              true,
              true,
              {{"clamped-free, pi^2 EI/(4 L^2)", {}, {}}, {"pinned-pinned, pi^2 EI/L^2", {}, {}}},
              {{4, 3, 16, 1.5e-5}}};
  for (const int elements : {1, 2, 3, 4, 6, 8, 12, 16, 24}) {
    const BeamSpec spec = testing::uniform_beam(3, 7, 1, elements);
    add(chart.series[0], elements, buckling_load(beam_model("column", spec, clamped)) / (pi * pi * 7 / 36) - 1);
    add(chart.series[1], elements,
        buckling_load(beam_model("column", spec, {{0.0, true, false}, {3.0, true, false}})) / (pi * pi * 7 / 9) - 1);
  }
  return chart;
}

namespace {

/// A boom of square bays, one metre each, its root clamped. Only the chords have mass, so the beam that it approaches
/// has exactly their mass per length and EI = EA h^2/2.
TrussSpec square_boom(int bays) {
  TrussSpec spec;
  spec.planar = true;
  const auto name = [](char side, int i) { return side + std::to_string(i); };
  for (int i = 0; i <= bays; ++i)
    for (const char side : {'a', 'b'}) spec.nodes.push_back({name(side, i), Vec3(i, side == 'a' ? -0.5 : 0.5, 0)});
  const double axial = 1e6, mass_per_length = 2.0;
  for (int i = 0; i < bays; ++i) {
    for (const char side : {'a', 'b'})
      spec.bars.push_back({"", name(side, i), name(side, i + 1), axial, mass_per_length, 0});
    spec.bars.push_back({"", name('a', i), name('b', i + 1), axial, 0, 0});
    spec.bars.push_back({"", name('a', i + 1), name('b', i + 1), axial, 0, 0});
  }
  for (const char side : {'a', 'b'}) spec.supports.push_back({name(side, 0), {Vec3::UnitX(), Vec3::UnitY()}});
  return spec;
}

}  // namespace

Chart truss_boom() {
  Chart chart{"truss-boom",
              "Truss boom: first frequency against that of its Euler-Bernoulli beam",
              "bays",
              "relative difference",
              true,
              true,
              {{"first bending frequency", {}, {}}},
              {{2, 12, 60, 0.012}}};
  for (const int bays : {5, 7, 10, 14, 20, 28, 40, 56, 80}) {
    const ElasticModel model = truss_model("boom", square_boom(bays));
    const double beam = 3.5160152685 / (1.0 * bays * bays) * std::sqrt(0.5e6 / 4.0);
    add(chart.series[0], bays, std::abs(frequencies(model.stiffness, model.mass)[0] / beam - 1));
  }
  return chart;
}

Chart global_shapes() {
  Chart chart{"global-shapes",
              "Global shapes: error of a frequency over their number",
              "shapes (Bezier: degree - 1)",
              "relative error",
              false,
              true,
              {},
              {}};
  const nlohmann::json exact = oracle("beam_frequencies.json");
  const auto error = [&](const ElasticModel& model, const char* key, int mode) {
    const double truth = exact[key]["frequencies"][mode];
    return std::abs(frequencies(model.stiffness, model.mass)[mode] / truth - 1);
  };
  for (const int mode : {0, 1, 2}) {
    Series bezier{mode == 0 ? "Bezier, clamped, mode 1" : "mode " + std::to_string(mode + 1), {}, {}};
    for (int degree = mode + 3; degree <= 12; ++degree) {
      BezierBeamSpec spec;
      spec.beam.stations = oracle_beam(exact["euler_bernoulli"], 1).stations;
      spec.degree = degree;
      // Below 1e-10 the error is that of rounding.
      if (const double e = error(bezier_beam_model("beam", spec), "euler_bernoulli", mode); e > 1e-10)
        add(bezier, degree - 1, e);
    }
    chart.series.push_back(bezier);
  }
  Series printed{"Bezier, end condition as printed, mode 1", {}, {}},
      assumed{"assumed modes, tapered beam, mode 1", {}, {}};
  for (int degree = 3; degree <= 12; ++degree) {
    BezierBeamSpec spec;
    spec.beam.stations = oracle_beam(exact["euler_bernoulli"], 1).stations;
    spec.degree = degree;
    spec.root = BezierEnd::as_printed;
    add(printed, degree - 1, error(bezier_beam_model("beam", spec), "euler_bernoulli", 0));
  }
  for (int count = 1; count <= 11; ++count) {
    AssumedModesSpec spec;
    spec.beam.stations = oracle_beam(exact["tapered"], 1).stations;
    spec.along_y = {BendingFamily::clamped_free, count};
    add(assumed, count, error(assumed_modes_model("beam", spec), "tapered", 0));
  }
  chart.series.push_back(printed);
  chart.series.push_back(assumed);
  return chart;
}

Chart spinning_beam() {
  Chart chart{"spinning-beam",
              "Beam spinning about its root: first frequency over the spin",
              "spin / sqrt(EI/(mu L^4))",
              "frequency / sqrt(EI/(mu L^4))",
              false,
              false,
              {},
              {}};
  Series exact_out{"out of plane, series solution", {}, {}, true, false};
  Series exact_in{"in plane, series solution", {}, {}, true, false};
  Series out{"out of plane", {}, {}, false, true}, in{"in plane", {}, {}, false, true};
  Series soft{"in plane, stiffening off", {}, {}, false, true};
  for (const auto& row : oracle("rotating_beam.json")) {
    add(exact_out, row["spin"], row["out_of_plane"][0]);
    add(exact_in, row["spin"], row["in_plane"][0]);
  }
  const ElasticModel model = beam_model("blade", testing::uniform_beam(1, 1, 1, 16), clamped);
  const ElasticData e = reduced_link("blade", model, link_modes("blade", model, {{}, 12, 0}), true).elastic;
  for (int i = 0; i <= 100; ++i) {
    const double spin = 0.1 * i, square = spin * spin;
    const MatrixX stiff = e.stiffness + square * e.position_foreshortening[0][0];
    add(out, spin, frequencies(stiff, e.mass)[0]);
    add(in, spin, frequencies(stiff - square * e.shape_shape[1][1], e.mass)[0]);
    const double softened = frequencies(e.stiffness - square * e.shape_shape[1][1], e.mass)[0];
    if (softened > 0) add(soft, spin, softened);
  }
  add(soft, frequencies(e.stiffness, e.mass)[0], 0.0);
  chart.series = {out, in, soft, exact_out, exact_in};
  return chart;
}

Chart static_shapes() {
  Chart chart{"static-shapes",
              "Force at the tip of a clamped beam: error of the deflection",
              "coordinates of the link",
              "relative error",
              true,
              true,
              {{"natural modes", {}, {}}, {"natural modes and the static shapes of the tip", {}, {}}},
              {{3, 3, 12, 4e-4}}};
  const ElasticModel model = beam_model("arm", testing::uniform_beam(1, 1, 1, 32), clamped);
  const double exact = 1.0 / 3;  // P L^3/(3 EI)
  const auto error = [&](const ReductionChoice& choice) {
    const Reduction kept = reduce("arm", model, choice);
    const Frame tip = model.field->frames(kept.basis, false)[2];
    const VectorX load = tip.shape.row(1).transpose();
    return std::abs(
        load.dot(VectorX((kept.basis.transpose() * model.stiffness * kept.basis).ldlt().solve(load))) / exact - 1);
  };
  for (int count = 1; count <= 12; ++count) {
    ReductionChoice choice;
    choice.modes.count = count;
    add(chart.series[0], count, error(choice));
    choice.loaded = {"tip"};
    // The force and the moment at the tip bring two static shapes; what is left is rounding.
    add(chart.series[1], count + 2, std::max(error(choice), 1e-13));
  }
  return chart;
}

Chart craig_bampton() {
  Chart chart{"craig-bampton",
              "Craig-Bampton, interface at the tip: error of a frequency",
              "fixed-interface modes",
              "relative error",
              false,
              true,
              {},
              {}};
  const ElasticModel model = beam_model("arm", testing::uniform_beam(1, 1, 1, 32), clamped);
  const VectorX all = frequencies(model.stiffness, model.mass);
  for (int mode = 0; mode < 4; ++mode) chart.series.push_back({"mode " + std::to_string(mode + 1), {}, {}});
  for (int inner = 0; inner <= 8; ++inner) {
    ReductionChoice choice;
    choice.interfaces = {"tip"};
    choice.modes.count = inner;
    const Reduction kept = reduce("arm", model, choice);
    for (std::size_t mode = 0; mode < 4; ++mode) {
      const auto i = static_cast<Eigen::Index>(mode);
      if (i >= kept.frequencies.size()) continue;
      // Below 1e-10 the error is that of rounding.
      if (const double e = std::abs(kept.frequencies[i] / all[i] - 1); e > 1e-10) add(chart.series[mode], inner, e);
    }
  }
  return chart;
}

Chart calculix_tube() {
  Chart chart{"calculix-tube",
              "Tapered tube with payload: difference from the solid model of CalculiX",
              "beam elements",
              "difference (percent)",
              true,
              false,
              {},
              {}};
  const nlohmann::json solid = oracle("tapered_tube.json");
  const double length = solid["length"], root = solid["root_radius"], tip_radius = solid["tip_radius"];
  const Material material{solid["young"], solid["density"], solid["poisson"]};
  chart.series = {{"frequency 1", {}, {}},
                  {"frequency 2", {}, {}},
                  {"frequency 3", {}, {}},
                  {"tip deflection", {}, {}},
                  {"one percent", {3, 48}, {1, 1}, false, true},
                  {"minus one percent", {3, 48}, {-1, -1}, false, true}};
  for (const int elements : {3, 4, 6, 8, 12, 16, 24, 32, 48}) {
    BeamSpec spec;
    spec.axis = {Vec3::Zero(), Vec3(length, 0, 0)};
    for (int i = 0; i <= 48; ++i)
      spec.stations.push_back(
          {length * i / 48, tube(material, root + (tip_radius - root) * i / 48, solid["thickness"])});
    spec.elements = elements;
    spec.masses.push_back({length, solid["payload"], Vec3::Zero(), Mat3::Zero()});
    const ElasticModel model = beam_model("tube", spec, clamped);
    const VectorX f = frequencies(model.stiffness, model.mass) / (2 * pi);
    // Bending frequencies of the round tube come in pairs in the solid model.
    for (std::size_t i = 0; i < 3; ++i)
      add(chart.series[i], elements,
          100 * (f[static_cast<Eigen::Index>(i)] / solid["frequencies_hz"][2 * i].get<double>() - 1));
    const Frame tip = model.field->frames(MatrixX::Identity(f.size(), f.size()), false)[2];
    const VectorX load = solid["force"].get<double>() * tip.shape.row(1).transpose();
    const double deflection = tip.shape.row(1) * VectorX(model.stiffness.ldlt().solve(load));
    add(chart.series[3], elements, 100 * (deflection / solid["tip_deflection"].get<double>() - 1));
  }
  return chart;
}

std::vector<Chart> link_charts() {
  return {beam_mesh(),     beam_buckling(), truss_boom(),    global_shapes(),
          spinning_beam(), static_shapes(), craig_bampton(), calculix_tube()};
}

}  // namespace lithe::verification

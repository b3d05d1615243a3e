// Beams against solid models of CalculiX; the recorded values come from tests/oracles/calculix_tube.py.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "lithe/links/beam.hpp"
#include "lithe/links/modes.hpp"
#include "lithe/links/reference.hpp"
#include "support/source_folder.hpp"
#include "support/recorded_json.hpp"

namespace lithe {
namespace {

nlohmann::json recorded(const std::string& name) { return recorded_json("tests/oracles/" + name); }

// What is recorded is converged: the finest two meshes (bricks doubled along and around, then through the wall) agree
// to 1e-4, and from the coarsest to the finest nothing moves by more than 3e-4.
TEST(Calculix, RecordedTubeIsConverged) {
  const nlohmann::json oracle = recorded("tapered_tube.json"), &meshes = oracle["convergence"];
  ASSERT_EQ(meshes.size(), 4U);
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    const double allowed = m + 2 < meshes.size() ? 3e-4 : 1e-4;
    EXPECT_NEAR(meshes[m]["tip_deflection"].get<double>() / oracle["tip_deflection"].get<double>(), 1.0, allowed);
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(meshes[m]["frequencies_hz"][i].get<double>() / oracle["frequencies_hz"][i].get<double>(), 1.0,
                  allowed);
  }
}

// A tapered tube with a payload: three bending frequencies and the static tip deflection within one percent.
TEST(Calculix, TaperedTubeWithPayload) {
  const nlohmann::json oracle = recorded("tapered_tube.json");
  const double length = oracle["length"], root = oracle["root_radius"], tip_radius = oracle["tip_radius"];
  const Material material{oracle["young"], oracle["density"], oracle["poisson"]};
  BeamSpec spec;
  spec.axis = {Vec3::Zero(), Vec3(length, 0, 0)};
  // Stiffness varies with the fourth power of the radius: stations close together, linear between them.
  for (int i = 0; i <= 48; ++i) {
    const double at = length * i / 48, radius = root + (tip_radius - root) * i / 48;
    spec.stations.push_back({at, tube(material, radius, oracle["thickness"])});
  }
  spec.elements = 24;
  spec.bends_along_z = true;
  spec.masses.push_back({length, oracle["payload"], Vec3::Zero(), Mat3::Zero()});
  const ElasticModel model = with_reference("tube", beam_model("tube", spec, {}), Reference::clamped);

  const Reduction modes = link_modes("tube", model, {{}, 6, 0});
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(modes.frequencies[i] / (2 * std::numbers::pi) / oracle["frequencies_hz"][i].get<double>(), 1.0, 0.01)
        << i;

  const Frame tip = model.field->frames(MatrixX::Identity(model.mass.rows(), model.mass.rows()), false)[2];
  const VectorX load = oracle["force"].get<double>() * tip.shape.row(1).transpose();
  const double deflection = tip.shape.row(1) * model.stiffness.ldlt().solve(load);
  EXPECT_NEAR(deflection / oracle["tip_deflection"].get<double>(), 1.0, 0.01);
}

}  // namespace
}  // namespace lithe

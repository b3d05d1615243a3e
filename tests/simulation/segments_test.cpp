// Large bending by segments.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe {
namespace {

/// Tip of a soft pendulum (1 m, 20 x 20 mm, E = 70 MPa, 5540 kg/m^3) one second after it was released level.
Vec3 tip_after_a_second(int segments) {
  const Model model = load_model_text(
      fmt::format("lithe: 1\n"
                  "gravity: [0, -9.81, 0]\n"
                  "materials: {{rubber: {{density: 5540, young: 70e6, poisson: 0.3}}}}\n"
                  "links:\n"
                  "  arm:\n"
                  "    beam: {{length: 1, material: rubber, section: {{rectangle: {{height: 0.02, "
                  "width: 0.02}}}}, bending: y,\n"
                  "           torsion: false, stretching: true, segments: {}, theory: euler-bernoulli}}\n"
                  "joints: {{pivot: {{revolute: z, from: ground, to: arm}}}}\n"
                  "run: {{until: 1, every: 0.5, integrator: bdf, rtol: 1e-6, atol: 1e-8}}\n"
                  "record: [coordinates, frames: [arm/tip]]\n",
                  segments),
      "pendulum.yaml");
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  const std::size_t last = record.rows() - 1;
  const std::string tip = fmt::format("pos.arm.{}.tip.", segments);
  return {record.at(last, tip + "x"), record.at(last, tip + "y"), record.at(last, tip + "z")};
}

// Converged answer of an absolute nodal coordinate model of the same pendulum (Exudyn): (-0.95739,
// 0.10352).
TEST(Segments, SoftPendulumBendsAsFarAsItShould) {
  const Vec3 expected(-0.95739, 0.10352, 0);
  EXPECT_LT((tip_after_a_second(8) - expected).norm(), 1e-3);
}

}  // namespace
}  // namespace lithe

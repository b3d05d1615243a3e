// Cylinders in mechanisms: extension against the triangle that they make, oil against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/simulation/place_cylinders.hpp"
#include "simulation/models.hpp"

namespace lithe {
namespace {

using testing::at;
using testing::complete_run;

/// A boom of 3 m that turns about the ground's origin, held by a cylinder from (1, -0.5) to 1.5 m along the boom.
Model crane(const std::optional<Vec3>& pins) {
  Model model;
  Mechanism& m = model.mechanism;
  m.gravity = Vec3(0, -9.81, 0);
  const FrameRef foot = m.add_frame(0, "foot", at(1.0, -0.5));
  const int boom = testing::add_rod(m, "boom", 3.0, 50.0);
  const FrameRef lug = m.add_frame(boom, "lug", at(1.5, 0));
  testing::add_revolute(m, "pivot", {0, 0}, {boom, 0});
  Cylinder cylinder;
  cylinder.name = "lift";
  cylinder.from = foot;
  cylinder.to = lug;
  cylinder.pins = pins;
  cylinder.closed = 0.6;
  cylinder.stroke = 1.2;
  cylinder.bore = 0.1;
  cylinder.rod = 0.06;
  cylinder.tube = 0.12;
  cylinder.tube_mass = 10.0;
  cylinder.rod_mass = 8.0;
  add_cylinder(m, cylinder);
  model.initial = {{"pivot", 0, 0.3}};
  Drive drive;
  drive.joint = "lift";
  drive.prescribed = true;
  drive.follow = Law(CycloidLaw{0.4, 0.9, 0.0, 1.0});
  model.drives = {drive};
  place_cylinders(model, {cylinder});
  model.run.every = 0.1;
  return model;
}

// Law of cosines: with a from the pivot to the foot and c to the lug, length^2 = a^2 + c^2 - 2 a c cos(angle between).
TEST(CylinderRuns, ExtensionTurnsTheBoomAsTheTriangleSays) {
  for (const std::optional<Vec3>& pins : {std::optional<Vec3>(Vec3::UnitZ()), std::optional<Vec3>()}) {
    const Model model = crane(pins);
    MemoryRecord record;
    const RunOutcome outcome = run_kinematics(model, record);
    ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
    const double a = std::hypot(1.0, 0.5), c = 1.5, foot = std::atan2(-0.5, 1.0);
    for (std::size_t row = 0; row < record.rows(); ++row) {
      const double length = 0.6 + record.at(row, "q.lift");
      const double between = std::acos((a * a + c * c - length * length) / (2 * a * c));
      EXPECT_NEAR(record.at(row, "q.pivot"), foot + between, 1e-10);
    }
  }
}

// The force at rest: moments about the pivot, weight of boom, tube and rod. The tube stands on the foot, the rod ends at
// the lug; each carries half its weight (their centres lie 0.3 m from their pins), the cylinder's force has the arm
// a c sin(between) / length. Virtual work: force = dV/dlength, V the potential energy of the three.
TEST(CylinderRuns, HoldsTheBoomByVirtualWork) {
  Model model = crane(Vec3::UnitZ());
  model.drives[0].follow = Law(ConstantLaw{0.4});
  MemoryRecord record;
  const RunOutcome outcome = run_inverse(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  const auto potential = [](double length) {
    const double a = std::hypot(1.0, 0.5), c = 1.5, foot = std::atan2(-0.5, 1.0);
    const double angle = foot + std::acos((a * a + c * c - length * length) / (2 * a * c));
    const double lug = c * std::sin(angle), slope = (lug + 0.5) / length;  // rise of the cylinder by its length
    return 9.81 * (50.0 * 1.5 * std::sin(angle) + 10.0 * (-0.5 + 0.3 * slope) + 8.0 * (lug - 0.3 * slope));
  };
  const double h = 1e-4;  // five-point rule, error of order h^4
  const double force =
      (8 * (potential(1.0 + h) - potential(1.0 - h)) - (potential(1.0 + 2 * h) - potential(1.0 - 2 * h))) / (12 * h);
  EXPECT_NEAR(record.at(0, "tau.lift"), force, 1e-8 * std::abs(force));
}

/// A mass of 500 kg on a vertical slide, held by a cylinder with oil; extension 0.25 m of 0.5 m at the start.
Model press(OilData oil, double damping, double gravity, Cylinder& cylinder) {
  Model model;
  Mechanism& m = model.mechanism;
  m.gravity = Vec3(0, -gravity, 0);
  LinkData block;
  block.name = "block";
  block.mass = 500.0;
  block.inertia = Mat3::Identity();
  const int link = m.add_link(block);
  Joint guide;
  guide.name = "guide";
  guide.type = JointType::prismatic;
  guide.axis = Vec3::UnitY();
  guide.to = {link, 0};
  m.add_joint(guide);
  model.initial = {{"guide", 0, 1.05}};
  cylinder.name = "ram";
  cylinder.from = {0, 0};
  cylinder.to = {link, 0};
  cylinder.pins = Vec3::UnitZ();
  cylinder.closed = 0.8;
  cylinder.stroke = 0.5;
  cylinder.bore = 0.1;
  cylinder.rod = 0.06;
  cylinder.tube = 0.12;
  cylinder.damping = damping;
  cylinder.oil = std::move(oil);
  add_cylinder(m, cylinder);
  place_cylinders(model, {cylinder});
  model.run.integrator = Integrator::bdf;
  model.run.rtol = 1e-10;
  model.run.atol = 1e-10;
  return model;
}

OilData shut_in() {
  OilData oil;
  oil.dead = 1e-4;
  oil.bore_start = 5e6;
  return oil;
}

// w = sqrt(K (A1^2/V1 + A2^2/V2) / m), pushed off with 1 um amplitude: the stiffness changes by 1e-5 over that.
TEST(CylinderRuns, OilSpringFrequency) {
  Cylinder cylinder;
  OilData oil = shut_in();
  oil.bore_start = oil.rod_start = 0.0;
  Model model = press(oil, 0.0, 0.0, cylinder);
  const double a1 = cylinder.bore_area(), a2 = cylinder.rod_area();
  const double w = std::sqrt(1.4e9 * (a1 * a1 / (1e-4 + a1 * 0.25) + a2 * a2 / (1e-4 + a2 * 0.25)) / 500.0);
  model.initial_speeds = {{"guide", 0, 1e-6 * w}};
  model.run.until = 10.25 * 2 * std::numbers::pi / w;
  model.run.every = model.run.until / 41;
  model.run.atol = 1e-14;
  const MemoryRecord record = complete_run(model);
  // A quarter, two quarters, ... of the period: amplitude and zero in turn.
  EXPECT_NEAR(record.at(41, "q.guide") - 1.05, 1e-6, 1e-10);
  EXPECT_NEAR(record.at(40, "q.guide") - 1.05, 0.0, 1e-9);
}

// Settled under the weight: p1 A1 - p2 A2 = m g, and the oil of each chamber is the same: V exp(p/K) is kept.
TEST(CylinderRuns, StaticPressuresUnderLoad) {
  Cylinder cylinder;
  Model model = press(shut_in(), 2e5, 9.81, cylinder);
  model.run.until = 3.0;
  const MemoryRecord record = complete_run(model);
  const std::size_t last = record.rows() - 1;
  const double p1 = record.at(last, "cylinder.ram.bore"), p2 = record.at(last, "cylinder.ram.rod");
  const double a1 = cylinder.bore_area(), a2 = cylinder.rod_area(), x = record.at(last, "q.ram");
  EXPECT_NEAR(p1 * a1 - p2 * a2, 500.0 * 9.81, 1e-3);
  EXPECT_NEAR((1e-4 + a1 * x) * std::exp(p1 / 1.4e9), (1e-4 + a1 * 0.25) * std::exp(5e6 / 1.4e9), 1e-11);
  EXPECT_NEAR((1e-4 + a2 * (0.5 - x)) * std::exp(p2 / 1.4e9), 1e-4 + a2 * 0.25, 1e-11);
  EXPECT_LT(record.audit().energy_error, 1e-8 * record.audit().energy_scale);
}

// Steady speed on an open valve without load: the flows A1 v and A2 v through both edges take the pressures
// supply - p1 = drop (A1 v/Q)^2 and p2 = drop (A2 v/Q)^2, and p1 A1 = p2 A2:
// v = Q sqrt(A1 supply / (drop (A1^3 + A2^3))). Laminar flow below 1 kPa and the oil's compression change it by 1e-4.
TEST(CylinderRuns, SteadySpeedOnAValve) {
  Cylinder cylinder;
  OilData oil = shut_in();
  oil.supply = 1e7;
  oil.valve = ValveData{2e-4, 3.5e6, Law(ConstantLaw{0.5})};
  oil.rod_start = 5e6;
  Model model = press(oil, 0.0, 0.0, cylinder);
  model.run.until = 2.0;
  const MemoryRecord record = complete_run(model);
  const double a1 = cylinder.bore_area(), a2 = cylinder.rod_area();
  const double speed = 1e-4 * std::sqrt(a1 * 1e7 / (3.5e6 * (a1 * a1 * a1 + a2 * a2 * a2)));
  EXPECT_NEAR(record.at(record.rows() - 1, "v.ram"), speed, 0.01 * speed);
  EXPECT_LT(record.audit().energy_error, 1e-7 * record.audit().energy_scale);
}

// A flow moves the piston by flow / area once the oil is under pressure.
TEST(CylinderRuns, FlowMovesThePiston) {
  Cylinder cylinder;
  OilData oil = shut_in();
  oil.rod_start = 5e6 * 0.0078539816339744828 / 0.0050265482457436690;  // no force at the start: areas of bore and ring
  oil.flow = Law(ConstantLaw{1e-4});
  Model model = press(oil, 1e4, 0.0, cylinder);
  const MemoryRecord record = complete_run(model);
  const double moved = record.at(record.rows() - 1, "q.ram") - 0.25;
  EXPECT_NEAR(moved, 1e-4 / cylinder.bore_area(), 1e-3 * moved);
}

}  // namespace
}  // namespace lithe

// Cylinders: geometry and oil, against closed forms.
#include "lithe/mechanism/cylinder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/mechanism/oil_cylinder.hpp"

namespace lithe {
namespace {

Cylinder example() {
  Cylinder cylinder;
  cylinder.name = "lift";
  cylinder.closed = 0.8;
  cylinder.stroke = 0.5;
  cylinder.bore = 0.1;
  cylinder.rod = 0.06;
  cylinder.tube = 0.12;
  return cylinder;
}

Mechanism two_links(Cylinder& cylinder) {
  Mechanism mechanism;
  LinkData link;
  link.name = "boom";
  const int boom = mechanism.add_link(link);
  cylinder.from = {0, 0};
  cylinder.to = mechanism.add_frame(boom, "lug", {});
  Joint joint;
  joint.name = "pivot";
  joint.to = {boom, 0};
  mechanism.add_joint(joint);
  return mechanism;
}

TEST(Cylinder, SteelMassesOfItsVolumes) {
  const double pi = std::numbers::pi;
  EXPECT_NEAR(steel_tube_mass(example()), 7850 * pi / 4 * (0.12 * 0.12 - 0.1 * 0.1) * 0.8, 1e-12);
  EXPECT_NEAR(steel_rod_mass(example()), 7850 * pi / 4 * 0.06 * 0.06 * 0.8, 1e-12);
  EXPECT_NEAR(example().bore_area() - example().rod_area(), pi / 4 * 0.06 * 0.06, 1e-15);
}

TEST(Cylinder, StandsAtZeroTowardsItsEnds) {
  Cylinder cylinder = example();
  Mechanism mechanism = two_links(cylinder);
  EXPECT_EQ(add_cylinder(mechanism, cylinder), 1);
  const Pose from{rotation_from_vector(Vec3(0.1, 0.2, 0.3)), Vec3(1, 2, 3)};
  const Pose to{rotation_from_vector(Vec3(-0.4, 0.1, 1.0)), Vec3(1.5, 2.6, 3.6)};
  const double length = (to.position - from.position).norm();
  EXPECT_NEAR(place_cylinder(mechanism, cylinder, from, to), length - 0.8, 1e-15);
  mechanism.validate();
  // From the one end through tube and rod to the other, all pins at zero.
  const auto pose = [&](const char* link, const char* frame) {
    const FrameRef ref = mechanism.find_frame(link, frame);
    return mechanism.links[ref.link].frames[ref.frame].pose;
  };
  const Pose tube = from * pose("lift.tube", "base").inverse();
  const Pose rod = tube * pose("lift.tube", "gland") * Pose{Mat3::Identity(), Vec3(length - 0.8, 0, 0)};
  const Pose reached = rod * pose("lift.rod", "head");
  EXPECT_LT((reached.position - to.position).norm(), 1e-14);
  EXPECT_LT((reached.rotation - to.rotation).norm(), 1e-14);
}

TEST(Cylinder, PinsOutOfItsPlaneAreRefused) {
  Cylinder cylinder = example();
  cylinder.pins = Vec3::UnitZ();
  Mechanism mechanism = two_links(cylinder);
  add_cylinder(mechanism, cylinder);
  try {
    place_cylinder(mechanism, cylinder, {}, {Mat3::Identity(), Vec3(1, 0, 1)});
    FAIL();
  } catch (const MechanismError& error) {
    EXPECT_STREQ(error.what(),
                 "cylinder 'lift': its ends lie 45 deg out of the plane across its pins at the start; turn the axis of "
                 "the pins, or leave it out for joints that turn every way");
  }
}

/// Oil at one instant.
struct Oiled {
  std::vector<double> forces{0.0}, rates{0.0, 0.0}, values{0.0, 0.0, 0.0, 0.0};
  ElementAnswer answer;

  Oiled(const OilCylinder& element, double q, double v, std::vector<double> x) {
    answer.forces = forces;
    answer.rates = rates;
    answer.values = values;
    const std::vector<double> position{q}, speed{v};
    element.act({0.0, {}, position, speed, x}, answer);
  }
};

// Stiffness of the oil shut in: K (A1^2/V1 + A2^2/V2).
TEST(OilCylinder, ShutInItIsASpring) {
  Cylinder cylinder = example();
  cylinder.oil.emplace();
  cylinder.oil->dead = 1e-4;
  const OilCylinder oil(cylinder, {0, 0});
  const double a1 = cylinder.bore_area(), a2 = cylinder.rod_area(), x = 0.2, speed = 0.01;
  const Oiled at(oil, x, speed, {5e6, 6e6});
  EXPECT_NEAR(at.forces[0], 5e6 * a1 - 6e6 * a2, 1e-9);
  const double stiffness = 1.4e9 * (a1 * a1 / (1e-4 + a1 * x) + a2 * a2 / (1e-4 + a2 * 0.3));
  EXPECT_NEAR(at.rates[0] * a1 - at.rates[1] * a2, -stiffness * speed, 1e-9 * stiffness);
}

// Power of the force = supplied - lost - rate of the stored energy, which is taken by central differences of relative
// error 1e-7 at this step.
TEST(OilCylinder, BalancesItsEnergy) {
  for (const double opening : {0.7, -0.4, 0.0}) {
    Cylinder cylinder = example();
    cylinder.oil.emplace();
    cylinder.oil->dead = 1e-4;
    cylinder.oil->supply = 2e7;
    cylinder.oil->tank = 1e5;
    cylinder.oil->leak = 1e-12;
    cylinder.oil->valve = ValveData{1e-3, 3.5e6, Law(ConstantLaw{opening})};
    const OilCylinder oil(cylinder, {0, 0});
    const double x = 0.2, v = 0.05;
    const std::vector<double> p{9e6, 4e6};
    const Oiled at(oil, x, v, p);
    const double h = 1e-5;
    const auto stored = [&](double t) {
      return Oiled(oil, x + t * v, v, {p[0] + t * at.rates[0], p[1] + t * at.rates[1]}).answer.stored;
    };
    const double storing = (stored(h) - stored(-h)) / (2 * h);
    const double power = at.forces[0] * v;
    EXPECT_NEAR(power, at.answer.supplied - at.answer.lost - storing, 1e-6 * std::abs(power)) << opening;
    EXPECT_GE(at.answer.lost, 0.0);
  }
}

}  // namespace
}  // namespace lithe

// Machine elements by themselves: forces in closed form, and the power balance that every element promises.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "lithe/links/rigid.hpp"
#include "lithe/mechanism/build.hpp"
#include "lithe/mechanism/elements/bushing.hpp"
#include "lithe/mechanism/elements/contact.hpp"
#include "lithe/mechanism/elements/rope.hpp"
#include "lithe/mechanism/elements/spring.hpp"
#include "support/element_answer.hpp"
#include "support/random_mechanism.hpp"

namespace lithe::testing {
namespace {

FrameMotion at(const Vec3& position, const Vec3& velocity = Vec3::Zero()) {
  FrameMotion frame;
  frame.pose.position = position;
  frame.velocity = velocity;
  return frame;
}

ForceCurve of_expression(const std::string& text, SpringSide side = SpringSide::both) {
  return ForceCurve(Expression::of_variables(text, {}, {"x", "v"}), side);
}

std::vector<FrameMotion> random_frames(std::uint32_t seed, std::size_t count) {
  std::vector<FrameMotion> frames;
  for (std::size_t i = 0; i < count; ++i) {
    const VectorX r = random_vector(seed + 17 * static_cast<std::uint32_t>(i), 12);
    FrameMotion frame;
    frame.pose = {rotation_from_vector(1.2 * r.segment<3>(0)), r.segment<3>(3)};
    frame.velocity = r.segment<3>(6);
    frame.omega = r.segment<3>(9);
    frames.push_back(frame);
  }
  return frames;
}

// --- rope ---

TEST(Rope, PullsAlongItsFallsWithOneTension) {
  // Over a pulley at the origin, ends 3 m below and 4 m beside: l = 7 m. EA = 700 N, L = 5 m: T = 700 (7/5 - 1) = 280 N.
  const Rope rope("r", {{{1, 0}, {2, 0}, {3, 0}}, ConstantLaw{5.0}, 700.0, 0.0});
  const OwnAnswer answer = ask(rope, 0.0, {at({0, 0, -3}), at({0, 0, 0}), at({4, 0, 0})});
  EXPECT_NEAR(answer.values[0], 280.0, 1e-12);
  EXPECT_NEAR(answer.values[1], 7.0, 1e-15);
  EXPECT_EQ(answer.values[2], 5.0);
  EXPECT_NEAR((answer.wrenches[0].force - Vec3(0, 0, 280)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((answer.wrenches[1].force - Vec3(280, 0, -280)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((answer.wrenches[2].force - Vec3(-280, 0, 0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR(answer.stored, 0.5 * 700.0 / 5.0 * 4.0, 1e-12);  // EA/L (l - L)^2 / 2
  EXPECT_NEAR(answer.switches[0], 2.0, 1e-15);
}

TEST(Rope, FallsOfATackleAdd) {
  // Beam - hook - beam - hook: three falls of 2 m between the same two points pull the hook with 3 T.
  const Rope rope("r", {{{1, 0}, {2, 0}, {1, 0}, {2, 0}}, ConstantLaw{5.0}, 1000.0, 0.0});
  const FrameMotion beam = at({0, 0, 2}), hook = at({0, 0, 0});
  const OwnAnswer answer = ask(rope, 0.0, {beam, hook, beam, hook});
  EXPECT_NEAR(answer.values[0], 200.0, 1e-12);
  EXPECT_NEAR(answer.wrenches[1].force.z() + answer.wrenches[3].force.z(), 600.0, 1e-12);
}

TEST(Rope, IsSlackBelowItsFreeLengthAndNeverPushes) {
  const Rope rope("r", {{{1, 0}, {2, 0}}, ConstantLaw{2.0}, 100.0, 50.0});
  const OwnAnswer slack = ask(rope, 0.0, {at({0, 0, 0}), at({1.9, 0, 0}, {5, 0, 0})});
  EXPECT_EQ(slack.values[0], 0.0);
  EXPECT_EQ(slack.wrenches[0].force, Vec3::Zero());
  EXPECT_EQ(slack.stored, 0.0);
  EXPECT_NEAR(slack.switches[0], -0.1, 1e-15);
  // Stretched by 5 percent (5 N), but shortening by 1 m/s: the damper would push with 25 N.
  const OwnAnswer quick = ask(rope, 0.0, {at({0, 0, 0}), at({2.1, 0, 0}, {-1, 0, 0})});
  EXPECT_EQ(quick.values[0], 0.0);
  EXPECT_NEAR(quick.lost, 5.0, 1e-12);  // the strain goes at 1 m/s, and the links get nothing
}

TEST(Rope, EndsThatCoincideAreSafe) {
  const Rope rope("r", {{{1, 0}, {2, 0}, {3, 0}}, ConstantLaw{0.5}, 100.0, 1.0});
  const OwnAnswer answer = ask(rope, 0.0, {at({0, 0, 0}), at({0, 0, 0}, {1, 0, 0}), at({1, 0, 0})});
  EXPECT_NEAR(answer.values[0], 100.0 - 1.0 / 0.5, 1e-12);  // second fall shortens by 1 m/s: strain rate -2/s
  EXPECT_EQ(answer.wrenches[0].force, Vec3::Zero());
  EXPECT_TRUE(answer.wrenches[1].force.allFinite());
}

TEST(Rope, AWinchThatHoldsTheTensionSuppliesItsWork) {
  // The load follows the winch exactly: l = L (1 + e), so nothing is stored beyond what is wound up, nothing is lost, and
  // the links get T l' = T (1 + e) L'. The winch gives that less the strain energy EA e^2/2 per free length it winds in.
  const double EA = 1000.0, e = 0.01, L = 10.0, speed = 0.5;
  const Rope rope("r", {{{1, 0}, {2, 0}}, PolynomialCoefficients{{L, -speed}}, EA, 30.0});
  const OwnAnswer answer = ask(rope, 0.0, {at({0, 0, L * (1 + e)}), at({0, 0, 0}, {0, 0, speed * (1 + e)})});
  EXPECT_NEAR(answer.values[0], EA * e, 1e-9);
  EXPECT_NEAR(answer.lost, 0.0, 1e-12);
  EXPECT_NEAR(answer.supplied, (EA * e * (1 + e) - 0.5 * EA * e * e) * speed, 1e-9);
  EXPECT_EQ(answer.values[3], answer.supplied);
}

// Euler and Eytelwein: T2/T1 = exp(mu beta) in the direction in which the rope runs, here a quarter turn around each of two
// pulleys. The mean over the length is EA e. What is lost is the difference of the tensions times the speed.
TEST(Rope, RunsOverPulleysWithFriction) {
  const double mu = 0.25, EA = 900.0, speed = 0.4;
  const Rope rope("r", {{{1, 0}, {2, 0}, {3, 0}, {4, 0}}, ConstantLaw{5.0}, EA, 0.0, mu, 1e-3});
  ASSERT_EQ(rope.columns(), (std::vector<std::string>{"tension", "length", "free-length", "end-tension"}));
  for (const double way : {1.0, -1.0}) {
    // Down from (0, 0) to the first end, along x to (3, 0), and down again to the other end.
    const OwnAnswer answer =
        ask(rope, 0.0,
            {at({0, 0, -2}, {0, 0, way * speed}), at({0, 0, 0}), at({3, 0, 0}), at({3, 0, -1}, {0, 0, -way * speed})});
    const double grip = std::exp(way * mu * std::numbers::pi / 2.0);
    const double mean = EA * (6.0 / 5.0 - 1.0), first = 6.0 * mean / (2.0 + 3.0 * grip + grip * grip);
    EXPECT_NEAR(answer.values[0], first, 1e-11);
    EXPECT_NEAR(answer.values[3] / answer.values[0], std::exp(way * mu * std::numbers::pi), 1e-13);
    EXPECT_NEAR((answer.wrenches[0].force - Vec3(0, 0, first)).norm(), 0.0, 1e-11);
    EXPECT_NEAR((answer.wrenches[1].force - first * Vec3(grip, 0, -1)).norm(), 0.0, 1e-11);
    EXPECT_NEAR((answer.wrenches[3].force - Vec3(0, 0, first * grip * grip)).norm(), 0.0, 1e-11);
    EXPECT_NEAR(answer.lost, way * first * (grip * grip - 1.0) * speed, 1e-11);
  }
  // At rest it creeps: no difference.
  const OwnAnswer still = ask(rope, 0.0, {at({0, 0, -2}), at({0, 0, 0}), at({3, 0, 0}), at({3, 0, -1})});
  EXPECT_NEAR(still.values[3], still.values[0], 1e-12);
  EXPECT_EQ(still.lost, 0.0);
}

TEST(Rope, AWinchThatTookInAllOfItGivesNoNumber) {
  const Rope rope("r", {{{1, 0}, {2, 0}}, PolynomialCoefficients{{1.0, -1.0}}, 100.0, 0.0});
  EXPECT_TRUE(std::isnan(ask(rope, 2.0, {at({0, 0, 0}), at({1, 0, 0})}).values[0]));
}

// --- bushing ---

BushingData soft_bushing() { return {{1, 0}, {2, 0}, {100, 200, 300, 10, 20, 30}, {1, 2, 3, 0.1, 0.2, 0.3}, {}}; }

TEST(Bushing, IsLinearInSmallMotions) {
  FrameMotion to = at({0.01, 0.02, 0.03});
  const Vec3 turn(1e-6, 2e-6, 3e-6);
  to.pose.rotation = rotation_from_vector(turn);
  const OwnAnswer answer = ask(Bushing("b", soft_bushing()), 0.0, {at({0, 0, 0}), to});
  EXPECT_NEAR((answer.wrenches[1].force - Vec3(-1, -4, -9)).norm(), 0.0, 1e-14);
  // K turn, up to terms of second order.
  EXPECT_NEAR((answer.wrenches[1].moment - Vec3(-1e-5, -4e-5, -9e-5)).norm(), 0.0, 1e-10);
  // Nothing is left of both wrenches together about any point.
  const Vec3 about_from =
      answer.wrenches[0].moment + answer.wrenches[1].moment + Vec3(0.01, 0.02, 0.03).cross(answer.wrenches[1].force);
  EXPECT_NEAR(about_from.norm(), 0.0, 1e-16);
}

TEST(Bushing, AxesTurnWithTheFromFrame) {
  FrameMotion from = at({0, 0, 0}), to = at({0, 0.1, 0});
  from.pose.rotation = to.pose.rotation = rotation_from_vector(Vec3(0, 0, std::numbers::pi / 2));  // its x is our y
  const OwnAnswer answer = ask(Bushing("b", soft_bushing()), 0.0, {from, to});
  EXPECT_NEAR((answer.wrenches[1].force - Vec3(0, -10, 0)).norm(), 0.0, 1e-14);
}

TEST(Bushing, PreloadActsWhereTheFramesCoincide) {
  BushingData data = soft_bushing();
  data.preload = {1, 2, 3, 4, 5, 6};
  const OwnAnswer answer = ask(Bushing("b", data), 0.0, {at({0, 0, 0}), at({0, 0, 0})});
  EXPECT_EQ(answer.wrenches[1].force, Vec3(-1, -2, -3));
  EXPECT_EQ(answer.wrenches[1].moment, Vec3(-4, -5, -6));
}

// --- springs ---

TEST(ForceCurve, EnergyIsTheIntegralOfTheForceAtRest) {
  // Polynomials and functions whose integrals are known.
  const ForceCurve cubic = of_expression("100*x + 5000*x^3 + 7*v");
  EXPECT_DOUBLE_EQ(cubic.force(0.2, 0.5), 20.0 + 40.0 + 3.5);
  EXPECT_NEAR(cubic.energy(0.2), 2.0 + 2.0, 1e-14);
  EXPECT_NEAR(cubic.energy(-0.2), 4.0, 1e-14);
  EXPECT_NEAR(of_expression("sinh(3*x)").energy(2.0), (std::cosh(6.0) - 1.0) / 3.0, 1e-11);  // 67
  EXPECT_NEAR(of_expression("sin(20*x)").energy(1.0), (1.0 - std::cos(20.0)) / 20.0, 1e-14);
}

TEST(ForceCurve, KinksOfExpressionsAreKnownAndIntegratedExactly) {
  // A gap of 0.1 m in either direction, then 1000 N/m.
  const ForceCurve gap = of_expression("1000*(max(x - 0.1, 0) + min(x + 0.1, 0))");
  ASSERT_EQ(gap.kinks().size(), 2U);
  EXPECT_NEAR(gap.kinks()[0], -0.1, 1e-16);
  EXPECT_NEAR(gap.kinks()[1], 0.1, 1e-16);
  EXPECT_EQ(gap.energy(0.05), 0.0);
  EXPECT_NEAR(gap.energy(0.3), 0.5 * 1000 * 0.04, 1e-13);
  EXPECT_NEAR(gap.energy(-0.3), 0.5 * 1000 * 0.04, 1e-13);
  // A kink that is not linear in x is found by halving: integral of |x^2 - 1| from 0 to 2 is 2/3 + 4/3.
  EXPECT_NEAR(of_expression("abs(x^2 - 1)").energy(2.0), 2.0, 1e-12);
}

TEST(ForceCurve, TablesAreInterpolatedAndContinued) {
  const ForceCurve line(make_table({-1, 0, 1, 2}, {-10, 0, 10, 40}, TableLaw::Interpolation::linear));
  EXPECT_DOUBLE_EQ(line.force(1.5, 0.0), 25.0);
  EXPECT_DOUBLE_EQ(line.force(3.0, 0.0), 70.0);  // slope 30 of the last stretch
  EXPECT_DOUBLE_EQ(line.force(-3.0, 0.0), -30.0);
  EXPECT_NEAR(line.energy(3.0), 5.0 + 25.0 + 55.0, 1e-13);
  EXPECT_NEAR(line.energy(-3.0), 45.0, 1e-13);
  // The natural spline through points of a line is the line.
  const ForceCurve spline(make_table({-1, 0, 2}, {-10, 0, 20}, TableLaw::Interpolation::cubic));
  EXPECT_NEAR(spline.energy(1.7), 5.0 * 1.7 * 1.7, 1e-13);
  EXPECT_NEAR(spline.energy(4.0), 80.0, 1e-12);
}

TEST(ForceCurve, OneSidedForcesHaveOneSign) {
  const ForceCurve pull(100.0, SpringSide::pull), push(100.0, SpringSide::push);
  EXPECT_EQ(pull.force(0.1, 0.0), 10.0);
  EXPECT_EQ(pull.force(-0.1, 0.0), 0.0);
  EXPECT_EQ(pull.energy(-0.1), 0.0);
  EXPECT_EQ(pull.force(0.1, -1.0, 50.0), 0.0);  // the damper would push
  EXPECT_EQ(push.force(-0.1, 0.0), -10.0);
  EXPECT_EQ(push.force(0.1, 0.0), 0.0);
  EXPECT_EQ(push.force(-0.1, 1.0, 50.0), 0.0);  // the damper would pull
  EXPECT_EQ(push.energy(-0.1), 0.5);
  // An expression that changes sign is clipped, in its energy as well: integral of x (1 - x) from 0 to 1.
  const ForceCurve clipped = of_expression("x*(1 - x)", SpringSide::pull);
  EXPECT_EQ(clipped.force(2.0, 0.0), 0.0);
  EXPECT_NEAR(clipped.energy(2.0), 1.0 / 6.0, 1e-13);
}

TEST(Spring, PullsItsEndsTogether) {
  const Spring spring("s", {{1, 0}, {2, 0}, 1.0, of_expression("50*x^3"), 2.0});
  const OwnAnswer answer = ask(spring, 0.0, {at({0, 0, 0}), at({0, 3, 0}, {1, 0.5, 0})});
  EXPECT_NEAR((answer.wrenches[0].force - Vec3(0, 401, 0)).norm(), 0.0, 1e-12);  // 50 2^3 + 2 0.5
  EXPECT_NEAR((answer.wrenches[1].force + Vec3(0, 401, 0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR(answer.lost, 0.5, 1e-12);
  EXPECT_NEAR(answer.stored, 200.0, 1e-11);
  const OwnAnswer together = ask(spring, 0.0, {at({0, 0, 0}), at({0, 0, 0}, {1, 0, 0})});
  EXPECT_EQ(together.wrenches[0].force, Vec3::Zero());
}

TEST(Spring, ADamperThatDrivesSupplies) {
  const Spring spring("s", {{1, 0}, {2, 0}, 1.0, of_expression("50*x - 3*v"), 0.0});
  const OwnAnswer answer = ask(spring, 0.0, {at({0, 0, 0}), at({2, 0, 0}, {2, 0, 0})});
  EXPECT_EQ(answer.lost, 0.0);
  EXPECT_NEAR(answer.supplied, 12.0, 1e-12);
}

// --- contact ---

ContactData ball_on_floor() {
  ContactData data;
  data.point = {1, 0};
  data.plane = {0, 0};
  data.radius = 0.1;
  data.stiffness = 1e4;
  data.damping = 0.2;
  data.friction = 0.5;
  data.creep = 0.01;
  return data;
}

TEST(Contact, PushesOutOfThePlane) {
  const Contact contact("c", ball_on_floor());
  const OwnAnswer apart = ask(contact, 0.0, {at({0, 0, 0.13}, {1, 0, 0}), at({0, 0, 0})});
  EXPECT_NEAR(apart.values[0], 0.03, 1e-16);
  EXPECT_EQ(apart.values[3], 0.0);
  EXPECT_EQ(apart.wrenches[0].force, Vec3::Zero());
  // 0.01 m deep, going deeper at 0.5 m/s: 100 N (1 + 0.2 0.5); sliding at 2 m/s: half of that against the motion.
  const OwnAnswer pressed = ask(contact, 0.0, {at({5, 0, 0.09}, {2, 0, -0.5}), at({0, 0, 0})});
  EXPECT_NEAR((pressed.wrenches[0].force - Vec3(-55, 0, 110)).norm(), 0.0, 1e-10);
  EXPECT_NEAR((pressed.wrenches[0].moment - Vec3(0, 0.09 * 55, 0)).norm(), 0.0, 1e-10);
  EXPECT_NEAR((pressed.wrenches[1].force - Vec3(55, 0, -110)).norm(), 0.0, 1e-10);
  EXPECT_NEAR((pressed.wrenches[1].moment - Vec3(0, 550, 0)).norm(), 0.0, 1e-9);  // at x = 5 m
  EXPECT_NEAR(pressed.lost, 10.0 * 0.5 + 55.0 * 2.0, 1e-9);
  EXPECT_NEAR(pressed.stored, 0.5, 1e-10);
  // Leaving faster than 1/damping: it does not pull.
  EXPECT_EQ(ask(contact, 0.0, {at({0, 0, 0.09}, {0, 0, 6}), at({0, 0, 0})}).values[1], 0.0);
}

TEST(Contact, ARollingBallDoesNotSlip) {
  FrameMotion ball = at({0, 0, 0.1 - 1e-6}, {0.3, 0, 0});
  ball.omega = {0, 0.3 / (0.1 - 1e-6), 0};
  const OwnAnswer answer = ask(Contact("c", ball_on_floor()), 0.0, {ball, at({0, 0, 0})});
  EXPECT_NEAR(answer.values[3], 0.0, 1e-15);
  EXPECT_NEAR(answer.wrenches[0].force.x(), 0.0, 1e-13);
}

TEST(Contact, FrictionGrowsUpToTheCreepSpeed) {
  const Contact contact("c", ball_on_floor());
  const auto friction = [&](double speed) {
    return ask(contact, 0.0, {at({0, 0, 0.09}, {speed, 0, 0}), at({0, 0, 0})}).values[2];
  };
  EXPECT_EQ(friction(0.0), 0.0);
  EXPECT_NEAR(friction(0.005), 50.0 * 0.5 * 0.5 * (3 - 0.25), 1e-10);
  EXPECT_NEAR(friction(0.01), 50.0, 1e-10);
  EXPECT_NEAR(friction(1.0), 50.0, 1e-10);
}

TEST(Contact, ASphereRollsOverTheEdgeOfARectangle) {
  ContactData data = ball_on_floor();
  data.length = data.width = 2.0;
  const Contact contact("c", data);
  // Beside the edge at x = 1 the nearest place is the edge: here 0.08 m away, in the direction (0.6, 0, 0.8).
  const OwnAnswer edge = ask(contact, 0.0, {at({1.048, 0.3, 0.064}), at({0, 0, 0})});
  EXPECT_NEAR(edge.values[0], -0.02, 1e-15);
  EXPECT_NEAR((edge.wrenches[0].force - 200.0 * Vec3(0.6, 0, 0.8)).norm(), 0.0, 1e-10);
  EXPECT_GT(ask(contact, 0.0, {at({1.2, 0, 0.05}), at({0, 0, 0})}).values[0], 0.0);
}

// --- the promise of all of them ---

/// A random element of each kind, for frames about a metre apart.
std::vector<std::pair<std::shared_ptr<Element>, std::size_t>> random_elements(std::uint32_t seed) {
  const VectorX r = random_vector(seed, 40);
  std::vector<std::pair<std::shared_ptr<Element>, std::size_t>> elements;
  elements.emplace_back(std::make_shared<Rope>("r", RopeData{{{1, 0}, {2, 0}, {3, 0}, {1, 0}},
                                                             Law(PolynomialCoefficients{{2.0 + r[0], r[1], r[2]}}),
                                                             100.0,
                                                             5.0}),
                        4);
  elements.emplace_back(std::make_shared<Rope>("f", RopeData{{{1, 0}, {2, 0}, {3, 0}, {1, 0}},
                                                             Law(PolynomialCoefficients{{2.0 + r[0], r[1], r[2]}}),
                                                             100.0,
                                                             5.0,
                                                             0.3,
                                                             0.2}),
                        4);
  BushingData bushing{{1, 0}, {2, 0}, {}, {}, {}};
  for (int i = 0; i < 6; ++i) {
    bushing.stiffness[i] = 10.0 * std::abs(r[3 + i]);
    bushing.damping[i] = std::abs(r[9 + i]);
    bushing.preload[i] = r[15 + i];
  }
  elements.emplace_back(std::make_shared<Bushing>("b", bushing), 2);
  elements.emplace_back(std::make_shared<Spring>(
                            "s", SpringData{{1, 0}, {2, 0}, 0.5, of_expression("30*x + 20*x^3 + v*abs(v) - v*x"), 1}),
                        2);
  const TableLaw table =
      make_table({-0.5, 0.0, 0.4, 1.0, 2.0}, {-6.0, 0.0, 5.0, 7.0, 20.0}, TableLaw::Interpolation::cubic);
  elements.emplace_back(
      std::make_shared<Spring>("t", SpringData{{1, 0}, {2, 0}, 0.5, ForceCurve(table, SpringSide::push), 2.0}), 2);
  ContactData contact;
  contact.point = {1, 0};
  contact.plane = {2, 0};
  contact.normal = r.segment<3>(21).normalized();
  contact.radius = 0.8;
  contact.stiffness = 100.0;
  contact.exponent = r[24] > 0.0 ? 1.5 : 1.0;
  contact.damping = 0.3;
  contact.friction = 0.4;
  contact.creep = 0.5;
  elements.emplace_back(std::make_shared<Contact>("c", contact), 2);
  contact.length = 0.7;
  contact.width = 0.5;
  elements.emplace_back(std::make_shared<Contact>("e", contact), 2);
  return elements;
}

/// Where differences over a few milliseconds say something: away from switches, from the rim of a rectangle (where the
/// second derivative of the energy jumps) and from its middle plane, and from half a turn of a bushing.
bool is_smooth(const Element& element, const std::vector<FrameMotion>& frames) {
  const std::vector<FrameMotion> before = later(frames, -3e-3), after = later(frames, 3e-3);
  const OwnAnswer was = ask(element, 0.0, before), is = ask(element, 0.0, after);
  for (std::size_t i = 0; i < was.switches.size(); ++i)
    if (was.switches[i] * is.switches[i] <= 0.0) return false;
  if (element.kind() == "bushing")
    return vector_from_rotation(frames[0].pose.rotation.transpose() * frames[1].pose.rotation).norm() < 2.5;
  const auto* contact = dynamic_cast<const Contact*>(&element);
  if (contact == nullptr || !contact->data().is_bounded()) return true;
  const auto beyond_rim = [&](const std::vector<FrameMotion>& at) {
    const Mat3 axes = at[1].pose.rotation * frame_with_z(contact->data().normal);
    const Vec3 own = axes.transpose() * (at[0].pose.position - at[1].pose.position);
    return std::pair(std::abs(own.x()) > 0.5 * contact->data().length, std::abs(own.y()) > 0.5 * contact->data().width);
  };
  return beyond_rim(before) == beyond_rim(after) && was.values[0] + contact->data().radius > 0.1;
}

TEST(Elements, TakeNoPowerThatTheyDoNotAccountFor) {
  int checked = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    for (const auto& [element, count] : random_elements(seed)) {
      std::vector<FrameMotion> frames = random_frames(seed + 5, count);
      if (count == 4) frames[3] = frames[0];  // the rope comes back to its first frame
      if (!is_smooth(*element, frames)) continue;
      ++checked;
      // Powers are of the order of 100 W; the difference quotient has an error of h^4 times a fifth derivative, or of
      // 1e-16 times the energy by h.
      EXPECT_NEAR(unbalanced_power(*element, 0.0, frames), 0.0, 5e-6) << element->name() << ", seed " << seed;
      const OwnAnswer now = ask(*element, 0.0, frames);
      EXPECT_GE(now.lost, -1e-12);
      Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
      for (std::size_t i = 0; i < count; ++i) {
        force += now.wrenches[i].force;
        moment += now.wrenches[i].moment + frames[i].pose.position.cross(now.wrenches[i].force);
      }
      EXPECT_NEAR(force.norm() + moment.norm(), 0.0, 1e-10);
    }
  }
  EXPECT_GT(checked, 1500);  // of 1800
}

// --- refusals ---

std::string refusal(std::shared_ptr<Element> element) {
  Mechanism m;
  m.add_link(slender_rod("arm", 0.5, 2.0));
  connect(m, JointType::revolute, "pin", "ground", "arm/root", Vec3::UnitZ());
  m.elements.push_back(std::move(element));
  try {
    m.validate();
  } catch (const MechanismError& error) {
    return error.what();
  }
  return "none";
}

TEST(Elements, RefuseWhatMakesNoSense) {
  const auto rope = [](RopeData data) { return refusal(std::make_shared<Rope>("r", std::move(data))); };
  const std::vector<FrameRef> through{{0, 0}, {1, 0}};
  EXPECT_EQ(rope({through, ConstantLaw{1.0}, 10.0, 0.0}), "none");
  EXPECT_EQ(rope({{{0, 0}}, ConstantLaw{1.0}, 10.0, 0.0}), "rope 'r': it needs two ends");
  EXPECT_EQ(rope({through, ConstantLaw{1.0}, 0.0, 0.0}), "rope 'r': the stiffness must be positive");
  EXPECT_EQ(rope({through, ConstantLaw{1.0}, 1.0, -1.0}), "rope 'r': the damping must not be negative");
  EXPECT_EQ(rope({through, {}, 1.0, 0.0}), "rope 'r': it has no free length");
  EXPECT_EQ(rope({through, ConstantLaw{-1.0}, 1.0, 0.0}), "rope 'r': the free length must be positive");

  const auto bushing = [](BushingData data) { return refusal(std::make_shared<Bushing>("b", data)); };
  EXPECT_EQ(bushing({{0, 0}, {1, 0}, {1, 1, 1, 1, 1, 1}, {}, {}}), "none");
  EXPECT_EQ(bushing({{1, 0}, {1, 1}, {}, {}, {}}), "bushing 'b': holds link 'arm' at itself; name two different links");
  EXPECT_EQ(bushing({{0, 0}, {1, 0}, {-1}, {}, {}}), "bushing 'b': a stiffness is negative");
  EXPECT_EQ(bushing({{0, 0}, {1, 0}, {}, {-1}, {}}), "bushing 'b': a damping is negative");
  EXPECT_EQ(bushing({{0, 0}, {1, 0}, {}, {}, {NAN}}), "bushing 'b': the preload is not finite");

  const auto spring = [](SpringData data) { return refusal(std::make_shared<Spring>("s", std::move(data))); };
  EXPECT_EQ(spring({{0, 0}, {1, 0}, 1.0, of_expression("x^3"), 0.0}), "none");
  EXPECT_EQ(spring({{0, 0}, {1, 0}, -1.0, of_expression("x^3"), 0.0}), "spring 's': the length must not be negative");
  EXPECT_EQ(spring({{0, 0}, {1, 0}, 1.0, of_expression("x^3"), -1.0}), "spring 's': the damping must not be negative");
  EXPECT_EQ(spring({{0, 0}, {1, 0}, 1.0, of_expression("1/x"), 0.0}),
            "spring 's': its force at rest is not a finite number");

  const auto contact = [](auto change) {
    ContactData data = ball_on_floor();
    change(data);
    return refusal(std::make_shared<Contact>("c", data));
  };
  EXPECT_EQ(contact([](ContactData&) {}), "none");
  EXPECT_EQ(contact([](ContactData& c) {
              c.plane = {1, 1};
            }),
            "contact 'c': both sides are on link 'arm'; name two different links");
  EXPECT_EQ(contact([](ContactData& c) { c.normal *= 2; }), "contact 'c': the normal is not a unit vector");
  EXPECT_EQ(contact([](ContactData& c) { c.radius = -1; }), "contact 'c': the radius must not be negative");
  EXPECT_EQ(contact([](ContactData& c) { c.stiffness = 0; }), "contact 'c': the stiffness must be positive");
  EXPECT_EQ(contact([](ContactData& c) { c.exponent = 0.5; }), "contact 'c': the exponent must be 1 or more");
  EXPECT_EQ(contact([](ContactData& c) { c.damping = -1; }), "contact 'c': the damping must not be negative");
  EXPECT_EQ(contact([](ContactData& c) { c.friction = -1; }), "contact 'c': the friction must not be negative");
  EXPECT_EQ(contact([](ContactData& c) { c.creep = 0; }), "contact 'c': the creep speed must be positive");
  EXPECT_EQ(contact([](ContactData& c) { c.length = 1; }), "contact 'c': a rectangle has two positive sides");
  EXPECT_EQ(contact([](ContactData& c) {
              c.length = c.width = 1;
              c.radius = 0;
            }),
            "contact 'c': a rectangle meets spheres only; give a radius");
}

}  // namespace
}  // namespace lithe::testing

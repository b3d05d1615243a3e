// `modes: auto`. What it promises is checked on the finished mechanisms: their frequencies against those with many
// modes.

#include "lithe/io/automatic_modes.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>

#include "lithe/analysis/linearize.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe {
namespace {

/// An example with every `modes: {...}` of its links replaced.
Model with_modes(const std::string& name, const std::string& modes) {
  std::ifstream file(std::string(LITHE_SOURCE_DIR) + "/examples/" + name);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return load_model_text(std::regex_replace(text, std::regex("modes: \\{[^}]*\\}"), "modes: " + modes), name);
}

/// Frequencies (Hz) at rest in the initial pose that are no rigid motions.
std::vector<double> vibrations(const Model& model, bool locked) {
  Prepared at = prepare(model);
  at.state.v.setZero();
  const std::vector<int> motors = locked ? at.plan.actuated_speeds() : std::vector<int>{};
  const Linearisation linear =
      linearize(at.plan, at.work, at.state, VectorX::Zero(at.plan.nv()), Actions(at.plan), motors);
  std::vector<double> hertz;
  for (const double f : natural_modes(at.plan, at.work, at.state.q, linear).frequencies)
    if (f > 0.1) hertz.push_back(f);
  return hertz;
}

/// All vibrations of `fine` below `top`, motors locked and free, are there within `bound`.
void expect_settled(const Model& model, const Model& fine, double top, double bound) {
  for (const bool locked : {true, false}) {
    const std::vector<double> ours = vibrations(model, locked), exact = vibrations(fine, locked);
    for (std::size_t i = 0; i < exact.size() && exact[i] < top; ++i) {
      ASSERT_LT(i, ours.size());
      EXPECT_NEAR(ours[i] / exact[i], 1.0, bound) << "frequency " << i + 1 << (locked ? ", locked" : ", free");
    }
  }
}

int coordinates(const Model& model, const std::string& link) {
  return model.mechanism.links[static_cast<std::size_t>(model.mechanism.find_link(link))].elastic.count();
}
const LinkOrigin& origin(const Model& model, const std::string& link) {
  return model.origins[static_cast<std::size_t>(model.mechanism.find_link(link))];
}

TEST(AutomaticModes, RobotGetsItsReferencesAndModes) {
  const Model model = with_modes("flexible-3rrr.yaml", "auto"), fine = with_modes("flexible-3rrr.yaml", "{count: 14}");
  for (int leg = 1; leg <= 3; ++leg) {
    const std::string number = std::to_string(leg);
    EXPECT_EQ(origin(model, "crank-" + number).reference, "clamped");
    EXPECT_EQ(origin(model, "rod-" + number).reference, "chord");
    EXPECT_TRUE(
        origin(model, "crank-" + number).choice.starts_with("clamped, because motor-" + number + " drives its root; "));
    EXPECT_TRUE(origin(model, "rod-" + number)
                    .choice.starts_with("chord, because the pins knee-" + number + " and ankle-" + number +
                                        " hold its ends; "));
    // Links that are alike keep the same.
    EXPECT_EQ(coordinates(model, "crank-" + number), coordinates(model, "crank-1"));
    EXPECT_EQ(coordinates(model, "rod-" + number), coordinates(model, "rod-1"));
  }
  // Six such links: the first six frequencies. 14 modes of a clamped crank are 1e-5 from their limit
  // (docs/verification/flexible.md), so they stand for it; with one mode a crank they are more than one percent off.
  expect_settled(model, fine, vibrations(fine, true)[5] * 1.0001, 0.01 + 1e-4);
  EXPECT_GE(coordinates(model, "crank-1"), 2);
  EXPECT_LE(coordinates(model, "crank-1"), 3);
  EXPECT_EQ(coordinates(model, "rod-1"), 1);
  EXPECT_TRUE(origin(model, "rod-1")
                  .band.starts_with("the first 6 frequencies of the mechanism (up to 61.01 Hz) are settled "
                                    "within "));
  EXPECT_TRUE(origin(model, "rod-1").band.ends_with("with motors locked and free; asked for 1 %"));
  // Damping goes onto what was chosen.
  EXPECT_EQ(model.mechanism.links[1].elastic.damping.rows(), coordinates(model, "crank-1"));
  EXPECT_GT(model.mechanism.links[1].elastic.damping(0, 0), 0.0);
}

TEST(AutomaticModes, BandAndExactnessMayBeGiven) {
  const Model fine = with_modes("flexible-3rrr.yaml", "{count: 14}");
  const Model wide = with_modes("flexible-3rrr.yaml", "{auto: {up-to: 250}}");
  expect_settled(wide, fine, 250, 0.01 + 1e-4);
  EXPECT_GE(coordinates(wide, "rod-1"), 2) << "the second mode of the rods lies at 234 Hz";
  const Model exact = with_modes("flexible-3rrr.yaml", "{auto: {up-to: 100, within: 1e-3}}");
  expect_settled(exact, fine, 100, 1e-3 + 1e-4);
  EXPECT_GT(coordinates(exact, "crank-1"),
            coordinates(with_modes("flexible-3rrr.yaml", "{auto: {up-to: 100}}"), "crank-1"));
  const Model low = with_modes("flexible-3rrr.yaml", "{auto: {up-to: 1}}");
  EXPECT_EQ(coordinates(low, "crank-1"), 1);
  EXPECT_EQ(origin(low, "crank-1").band, "the mechanism has no frequency up to 1 Hz");
}

TEST(AutomaticModes, IsDeterministic) {
  const Model a = with_modes("flexible-four-bar.yaml", "auto"), b = with_modes("flexible-four-bar.yaml", "auto");
  for (std::size_t i = 0; i < a.mechanism.links.size(); ++i) {
    EXPECT_EQ(a.mechanism.links[i].elastic.names, b.mechanism.links[i].elastic.names);
    EXPECT_EQ(a.mechanism.links[i].elastic.stiffness, b.mechanism.links[i].elastic.stiffness);
    EXPECT_EQ(a.origins[i].choice, b.origins[i].choice);
  }
}

TEST(AutomaticModes, ReferenceOfTheModelFileStays) {
  const Model model = with_modes("flexible-four-bar.yaml", "{auto: true, root: clamped}");
  EXPECT_EQ(origin(model, "coupler").reference, "clamped");
  EXPECT_TRUE(origin(model, "coupler").choice.starts_with("clamped, because the model file says so; "));
  // Clamped shapes are a poor choice between pins, but enough of them do.
  expect_settled(model, with_modes("flexible-four-bar.yaml", "{count: 6, root: chord}"), 110, 0.011);
}

Model arm(const std::string& modes, const std::string& more = "") {
  return load_model_text(R"(
lithe: 1
gravity: [0, 0, -9.81]
materials: {steel: {young: 200e9, density: 7800}}
links:
  tower: {rigid: {mass: 1, inertia: [1, 1, 1]}, frames: {top: [0, 0, 0.2]}}
  upper: {beam: {length: 1, material: steel, section: {tube: {radius: 0.02, thickness: 0.002}}, elements: 6}, modes: )" +
                             modes + R"(}
  lower: {beam: {length: 0.8, material: steel, section: {rectangle: {height: 0.01, width: 0.02}}, elements: 6}, modes: )" +
                             modes + R"(}
  tool: {rigid: {mass: 2, inertia: [0.01, 0.01, 0.01]}}
joints:
  base: {revolute: z, from: ground, to: tower, actuated: true}
  shoulder: {revolute: y, from: tower/top, to: upper/root, actuated: true}
  elbow: {revolute: y, from: upper/tip, to: lower/root, actuated: true}
  hand: {fixed: true, from: lower/tip, to: tool}
initial: {shoulder: -20 deg, elbow: 50 deg}
)" + more,
                         "arm.yaml");
}

// Two beams in space with a heavy tool at the end: bending both ways and torsion, a payload at the loaded frames.
TEST(AutomaticModes, ArmInSpace) {
  const Model model = arm("auto"), fine = arm("{all: true}");
  EXPECT_TRUE(origin(model, "upper").choice.starts_with("clamped, because shoulder drives its root; "));
  EXPECT_TRUE(origin(model, "lower").choice.starts_with("clamped, because elbow drives its root; "));
  expect_settled(model, fine, vibrations(fine, true)[2] * 1.0001, 0.012);
  const Model wide = arm("{auto: {up-to: 150}}");
  expect_settled(wide, fine, 150, 0.012);
  EXPECT_LT(coordinates(wide, "upper") + coordinates(wide, "lower"), 30);
}

// A planar four-bar with beams that bend both ways: revolute pins hold the slopes out of the plane, which chord shapes
// alone cannot follow.
TEST(AutomaticModes, LoopInSpace) {
  std::ifstream file(std::string(LITHE_SOURCE_DIR) + "/examples/flexible-four-bar.yaml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text = std::regex_replace(text, std::regex("bending: y, torsion: false, "), "");
  const auto with = [&](const std::string& modes) {
    return load_model_text(std::regex_replace(text, std::regex("modes: \\{[^}]*\\}"), "modes: " + modes),
                           "four-bar.yaml");
  };
  const Model model = with("{auto: {up-to: 200}}"), fine = with("{count: 20, root: chord, loaded: [root, tip]}");
  EXPECT_FALSE(prepare(model).plan.is_planar());
  expect_settled(model, fine, 200, 0.02);
}

/// A beam between two bodies, the joints given.
Mechanism between(Joint at_root, Joint at_tip) {
  const Model model = load_model_text(R"(
lithe: 1
links:
  beam: {beam: {length: 1, mass: 1, EI: 1}, modes: {count: 1}}
joints: {j: {revolute: z, from: ground, to: beam/root}}
)",
                                      "beam.yaml");
  Mechanism mechanism = model.mechanism;
  mechanism.joints.clear();
  at_root.name = "a", at_tip.name = "b";
  at_root.to = mechanism.find_frame("beam", "root");
  at_tip.from = mechanism.find_frame("beam", "tip");
  mechanism.add_joint(at_root);
  mechanism.add_joint(at_tip);
  return mechanism;
}

Joint of(JointType type, bool actuated = false) {
  Joint joint;
  joint.type = type;
  if (actuated) joint.actuated.assign(static_cast<std::size_t>(speed_count(type)), true);
  return joint;
}

TEST(AutomaticReference, FollowsTheJoints) {
  const auto choose = [](const Joint& root, const Joint& tip) {
    const io::ReferenceChoice choice = io::choose_reference(between(root, tip), 1, Reference::clamped);
    EXPECT_EQ(choice.loaded, (std::vector<std::string>{"root", "tip"}));
    return std::string(io::name_of(choice.reference)) + ": " + choice.reason;
  };
  const Joint pin = of(JointType::revolute), ball = of(JointType::spherical), motor = of(JointType::revolute, true),
              weld = of(JointType::fixed), slide = of(JointType::prismatic), floating = of(JointType::free);
  EXPECT_EQ(choose(motor, pin), "clamped: a drives its root");
  EXPECT_EQ(choose(weld, pin), "clamped: a fixes its root");
  EXPECT_EQ(choose(slide, ball), "clamped: a guides its root");
  EXPECT_EQ(choose(pin, ball), "chord: the pins a and b hold its ends");
  EXPECT_EQ(choose(pin, motor), "clamped: the pin a holds its root");
  EXPECT_EQ(choose(floating, weld), "free: it floats on a");
  EXPECT_EQ(io::choose_reference(between(pin, pin), 1, Reference::supported).reason, "the link has its own supports");
}

TEST(AutomaticModes, FloatingBeamTakesMeanAxes) {
  const Model model = load_model_text(R"(
lithe: 1
links:
  beam: {beam: {length: 1, mass: 1, EI: 10, rotary-inertia: 1e-4, polar-inertia: 1e-3}, modes: auto}
joints: {float: {free: true, from: ground, to: beam}}
)",
                                      "beam.yaml");
  EXPECT_EQ(model.origins[1].reference, "free");
  EXPECT_EQ(coordinates(model, "beam"), 3) << "its free-free modes are those of the mechanism";
  EXPECT_EQ(model.origins[1].choice, "free, because it floats on float; 3 modes");
}

std::string refusal(const std::string& text) {
  try {
    load_model_text(text, "test.yaml");
  } catch (const PhysicsError& error) {
    return error.what();
  }
  return "";
}

TEST(AutomaticModes, MechanismWithoutAPoseIsRefused) {
  const std::string apart = R"(
lithe: 1
links:
  a: {rod: {from: [0, 0], to: [1, 0], mass: 1}, frames: {end: [1, 0]}}
  b: {rod: {from: [0, 0], to: [1, 0], mass: 1}, frames: {end: [1, 0]}}
  whip: {beam: {length: 1, mass: 1, EI: 10}, modes: auto}
ground: {far: [3, 0, 0]}
joints:
  left: {revolute: z, from: ground, to: a}
  middle: {revolute: z, from: a/end, to: b}
  right: {revolute: z, from: ground/far, to: b/end}
  wrist: {revolute: z, from: a/end, to: whip/root, actuated: true}
)";
  const std::string text = refusal(apart);
  EXPECT_TRUE(text.starts_with("'modes: auto' needs the mechanism in its initial pose, but loop '")) << text;
  EXPECT_NE(text.find("Give better guesses under 'initial'"), std::string::npos) << text;

  // Elastic links could be bent until they meet; that is not meant.
  EXPECT_EQ(
      refusal(R"(
lithe: 1
links:
  a: {beam: {length: 1, mass: 1, EI: 10}, modes: auto}
  b: {beam: {length: 1, mass: 1, EI: 10}, modes: auto}
ground: {far: [3, 0, 0]}
joints:
  left: {revolute: z, from: ground, to: a/root}
  middle: {revolute: z, from: a/tip, to: b/root}
  right: {revolute: z, from: ground/far, to: b/tip}
)"),
      "'modes: auto' needs the mechanism in its initial pose, but its loops close only when link 'a' is strongly bent; "
      "give better guesses under 'initial', or check the lengths");

  EXPECT_EQ(
      refusal(R"(
lithe: 1
links: {beam: {beam: {length: 1, mass: 1, EI: 10}, modes: auto}}
joints: {float: {free: true, from: ground, to: beam}}
)"),
      "'modes: auto' needs the mechanism in its initial pose, but some motion of it has no inertia, as a beam without "
      "'polar-inertia' that turns about its own axis");
}

}  // namespace
}  // namespace lithe

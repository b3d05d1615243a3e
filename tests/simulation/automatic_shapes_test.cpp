// Shapes that a mechanism chooses for links built in C++, as it does for those of a model file.

#include "lithe/simulation/automatic_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "lithe/links/beam.hpp"
#include "lithe/simulation/operating_point.hpp"

namespace lithe {
namespace {

constexpr double stiffness = 50.0, mass = 0.5;

LinkRecipe arm() {
  BeamSpec beam;
  Section section;
  section.mass_per_length = mass;
  section.bending_y = stiffness;
  beam.stations = {{0.0, section}};
  beam.elements = 16;
  LinkRecipe recipe;
  recipe.spec.model = beam_model("arm", beam, {});
  recipe.spec.straight = recipe.spec.is_flat = true;
  return recipe;
}

/// A beam one metre long on a motor, its shapes open.
Model pendulum(LinkRecipe& recipe) {
  Model model;
  recipe.link = model.mechanism.add_link(undecided_link("arm", recipe.spec, recipe.choices));
  Joint motor;
  motor.name = "motor";
  motor.to = model.mechanism.find_frame("arm", "root");
  motor.actuated = {true};
  model.mechanism.add_joint(motor);
  model.mechanism.gravity = Vec3(0, -9.81, 0);
  return model;
}

TEST(AutomaticShapes, OfALinkBuiltInCodeAreThoseOfTheModelFile) {
  LinkRecipe recipe = arm();
  Model model = pendulum(recipe);
  choose_link_shapes(model, {recipe});
  const LinkData& built = model.mechanism.links[recipe.link];

  const Model read = load_model_text(R"(
lithe: 1
gravity: [0, -9.81, 0]
links: {arm: {beam: {length: 1, mass: 0.5, EI: 50, elements: 16}}}
joints: {motor: {revolute: z, from: ground, to: arm/root, actuated: true}}
)",
                                     "pendulum.yaml");
  const LinkData& expected = read.mechanism.links[1];
  EXPECT_EQ(built.elastic.names, expected.elastic.names);
  ASSERT_EQ(built.elastic.count(), expected.elastic.count());
  EXPECT_LT((built.elastic.frequencies - expected.elastic.frequencies).norm(),
            1e-12 * expected.elastic.frequencies.norm());
  EXPECT_EQ(model.origins[recipe.link].choice, read.origins[1].choice);
  EXPECT_EQ(model.remarks.notes, read.remarks.notes);
  // A clamped beam: (1.8751 / L)^2 sqrt(EI / m').
  EXPECT_NEAR(built.elastic.frequencies[0], 3.5160152685 * std::sqrt(stiffness / mass), 1e-4);
}

// A beam on a passive pin in its middle of a rail: where its pin may stick, it is a cantilever for a while, and the choice
// has to be good for that, too. Modes of the assembled beam with the pin held, from the model whose joint is a fixed one.
TEST(AutomaticShapes, KnowThatAJointMayStick) {
  const auto model = [](const std::string& friction, const std::string& more = {}) {
    return load_model_text(R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  arm: {rigid: {mass: 1, inertia: [0.1, 0.1, 0.1]}, frames: {tip: [0.3, 0]}}
  rod: {beam: {length: 1, mass: 0.5, EI: 50, elements: 16}}
joints:
  motor: {revolute: z, from: ground, to: arm, actuated: true}
  pin: {revolute: z, from: arm/tip, to: rod/root)" +
                               friction + "}\n" + more,
                           "stuck.yaml");
  };
  const Model free = model(""), rubs = model(", friction: {coulomb: 1}"), stops = model(", stops: {lower: -1}"),
              creeps = model(", friction: {coulomb: 1, creep: 0.01}"),
              locked = model("", "events: {brake: {when: 0.5, do: {lock: pin}}}");
  EXPECT_EQ(creeps.remarks.notes, free.remarks.notes);
  const auto says = [](const Model& one) {
    return std::any_of(one.remarks.notes.begin(), one.remarks.notes.end(), [](const std::string& note) {
      return note.find("with motors and joints that may stick locked and free") != std::string::npos;
    });
  };
  EXPECT_FALSE(says(free));
  for (const Model& one : {rubs, stops, locked}) {
    EXPECT_TRUE(says(one));
    // The held rod is a cantilever: its first frequency 1.8751^2 sqrt(EI / (m l^3)) / 2 pi within the percent that is asked for.
    Model held = one;
    Joint& pin = held.mechanism.joints[1];
    pin.type = JointType::fixed;
    pin.friction.clear();
    pin.stops.clear();
    held.mechanism.joints[0].type = JointType::fixed;
    held.mechanism.joints[0].actuated.clear();
    held.events.clear();
    const double first = 3.5160152685 * std::sqrt(50.0 / 0.5) / (2.0 * std::numbers::pi);
    held.mechanism.gravity.setZero();
    const NaturalModes modes = OperatingPoint(held).modes();
    ASSERT_GT(modes.frequencies.size(), 0);
    EXPECT_NEAR(modes.frequencies[0], first, 0.01 * first);
  }
}

TEST(AutomaticShapes, AChoiceThatMakesNoSenseNamesTheLinkAndTheChoice) {
  LinkRecipe recipe = arm();
  recipe.choices.modes.emplace().choice.modes.count = 1000;
  recipe.choices.modes->is_chosen = true;
  try {
    make_link("arm", recipe.spec, recipe.choices);
    FAIL() << "1000 modes of 32 coordinates";
  } catch (const LinkChoiceError& error) {
    EXPECT_EQ(error.element(), "arm");
    EXPECT_EQ(error.choice(), LinkChoiceError::Choice::modes);
  }
}

TEST(AutomaticShapes, WhatIsChosenIsNotLeftOpen) {
  LinkRecipe recipe = arm();
  EXPECT_TRUE(leaves_shapes_open(recipe.spec, recipe.choices));
  recipe.choices.modes.emplace().refuses_automatic = true;
  EXPECT_FALSE(leaves_shapes_open(recipe.spec, recipe.choices));
  // Without a choice the lowest modes: as many as the kind says.
  EXPECT_EQ(make_link("arm", recipe.spec, recipe.choices).elastic.count(), recipe.spec.default_modes);
  recipe.choices.modes->automatic = true;
  EXPECT_TRUE(leaves_shapes_open(recipe.spec, recipe.choices));
}

}  // namespace
}  // namespace lithe

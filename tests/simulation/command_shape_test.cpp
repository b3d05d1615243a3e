// Shaped motions: a cart that carries an oscillator is linear, so that shapers are exact and the modes are known.

#include "lithe/simulation/command_shape.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::testing {
namespace {

/// A mass of 2 kg on a spring of 800 N/m and a damper on a cart: w = 20/s, ratio c/(2 sqrt(k m)) = c/80.
std::string cart_text(const std::string& shape, double damper, const std::string& by = "motion") {
  return fmt::format(R"(
lithe: 1
links: {{cart: {{rigid: {{mass: 3}}}}, mass: {{rigid: {{mass: 2}}}}}}
joints:
  rail: {{prismatic: x, from: ground, to: cart, actuated: true}}
  spring: {{prismatic: x, from: cart, to: mass, spring: {{stiffness: 800}}, damping: {}}}
drives: {{rail: {{follow: {{trapezoid: {{from: 0, to: 1, in: 0.35}}}}, by: {}{}}}}}
run: {{until: 3, every: 0.001, integrator: dopri, rtol: 1.0e-11, atol: 1.0e-13}}
)",
                     damper, by, shape.empty() ? "" : ", shape: " + shape);
}

/// Amplitude of the spring from a time on: largest length of (q, v/w).
double spring_amplitude(const Model& model, double from) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  EXPECT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  const std::vector<double> t = record.column("t"), q = record.column("q.spring"), v = record.column("v.spring");
  double largest = 0.0;
  for (std::size_t k = 0; k < t.size(); ++k)
    if (t[k] >= from) largest = std::max(largest, std::hypot(q[k], v[k] / 20.0));
  return largest;
}

double amplitude_with(const std::string& shape, double damper) {
  return spring_amplitude(load_model_text(cart_text(shape, damper), "cart.yaml"), 1.4);
}

/// The mode of the oscillator, for a shape of this kind.
std::string for_its_mode(const std::string& kind, double damper, const std::string& more = "") {
  const double ratio = damper / 80.0, frequency = 20.0 * std::sqrt(1.0 - ratio * ratio) / (2 * std::numbers::pi);
  return fmt::format("{{kind: {}, frequency: {}, damping: {}{}}}", kind, frequency, ratio, more);
}

/// A clamped beam that its motor turns; its first mode has (1.8751)^2 sqrt(EI/(mu L^4)) = 3.51602 sqrt(50/0.6) rad/s.
const char* const turned_beam = R"(
lithe: 1
links: {arm: {beam: {length: 1, EI: 50, mass: 0.6, elements: 8}, modes: {count: 1}, damping: {ratio: 0.1}}}
joints: {pin: {revolute: z, from: ground, to: arm/root, actuated: true}}
drives: {pin: {follow: {cycloid: {from: 0, to: 0.1, in: 0.35}}, shape: zvd}}
)";

TEST(CommandShape, FindsTheModeAtTheEnd) {
  LoadOptions options;
  options.shape = "none";
  const Model model = load_model_text(turned_beam, "beam.yaml", {}, options);
  const std::vector<Vibration> modes = vibrations_after_motion(model);
  ASSERT_EQ(modes.size(), 1U);
  EXPECT_NEAR(modes[0].damping, 0.1, 1e-6);
  const double frequency = 3.51602 * std::sqrt(50.0 / 0.6) * std::sqrt(0.99) / (2 * std::numbers::pi);
  EXPECT_NEAR(modes[0].frequency / frequency, 1.0, 1e-4);
  EXPECT_NEAR(end_of_motion(model), 0.35, 1e-15);
  EXPECT_NEAR(end_of_motion(load_model_text(turned_beam, "beam.yaml")), 0.35 + 1.0 / modes[0].frequency, 1e-9);
}

TEST(CommandShape, ShapersLeaveNothing) {
  for (const double damper : {0.0, 4.0}) {
    const double unshaped = amplitude_with("", damper);
    EXPECT_GT(unshaped, 1e-3);
    for (const char* kind : {"zv", "zvd", "zvdd"})
      EXPECT_LT(amplitude_with(for_its_mode(kind, damper), damper), 1e-8 * unshaped) << kind << ", damper " << damper;
  }
}

// An average over the period leaves an undamped mode at rest.
TEST(CommandShape, SmoothLeavesNothingOfAnUndampedMode) {
  EXPECT_LT(amplitude_with(for_its_mode("smooth", 0.0), 0.0), 1e-8 * amplitude_with("", 0.0));
}

// What an EI shaper leaves is stated: 5 percent, or what is asked for.
TEST(CommandShape, ExtraInsensitiveLeavesWhatIsStated) {
  const double unshaped = amplitude_with("", 0.0);
  EXPECT_NEAR(amplitude_with(for_its_mode("ei", 0.0), 0.0) / unshaped, 0.05, 1e-6);
  EXPECT_NEAR(amplitude_with(for_its_mode("ei", 0.0, ", vibration: 0.1"), 0.0) / unshaped, 0.1, 1e-6);
}

// Ten percent off in frequency: what is left is what residual_vibration() of the shaper says, and a band keeps its promise.
TEST(CommandShape, RobustInItsBand) {
  const double unshaped = amplitude_with("", 0.0), frequency = 20.0 / (2 * std::numbers::pi);
  const double off = 1.1 * frequency;
  const double left = amplitude_with(fmt::format("{{kind: zv, frequency: {}}}", off), 0.0) / unshaped;
  EXPECT_NEAR(left, residual_vibration(make_shaper(ShaperKind::zv, off, 0.0), frequency, 0.0), 1e-6);
  EXPECT_GT(left, 0.1);
  EXPECT_LT(amplitude_with(fmt::format("{{kind: zvd, frequency: {}, band: 0.11}}", off), 0.0) / unshaped, 0.0501);
}

// Averages over periods from the band keep the same promise, where one over the period that was taken for the right one does not.
TEST(CommandShape, SmoothIsRobustInItsBand) {
  const double unshaped = amplitude_with("", 0.0), off = 1.1 * 20.0 / (2 * std::numbers::pi);
  EXPECT_GT(amplitude_with(fmt::format("{{kind: smooth, frequency: {}}}", off), 0.0) / unshaped, 0.09);
  const double left = amplitude_with(fmt::format("{{kind: smooth, frequency: {}, band: 0.11}}", off), 0.0) / unshaped;
  EXPECT_LT(left, 0.0501);
}

TEST(CommandShape, SaysInOneLineWhatItChose) {
  const Model model = load_model_text(cart_text("{kind: zvd, frequency: 4, damping: 0.1}", 0.0), "cart.yaml");
  ASSERT_EQ(model.remarks.notes.size(), 1U);
  EXPECT_EQ(model.remarks.notes[0], "motion of rail shaped: zvd for 4 Hz (damping ratio 0.1): it takes 0.25 s longer");
}

TEST(CommandShape, OnTheCommandLine) {
  LoadOptions options;
  options.shape = "zv=4,8";
  const Model shaped = load_model_text(cart_text("zvd", 0.0), "cart.yaml", {}, options);
  EXPECT_NEAR(end_of_motion(shaped), 0.35 + 0.5 / 4 + 0.5 / 8, 1e-12);
  EXPECT_NE(shaped.flattened.find("frequency: [4, 8]"), std::string::npos) << shaped.flattened;
  options.shape = "none";
  EXPECT_NEAR(end_of_motion(load_model_text(cart_text("zvd", 0.0), "cart.yaml", {}, options)), 0.35, 1e-15);
}

std::string complaint_about_shape(const std::string& shape) {
  try {
    load_model_text(cart_text(shape, 0.0), "cart.yaml");
  } catch (const ModelError& error) {
    return error.diagnostics().at(0).key + ": " + error.diagnostics().at(0).message;
  }
  return "";
}

TEST(CommandShape, ComplainsAboutWhatMakesNoSense) {
  EXPECT_EQ(complaint_about_shape("{kind: zv, damping: 0.1}"),
            "drives.rail.shape.damping: the mechanism knows the damping of its modes; give it with a 'frequency' only");
  EXPECT_EQ(complaint_about_shape("{kind: zv, frequency: [3, 4], damping: [0, 0.1, 0.2]}"),
            "drives.rail.shape.damping: 3 damping ratios for 2 frequencies");
  EXPECT_EQ(complaint_about_shape("{kind: zv, frequency: 3, modes: 2}"),
            "drives.rail.shape.modes: the modes are given by their frequencies; leave one of the two out");
  EXPECT_EQ(complaint_about_shape("{kind: smooth, band: 1}"),
            "drives.rail.shape.band: a band of 1 reaches down to no frequency at all; say 0.1 for 10 percent");
  EXPECT_NE(complaint_about_shape("zvvd").find("zvd"), std::string::npos);
}

}  // namespace
}  // namespace lithe::testing

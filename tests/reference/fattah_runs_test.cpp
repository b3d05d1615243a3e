// Runs of the mechanisms of Fattah's thesis: what must hold whatever the numbers are. Reference items 16, 20, 22 to 25,
// 28 and 29; tables and trajectories in both coordinates are in `lithe reproduce fattah`.

#include <gtest/gtest.h>

#include <cmath>

#include "reference/fattah_models.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {
namespace {

std::size_t last(const MemoryRecord& record) { return record.rows() - 1; }

// Item 16. With a base of 2 m a leg is stretched near t = 0.3 s: the platform no longer determines its joints, the
// motors still determine the platform. Start pose of the reference, section 3.3.
TEST(FattahRuns, AStretchedLegStopsCartesianCoordinatesOnly) {
  const std::map<std::string, std::string> wide{{"base", "2"},       {"third", "sqrt(3)"}, {"psi", "1.756262"},
                                                {"x", "1.232578"},   {"y", "1.437821"},    {"run.every", "0.1"},
                                                {"run.rtol", "1e-7"}};
  Model joint = fattah_model("3rrr", wide);
  joint.record.coordinates = false;
  MemoryRecord record;
  const RunOutcome passes = run_simulation(joint, record);
  EXPECT_EQ(passes.ending, RunOutcome::Ending::complete) << passes.message;
  EXPECT_LT(passes.audit.worst_closure, 1e-12);
  EXPECT_NEAR(record.at(0, "pos.platform.origin.x"), 1.232578, 1e-5);
  EXPECT_NEAR(record.at(0, "pos.platform.origin.y"), 1.437821, 1e-5);

  Model cartesian = joint;
  cartesian.plan.coordinates = Coordinates::cartesian;
  const RunOutcome stops = run_simulation(cartesian, record);
  EXPECT_EQ(stops.ending, RunOutcome::Ending::physics_failed);
  EXPECT_NE(stops.message.find("is singular"), std::string::npos) << stops.message;
  EXPECT_NE(stops.message.find("platform.free"), std::string::npos) << stops.message;
  EXPECT_GT(stops.audit.t_end, 0.2);
  EXPECT_LT(stops.audit.t_end, 0.4);
}

/// Two arms that are struck by short torques and then left alone, ringing; one mode per link, so that long runs are
/// quick.
Model struck(double zeta) {
  Model model = undriven(fattah_model("two-arms", {{"zeta", std::to_string(zeta)}, {"links.*.modes.count", "1"}}),
                         Coordinates::automatic);
  for (const auto& [joint, size] : {std::pair{"motor-1", -1.0}, std::pair{"motor-3", 0.6}}) {
    Drive drive;
    drive.joint = joint;
    drive.torque.add(CycloidLaw{0.0, size, 0.0, 0.01});
    drive.torque.add(CycloidLaw{0.0, -size, 0.01, 0.01});
    model.drives.push_back(drive);
  }
  return model;
}

constexpr double left_alone = 0.02;  // s, when the torques are over

// Item 20, first half: nothing gives or takes energy.
TEST(FattahRuns, FreeMotionKeepsItsEnergy) {
  Model model = struck(0.0);
  model.run.until = 10.0;
  model.run.every = 0.1;
  model.run.integrator = Integrator::adams;
  model.run.rtol = 1e-11;
  model.run.atol = 1e-13;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  ASSERT_EQ(outcome.ending, RunOutcome::Ending::complete) << outcome.message;
  const auto total = [&](std::size_t row) {
    return record.at(row, "energy.kinetic") + record.at(row, "energy.potential");
  };
  double largest_strain = 0.0;
  for (std::size_t row = 1; row < record.rows(); ++row) {
    EXPECT_NEAR(total(row) / total(1), 1.0, 1e-8) << record.at(row, "t");
    largest_strain = std::max(largest_strain, record.at(row, "energy.strain"));
  }
  EXPECT_GT(largest_strain, 0.01 * total(1));  // the links do take part
}

// Item 20, second half.
TEST(FattahRuns, DampingOnlyTakesEnergy) {
  Model model = struck(0.01);
  model.run.until = 1.0;
  model.run.every = 0.002;
  const MemoryRecord record = simulated(model);
  const auto total = [&](std::size_t row) {
    return record.at(row, "energy.kinetic") + record.at(row, "energy.potential");
  };
  const auto first = static_cast<std::size_t>(left_alone / model.run.every + 0.5);
  for (std::size_t row = first + 1; row < record.rows(); ++row)
    EXPECT_LE(total(row), total(row - 1) * (1 + 1e-9)) << record.at(row, "t");
  EXPECT_LT(total(last(record)), 0.99 * total(first));
}

// Item 22: without bending the torques of inverse dynamics make the motion that they were computed for.
TEST(FattahRuns, RigidTwinsFollowTheirLaws) {
  for (const char* name : {"two-arms", "3rrr-fast", "3rrr", "3rrs"}) {
    Model model = fattah_model(name);
    for (LinkData& link : model.mechanism.links) link = rigid_twin(link);
    model.run.every = (model.run.until - model.run.from) / 4;
    model.run.rtol = 1e-11;
    model.run.atol = 1e-13;
    const MemoryRecord record = simulated(model);
    for (std::size_t row = 0; row < record.rows(); ++row) {
      for (const Drive& drive : model.drives) {
        if (!drive.wants_motion()) continue;
        const std::string column =
            "q." + drive.joint + (drive.joint.ends_with(".free") ? "." + std::to_string(drive.coordinate) : "");
        EXPECT_NEAR(record.at(row, column), drive.follow.at(record.at(row, "t")).value, 1e-8) << name << " " << column;
      }
    }
  }
}

// Item 22: the deviation from the law falls as the stiffness rises.
TEST(FattahRuns, StiffLinksApproachTheRigidTwin) {
  const auto deviation = [](const char* stiffness) {
    Model model = fattah_model("two-arms", {{"EI", stiffness}, {"zeta", "0.3"}, {"run.integrator", "bdf"}});
    model.run.until = 0.1;
    model.run.every = 0.1;
    const MemoryRecord record = simulated(model);
    return std::abs(record.at(1, "q.motor-1") - 2.6057240);  // rigid: reference, section 3.1
  };
  const double soft = deviation("7.815e3"), stiff = deviation("7.815e4");
  EXPECT_LT(soft, 2e-4);
  EXPECT_NEAR(soft / stiff, 10.0, 0.5);
}

/// Deflection of the tip of link 1 half way between start and the middle, when the move takes so long.
double slow_tip(const char* name, double duration, double zeta = 0.05) {
  Model model = fattah_model(name, {{"duration", std::to_string(duration)},
                                    {"zeta", std::to_string(zeta)},
                                    {"run.integrator", "bdf"},
                                    {"run.rtol", "1e-7"}});
  model.run.until = duration / 4;
  model.run.every = duration / 4;
  model.record.energy = false;
  return tip_of(model, simulated(model), 1, "link-1");
}

// Item 23: slowly enough, deflections are those of the inertia forces, which fall with the square of the time.
TEST(FattahRuns, SlowDeflectionsFallWithTheSquareOfTheTime) {
  EXPECT_NEAR(slow_tip("two-arms", 5.0) / slow_tip("two-arms", 10.0), 4.0, 0.04);
  EXPECT_NEAR(slow_tip("3rrr-fast", 2.5) / slow_tip("3rrr-fast", 5.0), 4.0, 0.04);
  EXPECT_NEAR(slow_tip("3rrr", 10.0) / slow_tip("3rrr", 20.0), 4.0, 0.04);
}

/// Largest deflections of links 1 and 3 over the first part of the move, where they peak.
std::pair<double, double> peaks(int elements, int modes) {
  Model model = fattah_model("two-arms", {{"links.*.beam.elements", std::to_string(elements)},
                                          {"links.*.modes.count", std::to_string(modes)},
                                          {"run.integrator", "bdf"},
                                          {"run.rtol", "1e-6"},
                                          {"run.atol", "1e-8"}});
  model.run.until = 0.14;
  model.run.every = 0.002;
  const MemoryRecord record = simulated(model);
  std::pair<double, double> largest;
  for (std::size_t row = 0; row < record.rows(); ++row) {
    largest.first = std::max(largest.first, tip_of(model, record, row, "link-1"));
    largest.second = std::max(largest.second, tip_of(model, record, row, "link-3"));
  }
  return largest;
}

// Item 24: the thesis found its results nearly the same.
TEST(FattahRuns, TwoElementsAndTwoModesSuffice) {
  const auto [first, third] = peaks(2, 2);
  for (const auto& [elements, modes] : {std::pair{4, 2}, std::pair{8, 2}, std::pair{4, 4}, std::pair{8, 4}}) {
    const auto [fine_first, fine_third] = peaks(elements, modes);
    EXPECT_NEAR(first / fine_first, 1.0, 0.01) << elements << " " << modes;
    EXPECT_NEAR(third / fine_third, 1.0, 0.02) << elements << " " << modes;
  }
}

// Item 25: after the move the bar is free; what is left of the vibration.
TEST(FattahRuns, DampingQuietsTheEnd) {
  const auto ringing = [](const char* zeta) {
    Model model = fattah_model("two-arms", {{"zeta", zeta}, {"run.until", "0.6"}, {"run.rtol", "1e-7"}});
    model.run.every = 0.001;
    const MemoryRecord record = simulated(model);
    double largest = 0.0;
    for (std::size_t row = 0; row < record.rows(); ++row)
      if (record.at(row, "t") >= 0.5) largest = std::max(largest, record.at(row, "energy.strain"));
    return largest;
  };
  const double damped = ringing("0.01"), undamped = ringing("0");
  EXPECT_LT(damped, 0.2 * undamped);
  // The move itself stores 0.44 J (section 3.1: tips of 50 mm); without damping the rest does not grow towards that.
  EXPECT_LT(undamped, 0.01);
}

// Item 28. Two arms start mirror-symmetric about x = 0.2 m; opposite torques at the shoulders, none at the elbow.
TEST(FattahRuns, MirroredTorquesKeepTheMirror) {
  Model model = undriven(fattah_model("two-arms"), Coordinates::automatic);
  for (const auto& [joint, size] : {std::pair{"motor-1", 0.4}, std::pair{"motor-2", -0.4}}) {
    Drive drive;
    drive.joint = joint;
    drive.torque.add(CycloidLaw{0.0, size, 0.0, 0.05});
    model.drives.push_back(drive);
  }
  model.run.until = 0.2;
  model.run.every = 0.02;
  const MemoryRecord record = simulated(model);
  double moved = 0.0;
  for (std::size_t row = 0; row < record.rows(); ++row) {
    EXPECT_NEAR(record.at(row, "pos.object.origin.x"), 0.2, 1e-8);
    EXPECT_NEAR(record.at(row, "rot.object.origin.z"), 0.0, 1e-8);
    EXPECT_NEAR(tip_of(model, record, row, "link-1"), -tip_of(model, record, row, "link-2"), 1e-8);
    EXPECT_NEAR(tip_of(model, record, row, "link-3"), -tip_of(model, record, row, "link-4"), 1e-8);
    moved = std::max(moved, std::abs(tip_of(model, record, row, "link-1")));
  }
  EXPECT_GT(moved, 1e-3);
}

// Item 28. Three equal torques on the 3-RRR in the middle of its base: the platform turns on the spot.
TEST(FattahRuns, EqualTorquesTurnTheRobotOnTheSpot) {
  Model model =
      undriven(fattah_model("3rrr-fast", {{"start", "0.6"}, {"height", "0.2*sqrt(3)"}}), Coordinates::automatic);
  for (const char* joint : {"motor-1", "motor-2", "motor-3"}) {
    Drive drive;
    drive.joint = joint;
    drive.torque.add(CycloidLaw{0.0, 0.3, 0.0, 0.05});
    model.drives.push_back(drive);
  }
  model.run.until = 0.1;
  model.run.every = 0.01;
  const MemoryRecord record = simulated(model);
  for (std::size_t row = 0; row < record.rows(); ++row) {
    EXPECT_NEAR(record.at(row, "pos.platform.origin.x"), 0.6, 1e-8);
    EXPECT_NEAR(record.at(row, "pos.platform.origin.y"), 0.2 * std::sqrt(3.0), 1e-8);
    for (const char* link : {"link-2", "link-3"})
      EXPECT_NEAR(tip_of(model, record, row, link), tip_of(model, record, row, "link-1"), 1e-8);
    for (const char* link : {"link-5", "link-6"})
      EXPECT_NEAR(tip_of(model, record, row, link), tip_of(model, record, row, "link-4"), 1e-8);
  }
  EXPECT_GT(std::abs(record.at(last(record), "rot.platform.origin.z")), 0.01);
}

// Item 29: minimal coordinates against all coordinates with multipliers.
TEST(FattahRuns, FourBarByMultipliersMovesTheSame) {
  Model model = load_model(source_folder() + "/examples/flexible-four-bar.yaml");
  model.run.until = 0.3;
  model.run.every = 0.03;
  model.run.rtol = 1e-9;
  model.run.atol = 1e-11;
  const MemoryRecord minimal = simulated(model);
  model.run.formulation = Formulation::multipliers;
  const MemoryRecord redundant = simulated(model);
  for (std::size_t row = 0; row < minimal.rows(); ++row) {
    for (const char* column : {"q.motor", "q.crank-pin", "q.coupler.e1", "q.coupler.e2", "q.rocker.e1", "q.rocker.e2"})
      EXPECT_NEAR(minimal.at(row, column), redundant.at(row, column), 1e-6) << column;
  }
}

}  // namespace
}  // namespace lithe::testing

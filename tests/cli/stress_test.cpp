// What a run says about the stress in its links.

#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "lithe/io/read_results.hpp"

namespace lithe::testing {
namespace {

// A cantilever of a rectangle with a force on its tip: 6 F L/(b h^2) = 18 MPa at the root, for ever.
const char* const cantilever = R"(lithe: 1
name: cantilever
materials: {steel: {density: 7800, young: 200e9, yield: 235e6, fatigue: {amplitude: 1e8, cycles: 1e6, slope: 5, endurance: 1e5}}}
links: {arm: {beam: {length: 0.5, material: steel, section: {rectangle: {height: 0.01, width: 0.02}}, bending: y}, modes: {count: 1}}}
joints: {wall: {fixed: true, from: ground, to: arm/root}}
loads: {pull: {at: arm/tip, force: [0, -12]}}
initial: equilibrium
run: {until: 1e-3, every: 1e-4}
record: [coordinates, stress]
)";

TEST(Stress, IsSummedUpInATable) {
  const Folder folder;
  write_text(folder.file("arm.yaml"), cantilever);
  const Answer answer = lithe({"simulate", folder.file("arm.yaml")});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find("peak, MPa"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("unlimited"), std::string::npos) << answer.out;
}

TEST(Stress, StandsInTheAnswerAndInTheFile) {
  const Folder folder;
  write_text(folder.file("arm.yaml"), cantilever);
  const Answer answer = lithe({"simulate", folder.file("arm.yaml"), "--json", "-o", folder.file("arm.h5")});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const auto arm = answer.json()["audit"]["stress"]["arm"];
  EXPECT_NEAR(arm["peak"].get<double>(), 18e6, 20.0);
  EXPECT_EQ(arm["place"], "0 m+");
  EXPECT_NEAR(arm["safety"].get<double>(), 235.0 / 18.0, 1e-4);
  EXPECT_EQ(arm["damage"], 0.0);
  EXPECT_TRUE(arm["life"].is_null());  // without end

  const LinkStress kept = read_results(folder.file("arm.h5")).audit.stress.at("arm");
  EXPECT_EQ(kept.peak, arm["peak"].get<double>());
  EXPECT_EQ(kept.place, "0 m+");
  EXPECT_EQ(kept.safety.value(), arm["safety"].get<double>());
  EXPECT_EQ(kept.damage.value(), 0.0);
  EXPECT_GT(kept.life.value(), 1e300);
}

}  // namespace
}  // namespace lithe::testing

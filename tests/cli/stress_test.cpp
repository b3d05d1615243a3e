// What a run says about the stress in its links.

#include <gtest/gtest.h>

#include "cli/program.hpp"
#include "lithe/io/read_results.hpp"

namespace lithe::testing {
namespace {

// Its root bears 18 MPa, for ever.
const std::string cantilever = source_folder() + "/tests/data/pulled-cantilever.yaml";

TEST(Stress, IsSummedUpInATable) {
  const Answer answer = lithe({"simulate", cantilever});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find("peak, MPa"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("unlimited"), std::string::npos) << answer.out;
}

TEST(Stress, StandsInTheAnswerAndInTheFile) {
  const Folder folder;
  const Answer answer = lithe({"simulate", cantilever, "--json", "-o", folder.file("arm.h5")});
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

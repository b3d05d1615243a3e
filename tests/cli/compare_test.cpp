#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

/// Elastic links one after the other, each on a joint.
std::string chain(const Folder& folder, int links) {
  std::string text = "lithe: 1\ngravity: [0, -9.81, 0]\nlinks:\n";
  for (int i = 1; i <= links; ++i)
    text += fmt::format(
        "  arm-{}: {{beam: {{length: 0.3, EI: 20, mass-per-length: 0.5, elements: 2}}, modes: {{count: "
        "2}}}}\n",
        i);
  text += "joints:\n";
  for (int i = 1; i <= links; ++i)
    text += fmt::format("  joint-{}: {{revolute: z, from: {}, to: arm-{}/root}}\n", i,
                        i == 1 ? std::string("ground") : fmt::format("arm-{}/tip", i - 1), i);
  const std::string path = folder.file("chain.yaml");
  write_text(path, text);
  return path;
}

// The formulations are all right: what they differ by is their rounding times the condition number of the inertia
// matrix.
TEST(Compare, LongElasticChainsAgree) {
  const Folder folder;
  const Answer answer = lithe({"compare", chain(folder, 30), "--states", "3", "--json"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err << answer.out;
  const auto found = answer.json();
  EXPECT_GT(found["condition"].get<double>(), 1e4);
  for (const auto& line : found["formulations"])
    if (line.contains("tolerance")) EXPECT_LE(line["tolerance"].get<double>(), 1e-5) << line;
}

// Short chains keep the tolerance that they had.
TEST(Compare, ShortChainsKeepTheirTolerance) {
  const Folder folder;
  const Answer answer = lithe({"compare", chain(folder, 3), "--states", "5", "--json"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  const auto found = answer.json();
  for (const auto& line : found["formulations"])
    if (line["name"] == "multipliers") EXPECT_EQ(line["tolerance"].get<double>(), 1e-9);
}

}  // namespace
}  // namespace lithe::testing

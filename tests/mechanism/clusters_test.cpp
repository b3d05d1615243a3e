// Which nodes make a cluster, on mechanisms where it is plain to see.

#include "lithe/mechanism/clusters.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lithe/io/load_model.hpp"
#include "support/long_mechanisms.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

using detail::Cluster;

TEST(Clusters, ChainOfLoopsIsAChainOfClusters) {
  const Model model = load_model_text(testing::parallelogram_chain(5), "chain.yaml");
  const Plan plan(model.mechanism, {});
  const auto check = [](const std::vector<Cluster>& clusters) {
    ASSERT_EQ(clusters.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
      // Two cranks and the coupler, which one of them carries.
      EXPECT_EQ(clusters[i].nodes.size(), 3u);
      EXPECT_EQ(clusters[i].speeds.size(), 3u);
      EXPECT_EQ(clusters[i].cuts.size(), 1u);
      if (i == 0) {
        EXPECT_EQ(clusters[i].base, -1);
      } else {
        const std::vector<int>& below = clusters[i - 1].nodes;
        EXPECT_NE(std::find(below.begin(), below.end(), clusters[i].base), below.end());
      }
    }
  };
  check(plan.compiled().spatial.clusters);
  ASSERT_TRUE(plan.compiled().planar);
  check(plan.compiled().planar->clusters);
}

std::vector<Cluster> clusters_of(const std::string& example) {
  const Model model = load_model(source_folder() + "/examples/" + example + ".yaml");
  return Plan(model.mechanism, {}).compiled().spatial.clusters;
}

TEST(Clusters, LoopsThatShareThePlatformAreOne) {
  const std::vector<Cluster> clusters = clusters_of("khan-3rrr");
  ASSERT_EQ(clusters.size(), 1u);
  EXPECT_EQ(clusters[0].cuts.size(), 2u);
  EXPECT_EQ(clusters[0].base, -1);
}

TEST(Clusters, OpenChainIsOneClusterPerNode) {
  const std::vector<Cluster> clusters = clusters_of("7r-chain");
  EXPECT_EQ(clusters.size(), 7u);
  for (const Cluster& cluster : clusters) EXPECT_EQ(cluster.nodes.size(), 1u);
}

// A belt along a chain takes all between its ends with it; joints beyond are clusters of their own.
TEST(Clusters, CouplingsTakeWhatIsBetween) {
  Model model = load_model(source_folder() + "/examples/7r-chain.yaml");
  model.mechanism.couplings.push_back({"belt", {{{1, 0}, 1.0}, {{4, 0}, -2.0}}, 0.0});
  const Plan plan(model.mechanism, {});
  const std::vector<Cluster>& clusters = plan.compiled().spatial.clusters;
  ASSERT_EQ(clusters.size(), 4u);
  EXPECT_EQ(clusters[1].nodes, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(clusters[1].base, 0);
  EXPECT_EQ(clusters[1].ties, std::vector<int>{0});
  EXPECT_EQ(clusters[1].rows, std::vector<int>{0});
  EXPECT_TRUE(clusters[2].rows.empty());
}

// A four-bar whose two cranks hang on different places of a link that bends between them: that link is in the loop. On
// the same place of it, it is not.
TEST(Clusters, ElasticCarrierBelongsToTheLoopThatItBends) {
  const auto sizes = [](const std::string& second) {
    const Model model = load_model_text(
        "lithe: 1\n"
        "materials: {steel: {density: 7850, young: 206e9}}\n"
        "links:\n"
        "  carrier: {beam: {length: 1, material: steel, section: {rectangle: {height: 4e-3, width: 0.02}}, bending: y, "
        "torsion: false}, modes: {count: 2}}\n"
        "  left: {rod: {from: [0, 0, 0], to: [0.2, 0, 0], mass: 1}, frames: {root: [0, 0, 0], tip: [0.2, 0, 0]}}\n"
        "  right: {rod: {from: [0, 0, 0], to: [0.2, 0, 0], mass: 1}, frames: {root: [0, 0, 0], tip: [0.2, 0, 0]}}\n"
        "joints:\n"
        "  pivot: {revolute: z, from: ground, to: carrier/root}\n"
        "  a: {revolute: z, from: carrier/tip, to: left/root}\n"
        "  b: {revolute: z, from: " +
            second +
            ", to: right/root}\n"
            "  c: {revolute: z, from: left/tip, to: right/tip, cut: true}\n"
            "initial: {a: 20 deg, b: 160 deg}\n"
            "run: {until: 1}\n",
        "carrier.yaml");
    std::vector<std::size_t> result;
    const Plan plan(model.mechanism, {});
    for (const Cluster& cluster : plan.compiled().spatial.clusters) result.push_back(cluster.nodes.size());
    return result;
  };
  EXPECT_EQ(sizes("carrier/tip"), (std::vector<std::size_t>{1, 1, 2}));
  EXPECT_EQ(sizes("carrier/root"), (std::vector<std::size_t>{1, 3}));
}

}  // namespace
}  // namespace lithe

// Results whose bytes have been damaged: the reader refuses them or gives the numbers that were written, nothing else.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "lithe/io/link_file.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/map_file.hpp"
#include "lithe/io/read_results.hpp"
#include "lithe/io/results.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

namespace fs = std::filesystem;

class Damaged : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("lithe-damaged-" + std::to_string(getpid()));
    fs::create_directories(folder);
    Model model = load_model(source_folder() + "/examples/flexible-pendulum.yaml", {{"run.until", "0.02"}});
    const auto sink = hdf5_sink(path("whole.h5"));
    run_simulation(model, *sink);
    bytes = bytes_of("whole.h5");
    whole = read_results(path("whole.h5"));
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::string bytes_of(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name), std::ios::binary).rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
  }

  /// Reads the bytes as a result; false when they are refused. What is not refused must be what was written.
  bool accepts(const std::string& content, const std::string& what) const {
    write("damaged.h5", content);
    try {
      const Results read = read_results(path("damaged.h5"));
      EXPECT_EQ(read.columns, whole.columns) << what;
      EXPECT_EQ(read.data, whole.data) << what;
      EXPECT_EQ(read.flattened, whole.flattened) << what;
      EXPECT_EQ(read.mechanism, whole.mechanism) << what;
      EXPECT_EQ(read.outcome, whole.outcome) << what;
      EXPECT_EQ(read.audit.distrust, whole.audit.distrust) << what;
      EXPECT_EQ(read.audit.steps, whole.audit.steps) << what;
      return true;
    } catch (const ResultsError& error) {
      EXPECT_NE(std::string(error.what()).find("damaged.h5: "), std::string::npos) << error.what();
      return false;
    }
  }

  fs::path folder;
  std::string bytes;
  Results whole;
};

// The seed is fixed: the same bits every time. Bits that nothing depends on (gaps in the file) may be accepted.
TEST_F(Damaged, FlippedBitsAreRefusedOrWithoutEffect) {
  ASSERT_GT(whole.rows(), 1u);
  std::mt19937 random(11);
  std::uniform_int_distribution<std::size_t> place(0, bytes.size() - 1);
  int refused = 0;
  for (int i = 0; i < 600; ++i) {
    std::string damaged = bytes;
    const std::size_t at = place(random);
    damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << (random() % 8)));
    refused += accepts(damaged, "byte " + std::to_string(at)) ? 0 : 1;
  }
  EXPECT_GT(refused, 60);
}

// The first bytes hold the superblock and the headers of the root: every bit of them.
TEST_F(Damaged, EveryBitOfTheHeadIsGuarded) {
  for (std::size_t at = 0; at < 96; ++at) {
    for (unsigned bit = 0; bit < 8; bit += 3) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      accepts(damaged, "byte " + std::to_string(at));
    }
  }
}

TEST_F(Damaged, TruncatedAndOverwrittenFilesAreRefused) {
  for (int i = 0; i < 60; ++i) EXPECT_FALSE(accepts(bytes.substr(0, bytes.size() * i / 60), "cut")) << i;
  std::mt19937 random(12);
  for (int i = 0; i < 60; ++i) {
    std::string damaged = bytes;
    const std::size_t at = random() % (bytes.size() - 64);
    for (std::size_t k = 0; k < 64; ++k) damaged[at + k] = static_cast<char>(random());
    accepts(damaged, "noise at " + std::to_string(at));
  }
  EXPECT_TRUE(accepts(bytes + "appended", "a longer file"));
}

TEST_F(Damaged, LinkFilesAreRefusedOrWithoutEffect) {
  const LinkData link = load_model(source_folder() + "/examples/flexible-pendulum.yaml").mechanism.links[1];
  write_link_data(link, path("link.h5"));
  const std::string good = bytes_of("link.h5");
  std::mt19937 random(13);
  int refused = 0;
  for (int i = 0; i < 200; ++i) {
    std::string damaged = good;
    const std::size_t at = random() % good.size();
    damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << (random() % 8)));
    write("damaged.h5", damaged);
    try {
      EXPECT_EQ(read_link_data(path("damaged.h5")).elastic.count(), link.elastic.count());
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("damaged.h5"), std::string::npos) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 10);
}

// A bit of the number of points along an axis: it is -6e294, which no whole number is.
TEST(DamagedMaps, AbsurdNumbersOfPointsAreRefused) {
  const std::string path = source_folder() + "/fuzz/corpus/result_file/map-of-absurd-size.h5";
  try {
    read_map(path);
    FAIL() << "it was read";
  } catch (const ResultsError& error) {
    EXPECT_EQ(std::string(error.what()), path + " is damaged: cannot read 'ranges': it is no whole number; make the map again");
  }
}

}  // namespace
}  // namespace lithe

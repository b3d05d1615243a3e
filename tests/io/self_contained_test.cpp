// A result carries its model: it is drawn and read again after every file of the model has gone or changed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "lithe/io/load_model.hpp"
#include "lithe/io/read_results.hpp"
#include "lithe/io/report.hpp"
#include "lithe/io/results.hpp"
#include "lithe/io/stored_mechanism.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

namespace fs = std::filesystem;

class SelfContained : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("lithe-self-" + std::to_string(getpid()));
    fs::create_directories(folder / "parts");
    write("model.yaml",
          "lithe: 1\ninclude: parts/arm.yaml\nparameters: {length: 0.5}\n"
          "joints: {hinge: {revolute: z, from: ground, to: arm/root, actuated: true}}\n"
          "drives: {hinge: {torque: {table: {file: torque.csv}}}}\n"
          "run: {until: 0.05, every: 0.01}\n");
    // The table of the included file stands beside that file.
    write("parts/arm.yaml",
          "lithe: 1\nparameters: {length: 0.4, EI: 1.0}\n"
          "links: {arm: {beam: {length: length, mass: 0.2, EI: EI}, modes: {count: 2, root: clamped}}}\n"
          "loads: {push: {at: arm/tip, force: [0, {table: {file: push.csv}}]}}\n");
    write("torque.csv", "t,torque\n0,0\n1,2\n");
    write("parts/push.csv", "t,force\n0,0\n1,3\n");
  }
  void TearDown() override { fs::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::string path(const std::string& name) const { return (folder / name).string(); }

  fs::path folder;
};

TEST_F(SelfContained, ReadsAndDrawsWithoutTheFilesOfTheModel) {
  const Model model = load_model(path("model.yaml"), {{"EI", "2*1.5"}, {"run.every", "0.005"}});
  EXPECT_EQ(model.files.size(), 4u);
  const auto sink = hdf5_sink(path("run.h5"));
  ASSERT_EQ(run_simulation(model, *sink).ending, RunOutcome::Ending::complete);
  fs::remove_all(folder / "parts");
  fs::remove(folder / "torque.csv");
  write("model.yaml", "lithe: 1\nlinks: {}\n");

  const lithe::Results results = read_results(path("run.h5"));
  const Report report = make_report({results});
  EXPECT_TRUE(report.warnings.empty()) << report.warnings[0];
  // The same mechanism, drives and run come back: the same motion to the last bit.
  const Model again = model_of(results);
  EXPECT_EQ(detail::stored_mechanism(again), detail::stored_mechanism(model));
  EXPECT_EQ(again.run.every, 0.005);
  MemoryRecord record;
  ASSERT_EQ(run_simulation(again, record).ending, RunOutcome::Ending::complete);
  for (std::size_t c = 0; c < results.columns.size(); ++c)
    EXPECT_EQ(record.column(results.columns[c]), results.column(static_cast<int>(c))) << results.columns[c];
}

TEST_F(SelfContained, WithoutIncludesAndReplacedValuesTheTextStaysAsItIs) {
  const Model model = load_model(source_folder() + "/examples/four-bar.yaml");
  EXPECT_EQ(model.flattened, model.text);
  EXPECT_EQ(model.files, std::vector<std::string>{source_folder() + "/examples/four-bar.yaml"});
}

// Flattening must not change any model of the gallery: with every parameter replaced by its own text.
TEST_F(SelfContained, FlattenedGalleryIsTheGallery) {
  int compared = 0;
  for (const auto& entry : fs::directory_iterator(source_folder() + "/examples")) {
    if (entry.path().extension() != ".yaml") continue;
    const Model model = load_model(entry.path().string(), {{"run.until", "0.5"}});
    const Model again = load_model_text(model.flattened, model.path);
    EXPECT_EQ(detail::stored_mechanism(again), detail::stored_mechanism(model)) << entry.path();
    EXPECT_EQ(again.parameters, model.parameters) << entry.path();
    EXPECT_EQ(again.run.until, 0.5);
    EXPECT_EQ(again.initial.size(), model.initial.size());
    ++compared;
  }
  EXPECT_GT(compared, 15);
}

TEST_F(SelfContained, MechanismBuiltInCodeIsDrawn) {
  Model model = load_model(path("model.yaml"));
  model.text = model.flattened = "";  // as if there had never been a file
  model.attached.clear();
  const auto sink = hdf5_sink(path("run.h5"));
  ASSERT_EQ(run_simulation(model, *sink).ending, RunOutcome::Ending::complete);
  EXPECT_TRUE(make_report({read_results(path("run.h5"))}).warnings.empty());
}

// Results refuse to replace what their model was read from, by whatever name.
TEST_F(SelfContained, OutputsNeverReplaceInputs) {
  const Model model = load_model(path("model.yaml"));
  fs::create_hard_link(path("torque.csv"), path("other.csv"));
  fs::create_symlink(path("model.yaml"), path("link.csv"));
  for (const std::string name : {"model.yaml", "./parts/../model.yaml", "parts/arm.yaml", "torque.csv",
                                 "parts/push.csv", "other.csv", "link.csv", "parts"}) {
    for (const bool hdf5 : {false, true}) {
      const auto sink = hdf5 ? hdf5_sink(path(name)) : csv_sink(path(name));
      EXPECT_THROW(run_simulation(model, *sink), ResultsError) << name;
    }
  }
  const Model untouched = load_model(path("model.yaml"));
  EXPECT_EQ(untouched.flattened, model.flattened);
  EXPECT_EQ(untouched.attached, model.attached);
}

TEST_F(SelfContained, ASecondWriterIsTold) {
  const Model model = load_model(path("model.yaml"));
  const auto first = hdf5_sink(path("run.h5"));
  first->begin(model, {"t"});
  const auto second = hdf5_sink(path("run.h5"));
  try {
    second->begin(model, {"t"});
    FAIL() << "two writers of one file";
  } catch (const ResultsError& error) {
    EXPECT_EQ(std::string(error.what()), "cannot write '" + path("run.h5") +
                                             "': another run is writing it at this moment; wait for that one, or "
                                             "choose another name");
  }
  const double row[] = {0.0};
  first->row(row);
  first->finish({}, "complete");
  EXPECT_EQ(read_results(path("run.h5")).rows(), 1u);
}

TEST_F(SelfContained, AbsurdSizesAreRefusedBeforeTheRun) {
  Model model = load_model(path("model.yaml"));
  model.run.until = 4e8;
  model.run.every = 1.0;
  const auto sink = csv_sink(path("run.csv"));
  try {
    sink->begin(model, std::vector<std::string>(100, "t"));
    FAIL() << "760 GB";
  } catch (const ResultsError& error) {
    EXPECT_NE(std::string(error.what()).find("the run would record 4e+08 rows of 100 columns, about 760 GB"),
              std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("lengthen run.every to "), std::string::npos) << error.what();
  }
  EXPECT_FALSE(fs::exists(path("run.csv.partial")));
}

}  // namespace
}  // namespace lithe

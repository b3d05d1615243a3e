// Result files: what stands in them, and when they replace an earlier one.
#include "lithe/io/results.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lithe/version.hpp"

namespace lithe {
namespace {

namespace fs = std::filesystem;

class ResultFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::temp_directory_path() / ("lithe-results-" + std::to_string(getpid()) + "-" + info->name());
    fs::create_directories(folder);
    model.name = "two columns";
    model.path = "two.yaml";
    model.text = "lithe: 1\nname: two columns # \xC3\xA4\n";
    model.parameters = {{"mass", 0.1}};
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  static std::string text_of(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  static void write(RecordSink& sink, std::initializer_list<double> values) {
    sink.row(std::span<const double>(values.begin(), values.size()));
  }

  fs::path folder;
  Model model;
};

TEST_F(ResultFiles, CsvHasExactNumbersAndQuotedNames) {
  const auto sink = csv_sink(path("a.csv"));
  sink->begin(model, {"t", "q.arm,left", "q.\"x\""});
  write(*sink, {0.1, 1.0 / 3.0, -1e-300});
  write(*sink, {0.2, 5e-324, 123456789.0});
  sink->finish({}, "complete");
  EXPECT_EQ(text_of(path("a.csv")),
            "t,\"q.arm,left\",\"q.\"\"x\"\"\"\n0.1,0.3333333333333333,-1e-300\n0.2,5e-324,123456789\n");
}

TEST_F(ResultFiles, AnEarlierResultStaysUntilTheEnd) {
  for (const std::string file : {"a.csv", "a.h5"}) {
    std::ofstream(path(file)) << "precious";
    {
      const auto sink = file == "a.csv" ? csv_sink(path(file)) : hdf5_sink(path(file));
      sink->begin(model, {"t"});
      EXPECT_EQ(text_of(path(file)), "precious");
    }
    EXPECT_EQ(text_of(path(file)), "precious") << "a run without a row must not touch it";
    const auto sink = file == "a.csv" ? csv_sink(path(file)) : hdf5_sink(path(file));
    sink->begin(model, {"t"});
    write(*sink, {1.0});
    EXPECT_EQ(text_of(path(file)), "precious");
    sink->finish({}, "complete");
    EXPECT_NE(text_of(path(file)), "precious");
  }
  EXPECT_EQ(files(), 2u) << "no temporary files are left";
}

TEST_F(ResultFiles, AFolderThatDoesNotExistIsNamed) {
  for (const std::string file : {"none/a.csv", "none/a.h5"}) {
    const auto sink = file == "none/a.csv" ? csv_sink(path(file)) : hdf5_sink(path(file));
    try {
      sink->begin(model, {"t"});
      FAIL() << "expected an error for " << file;
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), "cannot write '" + path(file) +
                                               "': No such file or directory; check that the folder exists and may "
                                               "be written to");
    }
  }
}

TEST_F(ResultFiles, TeeWritesBoth) {
  const auto sink = tee_sink(csv_sink(path("a.csv")), hdf5_sink(path("a.h5")));
  sink->begin(model, {"t"});
  write(*sink, {1.0});
  sink->finish({}, "complete");
  EXPECT_EQ(text_of(path("a.csv")), "t\n1\n");
  EXPECT_GT(fs::file_size(path("a.h5")), 0u);
}

/// Runs a Python script on the file; the script fails by assertion.
int python(const std::string& script, const std::string& file) {
  const std::string program = file + ".py";
  std::ofstream(program) << "import sys, json, h5py, numpy as np\nf = h5py.File(sys.argv[1], 'r')\n" << script;
  return std::system(("/usr/bin/python3 " + program + " " + file).c_str());
}

bool h5py_is_missing() { return std::system("/usr/bin/python3 -c 'import h5py' >/dev/null 2>&1") != 0; }

TEST_F(ResultFiles, Hdf5LayoutIsReadByPython) {
  if (h5py_is_missing()) GTEST_SKIP() << "/usr/bin/python3 has no h5py (Debian package python3-h5py)";
  const auto sink = hdf5_sink(path("a.h5"));
  LinkData arm;
  arm.name = "arm";
  model.mechanism.add_link(arm);
  model.origins.resize(2);
  model.origins[1].choice = "clamped; 2 modes";
  model.origins[1].band = "up to 50 Hz";
  model.flattened = "lithe: 1\n";
  model.attached = {{"a.csv", "t,y\n"}};
  sink->begin(model, {"t", "q.crank"});
  for (int i = 0; i < 1000; ++i) write(*sink, {0.001 * i, std::sin(0.001 * i)});
  Audit audit;
  audit.steps = 17;
  audit.worst_closure = 1e-13;
  audit.time_split["dynamics"] = 0.25;
  audit.bending["arm"] = 0.03;
  audit.warnings = {"first", "second"};
  audit.distrust = {"third"};
  sink->finish(audit, "complete");
  EXPECT_EQ(python("d = f['time series/data']\n"
                   "assert d.shape == (1000, 2) and d.dtype == np.float64\n"
                   "assert np.array_equal(d[:, 0], 0.001 * np.arange(1000))\n"
                   "assert np.allclose(d[:, 1], np.sin(d[:, 0]), rtol=0, atol=1e-15)\n"
                   "assert [c.decode() for c in f['columns'][:]] == ['t', 'q.crank']\n"
                   "assert f.attrs['model name'].decode() == 'two columns'\n"
                   "assert f.attrs['model text'].decode() == 'lithe: 1\\nname: two columns # \\u00e4\\n'\n"
                   "assert bytes(f['model/flattened'][:]).decode() == 'lithe: 1\\n'\n"
                   "assert json.loads(bytes(f['model/mechanism'][:]))['links'][1]['name'] == 'arm'\n"
                   "assert [n.decode() for n in f['model/file names'][:]] == ['a.csv']\n"
                   "assert bytes(f['model/file 0'][:]) == b't,y\\n'\n"
                   "assert f.attrs['lithe version'].decode() == '" +
                       std::string(version()) +
                       "'\n"
                       "assert json.loads(f.attrs['parameters']) == {'mass': 0.1}\n"
                       "assert json.loads(f.attrs['options'])['integrator'] == 'auto'\n"
                       "assert json.loads(f.attrs['automatic modes']) == "
                       "{'arm': {'choice': 'clamped; 2 modes', 'band': 'up to 50 Hz'}}\n"
                       "assert f['audit'].attrs['steps'] == 17\n"
                       "assert f['audit'].attrs['worst_closure'] == 1e-13\n"
                       "assert f['audit'].attrs['outcome'].decode() == 'complete'\n"
                       "assert f['audit'].attrs['warnings'].decode() == 'first\\nsecond'\n"
                       "assert f['audit'].attrs['distrust'].decode() == 'third'\n"
                       "assert f['audit/bending'].attrs['arm'] == 0.03\n"
                       "assert f['audit/time_split'].attrs['dynamics'] == 0.25\n",
                   path("a.h5")),
            0);
}

// A process that dies without closing anything: what was flushed must be readable, and an earlier result still there.
TEST_F(ResultFiles, Hdf5KeepsTheRowsOfAKilledRun) {
  if (h5py_is_missing()) GTEST_SKIP() << "/usr/bin/python3 has no h5py (Debian package python3-h5py)";
  const std::string file = path("a.h5");
  std::ofstream(file) << "precious";
  EXPECT_EXIT(
      {
        const auto sink = hdf5_sink(file);
        sink->begin(model, {"t"});
        write(*sink, {0.0});
        for (int i = 1; i < 4; ++i) {
          usleep(520000);
          write(*sink, {0.1 * i});
        }
        _exit(7);
      },
      ::testing::ExitedWithCode(7), "");
  EXPECT_EQ(python("assert f['time series/data'].shape == (4, 1)\nassert 'audit' not in f\n", file + ".partial"), 0);
  EXPECT_EQ(text_of(file), "precious");
  // The next run takes over.
  const auto sink = hdf5_sink(file);
  sink->begin(model, {"t"});
  write(*sink, {0.0});
  sink->finish({}, "complete");
  EXPECT_EQ(python("assert f['time series/data'].shape == (1, 1)\n", file), 0);
  EXPECT_FALSE(fs::exists(file + ".partial"));
}

}  // namespace
}  // namespace lithe

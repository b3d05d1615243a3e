// lithe identify: the records of examples/identification come from closed forms (tests/oracles/strip_records.py).

#include <gtest/gtest.h>

#include <cmath>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

const std::string strip = example("identification/strip"), study = example("identification/study");

std::string record_file(const std::string& name) {
  return source_folder() + "/examples/identification/" + name + ".csv";
}

nlohmann::json entry(const nlohmann::json& answer, const std::string& parameter) {
  for (const auto& each : answer["parameters"])
    if (each["name"] == parameter) return each;
  return nullptr;
}

// The truth: EI = 0.35, damping = 0.008; one percent of noise. Acceptance: EI within 0.5 percent, damping within 5.
TEST(Identify, FindsStiffnessAndDampingFromOneRecord) {
  const Answer answer = lithe({"identify", strip, "--record", record_file("light"), "--columns", "tip=pos.strip.tip.y",
                               "--parameters", "EI,damping", "--json"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const nlohmann::json found = answer.json();
  EXPECT_NEAR(entry(found, "EI")["value"].get<double>() / 0.35, 1.0, 0.005);
  EXPECT_NEAR(entry(found, "damping")["value"].get<double>() / 0.008, 1.0, 0.05);
  EXPECT_EQ(found["measurements"][0]["samples"], 401);
  EXPECT_TRUE(found["converged"]);
}

TEST(Identify, FindsThePayloadFromSeveralRecordsAndPredictsAnother) {
  const Folder folder;
  const std::string output = folder.file("found.txt"), figure = folder.file("residuals.svg");
  const Answer answer = lithe({"identify", study, "--json", "-o", output, "--figure", figure});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const nlohmann::json found = answer.json();
  const std::pair<const char*, double> truth[] = {{"EI", 0.35}, {"damping", 0.008}, {"payload", 0.03}};
  for (const auto& [name, value] : truth) {
    const double deviation = entry(found, name)["deviation"];
    EXPECT_NEAR(entry(found, name)["value"].get<double>(), value, 4 * deviation) << name;
    EXPECT_LT(deviation, 0.02 * value) << name;
  }
  // Held back, pushed harder: what is left of it is its noise, one percent of the peak; 401 samples, deviation 3.5 percent.
  const nlohmann::json harder = found["measurements"][3];
  EXPECT_EQ(harder["experiment"], "harder");
  EXPECT_TRUE(harder["held_back"]);
  EXPECT_GT(harder["explained"].get<double>(), 0.97);

  const std::string drawn = read_text(figure);
  EXPECT_NE(drawn.find("harder, tip"), std::string::npos);
  EXPECT_NE(drawn.find("residual, held back"), std::string::npos);
  // What was written is what other verbs read.
  const Answer used = lithe({"check", strip, "--set", "@" + output, "--json"});
  ASSERT_EQ(used.exit_code, 0) << used.err;
  EXPECT_NE(read_text(output).find("EI=0.3"), std::string::npos);
}

// Of a strip that only moves under a force of unknown size, stiffness and mass are known by their ratios to it.
TEST(Identify, RefusesToNameWhatTheRecordCannotTell) {
  const Folder folder;
  const std::string output = folder.file("found.txt");
  const Answer answer = lithe({"identify", strip, "--record", record_file("light"), "--columns", "tip=pos.strip.tip.y",
                               "--parameters", "EI,damping,mass,push", "-o", output});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(answer.err.find("lithe: error: the records cannot tell "), std::string::npos) << answer.err;
  for (const char* name : {"'EI'", "'mass'", "'push'"}) EXPECT_NE(answer.err.find(name), std::string::npos) << name;
  EXPECT_EQ(answer.err.find("'damping'"), std::string::npos) << answer.err;
  EXPECT_NE(answer.out.find("not determined"), std::string::npos);
  // What is known is kept, and nothing else.
  const std::string kept = read_text(output);
  EXPECT_NE(kept.find("\ndamping=0.00"), std::string::npos) << kept;
  EXPECT_EQ(kept.find("\nEI="), std::string::npos);
  EXPECT_NE(kept.find("# EI is not determined by the records"), std::string::npos);
}

struct Complaint {
  std::vector<std::string> arguments;
  std::string message;
};

TEST(Identify, ComplainsAboutTheCommandLine) {
  const std::string record = record_file("light");
  const Complaint complaints[] = {
      {{strip, "--record", record},
       "--record needs --parameters: the names of what is sought, e.g. --parameters EI,damping"},
      {{study, "--parameters", "EI"},
       "--parameters, --columns, --run and --set belong to --record; without it they stand in the identification file"},
      {{strip},
       strip + ": is a model file; an identification needs a record, too: --record FILE.csv --parameters NAME,..."},
      {{strip, "--record", record, "--parameters", "dampnig", "--columns", "tip=pos.strip.tip.y"},
       "--parameters: parameters[0]: no model of the experiments has a free parameter 'dampnig'; did you mean "
       "'damping'?"},
      {{strip, "--record", record, "--parameters", "EI", "--columns", "tipp=pos.strip.tip.y"},
       "--columns: experiments.light.columns.tipp: the record has no column 'tipp'; did you mean 'tip'?"},
      {{strip, "--record", record, "--parameters", "EI", "--columns", "tip"},
       "--columns tip: expected COLUMN=QUANTITY, e.g. --columns tip=pos.arm.tip.y"},
      {{strip, "--record", record, "--parameters", "EI"},
       "--record: experiments.light.record: no column of the record is named like a recorded quantity; say by "
       "'columns' what "
       "they are, e.g. columns: {tip: pos.arm.tip.y}"},
      {{strip, "--record", record, "--parameters", "EI", "--columns", "tip=pos.strip.top.y"},
       "experiment 'light': a run of the model has no quantity 'pos.strip.top.y'; did you mean 'pos.strip.tip.y'?; "
       "names are "
       "those of the columns of results"},
      {{strip, "--record", "none.csv", "--parameters", "EI"},
       "--record: experiments.none.record: the table none.csv cannot be read: there is no such file"},
  };
  for (const Complaint& complaint : complaints) {
    std::vector<std::string> arguments{"identify"};
    arguments.insert(arguments.end(), complaint.arguments.begin(), complaint.arguments.end());
    const Answer answer = lithe(arguments);
    EXPECT_EQ(answer.exit_code, 2);
    EXPECT_EQ(answer.err, "lithe: error: " + complaint.message + "\n");
  }
}

TEST(Identify, ComplainsAboutTheFileWithItsLines) {
  const Folder folder;
  const std::string path = folder.file("study.yaml"), record = folder.file("data.csv");
  write_text(record, "t,q.a\n0,1\n0.1,2\n");
  const auto complaint = [&](const std::string& text) {
    write_text(path, text);
    const Answer answer = lithe({"identify", path});
    EXPECT_EQ(answer.exit_code, 2);
    return answer.err;
  };
  EXPECT_EQ(complaint("lithe: 1\nparameters: [EI]\nexperiments:\n  one: {modle: a.yaml, record: data.csv}\n"),
            "lithe: error: " + path +
                ":4:9: experiments.one.modle: an experiment has no key 'modle'; did you mean 'model'?\n");
  write_text(record, "t,tip\n0,1\n0.1,x\n");
  EXPECT_EQ(
      complaint("lithe: 1\nparameters: [EI]\nexperiments:\n  one: {model: a.yaml, record: data.csv, columns: {tip: "
                "pos.strip.tip.y}}\n"),
      "lithe: error: " + record + ":3:5: tip: expected a finite number, but this is 'x'\n");
  write_text(record, "t,tip\n0,1\n0.1,2\n");
  EXPECT_EQ(
      complaint("lithe: 1\nparameters: [EI]\nexperiments:\n  one: {model: a.yaml, record: data.csv, columns: {tip: "
                "pos.strip.tip.y}}\n"),
      "lithe: error: " + path + ":4:16: experiments.one.model: the model " + folder.file("a.yaml") +
          " cannot be read: there is no such file\n");
  EXPECT_EQ(
      complaint("lithe: 1\nparameters: {EI: {start: 1, lower: 2, upper: 3}}\nexperiments:\n  one: {model: " + strip +
                ", record: data.csv, columns: {tip: pos.strip.tip.y}}\n"),
      "lithe: error: " + path + ":2:19: parameters.EI.start: starts at 1, which must lie between its bounds 2 and 3\n");
  EXPECT_EQ(complaint("lithe: 1\nparameters: [EI]\nexperiments:\n  one: {model: " + strip +
                      ", record: data.csv, columns: {tip: pos.strip.tip.y}, held-back: true}\n"),
            "lithe: error: " + path +
                ":3:1: experiments: all experiments are held back: none is left to find the parameters "
                "from\n");
}

TEST(Identify, SchemaOfTheFileFitsTheExample) {
  const Answer answer = lithe({"schema", "--identification"});
  ASSERT_EQ(answer.exit_code, 0);
  const nlohmann::json schema = answer.json();
  EXPECT_EQ(schema["title"], "Lithe identification file");
  EXPECT_TRUE(schema["$defs"].contains("measured-column"));
  EXPECT_FALSE(schema["$defs"].contains("link"));
}

}  // namespace
}  // namespace lithe::testing

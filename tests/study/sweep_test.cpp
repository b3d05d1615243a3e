#include "lithe/study/sweep.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>

#include "formula_study.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/variant_models.hpp"
#include "support/source_folder.hpp"

namespace lithe {
namespace {

using testing::formula_study;
using testing::uniform_axis;

std::string five_bar() { return source_folder() + "/tests/data/robots/elastic-five-bar.yaml"; }

/// Stiffness of the right crank and gain of the left drive of the elastic five-bar, and something of everything.
Study five_bar_study() {
  Study study;
  study.axes = {uniform_axis("links.crank-2.beam.EI", 30, 50), uniform_axis("drives.motor-1.kp", 40, 80)};
  study.sample.method = SampleMethod::sobol;
  study.sample.count = 8;
  const auto add = [&](const char* name, OutputKind kind, const char* of, int number = 1) {
    Output output;
    output.name = name;
    output.kind = kind;
    output.of = of;
    output.number = number;
    study.outputs.push_back(output);
  };
  add("torque", OutputKind::peak, "tau.motor-1");
  add("first", OutputKind::frequency, "", 1);
  add("third", OutputKind::frequency, "", 3);
  add("sag", OutputKind::deflection, "rod-1/tip");
  add("mass", OutputKind::mass, "all");
  add("ratio", OutputKind::expression, "torque / mass");
  return study;
}

const std::map<std::string, std::string> short_run{{"links.*.modes.count", "1"},
                                                   {"drives.motor-1.follow.cycloid.in", "0.05"}};

StudyTable swept(const Study& study, const VariantModels& models, int threads) {
  const Samples samples(study.axes, study.sample);
  const StudyEvaluator evaluator(study, [&](const std::vector<double>& values) { return models.at(values); });
  StudyTable table(study, samples);
  SweepControl control;
  control.threads = threads;
  control.finished = [&](long row, const Variant& variant) { table.put(row, variant); };
  EXPECT_TRUE(run_variants(evaluator, samples, table.missing(), control));
  return table;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(Sweep, GivesTheSameBitsForAnyNumberOfThreads) {
  const Study study = five_bar_study();
  const VariantModels models(five_bar(), short_run, {study.axes[0].name, study.axes[1].name});
  const StudyTable one = swept(study, models, 1), three = swept(study, models, 3);
  EXPECT_EQ(one.failed(), 0) << one.errors[0];
  EXPECT_TRUE(same_bits(one.results, three.results));
  EXPECT_TRUE(same_bits(one.values, three.values));
}

TEST(Sweep, GivesTheNumbersOfSingleRuns) {
  // Models that are read whole, one by one, are the other way to the same numbers: no link is taken from a store.
  const Study study = five_bar_study();
  const VariantModels models(five_bar(), short_run, {study.axes[0].name, study.axes[1].name});
  const StudyTable table = swept(study, models, 2);
  const StudyEvaluator whole(study, [&](const std::vector<double>& values) {
    std::map<std::string, std::string> set = short_run;
    for (std::size_t a = 0; a < values.size(); ++a) {
      char text[40];
      std::snprintf(text, sizeof text, "%.17g", values[a]);
      set[study.axes[a].name] = text;
    }
    return load_model(five_bar(), set);
  });
  for (const long row : {0, 5}) {
    const auto values = table.values_of(row);
    const Variant alone = whole.evaluate({values.begin(), values.end()});
    EXPECT_EQ(alone.error, "");
    const auto results = table.results_of(row);
    EXPECT_TRUE(same_bits(alone.outputs, {results.begin(), results.end()})) << row;
  }
}

TEST(Sweep, AVariantThatFailsIsRecordedAndStopsNothing) {
  Study study = five_bar_study();
  study.outputs.resize(1);
  study.axes = {uniform_axis("links.crank-2.beam.length", -0.2, 0.3)};
  study.sample.count = 4;
  const VariantModels models(five_bar(), short_run, {study.axes[0].name});
  const StudyTable table = swept(study, models, 2);
  EXPECT_EQ(table.computed(), 4);
  EXPECT_GT(table.failed(), 0);
  EXPECT_LT(table.failed(), 4);
  for (long k = 0; k < 4; ++k) {
    EXPECT_EQ(table.errors[k].empty(), table.values_of(k)[0] > 0) << table.errors[k];
    EXPECT_EQ(std::isnan(table.results_of(k)[0]), table.values_of(k)[0] < 0);
  }
}

TEST(Sweep, NamesAnOutputThatTheModelDoesNotHave) {
  Study study = five_bar_study();
  const VariantModels models(five_bar(), short_run, {study.axes[0].name, study.axes[1].name});
  const auto complaint = [&](const Output& output) {
    study.outputs = {output};
    const StudyEvaluator evaluator(study, [&](const std::vector<double>& values) { return models.at(values); });
    try {
      evaluator.first({40, 60});
    } catch (const OutputError& error) {
      return error.element() + ": " + error.what();
    }
    return std::string();
  };
  Output output;
  output.name = "load";
  output.kind = OutputKind::peak;
  output.of = "tau.motor1";
  EXPECT_EQ(complaint(output),
            "load: a run of the model has no column 'tau.motor1'; did you mean 'tau.motor-1'?; names are those of the "
            "columns of results");
  output.of = "tau.motor-1";
  output.from = "late + 1";
  EXPECT_THROW(complaint(output), OutputError);  // before any run
  output.from.clear();
  output.kind = OutputKind::frequency;
  output.number = 99;
  EXPECT_EQ(complaint(output), "load: the mechanism has 6 natural modes, but mode 99 is asked for");
  output.kind = OutputKind::mass;
  output.of = "crank1";
  EXPECT_EQ(complaint(output), "load: the model has no link 'crank1'; did you mean 'crank-1'?");
  EXPECT_THROW(StudyEvaluator(formula_study({uniform_axis("a", 0, 1)}, {{"y", "b + 1"}}), {}), OutputError);
}

/// A run with two rows of everything: one output of each kind that an expression can stand in.
TEST(Sweep, OutputsMayBeExpressionsOfColumnsAndWindowsOfAxes) {
  Study study = five_bar_study();
  study.axes = {uniform_axis("lasts", 0.02, 0.06)};
  study.sample.count = 2;
  study.outputs.clear();
  const auto add = [&](const char* name, OutputKind kind, const char* of, const char* from, const char* until) {
    Output output;
    output.name = name;
    output.kind = kind;
    output.of = of;
    output.from = from;
    output.until = until;
    study.outputs.push_back(output);
  };
  // Closed forms: time itself is a column, and x - x is nothing.
  add("begin", OutputKind::minimum, "t", "lasts", "");
  add("end", OutputKind::maximum, "2*t + 1", "", "2*lasts");
  add("square", OutputKind::integral, "t*lasts", "0", "lasts");
  add("nothing", OutputKind::peak, "abs(pos.rod-1.tip.x - pos.rod-1.tip.x) + 3", "", "");
  const StudyEvaluator evaluator(study, [&](const std::vector<double>&) {
    Model model = load_model(five_bar(), short_run);
    model.run.until = 0.1;
    model.run.every = 0.01;
    return model;
  });
  for (const double lasts : {0.02, 0.05}) {
    const Variant variant = evaluator.evaluate({lasts});
    ASSERT_EQ(variant.error, "");
    EXPECT_NEAR(variant.outputs[0], lasts, 1e-12);
    EXPECT_NEAR(variant.outputs[1], 4 * lasts + 1, 1e-12);
    EXPECT_NEAR(variant.outputs[2], lasts * lasts * lasts / 2, 1e-12);
    EXPECT_EQ(variant.outputs[3], 3);
  }
}

TEST(Sweep, EndsWhenItIsStopped) {
  const Study study = formula_study({uniform_axis("a", 0, 1)}, {{"y", "a"}});
  SampleOptions sample;
  sample.method = SampleMethod::random;
  sample.count = 1000;
  const Samples samples(study.axes, sample);
  const StudyEvaluator evaluator(study, {});
  std::atomic<bool> stop = false;
  long done = 0;
  SweepControl control;
  control.threads = 2;
  control.stop = &stop;
  control.finished = [&](long, const Variant&) { stop = ++done >= 10; };
  std::vector<long> rows(1000);
  for (long k = 0; k < 1000; ++k) rows[k] = k;
  EXPECT_FALSE(run_variants(evaluator, samples, rows, control));
  EXPECT_LT(done, 100);
}

}  // namespace
}  // namespace lithe

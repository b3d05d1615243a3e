#include "lithe/io/load_study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/source_folder.hpp"

namespace lithe {
namespace {

/// The complaints about a study file called s.yaml.
std::string study_complaints(const std::string& text) {
  try {
    load_study_text(text, "s.yaml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(LoadStudy, ReadsEveryKey) {
  const StudyFile file = load_study(source_folder() + "/tests/io/accepted-studies/every-key.yaml");
  const Study& study = file.study;
  EXPECT_EQ(study.name, "everything");
  EXPECT_TRUE(file.model.ends_with("accepted-studies/../../data/robots/elastic-five-bar.yaml")) << file.model;
  EXPECT_EQ(file.set.at("run.tolerance"), "1e-3");
  ASSERT_EQ(study.axes.size(), 9U);
  EXPECT_EQ(study.axes[0].spread.values, (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(study.axes[1].spread.values, (std::vector<double>{10, 20, 30}));
  EXPECT_NEAR(study.axes[2].spread.values[1], 10, 1e-12);  // the middle of 1 and 100 by factors
  EXPECT_EQ(study.axes[4].spread.kind, Distribution::Kind::log_uniform);
  EXPECT_EQ(study.axes[5].spread.low, 1);
  EXPECT_EQ(study.axes[7].spread.c, 3);
  EXPECT_EQ(study.sample.method, SampleMethod::latin_hypercube);
  EXPECT_EQ(study.sample.count, 20);
  EXPECT_EQ(study.sample.seed, 3U);
  ASSERT_EQ(study.sample.correlations.size(), 1U);
  EXPECT_EQ(study.run, StudyRun::inverse);
  EXPECT_EQ(study.at, 0.2);
  EXPECT_EQ(study.outputs.size(), 29U);
  EXPECT_EQ(study.outputs[9].band, 0.001);
  EXPECT_EQ(study.outputs[9].from, "0.3");
  EXPECT_EQ(study.outputs[17].what, "rms_torque");
  EXPECT_EQ(study.outputs[19].number, 2);
  EXPECT_EQ(study.outputs[21].direction, 1);
  EXPECT_EQ(study.outputs[26].what, "max");
  EXPECT_EQ(study.outputs[27].above, 0.2);
  EXPECT_EQ(study.outputs[27].below, 0.9);
  ASSERT_TRUE(study.map);
  EXPECT_EQ(study.map->axes[1].coordinate, "pos.rod-1.tip.y");
  EXPECT_EQ(study.map->axes[1].count, 4);
  EXPECT_EQ(study.map->frame, "rod-1/tip");
  EXPECT_EQ(study.map->modes, 2);
  EXPECT_EQ(study.map->payload, 0.5);
  EXPECT_EQ(study.map->acceleration, 20);
  EXPECT_EQ(study.constraints[0].least, -1);
  EXPECT_EQ(study.objectives.size(), 2U);
  EXPECT_TRUE(study.objectives[1].maximize);
  EXPECT_EQ(file.optimize.method, OptimizeMethod::slsqp);
  EXPECT_EQ(file.optimize.starts, 2);
  EXPECT_EQ(file.optimize.evaluations, 50);
  EXPECT_EQ(file.optimize.points, 5);
}

TEST(LoadStudy, ComplainsWithPlaceAndRemedy) {
  const std::string head = "study: 1\naxes: {a: {uniform: [0, 1]}}\n";
  EXPECT_EQ(study_complaints("study: 2\naxes: {a: {uniform: [0, 1]}}\noutputs: {y: {expression: a}}"),
            "s.yaml:1:8: study: this program reads version 1 of the study file, but this is 2");
  EXPECT_EQ(study_complaints("study: 1\naxes: {a: {uniform: [1, 0]}}\noutputs: {y: {expression: a}}"),
            "s.yaml:2:8: axes.a: the first end must be below the second one");
  EXPECT_EQ(study_complaints(head + "outputs: {y: {peak: q.motor}}"),
            "s.yaml:1:1: outputs are taken from a model, but there is none: say 'model: FILE'");
  EXPECT_EQ(
      study_complaints(head + "model: m.yaml\noutputs: {y: {settling-time: q.motor}}"),
      "s.yaml:4:11: outputs.y: settling-time needs 'band': how near to its last value, in the unit of the column");
  EXPECT_EQ(study_complaints(head + "outputs: {y: {expression: a, band: 1}}"),
            "s.yaml:3:30: outputs.y.band: belongs to settling-time");
  EXPECT_EQ(study_complaints(head + "outputs: {y: {expression: a}}\nconstraints: {z: {max: 1}}"),
            "s.yaml:4:15: constraints.z: there is no output 'z'; known: y");
  EXPECT_EQ(study_complaints(head + "outputs: {y: {expression: a}}\nconstraints: {y: {min: 2, max: 1}}"),
            "s.yaml:4:15: constraints.y: 'min' is above 'max': no variant can keep both");
  EXPECT_EQ(study_complaints("study: 1\naxes: {a: {steps: {from: 0, to: 1, count: 3, spacing: log}}}\noutputs: {y: "
                             "{expression: a}}"),
            "s.yaml:2:55: axes.a.steps.spacing: equal factors need two ends of the same sign, none of them zero");
  EXPECT_EQ(
      study_complaints("lithe: 1\nname: arm"),
      "s.yaml:1:1: this is a model file, not a study; a study names it with 'model:', and 'lithe simulate' runs it");
  EXPECT_EQ(study_complaints(head + "model: m.yaml\noutputs: {y: {frequency: 99999999999}}"),
            "s.yaml:4:26: outputs.y.frequency: expected a mode from 1 to 100000, but this is 99999999999");
  EXPECT_EQ(study_complaints("[1]"), "s.yaml:1:1: a study file starts with 'study: 1', but this is a list");
}

TEST(LoadStudy, RefusesNamesThatExpressionsTakeForSomethingElse) {
  EXPECT_EQ(study_complaints("study: 1\naxes: {e: {uniform: [0, 1]}}\noutputs: {y: {expression: e}}"),
            "s.yaml:2:8: axes.e: 'e' is a built-in constant in expressions; take another name");
  EXPECT_EQ(study_complaints("study: 1\naxes: {a: {uniform: [0, 1]}}\noutputs: {t: {expression: a}}"),
            "s.yaml:3:11: outputs.t: 't' is the time in expressions; take another name");
  EXPECT_EQ(study_complaints("study: 1\naxes: {a: {uniform: [0, 1]}}\noutputs: {a: {expression: 2*a}}"),
            "s.yaml:3:11: outputs.a: an axis has this name already; give the output another one");
  EXPECT_EQ(
      study_complaints("study: 1\nmodel: m.yaml\nset: {a: 1}\naxes: {a: {uniform: [0, 1]}}\noutputs: {y: {mass: all}}"),
      "s.yaml:4:8: axes.a: stands under 'set', too, as the same for all variants; take it out there");
  // A path is no name of expressions, and takes none away.
  EXPECT_EQ(study_complaints("study: 1\naxes: {run.e: {uniform: [0, 1]}}\noutputs: {y: {expression: e}}"), "");
}

TEST(LoadStudy, ReadsEveryKeyOfAMove) {
  const StudyFile file = load_study(source_folder() + "/tests/io/accepted-studies/every-key-of-a-move.yaml");
  ASSERT_TRUE(file.move);
  const MoveProblem& move = *file.move;
  ASSERT_EQ(move.motors.size(), 2U);
  EXPECT_NEAR(*move.motors[0].from, 2 * std::numbers::pi / 3, 1e-12);
  EXPECT_NEAR(move.motors[0].to, std::numbers::pi * 5 / 9, 1e-12);
  EXPECT_EQ(move.motors[0].force, 3);
  EXPECT_EQ(move.motors[0].speed, 4);
  EXPECT_EQ(move.motors[0].acceleration, 100);
  EXPECT_FALSE(move.motors[1].from);
  EXPECT_EQ(move.motors[1].force, 3);
  ASSERT_EQ(move.quiet.size(), 1U);
  EXPECT_EQ(move.quiet[0].frame, "rod-1/tip");
  EXPECT_EQ(move.quiet[0].most, 1e-3);
  EXPECT_EQ(move.start, 0.4);
  EXPECT_EQ(move.watch, 0.2);
  EXPECT_EQ(move.pieces, 8);
  EXPECT_EQ(file.optimize.starts, 2);
}

TEST(LoadStudy, TellsWhatIsWrongWithAMove) {
  const std::string head = "study: 1\nmodel: m.yaml\n";
  EXPECT_EQ(study_complaints(head + "move: {motors: {m: {to: 1, torque: 2}}}\nobjectives: {}"),
            "s.yaml:4:1: objectives: has no place beside 'move', whose duration is the objective of a simulation");
  EXPECT_EQ(study_complaints("study: 1\nmove: {motors: {m: {to: 1, torque: 2}}}"),
            "s.yaml:2:1: move: a move needs a model that makes it: say 'model: FILE'");
  EXPECT_EQ(
      study_complaints(head + "move: {motors: {m: {to: 1}}}"),
      "s.yaml:3:8: move.motors: without a limit of 'torque', 'speed' or 'acceleration' a move may be as fast as one "
      "likes");
  EXPECT_EQ(study_complaints(head + "move: {motors: {m: {to: 1, torque: 2, force: 2}}}"),
            "s.yaml:3:39: move.motors.m.force: 'torque' and 'force' are two words for one thing; keep one");
  EXPECT_EQ(study_complaints(head + "move: {motors: {m: {to: 1, torque: 2}}, pieces: 3}"),
            "s.yaml:3:49: move.pieces: expected 4 to 60 pieces, but this is 3");
  EXPECT_EQ(study_complaints(head + "move: {motors: {m: {to: 1, torque: 2}}}\noptimize: {method: cobyla}"),
            "s.yaml:4:12: optimize.method: a move is searched for by sequential convex programming, one objective");
  EXPECT_EQ(study_complaints("study: 1\naxes: {a: {uniform: [0, 1]}}"), "s.yaml:1:1: a study file needs 'outputs'");
}

TEST(LoadStudy, TellsWhatIsWrongWithAMap) {
  const std::string head = "study: 1\nmodel: m.yaml\naxes: {a: {uniform: [0, 1]}}\n";
  const std::string grid = "map: {over: {q.a: {from: 0, to: 1, count: 3}, q.b: {from: 0, to: 1, count: 3}}}\n";
  const auto told = [&](const std::string& output) {
    return study_complaints(head + grid + "outputs: {y: " + output + "}");
  };
  EXPECT_EQ(told("{map: reached}"), "");
  EXPECT_EQ(told("{map: frequency.1, take: share, above: 3}"), "");
  EXPECT_EQ(study_complaints(head + "outputs: {y: {map: reached}}"),
            "s.yaml:4:11: outputs.y: the study has no map: say 'map: {over: {COORDINATE: {from: A, to: B, count: N}, "
            "...}}'");
  EXPECT_EQ(
      told("{map: sag}"),
      "s.yaml:5:11: outputs.y: a column of a map needs 'take': what becomes of its points; max, min, mean or share");
  EXPECT_EQ(
      told("{map: reached, take: max}"),
      "s.yaml:5:29: outputs.y.take: 'reached' is a number already: the part of the grid's points that are reached");
  EXPECT_EQ(told("{map: complience, take: max}"),
            "s.yaml:5:20: outputs.y.map: a map has no column 'complience'; did you mean 'compliance'?");
  EXPECT_EQ(told("{map: sag, take: share}"),
            "s.yaml:5:11: outputs.y: a share needs 'above' or 'below': which values count");
  EXPECT_EQ(told("{map: sag, take: max, above: 1}"), "s.yaml:5:36: outputs.y.above: belongs to 'take: share'");
  EXPECT_EQ(told("{map: sag, take: share, above: 2, below: 1}"),
            "s.yaml:5:11: outputs.y: 'above' is beyond 'below': no value is both");
  EXPECT_EQ(told("{mass: all, take: max}"), "s.yaml:5:26: outputs.y.take: belongs to a column of a map");
  EXPECT_EQ(study_complaints(head + "map: {over: {q.a: {from: 1, to: 0, count: 1}}}\noutputs: {y: {map: reached}}"),
            "s.yaml:4:7: map.over: a map has two or three coordinates; here are 1\n"
            "s.yaml:4:14: map.over.q.a: goes from 1 to 0; the second must be larger\n"
            "s.yaml:4:43: map.over.q.a.count: expected 2 to 10000 points, but this is 1");
}

TEST(LoadStudy, SuggestsTheKeyThatWasMeant) {
  const std::string complaint =
      study_complaints("study: 1\naxes: {a: {unifrom: [0, 1]}}\noutputs: {y: {expression: a}}");
  EXPECT_NE(complaint.find("did you mean 'uniform'?"), std::string::npos) << complaint;
}

}  // namespace
}  // namespace lithe

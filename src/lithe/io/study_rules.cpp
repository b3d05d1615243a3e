#include "lithe/io/study_rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lithe/simulation/audit_fields.hpp"
#include "lithe/study/optimize.hpp"
#include "lithe/study/sample.hpp"

namespace lithe::io {
namespace {

std::string method_words() {
  std::vector<std::string> names;
  for (const SampleMethod method : all_sample_methods) names.push_back(name_of(method));
  return fmt::format("word({})", fmt::join(names, ","));
}

std::string optimizer_words() {
  std::vector<std::string> names;
  for (const OptimizeMethod method : all_optimize_methods) names.push_back(name_of(method));
  return fmt::format("word({})", fmt::join(names, ","));
}

std::string motor_words() {
  std::vector<std::string> names;
  for (const MotorDutyField& field : motor_duty_fields) names.emplace_back(field.name);
  return fmt::format("word({})", fmt::join(names, ","));
}

MapRules study_file_rules() {
  return {
      "study-file",
      "a study file",
      "A model, numbers of it that differ between its variants, and what is asked of each.",
      {needed_key("study", "integer", "Version of the study file format: 1."),
       optional_key("name", "text", "What the study is called; default the name of the file."),
       optional_key("description", "text", "Free text."),
       optional_key("model", "text", "Model file, relative to this one; not needed where all outputs are expressions."),
       optional_key("set", "map of text", "Values that replace those of the model in all variants, as --set does."),
       optional_key("axes", "map of study-axis",
                    "What differs: parameters of the model, or values by their path, with how they are spread."),
       optional_key("sample", "study-sample", "Which variants are computed; default a grid."),
       optional_key("run", "word(simulate,inverse,kinematics)",
                    "What outputs of columns are taken from; default simulate."),
       optional_key("at", "number",
                    "Time of the motion laws whose pose modes and statics take, s; default the initial pose."),
       optional_key("map", "study-map",
                    "Grid of poses over which every variant is mapped, as by `lithe map`; for outputs of `map`."),
       optional_key("outputs", "map of study-output", "The numbers that are wanted of every variant."),
       optional_key("constraints", "map of study-limit", "Limits of outputs."),
       optional_key("objectives", "map of word(minimize,maximize)",
                    "Outputs that shall become small or large: one, or two."),
       optional_key("move", "study-move",
                    "The fastest move of the motors from rest to rest, for `lithe optimize`; in place of axes and "
                    "objectives."),
       optional_key("optimize", "study-optimize", "How `lithe optimize` searches.")},
      {"axes", "move"}};
}

std::vector<MapRules> axis_rules() {
  return {
      {"study-axis",
       "an axis",
       "The values of one number.",
       {optional_key("values", "list of number", "These."),
        optional_key("steps", "study-steps", "So many values from one end to the other."),
        optional_key("uniform", "list of number", "[from, to]: all values between are as frequent."),
        optional_key("log-uniform", "list of number", "[from, to]: all factors between are as frequent."),
        optional_key("normal", "study-normal", "Normal distribution."),
        optional_key("lognormal", "study-lognormal", "The logarithm has a normal distribution."),
        optional_key("triangular", "list of number", "[least, most frequent, largest]."),
        optional_key("weibull", "study-weibull", "Weibull distribution."),
        optional_key("low", "number", "A distribution is cut off below this value."),
        optional_key("high", "number", "And above this one.")},
       {"values", "steps", "uniform", "log-uniform", "normal", "lognormal", "triangular", "weibull"}},
      {"study-steps",
       "steps",
       "Values at equal distances.",
       {needed_key("from", "number", "The first value."), needed_key("to", "number", "The last value."),
        needed_key("count", "integer", "How many, from 2."),
        optional_key("spacing", "word(linear,log)", "Equal differences (default) or equal factors.")},
       {}},
      {"study-normal",
       "a normal distribution",
       "Bell curve.",
       {needed_key("mean", "number", "Its middle."), needed_key("deviation", "number", "Its standard deviation.")},
       {}},
      {"study-lognormal",
       "a lognormal distribution",
       "Of positive numbers.",
       {needed_key("median", "number", "Half of the values are smaller."),
        needed_key("deviation", "number", "Standard deviation of the natural logarithm.")},
       {}},
      {"study-weibull",
       "a Weibull distribution",
       "Of positive numbers.",
       {needed_key("scale", "number", "63 percent of the values are smaller."),
        needed_key("shape", "number", "Large: narrow.")},
       {}},
      {"study-sample",
       "a sample",
       "Which variants are computed.",
       {optional_key("method", method_words(),
                     "All combinations of values; draws; a Latin hypercube; Sobol's sequence; what Sobol's "
                     "sensitivity indices need; Morris's trajectories. Default grid."),
        optional_key("count", "integer",
                     "Variants; base points of sobol-indices, which takes count (axes + 2) variants; trajectories of "
                     "morris, which takes count (axes + 1)."),
        optional_key("seed", "integer", "Same seed, same variants; default 1."),
        optional_key("levels", "integer", "Values per axis of morris, an even number; default 4."),
        optional_key("correlations", "list of study-correlation", "Of axes with each other.")},
       {}},
      {"study-correlation",
       "a correlation",
       "Of the normal scores of two axes; for two normal axes their ordinary correlation.",
       {needed_key("between", "list of text", "[axis, axis]"), needed_key("is", "number", "Between -1 and 1.")},
       {}}};
}

MapRules output_rules() {
  MapRules rules{"study-output", "an output", "One number of a variant.", {}, {}};
  const auto add = [&](const char* key, const char* type, const char* description) {
    rules.keys.push_back(optional_key(key, type, description));
    rules.exactly_one.emplace_back(key);
  };
  add("peak", "text",
      "Largest size of a column of the run, or of an expression of t, columns and axes; likewise below.");
  add("max", "text", "Largest value of a column.");
  add("min", "text", "Smallest value of a column.");
  add("final", "text", "Last value of a column.");
  add("mean", "text", "Mean of a column over time.");
  add("rms", "text", "Root mean square of a column over time.");
  add("range", "text", "Largest less smallest value of a column.");
  add("integral", "text", "Of a column over time.");
  add("peak-time", "text", "When the size of a column is largest, s.");
  add("settling-time", "text", "From when on a column stays within `band` of its last value, s after `from`.");
  add("overshoot", "text", "How far a column goes beyond its last value; part of the way from its first to its last.");
  add("residual", "text", "Amplitude of what still vibrates: half the range of a column, from `from` on.");
  add("ringing", "text", "Frequency at which a column crosses its mean, Hz.");
  add("stress", "text", "Largest von Mises stress in a link, Pa; the model records stress.");
  add("safety", "text", "Least ratio of yield stress to stress in a link.");
  add("damage", "text", "Miner's sum of a link over the run.");
  add("bending", "text", "Largest deflection or slope of a link, as in the audit.");
  add("motor", "text", "What a motor does: its joint; `what` says which number.");
  add("audit", "text", "A number of the audit: energy_error, steps, ...");
  add("frequency", "integer", "Natural frequency of this number (1: the lowest) of the mechanism, Hz.");
  add("damping-ratio", "integer", "Damping ratio of the mode of this number.");
  add("deflection", "frame", "How far a frame moves from the pose to the equilibrium there, m.");
  add("compliance", "frame", "How far a frame moves per force, m/N; needs `along`.");
  add("holding", "text", "Force with which a motor holds the equilibrium: its joint.");
  add("map", "text",
      "A column of the map of the study (compliance, frequency.1, dexterity, ...) of which `take` makes one number; "
      "`reached`: the part of the grid's points that are reached.");
  add("mass", "text", "Of a link, kg; `all`: of all links.");
  add("expression", "text", "Of axes and of the outputs above this one.");
  rules.keys.push_back(
      optional_key("from", "text", "Rows of a column count from this time on, s; may be an expression of axes."));
  rules.keys.push_back(optional_key("until", "text", "And up to this one."));
  rules.keys.push_back(optional_key("band", "positive", "Of settling-time, in the unit of the column."));
  rules.keys.push_back(optional_key("what", motor_words(), "Of a motor; default peak_torque."));
  rules.keys.push_back(optional_key("take", "word(max,min,mean,share)",
                                    "Of a map: over its points; share: the part of all points of the grid where the "
                                    "column is within `above` and `below`."));
  rules.keys.push_back(optional_key("above", "number", "Of a share: least value that counts."));
  rules.keys.push_back(optional_key("below", "number", "Of a share: largest value that counts."));
  rules.keys.push_back(
      optional_key("along", "word(x,y,z)", "Ground axis of a deflection (default: its size) or compliance."));
  return rules;
}

std::vector<MapRules> goal_rules() {
  return {
      {"study-limit",
       "a limit",
       "A variant beyond it has failed as a design.",
       {optional_key("min", "number", "Least value of the output."), optional_key("max", "number", "Largest value.")},
       {}},
      {"study-optimize",
       "a search",
       "How the best values of the axes are found, between the ends of the axes.",
       {optional_key(
            "method", optimizer_words(),
            "nelder-mead, cobyla, bobyqa: without slopes; direct: global; slsqp, mma: with slopes, exact ones of "
            "outputs that need no simulation; "
            "default cobyla."),
        optional_key("starts", "integer", "From so many points, the first one in the middle; default 4."),
        optional_key("evaluations", "integer", "Most variants of one start; default 200."),
        optional_key("tolerance", "positive", "Relative change of the axes at which a search ends; default 1e-4."),
        optional_key("points", "integer", "Of the front of two objectives; default 11.")},
       {}}};
}

std::vector<MapRules> map_rules() {
  return {
      {"study-map",
       "a map",
       "What `lithe map` computes of every variant.",
       {needed_key("over", "map of study-map-axis",
                   "Two or three coordinates (pos.LINK.FRAME.x, rot.LINK.FRAME.z, q.JOINT) that span the grid."),
        optional_key("hold", "map of number", "Coordinates that keep a value; others stay as they are at the start."),
        optional_key("frame", "frame", "The tool; default the frame of the axes, else the platform."),
        optional_key("modes", "integer", "Natural frequencies of each kind; default 3."),
        optional_key("payload", "not-negative", "Point mass at the tool, kg; default none."),
        optional_key("acceleration", "not-negative",
                     "Of the tool in the worst direction, for torque, m/s^2; default 10."),
        optional_key("branch", "integer", "Assembly, as `lithe check --branches` numbers them; default 1.")},
       {}},
      {"study-map-axis",
       "a coordinate of a map",
       "One direction of the grid.",
       {needed_key("from", "number", "Where it begins, rad or m."), needed_key("to", "number", "Where it ends."),
        needed_key("count", "integer", "Points, both ends included.")},
       {}}};
}

std::vector<MapRules> move_rules() {
  return {
      {"study-move",
       "a move",
       "Laws of motors that lead from rest to rest in the shortest time.",
       {needed_key("motors", "map of study-motor", "Who moves how far, within which limits."),
        optional_key("vibration", "map of positive",
                     "LINK/FRAME: largest amplitude (half the range) along each ground axis after the move, m."),
        optional_key("start", "positive", "How long a first guess takes, s; default as long as the laws of the model."),
        optional_key("watch", "positive",
                     "How long after the move vibration and forces count, s; default two periods of the lowest mode."),
        optional_key("pieces", "integer",
                     "Of a law, in each of which the acceleration is linear: 4 to 60; default 12.")},
       {}},
      {"study-motor",
       "a motor of a move",
       "Its limits are sizes at the joint.",
       {needed_key("to", "number", "Where it is after the move, rad or m."),
        optional_key("from", "number", "Where it is before, rad or m; default where the model has it at the start."),
        optional_key("torque", "positive", "Largest torque, N m."),
        optional_key("force", "positive", "The same of a joint that slides, N."),
        optional_key("speed", "positive", "Largest speed, rad/s or m/s."),
        optional_key("acceleration", "positive", "Largest acceleration, rad/s^2 or m/s^2.")},
       {}}};
}

}  // namespace

const std::vector<MapRules>& study_rules() {
  static const std::vector<MapRules> all = [] {
    std::vector<MapRules> rules{study_file_rules()};
    for (MapRules& each : axis_rules()) rules.push_back(std::move(each));
    rules.push_back(output_rules());
    for (MapRules& each : goal_rules()) rules.push_back(std::move(each));
    for (MapRules& each : map_rules()) rules.push_back(std::move(each));
    for (MapRules& each : move_rules()) rules.push_back(std::move(each));
    return rules;
  }();
  return all;
}

}  // namespace lithe::io

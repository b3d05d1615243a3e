#pragma once
// Published numbers to be reproduced: one JSON file per source, made of blocks that name a model, what to do with it,
// and the numbers that should come out.
//
//   {"title": "...", "source": "...", "blocks": [
//     {"section": "6.4", "title": "actuator torques", "model": "khan-3rrr.yaml", "set": {"g": "0"},
//      "do": "states" | "kinematics" | "inverse" | "simulate" | "rest" | "time", "run": {"integrator": "rk4", "step": 0.01, ...},
//      "drives": "none", "torques": {"sample": 0.01, "interpolation": "linear"},
//      "coordinates": "joint", "bend": {"*.tip.y": [0.14, 1.4]},          see CaseBlock
//      "headline": "H1", "origin": "printed" | "recomputed", "note": "...",
//      "tolerance": 1e-8, "factor": 2, "at-most": true,
//      "instants": [0, 0.5], "columns": {"tau.motor-1": [1.0, 2.0]},      numbers at instants
//      "at": 1.0, "values": {"power": 27.6, "max tau.motor-1": [46.7, 1e-6]}},
//     {"do": "time", "runs": 100, "other": {"model": "...", "set": {}, "run": {}}},  another model beside it
//     {"do": "link", "link": "boom", "digits": 4,                         numbers of one link
//      "for": ["tip", "root"], "columns": {"shape.1.{}.y": [0.1, 0]}}]}   each word in place of {}
//
// A value may be a pair [value, tolerance]. With `digits`, the tolerance is `units` (default 0.5) of the last of that
// many significant digits, and zero stands for exactly zero. With `factor`, the ratio of ours to the value must lie
// between 1/factor and factor; with `at-most`, ours must not exceed it by more than the factor, with `at-least` not
// fall below. `skip` gives the reason why a block is shown but not compared. `headlines` at the top level lists the
// main claims of the source with our verdict:
//   "headlines": [{"id": "H1", "claim": "...", "verdict": "reproduced"}]; blocks name the one they bear on.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lithe/simulation/run_entries.hpp"

namespace lithe::reproduce {

enum class Verdict { within_tolerance, within_factor, at_most, at_least };

struct ExpectedNumber {
  std::string quantity;
  std::optional<double> t;  ///< instant; none: of the whole run
  double value = 0.0;
  double tolerance = 0.0;  ///< absolute, or the factor
  Verdict rule = Verdict::within_tolerance;
};

/// Replaces exact feed-forward by samples of it.
struct SampledTorques {
  double every = 0.0;
  std::string interpolation;  ///< hold, linear or cubic
};

struct CaseBlock {
  std::string section, title, note, origin, skip;
  std::string headline;  ///< id of the claim that the block bears on; may be empty
  std::string model;     ///< path, resolved
  std::map<std::string, std::string> sets;
  std::string task;  ///< states, kinematics, inverse, simulate, rest, time, link
  std::string link;  ///< whose numbers they are, for the task `link`
  RunOverrides run;
  std::string
      coordinates;  ///< joint or cartesian in place of the model's; with `torques`, which then do not depend on it
  std::map<std::string, std::pair<double, double>> bend;  ///< states: deflections of links and their rates, bending.hpp
  bool without_drives = false;
  int runs = 1;             ///< time: so many
  std::string other_model;  ///< time: of what it is compared with; empty: nothing
  std::map<std::string, std::string> other_sets;
  RunOverrides other_run;  ///< after `run`
  std::optional<SampledTorques> torques;
  std::vector<ExpectedNumber> numbers;
};

/// One of the main claims of a source.
struct Headline {
  std::string id, claim, verdict;
};

struct CaseFile {
  std::string path, title, source;
  std::vector<Headline> headlines;
  std::vector<CaseBlock> blocks;
};

/// Reads a case file; models are looked for in the parent of its folder. Throws CaseError.
CaseFile read_case_file(const std::string& path);

/// Names and titles of the cases in the reference folder.
std::vector<std::pair<std::string, std::string>> list_cases(const std::string& folder);

}  // namespace lithe::reproduce

// lithe compare: every formulation on the same random states.

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "call_time.hpp"
#include "interrupt.hpp"
#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "model_options.hpp"
#include "other_coordinates.hpp"
#include "output_file.hpp"
#include "random_states.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

constexpr double formulation_tolerance = 1e-9;  // relative
constexpr double arithmetic_tolerance = 1e-10;  // relative; rigid links
constexpr double elastic_tolerance = 1e-9;      // the same with elastic links, whose stiffness spreads the numbers

/// What rounding alone may do to an acceleration, per unit of the condition number of the inertia matrix: two solutions
/// that are each right to half an epsilon of their matrix, and as much for the forces.
constexpr double rounding_per_condition = 4 * std::numeric_limits<double>::epsilon();
constexpr double loosest_tolerance = 1e-4;  // beyond it there is nothing left to agree on

/// One line of the answer.
struct Line {
  std::string name;
  std::string reason;         ///< why it cannot be used here; empty: it can
  bool is_exact = true;       ///< counts for the verdict
  double disagreement = 0.0;  ///< largest |a - a_noc| / |a_noc| over the states
  double forces = 0.0;        ///< the same of all joint reactions
  double tolerance = 0.0;
  double microseconds = 0.0;  ///< per call
  bool passed() const { return !reason.empty() || !is_exact || std::max(disagreement, forces) <= tolerance; }
};

double relative_difference(const VectorX& a, const VectorX& reference) {
  const double scale = reference.size() ? reference.cwiseAbs().maxCoeff() : 0.0;
  const double difference = a.size() ? (a - reference).cwiseAbs().maxCoeff() : 0.0;
  return scale > 0 ? difference / scale : difference;
}

/// Reactions of all joints at a state with given accelerations: forces and moments in one vector.
VectorX reactions(const Plan& plan, Workspace& work, const RandomState& drawn, const VectorX& a) {
  const std::vector<Wrench> wrenches = joint_reactions(plan, work, drawn.state, a, drawn.actions);
  VectorX all(6 * std::ssize(wrenches));
  for (std::size_t j = 0; j < wrenches.size(); ++j)
    all.segment<6>(6 * static_cast<Eigen::Index>(j)) << wrenches[j].force, wrenches[j].moment;
  return all;
}

/// What all others are compared with, state by state.
struct Reference {
  std::vector<VectorX> a, forces;
  double condition = 1.0;  ///< of the inertia matrix, the worst of all states
  /// Formulations solve with that matrix in different ways, so their rounding is amplified by its condition number. A
  /// chain of many elastic links has a large one, however exact the formulation.
  double bounded(double tolerance) const {
    return std::clamp(rounding_per_condition * condition, tolerance, loosest_tolerance);
  }
};

/// Condition number of the generalised inertia matrix with unit diagonal: that of the mechanism, not of its units.
double inertia_condition(const Plan& plan, Workspace& work, const VectorX& q) {
  MatrixX G;
  if (!select_independent(plan, work, q) || !generalised_inertia(plan, work, q, G) || G.rows() == 0) return 1.0;
  const VectorX scale = G.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixX scaled = scale.asDiagonal() * G * scale.asDiagonal();
  const VectorX values = Eigen::SelfAdjointEigenSolver<MatrixX>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
  return values[0] > 0.0 ? values[values.size() - 1] / values[0] : std::numeric_limits<double>::infinity();
}

/// Accelerations of all states by one formulation, in one arithmetic.
class Evaluation {
 public:
  Evaluation(const Plan& plan, Arithmetic arithmetic, Formulation formulation)
      : plan_(plan), work_(plan, arithmetic), formulation_(formulation) {}

  Status accelerate(const RandomState& drawn, VectorX& a) {
    if (const Status status = select_independent(plan_, work_, drawn.state.q); !status) return status;
    a.setZero(plan_.nv());
    return forward_dynamics(plan_, work_, drawn.state, drawn.actions, a, {formulation_});
  }

  /// Seconds per call.
  double time(const std::vector<RandomState>& states) {
    VectorX a;
    if (!accelerate(states.front(), a)) return 0.0;
    const std::size_t pool = std::min<std::size_t>(states.size(), 8);
    return seconds_per_call([&](std::size_t k) {
      const RandomState& drawn = states[k % pool];
      forward_dynamics(plan_, work_, drawn.state, drawn.actions, a, {formulation_});
    });
  }

 private:
  const Plan& plan_;
  Workspace work_;
  Formulation formulation_;
};

Line compare_one(const Plan& plan, const std::vector<RandomState>& states, const Reference& reference,
                 Formulation formulation, Arithmetic arithmetic, ProgressBar& bar) {
  Line line;
  line.name = std::string(name_of(formulation));
  line.tolerance = reference.bounded(formulation_tolerance);
  line.is_exact = facts_of(formulation).is_exact;
  line.reason = why_not_applicable(plan, formulation);
  if (!line.reason.empty()) return line;
  Evaluation evaluation(plan, arithmetic, formulation);
  Workspace work(plan);
  VectorX a;
  for (std::size_t k = 0; k < states.size(); ++k) {
    if (stop_requested()) throw PhysicsError("interrupted");
    const Status status = evaluation.accelerate(states[k], a);
    if (status.code == Status::Code::not_applicable || (!status && !line.is_exact)) {
      line.reason = describe(plan, status, states[k].state.t);
      return line;
    }
    line.disagreement = status ? std::max(line.disagreement, relative_difference(a, reference.a[k]))
                               : std::numeric_limits<double>::infinity();
    if (status && line.is_exact)
      line.forces =
          std::max(line.forces, relative_difference(reactions(plan, work, states[k], a), reference.forces[k]));
    bar.show(static_cast<double>(k) / static_cast<double>(states.size()));
  }
  line.microseconds = 1e6 * evaluation.time(states);
  return line;
}

/// Joint coordinates against Cartesian ones. States at which the others do not work do not count.
Line compare_coordinates(const Plan& plan, std::vector<RandomState> states, const Reference& reference) {
  Line line;
  line.tolerance = reference.bounded(formulation_tolerance);
  try {
    OtherCoordinates other(plan);
    line.name = other.name();
    Workspace work(plan);
    Evaluation noc(plan, Arithmetic::automatic, Formulation::noc);
    VectorX expected, a;
    std::size_t compared = 0;
    for (RandomState& drawn : states) {
      // A force on the joint of the platform is no force on a joint of the mechanism.
      if (plan.options().coordinates == Coordinates::cartesian)
        drawn.actions.tau.segment(plan.places().back().v, plan.places().back().nv).setZero();
      if (const Status status = other.accelerate(drawn, a); !status) {
        if (status.code == Status::Code::singular_closure) continue;
        throw PhysicsError(describe(other.plan(), status, drawn.state.t));
      }
      if (const Status status = noc.accelerate(drawn, expected); !status)
        throw PhysicsError(describe(plan, status, drawn.state.t));
      ++compared;
      line.disagreement = std::max(line.disagreement, relative_difference(a, expected));
      line.forces = std::max(
          line.forces, relative_difference(reactions(plan, work, drawn, a), reactions(plan, work, drawn, expected)));
    }
    if (compared == 0) line.reason = "all states are close to a pose at which these coordinates do not work";
  } catch (const MechanismError& error) {
    line.name = "other coordinates";
    line.reason = error.what();
  }
  return line;
}

/// `condition`: that of the inertia matrix, the worst of the states.
std::vector<Line> compare_all(const Plan& plan, const std::vector<RandomState>& states, ProgressBar& bar,
                              double& condition) {
  Evaluation noc(plan, Arithmetic::automatic, Formulation::noc);
  Workspace work(plan);
  Reference reference;
  reference.a.resize(states.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    if (const Status status = noc.accelerate(states[k], reference.a[k]); !status) {
      throw PhysicsError(describe(plan, status, states[k].state.t));
    }
    reference.forces.push_back(reactions(plan, work, states[k], reference.a[k]));
    reference.condition = std::max(reference.condition, inertia_condition(plan, work, states[k].state.q));
  }
  condition = reference.condition;
  std::vector<Line> lines;
  for (const Formulation formulation : all_formulations) {
    bar.relabel(fmt::format("compare {}", name_of(formulation)));
    lines.push_back(compare_one(plan, states, reference, formulation, Arithmetic::automatic, bar));
  }
  if (plan.is_planar()) {
    Line spatial = compare_one(plan, states, reference, Formulation::noc, Arithmetic::spatial, bar);
    spatial.name = "noc, spatial arithmetic";
    spatial.tolerance = reference.bounded(plan.is_elastic() ? elastic_tolerance : arithmetic_tolerance);
    lines.push_back(std::move(spatial));
  }
  if (!plan.options().platform.empty()) lines.push_back(compare_coordinates(plan, states, reference));
  return lines;
}

void print(const Model& model, const Plan& plan, std::size_t states, unsigned seed, const std::vector<Line>& lines) {
  fmt::print("compare: {}, {} random assembled states (seed {}), {} arithmetic\n\n", bold(model.name), states, seed,
             plan.is_planar() ? "planar" : "spatial");
  Table table({"formulation", "accelerations", "reactions", "tolerance", "us per call", "verdict"}, "lrrrrl");
  for (const Line& line : lines) {
    if (!line.reason.empty()) {
      table.add({line.name, "-", "-", "-", "-", dim("not applicable: " + line.reason)});
      continue;
    }
    const std::string verdict =
        !line.is_exact ? dim("approximate by nature") : (line.passed() ? good("agrees") : bad("DISAGREES"));
    const bool is_reference = line.name == "noc";
    table.add({line.name, is_reference ? "reference" : number(line.disagreement, 2),
               is_reference ? "reference" : (line.is_exact ? number(line.forces, 2) : "-"),
               line.is_exact ? number(line.tolerance, 2) : "-",
               line.microseconds > 0 ? fmt::format("{:.2f}", line.microseconds) : "-", verdict});
  }
  table.print();
}

nlohmann::json to_json(const Line& line) {
  nlohmann::json answer = {{"name", line.name}, {"applicable", line.reason.empty()}, {"exact", line.is_exact}};
  if (!line.reason.empty()) {
    answer["reason"] = line.reason;
    return answer;
  }
  answer["disagreement"] = line.disagreement;
  if (line.is_exact) answer["reactions"] = line.forces;
  answer["microseconds"] = line.microseconds;
  if (line.is_exact) answer["tolerance"] = line.tolerance;
  answer["passed"] = line.passed();
  return answer;
}

}  // namespace

int compare(const StatesOptions& options) {
  const Model model = load(options.model);
  Prepared prepared = prepare(model);
  if (prepared.work.independent().empty()) return nothing_can_move("compare", model, options.model.json);
  const std::vector<RandomState> states = random_states(model, prepared, options.states, options.seed);
  std::vector<Line> lines;
  double condition = 1.0;
  {
    ProgressBar bar("compare");
    lines = compare_all(prepared.plan, states, bar, condition);
  }
  const bool passed = std::all_of(lines.begin(), lines.end(), [](const Line& line) { return line.passed(); });
  if (options.model.json) {
    nlohmann::json answer = {{"ok", passed},
                             {"exit", passed ? fine : physics_failed},
                             {"verb", "compare"},
                             {"model", model.name},
                             {"states", states.size()},
                             {"seed", options.seed},
                             {"planar", prepared.plan.is_planar()},
                             {"condition", condition}};
    answer["formulations"] = nlohmann::json::array();
    for (const Line& line : lines) answer["formulations"].push_back(to_json(line));
    print_json(answer);
  } else {
    print(model, prepared.plan, states.size(), options.seed, lines);
    if (rounding_per_condition * condition > arithmetic_tolerance)
      fmt::print("  {}\n", dim(fmt::format("tolerances follow the condition number {} of the inertia matrix: rounding "
                                           "alone may differ by that much",
                                           number(condition, 2))));
  }
  if (!passed) complain("the formulations disagree beyond their tolerance");
  return passed ? fine : physics_failed;
}

}  // namespace lithe::cli

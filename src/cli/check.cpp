// lithe check: what a mechanism is made of and how it can move.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "assembled_pose.hpp"
#include "lithe/io/load_study.hpp"
#include "mechanism_description.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "remarks.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

/// Everything the verb finds out, gathered first and then printed or written as JSON.
struct Findings {
  Mobility mobility;
  Singularity singularity;
  AssemblyReport assembly;
  std::vector<std::string> independent, redundant;
  std::string actuation;
  std::vector<VectorX> branches;
};

std::string actuation_of(const Mobility& mobility) {
  if (mobility.actuators == 0) return "none: the mechanism moves freely";
  const std::string motors = fmt::format("{} {}", mobility.actuators, mobility.actuators == 1 ? "motor" : "motors");
  const std::string freedoms =
      fmt::format("{} {} of freedom", mobility.mobility, mobility.mobility == 1 ? "degree" : "degrees");
  if (mobility.actuation_rank < mobility.mobility) {
    return fmt::format("under-actuated: {} {} {} of {}", motors, mobility.actuators == 1 ? "drives" : "drive",
                       mobility.actuation_rank, freedoms);
  }
  return fmt::format("{}: {} for {}", mobility.actuators > mobility.mobility ? "redundant" : "exact", motors, freedoms);
}

/// The independent speeds and everything that is commanded stay where they are while branches are searched.
AssemblyOptions held_for_branches(const Workspace& work) {
  AssemblyOptions options;
  options.held = work.independent();
  return options;
}

Findings investigate(Prepared& prepared, bool branches) {
  const Plan& plan = prepared.plan;
  Findings found;
  found.assembly = prepared.assembly;
  found.mobility = analyse_mobility(plan, prepared.work, prepared.state.q);
  found.singularity = singularity(plan, prepared.work, prepared.state.q);
  for (const int v : prepared.work.independent()) found.independent.push_back(plan.speed_name(v));
  for (const int row : found.mobility.redundant) {
    const ClosureRow& closure = plan.closure_rows()[row];
    found.redundant.push_back(closure.coupling >= 0
                                  ? "coupling " + plan.mechanism().couplings[closure.coupling].name
                                  : fmt::format("{} of {}", closure.what, plan.mechanism().joints[closure.joint].name));
  }
  found.actuation = actuation_of(found.mobility);
  if (branches) {
    found.branches = assembly_branches(plan, prepared.work, prepared.state.q, held_for_branches(prepared.work));
  }
  return found;
}

void print_motion(const Plan& plan, const Findings& found) {
  heading("motion");
  Table table({"", ""});
  const std::string bending =
      found.mobility.elastic > 0 ? fmt::format(" and {} elastic coordinates", found.mobility.elastic) : "";
  table.add({"mobility", fmt::format("{}{} ({} tree speeds, {} closure equations of rank {})", found.mobility.mobility,
                                     bending, plan.nv(), plan.closure_count(), found.mobility.rank)});
  if (found.mobility.local_mobility != found.mobility.mobility) {
    table.add({"", warning(fmt::format("singular pose: {} instantaneous degrees of freedom",
                                       found.mobility.local_mobility))});
  }
  table.add({"redundant closures",
             found.redundant.empty() ? "none" : warning(fmt::format("{}", fmt::join(found.redundant, "; ")))});
  table.add({"actuation", found.actuation});
  table.add({"independent", fmt::format("{}", fmt::join(found.independent, ", "))});
  table.add({"arithmetic", plan.is_planar() ? fmt::format("planar, normal ({})", text_of(plan.plane_normal()))
                                            : std::string("spatial")});
  table.add({"closure condition", number(found.singularity.closure, 4)});
  table.add({"dependent block", number(found.singularity.dependent, 4)});
  table.add({"actuation condition", found.mobility.actuators == 0 ? "-" : number(found.singularity.actuation, 4)});
  table.add({"assembly",
             fmt::format("guess off by {}, closed to {} in {} iterations", number(found.assembly.initial_error, 3),
                         number(found.assembly.error, 2), found.assembly.iterations)});
  if (found.assembly.bends_links)
    table.add({"", warning("the joints alone do not close the loops: elastic links are bent for it")});
  table.print();
}

nlohmann::json finite(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr); }

nlohmann::json to_json(const Model& model, Prepared& prepared, const Findings& found, bool branches) {
  const Plan& plan = prepared.plan;
  nlohmann::json answer = describe_as_json(model, plan);
  answer["ok"] = true;
  answer["exit"] = fine;
  answer["verb"] = "check";
  answer["model"] = model.name;
  answer["path"] = model.path;
  answer["mobility"] = found.mobility.mobility;
  answer["local_mobility"] = found.mobility.local_mobility;
  answer["closure_rank"] = found.mobility.rank;
  answer["redundant_closures"] = found.redundant;
  answer["actuators"] = found.mobility.actuators;
  answer["actuation_rank"] = found.mobility.actuation_rank;
  answer["actuation"] = found.actuation.substr(0, found.actuation.find(':'));
  answer["independent"] = found.independent;
  answer["condition"] = {{"closure", finite(found.singularity.closure)},
                         {"dependent", finite(found.singularity.dependent)},
                         {"actuation", finite(found.singularity.actuation)}};
  answer["assembly"] = {{"initial_error", found.assembly.initial_error},
                        {"error", found.assembly.error},
                        {"iterations", found.assembly.iterations},
                        {"bends_links", found.assembly.bends_links}};
  answer["pose"] = pose_as_json(prepared);
  Remarks remarks = model.remarks;
  remarks.add(prepared.remarks);
  answer.update(cli::to_json(remarks));
  if (branches) answer["branches"] = branches_as_json(prepared, found.branches);
  return answer;
}

}  // namespace

int check(const CheckOptions& options) {
  if (is_study_file(options.model.path)) return check_study(options);
  const Model model = load(options.model);
  const auto print_head = [&](const Plan& plan) {
    fmt::print("{}  {}\n", bold(model.name), dim(model.path));
    print_parts(model, plan);
  };
  std::optional<Prepared> assembled;
  try {
    assembled.emplace(prepare(model));
  } catch (const PhysicsError&) {
    // The parts are shown even when they do not assemble: that is when one wants to see them.
    if (!options.model.json) print_head(Plan(model.mechanism, model.plan));
    throw;
  }
  Prepared& prepared = *assembled;
  tell(prepared.remarks);
  const Findings found = investigate(prepared, options.branches);
  if (options.model.json) {
    print_json(to_json(model, prepared, found, options.branches));
    return fine;
  }
  print_head(prepared.plan);
  print_motion(prepared.plan, found);
  print_pose(prepared);
  if (options.branches) print_branches(prepared, found.branches);
  return fine;
}

}  // namespace lithe::cli

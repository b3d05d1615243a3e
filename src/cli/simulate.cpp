#include <algorithm>

#include "columns.hpp"
#include "run_report.hpp"

namespace lithe::cli {
namespace {

/// The driven joints (all joints when nothing is driven) and the energies.
std::vector<std::string> worth_printing(const Model& model, const std::vector<std::string>& columns) {
  std::vector<std::string> joints;
  for (const Drive& drive : model.drives) joints.push_back(drive.joint);
  if (joints.empty()) {
    for (const Joint& joint : model.mechanism.joints) joints.push_back(joint.name);
  }
  auto chosen = choose_columns(columns_of_joints(columns, "q.", joints), {"q."}, 6);
  chosen.insert(chosen.begin(), "t");
  int deflections = 0;
  for (const std::string& column : columns)
    if (column.starts_with("deflection.") && column.ends_with(".norm") && ++deflections <= 3) chosen.push_back(column);
  for (const char* column : {"energy.kinetic", "energy.potential"})
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) chosen.emplace_back(column);
  return chosen;
}

}  // namespace

int simulate(const RunVerbOptions& options) {
  return run_and_report(options, "simulate", run_simulation, worth_printing);
}

}  // namespace lithe::cli

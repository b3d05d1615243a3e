#include "columns.hpp"
#include "run_report.hpp"

namespace lithe::cli {
namespace {

std::vector<std::string> actuated_joints(const Model& model) {
  std::vector<std::string> names;
  for (const Joint& joint : model.mechanism.joints) {
    if (joint.is_actuated()) names.push_back(joint.name);
  }
  return names;
}

std::vector<std::string> torque_columns(const Model& model, const std::vector<std::string>& columns) {
  auto chosen = columns_of_joints(columns, "tau.", actuated_joints(model));
  if (chosen.empty()) chosen = choose_columns(columns, {"tau."});
  chosen.insert(chosen.begin(), "t");
  return choose_columns(chosen, {"tau."});
}

}  // namespace

int inverse(const RunVerbOptions& options) {
  return run_and_report(options, "inverse", options.flexible ? run_flexible_inverse : run_inverse, torque_columns);
}

}  // namespace lithe::cli

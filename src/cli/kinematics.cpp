#include "columns.hpp"
#include "run_report.hpp"

namespace lithe::cli {
namespace {

std::vector<std::string> path_columns(const Model& model, const std::vector<std::string>& columns) {
  return choose_columns(
      columns, model.record.frames.empty() ? std::vector<std::string>{"q."} : std::vector<std::string>{"pos.", "rot."});
}

}  // namespace

int kinematics(const RunVerbOptions& options) {
  return run_and_report(options, "kinematics", run_kinematics, path_columns);
}

}  // namespace lithe::cli

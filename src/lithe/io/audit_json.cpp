#include <nlohmann/json.hpp>

#include "lithe/io/json_text.hpp"
#include "lithe/io/results.hpp"

namespace lithe {

std::string audit_json(const Audit& audit) {
  const nlohmann::ordered_json json = {{"t_end", audit.t_end},
                                       {"steps", audit.steps},
                                       {"rejected", audit.rejected},
                                       {"evaluations", audit.evaluations},
                                       {"jacobians", audit.jacobians},
                                       {"records", audit.records},
                                       {"projections", audit.projections},
                                       {"set_changes", audit.set_changes},
                                       {"worst_closure", audit.worst_closure},
                                       {"energy_error", audit.energy_error},
                                       {"energy_scale", audit.energy_scale},
                                       {"worst_condition", audit.worst_condition},
                                       {"worst_residual", audit.worst_residual},
                                       {"wall_seconds", audit.wall_seconds},
                                       {"bending", audit.bending},
                                       {"time_split", audit.time_split},
                                       {"notes", audit.notes},
                                       {"warnings", audit.warnings},
                                       {"distrust", audit.distrust},
                                       {"trusted", audit.trusted()}};
  return detail::json_text(json);
}

}  // namespace lithe

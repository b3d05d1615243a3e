#include "lithe/io/stored_options.hpp"

#include <nlohmann/json.hpp>

#include "lithe/io/json_text.hpp"

namespace lithe::detail {

std::string stored_options(const RunOptions& run) {
  const nlohmann::ordered_json options{{"from", run.from},
                                       {"until", run.until},
                                       {"integrator", name_of(run.integrator)},
                                       {"tolerance", run.tolerance},
                                       {"rtol", run.rtol},
                                       {"atol", run.atol},
                                       {"step", run.step},
                                       {"max-step", run.max_step},
                                       {"every", run.every},
                                       {"formulation", name_of(run.formulation)},
                                       {"baumgarte-alpha", run.stabilisation.alpha},
                                       {"baumgarte-beta", run.stabilisation.beta},
                                       {"penalty-stiffness", run.stabilisation.penalty_stiffness},
                                       {"penalty-damping", run.stabilisation.penalty_damping},
                                       {"projection", name_of(run.projection)},
                                       {"condition-limit", run.condition_limit},
                                       {"spectral-radius", run.spectral_radius}};
  return json_text(options);
}

}  // namespace lithe::detail

#include "lithe/simulation/loads.hpp"

namespace lithe {

namespace {

void evaluate_components(const Law (&laws)[3], double t, Vec3& value) {
  for (int k = 0; k < 3; ++k) value[k] = laws[k].empty() ? 0.0 : laws[k].at(t).value;
}

}  // namespace

void evaluate_loads(const Model& model, double t, Actions& actions) {
  for (std::size_t i = 0; i < model.loads.size() && i < actions.loads.size(); ++i) {
    evaluate_components(model.loads[i].force, t, actions.loads[i].force);
    evaluate_components(model.loads[i].moment, t, actions.loads[i].moment);
  }
  for (std::size_t i = 0; i < model.line_loads.size() && i < actions.line_loads.size(); ++i) {
    const LineLoadLaws& laws = model.line_loads[i];
    LineForce& force = actions.line_loads[i];
    evaluate_components(laws.force, t, force.start);
    if (laws.uniform)
      force.end = force.start;
    else
      evaluate_components(laws.end, t, force.end);
  }
}

}  // namespace lithe

// Runs of random mechanisms, with loops and elastic links, whose joints have motors, gears, friction, stops and brakes:
// whatever happens, the change of energy is the work put in minus what was lost, to 1e-8 of what was exchanged.

#include "lithe/simulation/simulate.hpp"
#include "properties/subject.hpp"
#include "support/equipped_joints.hpp"

namespace lithe::testing {
namespace {

constexpr double duration = 0.05;  // s

LITHE_PROPERTY(RunsOfMachinesBalanceTheirEnergy, any_shape()) {
  Model model;
  const RandomMechanism random = make_mechanism(shape);
  model.mechanism = random.mechanism;
  {
    Subject subject(shape);
    RC_PRE(subject.is_well_posed());
    const std::vector<int>& independent = subject.work.independent();
    for (std::size_t j = 0; j < random.mechanism.joints.size(); ++j) {
      const JointPlace& place = subject.plan.places()[j];
      const std::string& name = random.mechanism.joints[j].name;
      for (int k = 0; k < place.nq; ++k) model.initial.push_back({name, k, random.joint_values[j][k]});
      for (int k = 0; k < place.nv && !place.cut; ++k)
        if (std::find(independent.begin(), independent.end(), place.v + k) != independent.end())
          model.initial_speeds.push_back({name, k, subject.state.v[place.v + k]});
    }
  }
  for (std::size_t l = 0; l < random.elastic_values.size(); ++l)
    for (int k = 0; k < random.elastic_values[l].size(); ++k)
      model.initial_elastic.push_back({random.mechanism.links[l].name, k, random.elastic_values[l][k]});
  equip_joints(model, random, shape.seed, duration);
  for (const LoadPort& load : model.mechanism.loads) model.loads.push_back({load.name, {}, {}});
  for (const LineLoad& load : model.mechanism.line_loads) model.line_loads.push_back({load.name, {}, {}, true});
  model.run.until = duration;
  model.run.every = duration;
  model.run.integrator = Integrator::dopri;
  model.run.rtol = 1e-10;
  model.run.atol = 1e-12;
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  RC_LOG() << outcome.message << '\n';
  // Into a singular pose, or with a brake that loops do not allow: not the question here.
  RC_PRE(outcome.ending == RunOutcome::Ending::complete);
  for (const RunEvent& event : outcome.audit.events) RC_LOG() << event.t << " " << event.what << '\n';
  RC_LOG() << outcome.audit.energy_error << " of " << outcome.audit.energy_scale << '\n';
  RC_ASSERT(outcome.audit.energy_error <= 1e-8 * outcome.audit.energy_scale + 1e-12);
}

}  // namespace
}  // namespace lithe::testing

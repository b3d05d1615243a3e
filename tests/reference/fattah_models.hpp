#pragma once
// The mechanisms of Fattah's thesis from their model files, at random poses with bent links.

#include <map>
#include <string>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/simulate.hpp"
#include "support/coordinates.hpp"
#include "support/random_mechanism.hpp"
#include "support/source_folder.hpp"

namespace lithe::testing {

inline Model fattah_model(const std::string& name, const std::map<std::string, std::string>& sets = {}) {
  return load_model(source_folder() + "/examples/fattah-" + name + ".yaml", sets);
}

/// The same mechanism without drives, in the given coordinates.
inline Model undriven(Model model, Coordinates coordinates) {
  model.drives.clear();
  model.plan.coordinates = coordinates;
  return model;
}

/// Prepared at a random pose near that of the file (motors, or the platform, moved by up to `spread`), links bent by up
/// to `bending` metres per mode at the tip, with random independent speeds.
inline Prepared random_pose(const Model& model, std::uint32_t seed, double spread = 0.1, double bending = 0.02) {
  Prepared prepared = prepare(model);
  const Plan& plan = prepared.plan;
  State& state = prepared.state;
  const auto& independent = prepared.work.independent();
  const VectorX dice = random_vector(seed, 2 * plan.nv());
  constexpr int steps = 10;  // small ones, to stay on the branch
  for (int step = 0; step < steps; ++step) {
    for (const int v : independent) {
      if (plan.is_bending(v)) continue;
      VectorX move = VectorX::Zero(plan.nv());
      move[v] = spread * dice[v] / steps;
      move_coordinates(plan, move, state.q);
    }
    for (std::size_t link = 0; link < plan.elastic_places().size(); ++link) {
      const ElasticPlace& place = plan.elastic_places()[link];
      if (place.count == 0) continue;
      const LinkData& data = plan.mechanism().links[link];
      const Frame& tip = data.frames[data.find_frame("tip")];
      for (int i = 0; i < place.count; ++i)
        state.q[place.q + i] += bending * dice[place.v + i] / tip.shape.col(i).norm() / steps;
    }
    if (Status status = project_positions(plan, prepared.work, state.q); !status)
      throw PhysicsError(describe(plan, status, 0.0));
  }
  for (const int v : independent) state.v[v] = dice[plan.nv() + v];
  if (Status status = complete_speeds(plan, prepared.work, state.q, state.v); !status)
    throw PhysicsError(describe(plan, status, 0.0));
  return prepared;
}

inline FrameRef frame_of(const Plan& plan, const std::string& link, const std::string& frame) {
  return plan.mechanism().find_frame(link, frame);
}

inline MemoryRecord simulated(const Model& model) {
  MemoryRecord record;
  const RunOutcome outcome = run_simulation(model, record);
  if (outcome.ending != RunOutcome::Ending::complete) throw PhysicsError(outcome.message);
  return record;
}

/// Displacement of the tip of a link along y of the link in a row of a record (m).
inline double tip_of(const Model& model, const MemoryRecord& record, std::size_t row, const std::string& link) {
  const LinkData& data = model.mechanism.links[model.mechanism.find_link(link)];
  const Frame& tip = data.frames[data.find_frame("tip")];
  double sum = 0.0;
  for (int i = 0; i < data.elastic.count(); ++i)
    sum += tip.shape(1, i) * record.at(row, "q." + link + ".e" + std::to_string(i + 1));
  return sum;
}

}  // namespace lithe::testing

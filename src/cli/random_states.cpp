#include "random_states.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>

#include "lithe/simulation/driven_motion.hpp"
#include "output_file.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

constexpr int substeps = 10;

/// Uniform in [-1, 1], the same on every platform (std::uniform_real_distribution is not).
class Randomness {
 public:
  explicit Randomness(unsigned seed) : engine_(seed) {}
  double operator()() { return 2.0 * (static_cast<double>(engine_()) / 4294967295.0) - 1.0; }

 private:
  std::mt19937 engine_;
};

/// Moves the independent coordinates of q by `step` in small parts, keeping the loops closed.
bool move_by_continuity(const Plan& plan, Workspace& work, const VectorX& step, VectorX& q) {
  const VectorX part = step / substeps;
  for (int k = 0; k < substeps; ++k) {
    move_coordinates(plan, part, q);
    if (!project_positions(plan, work, q)) return false;
  }
  return true;
}

/// Poses from which the random moves start: the initial one and, if there are motion laws, some along them.
std::vector<VectorX> starting_poses(const Model& model, const VectorX& initial) {
  std::vector<VectorX> poses{initial, initial};
  const bool is_driven = !model.paths.empty() || std::any_of(model.drives.begin(), model.drives.end(),
                                                             [](const Drive& drive) { return drive.wants_motion(); });
  if (!is_driven) return poses;
  try {
    DrivenMotion motion(model);
    for (const double part : {0.1, 0.3, 0.5, 0.7}) {
      motion.go_to(model.run.from + part * (model.run.until - model.run.from));
      poses.push_back(initial);
      poses.push_back(initial);
      poses.push_back(motion.state().q);
    }
  } catch (const PhysicsError&) {
    // The motion leaves the workspace: that is for `lithe kinematics` to say. The poses so far will do.
  }
  return poses;
}

}  // namespace

std::vector<RandomState> random_states(const Model& model, Prepared& prepared, int count, unsigned seed) {
  const Plan& plan = prepared.plan;
  const double length = plan.characteristic_length();
  double mass = 0.0;
  for (const LinkData& link : plan.mechanism().links) mass += link.mass;
  const std::vector<VectorX> starts = starting_poses(model, prepared.state.q);

  Randomness random(seed);
  std::vector<RandomState> states;
  double reach = 1.0;  // shrinks when poses keep failing
  while (static_cast<int>(states.size()) < count) {
    RandomState drawn{prepared.state, Actions(plan)};
    VectorX& q = drawn.state.q;
    q = starts[states.size() % starts.size()];
    if (!select_independent(plan, prepared.work, q)) {
      q = prepared.state.q;
      if (const Status status = select_independent(plan, prepared.work, q); !status) {
        throw PhysicsError(describe(plan, status, prepared.state.t));
      }
    }
    VectorX step = VectorX::Zero(plan.nv());
    for (const int v : prepared.work.independent()) {
      const double size = plan.slides(v) ? 0.2 * length : 0.4;
      // Links bend by a few percent.
      step[v] = random() * reach * (plan.is_bending(v) ? 0.03 * plan.speed_scale(v) : size);
    }
    if (!move_by_continuity(plan, prepared.work, step, q) || !select_independent(plan, prepared.work, q) ||
        singularity(plan, prepared.work, q).dependent > most_condition) {
      reach *= 0.9;
      if (reach < 1e-3) throw PhysicsError("no regular pose found near the initial pose of the model");
      continue;
    }
    reach = std::min(1.0, reach * 1.1);

    drawn.state.v.setZero();
    for (const int v : prepared.work.independent()) {
      const double size = plan.slides(v) ? length : 2.0;
      drawn.state.v[v] = random() * (plan.is_bending(v) ? 0.5 * plan.speed_scale(v) : size);
    }
    if (!complete_speeds(plan, prepared.work, q, drawn.state.v)) continue;
    // Forces of the size that carries the mechanism's own weight.
    const double force = 10.0 * mass;
    for (Eigen::Index i = 0; i < drawn.actions.tau.size(); ++i) {
      if (i < plan.nv() && plan.is_bending(static_cast<int>(i))) continue;
      drawn.actions.tau[i] = random() * force * (plan.slides(static_cast<int>(i)) ? 1.0 : length);
    }
    for (Wrench& load : drawn.actions.loads) {
      for (int axis = 0; axis < 3; ++axis) {
        load.force[axis] = random() * force;
        load.moment[axis] = random() * force * length;
      }
    }
    for (LineForce& load : drawn.actions.line_loads) {
      for (int axis = 0; axis < 3; ++axis) {
        load.start[axis] = random() * force / length;
        load.end[axis] = random() * force / length;
      }
    }
    states.push_back(std::move(drawn));
  }
  return states;
}

int nothing_can_move(const char* verb, const Model& model, bool json) {
  const std::string why = "nothing can move: every formulation has zero accelerations";
  if (json) {
    print_json({{"ok", true},
                {"exit", 0},
                {"verb", verb},
                {"model", model.name},
                {"states", 0},
                {"formulations", nlohmann::json::array()},
                {"note", why}});
  } else {
    fmt::print("{}: {}\n\n{}\n", verb, bold(model.name), why);
  }
  return 0;
}

}  // namespace lithe::cli

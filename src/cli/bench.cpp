// lithe bench: what the evaluations and the run of a model cost on this machine.

#include <fmt/format.h>
#include <sys/resource.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "call_time.hpp"
#include "interrupt.hpp"
#include "lithe/analysis/linearize.hpp"
#include "lithe/dynamics/batch.hpp"
#include "lithe/dynamics/derivatives.hpp"
#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/dynamics/operation_count.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/simulate.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "random_states.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

constexpr double pushed_away = 1e-3;  ///< rad or characteristic lengths by which closing the loops begins beside them

struct Task {
  std::string name;
  double seconds = 0.0;  ///< per call
  long flops = 0;        ///< products, sums and divisions per call; zero: not counted
};

/// The tasks of one evaluation each, on states that change from call to call.
class Evaluations {
 public:
  Evaluations(const Plan& plan, Workspace& work, const std::vector<RandomState>& states)
      : plan_(plan), work_(work), states_(states), a_(VectorX::Zero(plan.nv())) {
    require(select_independent(plan_, work_, states_.front().state.q));
  }

  std::vector<Task> measure() {
    if (plan_.closure_count() > 0) {
      add("close the loops", [this](std::size_t k) { close(drawn(k)); });
      add("complete the speeds", [this](std::size_t k) {
        v_ = drawn(k).state.v;
        require(complete_speeds(plan_, work_, drawn(k).state.q, v_));
      });
    }
    const std::vector<int> motors = plan_.actuated_speeds().empty() ? work_.independent() : plan_.actuated_speeds();
    add("inverse dynamics",
        [&](std::size_t k) { inverse_dynamics(plan_, work_, drawn(k).state, a_, drawn(k).actions, motors, inverse_); });
    const long inverse_flops = count_inverse(plan_, work_, drawn(0).state, a_, drawn(0).actions).flops();
    const long forward_flops = count_forward(plan_, work_, drawn(0).state, drawn(0).actions).flops();
    tasks_.back().flops = inverse_flops;
    for (const Formulation formulation : all_formulations) {
      if (!why_not_applicable(plan_, formulation).empty()) continue;
      add(fmt::format("forward dynamics, {}", name_of(formulation)), [&, formulation](std::size_t k) {
        require(forward_dynamics(plan_, work_, drawn(k).state, drawn(k).actions, a_, {formulation}));
      });
      if (formulation == Formulation::noc) tasks_.back().flops = forward_flops;
    }
    if (!plan_.has_stress_stiffening())
      add("forward derivatives", [&](std::size_t k) {
        require(forward_derivatives(plan_, work_, drawn(k).state, drawn(k).actions, a_, slopes_, {.forces = motors}));
      });
    add("linearization", [&](std::size_t k) {
      a_.setZero();
      linearize(plan_, work_, drawn(k).state, a_, drawn(k).actions);
    });
    add_batches(forward_flops, inverse_flops);
    return tasks_;
  }

 private:
  const RandomState& drawn(std::size_t k) const { return states_[k % states_.size()]; }

  template <class Call>
  void add(const std::string& name, Call&& call) {
    if (stop_requested()) throw PhysicsError("interrupted");
    call(0);  // everything is allocated now
    tasks_.push_back({name, seconds_per_call(call)});
  }

  /// Many states in one call; the time is that of one state.
  void add_batches(long forward_flops, long inverse_flops) {
    constexpr int count = 256;
    const Actions& actions = states_.front().actions;
    MatrixX q(plan_.nq(), count), v(plan_.nv(), count), tau(actions.tau.size(), count), a = v;
    MatrixX force(std::ssize(work_.independent()), count);
    for (int i = 0; i < count; ++i) {
      const RandomState& one = drawn(static_cast<std::size_t>(i));
      q.col(i) = one.state.q;
      v.col(i) = one.state.v;
      tau.col(i) = one.actions.tau;
    }
    Batch batch(plan_, work_);
    add("forward dynamics, in a batch", [&](std::size_t) { batch.forward(q, v, tau, actions, a); });
    tasks_.back().seconds /= count;
    tasks_.back().flops = forward_flops;
    add("inverse dynamics, in a batch", [&](std::size_t) { batch.inverse(q, v, a, actions, force); });
    tasks_.back().seconds /= count;
    tasks_.back().flops = inverse_flops;
  }

  void close(const RandomState& state) {
    q_ = state.state.q;
    step_.setZero(plan_.nv());
    for (const int v : work_.dependent()) step_[v] = pushed_away * plan_.speed_scale(v);
    move_coordinates(plan_, step_, q_);
    require(project_positions(plan_, work_, q_));
  }

  void require(const Status& status) const {
    if (!status) throw PhysicsError(describe(plan_, status, 0.0));
  }

  const Plan& plan_;
  Workspace& work_;
  const std::vector<RandomState>& states_;
  std::vector<Task> tasks_;
  VectorX a_, v_, q_, step_;
  InverseResult inverse_;
  ForwardDerivatives slopes_;
};

struct WholeRun {
  RunOutcome outcome;
  Audit audit;
  double cpu = 0.0;    ///< s
  double model = 0.0;  ///< s of the model's time
  double real_time() const { return cpu > 0.0 ? model / cpu : 0.0; }
};

WholeRun time_run(const Model& model) {
  RunControl control;
  control.stop = &stop_requested();
  MemoryRecord record;
  WholeRun run;
  const std::clock_t start = std::clock();
  run.outcome = run_simulation(model, record, control);
  run.cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  run.audit = record.audit();
  run.model = run.audit.t_end - model.run.from;
  return run;
}

/// Most memory that the program has had so far, in MB.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void print_bench(const Model& model, const Plan& plan, const std::vector<Task>& tasks, const WholeRun& run) {
  fmt::print("bench: {}, {} tree speeds, {} closures, {} arithmetic\n\n", bold(model.name), plan.nv(),
             plan.closure_count(), plan.is_planar() ? "planar" : "spatial");
  Table table({"task", "us per call", "calls per second", "flops", "Gflop/s"}, "lrrrr");
  for (const Task& task : tasks) {
    const bool counted = task.flops > 0;
    table.add({task.name, number(1e6 * task.seconds, 3), number(1.0 / task.seconds, 3),
               counted ? fmt::format("{}", task.flops) : "",
               counted ? number(1e-9 * static_cast<double>(task.flops) / task.seconds, 3) : ""});
  }
  table.print();
  fmt::print("\nrun: {} s of the model in {} s of one core, {} times real time\n", number(run.model, 4),
             number(run.cpu, 3), number(run.real_time(), 3));
  fmt::print("     {} steps, {} evaluations, {}\n", run.audit.steps, run.audit.evaluations, run.audit.integrator);
  fmt::print("memory: {} MB at most\n", number(peak_memory(), 3));
}

}  // namespace

int bench(const StatesOptions& options) {
  const Model model = load(options.model);
  Prepared prepared = prepare(model);
  if (prepared.work.independent().empty()) return nothing_can_move("bench", model, options.model.json);
  const std::vector<RandomState> states = random_states(model, prepared, options.states, options.seed);
  const std::vector<Task> tasks = Evaluations(prepared.plan, prepared.work, states).measure();
  const WholeRun run = time_run(model);
  const int code = run.outcome.ending == RunOutcome::Ending::complete ? fine : physics_failed;
  if (code != fine) complain(run.outcome.message);
  if (!options.model.json) {
    print_bench(model, prepared.plan, tasks, run);
    return code;
  }
  nlohmann::json answer = {{"ok", code == fine}, {"exit", code}, {"verb", "bench"}, {"model", model.name}};
  answer["tasks"] = nlohmann::json::array();
  for (const Task& task : tasks) {
    answer["tasks"].push_back({{"name", task.name}, {"microseconds", 1e6 * task.seconds}});
    if (task.flops > 0) answer["tasks"].back()["flops"] = task.flops;
  }
  answer["run"] = {{"cpu", run.cpu},
                   {"model_time", run.model},
                   {"real_time_factor", run.real_time()},
                   {"steps", run.audit.steps},
                   {"evaluations", run.audit.evaluations},
                   {"integrator", run.audit.integrator}};
  answer["memory_mb"] = peak_memory();
  print_json(answer);
  return code;
}

}  // namespace lithe::cli

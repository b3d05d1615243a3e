// Times Lithe and, when they are installed, MuJoCo and Simbody on the same states in one process on one core.

#include <benchmark/benchmark.h>
#include <sched.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <string>

#include "flexible_engine.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe_engine.hpp"
#include "ratio_table.hpp"
#include "support/allocation_counter.hpp"
#include "support/long_mechanisms.hpp"

namespace bench {
namespace {

using lithe::testing::allocation_count;

constexpr int pool_size = 64;

/// Everything that is timed for one case. Lives to the end of the program.
struct Contestants {
  std::shared_ptr<LitheEngine> ours;
  std::vector<std::pair<std::string, std::shared_ptr<Engine>>> peers;
  std::vector<Motion> pool;
};

Contestants enter(const Case& mechanism) {
  Contestants result;
  result.ours = std::make_shared<LitheEngine>(mechanism);
  result.pool = result.ours->random_pool(pool_size);
  result.ours->take(result.pool);
#if LITHE_BENCH_MUJOCO
  // The XML reader of MuJoCo stops at 100 nested elements.
  if (mechanism.bodies.size() < 90) result.peers.emplace_back("mujoco", make_mujoco(mechanism));
#endif
#if LITHE_BENCH_SIMBODY
  result.peers.emplace_back("simbody", make_simbody(mechanism));
#endif
  for (auto& [name, peer] : result.peers) peer->take(result.pool);
  return result;
}

double relative_difference(const Eigen::VectorXd& ours, const Eigen::VectorXd& theirs) {
  return (ours - theirs).norm() / theirs.norm();
}

/// Engines that do not compute the same thing must not be compared. MuJoCo's loops are soft: not checked.
void check_agreement(const Case& mechanism, const Contestants& contestants) {
  const bool has_loops = !mechanism.pins.empty();
  for (const auto& [name, peer] : contestants.peers) {
    if (has_loops && name == "mujoco") continue;
    double forward = 0.0, inverse = 0.0;
    for (int i = 0; i < pool_size; i += 16) {
      contestants.ours->forward(i);
      peer->forward(i);
      forward = std::max(forward, relative_difference(contestants.ours->accelerations(), peer->accelerations()));
      if (has_loops) continue;
      contestants.ours->inverse(i);
      peer->inverse(i);
      inverse = std::max(inverse, relative_difference(contestants.ours->forces(), peer->forces()));
    }
    std::cerr << mechanism.name << ": Lithe and " << name << " differ by " << forward << " (accelerations)";
    if (!has_loops) std::cerr << ", " << inverse << " (forces)";
    std::cerr << '\n';
    if (forward > 1e-6 || inverse > 1e-6)
      throw std::runtime_error(mechanism.name + ": Lithe and " + name + " disagree");
  }
}

/// Tasks in the order of registration; the runs themselves are shuffled.
std::vector<std::string> task_order;

void add(const std::string& name, const std::function<void(int)>& call) {
  const std::string task = task_of(name);
  if (std::find(task_order.begin(), task_order.end(), task) == task_order.end()) task_order.push_back(task);
  benchmark::RegisterBenchmark(name.c_str(), [call](benchmark::State& state) {
    int index = 0;
    call(index);  // warm-up: everything is allocated now
    const long before = allocation_count();
    for (auto unused : state) {
      (void)unused;
      index = index + 1 < pool_size ? index + 1 : 0;
      call(index);
    }
    const double allocations = static_cast<double>(allocation_count() - before);
    state.counters["allocations"] = allocations / static_cast<double>(state.iterations());
  })->Unit(benchmark::kMicrosecond);
}

/// In loops the peers have no inverse dynamics in the motors alone, so only forward dynamics is compared there.
void add_tasks(const std::string& name, const std::string& suffix, const Case& mechanism) {
  const Contestants contestants = enter(mechanism);
  check_agreement(mechanism, contestants);
  const bool has_loops = !mechanism.pins.empty();
  const std::shared_ptr<LitheEngine> ours = contestants.ours;
  const std::string forward = name + " forward" + suffix, inverse = name + " inverse" + suffix;
  add(forward + "/lithe", [ours](int i) { ours->forward(i); });
  add(inverse + "/lithe", [ours](int i) { ours->inverse(i); });
  for (const auto& entry : contestants.peers) {
    const std::shared_ptr<Engine> peer = entry.second;
    add(forward + "/" + entry.first, [peer](int i) { peer->forward(i); });
    if (!has_loops) add(inverse + "/" + entry.first, [peer](int i) { peer->inverse(i); });
  }
  if (!has_loops) return;

  add(name + " closure projection/lithe", [ours](int i) { ours->project(i); });
  add(name + " speed completion/lithe", [ours](int i) { ours->complete(i); });
  for (const lithe::Formulation formulation : lithe::all_formulations) {
    if (formulation == lithe::Formulation::noc || !lithe::facts_of(formulation).is_exact) continue;
    const auto other = std::make_shared<LitheEngine>(mechanism, formulation);
    if (!other->why_not_applicable().empty()) continue;
    other->take(contestants.pool);
    add(name + " forward by " + std::string(lithe::name_of(formulation)) + "/lithe",
        [other](int i) { other->forward(i); });
  }
}

/// Elastic mechanisms of the gallery.
void add_flexible(const std::string& name, const std::string& file, lithe::Arithmetic arithmetic) {
  const auto ours =
      std::make_shared<FlexibleEngine>(lithe::load_model(LITHE_EXAMPLES "/" + file), pool_size, arithmetic);
  add(name + " forward/lithe", [ours](int i) { ours->forward(i); });
  add(name + " real-time step/lithe", [ours](int i) { ours->step(i); });
}

/// Mechanisms of growing length.
void add_series(const std::string& name, std::string (*text)(int)) {
  for (const int length : {10, 30, 100, 300, 1000}) {
    const auto ours = std::make_shared<FlexibleEngine>(lithe::load_model_text(text(length), name + ".yaml"), pool_size,
                                                       lithe::Arithmetic::automatic);
    add(name + " forward #" + std::to_string(length) + "/lithe", [ours](int i) { ours->forward(i); });
  }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) try {
  // Defaults that suit a busy machine; arguments of the user come later and win.
  std::vector<std::string> words = {argv[0], "--benchmark_repetitions=5", "--benchmark_enable_random_interleaving=true",
                                    "--benchmark_min_time=0.05"};
  words.insert(words.end(), argv + 1, argv + argc);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  argc = static_cast<int>(arguments.size());
  argv = arguments.data();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;

  // One core: no wandering between caches.
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(sched_getcpu(), &cores);
  sched_setaffinity(0, sizeof cores, &cores);

  bench::add_tasks("7R", "", bench::chain(7));
  bench::add_tasks("3-RRR", "", bench::planar_3rrr());
  bench::add_tasks("6-UPS", "", bench::hexapod());
  for (int links : {10, 30, 100, 300, 1000})
    bench::add_tasks("chain", " #" + std::to_string(links), bench::chain(links));
  bench::add_series("elastic chain", lithe::testing::elastic_chain);
  bench::add_series("parallelograms", lithe::testing::parallelogram_chain);
  bench::add_flexible("elastic 3-RRR (15 coordinates)", "flexible-3rrr.yaml", lithe::Arithmetic::automatic);
  bench::add_flexible("elastic 3-RRR in space", "flexible-3rrr.yaml", lithe::Arithmetic::spatial);
  bench::add_flexible("elastic 3-RRS (27 coordinates)", "fattah-3rrs.yaml", lithe::Arithmetic::automatic);
  bench::add_flexible("elastic four-bar", "flexible-four-bar.yaml", lithe::Arithmetic::automatic);

  bench::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_table(std::cout, bench::task_order);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "bench: " << error.what() << '\n';
  return 1;
}

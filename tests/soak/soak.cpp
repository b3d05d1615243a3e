// soak SECONDS [SEED]: runs random mechanisms, with loops, elastic links, motors, friction, stops and brakes, one after
// the other for so long. Ends with 1 when memory that nothing needs any more has not been given back, or the process has
// grown; with a sanitizer, when that finds something.

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "lithe/simulation/simulate.hpp"
#include "support/equipped_joints.hpp"

namespace {

using namespace lithe;  // NOLINT: a program of one file

constexpr double run_duration = 0.05;  // s
constexpr int warm_up = 100;           // mechanisms, after which caches are full and the largest shapes have been there
constexpr double leak_allowed = 0.2;   // MB in use more than after the warm-up
constexpr double growth_allowed = 48;  // MB of the process: holes between blocks

testing::MechanismShape shape_of(std::uint32_t seed) {
  testing::MechanismShape shape;
  shape.seed = seed;
  shape.loops = static_cast<int>(seed % 3);
  shape.branches = static_cast<int>(seed / 3 % 4);
  if (shape.loops == 0) shape.branches += 1;
  shape.planar = seed % 2 == 1;
  shape.springs = seed % 5 < 2;
  shape.dampers = seed % 7 < 3;
  shape.elastic = seed % 4 < 2;
  shape.couplings = seed % 6 == 5 ? 1 : 0;
  return shape;
}

/// How one run ended.
enum class Ending { complete, ended_early, refused };

Ending run_one(std::uint32_t seed) {
  try {
    const testing::RandomMechanism random = testing::make_mechanism(shape_of(seed));
    Model model;
    model.mechanism = random.mechanism;
    for (std::size_t j = 0; j < random.mechanism.joints.size(); ++j)
      for (int k = 0; k < random.joint_values[j].size(); ++k)
        model.initial.push_back({random.mechanism.joints[j].name, k, random.joint_values[j][k]});
    for (std::size_t l = 0; l < random.elastic_values.size(); ++l)
      for (int k = 0; k < random.elastic_values[l].size(); ++k)
        model.initial_elastic.push_back({random.mechanism.links[l].name, k, random.elastic_values[l][k]});
    testing::equip_joints(model, random, seed, run_duration);
    for (const LoadPort& load : model.mechanism.loads) model.loads.push_back({load.name, {}, {}});
    for (const LineLoad& load : model.mechanism.line_loads) model.line_loads.push_back({load.name, {}, {}, true});
    model.run.until = run_duration;
    model.run.every = run_duration / 10;
    MemoryRecord rows;
    return run_simulation(model, rows).ending == RunOutcome::Ending::complete ? Ending::complete : Ending::ended_early;
  } catch (const MechanismError&) {
    return Ending::refused;
  } catch (const PhysicsError&) {
    return Ending::refused;
  }
}

double used_megabytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / 1e6;
}

double process_megabytes() {
  std::ifstream file("/proc/self/statm");
  long size = 0, resident = 0;
  file >> size >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2 || std::atof(arguments[1]) <= 0.0) {
    fmt::print(stderr, "soak SECONDS [SEED]\n");
    return 2;
  }
  const double seconds = std::atof(arguments[1]);
  const auto seed = static_cast<std::uint32_t>(count > 2 ? std::atol(arguments[2]) : 1);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  long endings[3] = {0, 0, 0};
  double used = 0.0, process = 0.0;
  long runs = 0;
  for (; runs <= warm_up || elapsed() < seconds; ++runs) {
    ++endings[static_cast<int>(run_one(seed + static_cast<std::uint32_t>(runs)))];
    if (runs == warm_up) used = used_megabytes(), process = process_megabytes();
  }
  const double more = used_megabytes() - used, grown = process_megabytes() - process;
  fmt::print("{} mechanisms in {:.0f} s: {} ran to the end, {} ended early, {} were refused\n", runs, elapsed(),
             endings[0], endings[1], endings[2]);
  fmt::print("memory in use {:+.3f} MB, of the process {:+.1f} MB (now {:.0f} MB), since mechanism {}\n", more, grown,
             process_megabytes(), warm_up);
  if (more <= leak_allowed && grown <= growth_allowed && endings[0] > runs / 4) return 0;
  fmt::print(stderr, "{}\n", endings[0] <= runs / 4 ? "hardly any of them ran" : "memory has grown");
  return 1;
}

#include "ranks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "../mpi/ranks_module.hpp"
#include "model_options.hpp"
#include "modules.hpp"

namespace lithe::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double portion_seconds = 0.05;  ///< of work that is given out at once
constexpr auto pause_us = 200;            ///< between looks at the messages, when there is nothing to do

/// Number in one of these variables; -1: none is set.
int number_from(std::initializer_list<const char*> variables) {
  for (const char* variable : variables)
    if (const char* text = std::getenv(variable); text != nullptr && *text != '\0') return std::atoi(text);
  return -1;
}

int launched_size() { return number_from({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}); }

/// Bytes of finished variants: number, count of outputs, outputs, length of the error, error.
void pack(long row, const Variant& variant, std::string& bytes) {
  const auto add = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  add(static_cast<std::int64_t>(row));
  add(static_cast<std::uint64_t>(variant.outputs.size()));
  for (const double output : variant.outputs) add(output);
  add(static_cast<std::uint64_t>(variant.error.size()));
  bytes += variant.error;
}

long unpack(std::string_view& bytes, Variant& variant) {
  const auto take = [&](auto& value) {
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
  };
  std::int64_t row = 0;
  std::uint64_t count = 0, length = 0;
  take(row);
  take(count);
  variant.outputs.resize(count);
  for (double& output : variant.outputs) take(output);
  take(length);
  variant.error = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return row;
}

/// A message, when one has arrived; its sender.
int receive(const LitheRanks& ranks, std::string& bytes) {
  int from = -1;
  const long count = ranks.arrived(&from);
  if (count < 0) return -1;
  bytes.resize(count);
  ranks.take(from, bytes.data(), bytes.size());
  return from;
}

/// Hands the rows out, portion by portion.
class Portions {
 public:
  Portions(const std::vector<long>& rows, int size) : rows_(rows), size_(size) {}

  /// About as many as take `portion_seconds`, fewer towards the end, so that all ranks end together.
  std::vector<long> next(double seconds_per_row) {
    const double left = static_cast<double>(rows_.size() - given_);
    const double wanted = seconds_per_row > 0.0 ? portion_seconds / seconds_per_row : 1.0;
    const auto count = static_cast<std::size_t>(std::clamp(std::min(wanted, left / (4.0 * size_)), 1.0, 1e4));
    return take(count);
  }
  std::vector<long> take(std::size_t count) {
    const std::size_t end = std::min(rows_.size(), given_ + count);
    std::vector<long> portion(rows_.begin() + static_cast<long>(given_), rows_.begin() + static_cast<long>(end));
    given_ = end;
    return portion;
  }
  bool empty() const { return given_ == rows_.size(); }

 private:
  const std::vector<long>& rows_;
  int size_;
  std::size_t given_ = 0;
};

}  // namespace

int launched_rank() { return launched_size() > 0 ? number_from({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}) : -1; }

Ranks::Ranks(const LitheRanks& module) : module_(std::make_unique<LitheRanks>(module)) {}
Ranks::~Ranks() = default;
int Ranks::rank() const { return module_->rank; }
int Ranks::size() const { return module_->size; }

std::unique_ptr<Ranks> Ranks::join() {
  if (launched_size() < 2) return nullptr;
  // Its symbols are for all: Open MPI loads parts of itself that look for them.
  if (void* const function = module_function("lithe-mpi", "lithe_join_ranks", ModuleSymbols::shared)) {
    const auto join_ranks = reinterpret_cast<LitheRanks (*)()>(function);
    return std::unique_ptr<Ranks>(new Ranks(join_ranks()));
  }
  throw InputError(
      "started by mpirun, but this Lithe was built without MPI; install libopenmpi-dev and build it again, or "
      "start it alone: it uses all threads of the machine");
}

bool Ranks::distribute(const StudyEvaluator& evaluator, const Samples& samples, const std::vector<long>& rows,
                       const SweepControl& control) {
  Portions portions(rows, size());
  const int threads = std::max(control.threads, 1);
  double own_seconds = 0.0;
  long own_rows = 0;
  std::vector<int> out(size(), 0);  // portions that a rank has not answered yet
  const auto give = [&](int to) {
    const std::vector<long> portion = portions.next(own_rows > 0 ? own_seconds / static_cast<double>(own_rows) : 0.0);
    module_->send(to, portion.data(), portion.size() * sizeof(long));
    ++out[to];
  };
  // Two portions each: while a rank computes one, the answer to the other is on its way.
  for (int round = 0; round < 2; ++round)
    for (int to = 1; to < size(); ++to)
      if (!portions.empty()) give(to);
  std::string bytes;
  const auto is_waiting = [&] { return std::any_of(out.begin(), out.end(), [](int count) { return count > 0; }); };
  while (!portions.empty() || is_waiting()) {
    if (control.stop != nullptr && control.stop->load()) return false;
    bool busy = false;
    for (int from = receive(*module_, bytes); from >= 0; from = receive(*module_, bytes)) {
      busy = true;
      --out[from];
      if (!portions.empty()) give(from);
      Variant variant;
      for (std::string_view rest = bytes; !rest.empty();) {
        const long row = unpack(rest, variant);
        control.finished(row, variant);
      }
    }
    const std::vector<long> own = portions.take(static_cast<std::size_t>(threads));
    if (!own.empty()) {
      const Clock::time_point start = Clock::now();
      SweepControl here = control;
      here.threads = threads;
      if (!run_variants(evaluator, samples, own, here)) return false;
      own_seconds += std::chrono::duration<double>(Clock::now() - start).count() * threads;
      own_rows += std::ssize(own);
    } else if (!busy) {
      usleep(pause_us);
    }
  }
  for (int to = 1; to < size(); ++to) module_->send(to, nullptr, 0);  // nothing is left: they may go
  module_->finish();
  return true;
}

void Ranks::abort(int code) { module_->abort(code); }

void Ranks::work(const StudyEvaluator& evaluator, const Samples& samples, const SweepControl& control) {
  std::string bytes;
  for (;;) {
    if (receive(*module_, bytes) < 0) {
      usleep(pause_us);
      continue;
    }
    if (bytes.empty()) break;
    std::vector<long> rows(bytes.size() / sizeof(long));
    std::memcpy(rows.data(), bytes.data(), bytes.size());
    std::string answer;
    SweepControl here;
    here.threads = std::max(control.threads, 1);
    here.finished = [&](long row, const Variant& variant) { pack(row, variant, answer); };
    run_variants(evaluator, samples, rows, here);
    module_->send(0, answer.data(), answer.size());
  }
  module_->finish();
}

}  // namespace lithe::cli

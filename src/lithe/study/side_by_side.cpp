#include "lithe/study/side_by_side.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

#include "lithe/study/sweep.hpp"

namespace lithe::detail {
namespace {

/// The scheduler orders the start of the work before the tasks and the tasks before its end, but it does so inside a library
/// that the thread sanitizer does not look into. Said once more with a counter of our own, every order is there to be seen, and
/// what the sanitizer still reports is a fault.
class Handover {
 public:
  Handover() { count_.store(0, std::memory_order_release); }
  void take() { count_.load(std::memory_order_acquire); }
  void give_back() { count_.fetch_add(1, std::memory_order_release); }
  ~Handover() { count_.load(std::memory_order_acquire); }

 private:
  std::atomic<std::size_t> count_;
};

void run_all(std::size_t count, const std::function<void(std::size_t)>& task) {
  Handover handover;
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, count, 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
          handover.take();
          task(i);
          handover.give_back();
        }
      },
      tbb::simple_partitioner());
}

}  // namespace

void side_by_side(int threads, std::size_t count, const std::function<void(std::size_t)>& task) {
  const int allowed = threads > 0 ? threads : machine_threads();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(allowed));
  tbb::task_arena arena(allowed);
  arena.execute([&] { run_all(count, task); });
}

void side_by_side_within(std::size_t count, const std::function<void(std::size_t)>& task) {
  tbb::this_task_arena::isolate([&] { run_all(count, task); });
}

}  // namespace lithe::detail

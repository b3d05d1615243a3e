#pragma once
// Independent tasks on the threads of oneTBB.

#include <cstddef>
#include <functional>

namespace lithe::detail {

/// Calls task(0) ... task(count - 1), each once, in no particular order, on `threads` threads (0: those of the machine), and
/// returns when all are done. Tasks may differ in cost, and each is a lot of work for a scheduler: all are tasks of their own.
/// What was written before the call is seen by every task, and what tasks wrote by who called. An exception of a task ends the
/// others that have not begun and is thrown again here.
void side_by_side(int threads, std::size_t count, const std::function<void(std::size_t)>& task);

/// The same within a task of side_by_side(), on its threads. While the caller waits it takes up no other task than these.
void side_by_side_within(std::size_t count, const std::function<void(std::size_t)>& task);

}  // namespace lithe::detail

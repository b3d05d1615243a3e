#pragma once
// Ctrl-C: the first one asks the work to stop and keep its results, the second one ends the program at once.

#include <atomic>

namespace lithe::cli {

/// Catches SIGINT and SIGTERM from now on.
void catch_interrupts();

/// True once the user has asked to stop.
const std::atomic<bool>& stop_requested();

}  // namespace lithe::cli

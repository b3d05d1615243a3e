#pragma once
// How long a call takes, when it is made again and again.

#include <algorithm>
#include <chrono>

namespace lithe::cli {

/// Seconds per call(k), k counting up; the best of a few rounds, of which each lasts about `round` seconds. `call` gets
/// another k every time so that it can change its arguments: otherwise what is known already would be reused.
template <class Call>
double seconds_per_call(Call&& call, double round = 2e-3) {
  using clock = std::chrono::steady_clock;
  double best = 1e9;
  int calls = 1;
  for (int i = 0; i < 5; ++i) {
    const auto start = clock::now();
    for (int k = 0; k < calls; ++k) call(static_cast<std::size_t>(k));
    best = std::min(best, std::chrono::duration<double>(clock::now() - start).count() / calls);
    calls = std::clamp(static_cast<int>(round / std::max(best, 1e-9)), 1, 100000);
  }
  return best;
}

}  // namespace lithe::cli

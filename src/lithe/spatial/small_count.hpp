#pragma once
// Counts that the compiler knows.

#include <type_traits>

namespace lithe::detail {

/// Calls f(count), for the most common small counts with one that the compiler knows: loops of two or three rounds become
/// straight code, where counting them would take longer than the sums. Packs and duals have enough to do in every round.
template <class T, class F>
decltype(auto) with_count(int count, F&& f) {
  if constexpr (std::is_same_v<T, double>) {
    switch (count) {
      case 1:
        return f(std::integral_constant<int, 1>{});
      case 2:
        return f(std::integral_constant<int, 2>{});
      case 3:
        return f(std::integral_constant<int, 3>{});
      case 6:
        return f(std::integral_constant<int, 6>{});
      default:
        break;
    }
  }
  return f(count);
}

}  // namespace lithe::detail

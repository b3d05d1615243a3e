#include "lithe/laws/suggestion.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace lithe {

namespace {
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  // Optimal string alignment, row by row; three rows because a swap looks back two.
  const std::size_t n = b.size();
  std::vector<int> before(n + 1), last(n + 1), row(n + 1);
  for (std::size_t j = 0; j <= n; ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= n; ++j) {
      const char x = lower(a[i - 1]), y = lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x == y ? 0 : 1)});
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[n];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;  // nobody mistypes a longer word; keeps the cost bounded on hostile input
  if (word.empty() || word.size() > longest) return {};
  std::string best;
  // Two thirds of the letters must stand: up to 2 letters allow no slip but of case, 3 allow one, 6 two, 9 three.
  int best_distance = static_cast<int>(std::min<std::size_t>(word.size() / 3, 3)) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest) continue;
    if (std::abs(static_cast<int>(candidate.size()) - static_cast<int>(word.size())) >= best_distance) continue;
    const int distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string word_meant = nearest(word, known);
  return word_meant.empty() ? std::string{} : "; did you mean '" + word_meant + "'?";
}

}  // namespace lithe

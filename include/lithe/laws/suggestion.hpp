#pragma once
// "did you mean": the nearest of the known words.

#include <string>
#include <string_view>
#include <vector>

namespace lithe {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; letter case is
/// ignored.
int edit_distance(std::string_view a, std::string_view b);

/// The known word nearest to `word`, or empty when none is near enough to be a slip of the keyboard. Earlier words win
/// ties.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// "; did you mean 'length'?", or empty.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace lithe

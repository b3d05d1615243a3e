#include "name_patterns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lithe/laws/suggestion.hpp"
#include "model_options.hpp"

namespace lithe::cli {

bool fits(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') return fits(pattern.substr(1), name) || (!name.empty() && fits(pattern, name.substr(1)));
  return !name.empty() && name[0] == pattern[0] && fits(pattern.substr(1), name.substr(1));
}

std::vector<int> chosen_names(const std::vector<std::string>& names, const std::vector<std::string>& patterns,
                              const std::string& what) {
  std::vector<int> chosen;
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (int i = 0; i < static_cast<int>(names.size()); ++i) {
      if (!fits(pattern, names[i])) continue;
      any = true;
      if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) chosen.push_back(i);
    }
    if (any) continue;
    const std::string hint = did_you_mean(pattern, names);
    throw InputError(fmt::format("there is no {} '{}'{}", what, pattern,
                                 !hint.empty()   ? hint
                                 : names.empty() ? "; the model has none"
                                                 : fmt::format("; there are: {}", fmt::join(names, ", "))));
  }
  return chosen;
}

std::vector<std::pair<std::string, double>> pattern_numbers(const std::vector<std::string>& texts,
                                                            const std::string& flag) {
  std::vector<std::pair<std::string, double>> list;
  for (const std::string& text : texts) {
    const auto equals = text.rfind('=');
    double value = 0.0;
    const char *begin = text.data() + (equals == std::string::npos ? text.size() : equals + 1),
               *end = text.data() + text.size();
    const auto [rest, problem] = std::from_chars(begin, end, value);
    if (equals == std::string::npos || equals == 0 || begin == end || rest != end || problem != std::errc() ||
        !std::isfinite(value) || value <= 0.0)
      throw InputError(
          fmt::format("{} {}: expected NAME=NUMBER with a positive number, as in {} 'q.*=0.01'", flag, text, flag));
    list.emplace_back(text.substr(0, equals), value);
  }
  return list;
}

}  // namespace lithe::cli

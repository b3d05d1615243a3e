#pragma once
// Names that people choose by patterns, in which * stands for any letters.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lithe::cli {

/// Whether `name` fits `pattern`.
bool fits(std::string_view pattern, std::string_view name);

/// Places of the names that fit one of the patterns, in the order of the patterns, each once. `what` says in the message
/// what they are ("input"). Throws InputError for a pattern that fits nothing, with the nearest name.
std::vector<int> chosen_names(const std::vector<std::string>& names, const std::vector<std::string>& patterns,
                              const std::string& what);

/// "NAME=NUMBER" texts: pattern and number. Throws InputError.
std::vector<std::pair<std::string, double>> pattern_numbers(const std::vector<std::string>& texts,
                                                            const std::string& flag);

}  // namespace lithe::cli

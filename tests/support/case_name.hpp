#pragma once
// Names of parameterised tests: GoogleTest bears no hyphens.

#include <algorithm>
#include <string>

namespace lithe::testing {

inline std::string case_name(std::string text) {
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

}  // namespace lithe::testing

#pragma once
// What is wrong with a case file: names that mean nothing, numbers that do not fit.

#include <stdexcept>

namespace lithe::reproduce {

class CaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lithe::reproduce

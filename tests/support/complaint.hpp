#pragma once
// What is said against something, for tests of exact messages.

#include <stdexcept>
#include <string>

namespace lithe::testing {

/// The message of the std::runtime_error that `act` throws; "accepted" when it throws none.
template <class Act>
std::string complaint_of(const Act& act) {
  try {
    act();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace lithe::testing

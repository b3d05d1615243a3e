#pragma once
// Published numbers beside ours.

#include <algorithm>
#include <atomic>

#include "reproduce/case_file.hpp"

namespace lithe::reproduce {

struct Reproduced {
  ExpectedNumber expected;
  double ours = 0.0;
  bool passed = false;
};

struct ReproducedBlock {
  const CaseBlock* block = nullptr;
  std::string failure;  ///< when the block could not be run at all
  std::vector<Reproduced> numbers;
  bool passed() const {
    return failure.empty() && std::all_of(numbers.begin(), numbers.end(), [](const auto& each) { return each.passed; });
  }
};

/// Does what the block says and judges every number. `stop` ends a run early. Throws CaseError.
ReproducedBlock reproduce_block(const CaseBlock& block, const std::atomic<bool>& stop);

}  // namespace lithe::reproduce

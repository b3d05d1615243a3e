#pragma once
// How a part of a run ended.

#include <memory>
#include <string>
#include <utility>

#include "lithe/kinematics/state.hpp"

namespace lithe {

/// A Status with its words. In a run the culprit may be a law, a controller or an integrator, which no code of Status
/// names; and where it fails, the time is known. Fine is a null pointer: nothing is allocated.
class [[nodiscard]] RunStatus {
 public:
  RunStatus() = default;  ///< fine
  /// The Status of an evaluation at time t, with the words of describe().
  RunStatus(const Plan& plan, const Status& status, double t) {
    if (!status) why_ = std::make_unique<const std::string>(describe(plan, status, t));
  }
  /// Refused. Without words: there is no such state, and whoever asked for it says what that means.
  static RunStatus refused(std::string why = {}) {
    RunStatus status;
    status.why_ = std::make_unique<const std::string>(std::move(why));
    return status;
  }

  explicit operator bool() const { return why_ == nullptr; }
  /// One sentence for the user; only of what was refused.
  const std::string& why() const { return *why_; }

 private:
  std::unique_ptr<const std::string> why_;
};

}  // namespace lithe

#pragma once
// The events of a run: functions of the state for the watch, and which of them have happened.

#include <limits>
#include <optional>
#include <vector>

#include "lithe/simulation/equations.hpp"
#include "lithe/simulation/quantity_probe.hpp"

namespace lithe::detail {

class RunEvents {
 public:
  /// `model` must outlive this object. Throws MechanismError for names that there are not.
  RunEvents(const Model& model, const Plan& plan, Workspace& work);

  bool any() const { return !entries_.empty(); }
  int count() const { return static_cast<int>(entries_.size()); }

  /// One function per event: each passes through zero when its event happens. Those that cannot happen stay above.
  RunStatus evaluate(const State& state, Equations& equations, VectorOut values);
  /// A function has passed through zero.
  void passed(int function, bool rises, double t);

  /// Why a condition could not be evaluated; empty: it could.
  const std::string& refusal() const { return refusal_; }

  /// Events that have happened and whose actions have not been taken yet.
  std::vector<const Event*> take_due();
  bool has_due() const { return !due_.empty(); }
  bool ends_run() const;  ///< does one of these?
  /// Those at the start of a run.
  void begin(double t);

  /// Adds known instants after `from`, at which steps should end.
  void add_instants(double from, double until, std::vector<double>& times) const;
  /// Notes which events did not happen.
  void judge(Audit& audit) const;

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  struct Entry {
    const Event* event;
    int after = -1;            ///< entry of the event that it waits for
    std::vector<int> sources;  ///< where its quantities stand among those of the probe
    double last = -never;      ///< when it happened last, s
    bool happened() const { return last > -never; }
  };

  bool can_happen(const Entry& entry) const;
  double instant_of(const Entry& entry) const;

  std::vector<Entry> entries_;
  std::vector<int> due_;
  std::optional<QuantityProbe> probe_;  ///< where conditions use quantities
  std::vector<double> variables_;
  std::string refusal_;
};

}  // namespace lithe::detail

#pragma once
// Small bending, watched along a run: the measure of every elastic link, a warning beyond a tenth, distrust beyond one
// half.

#include "lithe/simulation/bending_remarks.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::detail {

class BendingAudit {
 public:
  explicit BendingAudit(const Plan& plan) : plan_(plan), watch_(plan) {}

  void look(const State& state) { watch_.look(state.q, state.t); }

  void judge(Audit& audit) const {
    for (const LinkBending& each : watch_.worst())
      audit.bending[plan_.mechanism().links[each.link].name] = each.measure();
    remark_bending(plan_, watch_.worst(), true, audit);
  }

 private:
  const Plan& plan_;
  BendingWatch watch_;
};

}  // namespace lithe::detail

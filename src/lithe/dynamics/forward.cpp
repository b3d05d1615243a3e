#include "lithe/dynamics/forward.hpp"

#include <cmath>
#include <limits>

#include "lithe/dynamics/composite.hpp"
#include "lithe/dynamics/element_forces.hpp"
#include "lithe/dynamics/formulation_table.hpp"
#include "lithe/dynamics/formulations.hpp"
#include "lithe/dynamics/stress.hpp"
#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/motion.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

namespace {

/// Without a branch for every number.
bool all_finite(const VectorX& x) {
  bool finite = true;
  for (Eigen::Index i = 0; i < x.size(); ++i) finite &= std::abs(x[i]) <= std::numeric_limits<double>::max();
  return finite;
}

}  // namespace

Status forward_dynamics(const Plan& plan, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                        const ForwardOptions& options) {
  if (plan.compiled().stressed.empty()) return plain_forward(plan, work, state, actions, a, options);
  Actions stressed = actions;
  return stressed_forward_dynamics(plan, work, state, stressed, a, options);
}

Status detail::plain_forward(const Plan& plan, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                             const ForwardOptions& options) {
  if (a.size() != plan.nv()) a.setZero(plan.nv());
  if (!all_finite(state.q) || !all_finite(state.v)) return {Status::Code::not_finite, -1, 0.0};
  const Actions& acting =
      with_kernel(work, [&](auto& k) -> const Actions& { return with_elements(k, state, actions); });
  return row_of(options.formulation).forward(plan, work, state, acting, a, options);
}

Status project_state(const Plan& plan, Workspace& work, State& state, const ForwardOptions& options) {
  if (plan.closure_count() == 0) return {};
  if (const FormulationRow& row = row_of(options.formulation); row.project != nullptr) {
    const Status status = row.project(work, state, options.prescribed);
    if (status.code != Status::Code::not_applicable) return status;
  }
  if (const Status status = project_positions(plan, work, state.q); !status) return status;
  return complete_speeds(plan, work, state.q, state.v);
}

Status generalised_inertia(const Plan&, Workspace& work, const VectorX& q, MatrixX& G) {
  return with_kernel(work, [&](auto& k) -> Status {
    update_positions(k, q);
    const RowMatrix& M = composite_inertia(k);
    if (k.row_count == 0) {
      G = M;
      return {};
    }
    if (Status status = update_complement(k); !status) return status;
    G = reduced_inertia(k, M).template selfadjointView<Eigen::Lower>();
    return {};
  });
}

void tree_inertia(const Plan&, Workspace& work, const VectorX& q, MatrixX& M) {
  with_kernel(work, [&](auto& k) {
    update_positions(k, q);
    M = composite_inertia(k);
  });
}

}  // namespace lithe

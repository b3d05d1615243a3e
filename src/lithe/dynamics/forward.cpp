#include "lithe/dynamics/forward.hpp"

#include "lithe/dynamics/composite.hpp"
#include "lithe/dynamics/formulations.hpp"
#include "lithe/dynamics/stress.hpp"
#include "lithe/kinematics/complement.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

std::string_view name_of(Formulation formulation) {
  switch (formulation) {
    case Formulation::noc:
      return "noc";
    case Formulation::denoc:
      return "denoc";
    case Formulation::multipliers:
      return "multipliers";
    case Formulation::penalty:
      return "penalty";
    case Formulation::partitioning:
      return "partitioning";
    case Formulation::noc_dense:
      return "noc-dense";
  }
  return "";
}

Status forward_dynamics(const Plan& plan, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                        Formulation formulation, const std::vector<int>& prescribed,
                        const Stabilisation& stabilisation) {
  if (plan.compiled().stressed.empty())
    return plain_forward(plan, work, state, actions, a, formulation, prescribed, stabilisation);
  Actions stressed = actions;
  return stressed_forward_dynamics(plan, work, state, stressed, a, formulation, prescribed, stabilisation);
}

namespace {

/// The textbook's own factorisation of A knows no way through a singular pose; the complement does.
bool crosses_singular_pose(Workspace& work, const VectorX& q) {
  return with_kernel(work, [&](auto& k) {
    update_positions(k, q);
    return k.row_count > 0 && k.weakness < weak_pose && update_complement(k) && k.crosses;
  });
}

}  // namespace

Status detail::plain_forward(const Plan& plan, Workspace& work, const State& state, const Actions& actions, VectorX& a,
                             Formulation formulation, const std::vector<int>& prescribed,
                             const Stabilisation& stabilisation) {
  if (a.size() != plan.nv()) a.setZero(plan.nv());
  if (!state.q.allFinite() || !state.v.allFinite()) return {Status::Code::not_finite, -1, 0.0};
  if (formulation == Formulation::partitioning && !crosses_singular_pose(work, state.q))
    return partitioning_forward(plan, work, state, actions, a, prescribed);
  if (formulation == Formulation::partitioning) formulation = Formulation::noc_dense;
  if (formulation == Formulation::noc_dense) return noc_dense_forward(plan, work, state, actions, a, prescribed);
  return with_kernel(work, [&](auto& k) {
    for (int p : prescribed) k.prescribed[p] = 1;
    Status status;
    if (formulation == Formulation::multipliers)
      status = multiplier_forward(k, work.scratch(), state, actions, a, stabilisation);
    else if (formulation == Formulation::denoc)
      status = denoc_forward(k, work.scratch(), state, actions, a);
    else if (formulation == Formulation::penalty)
      status = penalty_forward(k, work.scratch(), state, actions, a, stabilisation);
    else
      status = noc_forward(k, work.scratch(), state, actions, a);
    for (int p : prescribed) k.prescribed[p] = 0;
    return status;
  });
}

Status generalised_inertia(const Plan&, Workspace& work, const VectorX& q, MatrixX& G) {
  return with_kernel(work, [&](auto& k) -> Status {
    update_positions(k, q);
    composite_inertia(k);
    if (k.row_count == 0) {
      G = k.M;
      return {};
    }
    if (Status status = update_complement(k); !status) return status;
    reduce_inertia(k);
    G = k.G.template selfadjointView<Eigen::Lower>();
    return {};
  });
}

void tree_inertia(const Plan&, Workspace& work, const VectorX& q, MatrixX& M) {
  with_kernel(work, [&](auto& k) {
    update_positions(k, q);
    composite_inertia(k);
    M = k.M;
  });
}

std::string why_not_applicable(const Plan& plan, Formulation formulation) {
  if (formulation == Formulation::denoc) return denoc_refusal(plan.compiled());
  if (formulation == Formulation::penalty && plan.cut_joints().empty()) return "there are no closures to relax";
  return "";
}

}  // namespace lithe

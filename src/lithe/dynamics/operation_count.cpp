#include "lithe/dynamics/operation_count.hpp"

#include "lithe/dynamics/articulated.inc"
#include "lithe/dynamics/cluster_sweep.inc"
#include "lithe/dynamics/composite.inc"
#include "lithe/dynamics/elastic_body.inc"
#include "lithe/dynamics/newton_euler.inc"
#include "lithe/dynamics/noc.inc"
#include "lithe/kinematics/closures.inc"
#include "lithe/kinematics/complement.inc"
#include "lithe/kinematics/kernel.inc"
#include "lithe/kinematics/lift.inc"

namespace lithe {

// What sweeps ask of a number (spatial/numbers.hpp): free of charge.
inline double lowest(const Counted& x) { return x.value(); }
inline double highest(const Counted& x) { return x.value(); }
inline double least_size(const Counted& x) { return std::abs(x.value()); }
inline double largest_size(const Counted& x) { return std::abs(x.value()); }
inline bool is_zero(const Counted& x) { return x.value() == 0.0; }
inline Counted inverse_or_zero(const Counted& x) { return x.value() == 0.0 ? Counted(0.0) : 1.0 / x; }
inline void write_quaternion_of(const Eigen::Matrix<Counted, 3, 3>& rotation, Counted* q) {
  double values[4];
  detail::write_quaternion_of(rotation.unaryExpr([](const Counted& x) { return x.value(); }), values);
  for (int i = 0; i < 4; ++i) q[i] = values[i];
}
inline Eigen::Matrix<Counted, 3, 1> vector_from_rotation(const Eigen::Matrix<Counted, 3, 3>& rotation) {
  return vector_from_rotation(Mat3(rotation.unaryExpr([](const Counted& x) { return x.value(); }))).cast<Counted>();
}

namespace detail {

namespace {

template <class S>
const Selection& selection_of(const Workspace& work) {
  if constexpr (S::planar)
    return work.scratch().flat->selection;
  else
    return work.scratch().full->selection;
}

/// Calls evaluate(kernel, state, actions, a) in counting numbers.
template <class S, class Evaluate>
OperationCount count(const Plan& plan, const Workspace& work, const State& state, const Actions& actions,
                     Evaluate&& evaluate) {
  Kernel<S> k(plan.compiled(), plan.compiled().tables<typename S::Constants>());
  k.selection = selection_of<S>(work);
  k.resize_for_selection();
  const NumberState<Counted> counted{state.q.cast<Counted>(), state.v.cast<Counted>()};
  const NumberActions<Counted> acting{actions.tau.cast<Counted>(), actions.loads, actions.line_loads};
  VectorOf<Counted> a = VectorOf<Counted>::Zero(plan.nv());
  const OperationCount before = Counted::tally();
  const bool works = evaluate(k, counted, acting, a);
  const OperationCount after = Counted::tally();
  return works ? after - before : OperationCount{};
}

template <class Evaluate>
OperationCount count_either(const Plan& plan, const Workspace& work, const State& state, const Actions& actions,
                            Evaluate&& evaluate) {
  return work.scratch().planar ? count<PlanarOf<Counted>>(plan, work, state, actions, evaluate)
                               : count<SpatialOf<Counted>>(plan, work, state, actions, evaluate);
}

}  // namespace

}  // namespace detail

OperationCount count_forward(const Plan& plan, const Workspace& work, const State& state, const Actions& actions) {
  return detail::count_either(plan, work, state, actions,
                              [](auto& k, const auto& counted, const auto& acting, auto& a) {
                                return bool(noc_forward(k, counted, acting, a, {}));
                              });
}

OperationCount count_inverse(const Plan& plan, const Workspace& work, const State& state, const VectorX& a,
                             const Actions& actions) {
  return detail::count_either(plan, work, state, actions,
                              [&](auto& k, const auto& counted, const auto& acting, auto& given) {
                                given = a.cast<Counted>();
                                update_positions(k, counted.q);
                                if (k.row_count > 0 && !update_complement(k)) return false;
                                detail::VectorOf<Counted> force = given, reduced(k.independents());
                                accelerating_force(k, counted, acting, force, &given);
                                project_force(k, force, reduced);
                                return true;
                              });
}

}  // namespace lithe

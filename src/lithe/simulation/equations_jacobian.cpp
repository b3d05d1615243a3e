// Derivatives of the equations of motion by the state vector of the integrators, from the exact derivatives of forward
// dynamics (dynamics/derivatives.hpp):
//
//   y = [q; v_i],   dq = N dx,   dv = N dv_i + (what the pose does to the dependent speeds) dx.
//
// Forces of drives and controllers may hang on the state in any way; they alone, and the powers, are taken by
// differences, which cost no solution of the equations of motion. Coordinates that depend on others are put onto the
// closures by every evaluation, so nothing depends on them.

#include <algorithm>

#include "lithe/dynamics/elements.hpp"
#include "lithe/mechanism/compiled.hpp"
#include "lithe/simulation/equations.hpp"
#include "lithe/simulation/stopwatch.hpp"

namespace lithe::detail {

namespace {

constexpr double difference = 1e-7;  ///< rad or characteristic lengths (per second) by which the state is moved

bool is_listed(const std::vector<int>& list, int i) { return std::find(list.begin(), list.end(), i) != list.end(); }

/// Where the coordinates of a speed stand in q, and how they change with it: one entry, or the four of a quaternion.
template <class Visit>
void each_coordinate(const Plan& plan, const VectorX& q, int speed, const Visit& visit) {
  const Compiled& c = plan.compiled();
  for (std::size_t i = 0; i < c.quaternions.size(); ++i) {
    const int axis = speed - c.quaternion_speeds[i];
    if (axis < 0 || axis > 2) continue;
    // q' = q w / 2, w in the axes of the to-frame. Unit quaternions: a change of an entry turns by four times its rate.
    const double* p = q.data() + c.quaternions[i];
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    visit(c.quaternions[i], -2.0 * p[1 + axis]);
    visit(c.quaternions[i] + 1 + axis, 2.0 * p[0]);
    visit(c.quaternions[i] + 1 + j, 2.0 * p[1 + k]);
    visit(c.quaternions[i] + 1 + k, -2.0 * p[1 + j]);
    return;
  }
  visit(position_of_speed(plan, speed), 1.0);
}

}  // namespace

bool Equations::has_jacobian() const {
  return minimal_ && (plan_.closure_count() == 0 || projection_ == Projection::evaluation) && !has_elements(plan_) &&
         controller_states_ == 0 && !plan_.has_stress_stiffening() && !holds_.has_locks();
}

bool Equations::jacobian(double t, VectorIn y, MatrixOut columns) {
  JacobianMemory& m = jacobian_;
  RunStatus evaluated = unpack(t, y, projection_ == Projection::evaluation, state_);
  if (evaluated) evaluated = evaluate(state_);
  if (!evaluated) return false;
  const SamplingStopwatch watch(time_.jacobian);
  const auto derive = [&] {
    return forward_derivatives(plan_, work_, state_, actions_, a_, m.exact, {m.forces, drives_.prescribed()});
  };
  if (!derive() || !loop_complement(plan_, work_, state_.q, m.complement) || !find_force_slopes()) return false;
  const std::size_t known = m.forces.size();
  for (int r = 0; r < m.force_slopes.rows(); ++r)
    if (!is_listed(m.forces, r) && !m.force_slopes.row(r).isZero(0.0)) m.forces.push_back(r);
  if (m.forces.size() > known && !derive()) return false;
  put_columns(columns);
  return columns.allFinite();
}

bool Equations::find_force_slopes() {
  JacobianMemory& m = jacobian_;
  const std::vector<int>& independent = work_.independent();
  const auto f = std::ssize(independent);
  m.force_slopes.setZero(actions_.tau.size(), 2 * f);
  m.power_slopes.setZero(2, 2 * f);
  m.moved_actions = actions_;
  const double supplied = supplied_power(plan_, work_, state_, actions_);
  const double dissipated = dissipated_power(plan_, work_, state_);
  for (Eigen::Index i = 0; i < 2 * f; ++i) {
    const bool is_speed = i >= f;
    const int speed = independent[i % f];
    if (is_listed(drives_.prescribed(), speed)) continue;
    const double h = difference * plan_.speed_scale(speed);
    m.moved = state_;
    m.dv = h * m.complement.col(i % f);
    if (is_speed) {
      m.moved.v += m.dv;
    } else {
      move_coordinates(plan_, m.dv, m.moved.q);
      m.moved.v += h * m.exact.carried.col(i);
    }
    if (!drives_.evaluate(m.moved, work_, m.moved_actions)) return false;
    // What keeps prescribed motions is known here only.
    for (const int held : drives_.prescribed()) m.moved_actions.tau[held] = actions_.tau[held];
    m.force_slopes.col(i) = (m.moved_actions.tau - actions_.tau) / h;
    m.power_slopes(0, i) = (supplied_power(plan_, work_, m.moved, m.moved_actions) - supplied) / h;
    m.power_slopes(1, i) = (dissipated_power(plan_, work_, m.moved) - dissipated) / h;
  }
  return true;
}

void Equations::put_columns(MatrixOut columns) {
  JacobianMemory& m = jacobian_;
  const std::vector<int>& independent = work_.independent();
  const auto f = std::ssize(independent);
  const Eigen::Index nq = plan_.nq();
  columns.setZero();
  for (Eigen::Index i = 0; i < f; ++i) {
    if (is_listed(drives_.prescribed(), independent[i])) continue;
    auto by_speed = columns.col(nq + i);
    const auto put = [&](auto&& column, const VectorX& dv, const MatrixX& da, Eigen::Index direction, double share) {
      coordinate_rates(plan_, state_.q, dv, m.rate);
      column.head(nq) += share * m.rate;
      for (Eigen::Index r = 0; r < f; ++r) {
        double second = da(independent[r], i);
        for (std::size_t j = 0; j < m.forces.size(); ++j)
          second +=
              m.exact.by_force(independent[r], static_cast<Eigen::Index>(j)) * m.force_slopes(m.forces[j], direction);
        column[nq + r] += share * second;
      }
      column.template tail<2>() += share * m.power_slopes.col(direction);
    };
    m.dv = m.complement.col(i);
    put(by_speed, m.dv, m.exact.by_speed, f + i, 1.0);
    // Rates of quaternions are linear in them: the part that comes with a turn at constant speeds.
    coordinate_rates(plan_, state_.q, m.dv, m.dq);
    coordinate_rates(plan_, m.dq, state_.v, m.rate);
    m.dq.setZero();
    for (const int start : plan_.compiled().quaternions) m.dq.segment<4>(start) = m.rate.segment<4>(start);
    m.dv = m.exact.carried.col(i);
    each_coordinate(plan_, state_.q, independent[i], [&](int entry, double share) {
      put(columns.col(entry), m.dv, m.exact.by_position, i, share);
      columns.col(entry).head(nq) += share * m.dq;
    });
  }
}

}  // namespace lithe::detail

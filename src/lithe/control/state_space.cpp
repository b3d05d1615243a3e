#include "lithe/control/state_space.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/analysis/linearize.hpp"
#include "lithe/control/exponential.hpp"
#include "lithe/control/held_interval.hpp"
#include "lithe/errors.hpp"

namespace lithe {
namespace {

std::vector<std::string> joined(const std::vector<std::string>& first, const std::vector<std::string>& second,
                                Eigen::Index first_size, Eigen::Index second_size) {
  if (first.size() != static_cast<std::size_t>(first_size) || second.size() != static_cast<std::size_t>(second_size))
    return {};
  std::vector<std::string> all = first;
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

void require_same_time(const StateSpace& first, const StateSpace& second) {
  if (first.sample == second.sample) return;
  const auto words = [](double period) {
    return period > 0 ? fmt::format("sampled every {} s", period) : std::string("continuous");
  };
  throw MechanismError("linear system", fmt::format("systems are put together of which one is {} and the other {}",
                                                    words(first.sample), words(second.sample)));
}

/// Throws when one system does not have as many outputs as the other has inputs.
void require_fit(Eigen::Index outputs, Eigen::Index inputs) {
  if (outputs != inputs)
    throw MechanismError("linear system",
                         fmt::format("a system with {} outputs feeds one with {} inputs", outputs, inputs));
}

}  // namespace

std::string why_inconsistent(const StateSpace& system) {
  const Eigen::Index n = system.A.rows(), m = system.B.cols(), p = system.C.rows();
  const auto misfit = [](const char* name, const MatrixX& matrix, Eigen::Index rows, Eigen::Index columns) {
    if (matrix.rows() != rows || matrix.cols() != columns)
      return fmt::format("{} has {} rows and {} columns; {} x {} fit the other matrices", name, matrix.rows(),
                         matrix.cols(), rows, columns);
    return matrix.allFinite() ? std::string() : fmt::format("{} has entries that are no numbers", name);
  };
  const auto miscount = [](const char* what, const std::vector<std::string>& names, Eigen::Index size) {
    if (names.empty() || names.size() == static_cast<std::size_t>(size)) return std::string();
    return fmt::format("{} names for {} {}", names.size(), size, what);
  };
  std::string why;
  if (!(system.sample >= 0.0) || !std::isfinite(system.sample))
    why = fmt::format("the sample time is {} s; it is positive, or zero for continuous time", system.sample);
  for (const std::string& each : {misfit("A", system.A, n, n), misfit("B", system.B, n, m), misfit("C", system.C, p, n),
                                  misfit("D", system.D, p, m), why, miscount("states", system.states, n),
                                  miscount("inputs", system.inputs, m), miscount("outputs", system.outputs, p)})
    if (!each.empty()) return each;
  return "";
}

void require_consistent(const StateSpace& system) {
  if (const std::string why = why_inconsistent(system); !why.empty())
    throw MechanismError("linear system", "linear system: " + why);
}

StateSpace select(const StateSpace& system, const std::vector<int>& inputs, const std::vector<int>& outputs) {
  StateSpace part = system;
  part.B = system.B(Eigen::all, inputs);
  part.C = system.C(outputs, Eigen::all);
  part.D = MatrixX(system.D(outputs, Eigen::all))(Eigen::all, inputs);
  const auto named = [](const std::vector<std::string>& names, const std::vector<int>& chosen) {
    std::vector<std::string> kept;
    for (const int i : chosen)
      if (!names.empty()) kept.push_back(names[i]);
    return kept;
  };
  part.inputs = named(system.inputs, inputs);
  part.outputs = named(system.outputs, outputs);
  return part;
}

StateSpace sample(const StateSpace& system, double period, double delay) {
  require_consistent(system);
  if (system.is_sampled()) throw MechanismError("linear system", "a system that is sampled is not sampled again");
  if (!(period > 0.0) || !std::isfinite(period))
    throw MechanismError("sample time", fmt::format("the sample time is {} s; it must be positive", period));
  if (!(delay >= 0.0) || !std::isfinite(delay))
    throw MechanismError("delay", fmt::format("the delay is {} s; it must not be negative", delay));
  const Eigen::Index n = system.A.rows(), m = system.B.cols(), p = system.C.rows();
  const std::vector<detail::HeldPart> parts = detail::held_parts(period, delay);
  const Eigen::Index late = parts[0].back, total = n + late * m;
  StateSpace result{MatrixX::Zero(total, total),
                    MatrixX::Zero(total, m),
                    MatrixX::Zero(p, total),
                    MatrixX::Zero(p, m),
                    period,
                    system.states,
                    system.inputs,
                    system.outputs};
  result.A.topLeftCorner(n, n).setIdentity();
  for (const detail::HeldPart& part : parts) {
    const detail::HeldInput held = detail::hold_input(system.A, system.B, part.h);
    result.A.topRows(n) = held.Phi * MatrixX(result.A.topRows(n));
    (part.back == 0 ? result.B : result.A).block(0, part.back == 0 ? 0 : n + (part.back - 1) * m, n, m) += held.Gamma;
  }
  for (Eigen::Index back = 1; back <= late; ++back) {
    const MatrixX one = MatrixX::Identity(m, m);
    if (back == 1)
      result.B.middleRows(n, m) = one;
    else
      result.A.block(n + (back - 1) * m, n + (back - 2) * m, m, m) = one;
  }
  result.C.leftCols(n) = system.C;
  if (late == 0)
    result.D = system.D;
  else
    result.C.middleCols(n + (late - 1) * m, m) = system.D;
  if (!system.states.empty() && !system.inputs.empty())
    for (Eigen::Index back = 1; back <= late; ++back)
      for (const std::string& input : system.inputs) result.states.push_back(fmt::format("{}[k-{}]", input, back));
  else if (late > 0)
    result.states.clear();
  return result;
}

StateSpace series(const StateSpace& first, const StateSpace& second) {
  require_same_time(first, second);
  require_fit(first.C.rows(), second.B.cols());
  const Eigen::Index n = first.A.rows(), k = second.A.rows();
  StateSpace both{MatrixX::Zero(n + k, n + k),
                  MatrixX(n + k, first.B.cols()),
                  MatrixX(second.C.rows(), n + k),
                  second.D * first.D,
                  first.sample,
                  joined(first.states, second.states, n, k),
                  first.inputs,
                  second.outputs};
  both.A.topLeftCorner(n, n) = first.A;
  both.A.bottomLeftCorner(k, n) = second.B * first.C;
  both.A.bottomRightCorner(k, k) = second.A;
  both.B << first.B, second.B * first.D;
  both.C << second.D * first.C, second.C;
  return both;
}

StateSpace feedback(const StateSpace& plant, const StateSpace& controller, double sign) {
  require_same_time(plant, controller);
  require_fit(plant.C.rows(), controller.B.cols());
  require_fit(controller.C.rows(), plant.B.cols());
  const Eigen::Index n = plant.A.rows(), k = controller.A.rows(), m = plant.B.cols(), p = plant.C.rows();
  // y = C x + D (r + s (Ck xk + Dk y)) is solved for y.
  const MatrixX inner = MatrixX::Identity(p, p) - sign * MatrixX(plant.D * controller.D);
  const Eigen::FullPivLU<MatrixX> solver(inner);
  if (!solver.isInvertible())
    throw PhysicsError("the loop of two linear systems has no solution: their direct feedthroughs cancel");
  const MatrixX y_x = solver.solve(plant.C), y_xk = solver.solve(MatrixX(sign * MatrixX(plant.D * controller.C))),
                y_r = solver.solve(plant.D);
  const MatrixX u_x = sign * MatrixX(controller.D * y_x),
                u_r = MatrixX::Identity(m, m) + sign * MatrixX(controller.D * y_r);
  const MatrixX u_xk = sign * MatrixX(controller.C + MatrixX(controller.D * y_xk));
  StateSpace loop{MatrixX(n + k, n + k), MatrixX(n + k, m),
                  MatrixX(p, n + k),     y_r,
                  plant.sample,          joined(plant.states, controller.states, n, k),
                  plant.inputs,          plant.outputs};
  loop.A << plant.A + plant.B * u_x, plant.B * u_xk, controller.B * y_x, controller.A + controller.B * y_xk;
  loop.B << plant.B * u_r, controller.B * y_r;
  loop.C << y_x, y_xk;
  return loop;
}

StateSpace state_feedback(const StateSpace& plant, const MatrixX& K) {
  StateSpace loop = plant;
  loop.A -= MatrixX(plant.B * K);
  loop.C -= MatrixX(plant.D * K);
  return loop;
}

StateSpace with_integrators(const StateSpace& plant, const std::vector<int>& outputs) {
  const Eigen::Index n = plant.A.rows();
  const auto k = std::ssize(outputs);
  const double step = plant.is_sampled() ? plant.sample : 1.0;
  StateSpace whole = plant;
  whole.A = MatrixX::Zero(n + k, n + k);
  whole.A.topLeftCorner(n, n) = plant.A;
  whole.A.bottomLeftCorner(k, n) = step * plant.C(outputs, Eigen::all);
  if (plant.is_sampled()) whole.A.bottomRightCorner(k, k).setIdentity();
  whole.B = MatrixX(n + k, plant.B.cols());
  whole.B << plant.B, step * plant.D(outputs, Eigen::all);
  whole.C = MatrixX::Zero(plant.C.rows(), n + k);
  whole.C.leftCols(n) = plant.C;
  if (plant.states.empty() || plant.outputs.empty())
    whole.states.clear();
  else
    for (const int output : outputs) whole.states.push_back("integral." + plant.outputs[output]);
  return whole;
}

double Pole::frequency() const { return std::abs(rate) / (2 * std::numbers::pi); }

double Pole::damping() const { return std::abs(rate) > 0.0 ? -rate.real() / std::abs(rate) : 1.0; }

std::vector<Pole> poles(const StateSpace& system) {
  std::vector<Pole> found;
  for (const std::complex<double>& value : poles(system.A))
    found.push_back({value, system.is_sampled() ? std::log(value) / system.sample : value});
  return found;
}

bool is_stable(const StateSpace& system) {
  const std::vector<Pole> found = poles(system);
  return std::all_of(found.begin(), found.end(), [](const Pole& pole) { return pole.is_stable(); });
}

}  // namespace lithe

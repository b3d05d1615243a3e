#include "lithe/io/parameter_derivatives.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/io/reread_model.hpp"
#include "lithe/laws/suggestion.hpp"

namespace lithe {
namespace {

constexpr double widest_step = 0.02;  ///< of the parameter, or of one where it is zero
constexpr int halvings = 5;
constexpr double good = 1e-10;  ///< relative distance of two differences at which halving ends
constexpr double rough = 1e-6;  ///< and beyond which the parameter is refused

using Answer = std::function<VectorX(Prepared&)>;

/// The mechanism with another value of a parameter, standing at the independent coordinates and speeds of `at`.
Prepared variant(const Model& model, const Prepared& at, const std::string& name, double value) {
  const Model changed = reread_model(model, {{name, fmt::format("{:.17g}", value)}});
  Prepared other = prepare(changed, Arithmetic::automatic, Start::nearest);
  bool same = other.plan.nv() == at.plan.nv() && other.plan.nq() == at.plan.nq();
  for (int v = 0; same && v < at.plan.nv(); ++v) same = other.plan.speed_name(v) == at.plan.speed_name(v);
  if (!same)
    throw PhysicsError(fmt::format(
        "at {} = {:.6g} the model has other coordinates than at the value of the file: there is no derivative "
        "by '{}'; give the modes of its links by number",
        name, value, name));
  const auto require = [&](const Status& status) {
    if (!status)
      throw PhysicsError(fmt::format("at {} = {:.6g}: {}", name, value, describe(other.plan, status, at.state.t)));
  };
  other.state = at.state;
  require(select_independent(other.plan, other.work, other.state.q, at.work.independent()));
  if (other.work.independent() != at.work.independent())
    throw PhysicsError(
        fmt::format("at {} = {:.6g} other coordinates are independent; the pose is too near to a singular "
                    "one for a derivative by '{}'",
                    name, value, name));
  require(project_positions(other.plan, other.work, other.state.q));
  require(complete_speeds(other.plan, other.work, other.state.q, other.state.v));
  return other;
}

/// Central difference of eighth order.
VectorX difference(const Model& model, const Prepared& at, const std::string& name, double step, const Answer& answer) {
  constexpr std::array weights = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const double value = model.parameters.at(name);
  VectorX slope;
  for (int i = 0; i < 4; ++i)
    for (const double side : {1.0, -1.0}) {
      const double moved = value + side * (i + 1) * step;
      Prepared other = variant(model, at, name, moved);
      const VectorX part = side * weights[i] / step * answer(other);
      slope = slope.size() == 0 ? part : VectorX(slope + part);
    }
  return slope;
}

/// Steps are halved until two differences agree, or rounding makes them part again.
ParameterSlopes slopes_by(const Model& model, const Prepared& at, const std::vector<std::string>& names,
                          const Answer& answer) {
  ParameterSlopes result;
  result.error.setZero(std::ssize(names));
  std::vector<std::string> known;
  for (const auto& [name, value] : model.parameters) known.push_back(name);
  for (std::size_t j = 0; j < names.size(); ++j) {
    const std::string& name = names[j];
    if (!model.parameters.contains(name))
      throw MechanismError(name, fmt::format("the model has no parameter '{}'{}", name, did_you_mean(name, known)));
    const double value = std::abs(model.parameters.at(name));
    double step = widest_step * (value > 0.0 ? value : 1.0);
    VectorX best, coarse = difference(model, at, name, step, answer);
    double error = std::numeric_limits<double>::infinity();
    for (int i = 0; i < halvings && error > good; ++i) {
      step /= 2;
      VectorX fine = difference(model, at, name, step, answer);
      const double size = fine.norm(), apart = (fine - coarse).norm() / (size > 0.0 ? size : 1.0);
      if (apart < error) {
        error = apart;
        best = fine;
      }
      coarse = fine;
    }
    if (!(error < rough))
      throw PhysicsError(
          fmt::format("the model does not change smoothly with '{}': differences over {:.3g} percent of it "
                      "and half of that are {:.2g} apart",
                      name, 100 * widest_step, error));
    if (j == 0) result.slopes.resize(best.size(), std::ssize(names));
    result.slopes.col(static_cast<Eigen::Index>(j)) = best;
    result.error[static_cast<Eigen::Index>(j)] = error;
  }
  return result;
}

}  // namespace

ParameterSlopes forward_slopes_by_parameters(const Model& model, const Prepared& at, const Actions& actions,
                                             const std::vector<std::string>& parameters) {
  return slopes_by(model, at, parameters, [&](Prepared& other) {
    VectorX a = VectorX::Zero(other.plan.nv());
    if (Status status = forward_dynamics(other.plan, other.work, other.state, actions, a); !status)
      throw PhysicsError(describe(other.plan, status, other.state.t));
    return a;
  });
}

ParameterSlopes inverse_slopes_by_parameters(const Model& model, const Prepared& at, const Actions& actions,
                                             const VectorX& a, const std::vector<std::string>& parameters) {
  return slopes_by(model, at, parameters, [&](Prepared& other) {
    VectorX motion = a, force;
    if (Status status = complete_accelerations(other.plan, other.work, other.state, motion); !status)
      throw PhysicsError(describe(other.plan, status, other.state.t));
    missing_force(other.plan, other.work, other.state, motion, actions, force);
    MatrixX N;
    if (Status status = loop_complement(other.plan, other.work, other.state.q, N); !status)
      throw PhysicsError(describe(other.plan, status, other.state.t));
    return VectorX(N.transpose() * force);
  });
}

}  // namespace lithe

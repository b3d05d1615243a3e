#include "reproduce/fast_gains.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/LU>
#include <algorithm>

#include "lithe/control/riccati.hpp"
#include "lithe/dynamics/forward.hpp"
#include "reproduce/case_error.hpp"

namespace lithe::reproduce {
namespace {

/// Stiffness of all elastic coordinates, which must be modes.
VectorX modal_stiffness(const Plan& plan) {
  std::vector<double> all;
  for (const LinkData& link : plan.mechanism().links) {
    const MatrixX& K = link.elastic.stiffness;
    for (Eigen::Index i = 0; i < link.elastic.count(); ++i) {
      all.push_back(K(i, i));
      if (K.row(i).cwiseAbs().sum() - K(i, i) > 1e-9 * K(i, i))
        throw CaseError(fmt::format("link '{}' does not keep modes; fast gains need these", link.name));
    }
  }
  if (all.empty()) throw CaseError("fast gains need elastic links");
  return Eigen::Map<const VectorX>(all.data(), std::ssize(all));
}

}  // namespace

FastGains fast_gains(DrivenMotion& motion) {
  const Plan& plan = motion.plan();
  const VectorX stiffness = modal_stiffness(plan);
  const double softest = stiffness.minCoeff();
  MatrixX M;
  motion.require(generalised_inertia(plan, motion.work(), motion.state().q, M));
  FastGains gains;
  std::vector<int> motors, modes;
  const std::vector<int>& independent = motion.work().independent();
  for (std::size_t i = 0; i < independent.size(); ++i) {
    (plan.is_bending(independent[i]) ? modes : motors).push_back(static_cast<int>(i));
    if (!plan.is_bending(independent[i])) gains.motors.push_back(plan.speed_name(independent[i]));
  }
  const MatrixX H = M.fullPivLu().inverse();
  const Eigen::Index m = stiffness.size();
  if (std::ssize(modes) != m) throw CaseError("fast gains need independent elastic coordinates");
  // (6.29), (6.30) in the time t/eps.
  const VectorX relative = stiffness / softest;
  MatrixX A = MatrixX::Zero(2 * m, 2 * m), B = MatrixX::Zero(2 * m, std::ssize(motors));
  A.topRightCorner(m, m).setIdentity();
  A.bottomLeftCorner(m, m) = -(relative.asDiagonal() * MatrixX(H(modes, modes)));
  B.bottomRows(m) = relative.asDiagonal() * MatrixX(H(modes, motors));
  gains.F = riccati(A, B, MatrixX::Identity(2 * m, 2 * m), MatrixX::Identity(B.cols(), B.cols())).K;
  return gains;
}

double fast_gain_value(const FastGains& gains, const std::vector<std::string>& words) {
  const auto motor =
      words.size() == 4 ? std::find(gains.motors.begin(), gains.motors.end(), words[1]) : gains.motors.end();
  const Eigen::Index count = gains.F.cols() / 2, number = words.size() == 4 ? std::atoi(words[3].c_str()) : 0;
  if (motor == gains.motors.end() || (words[2] != "force" && words[2] != "rate") || number < 1 || number > count)
    throw CaseError(fmt::format("'{}' is not a quantity of this model at an instant", fmt::join(words, ".")));
  return gains.F(motor - gains.motors.begin(), number - 1 + (words[2] == "rate" ? count : 0));
}

}  // namespace lithe::reproduce

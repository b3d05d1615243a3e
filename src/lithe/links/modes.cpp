#include "lithe/links/modes.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe {

namespace {

/// Eigenvalues this small against the largest are rigid motions (rounding of K times a rigid displacement).
constexpr double rigid_limit = 1e-10;

/// What a mode mostly does, by kinetic energy: shares of stretching, the two bendings and torsion.
std::vector<std::string> name_modes(const ElasticModel& model, const MatrixX& basis) {
  static constexpr const char* kinds[4] = {"stretching", "bending y", "bending z", "torsion"};
  MatrixX share = MatrixX::Zero(4, basis.cols());
  for (const FieldPoint& p : model.points(basis, false)) {
    share.topRows<3>() += p.mass * p.shape.cwiseAbs2();
    share.row(3) += p.rotary(0, 0) * p.turn.row(0).cwiseAbs2();
  }
  std::map<int, int> counts;
  std::vector<std::string> names;
  for (Eigen::Index j = 0; j < basis.cols(); ++j) {
    int kind = 0;
    share.col(j).maxCoeff(&kind);
    names.push_back(fmt::format("{} {}", kinds[kind], ++counts[kind]));
  }
  return names;
}

void fix_signs(const ElasticModel& model, MatrixX& basis) {
  const Frame tip = model.frames(basis, false).back();
  const double scale = basis.cwiseAbs().maxCoeff();
  for (Eigen::Index j = 0; j < basis.cols(); ++j) {
    Eigen::Index at = 0;
    double sign = 0.0;
    if (tip.shape.cols() > 0 && tip.shape.col(j).cwiseAbs().maxCoeff(&at) > 1e-6 * scale) {
      sign = tip.shape(at, j);
    } else {
      basis.col(j).cwiseAbs().maxCoeff(&at);
      sign = basis(at, j);
    }
    if (sign < 0) basis.col(j) *= -1;
  }
}

std::vector<Eigen::Index> chosen_modes(const std::string& link, const ModeChoice& choice, const VectorX& squares) {
  std::vector<Eigen::Index> elastic;
  for (Eigen::Index i = 0; i < squares.size(); ++i)
    if (squares[i] > rigid_limit * squares[squares.size() - 1]) elastic.push_back(i);
  const auto available = static_cast<int>(elastic.size());
  const auto refuse = [&](int wanted) {
    throw MechanismError(link, fmt::format("link '{}': mode {} is asked for, but its finite elements have only {}; use "
                                           "more elements or fewer modes",
                                           link, wanted, available));
  };
  std::vector<Eigen::Index> chosen;
  if (!choice.list.empty()) {
    for (int number : choice.list) {
      if (number < 1 || number > available) refuse(number);
      chosen.push_back(elastic[static_cast<std::size_t>(number - 1)]);
    }
    return chosen;
  }
  if (choice.count > available) refuse(choice.count);
  for (Eigen::Index i : elastic) {
    if (choice.count > 0 && static_cast<int>(chosen.size()) == choice.count) break;
    if (choice.count == 0 && choice.below > 0 && std::sqrt(squares[i]) > 2 * std::numbers::pi * choice.below) break;
    chosen.push_back(i);
  }
  return chosen;
}

}  // namespace

Reduction natural_modes(const std::string& link, const ElasticModel& model, const ModeChoice& choice) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(model.stiffness, model.mass);
  if (solver.info() != Eigen::Success)
    throw MechanismError(link, fmt::format("link '{}': its mass matrix is not positive definite; give every part that "
                                           "moves some mass",
                                           link));
  const std::vector<Eigen::Index> chosen = chosen_modes(link, choice, solver.eigenvalues());
  Reduction reduction;
  reduction.basis.resize(model.mass.rows(), static_cast<Eigen::Index>(chosen.size()));
  reduction.frequencies.resize(static_cast<Eigen::Index>(chosen.size()));
  for (std::size_t j = 0; j < chosen.size(); ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    reduction.basis.col(column) = solver.eigenvectors().col(chosen[j]);
    reduction.frequencies[column] = std::sqrt(solver.eigenvalues()[chosen[j]]);
  }
  fix_signs(model, reduction.basis);
  reduction.names = name_modes(model, reduction.basis);
  return reduction;
}

Reduction all_coordinates(const ElasticModel& model) {
  const Eigen::Index n = model.mass.rows();
  return {MatrixX::Identity(n, n), VectorX::Zero(n), model.names};
}

LinkData reduced_link(const std::string& name, const ElasticModel& model, const Reduction& reduction, bool stiffening) {
  LinkData link = integrate_link(name, model, reduction.basis, stiffening);
  link.elastic.frequencies = reduction.frequencies;
  link.elastic.names = reduction.names;
  return link;
}

double buckling_load(const ElasticModel& model) {
  if (!model.tension_stiffness) return std::numeric_limits<double>::infinity();
  // K x = P K_t x: the largest eigenvalue of K_t against K is 1/P.
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(model.tension_stiffness(), model.stiffness,
                                                                 Eigen::EigenvaluesOnly);
  const double largest = solver.info() == Eigen::Success ? solver.eigenvalues().tail<1>()[0] : 0.0;
  return largest > 0 ? 1.0 / largest : std::numeric_limits<double>::infinity();
}

}  // namespace lithe

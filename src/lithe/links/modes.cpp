#include "lithe/links/modes.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/errors.hpp"
#include "lithe/links/eigenproblem.hpp"
#include "lithe/links/elimination.hpp"
#include "lithe/links/mode_names.hpp"
#include "lithe/links/rigid_motions.hpp"

namespace lithe {

namespace {

using detail::EigenPairs;

/// Equal frequencies at the end of the choice are separated only when their partners are there too.
constexpr Eigen::Index partners = 2;

void require_available(const std::string& link, const ModeChoice& choice, Eigen::Index available) {
  int wanted = choice.list.empty() ? choice.count : 0;
  for (const int number : choice.list)
    if (number < 1 || number > available) wanted = number;
  if (wanted != 0 && (wanted < 1 || wanted > available))
    throw MechanismError(link, fmt::format("link '{}': mode {} is asked for, but its finite elements have only {}; use "
                                           "more elements or fewer modes",
                                           link, wanted, available));
}

double limit_square(const ModeChoice& choice) { return std::pow(2 * std::numbers::pi * choice.below, 2); }

/// Enough modes for the choice, ascending; for a frequency limit the number is found by doubling.
EigenPairs enough_modes(const ElasticModel& model, const ModeChoice& choice) {
  const Eigen::Index available = model.mass.rows();
  Eigen::Index count = available;
  if (!choice.list.empty())
    count = *std::max_element(choice.list.begin(), choice.list.end());
  else if (choice.count > 0)
    count = choice.count;
  else if (choice.below > 0)
    count = 10;
  while (true) {
    count = std::min(available, count + partners);
    EigenPairs pairs = detail::lowest_modes(model.stiffness, model.mass, count);
    const bool by_limit = choice.list.empty() && choice.count == 0 && choice.below > 0;
    if (!by_limit || count == available || pairs.squares[count - 1 - partners] > limit_square(choice)) return pairs;
    count *= 2;
  }
}

std::vector<Eigen::Index> chosen_modes(const ModeChoice& choice, const VectorX& squares) {
  std::vector<Eigen::Index> chosen;
  for (const int number : choice.list) chosen.push_back(number - 1);
  if (!chosen.empty()) return chosen;
  const Eigen::Index last = choice.count > 0 ? choice.count : squares.size();
  for (Eigen::Index i = 0; i < last; ++i) {
    if (choice.count == 0 && choice.below > 0 && squares[i] > limit_square(choice)) break;
    chosen.push_back(i);
  }
  return chosen;
}

}  // namespace

Reduction link_modes(const std::string& link, const ElasticModel& model, const ModeChoice& choice) {
  detail::require_positive_mass(link, model);
  // Modes of a free link carry no momentum of its rigid motions, and those are not modes.
  const MatrixX rigid = detail::rigid_motions(model);
  const detail::Elimination elastic(rigid.transpose() * model.mass);
  const ElasticModel held = detail::constrained(model, elastic);
  require_available(link, choice, held.mass.rows());
  EigenPairs pairs;
  try {
    pairs = enough_modes(held, choice);
  } catch (const std::runtime_error& error) {
    throw MechanismError(link,
                         fmt::format("link '{}': {}; a part of it can move without resistance", link, error.what()));
  }
  detail::separate_equal_frequencies(held, pairs.squares, pairs.shapes);
  const std::vector<Eigen::Index> chosen = chosen_modes(choice, pairs.squares);
  Reduction reduction;
  reduction.basis = elastic.expand(pairs.shapes(Eigen::all, chosen));
  reduction.frequencies = pairs.squares(chosen).cwiseSqrt();
  detail::fix_signs(model, reduction.basis);
  reduction.names = detail::name_modes(model, reduction.basis);
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
  const MatrixX tension = model.field->tension_stiffness();
  if (tension.size() == 0) return std::numeric_limits<double>::infinity();
  // K x = P K_t x: the largest eigenvalue of K_t against K is 1/P.
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(tension, model.stiffness, Eigen::EigenvaluesOnly);
  const double largest = solver.info() == Eigen::Success ? solver.eigenvalues().tail<1>()[0] : 0.0;
  return largest > 0 ? 1.0 / largest : std::numeric_limits<double>::infinity();
}

}  // namespace lithe

#include "lithe/links/damping.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include "lithe/errors.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

namespace {

bool is_diagonal(const MatrixX& matrix) {
  const MatrixX off = matrix - MatrixX(matrix.diagonal().asDiagonal());
  return off.cwiseAbs().maxCoeff() <= detail::tolerance::diagonal * matrix.diagonal().cwiseAbs().maxCoeff();
}

/// Modes of the link in its own coordinates: the coordinates themselves where they do not couple, else ascending.
struct Modes {
  VectorX frequencies;
  MatrixX shapes;  ///< mass-normalised
};

Modes own_modes(const std::string& link, const ElasticData& elastic) {
  if (is_diagonal(elastic.mass) && is_diagonal(elastic.stiffness)) {
    const VectorX masses = elastic.mass.diagonal();
    return {elastic.stiffness.diagonal().cwiseQuotient(masses).cwiseMax(0.0).cwiseSqrt(),
            MatrixX(masses.cwiseSqrt().cwiseInverse().asDiagonal())};
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(elastic.stiffness, elastic.mass);
  if (solver.info() != Eigen::Success)
    throw MechanismError(link, fmt::format("link '{}': modal damping needs a positive definite mass matrix", link));
  return {solver.eigenvalues().cwiseMax(0.0).cwiseSqrt(), solver.eigenvectors()};
}

void require_sensible(const LinkData& link, const Damping& damping) {
  const auto refuse = [&](const std::string& message) {
    throw MechanismError(link.name, fmt::format("link '{}': {}", link.name, message));
  };
  const auto require_not_negative = [&](const char* what, double value) {
    if (!(value >= 0)) refuse(fmt::format("its {} is {}; it must not be negative", what, value));
  };
  require_not_negative("damping ratio", damping.ratio);
  for (const double ratio : damping.ratios) require_not_negative("damping ratio", ratio);
  require_not_negative("mass damping factor", damping.mass_factor);
  require_not_negative("stiffness damping factor", damping.stiffness_factor);
  require_not_negative("loss factor", damping.loss_factor);
  if (!damping.ratios.empty() && static_cast<int>(damping.ratios.size()) != link.elastic.count())
    refuse(fmt::format("{} damping ratios for {} elastic coordinates; give one per coordinate or a single ratio",
                       damping.ratios.size(), link.elastic.count()));
}

}  // namespace

void set_damping(LinkData& link, const Damping& damping) {
  require_sensible(link, damping);
  ElasticData& elastic = link.elastic;
  const int count = elastic.count();
  if (count == 0) return;
  elastic.damping = damping.mass_factor * elastic.mass + damping.stiffness_factor * elastic.stiffness;
  const VectorX ratios = damping.ratios.empty() ? VectorX(VectorX::Constant(count, damping.ratio))
                                                : VectorX(Eigen::Map<const VectorX>(damping.ratios.data(), count));
  if (ratios.isZero(0.0) && damping.loss_factor == 0.0) return;
  // A mode of unit mass is damped by 2 ratio w; the complex modulus takes loss * w^2 / w per unit of speed at w.
  const Modes modes = own_modes(link.name, elastic);
  const VectorX modal = (2.0 * ratios.array() + damping.loss_factor) * modes.frequencies.array();
  const MatrixX momenta = elastic.mass * modes.shapes;
  elastic.damping += momenta * modal.asDiagonal() * momenta.transpose();
}

}  // namespace lithe

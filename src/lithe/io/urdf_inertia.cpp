#include "lithe/io/urdf_inertia.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace lithe::io {
namespace {

Vec3 principal_moments(const Mat3& inertia) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
}

std::string printed_moments(const Vec3& moments) {
  return fmt::format("{:.6g}, {:.6g}, {:.6g} kg m^2", moments[0], moments[1], moments[2]);
}

/// What may come from rounding: the digits that the six numbers lack, up to a percent; or a size that means nothing, a
/// micrometre in the radius of gyration.
double most_from_rounding(const UrdfLink& link, double largest) {
  return std::max(std::min(link.inertia_rounding, 1e-2 * largest), 1e-12 * link.mass);
}

}  // namespace

Mat3 nearest_inertia(const Mat3& inertia) {
  const Mat3 second = 0.5 * inertia.trace() * Mat3::Identity() - inertia;
  const Eigen::SelfAdjointEigenSolver<Mat3> parts(second);
  const Vec3 kept = parts.eigenvalues().cwiseMax(0.0);
  const Mat3 possible = parts.eigenvectors() * kept.asDiagonal() * parts.eigenvectors().transpose();
  const Mat3 nearest = possible.trace() * Mat3::Identity() - possible;
  return 0.5 * (nearest + nearest.transpose());
}

void settle_inertia(UrdfLink& link, ImpossibleInertia choice, const std::string& format, Complaints& complaints,
                    std::vector<std::string>& notes) {
  const Vec3 moments = principal_moments(link.inertia);
  const double size = link.inertia.norm(), excess = moments[2] - moments[0] - moments[1];
  // As Mechanism::validate: a planar model may state one moment only, and the sixth digit is not looked at.
  const bool only_one_moment = moments[0] >= -1e-9 * size && moments[0] <= 1e-9 * size && moments[1] <= 1e-9 * size;
  const bool is_possible = moments[0] >= -1e-9 * size && excess <= 1e-6 * (moments[0] + moments[1]);
  if (is_possible || only_one_moment) return;

  const std::string where = fmt::format("link '{}'", link.name);
  const std::string fault =
      fmt::format("no body has the principal moments {}: the largest exceeds the sum of the other two by {:.2g} ({})",
                  printed_moments(moments), excess,
                  moments[2] > 0.0 ? fmt::format("{:.2g} percent of it", 100.0 * excess / moments[2]) : "all of it");
  const bool is_rounding = excess <= most_from_rounding(link, moments[2]);
  const auto note = [&](const std::string& text) {
    notes.push_back(fmt::format("{} line {}: {}: {}", format, link.inertial_place.line, where, text));
  };
  if (is_rounding || choice == ImpossibleInertia::repair) {
    link.inertia = nearest_inertia(link.inertia);
    note(fmt::format("{}{}; repaired to {}", fault, is_rounding ? ", which is rounding" : "",
                     printed_moments(principal_moments(link.inertia))));
  } else if (choice == ImpossibleInertia::accept) {
    link.accepts_inertia = true;
    note(fault + "; accepted as it stands");
  } else {
    complaints.add(link.inertial_place, where,
                   fault +
                       "; correct it, or convert with --inertia repair (the nearest possible one) or --inertia "
                       "accept (as it stands)");
  }
}

}  // namespace lithe::io

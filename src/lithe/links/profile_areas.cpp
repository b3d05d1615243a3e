#include "lithe/links/profile_areas.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace lithe::detail {

namespace {

/// Torsion constant of a solid rectangle: Saint-Venant's series, long side a, short side b.
double rectangle_torsion(double a, double b) {
  if (a < b) std::swap(a, b);
  double sum = 0.0;
  for (int n = 1; n <= 59; n += 2) sum += std::tanh(n * std::numbers::pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b * (1.0 / 3.0 - 64.0 * b / (std::pow(std::numbers::pi, 5) * a) * sum);
}

ProfileAreas ring(double outer, double inner) {
  const double second = std::numbers::pi * (std::pow(outer, 4) - std::pow(inner, 4)) / 4;
  return {std::numbers::pi * (outer * outer - inner * inner), second, second, 2 * second};
}

/// Thin-walled torsion.
ProfileAreas i_areas(double height, double width, double web, double flange) {
  const double clear = height - 2 * flange;
  return {2 * width * flange + clear * web, (2 * flange * std::pow(width, 3) + clear * std::pow(web, 3)) / 12,
          (width * std::pow(height, 3) - (width - web) * std::pow(clear, 3)) / 12,
          (2 * width * std::pow(flange, 3) + clear * std::pow(web, 3)) / 3};
}

}  // namespace

ProfileAreas areas_of(const Profile& profile) {
  const auto& d = profile.dimensions;
  switch (profile.kind) {
    case Profile::Kind::unknown:
      return {};
    case Profile::Kind::rectangle:
      return {d[0] * d[1], d[0] * std::pow(d[1], 3) / 12, d[1] * std::pow(d[0], 3) / 12, rectangle_torsion(d[0], d[1])};
    case Profile::Kind::circle:
      return ring(d[0], 0.0);
    case Profile::Kind::tube:
      return ring(d[0], d[0] - d[1]);
    case Profile::Kind::i:
      return i_areas(d[0], d[1], d[2], d[3]);
  }
  return {};
}

}  // namespace lithe::detail

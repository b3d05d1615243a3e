#include "lithe/spatial/sines.hpp"

#include <cmath>

#include "lithe/spatial/four_sines.hpp"

namespace lithe::detail {

void find_sines(const VectorOf<double>& angles, VectorOf<double>& sines, VectorOf<double>& cosines) {
  const double* angle = angles.data();
  for (Eigen::Index i = 0; i < angles.size(); i += 4) {
    bool near = true;
    for (Eigen::Index j = i; j < i + 4; ++j) near &= std::abs(angle[j]) < far_angle;
    if (near) {
      four_sines(reinterpret_cast<const FourDoubles&>(angle[i]), reinterpret_cast<FourDoubles&>(sines[i]),
                 reinterpret_cast<FourDoubles&>(cosines[i]));
    } else {
      for (Eigen::Index j = i; j < i + 4; ++j) {
        sines[j] = std::sin(angle[j]);
        cosines[j] = std::cos(angle[j]);
      }
    }
  }
}

}  // namespace lithe::detail

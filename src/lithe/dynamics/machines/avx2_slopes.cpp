#include "lithe/dynamics/slopes.inc"

namespace lithe::detail {

struct Avx2;
std::unique_ptr<SlopeEvaluator> make_avx2_slopes(const Compiled& plan, bool planar) {
  return slopes<Avx2>(plan, planar);
}

}  // namespace lithe::detail

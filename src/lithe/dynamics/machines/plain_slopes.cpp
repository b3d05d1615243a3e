#include "lithe/dynamics/slopes.inc"

namespace lithe::detail {

struct Plain;
std::unique_ptr<SlopeEvaluator> make_plain_slopes(const Compiled& plan, bool planar) {
  return slopes<Plain>(plan, planar);
}

}  // namespace lithe::detail

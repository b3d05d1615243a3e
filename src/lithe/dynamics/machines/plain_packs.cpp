#include "lithe/dynamics/packs.inc"

namespace lithe::detail {

struct Plain;
std::unique_ptr<PackEvaluator> make_plain_packs(const Compiled& plan, bool planar) {
  return packs<Plain>(plan, planar);
}

}  // namespace lithe::detail

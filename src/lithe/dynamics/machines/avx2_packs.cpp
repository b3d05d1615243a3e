#include "lithe/dynamics/packs.inc"

namespace lithe::detail {

struct Avx2;
std::unique_ptr<PackEvaluator> make_avx2_packs(const Compiled& plan, bool planar) { return packs<Avx2>(plan, planar); }

}  // namespace lithe::detail

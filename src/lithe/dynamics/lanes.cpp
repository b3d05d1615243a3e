#include "lithe/dynamics/lanes.hpp"

namespace lithe::detail {

namespace {

bool machine_has_avx2() {
#ifdef LITHE_AVX2
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

}  // namespace

std::unique_ptr<PackEvaluator> make_packs(const Compiled& plan, bool planar) {
#ifdef LITHE_AVX2
  if (machine_has_avx2()) return make_avx2_packs(plan, planar);
#endif
  return make_plain_packs(plan, planar);
}

std::unique_ptr<SlopeEvaluator> make_slopes(const Compiled& plan, bool planar) {
#ifdef LITHE_AVX2
  if (machine_has_avx2()) return make_avx2_slopes(plan, planar);
#endif
  return make_plain_slopes(plan, planar);
}

}  // namespace lithe::detail

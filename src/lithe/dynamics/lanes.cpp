#include "lithe/dynamics/lanes.hpp"

#include "lithe/errors.hpp"

namespace lithe::detail {

namespace {

bool machine_has_avx2() {
#ifdef LITHE_AVX2
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

#ifdef LITHE_ONLY_AVX2
[[noreturn]] void refuse() {
  throw MechanismError("", "this Lithe was built for machines with AVX2 only, which this one is not; build it here, or with "
                           "-DLITHE_PORTABLE=ON");
}
#endif

}  // namespace

#ifdef LITHE_ONLY_AVX2  // the files of these are left out (cmake/MachineCode.cmake)
std::unique_ptr<PackEvaluator> make_plain_packs(const Compiled&, bool) { refuse(); }
std::unique_ptr<SlopeEvaluator> make_plain_slopes(const Compiled&, bool) { refuse(); }
#endif

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

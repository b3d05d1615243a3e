#pragma once
// Laws made of a law: late copies of it, and its average over a while.

#include "lithe/laws/law.hpp"

namespace lithe::detail {

Jet value_of(const ShapedLaw& law, double t);
Jet value_of(const SmoothedLaw& law, double t);

}  // namespace lithe::detail

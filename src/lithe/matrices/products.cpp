#include "lithe/matrices/products.hpp"

namespace lithe::factors {

// Eigen's product by its name: `left * right` would be the operator of the header.
#define LITHE_PRODUCT(Result, Left, Right) \
  Result multiplied(const Left& left, const Right& right) { return left.operator*(right); }
#include "lithe/matrices/products.inc"

}  // namespace lithe::factors

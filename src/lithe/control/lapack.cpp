#include "lithe/control/lapack.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace lithe::detail {
namespace {

/// The name is that of the interface, whichever implementation stands behind it. Never closed.
void* library() {
  static void* const loaded = [] {
    void* const found = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
    if (found == nullptr)
      throw std::runtime_error(std::string("LAPACK cannot be loaded (") + dlerror() +
                               "); install it (Debian: liblapack3)");
    return found;
  }();
  return loaded;
}

}  // namespace

void* lapack_symbol(const char* name) {
  void* const found = dlsym(library(), name);
  if (found == nullptr) throw std::runtime_error(std::string("LAPACK as installed has no ") + name);
  return found;
}

}  // namespace lithe::detail

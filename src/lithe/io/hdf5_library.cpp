#include "lithe/io/hdf5_library.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace lithe::detail {
namespace {

/// Never closed: handles may live until the very end of the program.
void* library() {
  static void* const loaded = [] {
    void* const found = dlopen(LITHE_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (found == nullptr)
      throw std::runtime_error(std::string("HDF5 cannot be loaded (") + dlerror() +
                               "); install it (Debian: libhdf5-103-1), or write CSV");
    return found;
  }();
  return loaded;
}

}  // namespace

void* hdf5_symbol(const char* name) {
  void* const found = dlsym(library(), name);
  if (found == nullptr) throw std::runtime_error(std::string("HDF5 as installed has no ") + name);
  return found;
}

}  // namespace lithe::detail

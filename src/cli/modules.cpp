#include "modules.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "model_options.hpp"

namespace lithe::cli {

void* module_function(const std::string& name, const char* function, ModuleSymbols symbols) {
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const std::string& place : {name + ".so", std::string(LITHE_MODULES_FROM_PROGRAM "/") + name + ".so"}) {
    const std::filesystem::path path = folder / place;
    if (!std::filesystem::exists(path)) continue;
    // Never closed: what it has made may live until the end of the program.
    void* const module = dlopen(path.c_str(), RTLD_NOW | (symbols == ModuleSymbols::shared ? RTLD_GLOBAL : RTLD_LOCAL));
    void* const found = module == nullptr ? nullptr : dlsym(module, function);
    if (found == nullptr) throw InputError(fmt::format("{}: cannot be loaded: {}", path.string(), dlerror()));
    return found;
  }
  return nullptr;
}

}  // namespace lithe::cli

#include "data_folder.hpp"

#include <cstdlib>
#include <filesystem>

#include "model_options.hpp"

namespace lithe::cli {

std::string examples_folder() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (const char* chosen = std::getenv("LITHE_EXAMPLES")) {
    if (fs::is_directory(chosen, ignored)) return chosen;
    throw InputError(std::string("LITHE_EXAMPLES=") + chosen + ": no such folder");
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  for (const fs::path& folder :
       {program.parent_path() / LITHE_EXAMPLES_FROM_PROGRAM, fs::path(LITHE_EXAMPLES_IN_SOURCE)}) {
    if (fs::is_directory(folder, ignored)) return folder.lexically_normal().string();
  }
  throw InputError("the examples are not installed; set LITHE_EXAMPLES to their folder");
}

}  // namespace lithe::cli

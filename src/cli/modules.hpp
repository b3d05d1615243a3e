#pragma once
// Parts of the program that stand in files of their own and are loaded by the verbs that need them: what they link would
// make every other verb start later.

#include <string>

namespace lithe::cli {

/// Whether the symbols of a module are for other libraries too.
enum class ModuleSymbols { own, shared };

/// Address of a function of module `name`, which lies beside the program or where it was installed; null when there is no
/// such module. Throws InputError when it cannot be loaded.
void* module_function(const std::string& name, const char* function, ModuleSymbols symbols = ModuleSymbols::own);

}  // namespace lithe::cli

#pragma once
// LAPACK, loaded when the first of its functions is asked for: it brings BLAS and the library of Fortran along, and most
// runs of the program need none of them.

namespace lithe::detail {

/// Address of a function; throws std::runtime_error when LAPACK is not installed.
void* lapack_symbol(const char* name);

/// The function as Fortran makes it: everything by address, lengths of texts behind the arguments.
template <class Function>
Function* lapack_function(const char* name) {
  return reinterpret_cast<Function*>(lapack_symbol(name));
}

}  // namespace lithe::detail

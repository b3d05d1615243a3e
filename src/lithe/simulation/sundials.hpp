#pragma once
// Owners for the C objects of SUNDIALS. A vector of SUNDIALS is a view of Eigen memory.

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "lithe/spatial/pose.hpp"

namespace lithe::detail {

class SundialsContext {
 public:
  SundialsContext() {
    if (SUNContext_Create(nullptr, &context_) != 0) throw std::runtime_error("SUNDIALS does not start");
  }
  ~SundialsContext() { SUNContext_Free(&context_); }
  SundialsContext(const SundialsContext&) = delete;
  SundialsContext& operator=(const SundialsContext&) = delete;
  operator SUNContext() const { return context_; }  // NOLINT: stands for the handle

 private:
  SUNContext context_ = nullptr;
};

struct SundialsDeleter {
  void operator()(N_Vector v) const { N_VDestroy(v); }
  void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
  void operator()(SUNNonlinearSolver s) const { SUNNonlinSolFree(s); }
};
template <class Handle>
using SundialsHandle = std::unique_ptr<std::remove_pointer_t<Handle>, SundialsDeleter>;

/// A view of `vector`, which must outlive it and keep its size.
inline SundialsHandle<N_Vector> view_of(VectorX& vector, SUNContext context) {
  return SundialsHandle<N_Vector>(N_VMake_Serial(vector.size(), vector.data(), context));
}

inline Eigen::Map<VectorX> map_of(N_Vector v) { return {NV_DATA_S(v), static_cast<Eigen::Index>(NV_LENGTH_S(v))}; }

/// Error handler that keeps the message of SUNDIALS instead of printing it; `target` is a std::string.
inline void keep_message(int, const char*, const char*, char* message, void* target) {
  *static_cast<std::string*>(target) = message;
}

}  // namespace lithe::detail

#pragma once
// A model as plain Python data: to be pickled, copied, and read again with other parameters.

#include "bindings.hpp"

namespace lithe::python {

/// Values of parameters as model files write them; numbers keep all digits.
std::map<std::string, std::string> texts_of(const py::dict& values);

/// Whether any link has elastic coordinates.
bool bends(const Model& model);

/// What was changed in a model from Python since it was read: run, record, gravity, drives and so on. Needs the lock of
/// the interpreter. Throws what reading throws.
class PythonChanges {
 public:
  explicit PythonChanges(const Model& model);
  bool empty() const { return settings_.empty() && same_drives_; }
  /// Does to another reading of the same text what was done to this one; settings with these names are left alone.
  void apply(Model& model, const std::vector<std::string>& except = {}) const;
  std::string text() const;  ///< differs when the changes do, as far as Python's repr tells

 private:
  py::dict settings_, drives_;
  bool same_drives_ = false;
};

/// Adds parameters, __copy__, __deepcopy__ and pickling.
void bind_model_state(py::class_<Model, std::shared_ptr<Model>>& model);

}  // namespace lithe::python

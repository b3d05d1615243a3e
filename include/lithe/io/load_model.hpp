#pragma once
// Reading model files.

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lithe/simulation/model.hpp"

namespace lithe {

/// One complaint about a model file.
struct Diagnostic {
  std::string file;
  int line = 0, column = 0;  ///< from 1; 0 when the whole file is meant
  std::string key;           ///< path of the offending key, e.g. "joints.knee-1.from"
  std::string message;       ///< what was expected, with the remedy and a did-you-mean
  std::string text() const;  ///< "file:line:column: key: message"
};

/// All complaints of a file at once. what() is their texts, one per line.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

struct LoadOptions {
  bool rigid = false;                 ///< every elastic link becomes its rigid twin; nothing is chosen for it
  std::optional<double> from, until;  ///< of the run (s), in place of those of the file: its length counts for shapes
  std::string shape = {};  ///< of all wanted motions, in place of `shape:`: "zvd", "zvd=4.2,9"; empty: as in the file
  /// Gets every file that was read or looked for, also when the model has errors or a file is missing.
  std::vector<std::string>* looked_for = nullptr;
};

/// Reads a model file. `overrides` replace values of `parameters:` (the --set option). Throws ModelError, and
/// PhysicsError when links with `modes: auto` need the mechanism assembled and it does not assemble.
Model load_model(const std::string& path, const std::map<std::string, std::string>& overrides = {},
                 const LoadOptions& options = {});

/// The same from text; `path` is used in messages and to resolve `include:` and table files.
Model load_model_text(const std::string& text, const std::string& path,
                      const std::map<std::string, std::string>& overrides = {}, const LoadOptions& options = {});

/// JSON Schema of the model file.
std::string model_schema();

}  // namespace lithe

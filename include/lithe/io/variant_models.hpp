#pragma once
// Models of one file that differ in a few values, for studies: the file and all that it names are read once, links that
// do not change are made once.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lithe/io/load_model.hpp"

namespace lithe {

class VariantModels {
 public:
  /// `fixed` replaces values in all models; `names` are those whose values differ: parameters, or values by their path,
  /// as with --set. Reads the model once, and throws ModelError when it makes no sense with its own values.
  VariantModels(const std::string& path, std::map<std::string, std::string> fixed, std::vector<std::string> names);
  /// The same of the text and the data files that a model carries (Model::flattened, attached); with `rigid` its rigid
  /// twin.
  VariantModels(const Model& model, std::vector<std::string> names, bool rigid = false);
  ~VariantModels();

  /// With its own values.
  const Model& base() const;
  /// For computing: it has no text and no buckling loads. Called by many threads at once. Throws as load_model().
  Model at(const std::vector<double>& values) const;
  /// The same whole, as load_model() gives it: for results on disk.
  Model whole(const std::vector<double>& values) const;

 private:
  class Source;
  std::map<std::string, std::string> overrides(const std::vector<double>& values) const;
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace lithe

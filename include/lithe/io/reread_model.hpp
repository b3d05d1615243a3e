#pragma once
// A model read again from what it carries, without the files that it came from.

#include "lithe/io/load_model.hpp"

namespace lithe {

/// Reads the flattened text and the data files that `model` carries (Model::flattened, attached, path), with other values
/// of parameters. Its text and files stay those it had before. What was changed in the model since it was read is not in
/// it. Throws as load_model().
Model reread_model(const Model& model, const std::map<std::string, std::string>& overrides = {},
                   const LoadOptions& options = {});

}  // namespace lithe

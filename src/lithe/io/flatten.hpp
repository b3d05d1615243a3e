#pragma once
// A model as one text that needs no other file but the data files that go with it.

#include <map>
#include <string>

#include "lithe/io/data_files.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe::io {

/// Sets model.flattened, model.attached and model.files. `tree` is the model with includes and replaced values put in,
/// `parameters` the texts that replace parameters, `sources` the model files that were read. A model in one file
/// without replaced values keeps its text, comments and all.
void flatten(Node tree, const std::map<std::string, std::string>& parameters, const std::vector<std::string>& sources,
             const DataFiles& data, Model& model);

}  // namespace lithe::io

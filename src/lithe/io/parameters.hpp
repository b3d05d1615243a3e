#pragma once
// `parameters:` of a model file, with the ranges of those that have one.

#include "lithe/io/model_builder.hpp"
#include "lithe/io/parameter_ranges.hpp"

namespace lithe::io {

/// As read_parameters(); the ranges as well.
std::map<std::string, ParameterRange> read_parameters_with_ranges(const Object& root,
                                                                  const std::map<std::string, std::string>& overrides,
                                                                  Scope& scope, Reader& reader);

}  // namespace lithe::io

#pragma once
// Values of keys under `sensors` and `controllers` that stand in several of them.

#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lithe/io/reader.hpp"
#include "lithe/spatial/pose.hpp"

namespace lithe::io {

constexpr double hertz = 2.0 * std::numbers::pi;
constexpr std::string_view rotor_suffix = ".rotor";  ///< of the joint of a rotor behind an elastic gear

/// The items of a value that is one or a list of them.
std::vector<Item> one_or_more(const Item& item, const std::string& type, Reader& reader);

/// A matrix, as a list of rows.
std::optional<MatrixX> matrix(const Item& item, Reader& reader);

}  // namespace lithe::io

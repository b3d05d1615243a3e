#pragma once
// Which expressions are angles.

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lithe {

/// Whether the value of an expression comes straight from `deg` or from one of the constants in `angles`, alone or in
/// sums, signs, min, max, abs and if. Products and functions of angles are none: 0.3*(30 deg) may be an arc in metres.
/// Throws ExpressionError like Expression::parse(); `t` may occur.
bool is_angle(std::string_view text, const std::map<std::string, double>& constants,
              const std::set<std::string>& angles);

}  // namespace lithe

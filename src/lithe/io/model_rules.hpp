#pragma once
// What may stand in a model file: one table from which keys are checked, suggestions made and the JSON Schema written.

#include <string>
#include <string_view>
#include <vector>

namespace lithe::io {

/// One key of a section. `type` is made of alternatives, separated by " | ", each of which is
///   number plain positive not-negative count integer flag text name
///                                                         a scalar; the first five may be expressions of the
///                                                         parameters; only a number may be an angle, with `deg`
///   word(a,b,c)                                           one of these words
///   frame                                                 LINK/FRAME or LINK
///   axis                                                  x y z -x -y -z or a vector
///   point                                                 [x, y] or [x, y, z]
///   timed                                                 a number or an expression of t
///   condition                                             an expression of t and of quantities of the results
///   list of T, map of T                                   T another type (no alternatives inside)
///   any other word                                        the named type (see named_types) or section of that name
struct KeyRule {
  std::string name, type, description;
  bool required = false;
  std::string unavailable;  ///< not empty: the key is known, but refused with this message
};

struct MapRules {
  std::string name;
  std::string title;  ///< what messages call it: "a joint"
  std::string description;
  std::vector<KeyRule> keys;
  std::vector<std::string> exactly_one;  ///< one of these keys must be given, and only one

  const KeyRule* find(std::string_view key) const;
};

KeyRule needed_key(std::string name, std::string type, std::string description);
KeyRule optional_key(std::string name, std::string type, std::string description);

/// A type with a name of its own, because it is used inside lists or in several places.
struct NamedType {
  std::string name, type, description;
};
const std::vector<NamedType>& named_types();

/// All sections; the first one is the file itself.
const std::vector<MapRules>& model_rules();

/// Throws std::logic_error for a name that is not in the table.
const MapRules& section(std::string_view name);

/// The alternatives of a type; a named type is replaced by its own.
std::vector<std::string> alternatives(std::string_view type);

/// The words of "word(a,b,c)" among the alternatives.
std::vector<std::string> words_of(std::string_view type);

/// T of the alternative "list of T" (or "map of T", by `prefix`), empty when there is none.
std::string element_type(std::string_view type, std::string_view prefix = "list of ");

}  // namespace lithe::io

#pragma once
// Typed access to the tree of a model file. Every function complains about what it cannot read and returns nothing
// then; nothing is said twice about one cause.

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lithe/io/data_files.hpp"
#include "lithe/io/model_rules.hpp"
#include "lithe/io/yaml_tree.hpp"
#include "lithe/laws/expression.hpp"
#include "lithe/spatial/pose.hpp"

namespace lithe::io {

/// A value, with what the rules say about it and how messages call it.
struct Item {
  const Node* node = nullptr;
  Place key_place;   ///< of its key; of the value itself in lists
  std::string path;  ///< "joints.knee-1.from"
  std::string type;  ///< as in the rules
};

/// A value in a map of names.
struct NamedItem {
  std::string name;
  Item item;
};

/// A map whose keys have been checked against a section of the rules.
class Object {
 public:
  Object(Item item, const MapRules& section) : item_(std::move(item)), section_(&section) {}

  /// The value of a key that the section knows; nothing when it is absent or refused.
  std::optional<Item> get(const std::string& key) const;
  bool has(const std::string& key) const { return get(key).has_value(); }
  const Item& item() const { return item_; }
  const MapRules& section() const { return *section_; }
  /// A key was wrong, missing or refused: what is absent is not to be complained about again.
  bool incomplete = false;

 private:
  Item item_;
  const MapRules* section_;
};

/// What expressions of a model file or of a part may use. The value of a broken parameter is not known; expressions that
/// use it fail silently.
struct Scope {
  std::map<std::string, double> parameters;
  std::set<std::string> broken_parameters;
  std::set<std::string> angle_parameters;  ///< given with `deg`
  bool parameters_known = true;            ///< false: `parameters:` could not be read, any name may be right
};

class Reader {
 public:
  explicit Reader(Complaints& complaints) : complaints_(complaints) {}

  Scope own;        ///< of the model itself
  DataFiles files;  ///< that the model names

  /// One for a part; it lives as long as the reader.
  Scope& add_scope() { return scopes_.emplace_back(); }
  const Scope& scope_of(const Node& node) const { return node.scope == nullptr ? own : *node.scope; }

  /// Puts numbers in place of the parameters of parts, wherever an expression of a part has been read: the tree then
  /// needs no scopes any more.
  void write_out_scopes(Node& tree) const;
  /// Before the tree is read: what was read of nodes that are gone must not be taken for others.
  void forget_read_expressions() { written_out_.clear(); }

  void complain(const Item& item, const std::string& message) { complaints_.add(item.node->place, item.path, message); }
  void complain_key(const Item& item, const std::string& message) {
    complaints_.add(item.key_place, item.path, message);
  }
  Complaints& complaints() { return complaints_; }

  /// A map with the keys of a section: complains about unknown, missing and contradictory keys.
  std::optional<Object> object(const Item& item, const std::string& section_name);
  /// A map from names to values of the type T in "map of T"; an empty value is an empty map.
  std::optional<std::vector<NamedItem>> map(const Item& item);
  /// A list of values of the type T in "list of T", with between `least` and `most` elements.
  std::optional<std::vector<Item>> list(const Item& item, std::size_t least = 0, std::size_t most = SIZE_MAX);

  std::optional<double> number(const Item& item);  ///< positive, not-negative: as the type says
  std::optional<long> integer(const Item& item);   ///< a count may be an expression with a whole value
  std::optional<bool> flag(const Item& item);
  std::optional<std::string> text(const Item& item);
  std::optional<std::string> word(const Item& item);
  std::optional<std::vector<double>> numbers(const Item& item, std::size_t least, std::size_t most);
  std::optional<Vec3> point(const Item& item);
  std::optional<Vec3> axis(const Item& item);
  std::optional<Quat> quaternion(const Item& item);  ///< normalised
  std::optional<Expression> expression(const Item& item, bool time_allowed);
  /// Of other variables than time.
  std::optional<Expression> expression(const Item& item, const std::vector<std::string>& variables);

  /// While it lives, no value may be an angle: laws of forces, coordinates that slide.
  class NoAngles {
   public:
    explicit NoAngles(Reader& reader, bool really = true) : reader_(reader), before_(reader.angles_allowed_) {
      if (really) reader.angles_allowed_ = false;
    }
    ~NoAngles() { reader_.angles_allowed_ = before_; }
    NoAngles(const NoAngles&) = delete;
    NoAngles& operator=(const NoAngles&) = delete;

   private:
    Reader& reader_;
    bool before_;
  };

  /// Complains about the expression that stands in `item`, at the very column.
  void complain_expression(const Item& item, const ExpressionError& error);

 private:
  bool refuses_angle(const Item& item) const;

  Complaints& complaints_;
  std::deque<Scope> scopes_;
  std::map<const Node*, std::string> written_out_;  ///< expressions of parts with numbers for their parameters
  bool angles_allowed_ = true;
};

/// Whether `name` may name a link, joint, frame...; otherwise why not.
std::string why_not_an_element_name(const std::string& name);

/// "a, b or c".
std::string listed(const std::vector<std::string>& words, const std::string& conjunction = "or",
                   const std::string& before_conjunction = " ");

/// "; did you mean 'b'?", or "; known: a, b, c" when nothing is near and the list is short.
std::string hint(const std::string& word, const std::vector<std::string>& known);

}  // namespace lithe::io

#include "lithe/io/repetition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace lithe::io {
namespace {

constexpr std::size_t most_values = 300000;  // as many as a file may have

/// What the indices stand for in one turn. A number is also known to expressions.
struct Turn {
  std::map<std::string, std::string> texts;
  std::map<std::string, double> numbers;  ///< and the parameters
};

bool is_word_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The shortest text that gives the number; brackets keep a minus together in expressions.
std::string number_text(double value) {
  const std::string text = fmt::format("{}", value + 0.0);
  return value < 0.0 ? "(" + text + ")" : text;
}

/// End of the bracket that opens at `open`, or npos.
std::size_t closing_bracket(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) return at;
  }
  return std::string::npos;
}

class Repetition {
 public:
  Repetition(Node& tree, const Scope& scope, Reader& reader) : tree_(tree), scope_(scope), reader_(reader) {}

  /// The blocks of a `repeat:`, in a turn of the block that contains it.
  void expand(const Item& given, const Turn& outer) {
    std::vector<Item> blocks{given};
    if (given.node->kind == Node::Kind::list) blocks = reader_.list(given).value_or(std::vector<Item>{});
    for (const Item& each : blocks) {
      Item block = each;
      block.type = "repeat";
      const auto object = reader_.object(block, "repeat");
      const auto indices_item = object ? object->get("for") : std::nullopt;
      const auto indices = indices_item ? reader_.map(*indices_item) : std::nullopt;
      if (!indices) continue;
      if (indices->empty()) {
        refuse(indices_item->key_place, indices_item->path, "needs an index: {i: 1 to 6}");
        continue;
      }
      // What is wrong with one block says nothing of the next.
      const bool before = std::exchange(good_, true);
      turn(*object, *indices, 0, outer);
      good_ = good_ && before;
    }
  }

  bool good() const { return good_; }

 private:
  void refuse(const Place& place, const std::string& path, const std::string& message) {
    good_ = false;
    // What is wrong in every turn is said once.
    if (said_.insert({place.line, place.column, message}).second) reader_.complaints().add(place, path, message);
  }

  /// Gives the index number `which` its values, one after the other; after the last index the sections are written.
  void turn(const Object& block, const std::vector<NamedItem>& indices, std::size_t which, const Turn& outer) {
    if (!good_) return;
    if (which == indices.size()) return write(block, outer);
    const NamedItem& index = indices[which];
    if (!check_index(index, outer)) return;
    for (const Turn& inner : values_of(index, outer)) turn(block, indices, which + 1, inner);
  }

  bool check_index(const NamedItem& index, const Turn& outer) {
    std::string fault = Expression::why_not_a_name(index.name);
    if (fault.empty() && !std::all_of(index.name.begin(), index.name.end(), is_word_letter))
      fault = "it may only have letters, digits and _";
    if (fault.empty() && outer.texts.contains(index.name)) fault = "an index around it has that name";
    if (fault.empty() && scope_.parameters.contains(index.name)) fault = "a parameter has that name";
    if (fault.empty()) return true;
    refuse(index.item.key_place, index.item.path, fmt::format("'{}' cannot name an index: {}", index.name, fault));
    return false;
  }

  /// One turn for each value: of a range `1 to n`, or of a list of numbers or words.
  std::vector<Turn> values_of(const NamedItem& index, const Turn& outer) {
    std::vector<Turn> turns;
    const auto add_number = [&](double value) {
      Turn& turn = turns.emplace_back(outer);
      turn.texts[index.name] = number_text(value);
      turn.numbers[index.name] = value;
    };
    const Node& node = *index.item.node;
    if (node.kind == Node::Kind::list) {
      for (const Node& each : node.items) {
        const std::string text =
            each.kind == Node::Kind::scalar ? filled(each.text, each.place, index.item.path, outer) : std::string{};
        if (text.empty()) {
          refuse(each.place, index.item.path, fmt::format("expected numbers or words, but this is {}", describe(each)));
        } else if (why_not_an_element_name(text).empty() && std::isalpha(static_cast<unsigned char>(text[0]))) {
          turns.emplace_back(outer).texts[index.name] = text;
        } else if (const auto value = evaluated(text, each.place, index.item.path, outer)) {
          add_number(*value);
        }
      }
      return turns;
    }
    const std::string text =
        node.kind == Node::Kind::scalar ? filled(node.text, node.place, index.item.path, outer) : std::string{};
    const std::size_t middle = text.find(" to ");
    if (middle == std::string::npos) {
      refuse(node.place, index.item.path,
             fmt::format("expected a range like '1 to 6' or a list, but this is {}", describe(node)));
      return turns;
    }
    const auto first = whole(text.substr(0, middle), node.place, index.item.path, outer);
    const auto last = whole(text.substr(middle + 4), node.place, index.item.path, outer);
    if (!first || !last) return turns;
    if (*last - *first >= static_cast<double>(most_values)) {
      refuse(node.place, index.item.path, fmt::format("this range has more than {} values", most_values));
      return turns;
    }
    for (double value = *first; value <= *last; ++value) add_number(value);
    return turns;
  }

  std::optional<double> evaluated(const std::string& text, const Place& place, const std::string& path,
                                  const Turn& turn) {
    try {
      const Expression parsed = Expression::parse(text, turn.numbers, false);
      for (const std::string& name : parsed.constants()) {
        if (!scope_.broken_parameters.contains(name)) continue;
        good_ = false;  // that parameter has been complained about
        return std::nullopt;
      }
      if (std::isfinite(parsed.value())) return parsed.value();
      refuse(place, path, fmt::format("expected a finite number, but '{}' is {}", text, parsed.value()));
    } catch (const ExpressionError& error) {
      std::string remedy;
      for (const auto& [name, value] : turn.texts)
        if (text == name) remedy = fmt::format("; its values are words: write ${}", name);
      refuse(place, path, fmt::format("'{}': {}{}", text, error.what(), remedy));
    }
    return std::nullopt;
  }

  std::optional<double> whole(const std::string& text, const Place& place, const std::string& path, const Turn& turn) {
    const auto value = evaluated(text, place, path, turn);
    if (!value || *value == std::round(*value)) return value;
    refuse(place, path, fmt::format("a range goes over whole numbers, but '{}' is {}", text, *value));
    return std::nullopt;
  }

  /// The text with $i and $(i + 1) replaced.
  std::string filled(const std::string& text, const Place& place, const std::string& path, const Turn& turn) {
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '$') {
        result += text[at];
        continue;
      }
      if (at + 1 < text.size() && text[at + 1] == '(') {
        const std::size_t end = closing_bracket(text, at + 1);
        if (end == std::string::npos) {
          refuse(place, path, fmt::format("the bracket after $ is not closed: '{}'", text.substr(at)));
          return {};
        }
        const auto value = evaluated(text.substr(at + 2, end - at - 2), place, path, turn);
        if (!value) return {};
        result += number_text(*value);
        at = end;
        continue;
      }
      std::size_t end = at + 1;
      while (end < text.size() && is_word_letter(text[end])) ++end;
      const std::string name = text.substr(at + 1, end - at - 1);
      const auto found = turn.texts.find(name);
      if (found == turn.texts.end()) {
        std::vector<std::string> known;
        for (const auto& [index, value] : turn.texts) known.push_back(index);
        refuse(place, path,
               name.empty() ? fmt::format("after $ stands an index or a bracket: ${0} or $({0} + 1)", known.front())
                            : fmt::format("'${}' is no index{}", name, hint(name, known)));
        return {};
      }
      result += found->second;
      at = end - 1;
    }
    return result;
  }

  /// The value with all indices filled in.
  Node filled(const Node& node, const std::string& path, const Turn& turn) {
    Node result = node;
    if (++values_ > most_values) {
      refuse(node.place, path, fmt::format("the repetitions have more than {} values", most_values));
      return result;
    }
    if (node.kind == Node::Kind::scalar && node.text.find('$') != std::string::npos) {
      result.text = filled(node.text, node.place, path, turn);
      result.is_rewritten = true;
    }
    for (Node& item : result.items) item = filled(item, path, turn);
    for (Entry& entry : result.entries) {
      const std::string inner = path + "." + entry.key;
      entry.key = filled(entry.key, entry.place, inner, turn);
      entry.value = filled(entry.value, inner, turn);
    }
    return result;
  }

  void write(const Object& block, const Turn& turn) {
    for (const Entry& entry : block.item().node->entries) {
      if (entry.key == "for") continue;
      const std::string path = block.item().path + "." + entry.key;
      if (entry.key == "repeat") {
        expand({&entry.value, entry.place, path, "list of repeat"}, turn);
        continue;
      }
      if (block.section().find(entry.key) == nullptr) continue;  // has been complained about
      Node value = filled(entry.value, path, turn);
      if (good_) put(tree_, "", {entry.key, entry.place, std::move(value)}, entry.key);
    }
  }

  /// Where the keys of a map stand. `trail`: the keys that lead to it, each behind a line break.
  std::unordered_map<std::string, std::size_t>& places_in(const Node& map, const std::string& trail) {
    const auto [found, is_new] = places_.try_emplace(trail);
    for (std::size_t i = 0; is_new && i < map.entries.size(); ++i) found->second.emplace(map.entries[i].key, i);
    return found->second;
  }

  /// Maps are put together, lists continued; nothing else may stand twice.
  void put(Node& map, const std::string& trail, Entry entry, const std::string& path) {
    const auto [place, is_new] = places_in(map, trail).try_emplace(entry.key, map.entries.size());
    if (is_new) {
      map.entries.push_back(std::move(entry));
      return;
    }
    Entry& old = map.entries[place->second];
    Node &into = old.value, &value = entry.value;
    if (value.kind == Node::Kind::null) return;
    if (into.kind == Node::Kind::null) {
      into = std::move(value);
    } else if (into.kind == Node::Kind::map && value.kind == Node::Kind::map) {
      for (Entry& inner : value.entries) {
        const std::string inner_path = path + "." + inner.key;
        put(into, trail + '\n' + entry.key, std::move(inner), inner_path);
      }
    } else if (into.kind == Node::Kind::list && value.kind == Node::Kind::list && path == "record") {
      for (Node& item : value.items) into.items.push_back(std::move(item));
    } else {
      refuse(entry.place, path,
             fmt::format("stands in line {} already; what is repeated needs the index in its name", old.place.line));
    }
  }

  Node& tree_;
  const Scope& scope_;
  Reader& reader_;
  std::set<std::tuple<int, int, std::string>> said_;
  std::unordered_map<std::string, std::unordered_map<std::string, std::size_t>> places_;  ///< by the trail of a map
  std::size_t values_ = 0;
  bool good_ = true;
};

}  // namespace

bool expand_repetition(Node& tree, const Scope& scope, Reader& reader) {
  const auto found = std::find_if(tree.entries.begin(), tree.entries.end(), [](Entry& e) { return e.key == "repeat"; });
  if (found == tree.entries.end()) return true;
  const Entry blocks = std::move(*found);
  tree.entries.erase(found);
  Turn none;
  none.numbers = scope.parameters;
  Repetition repetition(tree, scope, reader);
  const bool was_good = reader.complaints().empty();
  repetition.expand({&blocks.value, blocks.place, "repeat", "repeat | list of repeat"}, none);
  return repetition.good() && (!was_good || reader.complaints().empty());
}

}  // namespace lithe::io

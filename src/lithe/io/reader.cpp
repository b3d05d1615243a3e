#include "lithe/io/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "lithe/laws/angle.hpp"
#include "lithe/laws/suggestion.hpp"

namespace lithe::io {

namespace {

bool is_true(const std::string& text) { return text == "true" || text == "True" || text == "TRUE"; }
bool is_false(const std::string& text) { return text == "false" || text == "False" || text == "FALSE"; }

bool has_alternative(const std::string& type, std::string_view wanted) {
  const auto all = alternatives(type);
  return std::find(all.begin(), all.end(), wanted) != all.end();
}

/// What a message calls a value of one alternative of a type.
std::string form_of(const std::string& alternative) {
  static const std::map<std::string, std::string> names{{"number", "a number"},
                                                        {"positive", "a number"},
                                                        {"not-negative", "a number"},
                                                        {"plain", "a number"},
                                                        {"timed", "a number, an expression of t"},
                                                        {"stretched", "an expression of x and v"},
                                                        {"condition", "an expression of quantities"},
                                                        {"integer", "a whole number"},
                                                        {"count", "a whole number"},
                                                        {"flag", "true or false"},
                                                        {"text", "a text"},
                                                        {"name", "a name"},
                                                        {"frame", "LINK/FRAME"},
                                                        {"axis", "an axis (x, y, z, -x, -y, -z or [x, y, z])"},
                                                        {"point", "[x, y, z]"},
                                                        {"list of number", "a list of numbers"},
                                                        {"list of plain", "a list of numbers"},
                                                        {"list of positive", "a list of numbers"},
                                                        {"list of not-negative", "a list of numbers"},
                                                        {"list of axis", "a list of axes"},
                                                        {"list of frame", "a list of frames"},
                                                        {"list of law", "a list with one entry per axis"}};
  if (const auto found = names.find(alternative); found != names.end()) return found->second;
  if (alternative.starts_with("word(")) return listed(words_of(alternative));
  if (alternative.starts_with("list of ")) return "a list";
  if (alternative.starts_with("map of ")) return "a map of names";
  const MapRules& rules = section(alternative);
  return rules.keys.empty() ? "{}" : fmt::format("{} {{{}: ...}}", rules.title, rules.keys.front().name);
}

/// What a message asks for when a value has the wrong form.
std::string wanted_form(const std::string& type) {
  std::vector<std::string> forms;
  for (const std::string& alternative : alternatives(type)) {
    const std::string form = form_of(alternative);
    if (std::find(forms.begin(), forms.end(), form) == forms.end()) forms.push_back(form);
  }
  return listed(forms, "or", ", ");
}

/// An expression with numbers in place of its constants, variables as they are. A name with hyphens is a constant as far as
/// it is one.
std::string with_numbers(const std::string& text, const std::map<std::string, double>& constants,
                         const std::vector<std::string>& variables) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto continues = [&](char c) {
    return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '-';
  };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    const std::string* variable = nullptr;
    for (const std::string& each : variables)
      if (std::string_view(text).substr(at).starts_with(each) &&
          (variable == nullptr || variable->size() < each.size()))
        variable = &each;
    if (variable != nullptr && variable->find('.') != std::string::npos) {
      result += *variable;
      end = at + variable->size();
    } else if (is_letter(text[at])) {
      while (end < text.size() && continues(text[end])) ++end;
      std::string name = text.substr(at, end - at);
      while (!constants.contains(name) && name.rfind('-') != std::string::npos) name.resize(name.rfind('-'));
      const auto found = constants.find(name);
      result += found == constants.end() ? name : fmt::format("({})", found->second);
      end = at + name.size();
    } else if (std::isdigit(static_cast<unsigned char>(text[at])) || text[at] == '.') {
      // A whole number, so that the e of 2e-3 is no name.
      double value = 0.0;
      end = std::from_chars(text.data() + at, text.data() + text.size(), value).ptr - text.data();
      end = std::max(end, at + 1);
      result += text.substr(at, end - at);
    } else {
      result += text[at];
    }
    at = end;
  }
  return result;
}

std::string but_is(const Node& node) { return fmt::format("but this is {}", describe(node)); }

}  // namespace

std::optional<Item> Object::get(const std::string& key) const {
  const KeyRule* rule = section_->find(key);
  if (rule == nullptr) throw std::logic_error("the rules of " + section_->name + " have no key " + key);
  const Entry* entry = item_.node->find(key);
  if (entry == nullptr || !rule->unavailable.empty()) return std::nullopt;
  return Item{&entry->value, entry->place, item_.path.empty() ? key : item_.path + "." + key, rule->type};
}

std::optional<Object> Reader::object(const Item& item, const std::string& section_name) {
  const MapRules& rules = section(section_name);
  if (item.node->kind != Node::Kind::map) {
    complain(item, fmt::format("expected {}, {}", wanted_form(item.type), but_is(*item.node)));
    return std::nullopt;
  }
  Object object(item, rules);
  const std::string prefix = item.path.empty() ? std::string{} : item.path + ".";

  // Unknown and refused keys; what the user seems to have meant is not missing.
  std::set<std::string> meant, refused;
  std::vector<std::string> known;
  for (const KeyRule& rule : rules.keys) known.push_back(rule.name);
  for (const Entry& entry : item.node->entries) {
    const KeyRule* rule = rules.find(entry.key);
    if (rule == nullptr) {
      meant.insert(nearest(entry.key, known));
      complaints_.add(entry.place, prefix + entry.key,
                      fmt::format("{} has no key '{}'{}", rules.title, entry.key, hint(entry.key, known)));
      object.incomplete = true;
    } else if (!rule->unavailable.empty()) {
      if (refused.insert(rule->unavailable).second) complaints_.add(entry.place, prefix + entry.key, rule->unavailable);
      object.incomplete = true;
    }
  }

  // Missing keys.
  for (const KeyRule& rule : rules.keys) {
    if (!rule.required || item.node->find(rule.name) != nullptr) continue;
    if (!meant.contains(rule.name)) complain_key(item, fmt::format("{} needs '{}'", rules.title, rule.name));
    object.incomplete = true;
  }

  // One of several.
  if (!rules.exactly_one.empty()) {
    std::vector<std::string> given;
    for (const std::string& key : rules.exactly_one)
      if (item.node->find(key) != nullptr) given.push_back(key);
    const bool is_meant = std::any_of(rules.exactly_one.begin(), rules.exactly_one.end(),
                                      [&](const std::string& key) { return meant.contains(key); });
    if (given.empty() && !is_meant)
      complain_key(item, fmt::format("{} needs {}", rules.title, listed(rules.exactly_one)));
    if (given.size() > 1)
      complaints_.add(item.node->find(given[1])->place, prefix + given[1],
                      fmt::format("{} takes only one of {}", rules.title, listed(given, "and")));
    if (given.size() != 1) object.incomplete = true;
  }
  return object;
}

std::optional<std::vector<NamedItem>> Reader::map(const Item& item) {
  const std::string type = element_type(item.type, "map of ");
  std::vector<NamedItem> entries;
  if (item.node->kind == Node::Kind::null) return entries;
  if (item.node->kind != Node::Kind::map) {
    complain(item, fmt::format("expected a map of names, {}", but_is(*item.node)));
    return std::nullopt;
  }
  for (const Entry& entry : item.node->entries)
    entries.push_back({entry.key, {&entry.value, entry.place, item.path + "." + entry.key, type}});
  return entries;
}

std::optional<std::vector<Item>> Reader::list(const Item& item, std::size_t least, std::size_t most) {
  const std::string type = element_type(item.type);
  if (item.node->kind != Node::Kind::list) {
    complain(item, fmt::format("expected {}, {}", wanted_form(item.type), but_is(*item.node)));
    return std::nullopt;
  }
  const std::size_t size = item.node->items.size();
  if (size < least || size > most) {
    const std::string wanted = least == most       ? fmt::format("{}", least)
                               : most == SIZE_MAX  ? fmt::format("at least {}", least)
                               : most == least + 1 ? fmt::format("{} or {}", least, most)
                                                   : fmt::format("{} to {}", least, most);
    complain(item, fmt::format("expected {} entr{}, but the list has {}", wanted, least == 1 && most == 1 ? "y" : "ies",
                               size));
    return std::nullopt;
  }
  std::vector<Item> elements;
  for (std::size_t i = 0; i < size; ++i) {
    const Node& node = item.node->items[i];
    elements.push_back({&node, node.place, fmt::format("{}[{}]", item.path, i), type});
  }
  return elements;
}

void Reader::complain_expression(const Item& item, const ExpressionError& error) {
  if (!scope_of(*item.node).parameters_known && std::string_view(error.what()).starts_with("unknown name")) return;
  Place place = item.node->place;
  // The column inside the text is the column in the file unless the text was folded, has escapes or was changed.
  if (!item.node->is_rewritten && item.node->text.find('\n') == std::string::npos &&
      item.node->text.find('\\') == std::string::npos)
    place.column += static_cast<int>(error.column()) + (item.node->quoted ? 1 : 0);
  complaints_.add(place, item.path, error.what());
}

std::optional<Expression> Reader::expression(const Item& item, bool time_allowed) {
  return expression(item, time_allowed ? std::vector<std::string>{"t"} : std::vector<std::string>{});
}

std::optional<Expression> Reader::expression(const Item& item, const std::vector<std::string>& variables) {
  if (item.node->kind != Node::Kind::scalar) {
    complain(item, fmt::format("expected {}, {}", wanted_form(item.type), but_is(*item.node)));
    return std::nullopt;
  }
  const Scope& scope = scope_of(*item.node);
  try {
    Expression parsed = Expression::of_variables(item.node->text, scope.parameters, variables);
    const bool is_broken = std::any_of(parsed.constants().begin(), parsed.constants().end(),
                                       [&](const std::string& name) { return scope.broken_parameters.contains(name); });
    if (is_broken) return std::nullopt;
    if (item.node->scope != nullptr && !parsed.constants().empty())
      written_out_[item.node] = with_numbers(item.node->text, scope.parameters, variables);
    if (refuses_angle(item)) {
      complain(item, fmt::format("expected a value that is no angle, but '{}' is one; leave out deg", item.node->text));
      return std::nullopt;
    }
    return parsed;
  } catch (const ExpressionError& error) {
    complain_expression(item, error);
    return std::nullopt;
  }
}

/// Masses, lengths, stiffnesses, times...: types of the rules that no angle has.
bool Reader::refuses_angle(const Item& item) const {
  const bool may_be = angles_allowed_ && !has_alternative(item.type, "positive") &&
                      !has_alternative(item.type, "not-negative") && !has_alternative(item.type, "plain");
  const Scope& scope = scope_of(*item.node);
  return !may_be && is_angle(item.node->text, scope.parameters, scope.angle_parameters);
}

void Reader::write_out_scopes(Node& node) const {
  if (const auto found = written_out_.find(&node); found != written_out_.end()) node.text = found->second;
  for (Node& item : node.items) write_out_scopes(item);
  for (Entry& entry : node.entries) write_out_scopes(entry.value);
}

std::optional<double> Reader::number(const Item& item) {
  if (item.node->kind == Node::Kind::scalar) {
    static const std::set<std::string> special{".nan", ".NaN",  ".NAN",  "nan", "NaN",
                                               ".inf", "-.inf", "+.inf", "inf", "-inf"};
    if (special.contains(item.node->text)) {
      complain(item, fmt::format("expected a finite number, {}", but_is(*item.node)));
      return std::nullopt;
    }
    if (is_true(item.node->text) || is_false(item.node->text)) {
      complain(item, fmt::format("expected {}, {}", wanted_form(item.type), but_is(*item.node)));
      return std::nullopt;
    }
  }
  const auto parsed = expression(item, false);
  if (!parsed) return std::nullopt;
  const double value = parsed->value();
  const char* wanted = nullptr;
  if (!std::isfinite(value))
    wanted = "a finite number";
  else if (has_alternative(item.type, "positive") && !(value > 0.0))
    wanted = "a positive number";
  else if (has_alternative(item.type, "not-negative") && value < 0.0)
    wanted = "a number that is not negative";
  if (wanted == nullptr) return value;
  // Show the value of an expression; a plain number speaks for itself.
  const std::string shown = std::isnan(value) ? "not a number" : fmt::format("{}", value);
  const std::string text = describe(*item.node);
  complain(item, shown == item.node->text ? fmt::format("expected {}, but this is {}", wanted, shown)
                                          : fmt::format("expected {}, but {} is {}", wanted, text, shown));
  return std::nullopt;
}

std::optional<long> Reader::integer(const Item& item) {
  const std::string& text = item.node->text;
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_scalar = item.node->kind == Node::Kind::scalar;
  if (is_scalar && error == std::errc{} && end == text.data() + text.size()) return value;
  if (is_scalar && has_alternative(item.type, "count") && !is_true(text) && !is_false(text)) {
    const auto parsed = expression(item, false);
    if (!parsed) return std::nullopt;
    const double number = parsed->value();
    if (number == std::round(number) && std::abs(number) < 1e9) return static_cast<long>(number);
    const std::string shown = fmt::format("{}", number);
    if (shown != text) {
      complain(item, fmt::format("expected a whole number, but {} is {}", describe(*item.node), shown));
      return std::nullopt;
    }
  }
  complain(item, fmt::format("expected a whole number, {}", but_is(*item.node)));
  return std::nullopt;
}

std::optional<bool> Reader::flag(const Item& item) {
  if (item.node->kind == Node::Kind::scalar && !item.node->quoted) {
    if (is_true(item.node->text)) return true;
    if (is_false(item.node->text)) return false;
  }
  complain(item, fmt::format("expected {}, {}", wanted_form(item.type), but_is(*item.node)));
  return std::nullopt;
}

std::optional<std::string> Reader::text(const Item& item) {
  if (item.node->kind == Node::Kind::scalar) return item.node->text;
  complain(item, fmt::format("expected {}, {}", wanted_form(item.type), but_is(*item.node)));
  return std::nullopt;
}

std::optional<std::string> Reader::word(const Item& item) {
  const std::vector<std::string> words = words_of(item.type);
  if (item.node->kind == Node::Kind::scalar && std::find(words.begin(), words.end(), item.node->text) != words.end())
    return item.node->text;
  const std::string suggestion =
      item.node->kind == Node::Kind::scalar ? did_you_mean(item.node->text, words) : std::string{};
  complain(item, fmt::format("expected {}, {}{}", wanted_form(item.type), but_is(*item.node), suggestion));
  return std::nullopt;
}

std::optional<std::vector<double>> Reader::numbers(const Item& item, std::size_t least, std::size_t most) {
  const auto elements = list(item, least, most);
  if (!elements) return std::nullopt;
  std::vector<double> values;
  bool good = true;
  for (const Item& element : *elements) {
    const auto value = number(element);
    good = good && value.has_value();
    values.push_back(value.value_or(0.0));
  }
  if (!good) return std::nullopt;
  return values;
}

std::optional<Vec3> Reader::point(const Item& item) {
  if (item.node->kind != Node::Kind::list) {
    complain(item, fmt::format("expected {}, {}", wanted_form(item.type), but_is(*item.node)));
    return std::nullopt;
  }
  Item as_list = item;
  as_list.type = item.type == "rates" ? "list of number" : "list of plain";
  const auto values = numbers(as_list, 2, 3);
  if (!values) return std::nullopt;
  return Vec3((*values)[0], (*values)[1], values->size() == 3 ? (*values)[2] : 0.0);
}

std::optional<Vec3> Reader::axis(const Item& item) {
  if (item.node->kind == Node::Kind::list) {
    const auto direction = point(item);
    if (!direction) return std::nullopt;
    const Vec3 unit = direction->stableNormalized();
    if (unit.norm() > 0.5) return unit;
    complain(item, "an axis must not be zero");
    return std::nullopt;
  }
  const std::string& text = item.node->text;
  if (item.node->kind == Node::Kind::scalar && !text.empty() && text.size() <= 2) {
    const char letter = text.back();
    const char sign = text.size() == 2 ? text.front() : '+';
    if (letter >= 'x' && letter <= 'z' && (sign == '+' || sign == '-'))
      return Vec3(Vec3::Unit(letter - 'x') * (sign == '-' ? -1.0 : 1.0));
  }
  complain(item, fmt::format("expected {}, {}", wanted_form("axis"), but_is(*item.node)));
  return std::nullopt;
}

std::optional<Quat> Reader::quaternion(const Item& item) {
  const auto values = numbers(item, 4, 4);
  if (!values) return std::nullopt;
  const Eigen::Vector4d unit =
      Eigen::Vector4d((*values)[0], (*values)[1], (*values)[2], (*values)[3]).stableNormalized();
  if (unit.norm() > 0.5) return Quat(unit[0], unit[1], unit[2], unit[3]);
  complain(item, "a quaternion must not be zero");
  return std::nullopt;
}

std::string why_not_an_element_name(const std::string& name) {
  const bool good = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return u >= 0x80U || std::isalnum(u) || c == '-' || c == '_';
  });
  return good ? std::string{} : fmt::format("the name '{}' may only have letters, digits, - and _", name);
}

std::string listed(const std::vector<std::string>& words, const std::string& conjunction,
                   const std::string& before_conjunction) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? before_conjunction + conjunction + " " : ", ";
    text += words[i];
  }
  return text;
}

std::string hint(const std::string& word, const std::vector<std::string>& known) {
  const std::string suggestion = did_you_mean(word, known);
  if (!suggestion.empty() || known.empty() || known.size() > 32) return suggestion;
  return fmt::format("; known: {}", fmt::join(known, ", "));
}

}  // namespace lithe::io

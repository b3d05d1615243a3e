// Laws of time, wherever they stand.

#include <fmt/format.h>

#include <algorithm>

#include "lithe/io/model_builder.hpp"

namespace lithe::io {

namespace {

/// Times or values of an inline table; `start` and the like are plain numbers.
double number_or(const Object& object, const char* key, double otherwise, Reader& reader) {
  const auto item = object.get(key);
  return item ? reader.number(*item).value_or(otherwise) : otherwise;
}

}  // namespace

std::optional<Law> ModelBuilder::law(const Item& item) {
  if (item.node->kind != Node::Kind::list) {
    auto term = law_term(item);
    if (!term) return std::nullopt;
    return Law(std::move(*term));
  }
  Item terms = item;
  terms.type = "list of law-term";
  const auto list = reader_.list(terms, 1);
  if (!list) return std::nullopt;
  Law sum;
  bool good = true;
  for (const Item& each : *list) {
    auto term = law_term(each);
    good = good && term.has_value();
    if (term) sum.add(std::move(*term));
  }
  if (!good) return std::nullopt;
  return sum;
}

std::optional<Law::Term> ModelBuilder::law_term(const Item& item) {
  if (item.node->kind == Node::Kind::map) {
    const auto object = reader_.object(item, "law-kind");
    if (!object || object->incomplete) return std::nullopt;
    return law_of_kind(*object);
  }
  auto expression = reader_.expression(item, true);
  if (!expression) return std::nullopt;
  if (expression->depends_on_time()) return ExpressionLaw{std::move(*expression)};
  Item constant = item;
  constant.type = "number";
  const auto value = reader_.number(constant);
  if (!value) return std::nullopt;
  return ConstantLaw{*value};
}

std::optional<Law::Term> ModelBuilder::law_of_kind(const Object& kind) {
  if (const auto item = kind.get("constant")) {
    const auto value = reader_.number(*item);
    if (!value) return std::nullopt;
    return ConstantLaw{*value};
  }
  if (const auto item = kind.get("cycloid")) {
    const auto object = reader_.object(*item, "cycloid");
    if (!object) return std::nullopt;
    CycloidLaw law;
    law.from = number_or(*object, "from", 0.0, reader_);
    law.to = number_or(*object, "to", 0.0, reader_);
    law.duration = number_or(*object, "in", 1.0, reader_);
    law.start = number_or(*object, "start", 0.0, reader_);
    return law;
  }
  if (const auto item = kind.get("trapezoid")) return move(*item, MotionProfile::trapezoid);
  if (const auto item = kind.get("jerk-limited")) return move(*item, MotionProfile::jerk_limited);
  if (const auto item = kind.get("moves")) return moves(*item);
  if (const auto item = kind.get("polynomial")) return polynomial(*item);
  if (const auto item = kind.get("bezier")) return bezier(*item);
  if (const auto item = kind.get("table")) return table(*item);
  if (const auto item = kind.get("expression")) {
    auto expression = reader_.expression(*item, true);
    if (!expression) return std::nullopt;
    return ExpressionLaw{std::move(*expression)};
  }
  return std::nullopt;
}

std::optional<Law::Term> ModelBuilder::polynomial(const Item& item) {
  if (item.node->kind == Node::Kind::list) {
    auto coefficients = reader_.numbers(item, 1, 20);
    if (!coefficients) return std::nullopt;
    return PolynomialCoefficients{std::move(*coefficients)};
  }
  const auto object = reader_.object(item, "polynomial");
  if (!object) return std::nullopt;
  const auto derivatives = [&](const char* key) {
    const auto given = object->get(key);
    const std::vector<double> rest{0.0, 0.0};
    return given ? reader_.numbers(*given, 0, 3).value_or(rest) : rest;
  };
  return make_polynomial(number_or(*object, "from", 0.0, reader_), number_or(*object, "to", 0.0, reader_),
                         number_or(*object, "start", 0.0, reader_), number_or(*object, "in", 1.0, reader_),
                         derivatives("from-derivatives"), derivatives("to-derivatives"));
}

std::optional<Law::Term> ModelBuilder::bezier(const Item& item) {
  const auto object = reader_.object(item, "bezier");
  if (!object) return std::nullopt;
  BezierLaw law;
  law.duration = number_or(*object, "in", 1.0, reader_);
  law.start = number_or(*object, "start", 0.0, reader_);
  const auto points = object->get("points");
  const auto values = points ? reader_.numbers(*points, 2, 60) : std::nullopt;
  if (!values) return std::nullopt;
  law.points = *values;
  return law;
}

std::optional<Law::Term> ModelBuilder::table(const Item& item) {
  const auto object = reader_.object(item, "table");
  if (!object) return std::nullopt;
  auto interpolation = TableLaw::Interpolation::linear;
  if (const auto given = object->get("interpolation")) {
    const auto word = reader_.word(*given);
    if (word == "hold") interpolation = TableLaw::Interpolation::hold;
    if (word == "cubic") interpolation = TableLaw::Interpolation::cubic;
  }
  if (object->incomplete) return std::nullopt;

  if (const auto file = object->get("file")) {
    if (const auto values = object->get("y")) reader_.complain_key(*values, "'y' goes with 't', not with 'file'");
    return table_from_file(*file, *object, interpolation);
  }
  for (const char* key : {"time", "column"})
    if (const auto given = object->get(key)) reader_.complain_key(*given, fmt::format("'{}' goes with 'file'", key));
  const auto times_item = object->get("t"), values_item = object->get("y");
  if (!times_item || !values_item) {
    reader_.complain_key(item, "a table with 't' needs 'y'");
    return std::nullopt;
  }
  auto times = reader_.numbers(*times_item, 1, SIZE_MAX), values = reader_.numbers(*values_item, 1, SIZE_MAX);
  if (!times || !values) return std::nullopt;
  if (times->size() != values->size()) {
    reader_.complain(*values_item, fmt::format("t has {} entries, but y has {}", times->size(), values->size()));
    return std::nullopt;
  }
  const auto stuck = std::adjacent_find(times->begin(), times->end(), [](double a, double b) { return !(a < b); });
  if (stuck != times->end()) {
    reader_.complain(*times_item,
                     fmt::format("the times must increase, but {} is followed by {}", *stuck, *(stuck + 1)));
    return std::nullopt;
  }
  return make_table(std::move(*times), std::move(*values), interpolation);
}

std::optional<Law::Term> ModelBuilder::table_from_file(const Item& file_item, const Object& object,
                                                       TableLaw::Interpolation interpolation) {
  const auto file = reader_.text(file_item);
  const auto name_of_column = [&](const char* key) {
    const auto given = object.get(key);
    return given ? reader_.text(*given) : std::nullopt;
  };
  const auto time = name_of_column("time"), column = name_of_column("column");
  if (!file) return std::nullopt;
  auto law = read_table_file(beside(file_item.node->place, *file), time, column, interpolation, file_item, reader_);
  if (!law) return std::nullopt;
  return std::move(*law);
}

}  // namespace lithe::io

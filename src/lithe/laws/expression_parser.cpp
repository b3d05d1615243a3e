// Recursive descent from text to the postfix program of an Expression.
//
//   comparison := sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
//   sum        := product {("+" | "-") product}
//   product    := signed {("*" | "/") signed}
//   signed     := {"+" | "-"} power
//   power      := operand ["^" signed]
//   operand    := (number | name | function "(" comparison {"," comparison} ")" | "(" comparison ")") ["deg"]

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

#include "lithe/laws/angle.hpp"
#include "lithe/laws/operations.hpp"
#include "lithe/laws/suggestion.hpp"

namespace lithe {

namespace {

using enum Expression::Operation;

struct Function {
  std::string_view name;
  Expression::Operation operation;
};

constexpr Function functions[] = {{"sin", sin},     {"cos", cos},     {"tan", tan},   {"asin", asin}, {"acos", acos},
                                  {"atan", atan},   {"atan2", atan2}, {"sinh", sinh}, {"cosh", cosh}, {"tanh", tanh},
                                  {"exp", exp},     {"log", log},     {"sqrt", sqrt}, {"abs", abs},   {"sign", sign},
                                  {"floor", floor}, {"step", step},   {"min", min},   {"max", max},   {"if", choose}};

constexpr std::pair<std::string_view, Expression::Operation> comparisons[] = {
    {"<=", less_equal}, {">=", greater_equal}, {"==", equal}, {"!=", not_equal}, {"<", less}, {">", greater}};

/// Levels of nesting; keeps the recursion of the parser within any thread's stack.
constexpr int deepest = 100;

/// Letters of a constant's name; keeps the search for hyphenated names short.
constexpr std::size_t longest_name = 64;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

const Function* find_function(std::string_view name) {
  const auto* found = std::find_if(std::begin(functions), std::end(functions), [&](auto& f) { return f.name == name; });
  return found == std::end(functions) ? nullptr : found;
}

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const std::map<std::string, double>& constants,
                   std::vector<std::string> variables, const std::set<std::string>& angles = {})
      : text_(text), constants_(constants), variables_(std::move(variables)), angles_(angles) {}

  Expression parse() {
    skip_space();
    if (at_end()) fail("the expression is empty");
    comparison();
    if (!at_end()) fail_trailing();
    result_.text_ = text_;
    return std::move(result_);
  }

  /// Whether the expression that was parsed is an angle, see angle.hpp.
  bool is_angle() const { return are_angles_.back(); }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw ExpressionError(position_, message); }
  [[noreturn]] void fail_at(std::size_t position, const std::string& message) const {
    throw ExpressionError(position, message);
  }

  bool at_end() const { return position_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  void skip_space() {
    while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++position_;
  }
  bool take(std::string_view token) {
    if (text_.substr(position_, token.size()) != token) return false;
    position_ += token.size();
    skip_space();
    return true;
  }
  std::string_view read_name() {
    const std::size_t begin = position_;
    while (!at_end() && (is_letter(peek()) || is_digit(peek()))) ++position_;
    return text_.substr(begin, position_ - begin);
  }
  /// What stands at the current position, for messages.
  std::string found() const {
    if (at_end()) return "the expression ends";
    std::size_t end = position_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    // A byte beyond ASCII starts a character of several bytes: show all of them.
    if (end == position_) do
        ++end;
      while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U);
    return fmt::format("found '{}'", text_.substr(position_, end - position_));
  }

  void emit(Expression::Operation operation, double number = 0.0) {
    height_ += 1 - operand_count(operation);
    if (height_ > expression_stack) fail("the expression is nested too deeply; split it into parameters");
    result_.program_.push_back({operation, number});
    track_angle(operation);
  }

  /// The same stack as that of an evaluation, with what is an angle in place of the values.
  void track_angle(Expression::Operation operation) {
    const auto count = static_cast<std::size_t>(operand_count(operation));
    const auto first = are_angles_.end() - static_cast<std::ptrdiff_t>(count);
    const bool keeps = operation == negate || operation == abs || operation == add || operation == subtract ||
                       operation == min || operation == max || operation == choose;
    const bool is = operation == degrees || (keeps && std::find(operation == choose ? first + 1 : first,
                                                                are_angles_.end(), true) != are_angles_.end());
    are_angles_.erase(first, are_angles_.end());
    are_angles_.push_back(is);
  }

  /// Counts nesting for as long as it lives.
  struct Level {
    explicit Level(ExpressionParser& p) : parser(p) {
      if (++parser.depth_ > deepest) parser.fail("the expression is nested too deeply; split it into parameters");
    }
    ~Level() { --parser.depth_; }
    ExpressionParser& parser;
  };

  void comparison() {
    const Level level(*this);
    sum();
    for (const auto& [token, operation] : comparisons) {
      if (!take(token)) continue;
      sum();
      emit(operation);
      return;
    }
  }

  void sum() {
    product();
    for (;;) {
      if (take("+")) {
        product();
        emit(add);
      } else if (take("-")) {
        product();
        emit(subtract);
      } else {
        return;
      }
    }
  }

  void product() {
    signed_power();
    for (;;) {
      if (text_.substr(position_, 2) == "**") fail("'**' is not an operator; write ^ for powers");
      if (take("*")) {
        signed_power();
        emit(multiply);
      } else if (take("/")) {
        signed_power();
        emit(divide);
      } else {
        return;
      }
    }
  }

  void signed_power() {
    const Level level(*this);
    bool negative = false;
    for (;;) {
      if (take("-"))
        negative = !negative;
      else if (!take("+"))
        break;
    }
    operand();
    if (take("^")) {
      signed_power();
      emit(power);
    }
    if (negative) emit(negate);
  }

  void operand() {
    if (is_digit(peek()) || peek() == '.') {
      number();
    } else if (is_letter(peek())) {
      name();
    } else if (peek() == '(') {
      parentheses(position_);
    } else {
      fail(fmt::format("expected a number, a name or '(' but {}{}", found(), at_end() ? " here" : ""));
    }
    const std::size_t before = position_;
    if (is_letter(peek())) {
      if (read_name() == "deg") {
        skip_space();
        emit(degrees);
      } else {
        position_ = before;
      }
    }
  }

  void number() {
    const char* begin = text_.data() + position_;
    double value = 0.0;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range)
      fail(
          fmt::format("the number {} is out of range", std::string_view(begin, static_cast<std::size_t>(end - begin))));
    if (error != std::errc{}) fail(fmt::format("expected a number but {}", found()));
    position_ += static_cast<std::size_t>(end - begin);
    skip_space();
    emit(constant, value);
  }

  void parentheses(std::size_t opening) {
    take("(");
    comparison();
    if (!take(")")) fail_closing(opening);
  }

  [[noreturn]] void fail_closing(std::size_t opening) const {
    if (at_end()) fail_at(opening, "this '(' is never closed");
    fail_trailing();
  }

  [[noreturn]] void fail_trailing() const {
    if (peek() == ')') fail("this ')' was never opened");
    if (peek() == ',') fail("a ',' may only stand between the arguments of a function; decimals are written with '.'");
    if (peek() == '=') fail("'=' is not an operator; write == to compare");
    if (is_letter(peek()) || is_digit(peek()) || peek() == '(' || peek() == '.')
      fail(fmt::format("expected an operator but {}{}", found(), unit_hint()));
    if (std::any_of(std::begin(comparisons), std::end(comparisons),
                    [&](auto& c) { return text_.substr(position_, c.first.size()) == c.first; }))
      fail("comparisons cannot be chained; multiply them: (a < b)*(b < c)");
    fail(fmt::format("{}, which has no meaning here", found()));
  }

  /// A declared name, with as many hyphens inside as possible; a hyphen that belongs to no name is a minus.
  bool take_constant() {
    const std::string_view run = hyphenated_run();
    for (std::size_t end = run.size(); end != std::string_view::npos; end = run.substr(0, end).find_last_of('-')) {
      const auto found = constants_.find(std::string(run.substr(0, end)));
      if (found == constants_.end()) continue;
      if (std::find(variables_.begin(), variables_.end(), found->first) != variables_.end())
        fail(fmt::format("'{}' is a variable of this expression, and a parameter; call the parameter otherwise",
                         found->first));
      position_ += end;
      skip_space();
      emit(constant, found->second);
      are_angles_.back() = angles_.contains(found->first);
      result_.constants_.insert(found->first);
      return true;
    }
    return false;
  }
  /// Letters, digits and inner hyphens from here on, as far as a declared name could reach.
  std::string_view hyphenated_run() const {
    const auto is_word = [&](std::size_t i) { return i < text_.size() && (is_letter(text_[i]) || is_digit(text_[i])); };
    std::size_t end = position_;
    while (end - position_ <= longest_name && (is_word(end) || (peek_at(end) == '-' && is_word(end + 1)))) ++end;
    return text_.substr(position_, end - position_);
  }
  char peek_at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }

  /// For a word that stands after a value like a unit.
  std::string unit_hint() const {
    const std::string_view word = hyphenated_run();
    if (word == "rad") return "; angles are in radians already";
    if (word == "degree" || word == "degrees") return "; write deg";
    if (word.empty() || is_digit(word[0]) || constants_.contains(std::string(word)) || find_function(word) != nullptr)
      return {};
    return "; units are not written: quantities are in SI, and angles may end in deg";
  }

  /// Variables with dots or hyphens in their names, such as columns of results, are taken as they stand: the longest one
  /// that is written here.
  bool take_compound_variable() {
    std::size_t longest = 0, place = 0;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const std::string& each = variables_[i];
      if (each.find_first_of(".-") == std::string::npos || each.size() <= longest ||
          !text_.substr(position_).starts_with(each))
        continue;
      const char next = peek_at(position_ + each.size());
      if (is_letter(next) || is_digit(next) || next == '.') continue;
      longest = each.size();
      place = i;
    }
    if (longest == 0) return false;
    position_ += longest;
    skip_space();
    emit(variable, static_cast<double>(place));
    return true;
  }

  void name() {
    const std::size_t begin = position_;
    if (take_compound_variable() || take_constant()) return;
    const std::string whole(hyphenated_run());
    const std::string word(read_name());
    skip_space();
    if (peek() == '(') return call(begin, word);
    if (word == "pi") return emit(constant, std::numbers::pi);
    if (word == "e") return emit(constant, std::numbers::e);
    if (const auto found = std::find(variables_.begin(), variables_.end(), word); found != variables_.end()) {
      result_.depends_on_time_ = result_.depends_on_time_ || word == "t";
      return emit(variable, static_cast<double>(found - variables_.begin()));
    }
    if (word == "t") fail_at(begin, "time t is not known here; it may be used in drives and loads");
    if (word == "deg") fail_at(begin, "'deg' must follow a number, a name or ')'");
    if (find_function(word) != nullptr)
      fail_at(begin, fmt::format("the function '{0}' needs its argument: {0}(...)", word));
    std::vector<std::string> known;
    for (const auto& constant_name : constants_) known.push_back(constant_name.first);
    known.insert(known.end(), variables_.begin(), variables_.end());
    known.insert(known.end(), {"pi", "e"});
    for (const Function& function : functions) known.emplace_back(function.name);
    if (const std::string meant = did_you_mean(whole, known); !meant.empty())
      fail_at(begin, fmt::format("unknown name '{}'{}", whole, meant));
    fail_at(begin, fmt::format("unknown name '{}'{}", word, did_you_mean(word, known)));
  }

  void call(std::size_t begin, const std::string& word) {
    const Function* function = find_function(word);
    if (function == nullptr) {
      if (word == "pi" || word == "e" || word == "t")
        fail(fmt::format("expected an operator between '{}' and '('", word));
      std::vector<std::string> known;
      for (const Function& f : functions) known.emplace_back(f.name);
      fail_at(begin, fmt::format("unknown function '{}'{}", word, did_you_mean(word, known)));
    }
    const std::size_t opening = position_;
    take("(");
    int count = 0;
    if (peek() != ')') {
      do {
        comparison();
        ++count;
        if (count > 3) break;
      } while (take(","));
    }
    const int wanted = operand_count(function->operation);
    if (count != wanted)
      fail_at(begin, fmt::format("'{}' takes {} argument{}, not {}", word, wanted, wanted == 1 ? "" : "s",
                                 count > 3 ? "that many" : std::to_string(count)));
    if (!take(")")) fail_closing(opening);
    emit(function->operation);
  }

  std::string_view text_;
  const std::map<std::string, double>& constants_;
  std::vector<std::string> variables_;
  std::set<std::string> angles_;  ///< constants that are angles
  std::vector<bool> are_angles_;
  std::size_t position_ = 0;
  int depth_ = 0;
  int height_ = 0;  ///< of the evaluation stack after the steps so far
  Expression result_;
};

Expression Expression::parse(std::string_view text, const std::map<std::string, double>& constants, bool time_allowed) {
  return of_variables(text, constants, time_allowed ? std::vector<std::string>{"t"} : std::vector<std::string>{});
}

Expression Expression::of_variables(std::string_view text, const std::map<std::string, double>& constants,
                                    const std::vector<std::string>& variables) {
  return ExpressionParser(text, constants, variables).parse();
}

bool is_angle(std::string_view text, const std::map<std::string, double>& constants,
              const std::set<std::string>& angles) {
  ExpressionParser parser(text, constants, {"t"}, angles);
  parser.parse();
  return parser.is_angle();
}

std::string Expression::why_not_a_name(std::string_view name) {
  if (name.empty() || !is_letter(name[0]) ||
      !std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '-'; }) ||
      name.back() == '-' || name.find("--") != std::string_view::npos)
    return "a name is made of letters, digits, _ and single hyphens inside, and starts with a letter";
  if (name.size() > longest_name) return fmt::format("a name has at most {} letters", longest_name);
  if (name == "t") return "'t' is the time";
  if (name == "deg") return "'deg' is the unit of angles";
  if (name == "pi" || name == "e") return fmt::format("'{}' is a built-in constant", name);
  if (find_function(name) != nullptr) return fmt::format("'{}' is a built-in function", name);
  return {};
}

}  // namespace lithe

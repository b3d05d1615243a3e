#include "lithe/io/part_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

namespace lithe::io {
namespace {

constexpr double no_part = 1e-15;  ///< of a unit vector along an axis: rounding of a rotation matrix

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & '\x80') != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_component(char c) { return c >= 'x' && c <= 'z'; }

bool holds(std::initializer_list<std::string_view> list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Their rest begins with a frame, whose name may have hyphens.
bool is_of_a_frame(std::string_view head) {
  return holds({"pos", "rot", "quat", "vel", "omega", "acc", "alpha", "deflection"}, head);
}

std::size_t end_of(std::string_view text, std::size_t at, bool with_hyphens) {
  while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]) || (with_hyphens && text[at] == '-'))) ++at;
  return at;
}

/// Where the last known name that begins at `at` ends; without one, where the word does.
std::size_t end_of_name(std::string_view text, std::size_t at, const std::set<std::string>& names) {
  std::size_t end = 0;
  for (const std::string& name : names) {
    if (!text.substr(at).starts_with(name)) continue;
    const std::size_t next = at + name.size();
    if (next < text.size() && (is_letter(text[next]) || is_digit(text[next]))) continue;
    end = std::max(end, next);
  }
  return end > 0 ? end : end_of(text, at, true);
}

/// ".origin.x", ".1": a number, x, y and z end at a hyphen, which is a minus there.
std::size_t end_of_rest(std::string_view text, std::size_t at, bool of_a_frame) {
  while (at + 1 < text.size() && text[at] == '.' && (is_letter(text[at + 1]) || is_digit(text[at + 1]))) {
    const std::size_t begin = at + 1, word = end_of(text, begin, false);
    const bool ends = is_digit(text[begin]) || (word == begin + 1 && is_component(text[begin]));
    at = ends ? word : end_of(text, begin, of_a_frame);
  }
  return at;
}

}  // namespace

std::string replace_quantities(const std::string& condition, const std::set<std::string>& names,
                               const std::function<std::string(const QuantityWord&)>& replacement) {
  std::string result;
  for (std::size_t at = 0; at < condition.size();) {
    std::size_t end = at + 1;
    if (is_digit(condition[at])) {
      // A whole number, so that the e of 2.5e-3 is no name.
      while (end < condition.size() && (is_letter(condition[end]) || is_digit(condition[end]) || condition[end] == '.'))
        ++end;
    } else if (is_letter(condition[at])) {
      end = end_of(condition, at, true);
      const bool is_quantity = end + 1 < condition.size() && condition[end] == '.' && is_letter(condition[end + 1]);
      if (is_quantity) {
        // A minus may stand before it: 2-q.hip.
        std::string head = condition.substr(at, end - at);
        if (const std::size_t minus = head.rfind('-'); minus != std::string::npos && head != "angular-momentum") {
          result += head.substr(0, minus + 1);
          head.erase(0, minus + 1);
        }
        const std::size_t name = end_of_name(condition, end + 1, names);
        const std::size_t rest = end_of_rest(condition, name, is_of_a_frame(head));
        result += replacement({head, condition.substr(end + 1, name - end - 1), condition.substr(name, rest - name)});
        at = rest;
        continue;
      }
    }
    result += condition.substr(at, end - at);
    at = end;
  }
  return result;
}

bool is_of_the_whole(const QuantityWord& quantity) {
  return holds({"energy", "momentum", "angular-momentum"}, quantity.head);
}

bool is_in_ground_axes(const QuantityWord& quantity) {
  return holds({"pos", "rot", "vel", "omega", "acc", "alpha", "force", "moment"}, quantity.head);
}

std::string seen_from_part(const QuantityWord& quantity, const Pose& pose, bool mirrored) {
  const std::string text = quantity.text();
  const std::string stem = text.substr(0, text.size() - 1);
  if (text.empty() || !is_component(text.back())) return text;
  const bool axial = holds({"omega", "alpha", "moment"}, quantity.head);
  const Vec3 reflection = !mirrored ? Vec3(1, 1, 1) : axial ? Vec3(-1, 1, -1) : Vec3(1, -1, 1);
  const int row = text.back() - 'x';
  std::string sum;
  for (int k = 0; k < 3; ++k) {
    const double factor = reflection[row] * pose.rotation(k, row);
    if (std::abs(factor) < no_part) continue;
    std::string term = fmt::format("{}{}", stem, static_cast<char>('x' + k));
    if (quantity.head == "pos" && pose.position[k] != 0.0) term = fmt::format("({} - ({}))", term, pose.position[k]);
    sum += fmt::format("{}({})*{}", sum.empty() ? "" : " + ", factor, term);
  }
  return "(" + sum + ")";
}

}  // namespace lithe::io

#include "lithe/io/urdf_source.hpp"

#include <fmt/format.h>
#include <tinyxml.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "lithe/laws/suggestion.hpp"

namespace lithe::io {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::vector<std::string> split_at_spaces(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + ' ') {
    if (!is_space(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

/// The whole word is one number, independent of the language of the machine.
std::optional<double> number_of_word(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool is_whole = fault == std::errc() && end == word.data() + word.size();
  return is_whole ? std::optional(value) : std::nullopt;
}

}  // namespace

double rounding_of(const std::string& printed) {
  const std::vector<std::string> words = split_at_spaces(printed);
  if (words.size() != 1 || number_of_word(words[0]).value_or(0.0) == 0.0) return 0.0;
  const std::string& word = words[0];
  const std::size_t exponent_at = word.find_first_of("eE"), point = word.find('.');
  const std::string mantissa = word.substr(0, exponent_at);
  const int exponent = exponent_at == std::string::npos ? 0 : std::stoi(word.substr(exponent_at + 1));
  const int decimals = point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  return 0.5 * std::pow(10.0, exponent - decimals);
}

Place UrdfSource::place(const TiXmlBase& node) const { return {&file_, node.Row(), node.Column()}; }

void UrdfSource::complain(const TiXmlBase& node, const std::string& what, const std::string& message) {
  complaints_.add(place(node), what, message);
}

void UrdfSource::note(int line, const std::string& message) {
  notes_.emplace_back(line, fmt::format("{} line {}: {}", format_, line, message));
}

void UrdfSource::note(const TiXmlBase& node, const std::string& message) { note(node.Row(), message); }

void UrdfSource::leave_out(const TiXmlBase& node, const std::string& what) {
  LeftOut& entry = left_out_[what];
  if (entry.count++ == 0) entry.line = node.Row();
}

std::vector<std::string> UrdfSource::notes() const {
  std::vector<std::pair<int, std::string>> all = notes_;
  for (const auto& [what, entry] : left_out_) {
    const std::string often = entry.count == 1 ? "" : fmt::format(" ({} times; this is the first)", entry.count);
    all.emplace_back(entry.line, fmt::format("{} line {}: {}{}", format_, entry.line, what, often));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> texts;
  for (auto& [line, text] : all) texts.push_back(std::move(text));
  return texts;
}

const TiXmlAttribute* UrdfSource::attribute(const TiXmlElement& element, const std::string& name) {
  const TiXmlAttribute* each = element.FirstAttribute();
  while (each != nullptr && name != each->Name()) each = each->Next();
  return each;
}

std::string UrdfSource::text(const TiXmlElement& element, const std::string& name) {
  const TiXmlAttribute* found = attribute(element, name);
  std::string text = found == nullptr ? "" : found->ValueStr();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), is_space));
  while (!text.empty() && is_space(text.back())) text.pop_back();
  return text;
}

std::optional<std::vector<double>> UrdfSource::numbers(const TiXmlElement& element, const std::string& name,
                                                       std::size_t count, const std::string& where,
                                                       bool may_be_infinite) {
  const TiXmlAttribute* found = attribute(element, name);
  if (found == nullptr) return std::nullopt;
  std::vector<double> values;
  bool good = true;
  for (const std::string& word : split_at_spaces(found->ValueStr())) {
    const std::optional<double> value = number_of_word(word);
    good = good && value && !std::isnan(*value) && (may_be_infinite || std::isfinite(*value));
    values.push_back(value.value_or(0.0));
  }
  if (good && values.size() == count) return values;
  const bool is_xacro = found->ValueStr().find("${") != std::string::npos;
  complain(*found, where,
           fmt::format("{}=\"{}\" of <{}>: expected {}{}", name, found->ValueStr(), element.Value(),
                       count == 1 ? "a number" : fmt::format("{} numbers", count),
                       is_xacro ? "; this is a xacro file, make a URDF of it with: xacro FILE > robot.urdf" : ""));
  return std::nullopt;
}

std::optional<double> UrdfSource::number(const TiXmlElement& element, const std::string& name, const std::string& where,
                                         bool may_be_infinite) {
  const auto values = numbers(element, name, 1, where, may_be_infinite);
  return values ? std::optional((*values)[0]) : std::nullopt;
}

double UrdfSource::needed_number(const TiXmlElement& element, const std::string& name, const std::string& where) {
  if (attribute(element, name) == nullptr)
    complain(element, where, fmt::format("<{}> needs the attribute {}", element.Value(), name));
  return number(element, name, where).value_or(0.0);
}

std::optional<Vec3> UrdfSource::vector(const TiXmlElement& element, const std::string& name, const std::string& where) {
  const auto values = numbers(element, name, 3, where);
  return values ? std::optional(Vec3((*values)[0], (*values)[1], (*values)[2])) : std::nullopt;
}

UrdfOrigin UrdfSource::origin(const TiXmlElement& element, const std::string& where) {
  UrdfOrigin origin;
  origin.position = vector(element, "xyz", where).value_or(Vec3::Zero());
  origin.rpy = vector(element, "rpy", where).value_or(Vec3::Zero());
  origin.rotation = rotation_of_rpy(*origin.rpy);
  const TiXmlAttribute* quaternion = attribute(element, "quat_xyzw");
  if (quaternion == nullptr) return origin;
  if (attribute(element, "rpy") != nullptr) complain(*quaternion, where, "give either rpy or quat_xyzw, not both");
  const auto parts = numbers(element, "quat_xyzw", 4, where);
  if (!parts) return origin;
  const Quat turn((*parts)[3], (*parts)[0], (*parts)[1], (*parts)[2]);
  if (!(turn.norm() > 1e-12)) {
    complain(*quaternion, where, "a quaternion must not be zero");
    return origin;
  }
  origin.rotation = turn.normalized().toRotationMatrix();
  origin.rpy.reset();
  return origin;
}

UrdfOrigin UrdfSource::origin_in(const TiXmlElement& owner, const std::string& where) {
  const TiXmlElement* element = only(owner, "origin");
  if (element == nullptr) return {};
  check_words(*element, {"xyz", "rpy", "quat_xyzw"}, {});
  return origin(*element, where);
}

Vec3 UrdfSource::axis_in(const TiXmlElement& owner, const std::string& where, bool matters) {
  const TiXmlElement* element = only(owner, "axis");
  if (element == nullptr) return Vec3::UnitX();
  check_words(*element, {"xyz"}, {});
  if (attribute(*element, "xyz") == nullptr) complain(*element, where, "<axis> needs the attribute xyz");
  const auto direction = vector(*element, "xyz", where);
  if (direction && matters && direction->stableNorm() < 1e-12)
    complain(*element, where, "the axis has no direction: all three numbers are zero");
  return direction.value_or(Vec3::UnitX());
}

const TiXmlElement* UrdfSource::only(const TiXmlElement& owner, const std::string& tag) {
  const TiXmlElement* first = owner.FirstChildElement(tag);
  if (first == nullptr) return nullptr;
  for (const TiXmlElement* more = first->NextSiblingElement(tag); more != nullptr; more = more->NextSiblingElement(tag))
    leave_out(*more, fmt::format("a second <{}> in one <{}> is left out", tag, owner.Value()));
  return first;
}

void UrdfSource::check_words(const TiXmlElement& element, const std::vector<std::string>& attributes,
                             const std::vector<std::string>& children) {
  const auto is_in = [](const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  for (const TiXmlAttribute* each = element.FirstAttribute(); each != nullptr; each = each->Next()) {
    const std::string name = each->Name();
    if (is_in(attributes, name) || name.starts_with("xmlns")) continue;
    leave_out(*each, fmt::format("the attribute {} of <{}> is not understood and left out{}", name, element.Value(),
                                 did_you_mean(name, attributes)));
  }
  for (const TiXmlElement* each = element.FirstChildElement(); each != nullptr; each = each->NextSiblingElement()) {
    const std::string tag = each->Value();
    if (is_in(children, tag)) continue;
    if (tag.starts_with("xacro:"))
      complain(*each, tag, "this is a xacro file, not yet a URDF; make one with: xacro FILE > robot.urdf");
    else
      leave_out(*each, fmt::format("<{}> in <{}> is not understood and left out{}", tag, element.Value(),
                                   did_you_mean(tag, children)));
  }
}

}  // namespace lithe::io

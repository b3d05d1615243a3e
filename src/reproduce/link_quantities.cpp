#include "reproduce/link_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numbers>
#include <sstream>

#include "reproduce/case_error.hpp"

namespace lithe::reproduce {
namespace {

std::vector<std::string> words_in(const std::string& name) {
  std::vector<std::string> words;
  std::istringstream stream(name);
  for (std::string word; std::getline(stream, word, '.');) words.push_back(word);
  return words;
}

/// A quantity's name in words, read from the left.
class Words {
 public:
  Words(const std::string& name, const LinkData& link) : name_(name), link_(link), words_(words_in(name)) {}

  const std::string& next() {
    if (at_ >= words_.size()) unknown();
    return words_[at_++];
  }
  /// An elastic coordinate, counted from 1 in names and from 0 here.
  int mode() {
    const std::string& word = next();
    int number = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (fault != std::errc{} || end != word.data() + word.size()) unknown();
    if (number < 1 || number > link_.elastic.count())
      throw CaseError(
          fmt::format("'{}': link '{}' has {} elastic coordinates", name_, link_.name, link_.elastic.count()));
    return number - 1;
  }
  int axis() {
    const std::string& word = next();
    return word.size() == 1 ? axis(word[0]) : (unknown(), 0);
  }
  std::pair<int, int> axes() {
    const std::string& word = next();
    if (word.size() != 2) unknown();
    return {axis(word[0]), axis(word[1])};
  }
  const Frame& frame() {
    const std::string& word = next();
    const int found = link_.find_frame(word);
    if (found < 0) throw CaseError(fmt::format("'{}': link '{}' has no frame '{}'", name_, link_.name, word));
    return link_.frames[found];
  }
  [[noreturn]] void unknown() const { throw CaseError(fmt::format("'{}' is not a quantity of a link", name_)); }
  void finish() const {
    if (at_ != words_.size()) unknown();
  }

 private:
  int axis(char letter) const {
    if (letter < 'x' || letter > 'z') unknown();
    return letter - 'x';
  }

  const std::string& name_;
  const LinkData& link_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
};

double force_value(const LinkData& link, Words& words) {
  static const std::vector<std::string> kinds{"axial", "shear-y", "shear-z", "torsion", "moment-y", "moment-z"};
  const int mode = words.mode();
  const std::string& place = words.next();
  const auto kind = std::find(kinds.begin(), kinds.end(), words.next());
  const auto& sections = link.elastic.section_forces;
  const auto found =
      std::find_if(sections.begin(), sections.end(), [&](const SectionForces& each) { return each.name == place; });
  if (kind == kinds.end() || found == sections.end()) words.unknown();
  return found->rows(kind - kinds.begin(), mode);
}

double link_value(const LinkData& link, Words& words) {
  const ElasticData& e = link.elastic;
  const std::string& what = words.next();
  if (what == "mass") return link.mass;
  if (what == "centre") return link.centre[words.axis()];
  if (what == "first-moment") return link.mass * link.centre[words.axis()];
  if (what == "coordinates") return e.count();
  if (what == "inertia" || what == "origin-inertia") {
    const auto [a, b] = words.axes();
    const Mat3 steiner = -link.mass * skew(link.centre) * skew(link.centre);
    return link.inertia(a, b) + (what == "inertia" ? 0.0 : steiner(a, b));
  }
  if (what == "force") return force_value(link, words);
  const int mode = words.mode();
  if (what == "omega") return e.frequencies[mode];
  if (what == "eigenvalue") return e.frequencies[mode] * e.frequencies[mode];
  if (what == "frequency") return e.frequencies[mode] / (2 * std::numbers::pi);
  if (what == "shape" || what == "turn") {
    const Frame& frame = words.frame();
    return (what == "shape" ? frame.shape : frame.turn)(words.axis(), mode);
  }
  if (what == "translation") return e.translation(words.axis(), mode);
  if (what == "rotation") return e.rotation(words.axis(), mode);
  if (what == "position-shape") {
    const auto [a, b] = words.axes();
    return e.position_shape[a][b][mode];
  }
  const int other = words.mode();
  if (what == "shape-shape") {
    const auto [a, b] = words.axes();
    return e.shape_shape[a][b](mode, other);
  }
  if (what == "mass-matrix") return e.mass(mode, other);
  if (what == "stiffness") return e.stiffness(mode, other);
  if (what == "damping") return e.damping(mode, other);
  words.unknown();
}

const LinkData& named_link(const Model& model, const std::string& link) {
  const int found = model.mechanism.find_link(link);
  if (found < 0) throw CaseError(fmt::format("the model has no link '{}'", link));
  return model.mechanism.links[found];
}

}  // namespace

LinkQuantities::LinkQuantities(const Model& model, const std::string& link) : link_(named_link(model, link)) {}

double LinkQuantities::operator()(const std::string& name) const {
  Words words(name, link_);
  const double found = link_value(link_, words);
  words.finish();
  return found;
}

std::optional<int> mode_that_signs(const std::string& quantity) {
  const std::vector<std::string> words = words_in(quantity);
  for (const char* kind : {"shape", "turn", "translation", "rotation", "position-shape", "force"})
    if (words.size() > 1 && words[0] == kind) return std::atoi(words[1].c_str());
  return std::nullopt;
}

}  // namespace lithe::reproduce

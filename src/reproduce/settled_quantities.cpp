#include "reproduce/settled_quantities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "lithe/simulation/linear_model.hpp"
#include "reproduce/bending.hpp"
#include "reproduce/case_error.hpp"

namespace lithe::reproduce {
namespace {

[[noreturn]] void not_settled(const std::vector<std::string>& words) {
  throw CaseError(fmt::format("'{}' is not a quantity of this model at an instant", fmt::join(words, ".")));
}

/// The number in `text`, counted from 1; 0 when there is none.
std::size_t counted_from_one(std::string_view text) {
  std::size_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc{} && end == text.data() + text.size() ? number : 0;
}

/// One of each conjugate pair, by rising magnitude.
std::vector<std::complex<double>> upper_half(std::vector<std::complex<double>> poles) {
  std::erase_if(poles, [](const std::complex<double>& pole) { return pole.imag() < 0; });
  std::sort(poles.begin(), poles.end(), [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); });
  return poles;
}

}  // namespace

double SettledQuantities::settled(const std::vector<std::string>& words) {
  if (!moving_) moving_.emplace(model_, OperatingOptions{t_, false, Motors::loaded});
  const Plan& plan = moving_->plan();
  if (words.size() == 3 && words[1] == "tau") {
    for (const auto& [name, force] : moving_->motor_forces())
      if (name == words[2]) return force;
    throw CaseError(fmt::format("the model has no motor '{}'", words[2]));
  }
  if (words.size() == 3 && words[2].starts_with("e")) {
    const int link = plan.mechanism().find_link(words[1]);
    if (link < 0) throw CaseError(fmt::format("the model has no link '{}'", words[1]));
    const ElasticPlace& place = plan.elastic_places()[link];
    const std::size_t number = counted_from_one(std::string_view(words[2]).substr(1));
    if (number < 1 || number > static_cast<std::size_t>(place.count)) not_settled(words);
    return moving_->state().q[place.q + static_cast<Eigen::Index>(number) - 1];
  }
  if (words.size() != 4) not_settled(words);
  const DeflectionPlace place =
      deflection_place(plan.mechanism(), fmt::format("{}.{}.{}", words[1], words[2], words[3]));
  const ElasticPlace& elastic = plan.elastic_places()[place.link];
  return place.shape.dot(moving_->state().q.segment(elastic.q, elastic.count));
}

double SettledQuantities::pole(const std::vector<std::string>& words) {
  if (words.size() != 3 || (words[2] != "real" && words[2] != "imag")) not_settled(words);
  if (!poles_) {
    OperatingPoint at_rest(model_, {t_, true, Motors::loaded});
    poles_ = upper_half(linear_model(at_rest, {"q.*"}).poles);
  }
  const std::size_t number = counted_from_one(words[1]);
  if (number < 1 || number > poles_->size()) not_settled(words);
  const std::complex<double> found = (*poles_)[number - 1];
  return words[2] == "real" ? found.real() : found.imag();
}

double SettledQuantities::operator()(const std::vector<std::string>& words) {
  return words[0] == "pole" ? pole(words) : settled(words);
}

}  // namespace lithe::reproduce

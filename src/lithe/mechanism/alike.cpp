#include "lithe/mechanism/alike.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace lithe::detail {
namespace {

/// Equal descriptions get equal numbers, in the order in which they appear.
template <class Description>
std::vector<int> numbered(const std::vector<Description>& descriptions, int& count) {
  std::map<Description, int> known;
  std::vector<int> numbers;
  for (const Description& each : descriptions)
    numbers.push_back(known.try_emplace(each, static_cast<int>(known.size())).first->second);
  count = static_cast<int>(known.size());
  return numbers;
}

/// Equal links of a file differ by rounding of their integrals at most.
double rounded(double value) {
  if (value == 0.0) return 0.0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 8.0);
  return std::round(value / unit) * unit;
}

}  // namespace

std::vector<int> alike_joints(const Mechanism& mechanism) {
  // Colours of links are refined by what their joints connect them to, until no link can be told from another any more.
  std::vector<std::array<double, 4>> links;
  for (std::size_t i = 0; i < mechanism.links.size(); ++i) {
    const LinkData& link = mechanism.links[i];
    links.push_back({i == 0 ? 1.0 : 0.0, rounded(link.mass), rounded(link.inertia.trace()),
                     static_cast<double>(link.elastic.count())});
  }
  int count = 0;
  std::vector<int> colours = numbered(links, count);
  using Connection = std::array<int, 4>;  // type, motor, side, colour of the other link
  while (true) {
    std::vector<std::pair<int, std::vector<Connection>>> around(links.size());
    for (std::size_t i = 0; i < links.size(); ++i) around[i].first = colours[i];
    for (const Joint& joint : mechanism.joints) {
      const int type = static_cast<int>(joint.type), motor = joint.is_actuated() ? 1 : 0;
      const auto from = static_cast<std::size_t>(joint.from.link), to = static_cast<std::size_t>(joint.to.link);
      around[from].second.push_back({type, motor, 0, colours[to]});
      around[to].second.push_back({type, motor, 1, colours[from]});
    }
    for (auto& each : around) std::sort(each.second.begin(), each.second.end());
    int refined = 0;
    colours = numbered(around, refined);
    if (refined == count) break;
    count = refined;
  }
  std::vector<Connection> joints;
  for (const Joint& joint : mechanism.joints)
    joints.push_back(
        {static_cast<int>(joint.type), joint.is_actuated() ? 1 : 0, colours[joint.from.link], colours[joint.to.link]});
  return numbered(joints, count);
}

}  // namespace lithe::detail

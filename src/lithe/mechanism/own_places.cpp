#include "lithe/mechanism/own_places.hpp"

namespace lithe::detail {

std::vector<int> own_places(const Plan& twin, const Mechanism& mechanism, int size, int ElasticPlace::*first) {
  std::vector<bool> is_own(size, true);
  for (std::size_t link = 0; link < mechanism.links.size(); ++link) {
    const ElasticPlace& place = twin.elastic_places()[link];
    for (int k = mechanism.links[link].elastic.count(); k < place.count; ++k) is_own[place.*first + k] = false;
  }
  std::vector<int> places;
  for (int i = 0; i < size; ++i)
    if (is_own[i]) places.push_back(i);
  return places;
}

}  // namespace lithe::detail

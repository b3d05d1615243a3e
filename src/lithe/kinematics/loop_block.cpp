#include "lithe/kinematics/loop_block.hpp"

#include <algorithm>
#include <utility>

namespace lithe::detail {

namespace {

int place_in(const std::vector<int>& ascending, int value) {
  return static_cast<int>(std::lower_bound(ascending.begin(), ascending.end(), value) - ascending.begin());
}

}  // namespace

void LoopChoice::take(const Selection& selection, const VectorX& scale, const std::vector<int>& touched) {
  for (std::vector<int>* list :
       {&rows, &dependent, &independent, &dependent_speeds, &independent_speeds, &dependent_at, &independent_at})
    list->clear();
  dependent_scales.clear();
  for (int j = 0; j < static_cast<int>(cluster->speeds.size()); ++j) {
    if (const int place = selection.independent_position[speed(j)]; place >= 0) {
      independent.push_back(j);
      independent_speeds.push_back(speed(j));
      independent_at.push_back(place);
      continue;
    }
    dependent.push_back(j);
  }
  std::sort(dependent.begin(), dependent.end(),
            [&](int a, int b) { return std::pair(touched[speed(a)], a) < std::pair(touched[speed(b)], b); });
  for (const int j : dependent) {
    const int place = place_in(selection.dependent, speed(j));
    dependent_speeds.push_back(speed(j));
    dependent_scales.push_back(scale[speed(j)]);
    dependent_at.push_back(place);
    rows.push_back(place_in(cluster->rows, selection.rows[place]));
  }
  is_whole = independent.size() == selection.independent.size();
}

}  // namespace lithe::detail

#include "lithe/kinematics/loop_block.hpp"

#include <algorithm>

namespace lithe::detail {

namespace {

int place_in(const std::vector<int>& ascending, int value) {
  return static_cast<int>(std::lower_bound(ascending.begin(), ascending.end(), value) - ascending.begin());
}

}  // namespace

void LoopChoice::take(const Selection& selection, const VectorX& scale) {
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
    const int place_of_dependent = place_in(selection.dependent, speed(j));
    dependent.push_back(j);
    dependent_speeds.push_back(speed(j));
    dependent_scales.push_back(scale[speed(j)]);
    dependent_at.push_back(place_of_dependent);
    rows.push_back(place_in(cluster->rows, selection.rows[place_of_dependent]));
  }
  is_whole = independent.size() == selection.independent.size();
}

}  // namespace lithe::detail

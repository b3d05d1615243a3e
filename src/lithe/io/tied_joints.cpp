#include "lithe/io/tied_joints.hpp"

#include <algorithm>
#include <string_view>

namespace lithe::io {

std::vector<std::string*> tied_joints(Node& coupling) {
  static constexpr std::string_view words[] = {"turn", "slide", "pinion", "joint", "of"};
  std::vector<std::string*> names;
  const auto add_list = [&](Node& list) {
    for (Node& item : list.items) names.push_back(&item.text);
  };
  for (Entry& kind : coupling.entries) {
    if (kind.key == "equal") {
      add_list(kind.value);
      continue;
    }
    for (Entry& entry : kind.value.entries) {
      if (kind.key == "terms")
        names.push_back(&entry.key);
      else if (entry.key == "joints")
        add_list(entry.value);
      else if (std::find(std::begin(words), std::end(words), entry.key) != std::end(words))
        names.push_back(&entry.value.text);
    }
  }
  return names;
}

}  // namespace lithe::io

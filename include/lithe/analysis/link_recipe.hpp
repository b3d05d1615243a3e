#pragma once
// An elastic link of a mechanism together with what it is made from, so that it can be made again when more is known.

#include "lithe/links/make_link.hpp"

namespace lithe {

struct LinkRecipe {
  int link = 0;  ///< of the mechanism
  ElasticSpec spec;
  LinkChoices choices;
};

}  // namespace lithe

#pragma once
// lithe live: a page that follows a model file.

#include "verbs.hpp"

namespace lithe::cli {

struct LiveOptions {
  ModelOptions model;
  int port = 0;      ///< 0: any that is free
  bool open = true;  ///< in the browser of the desktop
};

int live(const LiveOptions& options);

}  // namespace lithe::cli

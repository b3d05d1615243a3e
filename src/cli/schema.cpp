#include <fmt/format.h>

#include "lithe/io/load_model.hpp"
#include "verbs.hpp"

namespace lithe::cli {

int schema() {
  const std::string text = model_schema();
  fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
  return fine;
}

}  // namespace lithe::cli

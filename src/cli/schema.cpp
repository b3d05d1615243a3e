#include <fmt/format.h>

#include "lithe/io/identification_file.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/load_study.hpp"
#include "lithe/io/urdf.hpp"
#include "verbs.hpp"

namespace lithe::cli {

int schema(const SchemaOptions& options) {
  const std::string text = options.identification ? identification_schema()
                           : options.study        ? study_schema()
                           : options.side_file    ? urdf_side_schema()
                                                  : model_schema();
  fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
  return fine;
}

}  // namespace lithe::cli

#include "support/recorded_json.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "lithe/io/json_text.hpp"
#include "support/source_folder.hpp"

namespace lithe {

nlohmann::json recorded_json(const std::string& path) {
  std::ifstream file(source_folder() + "/" + path);
  if (!file) throw std::runtime_error("no file " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return detail::json_of(text.str());
}

}  // namespace lithe

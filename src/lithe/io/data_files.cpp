#include "lithe/io/data_files.hpp"

namespace lithe::io {

FileText DataFiles::read(const Node& name, const std::filesystem::path& path) {
  const std::string key = path.lexically_normal().string();
  FileText file;
  if (const auto found = contents_.find(key); found != contents_.end()) {
    file.text = found->second;
  } else if (const auto own = carried.find(key); own != carried.end()) {
    file.text = own->second;
  } else {
    if (looked_for != nullptr) looked_for->push_back(key);
    file = read_text_file(path, largest_data_file);
  }
  if (!file.fault.empty()) return file;
  readings_.push_back({name.place, name.text, key});
  contents_.emplace(key, file.text);
  return file;
}

}  // namespace lithe::io

#pragma once
// A file in a folder of this process, for readers that want a path.

#include <stdlib.h>  // mkdtemp

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace lithe::fuzz {

class ScratchFile {
 public:
  explicit ScratchFile(const std::string& name) {
    std::string folder = (std::filesystem::temp_directory_path() / "lithe-fuzz-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) std::abort();
    folder_ = folder;
    path_ = folder + "/" + name;
  }
  /// In the folder of `other`, with which it goes.
  ScratchFile(const std::string& name, const ScratchFile& other)
      : path_((std::filesystem::path(other.path_).parent_path() / name).string()) {}
  ~ScratchFile() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  void write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  void write(const std::uint8_t* data, std::size_t size) const { write({reinterpret_cast<const char*>(data), size}); }
  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;  ///< folder_: of its own, removed with it; empty in that of another file
};

}  // namespace lithe::fuzz

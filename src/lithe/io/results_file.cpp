#include "lithe/io/results_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace lithe::detail {

ReplacingFile::ReplacingFile(std::string path)
    : path_(std::move(path)), temporary_(fmt::format("{}.{}.partial", path_, getpid())) {}

ReplacingFile::~ReplacingFile() {
  if (!committed_) std::remove(temporary_.c_str());
}

void ReplacingFile::commit() {
  if (committed_) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) cannot_write(path_);
  committed_ = true;
}

void cannot_write(const std::string& path) {
  const int reason = errno;
  throw std::runtime_error(fmt::format("cannot write '{}': {}; check that the folder exists and may be written to",
                                       path, reason != 0 ? std::strerror(reason) : "unknown reason"));
}

}  // namespace lithe::detail

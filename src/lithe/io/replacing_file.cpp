#include "lithe/io/replacing_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "lithe/io/read_results.hpp"

namespace lithe {
namespace {

namespace fs = std::filesystem;

/// Why `path` must not be written to; empty when it may be.
std::string why_not(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty()) return "a file needs a name";
  std::error_code error;
  const fs::file_status own = fs::symlink_status(path, error);
  if (fs::is_symlink(own)) {
    const fs::path target = fs::read_symlink(path, error);
    return fmt::format("it is a symbolic link to '{}'; name the file itself", target.string());
  }
  if (!fs::exists(own)) return {};
  if (fs::is_directory(own)) return "it is a folder";
  if (!fs::is_regular_file(own)) return "it is a device or a pipe, not a file; tables on stdout: --csv -";
  for (const std::string& input : inputs)
    if (fs::equivalent(path, input, error))
      return fmt::format("it is the file '{}' that is being read; choose another name", input);
  const bool may_write =
      (own.permissions() & fs::perms::owner_write) != fs::perms::none && access(path.c_str(), W_OK) == 0;
  if (!may_write) return "it is write-protected; choose another name";
  return {};
}

const char* remedy_for(int reason) {
  switch (reason) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "make room, write to another place, or record less (run.every, record)";
    case EPIPE:
      return "whoever read it has stopped";
    default:
      return "check that the folder exists and may be written to";
  }
}

}  // namespace

ReplacingFile::ReplacingFile(std::string path, const std::vector<std::string>& inputs)
    : path_(std::move(path)), temporary_(path_ + ".partial") {
  if (const std::string why = why_not(path_, inputs); !why.empty())
    throw ResultsError(fmt::format("cannot write '{}': {}", path_, why));
}

ReplacingFile::~ReplacingFile() {
  if (descriptor_ < 0) return;
  unlink(temporary_.c_str());
  close(descriptor_);
}

void ReplacingFile::open() {
  // A writer that finishes between opening and locking takes the file away under its own name: then once more.
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    const int opened = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (opened < 0) cannot_write(path_, errno);
    descriptor_ = opened;
    if (!lock()) {
      close(descriptor_);
      descriptor_ = -1;
      throw ResultsError(
          fmt::format("cannot write '{}': another run is writing it at this moment; wait for that one, "
                      "or choose another name",
                      path_));
    }
    struct stat ours {
    }, named{};
    const bool same = fstat(opened, &ours) == 0 && stat(temporary_.c_str(), &named) == 0 && ours.st_ino == named.st_ino;
    if (same || attempt > 100) break;
    close(descriptor_);
    descriptor_ = -1;
  }
  if (ftruncate(descriptor_, 0) != 0) cannot_write(path_, errno);
}

/// Locks of open file descriptions hold between threads and processes and do not meet the locks of HDF5. A file system
/// without locks is no reason not to write.
bool ReplacingFile::lock() {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return fcntl(descriptor_, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

void ReplacingFile::write(std::string_view bytes) { require_written(write_all(descriptor_, bytes)); }

void ReplacingFile::require_written(int fault) const {
  if (fault != 0) cannot_write(path_, fault);
}

void ReplacingFile::commit() {
  if (descriptor_ < 0) return;
  struct stat earlier {};
  if (stat(path_.c_str(), &earlier) == 0 && fchmod(descriptor_, earlier.st_mode & 07777) != 0)
    cannot_write(path_, errno);
  // Not every file system can; one that cannot tells so by EINVAL.
  if (fsync(descriptor_) != 0 && errno != EINVAL) cannot_write(path_, errno);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) cannot_write(path_, errno);
  const int done = descriptor_;
  descriptor_ = -1;
  if (close(done) != 0 && errno != EINTR) cannot_write(path_, errno);
}

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : ENOSPC;
    bytes.remove_prefix(count);
  }
  return 0;
}

void cannot_write(const std::string& path, int reason) {
  throw ResultsError(fmt::format("cannot write '{}': {}; {}", path,
                                 reason != 0 ? std::strerror(reason) : "unknown reason", remedy_for(reason)));
}

}  // namespace lithe

// lithe live: a page that follows the model file while it is edited.

#include "live.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "interrupt.hpp"
#include "live_server.hpp"
#include "model_file.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "report_page.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto look_every = std::chrono::milliseconds(40);
constexpr double clock_step = 0.01;  ///< s: times of files are as coarse as that

/// What changes when a file is saved, in place or by another one that takes its name.
struct FileStamp {
  ino_t file = 0;
  off_t size = 0;
  timespec changed{};

  bool operator==(const FileStamp& other) const {
    return file == other.file && size == other.size && changed.tv_sec == other.changed.tv_sec &&
           changed.tv_nsec == other.changed.tv_nsec;
  }
};

std::map<std::string, FileStamp> stamps_of(const std::vector<std::string>& paths) {
  std::map<std::string, FileStamp> stamps;
  for (const std::string& path : paths) {
    struct stat found {};
    FileStamp stamp;
    if (stat(path.c_str(), &found) == 0) stamp = {found.st_ino, found.st_size, found.st_mtim};
    stamps[path] = stamp;
  }
  return stamps;
}

/// Whether a path has another stamp than before; one that was not watched before, whether it is newer than `read`.
bool has_changed(const std::map<std::string, FileStamp>& before, const std::map<std::string, FileStamp>& now,
                 std::chrono::system_clock::time_point read) {
  const double read_at = std::chrono::duration<double>(read.time_since_epoch()).count();
  for (const auto& [path, stamp] : now) {
    const auto old = before.find(path);
    const double written =
        static_cast<double>(stamp.changed.tv_sec) + 1e-9 * static_cast<double>(stamp.changed.tv_nsec);
    if (old == before.end() ? written > read_at - clock_step : !(old->second == stamp)) return true;
  }
  return false;
}

/// Lets the desktop open the page. The command line of a program can be seen by others on the machine, so it names a
/// file that only its owner can read, and this leads on to the address.
class Opener {
 public:
  explicit Opener(const std::string& address) {
    const bool has_desktop = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
    std::string pattern = (fs::temp_directory_path() / "lithe-live-XXXXXX").string();
    if (!has_desktop || mkdtemp(pattern.data()) == nullptr) return;
    folder_ = pattern;
    const std::string page = (folder_ / "open.html").string();
    std::ofstream(page) << "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=" << address << "\">\n";
    std::string program = "xdg-open", argument = page;
    char* argv[] = {program.data(), argument.data(), nullptr};
    posix_spawn_file_actions_t silent;
    posix_spawn_file_actions_init(&silent);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&silent, stream, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&child_, "xdg-open", &silent, nullptr, argv, environ) != 0) child_ = 0;
    posix_spawn_file_actions_destroy(&silent);
  }
  ~Opener() {
    if (child_ > 0) waitpid(child_, nullptr, WNOHANG);
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  Opener(const Opener&) = delete;
  Opener& operator=(const Opener&) = delete;

 private:
  fs::path folder_;
  pid_t child_ = 0;
};

void announce(const LiveOptions& options, const LiveServer& server) {
  if (options.model.json) {
    print_json(nlohmann::json{{"ok", true},
                              {"exit", fine},
                              {"verb", "live"},
                              {"path", options.model.path},
                              {"port", server.port()},
                              {"address", server.address()}},
               -1);
  } else {
    fmt::print("open {}\n", bold(server.address()));
    fmt::print("{}\n", dim(fmt::format("follows {} and the files it includes; Ctrl-C ends it", options.model.path)));
  }
  std::fflush(stdout);
}

}  // namespace

int live(const LiveOptions& options) {
  require_viewer();
  parse_sets(options.model.sets);
  require_model_file(options.model.path);
  LiveSession session(options.model);
  const LiveServer server(session, options.port);
  announce(options, server);
  std::optional<Opener> opener;
  if (options.open) opener.emplace(server.address());
  std::map<std::string, FileStamp> files = stamps_of(session.files());
  while (!stop_requested()) {
    std::this_thread::sleep_for(look_every);
    std::map<std::string, FileStamp> now = stamps_of(session.files());
    if (has_changed(files, now, session.last_reading())) session.files_changed();
    files = std::move(now);
  }
  return fine;
}

}  // namespace lithe::cli

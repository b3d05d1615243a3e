#pragma once
// Runs the built program as a user would and keeps what it says.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/source_folder.hpp"
#include "lithe/io/json_text.hpp"

namespace lithe::testing {

struct Answer {
  int exit_code = -1;
  std::string out, err;
  nlohmann::json json() const { return detail::json_of(out); }
};

/// A folder that vanishes with the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lithe-cli-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void write_text(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

inline std::string example(const std::string& name) { return source_folder() + "/examples/" + name + ".yaml"; }

/// The program of this build: the test programs stand one folder below it.
inline std::string program_path() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "lithe").string();
}

/// Runs `lithe ARGUMENTS`. `meanwhile` is called with the process id until it returns true, e.g. to send a signal.
inline Answer lithe(const std::vector<std::string>& arguments, const std::function<bool(pid_t)>& meanwhile = {}) {
  const Folder folder;
  const std::string out = folder.file("out"), err = folder.file("err");
  std::string program = program_path();
  std::vector<char*> argv{program.data()};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t process = fork();
  if (process == 0) {
    dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  bool done = !meanwhile;
  while (!done) {
    if (waitpid(process, &status, WNOHANG) == process) break;
    done = meanwhile(process);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (done) waitpid(process, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text(out), read_text(err)};
}

}  // namespace lithe::testing

#include "live_task.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>

#include "model_options.hpp"

namespace lithe::cli {
namespace {

constexpr std::size_t most_text = 1U << 20U;  // bytes that are kept of what a verb prints

/// Both streams of the child go into `pipe`. Throws InputError.
pid_t spawn_itself(const std::vector<std::string>& arguments, int pipe) {
  std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<char*> argv{program.data()};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::vector<std::string> kept;
  for (char** each = environ; *each != nullptr; ++each)
    if (!std::string_view(*each).starts_with("COLUMNS=")) kept.emplace_back(*each);
  kept.insert(kept.end(), {"NO_COLOR=1", "COLUMNS=100"});
  std::vector<char*> environment;
  for (std::string& each : kept) environment.push_back(each.data());
  environment.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe, STDERR_FILENO);
  pid_t child = 0;
  const int fault = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (fault != 0) throw InputError("the program cannot start itself");
  return child;
}

std::string all_of(int pipe) {
  std::string text;
  std::array<char, 4096> room;
  for (;;) {
    const ssize_t count = read(pipe, room.data(), room.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    if (text.size() < most_text) text.append(room.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

void LiveTask::start(const std::vector<std::string>& arguments, Finished finished) {
  stop();
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw InputError("the program cannot start itself: no pipe");
  pid_t child = 0;
  try {
    child = spawn_itself(arguments, ends[1]);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  const std::lock_guard lock(mutex_);
  child_ = child;
  ended_ = false;
  reader_ = std::jthread([this, child, finished = std::move(finished), from = ends[0]] {
    const std::string text = all_of(from);
    close(from);
    int status = 0;
    waitpid(child, &status, 0);
    bool ended = false;
    {
      const std::lock_guard guard(mutex_);
      child_ = 0;
      ended = ended_;
    }
    if (!ended) finished(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text);
  });
}

void LiveTask::stop() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    if (child_ != 0) kill(child_, SIGKILL);
  }
  if (reader_.joinable()) reader_.join();
}

}  // namespace lithe::cli

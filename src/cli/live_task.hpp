#pragma once
// One run of the program itself beside the session of `lithe live`, and what it prints.

#include <sys/types.h>

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace lithe::cli {

class LiveTask {
 public:
  using Finished = std::function<void(int exit_code, const std::string& text)>;

  ~LiveTask() { stop(); }
  /// Ends the run before and starts `lithe ARGUMENTS`; `finished` is called from another thread, unless it was ended.
  void start(const std::vector<std::string>& arguments, Finished finished);
  void stop();

 private:
  std::mutex mutex_;
  pid_t child_ = 0;  ///< 0: none
  bool ended_ = false;
  std::jthread reader_;
};

}  // namespace lithe::cli

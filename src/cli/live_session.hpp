#pragma once
// What stands behind the page of `lithe live`: the model of a file with the values of its sliders, in a pose that can be
// pulled about, and its run. Work is done by threads of its own; a newer change ends the run of an older one.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lithe/io/read_results.hpp"
#include "live_pose.hpp"
#include "live_task.hpp"
#include "verbs.hpp"

namespace lithe::cli {

class LiveSession {
 public:
  /// Starts to read the model at once.
  explicit LiveSession(const ModelOptions& options);
  ~LiveSession();
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;

  /// What the page is told: errors, parameters, how far the run is, which reports there are. Waits until there is
  /// something newer than `since`, at most as long as `patience`, and until so many others have come to wait: readers
  /// that have gone without a word (a page that was closed or loaded again) do not keep the newer ones waiting.
  static constexpr long most_readers = 16;
  std::string news(long since, std::chrono::milliseconds patience);
  /// The data of the page: of the pose or of the run. Null: there is none yet.
  std::shared_ptr<const std::string> pose_report() const;
  std::shared_ptr<const std::string> run_report() const;

  /// A report, with its number among those of its kind; null: there is none.
  struct Shown {
    std::shared_ptr<const std::string> report;
    long number = 0;
  };
  /// The report of the pose or of the run after a change, as soon as there is one; null when that fails, when a newer change comes or takes
  /// longer than `patience`.
  Shown report_after(long change, bool of_run, std::chrono::milliseconds patience);

  /// Values of parameters in place of those of the file, as texts ("2.5", "30 deg"); none: all as in the file. Returns the number of the change,
  /// by which news() tells what belongs to it. Throws InputError.
  long set_parameters(const nlohmann::json& values);
  /// Pulls a frame or a joint, or goes back to the start; the answer is the report of the pose. Throws InputError.
  std::shared_ptr<const std::string> pull(const nlohmann::json& request);
  /// A verb of the program, with the values of the sliders; what it prints comes with the news. Throws InputError.
  void start_verb(const std::string& verb);

  /// A file of the model has been saved: it is read again, and its values take the place of those of the sliders.
  void files_changed();
  /// Every file that the model is made of, and those that it names and that are not there.
  std::vector<std::string> files() const;
  /// When they were read last: one that has changed since must be read again.
  std::chrono::system_clock::time_point last_reading() const;
  /// Lets everybody who waits for news go.
  void close();

 private:
  struct Ready {
    std::shared_ptr<const std::string> report;
    long number = 0, change = 0;
    double milliseconds = 0.0;  ///< from the change to the report
  };

  void read_models(const std::stop_token& stop);
  void run_models(const std::stop_token& stop);
  /// Runs a model until a newer change stops that; `fault` says what the run came to when it is not a good end.
  Results run_of(const Model& model, std::string& fault);
  /// The report of a run that has few rows while a slider moves, all of them once it rests.
  void publish(const Model& model, const Results& results, const std::string& fault, long change,
               const std::stop_token& stop);
  void take(std::shared_ptr<const Model> model, long change);
  void fail(nlohmann::json errors);
  void tell();  ///< with mutex_ held
  nlohmann::json parameters_of(const Model& model) const;
  std::vector<std::string> command_of(const std::string& verb) const;

  const ModelOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  long version_ = 1;                             ///< of the news
  long change_ = 1, read_ = 0;                   ///< the latest change, and the one that was read last
  std::chrono::steady_clock::time_point since_;  ///< the latest change
  std::chrono::system_clock::time_point reading_;
  bool closed_ = false;
  long readers_ = 0;  ///< that have come to wait for news so far
  std::map<std::string, std::string> sliders_;
  std::vector<std::string> files_;
  nlohmann::json errors_ = nlohmann::json::array(), parameters_ = nlohmann::json::array();
  std::string name_;
  std::shared_ptr<const Model> waiting_;  ///< to be run
  long waiting_change_ = 0;
  bool running_ = false;
  double progress_ = 0.0;
  std::string run_fault_;
  Ready pose_, run_;
  std::atomic<bool> stop_run_ = false;

  std::mutex pose_mutex_;
  std::optional<LivePose> posed_;

  std::mutex verb_mutex_;
  nlohmann::json verb_;  ///< the one that was started last; null: none
  LiveTask task_;
  std::jthread reader_, runner_;
};

}  // namespace lithe::cli

#include "live_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "lithe/io/json_text.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/parameter_ranges.hpp"
#include "lithe/io/recorded_results.hpp"
#include "lithe/io/report.hpp"
#include "model_options.hpp"

namespace lithe::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_parameter_text = 200;       // characters
constexpr std::size_t sliding_instants = 200;          // of a run that the next step of a slider will replace
constexpr auto rest = std::chrono::milliseconds(400);  // from when on a slider is taken to have been let go
constexpr double degrees_per_radian = 180.0 / std::numbers::pi;
constexpr std::array live_verbs{"check", "statics", "modes", "linearize", "simulate"};

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The line that a complaint is about, as it stands in the file.
std::string source_line(const std::string& file, int line) {
  std::ifstream stream(file);
  std::string text;
  for (int k = 0; k < line; ++k)
    if (!std::getline(stream, text)) return {};
  constexpr std::size_t most = 400;
  return text.substr(0, most);
}

Json error_of(const Diagnostic& diagnostic) {
  return {{"file", fs::path(diagnostic.file).filename().string()},
          {"line", diagnostic.line},
          {"column", diagnostic.column},
          {"key", diagnostic.key},
          {"message", diagnostic.message},
          {"source", diagnostic.line > 0 ? source_line(diagnostic.file, diagnostic.line) : std::string()}};
}

Json plain_error(const std::string& message) {
  return Json::array({{{"file", ""}, {"line", 0}, {"column", 0}, {"key", ""}, {"message", message}, {"source", ""}}});
}

}  // namespace

LiveSession::LiveSession(const ModelOptions& options)
    : options_(options),
      since_(Clock::now()),
      files_({options.path}),
      reader_([this](const std::stop_token& stop) { read_models(stop); }),
      runner_([this](const std::stop_token& stop) { run_models(stop); }) {}

LiveSession::~LiveSession() {
  close();
  task_.stop();
  reader_.request_stop();
  runner_.request_stop();
  stop_run_ = true;
}

void LiveSession::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void LiveSession::tell() {
  ++version_;
  changed_.notify_all();
}

std::string LiveSession::news(long since, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (version_ <= since && !closed_) {
    const long number = ++readers_;
    changed_.notify_all();  // the oldest reader may have to go
    changed_.wait_for(lock, patience, [&] { return closed_ || version_ > since || readers_ - number >= most_readers; });
  }
  const auto ready = [](const Ready& each) {
    return Json{{"number", each.number}, {"change", each.change}, {"ms", each.milliseconds}};
  };
  return detail::json_text(Json{{"version", version_},
                                {"closed", closed_},
                                {"model", name_},
                                {"reading", read_ < change_},
                                {"running", running_ || waiting_ != nullptr},
                                {"progress", progress_},
                                {"errors", errors_},
                                {"run_fault", run_fault_},
                                {"parameters", parameters_},
                                {"moved", !sliders_.empty()},
                                {"verb", verb_},
                                {"pose", ready(pose_)},
                                {"run", ready(run_)}});
}

std::shared_ptr<const std::string> LiveSession::pose_report() const {
  const std::lock_guard lock(mutex_);
  return pose_.report;
}

std::shared_ptr<const std::string> LiveSession::run_report() const {
  const std::lock_guard lock(mutex_);
  return run_.report;
}

LiveSession::Shown LiveSession::report_after(long change, bool of_run, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  const Ready& wanted = of_run ? run_ : pose_;
  const auto is_over = [&] {
    return closed_ || change_ > change || (read_ >= change && !errors_.empty()) || !run_fault_.empty();
  };
  changed_.wait_for(lock, patience, [&] { return wanted.change >= change || is_over(); });
  return wanted.change >= change ? Shown{wanted.report, wanted.number} : Shown{};
}

long LiveSession::set_parameters(const Json& values) {
  if (!values.is_object()) throw InputError("parameters are an object of texts");
  std::map<std::string, std::string> sliders;
  for (const auto& [name, text] : values.items()) {
    if (!text.is_string() || text.get<std::string>().empty() || text.get<std::string>().size() > most_parameter_text)
      throw InputError(fmt::format("the value of '{}' is no short text", name));
    sliders[name] = text.get<std::string>();
  }
  const std::lock_guard lock(mutex_);
  // Values of things that are no parameters would be taken for paths into the file.
  for (const auto& [name, text] : sliders) {
    const bool known = std::any_of(parameters_.begin(), parameters_.end(),
                                   [&, n = name](const Json& each) { return each["name"] == n; });
    if (!known) throw InputError(fmt::format("the model has no parameter '{}'", name));
  }
  if (sliders.empty()) sliders_.clear();
  for (const auto& [name, text] : sliders) sliders_[name] = text;
  since_ = Clock::now();
  ++change_;
  stop_run_ = true;
  tell();
  return change_;
}

void LiveSession::files_changed() {
  const std::lock_guard lock(mutex_);
  sliders_.clear();
  since_ = Clock::now();
  ++change_;
  stop_run_ = true;
  tell();
}

std::vector<std::string> LiveSession::files() const {
  const std::lock_guard lock(mutex_);
  return files_;
}

std::chrono::system_clock::time_point LiveSession::last_reading() const {
  const std::lock_guard lock(mutex_);
  return reading_;
}

Json LiveSession::parameters_of(const Model& model) const {
  Json list = Json::array();
  const std::map<std::string, ParameterRange> ranges = parameter_ranges(model);
  for (const auto& [name, value] : model.parameters) {
    Json entry{{"name", name}, {"value", value}};
    if (const auto range = ranges.find(name); range != ranges.end()) {
      const double factor = range->second.angle ? degrees_per_radian : 1.0;
      entry["unit"] = range->second.angle ? "deg" : "";
      entry["value"] = factor * value;
      entry["from"] = factor * std::min(range->second.from, value);
      entry["to"] = factor * std::max(range->second.to, value);
    }
    list.push_back(std::move(entry));
  }
  return list;
}

void LiveSession::fail(Json errors) {
  const std::lock_guard lock(mutex_);
  errors_ = std::move(errors);
  tell();
}

void LiveSession::take(std::shared_ptr<const Model> model, long change) {
  Clock::time_point since;
  Json parameters = parameters_of(*model);
  {
    const std::lock_guard lock(mutex_);
    name_ = model->name;
    parameters_ = std::move(parameters);
    since = since_;
    run_fault_.clear();
    waiting_ = model;
    waiting_change_ = change;
    tell();
  }
  std::shared_ptr<const std::string> report;
  {
    const std::lock_guard lock(pose_mutex_);
    LivePose pose(model);
    if (posed_) pose.follow(*posed_);
    posed_.emplace(std::move(pose));
    report = std::make_shared<const std::string>(posed_->report());
  }
  const std::lock_guard lock(mutex_);
  errors_ = Json::array();
  pose_ = {std::move(report), pose_.number + 1, change, milliseconds_since(since)};
  tell();
}

void LiveSession::read_models(const std::stop_token& stop) {
  for (;;) {
    std::map<std::string, std::string> values = parse_sets(options_.sets);
    long change = 0;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [&] { return read_ < change_; })) return;
      change = change_;
      reading_ = std::chrono::system_clock::now();
      for (const auto& [name, text] : sliders_) values[name] = text;
    }
    LoadOptions how;
    how.rigid = options_.rigid;
    std::vector<std::string> files;
    how.looked_for = &files;
    try {
      take(std::make_shared<const Model>(load_model(options_.path, values, how)), change);
    } catch (const ModelError& error) {
      Json errors = Json::array();
      for (const Diagnostic& diagnostic : error.diagnostics()) errors.push_back(error_of(diagnostic));
      fail(std::move(errors));
    } catch (const std::exception& error) {
      fail(plain_error(error.what()));
    }
    const std::lock_guard lock(mutex_);
    read_ = change;
    files_ = std::move(files);
    tell();
  }
}

void LiveSession::run_models(const std::stop_token& stop) {
  for (;;) {
    std::shared_ptr<const Model> model;
    long change = 0;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [&] { return waiting_ != nullptr; })) return;
      model = std::move(waiting_);
      waiting_.reset();
      change = waiting_change_;
      stop_run_ = change < change_;
      running_ = true;
      progress_ = 0.0;
      tell();
    }
    std::string fault;
    const Results results = run_of(*model, fault);
    publish(*model, results, fault, change, stop);
  }
}

Results LiveSession::run_of(const Model& model, std::string& fault) {
  Results results;
  results.path = model.path;
  try {
    ResultsRecord record(results, ResultsRecord::Mechanism::left_out);
    RunControl control;
    control.stop = &stop_run_;
    control.progress = [this](double fraction) {
      const std::lock_guard lock(mutex_);
      progress_ = fraction;
      tell();
    };
    const RunOutcome outcome = run_simulation(model, record, control);
    if (outcome.ending == RunOutcome::Ending::physics_failed) fault = outcome.message;
  } catch (const std::exception& error) {
    fault = error.what();
  }
  return results;
}

void LiveSession::publish(const Model& model, const Results& results, const std::string& fault, long change,
                          const std::stop_token& stop) {
  const auto report_of = [&](const ReportOptions& options) -> std::shared_ptr<const std::string> {
    if (stop_run_ || results.rows() == 0) return nullptr;
    return std::make_shared<const std::string>(make_report(model, results, options).json);
  };
  const auto put = [&](std::shared_ptr<const std::string> report, const std::string& problem) {
    const std::lock_guard lock(mutex_);
    running_ = false;
    if (!stop_run_) {
      run_fault_ = problem;
      if (report) run_ = {std::move(report), run_.number + 1, change, milliseconds_since(since_)};
    }
    tell();
  };
  try {
    ReportOptions few;
    few.budget = 0;
    few.fewest_instants = sliding_instants;
    put(report_of(few), fault);
    if (results.rows() <= sliding_instants) return;
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, stop, rest, [&] { return closed_ || change_ > change; }) || stop.stop_requested())
        return;
    }
    put(report_of({}), fault);
  } catch (const std::exception& error) {
    put(nullptr, error.what());
  }
}

std::shared_ptr<const std::string> LiveSession::pull(const Json& request) {
  if (!request.is_object()) throw InputError("a pull is an object");
  const std::lock_guard lock(pose_mutex_);
  if (!posed_) throw InputError("there is no mechanism to pull yet: the model has errors");
  posed_->pull(request);
  auto report = std::make_shared<const std::string>(posed_->report());
  const std::lock_guard guard(mutex_);
  pose_.report = report;
  return report;
}

std::vector<std::string> LiveSession::command_of(const std::string& verb) const {
  std::vector<std::string> words{verb, options_.path};
  std::map<std::string, std::string> values = parse_sets(options_.sets);
  for (const auto& [name, text] : sliders_) values[name] = text;
  for (const auto& [name, text] : values) words.insert(words.end(), {"--set", name + "=" + text});
  if (options_.rigid && (verb == "check" || verb == "simulate")) words.emplace_back("--rigid");
  return words;
}

void LiveSession::start_verb(const std::string& verb) {
  if (std::find(live_verbs.begin(), live_verbs.end(), verb) == live_verbs.end())
    throw InputError(fmt::format("the page has no verb '{}'", verb));
  const std::lock_guard one_at_a_time(verb_mutex_);
  std::vector<std::string> words;
  {
    const std::lock_guard lock(mutex_);
    words = command_of(verb);
    std::string command = "lithe";
    for (const std::string& word : words)
      command += word.find(' ') == std::string::npos ? " " + word : " \"" + word + "\"";
    verb_ = {{"name", verb}, {"command", command}, {"running", true}, {"text", ""}, {"exit", nullptr}};
    tell();
  }
  task_.start(words, [this](int code, const std::string& text) {
    const std::lock_guard lock(mutex_);
    verb_["running"] = false;
    verb_["text"] = text;
    verb_["exit"] = code;
    tell();
  });
}

}  // namespace lithe::cli

// HDF5 results; the layout is described in docs/results.md.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "lithe/io/hdf5.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/io/read_results.hpp"
#include "lithe/io/replacing_file.hpp"
#include "lithe/io/results.hpp"
#include "lithe/io/results_size.hpp"
#include "lithe/io/stored_mechanism.hpp"
#include "lithe/io/stored_options.hpp"
#include "lithe/simulation/audit_fields.hpp"
#include "lithe/version.hpp"

namespace lithe {
namespace {

constexpr std::size_t rows_per_write = 256;
constexpr auto flush_interval = std::chrono::milliseconds(500);

/// What `modes: auto` chose, per link, as JSON; empty when it was not used.
std::string automatic_text(const Model& model) {
  nlohmann::ordered_json choices;
  for (std::size_t i = 0; i < model.origins.size() && i < model.mechanism.links.size(); ++i)
    if (const LinkOrigin& origin = model.origins[i]; !origin.choice.empty())
      choices[model.mechanism.links[i].name] = {{"choice", origin.choice}, {"band", origin.band}};
  return choices.empty() ? std::string{} : detail::json_text(choices);
}

/// One remark per line.
std::string lines_of(const std::vector<std::string>& remarks) {
  std::string text;
  for (std::string each : remarks) {
    std::replace(each.begin(), each.end(), '\n', ' ');
    text += (text.empty() ? "" : "\n") + each;
  }
  return text;
}

/// One event per line: the time, then what happened.
std::string lines_of(const std::vector<RunEvent>& events) {
  std::string lines;
  for (const RunEvent& event : events) lines += fmt::format("{:.17g} {}\n", event.t, event.what);
  return lines;
}

/// What of the model a reader needs when its files are gone.
void write_model(hid_t file, const Model& model) {
  const detail::H5Handle group = detail::create_group(file, "model");
  detail::write_bytes(group, "flattened", model.flattened);
  detail::write_bytes(group, "mechanism", detail::stored_mechanism(model));
  std::vector<std::string> names;
  for (const auto& [path, content] : model.attached) {
    detail::write_bytes(group, fmt::format("file {}", names.size()), content);
    names.push_back(path);
  }
  detail::write_strings(group, "file names", names);
}

void write_stress(hid_t group, const Audit& audit) {
  if (audit.stress.empty()) return;
  const detail::H5Handle all = detail::create_group(group, "stress");
  for (const auto& [name, link] : audit.stress) {
    const detail::H5Handle one = detail::create_group(all, name);
    detail::write_attribute(one, "peak", link.peak);
    detail::write_attribute(one, "place", link.place);
    detail::write_attribute(one, "time", link.time);
    if (link.safety) detail::write_attribute(one, "safety", *link.safety);
    if (!link.damage) continue;
    detail::write_attribute(one, "damage", *link.damage);
    detail::write_attribute(one, "damaged", link.damaged);
    detail::write_attribute(one, "life", link.life.value_or(0.0));
  }
}

class Hdf5Sink : public RecordSink {
 public:
  Hdf5Sink(std::string path, const OutputOptions& options) : path_(std::move(path)), options_(options) {}

  void begin(const Model& model, const std::vector<std::string>& columns) override {
    name_ = std::make_unique<ReplacingFile>(path_, model.files);
    detail::require_sensible_size(path_, model.run, columns.size(), sizeof(double), options_);
    name_->open();
    target_ = {name_->descriptor()};
    file_ = detail::create_file(target_);
    detail::write_attribute(file_, "lithe version", std::string(version()));
    detail::write_attribute(file_, "model name", model.name);
    detail::write_attribute(file_, "model path", model.path);
    detail::write_attribute(file_, "model text", model.text);
    detail::write_attribute(file_, "parameters", detail::json_text(nlohmann::ordered_json(model.parameters)));
    detail::write_attribute(file_, "replaced", detail::json_text(nlohmann::ordered_json(model.replaced)));
    detail::write_attribute(file_, "options", detail::stored_options(model.run));
    if (const std::string choices = automatic_text(model); !choices.empty())
      detail::write_attribute(file_, "automatic modes", choices);
    write_model(file_, model);
    detail::write_strings(file_, "columns", columns);
    const detail::H5Handle group = detail::create_group(file_, "time series");
    table_ = detail::GrowingTable(group, "data", columns.size());
    columns_ = columns.size();
    name_->require_written(target_.fault);
  }

  void row(std::span<const double> values) override {
    pending_.insert(pending_.end(), values.begin(), values.end());
    const auto now = std::chrono::steady_clock::now();
    has_rows_ = true;
    if (now - flushed_ > flush_interval) {
      flush();
      flushed_ = now;
    } else if (pending_.size() >= rows_per_write * columns_) {
      write_pending();
    }
  }

  void finish(const Audit& audit, const std::string& outcome) override {
    if (!file_) return;
    if (!has_rows_) return give_up();
    write_pending();
    const detail::H5Handle group = detail::create_group(file_, "audit");
    detail::write_attribute(group, "outcome", outcome);
    for (const auto& [name, field, meaning] : audit_counts) detail::write_attribute(group, name, audit.*field);
    for (const auto& [name, field, meaning] : audit_numbers) detail::write_attribute(group, name, audit.*field);
    detail::write_attribute(group, "integrator", audit.integrator);
    detail::write_attribute(group, "notes", lines_of(audit.notes));
    detail::write_attribute(group, "warnings", lines_of(audit.warnings));
    detail::write_attribute(group, "distrust", lines_of(audit.distrust));
    detail::write_bytes(group, "events", lines_of(audit.events));
    const detail::H5Handle motors = detail::create_group(group, "motors");
    for (const auto& [motor, duty] : audit.motors) {
      const detail::H5Handle own = detail::create_group(motors, motor);
      for (const auto& [name, field, meaning] : motor_duty_fields) detail::write_attribute(own, name, duty.*field);
    }
    const detail::H5Handle bending = detail::create_group(group, "bending");
    for (const auto& [link, measure] : audit.bending) detail::write_attribute(bending, link, measure);
    write_stress(group, audit);
    const detail::H5Handle split = detail::create_group(group, "time_split");
    for (const auto& [part, seconds] : audit.time_split) detail::write_attribute(split, part, seconds);
    table_ = {};
    file_.reset();
    name_->require_written(target_.fault);
    name_->commit();
    name_.reset();
  }

 private:
  void write_pending() {
    table_.append(pending_);
    pending_.clear();
    name_->require_written(target_.fault);
  }

  void flush() {
    write_pending();
    detail::flush_file(file_);
    name_->require_written(target_.fault);
  }

  /// A run without a row leaves an earlier file as it was.
  void give_up() {
    table_ = {};
    file_.reset();
    name_.reset();
  }

  std::string path_;
  OutputOptions options_;
  std::unique_ptr<ReplacingFile> name_;
  detail::WriteTarget target_;  ///< outlives the file
  detail::H5Handle file_;
  detail::GrowingTable table_;
  std::size_t columns_ = 0;
  std::vector<double> pending_;
  std::chrono::steady_clock::time_point flushed_;
  bool has_rows_ = false;
};

}  // namespace

std::unique_ptr<RecordSink> hdf5_sink(const std::string& path, const OutputOptions& options) {
  return std::make_unique<Hdf5Sink>(path, options);
}

}  // namespace lithe

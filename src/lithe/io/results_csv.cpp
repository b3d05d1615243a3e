// CSV: one header line, then one line per row; numbers with as many digits as they need to be read back exactly.

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>

#include "lithe/io/results.hpp"
#include "lithe/io/results_file.hpp"

namespace lithe {
namespace {

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n") == std::string::npos) return name;
  std::string result = "\"";
  for (const char c : name) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

class CsvSink : public RecordSink {
 public:
  explicit CsvSink(const std::string& path) : name_(path) {}

  void begin(const Model&, const std::vector<std::string>& columns) override {
    file_.reset(std::fopen(name_.temporary().c_str(), "w"));
    if (!file_) detail::cannot_write(name_.path());
    line_.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      fmt::format_to(std::back_inserter(line_), "{}{}", i == 0 ? "" : ",", quoted(columns[i]));
    }
    write_line();
  }

  void row(std::span<const double> values) override {
    line_.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      fmt::format_to(std::back_inserter(line_), "{}{}", i == 0 ? "" : ",", values[i]);
    }
    write_line();
    const auto now = std::chrono::steady_clock::now();
    if (!name_.committed() || now - flushed_ > std::chrono::milliseconds(500)) {
      flush();
      flushed_ = now;
    }
  }

  void finish(const Audit&, const std::string&) override {
    if (file_ && name_.committed()) flush();
    file_.reset();
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void write_line() {
    line_.push_back('\n');
    if (std::fwrite(line_.data(), 1, line_.size(), file_.get()) != line_.size()) detail::cannot_write(name_.path());
  }

  void flush() {
    if (std::fflush(file_.get()) != 0) detail::cannot_write(name_.path());
    name_.commit();
  }

  detail::ReplacingFile name_;
  std::unique_ptr<std::FILE, Close> file_;
  fmt::memory_buffer line_;
  std::chrono::steady_clock::time_point flushed_;
};

class TeeSink : public RecordSink {
 public:
  TeeSink(std::unique_ptr<RecordSink> a, std::unique_ptr<RecordSink> b) : a_(std::move(a)), b_(std::move(b)) {}
  void begin(const Model& model, const std::vector<std::string>& columns) override {
    a_->begin(model, columns);
    b_->begin(model, columns);
  }
  void row(std::span<const double> values) override {
    a_->row(values);
    b_->row(values);
  }
  void finish(const Audit& audit, const std::string& outcome) override {
    a_->finish(audit, outcome);
    b_->finish(audit, outcome);
  }

 private:
  std::unique_ptr<RecordSink> a_, b_;
};

}  // namespace

std::unique_ptr<RecordSink> csv_sink(const std::string& path) { return std::make_unique<CsvSink>(path); }

std::unique_ptr<RecordSink> tee_sink(std::unique_ptr<RecordSink> a, std::unique_ptr<RecordSink> b) {
  return std::make_unique<TeeSink>(std::move(a), std::move(b));
}

}  // namespace lithe

// CSV: one header line, then one line per row; numbers with as many digits as they need to be read back exactly.

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <memory>

#include "lithe/io/number_text.hpp"
#include "lithe/io/replacing_file.hpp"
#include "lithe/io/results.hpp"
#include "lithe/io/results_size.hpp"

namespace lithe {
namespace {

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n") == std::string::npos) return name;
  std::string result = "\"";
  for (const char c : name) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

constexpr std::size_t most_pending = 64 * 1024;  // bytes
constexpr auto csv_flush_interval = std::chrono::milliseconds(500);
constexpr double bytes_per_number = 19.0;  // with its comma

class CsvSink : public RecordSink {
 public:
  CsvSink(std::string path, const OutputOptions& options) : path_(std::move(path)), options_(options) {}

  void begin(const Model& model, const std::vector<std::string>& columns) override {
    if (path_ != "-") {
      file_ = std::make_unique<ReplacingFile>(path_, model.files);
      detail::require_sensible_size(path_, model.run, columns.size(), bytes_per_number, options_);
      file_->open();
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      fmt::format_to(std::back_inserter(pending_), "{}{}", i == 0 ? "" : ",", quoted(columns[i]));
    }
    pending_.push_back('\n');
  }

  void row(std::span<const double> values) override {
    const std::size_t before = pending_.size();
    pending_.resize(before + values.size() * (io::longest_number + 1));
    char* end = pending_.data() + before;
    for (const double value : values) {
      end = io::write_number(end, value);
      *end++ = ',';
    }
    end[-1] = '\n';  // a row has at least its time
    pending_.resize(end - pending_.data());
    has_rows_ = true;
    const auto now = std::chrono::steady_clock::now();
    if (pending_.size() > most_pending || now - flushed_ > csv_flush_interval) {
      flush();
      flushed_ = now;
    }
  }

  /// A run without a row leaves an earlier file as it was.
  void finish(const Audit&, const std::string&) override {
    if (has_rows_) {
      flush();
      if (file_) file_->commit();
    }
    file_.reset();
  }

 private:
  void flush() {
    const std::string_view bytes(pending_.data(), pending_.size());
    if (file_) {
      file_->write(bytes);
    } else if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0) {
      cannot_write("stdout", errno);
    }
    pending_.clear();
  }

  std::string path_;
  OutputOptions options_;
  std::unique_ptr<ReplacingFile> file_;  ///< none: stdout
  fmt::memory_buffer pending_;
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
  bool has_rows_ = false;
};

class TeeSink : public RecordSink {
 public:
  TeeSink(std::unique_ptr<RecordSink> a, std::unique_ptr<RecordSink> b) : a_(std::move(a)), b_(std::move(b)) {}
  void begin(const Model& model, const std::vector<std::string>& columns) override {
    a_->begin(model, columns);
    b_->begin(model, columns);
  }
  /// One that fails ends the run; the other keeps what it has.
  void row(std::span<const double> values) override {
    const auto guarded = [&](RecordSink& sink, RecordSink& other) {
      try {
        sink.row(values);
      } catch (const std::exception& error) {
        other.finish({}, error.what());
        throw;
      }
    };
    guarded(*a_, *b_);
    guarded(*b_, *a_);
  }
  void finish(const Audit& audit, const std::string& outcome) override {
    try {
      a_->finish(audit, outcome);
    } catch (...) {
      b_->finish(audit, outcome);
      throw;
    }
    b_->finish(audit, outcome);
  }

 private:
  std::unique_ptr<RecordSink> a_, b_;
};

}  // namespace

std::unique_ptr<RecordSink> csv_sink(const std::string& path, const OutputOptions& options) {
  return std::make_unique<CsvSink>(path, options);
}

std::unique_ptr<RecordSink> tee_sink(std::unique_ptr<RecordSink> a, std::unique_ptr<RecordSink> b) {
  return std::make_unique<TeeSink>(std::move(a), std::move(b));
}

}  // namespace lithe

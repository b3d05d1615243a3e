#pragma once
// Talking to people: colours where there is a terminal, aligned tables, a progress bar.

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace lithe::cli {

/// How much the program says: with `quiet` only warnings, errors and what was asked for by --json or as a file; with
/// `verbose` also where the time went and which options were in force.
enum class Talk { quiet, normal, verbose };
void set_talk(Talk talk);
Talk talk();

/// Text for stdout, coloured only when stdout is a terminal and NO_COLOR is not set.
std::string bold(const std::string& text);
std::string dim(const std::string& text);
std::string good(const std::string& text);
std::string bad(const std::string& text);
std::string warning(const std::string& text);

/// Prints "lithe: error: MESSAGE" to stderr.
void complain(const std::string& message);
/// Prints "lithe: warning: MESSAGE" to stderr.
void warn(const std::string& message);
/// Prints "lithe: note: MESSAGE" to stderr.
void note(const std::string& message);

/// Columns of the terminal on stdout; without one those of the variable COLUMNS, or 80.
int terminal_width();

/// A heading line on stdout.
void heading(const std::string& text);

/// Rows of cells, aligned when printed; numbers to the right when the column says so. Colours do not disturb the
/// widths.
class Table {
 public:
  explicit Table(std::vector<std::string> head, std::string alignment = "");  ///< alignment: one of l, r per column
  void add(std::vector<std::string> row);
  void print() const;
  bool empty() const { return rows_.empty(); }

 private:
  std::vector<std::string> head_;
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

/// A bar on stderr, shown only on a terminal and only when the work has taken more than a second.
class ProgressBar {
 public:
  explicit ProgressBar(std::string label);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(double fraction);
  void relabel(std::string label) { label_ = std::move(label); }

 private:
  std::string label_;
  std::chrono::steady_clock::time_point start_, last_;
  bool enabled_ = false;
  bool visible_ = false;
};

/// Shortest text of a number with `digits` significant digits.
std::string number(double value, int digits = 6);

}  // namespace lithe::cli

#include "terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace lithe::cli {
namespace {

Talk chosen_talk = Talk::normal;

/// On a terminal, unless the user objects (no-color.org: NO_COLOR set and not empty).
bool wants_colour(int descriptor) {
  const char *term = std::getenv("TERM"), *objection = std::getenv("NO_COLOR");
  return isatty(descriptor) && !(objection && *objection != '\0') && !(term && std::strcmp(term, "dumb") == 0);
}

std::string paint(const char* code, const std::string& text) {
  static const bool colour = wants_colour(STDOUT_FILENO);
  return colour ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

/// Colour codes take no room, UTF-8 continuation bytes neither.
std::size_t printed_width(const std::string& text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      while (i < text.size() && text[i] != 'm') ++i;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      ++columns;
    }
  }
  return columns;
}

void say_on_stderr(const char* code, const char* kind, const std::string& message) {
  std::fflush(stdout);
  const std::string head = fmt::format("lithe: {}:", kind);
  const std::string painted = wants_colour(STDERR_FILENO) ? fmt::format("\033[{}m{}\033[0m", code, head) : head;
  fmt::print(stderr, "{} {}\n", painted, message);
}

}  // namespace

void set_talk(Talk talk) { chosen_talk = talk; }
Talk talk() { return chosen_talk; }

std::string bold(const std::string& text) { return paint("1", text); }
std::string dim(const std::string& text) { return paint("2", text); }
std::string good(const std::string& text) { return paint("32", text); }
std::string bad(const std::string& text) { return paint("1;31", text); }
std::string warning(const std::string& text) { return paint("33", text); }

void complain(const std::string& message) { say_on_stderr("1;31", "error", message); }
void warn(const std::string& message) { say_on_stderr("33", "warning", message); }
void note(const std::string& message) { say_on_stderr("2", "note", message); }

int terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const int wished = columns != nullptr ? std::atoi(columns) : 0;
  return wished > 0 ? wished : 80;
}

void heading(const std::string& text) { fmt::print("\n{}\n", bold(text)); }

Table::Table(std::vector<std::string> head, std::string alignment)
    : head_(std::move(head)), alignment_(std::move(alignment)) {
  alignment_.resize(head_.size(), 'l');
}

void Table::add(std::vector<std::string> row) {
  row.resize(head_.size());
  rows_.push_back(std::move(row));
}

void Table::print() const {
  std::vector<std::size_t> widths(head_.size());
  for (std::size_t c = 0; c < head_.size(); ++c) {
    widths[c] = printed_width(head_[c]);
    for (const auto& row : rows_) widths[c] = std::max(widths[c], printed_width(row[c]));
  }
  const auto line = [&](const std::vector<std::string>& row, bool is_head) {
    std::string text = " ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - printed_width(row[c]), ' ');
      const std::string cell = is_head ? dim(row[c]) : row[c];
      text += alignment_[c] == 'r' ? " " + padding + cell + " " : " " + cell + padding + " ";
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    fmt::print("{}\n", text);
  };
  const bool has_head = std::any_of(head_.begin(), head_.end(), [](const auto& cell) { return !cell.empty(); });
  if (has_head) line(head_, true);
  for (const auto& row : rows_) line(row, false);
}

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)),
      start_(std::chrono::steady_clock::now()),
      last_(start_),
      enabled_(isatty(STDERR_FILENO) != 0 && talk() != Talk::quiet) {}

ProgressBar::~ProgressBar() {
  if (visible_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::show(double fraction) {
  using namespace std::chrono_literals;
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - start_ < 1s || (visible_ && now - last_ < 100ms)) return;
  last_ = now;
  visible_ = true;
  fraction = std::clamp(fraction, 0.0, 1.0);
  constexpr int cells = 30;
  const int full = static_cast<int>(fraction * cells);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string left =
      fraction > 0.02 ? fmt::format(", {:.0f} s left", seconds * (1.0 - fraction) / fraction) : std::string();
  fmt::print(stderr, "\r\033[K{} [{}{}] {:3.0f} %{}", label_, std::string(full, '#'),
             std::string(cells - full, '.'), 100.0 * fraction, left);
  std::fflush(stderr);
}

std::string number(double value, int digits) {
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return value > 0 ? "infinite" : "-infinite";
  return fmt::format("{:.{}g}", value == 0 ? 0.0 : value, digits);  // no "-0"
}

}  // namespace lithe::cli

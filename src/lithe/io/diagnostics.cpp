#include "lithe/io/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace lithe {

std::string Diagnostic::text() const {
  std::string prefix = line > 0 ? fmt::format("{}:{}:{}: ", file, line, column) : file.empty() ? file : file + ": ";
  if (!key.empty()) prefix += key + ": ";
  return prefix + message;
}

namespace {
std::string joined(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += diagnostic.text();
  }
  return text;
}
}  // namespace

ModelError::ModelError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(joined(diagnostics)), diagnostics_(std::move(diagnostics)) {}

namespace io {

void Complaints::add(const Place& place, std::string key, std::string message) {
  const std::string file = place.file == nullptr ? std::string{} : *place.file;
  if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
  diagnostics_.push_back({file, place.line, place.column, std::move(key), std::move(message)});
}

void Complaints::throw_if_any() const {
  if (empty()) return;
  const auto rank = [&](const Diagnostic& d) {
    return std::make_tuple(std::find(files_.begin(), files_.end(), d.file) - files_.begin(), d.line, d.column);
  };
  std::vector<Diagnostic> sorted = diagnostics_;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  throw ModelError(std::move(sorted));
}

}  // namespace io
}  // namespace lithe

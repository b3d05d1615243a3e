#include "sampled_record.hpp"

namespace lithe::cli {

void SampledRecord::begin(const Model&, const std::vector<std::string>& columns) {
  columns_ = columns;
  kept_.clear();
  seen_ = 0;
  stride_ = 1;
}

void SampledRecord::row(std::span<const double> values) {
  last_.assign(values.begin(), values.end());
  if (seen_++ % stride_ != 0) return;
  if (kept_.size() == most_kept) {
    // The first one stays where it is: a vector that is moved into itself would be lost.
    std::size_t to = 1;
    for (std::size_t from = 2; from < kept_.size(); from += 2) kept_[to++] = std::move(kept_[from]);
    kept_.resize(to);
    stride_ *= 2;
    if ((seen_ - 1) % stride_ != 0) return;
  }
  kept_.push_back(last_);
}

void SampledRecord::finish(const Audit&, const std::string&) {
  if (seen_ > 0 && (seen_ - 1) % stride_ != 0) kept_.push_back(last_);
}

}  // namespace lithe::cli

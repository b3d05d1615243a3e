#include "lithe/control/sampled_system.hpp"

#include <algorithm>

namespace lithe {

void SampledSystem::resume(std::span<const double> memory) { std::copy(memory.begin(), memory.end(), state().begin()); }

SampledChain::SampledChain(std::unique_ptr<SampledSystem> first, std::vector<std::unique_ptr<SampledSystem>> then,
                           int outputs)
    : signal_(outputs) {
  parts_.push_back(std::move(first));
  for (auto& each : then) parts_.push_back(std::move(each));
}

void SampledChain::sample(double t, std::span<const double> inputs, std::span<double> outputs) {
  if (is_shown_) {
    auto next = state_.begin();
    for (const auto& part : parts_) {
      const std::span<double> own = part->state();
      std::copy_n(next, own.size(), own.begin());
      next += std::ssize(own);
    }
    is_shown_ = false;
  }
  parts_.front()->sample(t, inputs, outputs);
  for (std::size_t i = 1; i < parts_.size(); ++i) {
    std::copy(outputs.begin(), outputs.end(), signal_.begin());
    parts_[i]->sample(t, signal_, outputs);
  }
}

void SampledChain::resume(std::span<const double> memory) {
  std::size_t first = 0;
  for (const auto& part : parts_) {
    const std::size_t own = part->state().size();
    part->resume(memory.subspan(first, own));
    first += own;
  }
  is_shown_ = false;
}

std::span<double> SampledChain::state() {
  if (!is_shown_) {
    state_.clear();
    for (const auto& part : parts_) {
      const std::span<double> own = part->state();
      state_.insert(state_.end(), own.begin(), own.end());
    }
  }
  is_shown_ = true;
  return state_;
}

}  // namespace lithe

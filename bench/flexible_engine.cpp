#include "flexible_engine.hpp"

#include <random>
#include <stdexcept>

namespace bench {

using namespace lithe;  // NOLINT: this file is about nothing else

namespace {

void require(const Plan& plan, const Status& status) {
  if (!status) throw std::runtime_error(describe(plan, status, 0.0));
}

}  // namespace

FlexibleEngine::FlexibleEngine(const Model& model, int count, Arithmetic arithmetic)
    : prepared_(prepare(model, arithmetic)) {
  const Plan& plan = prepared_.plan;
  std::mt19937 dice(1);
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  for (int i = 0; i < count; ++i) {
    State state = prepared_.state;
    VectorX step = VectorX::Zero(plan.nv());
    for (const int v : prepared_.work.independent()) {
      const double scale = plan.is_bending(v) ? 0.01 * plan.speed_scale(v) : 0.05;
      step[v] = scale * draw(dice);
      state.v[v] = 10.0 * scale * draw(dice);
    }
    move_coordinates(plan, step, state.q);
    require(plan, project_positions(plan, prepared_.work, state.q));
    require(plan, complete_speeds(plan, prepared_.work, state.q, state.v));
    states_.push_back(state);
    actions_.emplace_back(plan);
    for (const int v : plan.actuated_speeds()) actions_.back().tau[v] = draw(dice);
  }
  a_ = VectorX::Zero(plan.nv());
}

void FlexibleEngine::forward(int index) {
  const auto i = static_cast<std::size_t>(index);
  require(prepared_.plan, forward_dynamics(prepared_.plan, prepared_.work, states_[i], actions_[i], a_));
}

void FlexibleEngine::step(int index) {
  const auto i = static_cast<std::size_t>(index);
  if (!stepper_) stepper_.emplace(prepared_.plan, prepared_.work, prepared_.state);
  moved_ = states_[i];
  require(prepared_.plan, stepper_->step(prepared_.work, moved_, actions_[i]));
}

}  // namespace bench

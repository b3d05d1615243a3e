#pragma once
// Geometric stiffening by the axial force (K^gn) as the recomputed rows of the reference have it (section 2.10): four
// passes per evaluation, accelerations without K^gn first and K^gn from the last accelerations three times, in
// classical Runge-Kutta steps. The engine itself goes on until nothing changes.

#include <gtest/gtest.h>

#include "lithe/dynamics/formulations.hpp"
#include "lithe/dynamics/stress.hpp"
#include "lithe/kinematics/assembly.hpp"
#include "reference/fattah_models.hpp"

namespace lithe::testing {

/// A mechanism of the thesis under the torques of its rigid twin, tabulated in `samples` intervals over its motion, in
/// joint coordinates.
class FourPasses {
 public:
  FourPasses(const std::string& example, std::map<std::string, std::string> sets, int samples = 500) {
    sets["links.*.stiffening"] = "stress";
    Model model = fattah_model(example, sets);
    model.run.every = model.run.until / samples;
    MemoryRecord nominal;
    EXPECT_EQ(run_inverse(model, nominal).ending, RunOutcome::Ending::complete);
    for (const char* motor : {"motor-1", "motor-2", "motor-3"})
      torques_.emplace_back(
          make_table(nominal.column("t"), nominal.column(std::string("tau.") + motor), TableLaw::Interpolation::cubic));
    prepared_.emplace(prepare(undriven(model, Coordinates::joint)));
    a_ = rate_ = VectorX::Zero(plan().nv());
  }

  void move_to(double t, double step) {
    const int steps = static_cast<int>(std::lround((t - prepared_->state.t) / step));
    for (int i = 0; i < steps; ++i) runge_kutta(step);
    ASSERT_NEAR(prepared_->state.t, t, 1e-9);
  }

  /// Displacement of the tip of link-1, link-2, ... in axes of the link (m).
  Vec3 tip(int number) const {
    const int link = plan().mechanism().find_link("link-" + std::to_string(number));
    const ElasticPlace& place = plan().elastic_places()[link];
    const LinkData& data = plan().mechanism().links[link];
    return data.frames[data.find_frame("tip")].shape * prepared_->state.q.segment(place.q, place.count);
  }

  double motor(int number) const { return prepared_->state.q[place_of(plan(), "motor-" + std::to_string(number)).q]; }

  Pose pose(const std::string& link) {
    return frame_pose(plan(), prepared_->work, prepared_->state.q, frame_of(plan(), link, "origin"));
  }

 private:
  const Plan& plan() const { return prepared_->plan; }

  void close(State& state) {
    normalise_quaternions(plan(), state.q);
    ASSERT_TRUE(project_positions(plan(), prepared_->work, state.q));
    ASSERT_TRUE(complete_speeds(plan(), prepared_->work, state.q, state.v));
  }

  void accelerate(State& state) {
    close(state);
    Workspace& work = prepared_->work;
    Actions actions(plan());
    for (std::size_t i = 0; i < torques_.size(); ++i)
      actions.tau[speed_of(plan(), "motor-" + std::to_string(i + 1))] = torques_[i].at(state.t).value;
    ASSERT_TRUE(detail::plain_forward(plan(), work, state, actions, a_, {Formulation::noc}));
    for (int pass = 1; pass < 4; ++pass) {
      stress_forces(plan(), work, state, a_, actions, actions.tau);
      ASSERT_TRUE(detail::plain_forward(plan(), work, state, actions, a_, {Formulation::noc}));
    }
  }

  void runge_kutta(double h) {
    const State start = prepared_->state;
    State stage = start;
    VectorX speeds = VectorX::Zero(plan().nq()), accelerations = VectorX::Zero(plan().nv());
    for (const auto& [weight, reach] :
         {std::pair{1.0, 0.5}, std::pair{2.0, 0.5}, std::pair{2.0, 1.0}, std::pair{1.0, 0.0}}) {
      accelerate(stage);
      coordinate_rates(plan(), stage.q, stage.v, rate_);
      speeds += weight / 6 * rate_;
      accelerations += weight / 6 * a_;
      stage.t = start.t + reach * h;
      stage.q = start.q + reach * h * rate_;
      stage.v = start.v + reach * h * a_;
    }
    State& state = prepared_->state;
    state.t = start.t + h;
    state.q = start.q + h * speeds;
    state.v = start.v + h * accelerations;
    close(state);
  }

  std::vector<Law> torques_;
  std::optional<Prepared> prepared_;
  VectorX a_, rate_;
};

}  // namespace lithe::testing

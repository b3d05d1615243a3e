// Geometric stiffening by the axial force (K^gn) as the recomputed rows of the reference, section 3.1, have it: four
// passes per evaluation, accelerations without K^gn first and K^gn from the last accelerations three times. The engine
// goes on until nothing changes; `lithe reproduce fattah` therefore compares with a tolerance of half a millimetre.

#include <gtest/gtest.h>

#include "lithe/dynamics/formulations.hpp"
#include "lithe/dynamics/stress.hpp"
#include "reference/fattah_models.hpp"

namespace lithe::testing {
namespace {

/// Two arms under tabulated torques of their rigid twin, integrated by classical Runge-Kutta steps.
class FourPasses {
 public:
  explicit FourPasses(const std::string& rotation) {
    Model model = fattah_model("two-arms", {{"links.*.stiffening", "stress"}, {"links.*.tip-rotation", rotation}});
    model.run.every = 0.001;
    MemoryRecord nominal;
    EXPECT_EQ(run_inverse(model, nominal).ending, RunOutcome::Ending::complete);
    for (const char* motor : {"motor-1", "motor-2", "motor-3"})
      torques_.push_back(
          make_table(nominal.column("t"), nominal.column(std::string("tau.") + motor), TableLaw::Interpolation::cubic));
    prepared_.emplace(prepare(undriven(model, Coordinates::joint)));
  }

  /// Goes on to time t; returns the deflections of the four tips (m).
  Eigen::Vector4d move_to(double t, double step) {
    State& state = prepared_->state;
    const int steps = static_cast<int>(std::lround((t - state.t) / step));
    for (int i = 0; i < steps; ++i) runge_kutta(step);
    Eigen::Vector4d tips;
    for (int i = 0; i < 4; ++i) {
      const int link = plan().mechanism().find_link("link-" + std::to_string(i + 1));
      const ElasticPlace& place = plan().elastic_places()[static_cast<std::size_t>(link)];
      const LinkData& data = plan().mechanism().links[static_cast<std::size_t>(link)];
      tips[i] = data.frames[static_cast<std::size_t>(data.find_frame("tip"))].shape.row(1) *
                state.q.segment(place.q, place.count);
    }
    return tips;
  }

 private:
  const Plan& plan() const { return prepared_->plan; }

  VectorX accelerations(State& state) {
    Workspace& work = prepared_->work;
    EXPECT_TRUE(project_positions(plan(), work, state.q));
    EXPECT_TRUE(complete_speeds(plan(), work, state.q, state.v));
    Actions actions(plan());
    for (std::size_t i = 0; i < 3; ++i)
      actions.tau[speed_of(plan(), "motor-" + std::to_string(i + 1))] = Law(torques_[i]).at(state.t).value;
    VectorX a = VectorX::Zero(plan().nv());
    EXPECT_TRUE(detail::plain_forward(plan(), work, state, actions, a, Formulation::noc, {}, {}));
    for (int pass = 1; pass < 4; ++pass) {
      stress_forces(plan(), work, state, a, actions, actions.tau);
      EXPECT_TRUE(detail::plain_forward(plan(), work, state, actions, a, Formulation::noc, {}, {}));
    }
    return a;
  }

  // All joints of the tree are revolute: coordinates and speeds are of one length.
  void runge_kutta(double h) {
    const State start = prepared_->state;
    State stage = start;
    VectorX speeds = VectorX::Zero(plan().nv()), rates = speeds;
    for (const auto& [weight, reach] :
         {std::pair{1.0, 0.5}, std::pair{2.0, 0.5}, std::pair{2.0, 1.0}, std::pair{1.0, 0.0}}) {
      const VectorX a = accelerations(stage), v = stage.v;
      speeds += weight / 6 * v;
      rates += weight / 6 * a;
      stage.t = start.t + reach * h;
      stage.q = start.q + reach * h * v;
      stage.v = start.v + reach * h * a;
    }
    State& state = prepared_->state;
    state.t = start.t + h;
    state.q = start.q + h * speeds;
    state.v = start.v + h * rates;
    EXPECT_TRUE(project_positions(plan(), prepared_->work, state.q));
    EXPECT_TRUE(complete_speeds(plan(), prepared_->work, state.q, state.v));
  }

  std::vector<TableLaw> torques_;
  std::optional<Prepared> prepared_;
};

TEST(FattahStress, FourPassesGiveTheRecomputedDeflections) {
  FourPasses chord("chord");
  const Eigen::Vector4d expected(0.046537, 0.000092, 0.042402, -0.000627);
  EXPECT_LT((chord.move_to(0.1, 1e-4) - expected).cwiseAbs().maxCoeff(), 1e-6);
  FourPasses tangent("tangent");
  const Eigen::Vector4d tips = tangent.move_to(0.1, 1e-4);
  EXPECT_NEAR(tips[0], 0.059646, 1e-6);
  EXPECT_NEAR(tips[2], 0.042445, 1e-6);
}

}  // namespace
}  // namespace lithe::testing

#pragma once
// Lithe itself, as one of the timed engines; also the source of the states that all engines get.

#include "engine.hpp"
#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"

namespace bench {

class LitheEngine final : public Engine {
 public:
  explicit LitheEngine(const Case& mechanism, lithe::Formulation formulation = lithe::Formulation::noc);

  /// Random assembled states: motors moved, loops closed, speeds completed, random motor forces, accelerations from
  /// forward dynamics. Throws std::runtime_error when a state cannot be assembled.
  std::vector<Motion> random_pool(int count);

  /// Empty when the formulation can be used here.
  std::string why_not_applicable() const { return lithe::why_not_applicable(plan_, formulation_); }

  void take(const std::vector<Motion>& pool) override;
  void forward(int index) override;
  void inverse(int index) override;
  Eigen::VectorXd accelerations() const override;
  Eigen::VectorXd forces() const override;

  /// Puts the coordinates of state `index`, with dependent ones disturbed by 1e-4, back onto the closures.
  void project(int index);
  /// Completes the speeds of state `index` from its independent ones.
  void complete(int index);

 private:
  struct Own {
    lithe::State state;
    lithe::VectorX a;
    lithe::Actions actions;

    explicit Own(const lithe::Plan& plan)
        : state{0.0, lithe::VectorX(plan.nq()), lithe::VectorX(plan.nv())}, a(plan.nv()), actions(plan) {}
  };

  Case mechanism_;
  lithe::Formulation formulation_;
  lithe::Plan plan_;
  lithe::Workspace work_;
  std::vector<Own> pool_;
  lithe::VectorX a_, q_, v_;
  lithe::InverseResult inverse_;
};

}  // namespace bench

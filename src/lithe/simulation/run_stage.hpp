#pragma once
// Who drives and what is locked. Events change that, so that a run goes in stages; mechanism, plan and coordinates are the
// same in all of them.

#include <memory>
#include <string>
#include <vector>

#include "lithe/simulation/equations.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::detail {

class RunStage {
 public:
  /// `model` must outlive this object. Throws MechanismError for joints that there are not.
  RunStage(const Model& model, const Plan& plan, Workspace& work);

  /// With the drives of this stage.
  const Model& model() const { return now_ != nullptr ? *now_ : base_; }
  /// Speeds that are locked: of the tree, and of cut joints.
  const std::vector<int>& locked() const { return locked_; }
  const std::vector<int>& locked_cut() const { return locked_cut_; }
  bool has_ended() const { return !ended_by_.empty(); }

  /// What events do at their instant: the drives and locks of the next stage, speeds that jump, independent speeds. Loss
  /// and work of impacts are added to `exchange`, what happened to the events of `audit`. Afterwards nothing that was
  /// made from model() before may be used.
  RunStatus change(const std::vector<const Event*>& events, Formulation formulation, State& state, Exchange& exchange,
                   Audit& audit);

 private:
  struct Wanted {
    int speed;
    double rate;
    bool locks;  ///< the work of its impulse is lost, else done by a drive
  };

  std::string apply(const EventAction& action, double t, const State& state, std::vector<int>& touched);
  void set_locked(const std::string& joint, bool locked, std::vector<int>& touched);
  std::vector<int> prescribed() const;
  bool is_locked(const Drive& drive) const;
  double position(int joint, int coordinate, const State& state);
  RunStatus begin_motions(const std::vector<int>& begun, State& state, std::vector<Wanted>& wanted);
  RunStatus strike(const std::vector<int>& steady, const std::vector<Wanted>& wanted, Formulation formulation,
                   State& state, Exchange& exchange, double& lost);

  const Model& base_;
  const Plan& plan_;
  Workspace& work_;
  std::unique_ptr<Model> now_;
  std::vector<Drive> drives_;  ///< those of locked joints among them
  std::vector<int> locked_, locked_cut_;
  std::string ended_by_;
};

}  // namespace lithe::detail

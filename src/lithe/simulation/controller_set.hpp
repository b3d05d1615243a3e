#pragma once
// The laws written in code (Drive::law, Model::controllers), resolved to coordinates.

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "lithe/simulation/prepare.hpp"
#include "lithe/simulation/run_status.hpp"

namespace lithe::detail {

/// Joint and coordinate of "JOINT" or "JOINT.k"; -1 when there is no such joint.
std::pair<int, int> joint_coordinate(const Mechanism& mechanism, const std::string& name);

/// Place of the coordinate whose rate is `speed` of [v; cut speeds]: in q, or among the cut coordinates; -1 for a part of a
/// rotation in space.
int coordinate_place(const Plan& plan, int speed);

class ControllerSet {
 public:
  /// Throws MechanismError for names that make no sense. `model` must outlive this object.
  ControllerSet(const Model& model, const Plan& plan);

  /// Whether add_forces() needs the coordinates and speeds of the cut joints.
  bool uses_cut_coordinates() const { return uses_cut_coordinates_; }

  /// Adds the forces at time t to `tau`, [tree; cut] speeds. No exception leaves: what a law throws is kept in
  /// thrown(), and no law is called again.
  RunStatus add_forces(double t, const State& state, const VectorX& cut_q, const VectorX& cut_v, VectorX& tau);

  std::exception_ptr thrown() const { return thrown_; }

 private:
  struct Observed {
    int speed;     ///< in [v; cut speeds]
    int position;  ///< in q, or in the cut coordinates
  };
  struct Entry {
    std::string name;  ///< for messages
    std::vector<Observed> observed;
    std::vector<int> driven;  ///< in [v; cut speeds]
    std::vector<double> q, v, force;
    decltype(Controller::law) law;
  };

  void add(const Model& model, std::string name, const std::vector<std::string>& drives,
           const std::vector<std::string>& observes, decltype(Controller::law) law);
  Observed observe(const std::string& name);
  RunStatus keep_thrown(const Entry& entry, double t, const std::string& what);

  const Plan& plan_;
  std::vector<Entry> entries_;
  bool uses_cut_coordinates_ = false;
  std::exception_ptr thrown_;
  std::string about_thrown_;  ///< which law threw, when, what
};

}  // namespace lithe::detail

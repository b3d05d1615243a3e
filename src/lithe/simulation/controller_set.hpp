#pragma once
// The laws written in code (Drive::law, Model::controllers), resolved to coordinates.

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "lithe/simulation/prepare.hpp"

namespace lithe::detail {

/// Joint and coordinate of "JOINT" or "JOINT.k"; -1 when there is no such joint.
std::pair<int, int> joint_coordinate(const Mechanism& mechanism, const std::string& name);

class ControllerSet {
 public:
  /// Throws MechanismError for names that make no sense. `model` must outlive this object.
  ControllerSet(const Model& model, const Plan& plan);

  /// Whether add_forces() needs the coordinates and speeds of the cut joints.
  bool uses_cut_coordinates() const { return uses_cut_coordinates_; }

  /// Adds the forces at time t to `tau`, [tree; cut] speeds. False: failure() says why. No exception leaves: what a law
  /// throws is kept in thrown(), and no law is called again.
  bool add_forces(double t, const State& state, const VectorX& cut_q, const VectorX& cut_v, VectorX& tau);

  const std::string& failure() const { return failure_; }
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
  bool refuse(const Entry& entry, double t, const std::string& why);

  const Plan& plan_;
  std::vector<Entry> entries_;
  bool uses_cut_coordinates_ = false;
  std::string failure_;
  std::exception_ptr thrown_;
};

}  // namespace lithe::detail

#pragma once
// Small motions of a mechanism with rich links, of the same with fewer shapes, and what loads do to them.

#include <vector>

#include "lithe/analysis/shape_choice.hpp"

namespace lithe::detail {

/// Which motors stand still, and which other joints, held by friction, stops or brakes.
struct MotorState {
  std::vector<int> locked;    ///< indices into [v; cut speeds]
  bool moves_motors = false;  ///< other joints stand still, but no motor does
  bool keeps_phase = false;   ///< a run goes on in this state: frequencies count by their phase at its end
};

/// Loads whose deflections are compared with each other.
struct LoadFamily {
  std::vector<VectorX> loads = {};  ///< generalised forces on the tree speeds
  /// During a run, so that the mechanism rings; otherwise only the static deflection counts.
  bool acts_suddenly = false;
  double allowed = 0.0;           ///< error, of the deflection that the family gives a place
  std::vector<int> places = {};   ///< watched ones at which its deflections are looked at
  bool sets_in_smoothly = false;  ///< within a quarter of the slowest vibration: what is faster rings less
  bool is_motor = false;          ///< torques of motors, which do nothing where motors are locked
  bool is_inertia = false;        ///< accelerations of one unit
  bool is_internal = false;       ///< forces as large as such accelerations make them: weighed with the inertia loads
  bool is_self = false;           ///< forces at the place that is looked at, where nothing acts in a run
  MatrixX matrix = {};            ///< the loads side by side
};

/// Elastic modes of one motor state in one space of shapes; rigid motions are left out.
struct SpaceModes {
  VectorX rates;         ///< rad/s, ascending
  VectorX ratios;        ///< of critical damping
  MatrixX shapes;        ///< tree speeds per mode, mass-normalised
  MatrixX places;        ///< watched frames (three rows each) per mode
  double highest = 0.0;  ///< rad/s
};

class RichMotions {
 public:
  RichMotions(const Plan& plan, Workspace& work, const VectorX& q, const std::vector<ShapeLink>& links,
              const ShapeWishes& wishes);

  const std::vector<MotorState>& states() const { return states_; }
  const std::vector<LoadFamily>& families() const { return families_; }
  int watched() const { return static_cast<int>(watched_.rows()) / 3; }  ///< places that are looked at
  int recorded() const { return recorded_; }                             ///< the first of them: what the user looks at
  const MatrixX& stiffness() const { return stiffness_; }
  int first_coordinate(std::size_t link) const { return first_[link]; }  ///< of a ShapeLink among the tree speeds
  bool has_motors() const { return motors_.rows() > 0; }
  bool has_sticking() const { return holdable_.size() > actuated_.size(); }

  /// `kept`: per link orthonormal columns in its rich coordinates; nothing: all of them.
  SpaceModes modes(const MotorState& state, const std::vector<MatrixX>* kept) const;

 private:
  void add_stiffness(const Plan& plan, Workspace& work, const VectorX& q);
  void watch(const Plan& plan, Workspace& work, const VectorX& q, const ShapeWishes& wishes);
  void add_given_loads(const Plan& plan, Workspace& work, const VectorX& q, const ShapeWishes& wishes);
  void add_motor_loads(const Plan& plan, const ShapeWishes& wishes);
  void add_inertia_loads(const Plan& plan, Workspace& work, const VectorX& q, double allowed);
  void add_loads_on_recorded_frames(const ShapeWishes& wishes);
  void place_families(int speeds);
  void add_joint_loads(const Plan& plan, Workspace& work, const VectorX& q, double allowed);
  void add_states(const Plan& plan, const ShapeWishes& wishes);

  std::vector<ShapeLink> links_;
  double ratio_ = 0.0;                   ///< of critical damping, of every mode of the mechanism
  std::vector<int> first_, counts_;      ///< rich coordinates of the links among the tree speeds
  std::vector<Eigen::Index> others_;     ///< all other tree speeds
  VectorX scale_;                        ///< of tree speeds
  MatrixX mass_, stiffness_, damping_;   ///< of the open tree
  MatrixX closures_, motors_;            ///< rows over tree speeds
  std::vector<int> actuated_;            ///< what the rows of motors_ are
  MatrixX holds_;                        ///< likewise of everything that can stand still
  std::vector<int> holdable_;            ///< what its rows are: motors, then the others
  int recorded_ = 0, first_middle_ = 0;  ///< watched places: recorded ones, those of joints and loads, middles of links
  double mass_of_links_ = 0.0, size_ = 0.0;  ///< kg, m
  MatrixX watched_;                          ///< displacement of the watched frames per tree speed
  std::vector<Vec3> directions_, turns_;     ///< in which the mechanism moves
  std::vector<MotorState> states_;
  std::vector<LoadFamily> families_;
  double slowest_ = 0.0;  ///< rad/s; slower motions are not vibrations
};

}  // namespace lithe::detail

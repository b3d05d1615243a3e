#pragma once
// The compiled mechanism: spanning tree, cut joints, where every coordinate lives. Immutable and shared by threads.

#include <memory>
#include <string>
#include <vector>

#include "lithe/mechanism/mechanism.hpp"

namespace lithe {

/// Which speeds are independent. `automatic` starts from the actuated joints and changes the set when another one is
/// much better conditioned; `joint` insists on the actuated joints; `cartesian` hangs `platform` on a free (or, in a
/// plane, planar) joint of its own and takes its speeds.
enum class Coordinates { automatic, joint, cartesian };

/// Viscous forces between tree speeds: -matrix v on the named ones.
struct CoupledDamping {
  std::vector<std::string> speeds;  ///< as Plan::speed_name() calls them
  MatrixX matrix;                   ///< constant, symmetric, positive semidefinite
};

struct PlanOptions {
  Coordinates coordinates = Coordinates::automatic;
  std::string platform;  ///< link name; needed for cartesian coordinates, optional for `denoc`
  bool planar_if_possible = true;
  CoupledDamping damping;  ///< beside that of joints, springs and links; prepare() sets it from Model::damping
};

/// Where the coordinates of a joint stand. Tree joints: in State::q and State::v. Cut joints: in the vectors of cut
/// coordinates and cut speeds (see cut_coordinates()).
struct JointPlace {
  bool cut = false;
  int q = 0, nq = 0;
  int v = 0, nv = 0;
};

/// Where the elastic coordinates of a link stand in State::q and State::v; count is zero for a rigid link.
struct ElasticPlace {
  int q = 0, v = 0, count = 0;
};

/// One scalar equation of a cut joint, or a coupling.
struct ClosureRow {
  int joint = 0;      ///< index of the cut joint; -1: a coupling
  std::string what;   ///< "distance along x", "rotation about z", ... in the axes of the from-frame, for messages
  int coupling = -1;  ///< index of the coupling; -1: a cut joint
};

namespace detail {
struct Compiled;
}

class Plan {
 public:
  /// Throws MechanismError (also when the graph is not connected to the ground).
  explicit Plan(Mechanism mechanism, PlanOptions options = {});
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  /// The mechanism as given. In cartesian coordinates one joint called "PLATFORM.free" has been added at the end.
  /// Behind its loads stand those at which elements act, see own_loads().
  const Mechanism& mechanism() const;
  const PlanOptions& options() const;

  int nq() const;             ///< length of State::q
  int nv() const;             ///< length of State::v
  int cut_nq() const;         ///< coordinates of the cut joints together
  int cut_nv() const;         ///< speeds of the cut joints together
  int own_loads() const;      ///< loads of the mechanism as given; those of its elements come after them
  int closure_count() const;  ///< scalar closure equations, spatial or planar as evaluated

  const std::vector<JointPlace>& places() const;            ///< per joint of the mechanism
  const std::vector<ElasticPlace>& elastic_places() const;  ///< per link of the mechanism
  bool is_elastic() const;                                  ///< has any elastic coordinate
  bool has_stress_stiffening() const;                       ///< has a link with Stiffening::stress
  bool is_bending(int v) const;                             ///< is tree speed v that of an elastic coordinate?
  /// What makes speed v comparable with one radian a second: 1 for turns, the characteristic length for distances, for
  /// an elastic coordinate the amplitude that moves a frame of its link by that length (or turns it by a radian).
  double speed_scale(int v) const;
  const std::vector<int>& cut_joints() const;           ///< joint indices; one loop each
  const std::string& loop_name(int cut) const;          ///< e.g. "motor-1, knee-1, ankle-1, knee-2, motor-2"
  const std::vector<int>& loop_joints(int cut) const;   ///< joints of the loop that the cut joint closes
  const std::vector<ClosureRow>& closure_rows() const;  ///< those of the cut joints, then one per coupling
  /// For messages: "loop 'motor-1, knee-1, ankle-1'"; numbers from cut_joints().size() on are couplings: "coupling
  /// 'gear'".
  std::string closure_name(int closure) const;
  /// Of speed v of [v; cut speeds]: "motor-1", "wrist.2" for joints with several speeds, "crank.e1" for an elastic one.
  const std::string& speed_name(int v) const;
  bool slides(int v) const;                         ///< is speed v of [v; cut speeds] that of a joint's distance (m/s)?
  const std::vector<int>& actuated_speeds() const;  ///< indices into [v; cut speeds], in joint order

  bool is_planar() const;                ///< moves in a plane and is evaluated with planar arithmetic
  Vec3 plane_normal() const;             ///< meaningful when planar, ground axes
  double characteristic_length() const;  ///< m; makes rotations and distances comparable in condition numbers

  /// Coordinates with all scalars zero and all quaternions one.
  VectorX neutral() const;

  const detail::Compiled& compiled() const { return *compiled_; }

 private:
  std::unique_ptr<const detail::Compiled> compiled_;
};

}  // namespace lithe

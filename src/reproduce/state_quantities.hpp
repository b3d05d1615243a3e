#pragma once
// Numbers of a mechanism at one instant of its motion, by name.
//
//   q.JOINT v.JOINT a.JOINT tau.JOINT        coordinates, speeds, accelerations, motor forces (JOINT.k: k-th of several)
//   pos.LINK.FRAME.x rot.LINK.FRAME.z        place of a frame; its rotation vector
//   axes.LINK.FRAME.x.y                      component x of the y axis of a frame
//   omega.LINK.z velocity.LINK.x             twist at the mass centre, ground axes
//   alpha.LINK.z acceleration.LINK.x         its rate
//   bending.LINK.FRAME.y                     how far a frame of an elastic link moves in the axes of the link (m)
//   force.JOINT.x moment.JOINT.z             reaction of `from` on `to` at the to-frame, ground axes
//   inertia.JOINT.JOINT                      generalised inertia matrix; LINK.eN may stand for JOINT: elastic coordinates
//   pivot.JOINT                              of its reverse Gaussian elimination U D U^T
//   complement.JOINT.JOINT                   rate of the first joint per rate of the second (driven) one
//   partial.omega.LINK.z.JOINT               rate of a twist component per rate of a driven joint; also partial.velocity
//   static.JOINT bias.JOINT                  motor forces at rest; with zero driven accelerations
//   released.JOINT                           acceleration when all motors are switched off
//   energy.kinetic energy.potential power    J, J, W (of all motors)
//   mass.LINK.LINK...                        of these links together (kg)
//   euler.JOINT.k                            angles about x, y, z that make up a spherical joint
//   branches  branch.N.pos.LINK.FRAME.x      number of assemblies with the driven joints held; place in the N-th one
//   natural.free.N natural.locked.N          N-th natural frequency at rest in this pose (rad/s), motors free or locked
//   growth                                   largest real part among the eigenvalues of the frozen linearization (1/s)
//   transition.I.J transition.singular.K     state-transition matrix from the start, in [coordinates; speeds], and its
//                                            singular values; transition.determinant
//   settled. ...  pole. ...                  see settled_quantities.hpp
//   fast-gain. ...                           see fast_gains.hpp
//   legs. ...                                see leg_quantities.hpp
//   printed. ...                             see printed_leg_kinematics.hpp
//   chain. ...                               see chain_quantities.hpp
//   operations. ...                          see operation_counts.hpp; of any chain, whatever the model is

#include <map>
#include <optional>

#include "lithe/simulation/driven_motion.hpp"
#include "reproduce/bending.hpp"
#include "reproduce/fast_gains.hpp"
#include "reproduce/leg_quantities.hpp"
#include "reproduce/printed_leg_kinematics.hpp"
#include "reproduce/settled_quantities.hpp"

namespace lithe::reproduce {

class StateQuantities {
 public:
  /// Of `motion`, that of `model`, where it is now.
  StateQuantities(const Model& model, DrivenMotion& motion)
      : motion_(motion), start_(model.run.from), settled_(model, motion.state().t) {}

  /// Throws CaseError for a name that means nothing.
  double operator()(const std::string& name);

 private:
  using Words = std::vector<std::string>;
  double joint_value(const Words& words, const VectorX& tree, const VectorX& cut, bool positions) const;
  double frame_value(const Words& words, const VectorX& q);

  // One function per quantity; operator() has the table.
  double motion_value(const Words& words);
  double force_value(const Words& words);
  double place_value(const Words& words) { return frame_value(words, motion_.state().q); }
  double bending_value(const Words& words);
  double inertia_value(const Words& words);
  double complement_value(const Words& words);
  double energy_value(const Words& words);
  double power_value(const Words& words);
  double mass_value(const Words& words);
  double growth_value(const Words& words);
  double leg_value(const Words& words);
  double printed_value(const Words& words);
  double branch_count(const Words&) { return static_cast<double>(branches().size()); }
  double centre_value(const Words& words);
  double partial_value(const Words& words);
  double reaction_value(const Words& words);
  double pivot_value(const Words& words);
  double euler_value(const Words& words);
  double branch_value(const Words& words);
  double transition_value(const Words& words);
  double natural_value(const Words& words);
  double axes_value(const Words& words);
  double chain_value(const Words& words);
  double operation_value(const Words& words);
  double settled_value(const Words& words) { return settled_(words); }
  double fast_gain(const Words& words);

  int link(const std::string& name) const;
  int joint(const std::string& name) const;
  int driven(const std::string& joint) const;  ///< column of the complement
  int independent(const std::string& speed) const;
  Twist centre_twist(int link, const VectorX& v);
  const MatrixX& complement();
  const MatrixX& inertia();
  const std::vector<VectorX>& branches();
  VectorX forces_for(const VectorX& v, const VectorX& driven_accelerations);
  VectorX accelerate(const State& state, const VectorX& tau);

  DrivenMotion& motion_;
  double start_;  ///< of the motion, for `transition`
  SettledQuantities settled_;
  std::optional<FastGains> fast_gains_;
  std::optional<MatrixX> complement_, inertia_, transition_;
  std::optional<std::vector<Wrench>> reactions_;
  std::optional<std::vector<VectorX>> branches_;
  std::optional<PlanarLegs> legs_;
  std::optional<PrintedLegs> printed_;
  std::map<bool, VectorX> natural_;  ///< by whether the motors are locked
};

}  // namespace lithe::reproduce

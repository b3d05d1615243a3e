#pragma once
// A serial chain of links on revolute joints, with the constants that M. H. Korayem and A. M. Shafei (2009) name: joint
// axes are the z axes of the links, which stand at their joints; every link may bend.

#include <vector>

#include "lithe/kinematics/motion.hpp"

namespace lithe::reproduce {

/// Constants of one link, in its axes, about its joint; one entry (row, column) per shape. The numbers in brackets are
/// those of the definitions in the source.
struct ChainLink {
  Mat3 base = Mat3::Identity();  ///< axes of the joint in the tip axes of the link before, at angle zero
  Vec3 tip = Vec3::Zero();       ///< where the next joint is, undeformed (m)
  double mass = 0.0;
  Vec3 first = Vec3::Zero();               ///< M_i r_i (36)
  Mat3 second = Mat3::Zero();              ///< c_i (42)
  std::vector<Vec3> shapes, turns;         ///< r_ij, theta_ij at the tip
  std::vector<Vec3> translation;           ///< eps_ij (34)
  std::vector<Vec3> rotation;              ///< int x cross r_ij (39)
  std::vector<Mat3> position_shape;        ///< int x~^T r_ij~ (40)
  MatrixX mass_matrix, stiffness;          ///< int r_ij . r_ik (37); K_ijk
  std::vector<std::vector<Vec3>> crossed;  ///< int r_ij cross r_ik (38)
  std::vector<std::vector<Mat3>> squared;  ///< int r_ij~^T r_ik~ (41)

  int count() const { return static_cast<int>(shapes.size()); }
};

struct BeamChain {
  std::vector<ChainLink> links;
  Vec3 up = Vec3::Zero();  ///< minus gravity: how the base would have to accelerate

  int size() const;  ///< unknowns: per link its angle, then its shapes
};

/// A state of such a chain, in the order of its unknowns; joint forces per link.
struct ChainState {
  VectorX theta, rate, tau;
};

/// Throws CaseError when the mechanism is not such a chain.
BeamChain beam_chain(const Mechanism& mechanism);

/// The unknowns of the chain among the coordinates of the plan; without joint forces.
ChainState chain_state(const Plan& plan, const State& state);

/// Equal slender links of 1 m with bending shapes x^2, x^3, ... on the last `bending` of them.
BeamChain uniform_chain(int links, int bending, int shapes);

}  // namespace lithe::reproduce

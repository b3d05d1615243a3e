#pragma once
// Which shapes of its elastic links a mechanism needs: as few, and as slow ones, as keep its natural frequencies, its
// compliance and its deflections over a whole run close to those of rich links.
//
// Each link comes with a rich basis (LinkData of unit mass and diagonal stiffness) and candidates: shapes in the
// coordinates of that basis which are kept or dropped as a whole. docs/theory/flexible.md tells the method.

#include <string>
#include <vector>

#include "lithe/kinematics/state.hpp"
#include "lithe/mechanism/plan.hpp"

namespace lithe {

/// Stands for a frame where a shape is that of a link which is accelerated as a whole.
inline constexpr const char* own_inertia = "inertia";

/// One shape of a link, or several that are equal but for their direction and stay together.
struct ShapeCandidate {
  MatrixX columns;         ///< in the coordinates of the rich basis
  int mode = -1;           ///< number of the (first) natural mode in the basis; -1: a static shape
  std::string frame;       ///< static shapes: where the load acts, or `own_inertia`
  double frequency = 0.0;  ///< rad/s, of the link that may only move so
};

/// Natural modes of a rich link (its first `modes` coordinates), and its static shapes: under forces and moments at
/// `loaded` frames along the principal directions of their compliance, and under its own inertia. Equal frequencies and
/// equal compliances make one candidate.
std::vector<ShapeCandidate> shape_candidates(const LinkData& rich, int modes, const std::vector<std::string>& loaded);

/// A link whose shapes are to be chosen. Links of one group keep the same candidates.
struct ShapeLink {
  int link = 0;  ///< of the mechanism, which holds its rich data
  int group = 0;
  std::vector<ShapeCandidate> candidates;  ///< the same number in every link of a group
};

struct ShapeWishes {
  double up_to = 0.0;        ///< Hz: all frequencies up to this one; 0: the first `frequencies`
  int frequencies = 3;       ///< that count when `up_to` is zero
  double within = 0.01;      ///< relative error of a frequency
  double deflection = 3e-3;  ///< error of a deflection, of its peak
  double compliance = 0.02;  ///< where nothing acts: error of the compliance of a recorded frame
  double duration = 1.0;     ///< s, of the run: so long frequencies must keep their phase
  double ratio = 0.0;        ///< of critical damping, of every mode of the mechanism, beside that of its links

  std::vector<FrameRef> recorded;  ///< frames whose deflection is looked at
  /// A unit of a load that will act, in the axes of the load.
  struct Load {
    int port = -1;                  ///< of Mechanism::loads; or
    int line = -1;                  ///< of Mechanism::line_loads
    Vec3 force = Vec3::Zero();      ///< N; of a line load N/m at its start
    Vec3 moment = Vec3::Zero();     ///< N m
    Vec3 end_force = Vec3::Zero();  ///< N/m at the end of a line load
  };
  std::vector<Load> loads;
  std::vector<int> prescribed;  ///< actuated speeds, indices into [v; cut speeds], that follow a motion exactly
  /// Speeds, indices into [v; cut speeds], that dry friction, a hard stop or a brake may hold: the choice is good with all of
  /// them held, too.
  std::vector<int> sticking;
  bool holds_motors = false;  ///< controllers hold the others: the phase counts with locked motors, too
  bool motors_jump = false;   ///< their forces may set in at once; otherwise they follow smooth motions
};

struct ShapeChoice {
  std::vector<std::vector<int>> kept;  ///< per group: numbers of the candidates, ascending
  int frequencies = 0;                 ///< of the mechanism that counted, motors locked
  double band = 0.0;                   ///< Hz: the highest of them (or `up_to`)
  double frequency_error = 0.0;        ///< relative, of the worst
  double deflection_error = 0.0;       ///< of the peak, the worst over the run under loads that act suddenly
  double top = 0.0;                    ///< Hz: highest frequency of the mechanism with what was kept
  bool has_motors = false;
  bool has_sticking = false;  ///< joints that may be held
};

/// At rest in the pose `q` with straight links. Throws PhysicsError when some motion has no inertia.
ShapeChoice choose_shapes(const Plan& plan, Workspace& work, const VectorX& q, const std::vector<ShapeLink>& links,
                          const ShapeWishes& wishes);

}  // namespace lithe

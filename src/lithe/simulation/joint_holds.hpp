#pragma once
// Dry friction and hard stops of joints, exactly: a joint rests or slides, it lies against an end or is free of it.
//
// Nothing gives the force that keeps a joint at rest; it follows from the rest. Along the held coordinates
//
//   acceleration = a0 + W force = 0,
//
// where W is what a unit force does there: one more evaluation of the forward dynamics for each of them. The joint stays
// as long as friction or stop can give that force. Speeds jump at a stop; the impulses follow from the same W.
//
// Friction with a creep speed and stops with a stiffness are forces like others (mechanism/joint_elements.hpp).

#include <string>
#include <vector>

#include "lithe/dynamics/forward.hpp"
#include "lithe/simulation/run_status.hpp"

namespace lithe::detail {

/// Has speed k of a joint dry friction or a hard stop, which only JointHolds can do? Has any joint?
bool may_be_held(const Joint& joint, int k);
bool has_holds(const Mechanism& mechanism);

class JointHolds {
 public:
  /// Joints that follow a law (options.prescribed) are braked by their friction and never come to rest by it.
  JointHolds(const Plan& plan, Workspace& work, const ForwardOptions& options);

  bool empty() const { return frictions_.empty() && stops_.empty() && locks_.empty(); }

  /// These speeds of cut joints stand still as well. (Those of tree joints are prescribed.)
  void lock(const std::vector<int>& speeds);
  bool has_locks() const { return !locks_.empty(); }

  /// Chooses who rests at the start of a run. `actions` are those of the drives. Refused when a joint starts beyond its
  /// stop, unless a run goes on there.
  RunStatus begin(State& state, const Actions& actions, bool goes_on = false);

  /// Changes speeds by impulses along `speeds`, [tree; cut], such that these change `by` so much. Stops that joints lie
  /// against take part as long as they push. `impulses` has those along `speeds`, N m s or N s.
  RunStatus strike(State& state, const Actions& actions, const std::vector<int>& speeds, const VectorX& by,
                   VectorX& impulses);

  /// Accelerations under `actions` with what friction and stops do, which `acting` has then too.
  Status forward(const State& state, const Actions& actions, Actions& acting, VectorX& a);
  /// Forces of friction and stops as of the last forward(), [tree; cut] speeds; those of locks are only in `acting`.
  const VectorX& forces() const { return forces_; }
  /// Speeds that stood still in the last forward(): joints that rest, lie against a stop or are locked; [tree; cut].
  void held_speeds(std::vector<int>& speeds) const;
  /// Of joints with dry friction: forces while they slide as of the last forward(), else zero; speeds; coordinates.
  void rubbing(VectorX& forces) const;
  void rubbing_speeds(const State& state, VectorX& speeds);
  void rubbing_positions(const State& state, VectorX& positions);
  double power(const State& state);  ///< of these forces, W: at most zero

  /// Functions that are not negative as long as everybody stays as he is, after forward() at the same state.
  void switches(const State& state, VectorX& values);
  int count() const { return static_cast<int>(frictions_.size() + 2 * stops_.size()); }

  /// Those functions have become negative at this state: changes who rests, and speeds where a stop is hit. The energy
  /// that impacts took is added to `lost`; what happened to `events`.
  RunStatus change(const std::vector<int>& functions, State& state, const Actions& actions, double& lost,
                   std::vector<std::string>& events);

 private:
  struct Coordinate {
    std::string name;
    int q, v;  ///< v in [tree; cut] speeds, q in coordinates of the same kind
    bool cut;
  };
  struct Friction {
    Coordinate at;
    JointFriction law;
    int joint;
    Vec3 axis;                  ///< of a slide in axes of its from-frame, zero where it turns
    bool prescribed;            ///< follows a law
    int direction = 0;          ///< in which it slides; 0: rests
    bool breaks_loose = false;  ///< just now: it must not come to rest again by rounding
    double carried = 0.0;       ///< force that the joint carries, N
    double force = 0.0;
  };
  struct Stop {
    Coordinate at;
    JointStop law;
    int lies = 0;  ///< against the lower end -1, the upper one +1, or free 0
    double force = 0.0;
    double hardest = 0.0;  ///< impact so far, rad/s or m/s
  };

  Coordinate coordinate_of(int speed) const;

  double speed(const Coordinate& at, const State& state);
  double position(const Coordinate& at, const State& state);
  double acceleration(const Coordinate& at, const State& state, const VectorX& a);
  bool lies_still(const Friction& friction) const;
  double holding_limit(const Friction& friction) const;
  double sliding_force(const Friction& friction, double speed) const;
  Status forward_once(const State& state, const Actions& actions, Actions& acting, VectorX& a);
  Status respond(const State& state, const Actions& acting, const VectorX& a, const std::vector<Coordinate*>& held,
                 MatrixX& columns, MatrixX& response);
  bool update_carried(const State& state, const Actions& acting, const VectorX& a);
  RunStatus jump(State& state, const Actions& actions, std::vector<Coordinate*> where, std::vector<double> by,
                 VectorX* impulses = nullptr);
  RunStatus settle(State& state, const Actions& actions);

  const Plan& plan_;
  Workspace& work_;
  const ForwardOptions& options_;
  std::vector<Friction> frictions_;
  std::vector<Stop> stops_;
  std::vector<Coordinate> locks_;
  bool load_dependent_ = false;
  VectorX forces_, cut_q_, cut_v_, cut_a_, trial_;
  Actions probe_;
  MatrixX columns_, response_;
  std::vector<Coordinate*> held_;
};

}  // namespace lithe::detail

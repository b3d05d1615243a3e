#pragma once
// Machine elements: what acts on a mechanism by forces alone, between frames or along joints. A rope, a bushing, a
// stop, an elastic gear, a cylinder. One class each; what is the same for all of them is done by ElementSet (dynamics).
//
// An element is a function of what it is attached to: it sees how its frames and coordinates move and says with which
// forces it answers. It knows nothing of the tree, of loops or of elastic coordinates, and it never changes: what it
// remembers stands in states that are integrated along with the motion.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lithe/mechanism/joint.hpp"

namespace lithe {

struct Mechanism;

/// One scalar coordinate of a joint, and the speed of the same number.
struct CoordinateRef {
  int joint = 0;
  int coordinate = 0;
  bool operator==(const CoordinateRef&) const = default;
};

/// How a frame moves, in ground axes.
struct FrameMotion {
  Pose pose;
  Vec3 velocity = Vec3::Zero();  ///< of its origin, m/s
  Vec3 omega = Vec3::Zero();     ///< rad/s
};

/// What an element sees at an instant, in the order of Element::frames() and coordinates().
struct ElementMotion {
  double t = 0.0;                       ///< s
  std::span<const FrameMotion> frames;  ///< of links and of the ground
  std::span<const double> q, v;         ///< angles of cut joints lie between -pi and pi
  std::span<const double> x;            ///< its own states
};

/// What it does then. Everything is zero before; all that act() does is to fill it.
struct ElementAnswer {
  std::span<Wrench> wrenches;  ///< on the link of each frame, at the origin of the frame, ground axes
  std::span<double> forces;    ///< along each coordinate, from the from-link on the to-link
  std::span<double> rates;     ///< of its own states
  std::span<double> values;    ///< for the record, as columns() names them
  std::span<double> switches;  ///< smooth functions that change sign where the forces have a kink or jump
  // Its energy: the power of the forces above is `supplied` - `lost` - the rate of `stored`.
  double stored = 0.0;    ///< J
  double lost = 0.0;      ///< W, not negative
  double supplied = 0.0;  ///< from outside (a winch, a battery, a pump), W
};

class Element {
 public:
  Element(std::string_view kind, std::string name) : kind_(kind), name_(std::move(name)) {}
  virtual ~Element() = default;

  std::string_view kind() const { return kind_; }  ///< as in model files and columns of results: "rope"
  const std::string& name() const { return name_; }

  virtual std::vector<FrameRef> frames() const { return {}; }
  virtual std::vector<CoordinateRef> coordinates() const { return {}; }
  /// What its states are called, and their values at the start of a run.
  virtual std::vector<std::string> states() const { return {}; }
  virtual std::vector<double> start() const { return std::vector<double>(states().size(), 0.0); }
  /// Columns of results: "rope.NAME.tension" for "tension".
  virtual std::vector<std::string> columns() const { return {}; }
  /// What happens when a switch changes sign, upwards and downwards: "taut", "slack". For the list of events.
  struct Switch {
    std::string rises, falls;
  };
  virtual std::vector<Switch> switches() const { return {}; }
  /// Times at which a law of time in it has a kink.
  virtual std::vector<double> breakpoints() const { return {}; }

  /// Throws MechanismError when it does not fit the mechanism. Frames and coordinates are checked before.
  virtual void check(const Mechanism& /*mechanism*/) const {}

  /// No allocation, no memory of earlier calls: integrators ask in any order.
  virtual void act(const ElementMotion& motion, ElementAnswer& answer) const = 0;

 private:
  std::string_view kind_;
  std::string name_;
};

}  // namespace lithe

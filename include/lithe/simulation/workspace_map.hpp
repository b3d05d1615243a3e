#pragma once
// Maps: what a model can do and how stiff it is, over a grid of poses.
//
// A pose of the grid is that of straight links; the motors hold it, and elastic links bend from there. All poses of a map belong
// to one assembly branch: that of the model's start, followed from point to neighbouring point.

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lithe/simulation/model.hpp"

namespace lithe {

/// One direction of the grid.
struct MapAxis {
  /// A coordinate by the name that it has in results: q.JOINT, pos.LINK.FRAME.x, rot.LINK.FRAME.z (rotation vector).
  std::string coordinate;
  double from = 0.0, to = 0.0;  ///< rad or m
  int count = 2;                ///< points, both ends included

  double at(int k) const;
};

/// What can be asked for at every pose. Each gives the columns that map_quantities() describes.
struct MapQuantity {
  std::string name, meaning;
};
const std::vector<MapQuantity>& map_quantities();
/// The quantity that gives a column: "condition" for "dexterity", "frequency" for "frequency.2". Empty: there is none.
std::string quantity_of_map_column(const std::string& column);

struct MapOptions {
  std::vector<MapAxis> axes;  ///< two or three
  /// Coordinates that keep a value. What neither axes nor these determine stays as it is at the start: other coordinates
  /// of the frames of the axes, then motors, then other joints.
  std::map<std::string, double> held;
  std::string frame;  ///< LINK/FRAME that is pushed, sags and accelerates; empty: that of the axes, else the platform
  std::vector<std::string> quantities;  ///< names of map_quantities(); empty: reach and boundaries alone
  int modes = 3;                        ///< natural frequencies of each kind
  double payload = 0.0;                 ///< kg, a point mass carried at the frame
  double acceleration = 10.0;           ///< m/s^2 of the frame, in the worst direction (torque)
  int branch = 1;          ///< assembly with the motors of the start, numbered as `lithe check --branches` does
  int threads = 1;         ///< the numbers do not depend on it
  bool boundaries = true;  ///< trace them
};

enum class MapPoint : unsigned char {
  unknown,      ///< the map was interrupted before
  reached,      ///< all quantities are there
  unreachable,  ///< the branch does not get there
  stopped,      ///< it does, but a joint would be beyond its stop
  no_rest       ///< reached, but no equilibrium was found: quantities that need one are not numbers
};

/// A line in the plane of the first two axes along which something ends.
struct MapCurve {
  enum class Kind : unsigned char {
    reach,  ///< the branch ends: the pose coordinates of the map no longer determine the mechanism (a leg is stretched)
    actuation,  ///< the motors no longer hold the mechanism
    task,       ///< the frame loses a freedom (maps over joints)
    stop        ///< a joint meets its stop
  };
  Kind kind = Kind::reach;
  std::string joint;                         ///< of a stop
  int layer = 0;                             ///< of the third axis
  bool closed = false;                       ///< ends where it starts
  std::vector<double> x, y;                  ///< values of the first two axes
  static constexpr double tolerance = 1e-9;  ///< of every point, relative to the size of the mechanism
};
std::string_view name_of(MapCurve::Kind kind);

struct MapColumn {
  std::string name, unit;
};

struct WorkspaceMap {
  std::vector<MapAxis> axes;
  std::vector<std::string> axis_units;
  std::string frame;                   ///< LINK/FRAME
  std::map<std::string, double> held;  ///< everything that keeps its value, with the value
  std::vector<MapColumn> columns;
  std::vector<MapPoint> points;  ///< the first axis runs fastest
  std::vector<double> values;    ///< columns of a point after each other; not a number where there is none
  std::vector<double> poses;     ///< coordinates q of a point, straight links; see `coordinates`
  int coordinates = 0;           ///< of one pose
  std::vector<MapCurve> curves;
  std::vector<std::string> warnings;
  bool finished = false;  ///< false: stopped before every point was decided

  std::size_t size() const { return points.size(); }
  int find(const std::string& column) const;  ///< index or -1
  bool has_pose(std::size_t point) const;
  double at(std::size_t point, int column) const { return values[point * columns.size() + column]; }
  /// Values of the axes at a point.
  std::vector<double> place(std::size_t point) const;
};

/// What happens beside the work.
struct MapProgress {
  std::function<void(const WorkspaceMap& so_far, double fraction)>
      report;                               ///< every now and then, from the caller's thread
  const std::atomic<bool>* stop = nullptr;  ///< set: the map ends unfinished
  /// An unfinished map of the same model and options: what it has is kept.
  const WorkspaceMap* known = nullptr;
};

/// Throws MechanismError for options that make no sense, PhysicsError when no point of the grid is reached.
WorkspaceMap make_map(const Model& model, const MapOptions& options, const MapProgress& progress = {});

}  // namespace lithe

#pragma once
// Lines on which something ends: singular poses and stops, traced through the poses of a map.

#include "lithe/simulation/map_setup.hpp"

namespace lithe::detail {

/// A function of the pose that vanishes on the line.
class LineFunction {
 public:
  virtual ~LineFunction() = default;
  /// Value at q, of order one.
  virtual double value(const VectorX& q) = 0;
  /// Its rates per scaled step at the q of the last value().
  virtual void slope(const VectorX& q, VectorX& slope) = 0;
  /// Told of every new place on the line.
  virtual void arrive(const VectorX&) {}
};

/// Vanishes where the square matrix of pose equations is singular.
class SingularFunction : public LineFunction {
 public:
  SingularFunction(const Plan& plan, Workspace& work, const PoseEquations& equations);
  double value(const VectorX& q) override;
  void slope(const VectorX& q, VectorX& slope) override;
  void arrive(const VectorX& q) override;

 private:
  PoseSystem system_;
  VectorX zero_, left_, right_;  ///< border: nearly the null vectors at the last place
  VectorX null_, conull_;
};

/// A joint coordinate minus its stop.
class StopFunction : public LineFunction {
 public:
  StopFunction(const Plan& plan, Workspace& work, const PoseEquations& equations, const PoseCoordinate& joint,
               double stop);
  double value(const VectorX& q) override;
  void slope(const VectorX& q, VectorX& slope) override;

 private:
  Workspace& work_;
  const PoseEquations& equations_;
  PoseRows row_;
  double stop_;
};

/// Traces lines in the plane of the first two axes of a map, the other coordinates being held.
class LineTracer {
 public:
  LineTracer(const MapSetup& setup, Workspace& work);

  struct Seed {
    VectorX q;      ///< near the line
    int along = 0;  ///< the axis that may move to get there: the other one keeps its value
    int layer = 0;
  };
  /// Looks for a line through the seed and follows it both ways; nothing when there is none near, or when it has been traced
  /// already.
  void trace(const Seed& seed, LineFunction& function, MapCurve::Kind kind, const std::string& joint);
  std::vector<MapCurve> take_curves() { return std::move(curves_); }

 private:
  bool reach(VectorX& q, LineFunction& function, const VectorX& direction);
  bool tangent(const VectorX& q, LineFunction& function, VectorX& way);
  void follow(VectorX q, VectorX way, LineFunction& function, bool same_side, std::vector<VectorX>& line);
  bool step_to(const VectorX& from, const VectorX& way, double length, LineFunction& function, VectorX& to);
  void equations_at(const VectorX& q, LineFunction& function);
  Eigen::Vector2d place_of(const VectorX& q);
  Eigen::Vector2d in_cells(const VectorX& q);
  VectorX axis_row(int axis);
  bool is_inside(const Eigen::Vector2d& cells) const;
  bool is_traced(const Eigen::Vector2d& cells, MapCurve::Kind kind, const std::string& joint, int layer) const;
  bool is_beyond_stop(const VectorX& q, const std::string& but);
  void keep(const std::vector<VectorX>& line, bool closed, MapCurve::Kind kind, const std::string& joint);

  const MapSetup& setup_;
  Workspace& work_;
  PoseFollower follower_;
  VectorX targets_, residual_, slope_;
  MatrixX matrix_;  ///< held coordinates and closures, then the function, then the direction
  int layer_ = 0;
  std::vector<MapCurve> curves_;
};

/// Where a stop is exceeded at q: joint speeds and ends.
struct PassedStop {
  PoseCoordinate joint;
  double stop = 0.0;
};
std::vector<PassedStop> passed_stops(const Plan& plan, Workspace& work, const VectorX& q);

}  // namespace lithe::detail

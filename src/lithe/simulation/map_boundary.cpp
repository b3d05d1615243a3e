#include "lithe/simulation/map_boundary.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/kinematics/motion.hpp"

namespace lithe::detail {
namespace {

constexpr int most_corrections = 8;
constexpr double exact_place = 1e-12;        ///< rad: a correction this short is rounding
constexpr double usual_step = 0.5;           ///< cells of the grid
constexpr double longest_turn = 0.1;         ///< rad, or what compares with it, in one step
constexpr double shortest_line_step = 1e-5;  ///< of the usual one: where a line that ends is left
constexpr double same_line = 0.05;           ///< cells
constexpr double slope_step = 1e-6;          ///< rad, of central differences
constexpr double straightest = 0.7;          ///< cosine of the bend between steps, below which a step is halved
constexpr double beyond_stop = 1e-9;         ///< rad or m
constexpr std::size_t most_places = 20000;   ///< of one line

/// Distance of a point from a piece of a line.
double distance_to(const Eigen::Vector2d& point, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  const Eigen::Vector2d along = b - a;
  const double square = along.squaredNorm();
  const double part = square > 0.0 ? std::clamp((point - a).dot(along) / square, 0.0, 1.0) : 0.0;
  return (point - a - part * along).norm();
}

}  // namespace

SingularFunction::SingularFunction(const Plan& plan, Workspace& work, const PoseEquations& equations)
    : system_(plan, work, equations), zero_(VectorX::Zero(std::ssize(equations.coordinates))) {}

void SingularFunction::arrive(const VectorX& q) {
  system_.evaluate(q, zero_);
  const Eigen::JacobiSVD<MatrixX> svd(system_.matrix(), Eigen::ComputeFullU | Eigen::ComputeFullV);
  left_ = svd.matrixU().rightCols(1);
  right_ = svd.matrixV().rightCols(1);
}

// The matrix M is singular where g = 0 in [M l; r^T 0] [x; g] = [0; 1], which stays regular there.
double SingularFunction::value(const VectorX& q) {
  if (left_.size() == 0) arrive(q);
  system_.evaluate(q, zero_);
  const Eigen::Index n = system_.matrix().rows();
  MatrixX bordered = MatrixX::Zero(n + 1, n + 1);
  bordered.topLeftCorner(n, n) = system_.matrix();
  bordered.topRightCorner(n, 1) = left_;
  bordered.bottomLeftCorner(1, n) = right_.transpose();
  VectorX unit = VectorX::Zero(n + 1);
  unit[n] = 1.0;
  const VectorX solved = bordered.partialPivLu().solve(unit);
  const VectorX mirrored = MatrixX(bordered.transpose()).partialPivLu().solve(unit);
  null_ = solved.head(n);
  conull_ = mirrored.head(n);
  return solved[n];
}

// dg = -y^T dM x with the null vectors of the bordered matrix from both sides.
void SingularFunction::slope(const VectorX& q, VectorX& slope) {
  const Eigen::Index n = null_.size();
  slope.resize(n);
  VectorX step = VectorX::Zero(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    double difference = 0.0;
    for (const double sign : {1.0, -1.0}) {
      VectorX there = q;
      step[j] = sign * slope_step;
      system_.move(step, there);
      system_.evaluate(there, zero_);
      difference += sign * conull_.dot(system_.matrix() * null_);
    }
    step[j] = 0.0;
    slope[j] = -difference / (2.0 * slope_step);
  }
}

StopFunction::StopFunction(const Plan& plan, Workspace& work, const PoseEquations& equations,
                           const PoseCoordinate& joint, double stop)
    : work_(work), equations_(equations), row_(plan, {joint}), stop_(stop) {}

double StopFunction::value(const VectorX& q) {
  row_.evaluate(work_, q);
  return row_.values()[0] - stop_;
}

void StopFunction::slope(const VectorX&, VectorX& slope) {
  slope = row_.rates().row(0).transpose().cwiseProduct(equations_.column_scale);
}

std::vector<PassedStop> passed_stops(const Plan& plan, Workspace& work, const VectorX& q) {
  std::vector<PassedStop> passed;
  VectorX cut_q;
  bool cut_known = false;
  for (std::size_t j = 0; j < plan.mechanism().joints.size(); ++j) {
    const Joint& joint = plan.mechanism().joints[j];
    const JointPlace& place = plan.places()[j];
    for (std::size_t k = 0; k < joint.stops.size(); ++k) {
      const JointStop& stop = joint.stops[k];
      if (!stop.is_given()) continue;
      if (place.cut && !cut_known) {
        cut_coordinates(plan, work, q, cut_q);
        cut_known = true;
      }
      const double at = (place.cut ? cut_q : q)[place.q + static_cast<Eigen::Index>(k)];
      const int speed = (place.cut ? plan.nv() : 0) + place.v + static_cast<int>(k);
      if (at < stop.lower - beyond_stop) passed.push_back({joint_coordinate_of_speed(plan, speed), stop.lower});
      if (at > stop.upper + beyond_stop) passed.push_back({joint_coordinate_of_speed(plan, speed), stop.upper});
    }
  }
  return passed;
}

LineTracer::LineTracer(const MapSetup& setup, Workspace& work)
    : setup_(setup), work_(work), follower_(setup.rigid(), work, setup.equations()), targets_(setup.targets()) {}

/// matrix_ and residual_ at q but for their last row: closures, held coordinates, the function.
void LineTracer::equations_at(const VectorX& q, LineFunction& function) {
  const double value = function.value(q);
  function.slope(q, slope_);
  PoseSystem& system = follower_.system();
  system.evaluate(q, targets_);
  const Eigen::Index n = system.matrix().cols(), closures = system.closures(), held = n - closures - 2;
  matrix_.setZero(n, n);
  residual_.setZero(n);
  matrix_.topRows(closures) = system.matrix().topRows(closures);
  residual_.head(closures) = system.residual().head(closures);
  matrix_.middleRows(closures, held) = system.matrix().bottomRows(held);
  residual_.segment(closures, held) = system.residual().tail(held);
  matrix_.row(n - 2) = slope_.transpose();
  residual_[n - 2] = value;
}

/// Newton's method to the line; `direction` gives the row of what shall not move.
bool LineTracer::reach(VectorX& q, LineFunction& function, const VectorX& direction) {
  double before = longest_turn;
  for (int k = 0; k < most_corrections; ++k) {
    equations_at(q, function);
    matrix_.bottomRows(1) = direction.transpose();
    const VectorX step = matrix_.partialPivLu().solve(-residual_);
    const double size = step.cwiseAbs().maxCoeff();
    if (!std::isfinite(size) || (k > 1 && size > 0.7 * before && size > 100 * exact_place) || size > 5 * longest_turn)
      return false;
    follower_.system().move(step, q);
    if (size <= exact_place || (size < 1e-7 && k > 0)) return true;
    before = size;
  }
  return false;
}

/// Along the line from q, forwards as `way` points, of length one.
bool LineTracer::tangent(const VectorX& q, LineFunction& function, VectorX& way) {
  equations_at(q, function);
  const Eigen::Index n = matrix_.rows();
  matrix_.bottomRows(1) = way.transpose();
  VectorX unit = VectorX::Zero(n);
  unit[n - 1] = 1.0;
  const VectorX found = matrix_.partialPivLu().solve(unit);
  const double size = found.norm();
  if (!std::isfinite(size) || !(size > 0.0)) return false;
  way = found / size;
  return true;
}

VectorX LineTracer::axis_row(int axis) {
  return follower_.system().matrix().row(follower_.system().closures() + axis).transpose();
}

Eigen::Vector2d LineTracer::place_of(const VectorX& q) {
  follower_.system().evaluate(q, targets_);
  const PoseRows& rows = follower_.system().rows();
  Eigen::Vector2d place;
  for (int i = 0; i < 2; ++i) {
    const MapAxis& axis = setup_.options().axes[i];
    const double middle = 0.5 * (axis.from + axis.to);
    place[i] = middle + rows.error(i, middle);  // the same turn as the axis
  }
  return place;
}

Eigen::Vector2d LineTracer::in_cells(const VectorX& q) {
  Eigen::Vector2d cells = place_of(q);
  for (int i = 0; i < 2; ++i) {
    const MapAxis& axis = setup_.options().axes[i];
    cells[i] = (cells[i] - axis.from) / (axis.to - axis.from) * (axis.count - 1);
  }
  return cells;
}

bool LineTracer::is_inside(const Eigen::Vector2d& cells) const {
  constexpr double edge = 1e-9;
  for (int i = 0; i < 2; ++i)
    if (cells[i] < -edge || cells[i] > setup_.options().axes[i].count - 1 + edge) return false;
  return true;
}

bool LineTracer::step_to(const VectorX& from, const VectorX& way, double length, LineFunction& function, VectorX& to) {
  to = from;
  follower_.system().move(length * way, to);
  return reach(to, function, way);
}

// A line ends at the edge of the grid, where it comes back to its start, where it turns back in the plane of the axes (two legs
// are stretched there, and beyond it goes on on another branch), or where the branch itself ends.
void LineTracer::follow(VectorX q, VectorX way, LineFunction& function, bool same_side, std::vector<VectorX>& line) {
  const Eigen::Vector2d start = in_cells(q);
  Eigen::Vector2d here = start, before = Eigen::Vector2d::Zero();
  const int side = same_side ? follower_.side(q) : 0;
  double factor = 1.0;
  VectorX next;
  while (line.size() < most_places) {
    function.arrive(q);
    if (!tangent(q, function, way)) return;
    // How many cells the line covers per unit of its own length.
    follower_.system().evaluate(q, targets_);
    Eigen::Vector2d covered;
    for (int i = 0; i < 2; ++i) {
      const MapAxis& axis = setup_.options().axes[i];
      const double scale = setup_.equations().row_scale[follower_.system().closures() + i];
      covered[i] = axis_row(i).dot(way) / scale / (axis.to - axis.from) * (axis.count - 1);
    }
    const double speed = covered.norm();
    const double length = factor * std::min(longest_turn, usual_step / std::max(speed, 1e-12));
    bool good = step_to(q, way, length, function, next);
    Eigen::Vector2d there = here;
    if (good) {
      there = in_cells(next);
      const Eigen::Vector2d stride = there - here;
      const double far = stride.norm();
      good = far < 2.0 * usual_step && far > 0.0;
      if (good && before.squaredNorm() > 0.0) good = stride.dot(before) > straightest * far * before.norm();
      if (good && same_side) good = follower_.side(next) == side;
    }
    if (!good) {
      factor *= 0.5;
      if (factor < shortest_line_step) return;
      continue;
    }
    if (!is_inside(there)) {
      // The last place lies on the edge of the grid.
      for (int i = 0; i < 2; ++i) {
        const double last = setup_.options().axes[i].count - 1;
        if (there[i] >= 0.0 && there[i] <= last) continue;
        const double edge = there[i] < 0.0 ? 0.0 : last;
        const double part = (edge - here[i]) / (there[i] - here[i]);
        VectorX end;
        if (!(part > 0.0) || !step_to(q, way, part * length, function, end)) continue;
        follower_.system().evaluate(end, targets_);
        const MapAxis& axis = setup_.options().axes[i];
        const double wanted = edge == 0.0 ? axis.from : axis.to;
        // One more Newton step with the axis at its end in place of the direction.
        for (int k = 0; k < 3; ++k) {
          equations_at(end, function);
          matrix_.bottomRows(1) = axis_row(i).transpose();
          const double scale = setup_.equations().row_scale[follower_.system().closures() + i];
          residual_[residual_.size() - 1] = scale * follower_.system().rows().error(i, wanted);
          const VectorX step = matrix_.partialPivLu().solve(-residual_);
          if (!step.allFinite() || step.cwiseAbs().maxCoeff() > longest_turn) break;
          follower_.system().move(step, end);
        }
        const Eigen::Vector2d cells = in_cells(end);
        if (is_inside(cells) && (cells - here).norm() < 2.0 * usual_step) {
          line.push_back(end);
          return;
        }
      }
      return;
    }
    before = there - here;
    here = there;
    q = next;
    line.push_back(q);
    if (factor < 1.0) factor = std::min(1.0, 2.0 * factor);
    if (line.size() > 3 && (here - start).norm() < 0.9 * before.norm() &&
        (here - start).dot(before) < 0.5 * before.squaredNorm()) {
      line.push_back(line.front());
      return;
    }
  }
}

bool LineTracer::is_traced(const Eigen::Vector2d& cells, MapCurve::Kind kind, const std::string& joint,
                           int layer) const {
  const auto in_cells_of = [&](const MapCurve& curve, std::size_t k) {
    const MapAxis &x = setup_.options().axes[0], &y = setup_.options().axes[1];
    return Eigen::Vector2d((curve.x[k] - x.from) / (x.to - x.from) * (x.count - 1),
                           (curve.y[k] - y.from) / (y.to - y.from) * (y.count - 1));
  };
  for (const MapCurve& curve : curves_) {
    if (curve.kind != kind || curve.joint != joint || curve.layer != layer) continue;
    for (std::size_t k = 0; k + 1 < curve.x.size(); ++k)
      if (distance_to(cells, in_cells_of(curve, k), in_cells_of(curve, k + 1)) < same_line) return true;
  }
  return false;
}

bool LineTracer::is_beyond_stop(const VectorX& q, const std::string& but) {
  for (const PassedStop& each : passed_stops(setup_.rigid(), work_, q))
    if (each.joint.name.substr(2) != but) return true;
  return false;
}

/// Without the parts that stops keep the mechanism from.
void LineTracer::keep(const std::vector<VectorX>& line, bool closed, MapCurve::Kind kind, const std::string& joint) {
  MapCurve curve{kind, joint, layer_, closed, {}, {}};
  const auto finish = [&] {
    if (curve.x.size() > 1) curves_.push_back(curve);
    curve.x.clear();
    curve.y.clear();
  };
  for (const VectorX& q : line) {
    if (is_beyond_stop(q, joint)) {
      curve.closed = false;
      finish();
      continue;
    }
    const Eigen::Vector2d place = place_of(q);
    curve.x.push_back(place.x());
    curve.y.push_back(place.y());
  }
  finish();
}

void LineTracer::trace(const Seed& seed, LineFunction& function, MapCurve::Kind kind, const std::string& joint) {
  layer_ = seed.layer;
  if (setup_.options().axes.size() > 2) targets_[2] = setup_.options().axes[2].at(seed.layer);
  VectorX q = seed.q;
  function.arrive(q);
  follower_.system().evaluate(q, targets_);
  const VectorX across = axis_row(1 - seed.along);
  if (!reach(q, function, across)) return;
  const Eigen::Vector2d cells = in_cells(q);
  if (!is_inside(cells) || (cells - in_cells(seed.q)).norm() > 2.0 || is_traced(cells, kind, joint, seed.layer)) return;
  const bool same_side = kind != MapCurve::Kind::reach;
  // Any direction that is not across the line starts it; both ways from there.
  function.arrive(q);
  VectorX way = VectorX::Zero(q.size() > 0 ? setup_.rigid().nv() : 0);
  {
    equations_at(q, function);
    const Eigen::FullPivLU<MatrixX> kernel(matrix_.topRows(matrix_.rows() - 1));
    way = kernel.kernel().col(0).normalized();
  }
  std::vector<VectorX> forwards{q};
  follow(q, way, function, same_side, forwards);
  const bool closed = forwards.size() > 3 && forwards.back() == forwards.front();
  std::vector<VectorX> line;
  if (!closed) {
    std::vector<VectorX> backwards{q};
    follow(q, -way, function, same_side, backwards);
    line.assign(backwards.rbegin(), backwards.rend() - 1);
  }
  line.insert(line.end(), forwards.begin(), forwards.end());
  keep(line, closed, kind, joint);
}

}  // namespace lithe::detail

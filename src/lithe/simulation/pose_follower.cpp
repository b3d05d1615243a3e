#include "lithe/simulation/pose_follower.hpp"

#include <algorithm>
#include <cmath>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {
namespace {

constexpr int most_pose_corrections = 10;
constexpr double longest_pose_step = 0.5;   ///< rad, or what compares with it
constexpr double least_contraction = 0.5;   ///< of a Newton step against the one before
constexpr double exact_step = 1e-12;        ///< rad; beyond it there is only rounding
constexpr double last_step = 1e-8;          ///< rad; its square is rounding
constexpr double shortest_way = 1.0 / 512;  ///< of the way from one value to the next, tried before giving up
constexpr double free_coordinate = 1e-6;    ///< what closures leave of a coordinate that was asked for, of order one
constexpr double well_chosen = 1e-3;        ///< of one that was not asked for

/// Rows that are independent of those before, by Gram and Schmidt, twice.
class IndependentRows {
 public:
  bool add(VectorX row, double least) {
    for (int twice = 0; twice < 2; ++twice)
      for (const VectorX& each : basis_) row -= each.dot(row) * each;
    const double left = row.norm();
    if (!(left > least)) return false;
    basis_.push_back(row / left);
    return true;
  }

 private:
  std::vector<VectorX> basis_;
};

double scale_of(const Plan& plan, const PoseCoordinate& coordinate) {
  return coordinate.turns ? 1.0 : 1.0 / plan.characteristic_length();
}

}  // namespace

PoseEquations choose_equations(const Plan& plan, Workspace& work, const VectorX& q,
                               const std::vector<PoseCoordinate>& wanted, int firm, int& refused) {
  PoseEquations chosen;
  refused = -1;
  const int nv = plan.nv();
  chosen.column_scale.resize(nv);
  for (int v = 0; v < nv; ++v) chosen.column_scale[v] = plan.speed_scale(v);
  MatrixX A;
  closure_jacobian(plan, work, q, A);
  IndependentRows rows;
  std::vector<double> scales;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const VectorX row = A.row(i).transpose().cwiseProduct(chosen.column_scale);
    const double size = row.norm();
    if (!(size > tolerance::smallest) || !rows.add(row / size, tolerance::rank)) continue;
    chosen.closures.push_back(static_cast<int>(i));
    scales.push_back(1.0 / size);
  }
  PoseRows all(plan, wanted);
  all.evaluate(work, q);
  for (int i = 0; i < all.count(); ++i) {
    const double scale = scale_of(plan, wanted[i]);
    const VectorX row = scale * all.rates().row(i).transpose().cwiseProduct(chosen.column_scale);
    if (rows.add(row, i < firm ? free_coordinate : well_chosen)) {
      chosen.coordinates.push_back(wanted[i]);
      scales.push_back(scale);
    } else if (i < firm) {
      refused = i;
      return chosen;
    }
  }
  chosen.row_scale = Eigen::Map<const VectorX>(scales.data(), std::ssize(scales));
  return chosen;
}

PoseEquations with_coordinates(const PoseEquations& equations, const Plan& plan,
                               const std::vector<PoseCoordinate>& coordinates) {
  PoseEquations other = equations;
  other.coordinates = coordinates;
  const auto closures = std::ssize(equations.closures);
  other.row_scale.conservativeResize(closures + std::ssize(coordinates));
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    other.row_scale[closures + static_cast<Eigen::Index>(i)] = scale_of(plan, coordinates[i]);
  return other;
}

PoseSystem::PoseSystem(const Plan& plan, Workspace& work, const PoseEquations& equations)
    : plan_(plan), work_(work), equations_(equations), rows_(plan, equations.coordinates) {
  const Eigen::Index count = equations.row_scale.size();
  residual_.setZero(count);
  matrix_.setZero(count, plan.nv());
}

void PoseSystem::evaluate(const VectorX& q, const VectorX& wanted) {
  const int closed = closures();
  if (closed > 0) {
    closure_values(plan_, work_, q, values_);
    closure_jacobian(plan_, work_, q, closures_);
  }
  for (int i = 0; i < closed; ++i) {
    residual_[i] = values_[equations_.closures[i]];
    matrix_.row(i) = closures_.row(equations_.closures[i]);
  }
  rows_.evaluate(work_, q);
  for (int i = 0; i < rows_.count(); ++i) {
    residual_[closed + i] = rows_.error(i, wanted[i]);
    matrix_.row(closed + i) = rows_.rates().row(i);
  }
  residual_.array() *= equations_.row_scale.array();
  matrix_.array().colwise() *= equations_.row_scale.array();
  matrix_.array().rowwise() *= equations_.column_scale.transpose().array();
}

void PoseSystem::move(const VectorX& step, VectorX& q) {
  step_ = step.cwiseProduct(equations_.column_scale);
  move_coordinates(plan_, step_, q);
}

PoseFollower::PoseFollower(const Plan& plan, Workspace& work, const PoseEquations& equations)
    : system_(plan, work, equations) {}

bool PoseFollower::correct(const VectorX& wanted, VectorX& q) {
  double before = longest_pose_step;
  for (int iteration = 0; iteration < most_pose_corrections; ++iteration) {
    system_.evaluate(q, wanted);
    factors_.compute(system_.matrix());
    step_ = factors_.solve(-system_.residual());
    const double size = step_.size() > 0 ? step_.cwiseAbs().maxCoeff() : 0.0;
    if (!std::isfinite(size) || size > longest_pose_step) return false;
    if (iteration > 0 && size > exact_step && size > least_contraction * before) return false;
    system_.move(step_, q);
    if (size <= last_step) {
      const int here = factors_.determinant() < 0.0 ? -1 : 1;
      return side_ == 0 || here == side_;
    }
    before = size;
  }
  return false;
}

bool PoseFollower::follow(const VectorX& from, const VectorX& to, VectorX& q) {
  side_ = side(q);
  double done = 0.0, stride = 1.0;
  while (done < 1.0) {
    stride = std::min(stride, 1.0 - done);
    trial_ = q;
    wanted_ = from + (done + stride) * (to - from);
    if (correct(wanted_, trial_)) {
      q = trial_;
      done += stride;
      stride *= 2.0;
    } else {
      stride *= 0.5;
      if (stride < shortest_way) return false;
    }
  }
  return true;
}

int PoseFollower::side(const VectorX& q) {
  wanted_.setZero(system_.rows().count());
  system_.evaluate(q, wanted_);
  factors_.compute(system_.matrix());
  return factors_.determinant() < 0.0 ? -1 : 1;
}

}  // namespace lithe::detail

#include "lithe/dynamics/element_matrices.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "lithe/dynamics/element_forces.hpp"
#include "lithe/kinematics/motion.hpp"

namespace lithe::detail {
namespace {

constexpr double small_shift = 1e-6;  ///< m, rad, and their rates: for differences

/// An element in a pose at rest, as a function of small motions of what it is attached to: for each frame three turns
/// and three displacements, then its coordinates.
class AttachedElement {
 public:
  AttachedElement(const Element& element, const Plan& plan, Workspace& work, const VectorX& q, const VectorX& cut_q,
                  double t, std::span<const double> x)
      : element_(element), t_(t), x_(x) {
    const auto frames = element.frames();
    const auto coordinates = element.coordinates();
    for (const FrameRef& frame : frames) frames_.push_back({frame_pose(plan, work, q, frame)});
    std::vector<int> speeds;
    for (const CoordinateRef& ref : coordinates) {
      const JointPlace& place = plan.places()[ref.joint];
      q_.push_back((place.cut ? cut_q : q)[place.q + ref.coordinate]);
      speeds.push_back(place.v + ref.coordinate + (place.cut ? plan.nv() : 0));
    }
    v_.assign(q_.size(), 0.0);
    wrenches_.resize(frames.size());
    forces_.resize(q_.size());
    rates_.resize(element.states().size());
    values_.resize(element.columns().size());
    switches_.resize(element.switches().size());

    along_.setZero(size(), plan.nv());
    MatrixX J;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (frames[i].link == 0) continue;
      frame_jacobian(plan, work, q, frames[i], J);
      along_.middleRows(6 * static_cast<Eigen::Index>(i), 6) = J;
    }
    if (!speeds.empty())
      along_.bottomRows(std::ssize(speeds)) = speed_jacobian(plan, work, q, speeds);
  }

  Eigen::Index size() const { return static_cast<Eigen::Index>(6 * frames_.size() + q_.size()); }
  const MatrixX& along() const { return along_; }  ///< its small motions per tree speed

  /// The symmetric part of minus the slope of its forces by motions, or by their rates, without what is negative. Next to
  /// a kink of the forces the slope is that of the side on which it is.
  MatrixX resistance(bool to_rates) {
    const VectorX here = answer();
    const std::vector<double> sides = switches_;
    const auto stays = [&] {
      return std::equal(sides.begin(), sides.end(), switches_.begin(),
                        [](double before, double now) { return (before >= 0.0) == (now >= 0.0); });
    };
    MatrixX slopes(size(), size());
    for (Eigen::Index j = 0; j < size(); ++j) {
      const VectorX back = moved(j, -small_shift, to_rates);
      const bool stays_back = stays();
      const VectorX forth = moved(j, small_shift, to_rates);
      const bool stays_forth = stays();
      if (stays_back == stays_forth)
        slopes.col(j) = (back - forth) / (2.0 * small_shift);
      else
        slopes.col(j) = (stays_back ? VectorX(back - here) : VectorX(here - forth)) / small_shift;
    }
    const Eigen::SelfAdjointEigenSolver<MatrixX> parts(MatrixX(0.5 * (slopes + slopes.transpose())));
    const VectorX kept = parts.eigenvalues().cwiseMax(0.0);
    return parts.eigenvectors() * kept.asDiagonal() * parts.eigenvectors().transpose();
  }

 private:
  VectorX moved(Eigen::Index j, double by, bool rate) {
    const auto i = static_cast<std::size_t>(j);
    if (i >= 6 * frames_.size()) {
      double& value = (rate ? v_ : q_)[i - 6 * frames_.size()];
      const double before = value;
      value += by;
      const VectorX forces = answer();
      value = before;
      return forces;
    }
    FrameMotion& frame = frames_[i / 6];
    const FrameMotion before = frame;
    const Vec3 shift = by * Vec3::Unit(j % 3);
    const bool turns = i % 6 < 3;
    if (rate)
      (turns ? frame.omega : frame.velocity) += shift;
    else if (turns)
      frame.pose.rotation = rotation_from_vector(shift) * frame.pose.rotation;
    else
      frame.pose.position += shift;
    const VectorX forces = answer();
    frame = before;
    return forces;
  }

  VectorX answer() {
    std::fill(wrenches_.begin(), wrenches_.end(), Wrench{});
    for (auto* zero : {&forces_, &rates_, &values_, &switches_}) std::fill(zero->begin(), zero->end(), 0.0);
    ElementAnswer all{wrenches_, forces_, rates_, values_, switches_};
    element_.act({t_, frames_, q_, v_, x_}, all);
    VectorX forces(size());
    for (std::size_t i = 0; i < wrenches_.size(); ++i) {
      forces.segment<3>(6 * static_cast<Eigen::Index>(i)) = wrenches_[i].moment;
      forces.segment<3>(6 * static_cast<Eigen::Index>(i) + 3) = wrenches_[i].force;
    }
    for (std::size_t i = 0; i < forces_.size(); ++i)
      forces[6 * std::ssize(wrenches_) + static_cast<Eigen::Index>(i)] = forces_[i];
    return forces;
  }

  const Element& element_;
  double t_;
  std::span<const double> x_;
  std::vector<FrameMotion> frames_;
  std::vector<double> q_, v_, forces_, rates_, values_, switches_;
  std::vector<Wrench> wrenches_;
  MatrixX along_;
};

}  // namespace

void add_element_matrices(const Plan& plan, Workspace& work, const VectorX& q, const MatrixX& N, MatrixX& stiffness,
                          MatrixX& damping) {
  if (!has_elements(plan)) return;
  State last;
  with_kernel(work, [&](auto& k) { last = element_forces(k).state(); });
  if (last.x.size() == 0) last.x = element_start(plan);
  VectorX cut_q;
  cut_coordinates(plan, work, q, cut_q);
  std::size_t next = 0;
  for (const auto& element : plan.mechanism().elements) {
    const std::size_t states = element->states().size();
    AttachedElement attached(*element, plan, work, q, cut_q, last.t, {last.x.data() + next, states});
    next += states;
    if (attached.size() == 0) continue;
    const MatrixX moving = attached.along() * N;
    stiffness += moving.transpose() * attached.resistance(false) * moving;
    damping += moving.transpose() * attached.resistance(true) * moving;
  }
}

}  // namespace lithe::detail

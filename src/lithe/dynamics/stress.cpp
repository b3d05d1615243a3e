#include "lithe/dynamics/stress.hpp"

#include <limits>

#include "lithe/dynamics/applied.hpp"
#include "lithe/dynamics/element_forces.hpp"
#include "lithe/dynamics/formulations.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

namespace {

constexpr int most_sweeps = 60;
constexpr double sweep_tolerance = 1e-11;    ///< change of the stress forces, of the largest strain force
constexpr double rounding_tolerance = 1e-8;  ///< a change below that which no longer shrinks is rounding

/// Geometric stiffness of a link. A force f that follows a point of the link does the work -1/2 eta^T (f_b S_b) eta on
/// its foreshortening S; the inertia forces are such forces, Fattah (5.17) and reference 2.10.
class AxialStress {
 public:
  AxialStress(const Kernel<Spatial>& k, int link) : link_(k.compiled.mechanism.links[link]) {
    const LinkPlace& place = k.compiled.links[link];
    const Pose node = node_pose(k, place.node);
    axes_ = node.rotation * place.pose.rotation;
    const NodeMotion m = node_motion(k, place.node);
    const Vec3 arm = node.rotation * place.pose.position;
    const Vec3 origin = axes_.transpose() * (m.acceleration + m.alpha.cross(arm) + m.omega.cross(m.omega.cross(arm)) -
                                             k.compiled.mechanism.gravity);
    const Mat3 spin = skew(axes_.transpose() * m.omega), field = skew(axes_.transpose() * m.alpha) + spin * spin;
    const ElasticData& e = link_.elastic;
    stiffness_.setZero(e.count(), e.count());
    for (int b = 0; b < 3; ++b) {
      stiffness_ -= origin[b] * e.foreshortening[b];
      for (int a = 0; a < 3; ++a) stiffness_ -= field(b, a) * e.position_foreshortening[a][b];
    }
  }

  /// A force on a frame of the link, ground axes.
  void add(int frame, const Vec3& force) {
    const auto& shortened = link_.frames[frame].foreshortening;
    if (shortened[0].size() == 0) return;
    const Vec3 local = axes_.transpose() * force;
    for (int b = 0; b < 3; ++b) stiffness_ += local[b] * shortened[b];
  }

  void add(const LineSpread& line, const LineForce& value) {
    visit_line(line, value, axes_, [&](const LineIntegral& integral, const Vec3& per_length) {
      for (int b = 0; b < 3; ++b)
        if (integral.foreshortening[b].size() > 0) stiffness_ += per_length[b] * integral.foreshortening[b];
    });
  }

  const MatrixX& stiffness() const { return stiffness_; }

 private:
  const LinkData& link_;
  Mat3 axes_;
  MatrixX stiffness_;
};

MatrixX geometric_stiffness(const Kernel<Spatial>& k, int link, const std::vector<Wrench>& reactions,
                            const Actions& actions) {
  AxialStress stress(k, link);
  const Mechanism& m = k.compiled.mechanism;
  for (std::size_t j = 0; j < reactions.size(); ++j) {
    if (m.joints[j].to.link == link) stress.add(m.joints[j].to.frame, reactions[j].force);
    if (m.joints[j].from.link == link) stress.add(m.joints[j].from.frame, -reactions[j].force);
  }
  for (std::size_t i = 0; i < m.loads.size(); ++i)
    if (m.loads[i].at.link == link)
      stress.add(m.loads[i].at.frame, applied_load(k, m.loads[i], actions.loads[i]).force);
  for (const LineSpread& line : k.compiled.lines)
    if (line.link == link) stress.add(line, actions.line_loads[line.load]);
  for (const PointSpring& spring : m.springs) {
    if (spring.a.link != link && spring.b.link != link) continue;
    const Vec3 pull = spring_state(k, spring).pull;
    if (spring.a.link == link) stress.add(spring.a.frame, pull);
    if (spring.b.link == link) stress.add(spring.b.frame, -pull);
  }
  return stress.stiffness();
}

/// The link whose stress forces changed most, and that change against `size`.
Status not_settled(const Compiled& c, const VectorX& change, double size) {
  Status status{Status::Code::stress_diverged, c.stressed.front(), 0.0};
  for (const int link : c.stressed) {
    const double most = change.segment(c.elastic[link].v, c.elastic[link].count).cwiseAbs().maxCoeff() / size;
    if (!(most > status.condition)) continue;
    status.condition = most;
    status.index = link;
  }
  return status;
}

/// Largest force of the elastic strain: what the stress forces are measured by.
double strain_force(const Compiled& c, const State& state) {
  double largest = tolerance::smallest;
  for (const int link : c.stressed) {
    const ElasticPlace& place = c.elastic[link];
    largest = std::max(
        largest,
        (c.mechanism.links[link].elastic.stiffness * state.q.segment(place.q, place.count)).cwiseAbs().maxCoeff());
  }
  return largest;
}

}  // namespace

void stress_forces(const Plan& plan, Workspace& work, const State& state, const VectorX& a, const Actions& actions,
                   VectorX& tau) {
  const Compiled& c = plan.compiled();
  if (c.stressed.empty()) return;
  const std::vector<Wrench> reactions = joint_reactions(plan, work, state, a, actions);
  Kernel<Spatial>& k = work.scratch().spatial(c);  // holds the motion that the reactions were taken from
  for (const int link : c.stressed) {
    const ElasticPlace& place = c.elastic[link];
    tau.segment(place.v, place.count) = -geometric_stiffness(k, link, reactions, with_elements(k, state, actions)) *
                                        state.q.segment(place.q, place.count);
  }
}

Status stressed_forward_dynamics(const Plan& plan, Workspace& work, const State& state, Actions& actions, VectorX& a,
                                 const ForwardOptions& options) {
  const Compiled& c = plan.compiled();
  for (const int link : c.stressed) actions.tau.segment(c.elastic[link].v, c.elastic[link].count).setZero();
  Status status = plain_forward(plan, work, state, actions, a, options);
  if (c.stressed.empty()) return status;
  const double strain = strain_force(c, state);
  double last = std::numeric_limits<double>::infinity();
  VectorX change;
  for (int sweep = 0; status; ++sweep) {
    change = actions.tau;
    stress_forces(plan, work, state, a, actions, actions.tau);
    change = actions.tau - change;
    const double size = change.cwiseAbs().maxCoeff() / strain;
    if (size <= sweep_tolerance || (size <= rounding_tolerance && size >= last / 2)) break;
    if (sweep == most_sweeps || !change.allFinite()) return not_settled(c, change, strain);
    last = size;
    status = plain_forward(plan, work, state, actions, a, options);
  }
  return status;
}

}  // namespace lithe

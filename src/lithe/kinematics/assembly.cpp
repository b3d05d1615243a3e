#include "lithe/kinematics/assembly.hpp"

#include <algorithm>
#include <numbers>

#include "lithe/kinematics/assembler.hpp"
#include "lithe/kinematics/closures.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/kinematics/figure.hpp"
#include "lithe/kinematics/lift.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

namespace {

/// Poses of all links in ground axes.
template <class S>
std::vector<Pose> link_poses(Kernel<S>& k, const VectorX& q) {
  update_positions(k, q);
  update_world(k);
  std::vector<Pose> poses;
  for (const LinkPlace& place : k.compiled.links) poses.push_back(node_pose(k, place.node) * place.pose);
  return poses;
}

Eigen::Ref<const VectorX> elastic_coordinates(const Plan& plan, const VectorX& q, int link) {
  const ElasticPlace& place = plan.elastic_places()[link];
  return q.segment(place.q, place.count);
}

}  // namespace

AssemblyReport assemble(const Plan& plan, Workspace& work, VectorX& q, const AssemblyOptions& options) {
  return with_kernel(work, [&]<class S>(Kernel<S>& k) {
    if (k.row_count == 0) return AssemblyReport{};
    Assembler<S> assembler(plan, work, k, options.tolerance, options.max_iterations);
    assembler.hold(options.held);
    const bool elastic = k.compiled.joint_nv < k.nv;
    VectorX rigid = q;
    AssemblyReport report = assembler.run(rigid, elastic);
    if (!report.status && elastic && options.links_may_bend) {
      assembler.free_links();
      assembler.hold(options.held);
      VectorX bent = q;
      AssemblyReport second = assembler.run(bent, false);
      if (second.status) {
        q = bent;
        second.bends_links = true;
        return second;
      }
    }
    q = rigid;
    return report;
  });
}

std::vector<VectorX> assembly_branches(const Plan& plan, Workspace& work, const VectorX& q,
                                       const AssemblyOptions& options, int tries) {
  return with_kernel(work, [&]<class S>(Kernel<S>& k) {
    std::vector<VectorX> branches;
    if (k.row_count == 0) return std::vector<VectorX>{q};
    std::vector<std::vector<Vec3>> figures;
    std::vector<double> sizes;
    Assembler<S> assembler(plan, work, k, options.tolerance, options.max_iterations);
    assembler.hold(options.held);
    std::mt19937 random(11);
    for (int i = 0; i < tries; ++i) {
      VectorX x = q;
      int iterations = 0;
      if (i > 0) assembler.shake(random, std::numbers::pi, x);
      if (!assembler.descend(x, iterations)) continue;
      count_turns(plan, q, x);
      std::vector<Vec3> figure = figure_of(plan, work, x);
      const double size = (x - q).norm();
      const auto known = std::find_if(figures.begin(), figures.end(), [&](const std::vector<Vec3>& other) {
        return same_figure(figure, other, k.compiled.length);
      });
      if (known != figures.end()) {
        // Of two ways to say the same, the one nearer to q.
        const auto same = static_cast<std::size_t>(known - figures.begin());
        if (size < sizes[same]) {
          branches[same] = x;
          sizes[same] = size;
        }
        continue;
      }
      branches.push_back(x);
      figures.push_back(std::move(figure));
      sizes.push_back(size);
    }
    return branches;
  });
}

double closure_error(const Plan&, Workspace& work, const VectorX& q) {
  return with_kernel(work, [&](auto& k) {
    update_positions(k, q);
    update_closure_values(k);
    return k.row_count == 0 ? 0.0 : k.c.cwiseAbs().maxCoeff();
  });
}

VectorX transfer_coordinates(const Plan& source, Workspace& source_work, const VectorX& q, const Plan& target) {
  VectorX result = target.neutral();
  const Mechanism& mechanism = target.mechanism();
  const std::vector<ElasticPlace>& from = source.elastic_places();
  for (std::size_t i = 0; i < from.size(); ++i)
    result.segment(target.elastic_places()[i].q, from[i].count) = q.segment(from[i].q, from[i].count);
  const std::vector<Pose> poses = with_kernel(source_work, [&](auto& k) { return link_poses(k, q); });
  const auto pose = [&](FrameRef ref) {
    return poses[ref.link] *
           deformed<double>(mechanism.links[ref.link], ref.frame, elastic_coordinates(source, q, ref.link));
  };
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const JointPlace& place = target.places()[j];
    if (place.cut) continue;
    const Joint& joint = mechanism.joints[j];
    coordinates_from_pose(joint, pose(joint.from).inverse() * pose(joint.to), result.data() + place.q);
  }
  return result;
}

}  // namespace lithe

#include "lithe/kinematics/assembly.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/kinematics/lift.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/spatial/decompositions.hpp"

namespace lithe {

using namespace detail;  // NOLINT: this file is the public face of the kernels

namespace {

/// Stagnation at this scaled error is still an assembly: rounding of long chains.
constexpr double rounding_level = 1e-11;
/// The guess itself first, then guesses that are shaken more and more (rad, or characteristic lengths).
constexpr std::array<double, 8> shakes{0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5};
/// Before links are bent, joints are looked for anywhere.
constexpr int tries_anywhere = 40;

/// Equations such as x1 . z2 = 0 also hold upside down; a joint is assembled only when its frames agree.
template <class S>
bool upright(const Kernel<S>& k, std::size_t i) {
  const Cut<S>& cut = k.tables.cuts[i];
  const CutState<S>& s = k.cuts[i];
  const auto agree = [&](int axis) { return S::axis(s.rotation1, axis).dot(S::axis(s.rotation2, axis)) > 0.0; };
  bool good = true;
  for (const RowSpec& row : cut.rows) {
    if (row.kind != RowSpec::Kind::dot || row.i == row.j) continue;
    good = good && agree(row.i == 2 || row.j == 2 ? 2 : 0);
  }
  // Locked orientation: all three axes agree.
  const int dots = static_cast<int>(std::count_if(cut.rows.begin(), cut.rows.end(),
                                                  [](const RowSpec& row) { return row.kind == RowSpec::Kind::dot; }));
  if (dots == 3) good = good && agree(0) && agree(1);
  return good;
}

template <class S>
class Assembler {
 public:
  Assembler(Kernel<S>& kernel, const AssemblyOptions& options) : k_(kernel), options_(options), free_(k_.nv, true) {
    for (int v : options.held) free_[v] = false;
    for (int v = k_.compiled.joint_nv; v < k_.nv; ++v) free_[v] = false;
  }

  void let_links_bend() {
    for (int v = k_.compiled.joint_nv; v < k_.nv; ++v) free_[v] = true;
    for (int v : options_.held) free_[v] = false;
  }

  AssemblyReport run(VectorX& q, bool anywhere) {
    AssemblyReport report;
    report.initial_error = plain_error(q);
    VectorX best = q;
    double best_error = scaled_error(q);
    std::mt19937 random(7);
    const int tries = static_cast<int>(shakes.size()) + (anywhere ? tries_anywhere : 0);
    for (int i = 0; i < tries; ++i) {
      const auto attempt = static_cast<std::size_t>(i);
      const double shake = attempt < shakes.size() ? shakes[attempt] : std::numbers::pi;
      VectorX x = q;
      if (shake > 0.0) shake_coordinates(random, shake, x);
      const bool closed = descend(x, report.iterations);
      const double error = scaled_error(x);
      if (error < best_error) {
        best = x;
        best_error = error;
      }
      if (!closed) continue;
      q = x;
      report.error = plain_error(q);
      return report;
    }
    q = best;
    report.error = plain_error(q);
    int worst = 0;
    k_.c.cwiseAbs().maxCoeff(&worst);
    report.status = {Status::Code::not_assembled, cut_of_row(k_, worst), report.error};
    return report;
  }

  void shake_coordinates(std::mt19937& random, double size, VectorX& q) const {
    std::uniform_real_distribution<double> uniform(-size, size);
    VectorX step(k_.nv);
    for (int i = 0; i < k_.nv; ++i) {
      const double draw = uniform(random);
      step[i] = !free_[i] ? 0.0 : draw * k_.compiled.speed_scale[i];
    }
    add_step(k_.compiled, step, q);
  }

  /// Gauss-Newton with line search; true when all loops are closed upright.
  bool descend(VectorX& q, int& iterations) {
    double error = scaled_norm(q);
    for (int i = 0; i < options_.max_iterations; ++i) {
      if (scaled_error(q) <= options_.tolerance) return all_upright(q);
      ++iterations;
      const VectorX step = newton_step(q);
      double fraction = std::min(1.0, 0.7 / std::max(1e-300, step.cwiseAbs().maxCoeff()));
      VectorX tried = q;
      double tried_error = error;
      for (int halving = 0; halving < 12; ++halving, fraction *= 0.5) {
        tried = q;
        add_step(k_.compiled, physical(fraction * step), tried);
        tried_error = scaled_norm(tried);
        if (tried_error < error) break;
      }
      if (!(tried_error < error)) return scaled_error(q) <= rounding_level && all_upright(q);
      q = tried;
      error = tried_error;
    }
    return scaled_error(q) <= rounding_level && all_upright(q);
  }

 private:
  void place(const VectorX& q) {
    update_positions(k_, q);
    update_closure_values(k_);
  }

  VectorX scaled_values(const VectorX& q) {
    place(q);
    VectorX c = k_.c;
    for (const Cut<S>& cut : k_.tables.cuts)
      for (std::size_t r = 0; r < cut.rows.size(); ++r)
        if (cut.rows[r].kind == RowSpec::Kind::distance) c[cut.first_row + static_cast<int>(r)] /= k_.compiled.length;
    return c;
  }
  double scaled_error(const VectorX& q) { return k_.row_count == 0 ? 0.0 : scaled_values(q).cwiseAbs().maxCoeff(); }
  double scaled_norm(const VectorX& q) { return scaled_values(q).norm(); }
  double plain_error(const VectorX& q) {
    place(q);
    return k_.row_count == 0 ? 0.0 : k_.c.cwiseAbs().maxCoeff();
  }

  bool all_upright(const VectorX& q) {
    place(q);
    for (std::size_t i = 0; i < k_.cuts.size(); ++i)
      if (!upright(k_, i)) return false;
    return true;
  }

  /// Minimum-norm step of the free speeds, in scaled (dimensionless) coordinates.
  VectorX newton_step(const VectorX& q) {
    const VectorX c = scaled_values(q);
    RowMatrix scaled;
    scaled_jacobian(k_, scaled);
    for (int j = 0; j < k_.nv; ++j)
      if (!free_[j]) scaled.col(j).setZero();
    return solve_minimum_norm(scaled, -c, 1e-10).x;
  }

  VectorX physical(const VectorX& scaled_step) const {
    VectorX step = scaled_step;
    for (int j = 0; j < k_.nv; ++j) step[j] *= k_.compiled.speed_scale[j];
    return step;
  }

  Kernel<S>& k_;
  const AssemblyOptions& options_;
  std::vector<bool> free_;
};

/// Positions and orientations of all links: assemblies are the same when these are.
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

bool same_assembly(const std::vector<Pose>& a, const std::vector<Pose>& b, double length) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((a[i].position - b[i].position).norm() > 1e-6 * length || (a[i].rotation - b[i].rotation).norm() > 1e-6)
      return false;
  return true;
}

}  // namespace

AssemblyReport assemble(const Plan&, Workspace& work, VectorX& q, const AssemblyOptions& options) {
  return with_kernel(work, [&]<class S>(Kernel<S>& k) {
    if (k.row_count == 0) return AssemblyReport{};
    Assembler<S> assembler(k, options);
    const bool elastic = k.compiled.joint_nv < k.nv;
    VectorX rigid = q;
    AssemblyReport report = assembler.run(rigid, elastic);
    if (!report.status && elastic && options.links_may_bend) {
      assembler.let_links_bend();
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

std::vector<VectorX> assembly_branches(const Plan&, Workspace& work, const VectorX& q, const AssemblyOptions& options,
                                       int tries) {
  return with_kernel(work, [&]<class S>(Kernel<S>& k) {
    std::vector<VectorX> branches;
    if (k.row_count == 0) return std::vector<VectorX>{q};
    std::vector<std::vector<Pose>> poses;
    Assembler<S> assembler(k, options);
    std::mt19937 random(11);
    for (int i = 0; i < tries; ++i) {
      VectorX x = q;
      int iterations = 0;
      if (i > 0) assembler.shake_coordinates(random, std::numbers::pi, x);
      if (!assembler.descend(x, iterations)) continue;
      std::vector<Pose> found = link_poses(k, x);
      const bool known = std::any_of(poses.begin(), poses.end(), [&](const std::vector<Pose>& other) {
        return same_assembly(found, other, k.compiled.length);
      });
      if (known) continue;
      branches.push_back(x);
      poses.push_back(std::move(found));
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
    return poses[ref.link] * deformed(mechanism.links[ref.link], ref.frame, elastic_coordinates(source, q, ref.link));
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

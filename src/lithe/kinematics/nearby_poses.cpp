#include "lithe/kinematics/nearby_poses.hpp"

#include <random>

#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/spatial/decompositions.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

namespace {

constexpr int tries = 4;
constexpr double distance = 0.05;    ///< rad or characteristic lengths
constexpr double open_guess = 1e-6;  ///< closure error of a pose that is not assembled at all
constexpr double assembled = 1e-12;  ///< closure error, as above relative to the characteristic length
constexpr int iterations = 20;

template <class S>
double closure_size(Kernel<S>& k, const VectorX& q) {
  update_positions(k, q);
  update_closure_values(k);
  return k.c.size() > 0 ? k.c.cwiseAbs().maxCoeff() / k.compiled.length : 0.0;
}

/// Shortest steps of the joints onto the closures.
template <class S>
bool close_loops(Kernel<S>& k, VectorX& q) {
  RowMatrix scaled;
  for (int i = 0; i < iterations; ++i) {
    if (closure_size(k, q) <= assembled) return true;
    VectorX c = k.c;
    for (const Cut<S>& cut : k.tables.cuts)
      for (std::size_t r = 0; r < cut.rows.size(); ++r)
        if (cut.rows[r].kind == RowSpec::Kind::distance) c[cut.first_row + static_cast<int>(r)] /= k.compiled.length;
    scaled_jacobian(k, scaled);
    scaled.rightCols(k.nv - k.compiled.joint_nv).setZero();
    const VectorX step = solve_minimum_norm(scaled, -c, tolerance::rank).x;
    add_step(k.compiled, VectorX(step.cwiseProduct(k.compiled.speed_scale)), q);
  }
  return false;
}

}  // namespace

template <class S>
std::vector<VectorX> assembled_poses_nearby(Kernel<S>& k, const VectorX& q) {
  std::vector<VectorX> poses;
  if (closure_size(k, q) > open_guess) return poses;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-distance, distance);
  for (int i = 0; i < tries; ++i) {
    VectorX step = VectorX::Zero(k.nv);
    for (int v = 0; v < k.compiled.joint_nv; ++v) step[v] = uniform(random) * k.compiled.speed_scale[v];
    VectorX pose = q;
    add_step(k.compiled, step, pose);
    if (close_loops(k, pose)) poses.push_back(pose);
  }
  return poses;
}

template std::vector<VectorX> assembled_poses_nearby(Kernel<Spatial>&, const VectorX&);
template std::vector<VectorX> assembled_poses_nearby(Kernel<Planar>&, const VectorX&);

}  // namespace lithe::detail

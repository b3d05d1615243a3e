#include "lithe/kinematics/assembler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/spatial/decompositions.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {
namespace {

/// Stagnation at this scaled error is still an assembly: rounding of long chains.
constexpr double rounding_level = 1e-11;
/// The guess itself first, then guesses that are shaken more and more (rad, or characteristic lengths).
constexpr std::array<double, 8> shakes{0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5};
/// Before links are bent, joints are looked for anywhere.
constexpr int tries_anywhere = 40;
constexpr int settling_steps = 12;
constexpr double settled = 0.99;  ///< a step that leaves more of the error than this is not worth another one
/// Steps of a descent, one after the other, that hardly help: it lies where the loops come closest and stay open.
constexpr int idle_steps = 3;

double largest_of(const VectorX& c) { return c.size() == 0 ? 0.0 : c.cwiseAbs().maxCoeff(); }

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

}  // namespace

template <class S>
Assembler<S>::Assembler(const Plan& plan, Workspace& work, Kernel<S>& kernel, double tolerance, int max_iterations)
    : free(static_cast<std::size_t>(kernel.nv), false),
      plan_(plan),
      work_(work),
      k_(kernel),
      tolerance_(tolerance),
      max_iterations_(max_iterations) {
  free_joints();
}

template <class S>
void Assembler<S>::free_joints() {
  std::fill(free.begin(), free.begin() + k_.compiled.joint_nv, true);
}

template <class S>
void Assembler<S>::free_links() {
  std::fill(free.begin() + k_.compiled.joint_nv, free.end(), true);
}

template <class S>
void Assembler<S>::hold(const std::vector<int>& speeds) {
  for (const int v : speeds) free[v] = false;
}

template <class S>
AssemblyReport Assembler<S>::run(VectorX& q, bool anywhere) {
  AssemblyReport report;
  report.initial_error = plain_error(q);
  VectorX best = q;
  double best_error = largest(q);
  std::mt19937 random(7);
  const int tries = static_cast<int>(shakes.size()) + (anywhere ? tries_anywhere : 0);
  for (int i = 0; i < tries; ++i) {
    const auto attempt = static_cast<std::size_t>(i);
    const double size = attempt < shakes.size() ? shakes[attempt] : std::numbers::pi;
    VectorX x = q;
    if (size > 0.0) shake(random, size, x);
    const bool closed = descend(x, report.iterations);
    const double error = largest(x);
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
  if (k_.row_count > 0) k_.c.cwiseAbs().maxCoeff(&worst);
  report.status = {Status::Code::not_assembled, closure_of_row(k_, worst), report.error};
  return report;
}

template <class S>
void Assembler<S>::shake(std::mt19937& random, double size, VectorX& q) const {
  std::uniform_real_distribution<double> uniform(-size, size);
  VectorX step(k_.nv);
  for (int i = 0; i < k_.nv; ++i) {
    const double draw = uniform(random);
    step[i] = free[i] ? draw * k_.compiled.speed_scale[i] : 0.0;
  }
  add_step(k_.compiled, step, q);
}

/// The largest entry of a step but for coordinates that stand in couplings alone: those are linear, and a rotor turns far
/// when what it drives moves a little.
template <class S>
double Assembler<S>::longest_curved_step(const MatrixX& jacobian, const VectorX& step) const {
  const auto ties = std::ssize(k_.tables.ties);
  if (ties == 0) return step.cwiseAbs().maxCoeff();
  const Eigen::Index first = k_.row_count - ties, after = jacobian.rows() - k_.row_count;
  double longest = 0.0;
  for (Eigen::Index v = 0; v < step.size(); ++v)
    if (!jacobian.col(v).head(first).isZero(0.0) || !jacobian.col(v).tail(after).isZero(0.0))
      longest = std::max(longest, std::abs(step[v]));
  return longest;
}

/// One step of Gauss-Newton from q, where the kernel stands and the equations have the values c, shortened until it
/// helps; false when none does.
template <class S>
bool Assembler<S>::try_step(VectorX& q, VectorX& c) {
  if (k_.nv == 0) return false;
  const MatrixX jacobian = jacobian_here(q);
  const VectorX step = solve_minimum_norm(jacobian, -c, tolerance::rank_of_constraints).x;
  const double error = c.norm();
  double fraction = std::min(1.0, 0.7 / std::max(tolerance::smallest, longest_curved_step(jacobian, step)));
  for (int halving = 0; halving < 12; ++halving, fraction *= 0.5) {
    VectorX tried = q;
    add_step(k_.compiled, fraction * step.cwiseProduct(k_.compiled.speed_scale), tried);
    VectorX tried_c = values(tried);
    if (!(tried_c.norm() < error)) continue;
    q = std::move(tried);
    c = std::move(tried_c);
    return true;
  }
  return false;
}

template <class S>
bool Assembler<S>::descend(VectorX& q, int& iterations) {
  VectorX c = values(q);
  for (int i = 0, idle = 0; i < max_iterations_ && idle < idle_steps; ++i) {
    if (largest_of(c) <= tolerance_) return all_upright(q);
    ++iterations;
    const double before = c.norm();
    if (!try_step(q, c)) break;
    idle = c.norm() > settled * before ? idle + 1 : 0;
  }
  return largest_of(c) <= rounding_level && all_upright(q);
}

template <class S>
void Assembler<S>::settle(VectorX& q, int& iterations) {
  VectorX c = values(q);
  for (int i = 0; i < settling_steps && c.norm() > tolerance_; ++i) {
    const double before = c.norm();
    ++iterations;
    if (!try_step(q, c) || c.norm() > settled * before) return;
  }
}

template <class S>
void Assembler<S>::place(const VectorX& q) {
  update_positions(k_, q);
  update_closure_values(k_);
}

template <class S>
VectorX Assembler<S>::values(const VectorX& q) {
  place(q);
  VectorX c(k_.row_count + std::ssize(equations));
  c.head(k_.row_count) = k_.c;
  for (const Cut<S>& cut : k_.tables.cuts)
    for (std::size_t r = 0; r < cut.rows.size(); ++r)
      if (cut.rows[r].kind == RowSpec::Kind::distance) c[cut.first_row + static_cast<int>(r)] /= k_.compiled.length;
  Eigen::Index next = k_.row_count;
  for (const Equation& each : equations) {
    const double scale = is_distance(plan_, *each.wish) ? k_.compiled.length : 1.0;
    c[next++] = wish_error(plan_, work_, q, *each.wish)[each.row] / scale;
  }
  return c;
}

template <class S>
double Assembler<S>::largest(const VectorX& q) {
  return largest_of(values(q));
}

template <class S>
double Assembler<S>::plain_error(const VectorX& q) {
  place(q);
  return k_.row_count == 0 ? 0.0 : k_.c.cwiseAbs().maxCoeff();
}

template <class S>
bool Assembler<S>::all_upright(const VectorX& q) {
  place(q);
  for (std::size_t i = 0; i < k_.cuts.size(); ++i)
    if (!upright(k_, i)) return false;
  return true;
}

template <class S>
VectorX Assembler<S>::row_of(const VectorX& q, const Equation& equation) {
  VectorX row = wish_jacobian(plan_, work_, q, *equation.wish).row(equation.row);
  row = row.cwiseProduct(k_.compiled.speed_scale) / (is_distance(plan_, *equation.wish) ? k_.compiled.length : 1.0);
  for (int j = 0; j < k_.nv; ++j)
    if (!free[j]) row[j] = 0.0;
  return row;
}

template <class S>
MatrixX Assembler<S>::jacobian(const VectorX& q) {
  update_positions(k_, q);
  return jacobian_here(q);
}

template <class S>
MatrixX Assembler<S>::jacobian_here(const VectorX& q) {
  RowMatrix scaled;
  scaled_jacobian(k_, scaled);
  MatrixX all(k_.row_count + std::ssize(equations), k_.nv);
  all.topRows(k_.row_count) = scaled;
  for (int j = 0; j < k_.nv; ++j)
    if (!free[j]) all.col(j).setZero();
  Eigen::Index next = k_.row_count;
  for (const Equation& each : equations) all.row(next++) = row_of(q, each);
  return all;
}

template class Assembler<Spatial>;
template class Assembler<Planar>;

}  // namespace lithe::detail

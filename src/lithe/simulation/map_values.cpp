#include "lithe/simulation/map_values.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "lithe/dynamics/inverse.hpp"
#include "lithe/kinematics/forget.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/kinematics/small_bending.hpp"
#include "lithe/simulation/drive_feedback.hpp"
#include "lithe/simulation/loads.hpp"
#include "lithe/spatial/decompositions.hpp"

namespace lithe::detail {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double payload_accuracy = 1e-6;  ///< relative
constexpr double heaviest_payload = 1e9;   ///< of the mass of the mechanism; beyond, no mass is too heavy
constexpr double zero_gain = 1e-15;        ///< of the largest: a direction without any
constexpr double zero_compliance = 1e-14;  ///< of the largest: the rounding of an eigenvalue
/// Of the largest: the square of the rounding of what the frame moves by, which is what remains of a compliance where the
/// frame does not give way.
constexpr double zero_entry = 1e-24;

/// Largest over smallest.
double condition_of(const VectorX& gains) {
  if (gains.size() == 0) return not_a_number;
  const double least = gains.minCoeff(), most = gains.maxCoeff();
  if (!(most > 0.0)) return not_a_number;
  return least > zero_gain * most ? most / least : infinite;
}

/// The inverse of the condition number by normalised Frobenius norms, |A| |A^-1| / n: 1 where all gains are alike.
double dexterity_of(const VectorX& gains) {
  if (gains.size() == 0 || !(gains.maxCoeff() > 0.0)) return not_a_number;
  if (!(gains.minCoeff() > zero_gain * gains.maxCoeff())) return 0.0;
  return static_cast<double>(gains.size()) / (gains.norm() * gains.cwiseInverse().norm());
}

/// A B^-1, in the least-squares sense where B is not square.
MatrixX over(const MatrixX& a, const MatrixX& b) {
  if (a.size() == 0 || b.size() == 0) return MatrixX(a.rows(), 0);
  return MatrixX(b.transpose()).completeOrthogonalDecomposition().solve(MatrixX(a.transpose())).transpose();
}

VectorX eigenvalues_of(const MatrixX& symmetric) {
  return Eigen::SelfAdjointEigenSolver<MatrixX>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

double largest_bending(const Plan& plan, const VectorX& q) {
  double largest = 0.0;
  for (const LinkBending& each : bending_of(plan, q)) largest = std::max(largest, each.measure());
  return largest;
}

/// The inverse; not a number where some direction does not give way, so that there is none.
MatrixX inverse_of(const MatrixX& compliance, const VectorX& unit) {
  const VectorX principal = eigenvalues_of(unit.asDiagonal() * compliance * unit.asDiagonal());
  const VectorX sizes = principal.cwiseAbs();
  if (sizes.minCoeff() > zero_compliance * sizes.maxCoeff()) return compliance.inverse();
  return MatrixX::Constant(compliance.rows(), compliance.cols(), not_a_number);
}

}  // namespace

MapValues::MapValues(const MapSetup& setup)
    : setup_(setup),
      work_(setup.rigid()),
      system_(setup.rigid(), work_, setup.equations()),
      motors_(setup.rigid(), setup.motors()),
      task_(setup.rigid(), setup.task()),
      rigid_actions_(setup.rigid()),
      zero_(VectorX::Zero(std::ssize(setup.equations().coordinates))) {
  for (const int motor : setup.rigid().actuated_speeds())
    if (motor < setup.rigid().nv()) locked_.push_back(motor);
  const double t = setup.own_model().run.from;
  evaluate_loads(setup.own_model(), t, rigid_actions_);
  if (setup.wants_frequencies()) own_.emplace(setup.own());
  if (setup.wants_statics()) twin_.emplace(setup.twin());
  for (std::optional<Elastic>* each : {&own_, &twin_}) {
    if (!*each) continue;
    (*each)->state.t = t;
    evaluate_loads(setup.own_model(), t, (*each)->actions);
  }
}

bool MapValues::evaluate(const VectorX& q, double* values, std::string& why) {
  std::fill_n(values, setup_.columns().size(), not_a_number);
  next_ = values;
  find_speeds(q);
  put_rigid(q);
  try {
    put_statics(q);
    put_frequencies(q);
    if (setup_.wants("payload")) put(largest_payload(q));
  } catch (const PhysicsError& error) {
    why = error.what();
    return false;
  }
  return true;
}

void MapValues::find_speeds(const VectorX& q) {
  forget_poses(work_);
  system_.evaluate(q, zero_);
  const Eigen::Index n = system_.matrix().cols(), m = zero_.size();
  MatrixX unit = MatrixX::Zero(n, m);
  unit.bottomRows(m) = MatrixX(setup_.equations().row_scale.tail(m).asDiagonal());
  speeds_ = setup_.equations().column_scale.asDiagonal() * MatrixX(system_.matrix().partialPivLu().solve(unit));
  task_.evaluate(work_, q);
  motors_.evaluate(work_, q);
  frame_.noalias() = task_.rates() * speeds_;
  for (int i = 0; i < task_.count(); ++i)
    if (task_.coordinates()[i].turns) frame_.row(i) *= setup_.rigid().characteristic_length();
  motor_.noalias() = motors_.rates() * speeds_;
}

void MapValues::put_rigid(const VectorX& q) {
  if (setup_.wants("condition") || setup_.wants("manipulability")) {
    const VectorX gains = singular_values(over(frame_, motor_));
    if (setup_.wants("condition")) {
      put(condition_of(gains));
      put(dexterity_of(gains));
    }
    if (setup_.wants("manipulability")) put(gains.size() > 0 ? gains.prod() : not_a_number);
  }
  if (setup_.wants("stiffness-index")) {
    // The wrench that a motor alone exerts on the frame is its row of motor speeds per frame speed; each is a spring of the
    // same stiffness.
    MatrixX wrenches = over(motor_, frame_);
    wrenches.rowwise().normalize();
    put(dexterity_of(singular_values(wrenches).array().square()));
  }
  if (setup_.wants("torque") && motors_.count() > 0) put_torques(q);
}

// At rest motor forces are linear in the accelerations: |what holds| + acceleration times the norm of the slopes by the
// directions in which the frame can accelerate is the largest of each motor.
void MapValues::put_torques(const VectorX& q) {
  const Plan& plan = setup_.rigid();
  State state{setup_.own_model().run.from, q, VectorX::Zero(plan.nv()), {}};
  InverseResult held, moved;
  const bool usable = static_cast<bool>(select_independent(plan, work_, q, locked_));
  if (usable)
    inverse_dynamics(plan, work_, state, VectorX::Zero(plan.nv()), rigid_actions_, plan.actuated_speeds(), held);
  if (!usable || !held.status) {
    next_ += motors_.count();
    return;
  }
  VectorX squares = VectorX::Zero(motors_.count());
  // Motor speeds, passive freedoms as still as can be, that move the frame.
  const MatrixX driven = motor_.completeOrthogonalDecomposition().pseudoInverse();
  const MatrixX directions =
      driven * MatrixX(MatrixX(frame_ * driven).completeOrthogonalDecomposition().pseudoInverse());
  for (int k = 0; k < task_.count(); ++k) {
    if (task_.coordinates()[k].turns) continue;
    const VectorX a = speeds_ * directions.col(k);
    inverse_dynamics(plan, work_, state, a, rigid_actions_, plan.actuated_speeds(), moved);
    for (int i = 0; i < motors_.count(); ++i) {
      const int v = plan.actuated_speeds()[i];
      const double slope = moved.tau[v] - held.tau[v];
      squares[i] += slope * slope;
    }
  }
  for (int i = 0; i < motors_.count(); ++i)
    put(std::abs(held.tau[plan.actuated_speeds()[i]]) + setup_.options().acceleration * std::sqrt(squares[i]));
}

Equilibrium MapValues::rest_of(Elastic& elastic, const VectorX& q) {
  forget_poses(elastic.work);
  elastic.state.q.setZero();
  elastic.state.q.head(q.size()) = q;
  return find_equilibrium(elastic.plan, elastic.work, elastic.state, elastic.actions, locked_);
}

void MapValues::put_matrix(const MatrixX& matrix) {
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = i; j < matrix.cols(); ++j) put(matrix(i, j));
}

/// Factors of the rows of a compliance: `factor` of turns, 1 of displacements.
VectorX MapValues::turns_by(double factor) const {
  const std::vector<int>& rows = setup_.dimensions();
  VectorX units(std::ssize(rows));
  for (Eigen::Index i = 0; i < units.size(); ++i) units[i] = rows[i] < 3 ? factor : 1.0;
  return units;
}

/// Of the frame, in the rows that can be. What is rounding beside the rest, turns by the characteristic length, is zero.
MatrixX MapValues::compliance_at(const Equilibrium& rest) {
  const std::vector<int>& rows = setup_.dimensions();
  MatrixX matrix = MatrixX(frame_compliance(twin_->plan, twin_->work, rest, setup_.frame()))(rows, rows);
  matrix = (0.5 * (matrix + matrix.transpose())).eval();
  const VectorX sizes =
      turns_by(setup_.rigid().characteristic_length()).array().square() * matrix.diagonal().array().abs();
  for (Eigen::Index i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > zero_entry * sizes.maxCoeff()) continue;
    matrix.row(i).setZero();
    matrix.col(i).setZero();
  }
  return matrix;
}

void MapValues::put_statics(const VectorX& q) {
  if (!setup_.wants_statics()) return;
  Elastic& twin = *twin_;
  const Equilibrium rest = rest_of(twin, q);
  const std::vector<int>& rows = setup_.dimensions();
  MatrixX matrix;
  if (setup_.wants("compliance") || setup_.wants("stiffness") || setup_.wants("elastic-condition"))
    matrix = compliance_at(rest);
  const auto positions = std::count_if(rows.begin(), rows.end(), [](int r) { return r >= 3; });
  VectorX principal;
  if (matrix.size() > 0) {
    principal = eigenvalues_of(matrix.bottomRightCorner(positions, positions));
    const double rounding = zero_compliance * principal.cwiseAbs().maxCoeff();
    for (double& each : principal)
      if (std::abs(each) <= rounding) each = 0.0;
  }
  if (setup_.wants("compliance")) {
    put(principal.maxCoeff());
    put(principal.minCoeff());
    put_matrix(matrix);
  }
  if (setup_.wants("stiffness")) {
    put(principal.cwiseInverse().minCoeff());
    put(principal.cwiseInverse().maxCoeff());
    put_matrix(inverse_of(matrix, turns_by(setup_.rigid().characteristic_length())));
  }
  if (setup_.wants("elastic-condition")) {
    // Along what the frame can do; turns by the characteristic length.
    MatrixX task(task_.count(), task_.count());
    const double length = setup_.rigid().characteristic_length();
    const auto place = [&](int i) {
      const PoseCoordinate& each = task_.coordinates()[i];
      return std::find(rows.begin(), rows.end(), each.axis + (each.turns ? 0 : 3)) - rows.begin();
    };
    for (int i = 0; i < task_.count(); ++i)
      for (int j = 0; j < task_.count(); ++j)
        task(i, j) = matrix(place(i), place(j)) * (task_.coordinates()[i].turns ? length : 1.0) *
                     (task_.coordinates()[j].turns ? length : 1.0);
    const VectorX gains = singular_values(task);
    put(condition_of(gains));
    put(dexterity_of(gains));
  }
  if (setup_.wants("sag")) {
    const Pose before = frame_pose(setup_.rigid(), work_, q, setup_.frame());
    const Pose after = frame_pose(twin.plan, twin.work, rest.state.q, setup_.frame());
    const Vec3 way = after.position - before.position;
    put(way.norm());
    for (const int row : rows)
      if (row >= 3) put(way[row - 3]);
    put(vector_from_rotation(after.rotation * before.rotation.transpose()).norm());
  }
}

void MapValues::put_modes(const Linearization& linear) {
  VectorX squares;
  if (linear.M.rows() > 0) {
    const MatrixX K = 0.5 * (linear.K + linear.K.transpose());
    squares = Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(K, linear.M, Eigen::EigenvaluesOnly | Eigen::Ax_lBx)
                  .eigenvalues();
  }
  for (int mode = 0; mode < setup_.options().modes; ++mode)
    put(mode < squares.size()
            ? std::copysign(std::sqrt(std::abs(squares[mode])), squares[mode]) / (2.0 * std::numbers::pi)
            : not_a_number);
}

template <class Use>
void MapValues::each_linearization(const VectorX& q, const Use& use) {
  Elastic& own = *own_;
  const Equilibrium rest = rest_of(own, q);
  rest_q_ = rest.state.q;
  if (setup_.wants("frequency")) use("frequency", rest.linear);
  if (!setup_.wants("frequency-held") && !setup_.wants("frequency-free")) return;
  Actions holding = own.actions;
  if (rest.tau.size() > 0) holding.tau = rest.tau;
  const VectorX still = VectorX::Zero(own.plan.nv());
  if (setup_.wants("frequency-held")) {
    DriveFeedback drives(setup_.own_model(), own.plan, own.work, rest.state);
    std::vector<int> others = locked_;
    std::erase_if(others, [&](int v) {
      return std::find(drives.speeds().begin(), drives.speeds().end(), v) != drives.speeds().end();
    });
    StateForces feedback;
    if (!drives.speeds().empty())
      feedback = [&](const State& state, Workspace& work, VectorX& tau) { drives.add_forces(state, work, tau); };
    use("frequency-held", linearize(own.plan, own.work, rest.state, still, holding, others, feedback));
  }
  if (setup_.wants("frequency-free")) use("frequency-free", linearize(own.plan, own.work, rest.state, still, holding));
}

void MapValues::put_frequencies(const VectorX& q) {
  if (!setup_.wants_frequencies()) return;
  each_linearization(q, [&](const char*, const Linearization& linear) { put_modes(linear); });
}

std::vector<MapMode> MapValues::modes(const VectorX& q) {
  std::vector<MapMode> found;
  if (!setup_.wants_frequencies()) return found;
  each_linearization(q, [&](const char* kind, const Linearization& linear) {
    const NaturalModes modes = natural_modes(own_->plan, own_->work, rest_q_, linear);
    const Eigen::Index count = std::min<Eigen::Index>(modes.frequencies.size(), setup_.options().modes);
    for (Eigen::Index j = 0; j < count; ++j)
      found.push_back({fmt::format("{}.{}", kind, j + 1), modes.frequencies[j], modes.speeds.col(j)});
  });
  return found;
}

bool MapValues::is_stable_with(double mass, State& state) {
  Elastic& twin = *twin_;
  twin.actions.loads[setup_.payload_port()].force = mass * twin.plan.mechanism().gravity;
  bool stable = false;
  try {
    const Equilibrium rest = find_equilibrium(twin.plan, twin.work, state, twin.actions, locked_);
    const MatrixX K = 0.5 * (rest.linear.K + rest.linear.K.transpose());
    stable = K.size() == 0 || Eigen::LLT<MatrixX>(K).info() == Eigen::Success;
    if (stable) state = rest.state;
  } catch (const PhysicsError&) {
    // No rest is no stable rest.
  }
  twin.actions.loads[setup_.payload_port()].force.setZero();
  return stable;
}

double MapValues::largest_payload(const VectorX& q) {
  Elastic& twin = *twin_;
  forget_poses(twin.work);
  State state = twin.state;
  state.q.setZero();
  state.q.head(q.size()) = q;
  if (!is_stable_with(0.0, state)) return 0.0;
  double mass = 0.0;
  for (const LinkData& link : twin.plan.mechanism().links) mass += link.mass;
  if (twin.plan.mechanism().gravity.isZero()) return infinite;
  double stable = 0.0, unstable = mass, bent = 0.0, bent_before = 0.0;
  while (is_stable_with(unstable, state)) {
    stable = unstable;
    unstable *= 2.0;
    if (unstable > heaviest_payload * mass) return infinite;
    bent_before = std::exchange(bent, largest_bending(twin.plan, state.q));
  }
  // A link that buckles is bent a little at half of the load, twice as far as it would be without. Links that are far out of shape there are
  // pulled, not pushed, and what ends the search is the end of the theory.
  if (bent_before > bending_beyond_trust) return infinite;
  while (unstable - stable > payload_accuracy * unstable) {
    const double middle = 0.5 * (stable + unstable);
    (is_stable_with(middle, state) ? stable : unstable) = middle;
  }
  return stable;
}

}  // namespace lithe::detail

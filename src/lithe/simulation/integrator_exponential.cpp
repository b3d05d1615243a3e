// Adaptive exponential collocation in modal coordinates (docs/theory/exponential.md).
//
// In the oscillators of a ModalBasis the equations of motion are xi'' + d xi' + w^2 xi = g, where g varies slowly: fast
// elastic oscillation is no part of it. A step puts a polynomial through g at its start, middle and end and answers
// to it exactly, however many periods the step has. The values of g come from a sweep over the nodes that begins with
// the polynomial of the step before; two evaluations a step.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lithe/simulation/damped_sweep.hpp"
#include "lithe/simulation/integrator.hpp"
#include "lithe/simulation/second_order_system.hpp"

namespace lithe::detail {
namespace {

constexpr double first_step = 2e-3;    ///< part of the run
constexpr double longest_part = 0.02;  ///< of the run in one step, so that a short load is not stepped over
/// Errors count against at least that (rad, or what compares with it): those of rigid motion, those of vibration.
constexpr double smallest_motion = 1e-4, smallest_vibration = 1e-12;
constexpr double error_share = 0.125;  ///< of the first correction of the end of a step
constexpr double step_share = 3.0;     ///< of the tolerance is left to a step: errors of steps hardly add up
constexpr double careful = 0.75;       ///< of the step that the error would allow: few are rejected
constexpr double most_growth = 2.5, least_growth = 1.15, most_shrink = 0.2;
constexpr double worst_contraction = 0.5, slow_contraction = 0.05;  ///< of the sweeps
constexpr int most_sweeps = 8, steps_between_looks = 16, steps_between_pace_looks = 500;
constexpr double shortest_pace = 1e-5;  ///< of the run in one step; below it something is stiff that is taken for slow

class Exponential : public OdeIntegrator {
 public:
  Exponential(const RunOptions& options, OdeSystem system)
      : OdeIntegrator(options),
        system_(std::move(system)),
        motion_(*system_.second_order),
        duration_(options.until - options.from),
        longest_(longest_part * duration_) {
    if (options.max_step > 0.0) longest_ = std::min(options.max_step, longest_);
  }

  RunStatus start_at(double t, const VectorX& y) override {
    time_ = t;
    state_ = y;
    const bool goes_on = h_ > 0.0;
    if (!goes_on) h_ = std::min(first_step * duration_, longest_);
    has_history_ = has_step_ = false;
    is_fresh_ = true;
    contraction_ = 1.0;
    work_ = y[y.size() - 2];
    dissipated_ = y[y.size() - 1];
    if (const RunStatus begun = motion_.begin(t, y, start_); !begun) return give_up(begun.why());
    for (MotionPoint& point : points_) point.resize(motion_.count());
    history_ = points_;
    end_ = dense_ = points_[0];
    points_[0] = start_;
    if (!evaluate(points_[0])) return give_up("the equations of motion cannot be evaluated");
    RunStatus renewed = renew_basis();
    // Behind a change the step before it says more than the length of the run; but what is new, a contact for instance,
    // may be over before the slowest oscillation has turned by a radian.
    if (goes_on && renewed) h_ = std::min(h_, 1.0 / slowest_oscillation());
    return renewed;
  }

  // Forces may have jumped: what they were before is moved by the jump; step and basis stay.
  RunStatus go_on_at(double t, const VectorX& y) override {
    if (!has_step_) return start_at(t, y);
    begin_at_end_of_last();
    MotionPoint jumped = start_;
    if (!evaluate(jumped)) return start_at(t, y);
    modal_force(points_[0], g_[0]);
    modal_force(jumped, g_[1]);
    const VectorX jump = basis_.shapes() * (g_[1] - g_[0]);
    for (MotionPoint& old : history_) old.second += jump;
    points_[0] = jumped;
    is_fresh_ = true;
    return {};
  }

  RunStatus take_step(double limit) override {
    if (has_step_) begin_at_end_of_last();
    if (basis_aged_)
      if (RunStatus renewed = renew_basis(); !renewed) return renewed;
    start_speed_.noalias() = basis_.inverse() * start_.rate;
    modal_force(points_[0], g_[0]);
    if (has_history_)
      for (std::size_t i = 0; i < 3; ++i) modal_force(history_[i], history_g_[i]);
    for (;;) {
      const double h = length_of_step(limit);
      const double error = try_step(h);
      if (error <= 1.0) {
        accept(h, limit - time_ <= h ? limit : time_ + h, error);
        return {};
      }
      ++counts_.rejected;
      const double wanted = std::isfinite(error) ? careful * std::pow(error, -0.25) : 0.25;
      h_ = h * std::clamp(wanted, most_shrink, 0.9);
      if (h_ < shortest_step(options_)) return give_up("the step size has become too small");
    }
  }

  bool knows_accelerations() const override { return has_step_; }
  void accelerations(VectorX& a) const override { motion_.accelerations(dense_, a); }

  bool struggles() const override { return held_up_ > 0.5 || crawls_; }

  /// An oscillator that starts with the speed u under the force g swings by u/w and g/w^2.
  double ripple() const override {
    if (!has_step_) return 0.0;
    const double visible = options_.tolerance * motion_.largest_deflection();
    double fastest = 0.0;
    for (Eigen::Index k = 0; k < weight_.size(); ++k) {
      const double square = basis_.square()[k];
      if (square <= fastest) continue;
      const double swing = std::hypot(start_speed_[k] / std::sqrt(square), g_[0][k] / square);
      if (weight_[k] * swing > visible) fastest = square;
    }
    return std::sqrt(fastest);
  }

  RunStatus value_at(double t, VectorX& y) override {
    if (!has_step_) {
      y = state_;
      return {};
    }
    const double tau = (t - start_.t) / step_;
    dense_answer_.after(t - start_.t, basis_);
    place(t, tau, dense_answer_, dense_);
    force_.at(tau, g_[1]);
    g_[1] -= basis_.square().cwiseProduct(xi_) + basis_.damping().cwiseProduct(xi_rate_);
    dense_.second.noalias() = basis_.shapes() * g_[1];
    motion_.state(dense_, work_ + step_ * supplied_.sum(tau), dissipated_ + loss(tau, dense_answer_), y);
    return {};
  }

 private:
  bool evaluate(MotionPoint& point) {
    ++counts_.evaluations;
    return went(motion_.evaluate(point));
  }

  RunStatus renew_basis() {
    ++counts_.jacobians;
    basis_aged_ = false;
    is_new_basis_ = true;
    steps_of_basis_ = 0;
    if (!motion_.matrices(matrices_) || !basis_.renew(matrices_))
      return give_up("the inertia of the mechanism is not positive definite");
    const Eigen::Index n = basis_.square().size();
    for (VectorX* vector : {&weight_, &speed_weight_, &smallest_}) vector->resize(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      weight_[k] = basis_.shapes().col(k).cwiseAbs().cwiseQuotient(motion_.scales()).maxCoeff();
      // Without stiffness an error of the speed leads away for as long as the run lasts.
      const double frequency = std::sqrt(basis_.square()[k]), slowest = 2.0 / duration_;
      speed_weight_[k] = 1.0 / std::max(frequency, slowest);
      smallest_[k] = frequency > slowest ? smallest_vibration : smallest_motion;
    }
    for (VectorX* vector : {&xi_, &xi_rate_, &last_xi_, &last_rate_, &start_speed_}) vector->setZero(n);
    for (auto* vectors : {&g_, &history_g_})
      for (VectorX& vector : *vectors) vector.setZero(n);
    for (VectorX& vector : found_) vector.setZero(n);
    return {};
  }

  /// Angular frequency, or that of the run where nothing oscillates, rad/s.
  double slowest_oscillation() const {
    double slowest = std::numeric_limits<double>::infinity();
    for (const double square : basis_.square())
      if (const double frequency = std::sqrt(square); frequency > 2.0 / duration_)
        slowest = std::min(slowest, frequency);
    return std::isfinite(slowest) ? slowest : 1.0 / (first_step * duration_);
  }

  /// A new step from the end of the last one; what was evaluated there and before serves the prediction. The force at
  /// the end was evaluated where the sweep had led, next to the end itself: good enough to go on with.
  void begin_at_end_of_last() {
    history_.swap(points_);
    for (MotionPoint& old : history_) motion_.express(end_, old);
    history_step_ = step_;
    has_history_ = true;
    points_[0] = history_[2];
    start_ = end_;
    motion_.express(end_, start_);
    motion_.advance(end_);
    work_ += step_ * supplied_.sum(1.0);
    dissipated_ += loss(1.0, full_);
    has_step_ = false;
  }

  double length_of_step(double limit) const {
    const double left = limit - time_;
    double h = std::min(h_, longest_);
    if (has_history_) h = std::min(h, 3.0 * history_step_);  // farther the old polynomial says nothing
    if (h >= (1.0 - 1e-9) * left) return left;
    return std::min(h, 0.5 * left);  // two equal steps rather than a long one and a crumb
  }

  /// g, what drives the oscillators beyond their own stiffness and damping, at a point that was evaluated.
  void modal_force(const MotionPoint& point, VectorX& g) {
    xi_.noalias() = basis_.inverse() * point.x;
    xi_rate_.noalias() = basis_.inverse() * point.rate;
    g.noalias() = basis_.inverse() * point.second;
    g += basis_.square().cwiseProduct(xi_) + basis_.damping().cwiseProduct(xi_rate_);
  }

  /// The motion under the polynomial at the part tau of the step.
  void place(double t, double tau, const ModalAnswer& answer, MotionPoint& point) {
    answer.motion(tau, start_speed_, force_, xi_, xi_rate_);
    point.t = t;
    point.x.noalias() = basis_.shapes() * xi_;
    point.rate.noalias() = basis_.shapes() * xi_rate_;
  }

  /// One node: motion under the present polynomial, evaluation, new polynomial.
  bool sweep_node(std::size_t node, double h) {
    const double tau = 0.5 * static_cast<double>(node);
    place(start_.t + tau * h, tau, node == 1 ? half_ : full_, points_[node]);
    if (!evaluate(points_[node])) return false;
    modal_force(points_[node], g_[node]);
    force_.through(g_[0], g_[1], g_[2]);
    return true;
  }

  /// Both nodes under the present polynomial, then a new one on which what damping couples agrees.
  bool sweep_together(double h) {
    for (std::size_t node : {1, 2}) {
      const double tau = 0.5 * static_cast<double>(node);
      place(start_.t + tau * h, tau, node == 1 ? half_ : full_, points_[node]);
      if (!evaluate(points_[node])) return false;
      modal_force(points_[node], found_[node - 1]);
    }
    damped_.correct(found_[0], found_[1], g_[1], g_[2]);
    force_.through(g_[0], g_[1], g_[2]);
    return true;
  }

  /// The last sweep has moved the speeds from where they were evaluated. Under dampers this strong the forces there are no
  /// longer those of the motion: the points take what the polynomial says.
  void put_points_on_polynomial() {
    for (std::size_t node : {1, 2}) {
      place(points_[node].t, 0.5 * static_cast<double>(node), node == 1 ? half_ : full_, points_[node]);
      found_[0] = g_[node] - basis_.square().cwiseProduct(xi_) - basis_.damping().cwiseProduct(xi_rate_);
      points_[node].second.noalias() = basis_.shapes() * found_[0];
    }
  }

  bool sweep(double h, bool together) { return together ? sweep_together(h) : sweep_node(1, h) && sweep_node(2, h); }

  /// How far the end of the step under `force` is from that of the last call, in units of what is tolerated.
  double change_of_end(const ForcePolynomial& force) {
    full_.motion(1.0, start_speed_, force, xi_, xi_rate_);
    const double largest = motion_.largest_deflection();
    double sum = 0.0;
    for (Eigen::Index k = 0; k < xi_.size(); ++k) {
      const double scale = weight_[k] / std::max(largest, smallest_[k]);
      const double position = xi_[k] - last_xi_[k], speed = (xi_rate_[k] - last_rate_[k]) * speed_weight_[k];
      sum += scale * scale * (position * position + speed * speed);
    }
    last_xi_ = xi_;
    last_rate_ = xi_rate_;
    return std::sqrt(sum) / (step_share * options_.tolerance);
  }

  /// Error of a step of length h in units of what is tolerated; infinite when it cannot be done.
  double try_step(double h) {
    constexpr double failed = std::numeric_limits<double>::infinity();
    half_.after(0.5 * h, basis_);
    full_.after(h, basis_);
    if (has_history_)
      force_.extrapolate(history_g_, history_step_ / h);
    else
      force_.through(g_[0], g_[0], g_[0]);
    force_.at(0.5, g_[1]);
    force_.at(1.0, g_[2]);
    change_of_end(force_);
    const bool look = ++steps_since_look_ >= steps_between_looks || contraction_ >= 1.0 || is_fresh_;
    const bool together = DampedSweep::is_needed(h, basis_);
    if (together) {
      damped_.prepare(h, basis_, half_, full_, is_new_basis_);
      is_new_basis_ = false;
    }
    double error = 0.0, before = 0.0;
    for (int sweeps = 0;; ++sweeps) {
      if (!sweep(h, together)) return failed;
      const double change = change_of_end(force_);
      if (!std::isfinite(change)) return failed;
      if (sweeps == 0 && !is_fresh_) {
        error = error_share * change;
        if (error > 1.0) return error;
      } else if (sweeps > 0) {
        contraction_ = before > 1e-6 ? std::min(change / before, 1.0) : 0.0;
        steps_since_look_ = 0;
        if (contraction_ > worst_contraction && change > 0.1) return held_up(error);
      }
      before = change;
      if (sweeps == 0 && look) continue;
      if (change * contraction_ <= 1.0 - contraction_) return is_fresh_ ? error_without_history() : error;
      if (sweeps == most_sweeps) return held_up(error);
    }
  }

  /// Power that is lost beyond the own damping of the oscillators, W: it does not oscillate as they do.
  double coupled_loss(const MotionPoint& point) {
    xi_rate_.noalias() = basis_.inverse() * point.rate;
    return point.dissipated - xi_rate_.cwiseAbs2().dot(basis_.damping());
  }

  /// Energy lost from the start of the step to its part tau, J.
  double loss(double tau, const ModalAnswer& answer) const {
    return step_ * lost_.sum(tau) + answer.dissipation(tau, start_speed_, force_, basis_);
  }

  void look_at_pace(double t) {
    if (counts_.steps % steps_between_pace_looks != 0) return;
    if (counts_.steps > 0) crawls_ = t - pace_time_ < shortest_pace * steps_between_pace_looks * duration_;
    pace_time_ = t;
  }

  /// Behind a start or a kink the prediction says nothing about the error; but a parabola that hardly differs from its
  /// chord does.
  double error_without_history() {
    chord_.through(g_[0], 0.5 * (g_[0] + g_[2]), g_[2]);
    return error_share * change_of_end(chord_);
  }

  /// The sweeps do not settle, or too slowly: a shorter step, whatever its error.
  double held_up(double error) {
    sweeps_failed_ = true;
    return std::max(2.0, error);
  }

  void accept(double h, double end, double error) {
    if (DampedSweep::is_needed(h, basis_)) put_points_on_polynomial();
    place(end, 1.0, full_, end_);
    supplied_.through(points_[0].supplied, points_[1].supplied, points_[2].supplied);
    lost_.through(coupled_loss(points_[0]), coupled_loss(points_[1]), coupled_loss(points_[2]));
    held_up_ += 0.02 * ((sweeps_failed_ ? 1.0 : 0.0) - held_up_);
    look_at_pace(end);
    sweeps_failed_ = false;
    step_ = h;
    has_step_ = true;
    is_fresh_ = false;
    time_ = end;
    ++counts_.steps;
    ++steps_of_basis_;
    basis_aged_ = !motion_.inertia(inertia_) || basis_.has_aged(inertia_) ||
                  (contraction_ > slow_contraction && steps_of_basis_ >= steps_between_looks);
    motion_.state(end_, work_ + h * supplied_.sum(1.0), dissipated_ + loss(1.0, full_), state_);
    double growth = std::clamp(careful * std::pow(std::max(error, 1e-8), -0.25), most_shrink, most_growth);
    if (growth > 1.0 && growth < least_growth) growth = 1.0;
    // A step cut short by the limit says little against a longer one.
    h_ = h < 0.99 * h_ ? std::max(h_, growth * h) : growth * h;
  }

  OdeSystem system_;
  SecondOrderSystem& motion_;
  double duration_, longest_, h_ = 0.0;  ///< of the run; longest step; next step, s

  MotionPoint start_, end_, dense_;       ///< of the step; the start is where x is zero
  std::array<MotionPoint, 3> points_;     ///< as evaluated at the nodes
  std::array<MotionPoint, 3> history_;    ///< those of the step before
  std::array<VectorX, 3> g_, history_g_;  ///< the forces on the oscillators there
  double step_ = 0.0, history_step_ = 0.0;
  bool has_step_ = false, has_history_ = false;
  bool is_fresh_ = true;  ///< nothing is known of how the forces change

  OscillatorMatrices matrices_;
  ModalBasis basis_;
  bool basis_aged_ = false, is_new_basis_ = true;
  int steps_of_basis_ = 0;
  MatrixX inertia_;
  VectorX weight_, speed_weight_, smallest_;  ///< of errors of the oscillators

  ForcePolynomial force_, chord_;
  ModalAnswer half_, full_, dense_answer_;
  DampedSweep damped_;
  std::array<VectorX, 2> found_;  ///< forces at the nodes, for it
  VectorX start_speed_, xi_, xi_rate_, last_xi_, last_rate_;
  double contraction_ = 1.0;
  int steps_since_look_ = 0;
  bool sweeps_failed_ = false, crawls_ = false;
  double pace_time_ = 0.0;
  double held_up_ = 0.0;            ///< share of the last fifty steps or so that the sweeps, not the error, made short
  NodePolynomial supplied_, lost_;  ///< powers, W; the losses without those of the oscillators themselves
  double work_ = 0.0, dissipated_ = 0.0;  ///< up to the start of the step, J
};

}  // namespace

std::unique_ptr<OdeIntegrator> make_exponential(const RunOptions& options, OdeSystem system) {
  return std::make_unique<Exponential>(options, std::move(system));
}

}  // namespace lithe::detail

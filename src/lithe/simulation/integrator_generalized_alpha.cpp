// Generalized-alpha for first-order systems (Jansen, Whiting, Hulbert 2000), fixed step, second order:
//   y'_{n+am} = f(t_n + af h, y_{n+af}),   y_{n+1} = y_n + h ((1 - g) y'_n + g y'_{n+1}),
//   am = (3 - r) / (2 (1 + r)),  af = 1 / (1 + r),  g = 1/2 + am - af,
// where r is the spectral radius at infinite frequency: r = 1 damps nothing, r = 0 kills what the step cannot resolve.

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "lithe/simulation/one_step_integrator.hpp"
#include "lithe/spatial/differences.hpp"

namespace lithe::detail {
namespace {

constexpr int max_iterations = 12;
constexpr double newton_tolerance = 1e-13;  ///< of the last change of y, relative to 1 + |y| + h |y'|
constexpr double slow_convergence = 0.3;    ///< ratio of changes beyond which the Jacobian is made anew

class GeneralizedAlpha : public OneStepIntegrator {
 public:
  GeneralizedAlpha(const RunOptions& options, OdeSystem system) : OneStepIntegrator(options, std::move(system)) {
    const double r = options.spectral_radius;
    am_ = (3.0 - r) / (2.0 * (1.0 + r));
    af_ = 1.0 / (1.0 + r);
    g_ = 0.5 + am_ - af_;
    const int n = system_.size;
    jacobian_.setZero(n, n);
    for (VectorX* vector : {&middle_, &f_, &shifted_, &f_shifted_}) vector->resize(n);
  }

  RunStatus start_at(double t, const VectorX& y) override {
    start(t, y);
    jacobian_known_ = false;
    return evaluate(t, state_, rate_) ? RunStatus() : give_up("the equations of motion cannot be evaluated");
  }

  RunStatus take_step(double limit) override {
    const double end = grid_.next(limit);
    return solve(time_, state_, rate_, end - time_) ? accept(end) : diverge();
  }

  RunStatus value_at(double t, VectorX& y) override {
    if (!solve(previous_time_, previous_, previous_rate_, t - previous_time_)) return diverge();
    y = next_;
    return {};
  }

 private:
  /// Newton's method for next_rate_, with the iteration matrix kept as long as it converges well.
  bool solve(double t, const VectorX& y, const VectorX& rate, double h) {
    const bool fresh = !jacobian_known_;
    if (fresh && !make_jacobian(t, y, rate)) return false;
    if (h != factored_step_) factorise(h);
    if (iterate(t, y, rate, h)) return true;
    if (fresh || !make_jacobian(t, y, rate)) return false;
    factorise(h);
    return iterate(t, y, rate, h);
  }

  bool iterate(double t, const VectorX& y, const VectorX& rate, double h) {
    next_rate_ = rate;
    double last_change = std::numeric_limits<double>::infinity();
    for (int i = 0; i < max_iterations; ++i) {
      next_ = y + h * ((1.0 - g_) * rate + g_ * next_rate_);
      middle_ = y + af_ * (next_ - y);
      if (!evaluate(t + af_ * h, middle_, f_)) return false;
      f_ -= (1.0 - am_) * rate + am_ * next_rate_;
      shifted_ = factor_.solve(f_);
      next_rate_ += shifted_;
      const double change = (h * g_ * shifted_.array() / (1.0 + next_.array().abs() + h * rate.array().abs()))
                                .matrix()
                                .lpNorm<Eigen::Infinity>();
      if (change < newton_tolerance || (i > 2 && change < 1e-11 && change > slow_convergence * last_change)) {
        next_ = y + h * ((1.0 - g_) * rate + g_ * next_rate_);
        return true;
      }
      if (!std::isfinite(change) || (i > 4 && change > slow_convergence * last_change)) return false;
      last_change = change;
    }
    return false;
  }

  bool make_jacobian(double t, const VectorX& y, const VectorX& rate) {
    ++counts_.jacobians;
    jacobian_known_ = system_.jacobian && system_.jacobian(t, y, jacobian_.leftCols(system_.controlled));
    if (jacobian_known_) {
      ++counts_.evaluations;
      jacobian_.rightCols(system_.size - system_.controlled).setZero();
      factored_step_ = 0.0;
      return true;
    }
    if (!evaluate(t, y, f_)) return false;
    const double root = std::sqrt(std::numeric_limits<double>::epsilon());
    const auto size = [&](Eigen::Index j) {
      return root * std::max({std::abs(y[j]), std::abs(options_.step * rate[j]), 1e-3});
    };
    shifted_ = y;
    if (!forward_differences(
            shifted_, size, f_, [&](VectorX& f) { return evaluate(t, shifted_, f); }, f_shifted_, jacobian_))
      return false;
    jacobian_known_ = true;
    factored_step_ = 0.0;
    return true;
  }

  void factorise(double h) {
    factor_.compute(am_ * MatrixX::Identity(system_.size, system_.size) - (af_ * g_ * h) * jacobian_);
    factored_step_ = h;
  }

  RunStatus diverge() const {
    return give_up("Newton's method of generalized-alpha does not converge; take a shorter step");
  }

  double am_ = 1.0, af_ = 1.0, g_ = 1.0;
  double factored_step_ = 0.0;
  bool jacobian_known_ = false;
  MatrixX jacobian_;
  Eigen::PartialPivLU<MatrixX> factor_;
  VectorX middle_, f_, shifted_, f_shifted_;
};

}  // namespace

std::unique_ptr<OdeIntegrator> make_generalized_alpha(const RunOptions& options, OdeSystem system) {
  return std::make_unique<GeneralizedAlpha>(options, std::move(system));
}

}  // namespace lithe::detail

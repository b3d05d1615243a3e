#pragma once
// Laws of time: how a coordinate is to move, or how a force is to act.

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "lithe/laws/expression.hpp"
#include "lithe/laws/progress.hpp"

namespace lithe {

struct ConstantLaw {
  double value = 0.0;
};

/// from + (to - from) (tau - sin(2 pi tau)/(2 pi)), tau = (t - start)/duration; at rest before and after.
struct CycloidLaw {
  double from = 0.0, to = 0.0, start = 0.0, duration = 1.0;
};

/// Lowest polynomial through `from` at `start` and `to` at start + duration with the given first derivatives at both
/// ends (element 0: rate, 1: acceleration, 2: jerk); held constant outside when all end rates are zero, else continued.
struct PolynomialLaw {
  double from = 0.0, to = 0.0, start = 0.0, duration = 1.0;
  std::vector<double> from_derivatives{0.0, 0.0}, to_derivatives{0.0, 0.0};
  std::vector<double> coefficients;  ///< in tau in [0,1], ascending; computed by make_polynomial
};
/// Throws std::invalid_argument when the duration is not positive.
PolynomialLaw make_polynomial(double from, double to, double start, double duration,
                              std::vector<double> from_derivatives, std::vector<double> to_derivatives);
/// c[0] + c[1] t + c[2] t^2 + ... for all t.
struct PolynomialCoefficients {
  std::vector<double> c;
};

/// Bernstein form on [start, start + duration]; constant outside. The first and last point are the end values; accurate
/// up to about 60 points.
struct BezierLaw {
  std::vector<double> points;
  double start = 0.0, duration = 1.0;
};

/// Samples with increasing t; hold: the value of the last sample, cubic: natural spline. Constant outside. At an inner
/// sample the derivatives are those of the interval that begins there.
struct TableLaw {
  enum class Interpolation { hold, linear, cubic };
  std::vector<double> t, y;
  Interpolation interpolation = Interpolation::linear;
  std::vector<double> second;  ///< second derivatives at the samples, cubic only; computed by make_table
  std::string file, column;    ///< where the samples came from, for messages
};
/// Throws std::invalid_argument when there is no sample, the lengths differ, or t does not increase.
TableLaw make_table(std::vector<double> t, std::vector<double> y, TableLaw::Interpolation interpolation);
Jet value_of(const TableLaw& law, double t);

struct ExpressionLaw {
  Expression expression;
};

/// From value to value, each time from rest to rest, one move after the other; at rest before, between and after.
struct MovesLaw {
  std::vector<double> values{0.0};  ///< one more than moves
  std::vector<Progress> moves;      ///< over |values[i + 1] - values[i]|, by rising time
};
/// How moves follow each other.
struct MoveOptions {
  MotionProfile profile = MotionProfile::quintic;
  MotionLimits limits;
  std::vector<double> durations;  ///< one per move, s; empty: as fast as the limits allow
  double start = 0.0;             ///< s
  double dwell = 0.0;             ///< rest between moves, s
};
/// Throws std::invalid_argument as Progress does, and without values.
MovesLaw make_moves(std::vector<double> values, const MoveOptions& options);
Jet value_of(const MovesLaw& law, double t);
/// The values at which a motion through all of them has to come to rest: the first, the last and where it turns round.
std::vector<double> turning_values(const std::vector<double>& values);

class Law;

/// One copy of a law: so much of it, so much later.
struct LateCopy {
  double delay = 0.0;  ///< s
  double amount = 1.0;
};
/// sum over i of amount_i command(t - delay_i), derivatives included: an input shaper.
struct ShapedLaw {
  std::shared_ptr<const Law> command;
  std::vector<LateCopy> copies;
  std::vector<double> kinks;  ///< breakpoints of the command
};
/// The average of a law over the last `window` seconds: its rate is a difference of values, its acceleration one of rates.
struct SmoothedLaw {
  std::shared_ptr<const Law> command;
  double window = 1.0;        ///< s
  std::vector<double> kinks;  ///< breakpoints of the command
};

/// A sum of elementary laws.
class Law {
 public:
  using Term = std::variant<ConstantLaw, CycloidLaw, PolynomialLaw, PolynomialCoefficients, BezierLaw, TableLaw,
                            ExpressionLaw, MovesLaw, ShapedLaw, SmoothedLaw>;
  Law() = default;
  /// A single term is a law.
  template <class T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, Law> && std::is_constructible_v<Term, T>)
      Law(T&& term) {  // NOLINT: implicit on purpose
    terms_.emplace_back(std::forward<T>(term));
  }
  void add(Term term) { terms_.push_back(std::move(term)); }

  Jet at(double t) const;
  bool empty() const { return terms_.empty(); }
  const std::vector<Term>& terms() const { return terms_; }

  /// Times at which the value or a derivative jumps (knots of hold and linear tables, ends of the others, phases of
  /// moves, kinks of expressions), ascending; adaptive integrators stop there.
  std::vector<double> breakpoints() const;

 private:
  std::vector<Term> terms_;
};

/// Throws std::invalid_argument without copies.
Law shaped_law(const Law& command, std::vector<LateCopy> copies);
/// Throws std::invalid_argument when the window is not positive.
Law smoothed_law(const Law& command, double window);

}  // namespace lithe

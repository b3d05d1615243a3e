#include "lithe/laws/expression.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>

#include "lithe/laws/jet.hpp"
#include "lithe/laws/operations.hpp"

namespace lithe {

namespace {

double sign_of(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }
Jet truth(bool condition) { return {condition ? 1.0 : 0.0, 0.0, 0.0}; }

Jet apply(Expression::Operation operation, const Jet& f) {
  using enum Expression::Operation;
  const double x = f.value;
  switch (operation) {
    case negate:
      return -f;
    case degrees:
      return f * Jet{std::numbers::pi / 180.0, 0.0, 0.0};
    case sin:
      return chain(f, std::sin(x), std::cos(x), -std::sin(x));
    case cos:
      return chain(f, std::cos(x), -std::sin(x), -std::cos(x));
    case tan: {
      const double y = std::tan(x), slope = 1.0 + y * y;
      return chain(f, y, slope, 2.0 * y * slope);
    }
    case asin: {
      const double slope = 1.0 / std::sqrt(1.0 - x * x);
      return chain(f, std::asin(x), slope, x * slope * slope * slope);
    }
    case acos: {
      const double slope = -1.0 / std::sqrt(1.0 - x * x);
      return chain(f, std::acos(x), slope, x * slope * slope * slope);
    }
    case atan: {
      const double slope = 1.0 / (1.0 + x * x);
      return chain(f, std::atan(x), slope, -2.0 * x * slope * slope);
    }
    case sinh:
      return chain(f, std::sinh(x), std::cosh(x), std::sinh(x));
    case cosh:
      return chain(f, std::cosh(x), std::sinh(x), std::cosh(x));
    case tanh: {
      const double y = std::tanh(x), slope = 1.0 - y * y;
      return chain(f, y, slope, -2.0 * y * slope);
    }
    case exp: {
      const double y = std::exp(x);
      return chain(f, y, y, y);
    }
    case log:
      return chain(f, std::log(x), 1.0 / x, -1.0 / (x * x));
    case sqrt: {
      const double y = std::sqrt(x);
      return chain(f, y, 0.5 / y, -0.25 / (x * y));
    }
    case abs:
      return chain(f, std::abs(x), sign_of(x), 0.0);
    case sign:
      return {sign_of(x), 0.0, 0.0};
    case floor:
      return {std::floor(x), 0.0, 0.0};
    case step:
      return truth(x >= 0.0);
    default:
      return f;
  }
}

Jet apply(Expression::Operation operation, const Jet& f, const Jet& g) {
  using enum Expression::Operation;
  switch (operation) {
    case add:
      return f + g;
    case subtract:
      return f - g;
    case multiply:
      return f * g;
    case divide:
      return f / g;
    case power:
      return lithe::pow(f, g);
    case atan2:
      return lithe::atan2(f, g);
    case min:
      return g.value < f.value ? g : f;
    case max:
      return g.value > f.value ? g : f;
    case less:
      return truth(f.value < g.value);
    case less_equal:
      return truth(f.value <= g.value);
    case greater:
      return truth(f.value > g.value);
    case greater_equal:
      return truth(f.value >= g.value);
    case equal:
      return truth(f.value == g.value);
    case not_equal:
      return truth(f.value != g.value);
    default:
      return f;
  }
}

/// offset + slope t, when a subexpression is that.
struct Line {
  double offset = 0.0, slope = 0.0;
};
using MaybeLine = std::optional<Line>;

/// Time at which the line passes through zero.
void note_crossing(const MaybeLine& line, std::vector<double>& times) {
  if (!line || line->slope == 0.0) return;
  const double t = -line->offset / line->slope;
  if (std::isfinite(t)) times.push_back(t);
}

MaybeLine difference(const MaybeLine& f, const MaybeLine& g) {
  if (!f || !g) return std::nullopt;
  return Line{f->offset - g->offset, f->slope - g->slope};
}

}  // namespace

Jet Expression::at(double t) const { return evaluate({&t, 1}, 1.0); }

Jet Expression::evaluate(std::span<const double> variables, double rate) const {
  // Left uninitialised: clearing the whole stack would cost more than a short program.
  alignas(Jet) std::byte storage[expression_stack * sizeof(Jet)];
  Jet* const stack = reinterpret_cast<Jet*>(storage);
  Jet* top = stack;  // one past the last value
  for (const Step& step : program_) {
    switch (operand_count(step.operation)) {
      case 0:
        if (step.operation == Operation::constant) {
          *top++ = Jet{step.number, 0.0, 0.0};
        } else {
          const auto place = static_cast<std::size_t>(step.number);
          *top++ = Jet{variables[place], place == 0 ? rate : 0.0, 0.0};
        }
        break;
      case 1:
        top[-1] = apply(step.operation, top[-1]);
        break;
      case 2:
        --top;
        top[-1] = apply(step.operation, top[-1], top[0]);
        break;
      default:  // choose: both branches were computed, the other one is dropped
        top -= 2;
        top[-1] = top[-1].value != 0.0 ? top[0] : top[1];
    }
  }
  return program_.empty() ? Jet{} : stack[0];
}

std::vector<double> Expression::breakpoints() const {
  using enum Operation;
  std::vector<double> times;
  std::vector<MaybeLine> stack;
  for (const Step& step : program_) {
    const auto count = static_cast<std::size_t>(operand_count(step.operation));
    MaybeLine operand[3];
    std::copy(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end(), operand);
    stack.resize(stack.size() - count);
    const MaybeLine &f = operand[0], &g = operand[1];
    const bool constants = std::all_of(operand, operand + count, [](const auto& o) { return o && o->slope == 0.0; });
    MaybeLine result;
    if (step.operation == variable) {
      result = Line{0.0, step.number == 0.0 ? 1.0 : 0.0};
    } else if (step.operation == constant) {
      result = Line{step.number, 0.0};
    } else if (constants && count == 1) {
      result = Line{apply(step.operation, Jet{f->offset, 0.0, 0.0}).value, 0.0};
    } else if (constants && count == 2) {
      result = Line{apply(step.operation, Jet{f->offset, 0.0, 0.0}, Jet{g->offset, 0.0, 0.0}).value, 0.0};
    } else {
      const double degree = std::numbers::pi / 180.0;
      switch (step.operation) {
        case negate:
          if (f) result = Line{-f->offset, -f->slope};
          break;
        case degrees:
          if (f) result = Line{f->offset * degree, f->slope * degree};
          break;
        case add:
          if (f && g) result = Line{f->offset + g->offset, f->slope + g->slope};
          break;
        case subtract:
          result = difference(f, g);
          break;
        case multiply:
          if (f && g && f->slope == 0.0) result = Line{f->offset * g->offset, f->offset * g->slope};
          if (f && g && g->slope == 0.0) result = Line{f->offset * g->offset, f->slope * g->offset};
          break;
        case divide:
          if (f && g && g->slope == 0.0) result = Line{f->offset / g->offset, f->slope / g->offset};
          break;
        case abs:
        case sign:
        case Operation::step:
          note_crossing(f, times);
          break;
        case min:
        case max:
        case less:
        case less_equal:
        case greater:
        case greater_equal:
        case equal:
        case not_equal:
          note_crossing(difference(f, g), times);
          break;
        default:
          break;
      }
    }
    stack.push_back(result);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace lithe

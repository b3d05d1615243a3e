#pragma once
// A number that counts what is done with it. Signs and copies are free, as operation counts in the literature have it.

#include <Eigen/Core>
#include <cmath>

namespace lithe {

struct OperationCount {
  long products = 0, sums = 0;
  long divisions = 0;  ///< and square roots
  long functions = 0;  ///< sines, cosines and their inverses

  /// What an arithmetic unit does: products, sums, divisions.
  long flops() const { return products + sums + divisions; }
};

inline OperationCount operator-(const OperationCount& a, const OperationCount& b) {
  return {a.products - b.products, a.sums - b.sums, a.divisions - b.divisions, a.functions - b.functions};
}

class Counted {
 public:
  Counted(double value = 0.0) : value_(value) {}  // NOLINT: constants are written as plain numbers
  double value() const { return value_; }

  /// What this thread has done with such numbers so far.
  static OperationCount& tally() {
    static thread_local OperationCount count;
    return count;
  }

  Counted operator-() const { return -value_; }
  friend Counted operator*(const Counted& a, const Counted& b) {
    ++tally().products;
    return a.value_ * b.value_;
  }
  friend Counted operator/(const Counted& a, const Counted& b) {
    ++tally().divisions;
    return a.value_ / b.value_;
  }
  friend Counted operator+(const Counted& a, const Counted& b) {
    ++tally().sums;
    return a.value_ + b.value_;
  }
  friend Counted operator-(const Counted& a, const Counted& b) {
    ++tally().sums;
    return a.value_ - b.value_;
  }
  Counted& operator+=(const Counted& other) { return *this = *this + other; }
  Counted& operator-=(const Counted& other) { return *this = *this - other; }
  Counted& operator*=(const Counted& other) { return *this = *this * other; }
  Counted& operator/=(const Counted& other) { return *this = *this / other; }
  friend bool operator==(const Counted& a, const Counted& b) { return a.value_ == b.value_; }

  friend Counted sqrt(const Counted& a) {
    ++tally().divisions;
    return std::sqrt(a.value_);
  }
  friend Counted atan2(const Counted& y, const Counted& x) {
    ++tally().functions;
    return std::atan2(y.value_, x.value_);
  }
  struct SineCosine {
    double sine, cosine;
  };
  friend SineCosine sine_cosine(const Counted& angle) {
    tally().functions += 2;
    return {std::sin(angle.value_), std::cos(angle.value_)};
  }

 private:
  double value_;
};

}  // namespace lithe

template <>
struct Eigen::NumTraits<lithe::Counted> : Eigen::GenericNumTraits<double> {
  using Real = lithe::Counted;
  using NonInteger = lithe::Counted;
  using Nested = lithe::Counted;
  using Literal = lithe::Counted;
  enum {
    IsInteger = 0,
    IsSigned = 1,
    IsComplex = 0,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};

#pragma once
// A number that counts what is done with it: products and sums, as operation counts in the literature take them. Signs,
// copies and doubling are free.

#include <Eigen/Core>

namespace lithe::reproduce {

struct OperationCount {
  long products = 0, sums = 0;
};

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
  friend bool operator==(const Counted& a, const Counted& b) { return a.value_ == b.value_; }

 private:
  double value_;
};

inline double plain(double x) { return x; }
inline double plain(const Counted& x) { return x.value(); }
inline double twice(double x) { return 2.0 * x; }
inline Counted twice(const Counted& x) { return 2.0 * x.value(); }

}  // namespace lithe::reproduce

template <>
struct Eigen::NumTraits<lithe::reproduce::Counted> : Eigen::GenericNumTraits<double> {
  using Real = lithe::reproduce::Counted;
  using NonInteger = lithe::reproduce::Counted;
  using Nested = lithe::reproduce::Counted;
  using Literal = lithe::reproduce::Counted;
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

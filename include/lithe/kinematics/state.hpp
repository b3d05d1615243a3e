#pragma once
// The state of a mechanism and the room in which it is evaluated.

#include <limits>
#include <memory>
#include <string>

#include "lithe/mechanism/plan.hpp"

namespace lithe {

/// Coordinates and speeds of all tree joints; both satisfy the closures after assembly.
struct State {
  double t = 0.0;
  VectorX q;  ///< Plan::nq()
  VectorX v;  ///< Plan::nv()
  VectorX x;  ///< states of machine elements (currents, pressures), in their order; may be empty where nobody asks
};

/// How an evaluation ended. No exception leaves an evaluation; the caller turns this into a message.
struct Status {
  enum class Code {
    ok,
    singular_closure,  ///< the independent speeds no longer determine the others; `index`: Plan::closure_name()
    singular_inertia,  ///< the generalised inertia matrix is not positive definite; `index` = speed
    not_assembled,     ///< Newton's method found no assembly; `index`: the closure with the largest error
    not_finite,        ///< a coordinate or speed is not a finite number
    not_applicable,    ///< the formulation does not fit this mechanism
    stress_diverged    ///< accelerations and axial forces of stiffening 'stress' do not agree; `index` = link
  };
  Code code = Code::ok;
  int index = -1;
  double condition = 0.0;  ///< condition number or remaining error, as the code says
  explicit operator bool() const { return code == Code::ok; }
};

/// One sentence that names the loop or joint: "loop 'a, b, c' is singular at t = 0.47 s (condition number 3e9)".
std::string describe(const Plan& plan, const Status& status, double t);

enum class Arithmetic { automatic, spatial };

namespace detail {
struct Scratch;
}

/// All memory that evaluations need, allocated once; one per thread. Also keeps the current independent set.
class Workspace {
 public:
  explicit Workspace(const Plan& plan, Arithmetic arithmetic = Arithmetic::automatic);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  bool uses_planar_arithmetic() const;

  /// Indices of the independent speeds in State::v, ascending; empty before the first select_independent().
  const std::vector<int>& independent() const;
  const std::vector<int>& dependent() const;
  /// Indices of Plan::closure_rows() that are implied by the others at the pose of the last selection.
  const std::vector<int>& redundant_rows() const;

  detail::Scratch& scratch() { return *scratch_; }
  const detail::Scratch& scratch() const { return *scratch_; }

 private:
  std::unique_ptr<detail::Scratch> scratch_;
};

}  // namespace lithe

#pragma once
// What motors do from row to row: the columns of `record: [motors]`, the sizing summary of the audit, and how long they
// were at their limits. All from the rows, so that it costs nothing between them.

#include <optional>
#include <string>
#include <vector>

#include "lithe/dynamics/actions.hpp"
#include "lithe/dynamics/elements.hpp"
#include "lithe/simulation/motor_set.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::detail {

class MotorDuties {
 public:
  /// `rigid_gears`: as in MotorSet.
  MotorDuties(const Model& model, const Plan& plan, bool rigid_gears);

  /// Names of columns and their values. Motors on a law of voltage are elements and recorded as such, or here.
  std::vector<std::string> columns(bool with_elements) const;
  void put(bool with_elements, std::vector<double>& values) const;

  bool uses_cut_speeds() const;

  /// One row. `elements` are the recorded values of the elements.
  void look(double t, const VectorX& v, const VectorX& cut_v, const VectorX& tau, const VectorX& elements);

  /// Sizing summary and warnings about limits.
  void judge(Audit& audit) const;

 private:
  /// A motor, or an actuated speed without one, over time.
  struct Watched {
    std::string name;
    std::optional<Motor> motor;  ///< on drives, or of an element
    bool imposed = false;        ///< follows its law whatever that needs
    int speed = -1;              ///< in [v; cut speeds]
    int values = -1;             ///< of a motor on voltage: where its columns begin among those of the elements
    MotorInstant now, before;
    MotorDuty sums;            ///< `rms_torque` holds the integral of its square until judge()
    double first_limit = 0.0;  ///< s
    double limit_seconds = 0.0;
    bool at_limit = false, was_at_limit = false, ever_at_limit = false;
    double worst_need = 0.0;  ///< N m, beyond what the motor has
  };

  MotorInstant instant(const Watched& each, const VectorX& v, const VectorX& cut_v, const VectorX& tau,
                       const VectorX& elements) const;
  static void judge_limits(Watched& each);
  static const Motor* recorded(const Watched& each, bool with_elements);

  std::vector<Watched> watched_;
  int nv_ = 0;
  double first_ = 0.0, last_ = 0.0;  ///< times of the first and the last row, s
  bool begun_ = false;
};

}  // namespace lithe::detail

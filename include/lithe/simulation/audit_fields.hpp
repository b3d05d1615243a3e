#pragma once
// The numbers of an Audit by name: results on disk, JSON and Python all take them from here.

#include <string_view>

#include "lithe/simulation/simulate.hpp"

namespace lithe {

template <class Number>
struct AuditField {
  const char* name;
  Number Audit::*field;
  const char* meaning;
};

inline constexpr AuditField<long> audit_counts[] = {
    {"steps", &Audit::steps, "Accepted steps."},
    {"rejected", &Audit::rejected, "Rejected steps."},
    {"evaluations", &Audit::evaluations, "Evaluations of the equations of motion."},
    {"jacobians", &Audit::jacobians, "Jacobians of implicit integrators."},
    {"records", &Audit::records, "Recorded rows."},
    {"projections", &Audit::projections, "Projections onto the closures."},
    {"set_changes", &Audit::set_changes, "Changes of the independent set."},
};

inline constexpr AuditField<double> audit_numbers[] = {
    {"t_end", &Audit::t_end, "Time reached (s)."},
    {"worst_closure", &Audit::worst_closure, "Largest closure equation after a step (m or 1)."},
    {"energy_error", &Audit::energy_error, "Worst imbalance of energy, work and dissipation (J)."},
    {"energy_scale", &Audit::energy_scale, "Largest energy exchanged (J)."},
    {"worst_condition", &Audit::worst_condition, "Worst condition number of the closures."},
    {"worst_residual", &Audit::worst_residual, "Inverse dynamics: what the motors cannot supply."},
    {"wall_seconds", &Audit::wall_seconds, "Duration of the run (s)."},
};

struct MotorDutyField {
  const char* name;
  double MotorDuty::*field;
  const char* meaning;
};

inline constexpr MotorDutyField motor_duty_fields[] = {
    {"peak_torque", &MotorDuty::peak_torque, "Largest torque (N m), motor side."},
    {"rms_torque", &MotorDuty::rms_torque, "Root mean square of the torque (N m): what heats the motor."},
    {"peak_speed", &MotorDuty::peak_speed, "Largest speed (rad/s), motor side."},
    {"peak_power", &MotorDuty::peak_power, "Largest power of the shaft (W), driving or braking."},
    {"mean_power", &MotorDuty::mean_power, "Mean power of the shaft (W)."},
    {"energy", &MotorDuty::energy, "Energy given by the shaft, less what it took (J)."},
    {"loss", &MotorDuty::loss, "Energy lost in windings and gear (J)."},
};

}  // namespace lithe

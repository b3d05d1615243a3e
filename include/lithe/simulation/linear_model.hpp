#pragma once
// A linear model in state-space form about an operating point:
//
//   d/dt dx = A dx + B du,   dy = C dx + D du
//
// x: independent coordinates, then their speeds, then the states of controllers in continuous time. u: motor forces and components of loads. y: recorded quantities.

#include "lithe/control/state_space.hpp"
#include "lithe/simulation/operating_point.hpp"

namespace lithe {

struct LinearModel {
  struct Signal {
    std::string name;    ///< x: q.JOINT, q.LINK.e1, turn.JOINT.k (part of a rotation in space), v.JOINT, ...
                         ///< u: tau.JOINT, load.NAME.force.x, load.NAME.moment.z, load.NAME.end.y; y: as recorded
    std::string unit;    ///< empty when it is not known
    double value = 0.0;  ///< at the operating point
  };
  double t = 0.0;  ///< of the operating point, s
  std::vector<Signal> states, inputs, outputs;
  MatrixX A, B, C, D;
  VectorX rates;  ///< d/dt x at the operating point; zero at an equilibrium
  std::vector<std::complex<double>> poles;
};

/// `outputs`: names of recorded quantities, * stands for any letters; empty: all that the model records and that follow
/// from the state (not energies exchanged so far). Load components that never act on a mechanism in
/// a plane are left out.
/// Throws MechanismError for a name that fits nothing.
LinearModel linear_model(OperatingPoint& point, const std::vector<std::string>& outputs = {});

/// The same as a linear system, for lithe/control.
StateSpace state_space(const LinearModel& linear);

/// Which states are amplitudes of elastic links and their rates: the fast ones of a stiff mechanism.
std::vector<int> elastic_states(const OperatingPoint& point);

}  // namespace lithe

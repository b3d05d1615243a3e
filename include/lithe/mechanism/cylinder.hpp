#pragma once
// A hydraulic (or any linear) cylinder between two frames: a tube that is pinned to the one, a rod that is pinned to the
// other, and a slide between them. Its name is that of the slide, whose coordinate is the extension: 0 when it is
// retracted, `stroke` when it is fully out. The distance between the pins is closed + extension.

#include <optional>
#include <string>

#include "lithe/laws/law.hpp"
#include "lithe/mechanism/mechanism.hpp"

namespace lithe {

/// Four edges of a valve, each with flow = opening (flow) sqrt(pressure difference / drop). Opening 1 connects the bore
/// side with the supply and the rod side with the tank, -1 the other way round, 0 closes all.
struct ValveData {
  double flow = 0.0;  ///< of one edge, fully open, at `drop`, m^3/s
  double drop = 0.0;  ///< Pa
  Law opening;        ///< -1 to 1
};

/// Oil in both chambers. With bulk modulus K the density grows as exp(p/K): p' = K (flow - volume') / volume.
struct OilData {
  double bulk = 1.4e9;                       ///< Pa
  double dead = 0.0;                         ///< volume of each chamber beyond what the piston displaces, m^3
  double supply = 0.0, tank = 0.0;           ///< pressures, Pa
  double leak = 0.0;                         ///< past the piston, from the bore side to the rod side, m^3/(s Pa)
  double bore_start = 0.0, rod_start = 0.0;  ///< pressures at the start, Pa
  std::optional<ValveData> valve;
  /// Without a valve: flow into the bore side at its pressure, m^3/s; the rod side gives its share by the areas back.
  Law flow;
};

struct Cylinder {
  std::string name;
  FrameRef from, to;         ///< tube end and rod end
  std::optional<Vec3> pins;  ///< axis of both pins, unit vector in the axes of `from`. None: universal and spherical.
  double closed = 0.0;       ///< between the pins when retracted, m
  double stroke = 0.0;       ///< m
  double bore = 0.0, rod = 0.0, tube = 0.0;         ///< diameters: inside of the tube, rod, outside of the tube, m
  double tube_mass = 0.0, rod_mass = 0.0;           ///< kg
  double damping = 0.0;                             ///< viscous friction of the slide, N s/m
  double stop_stiffness = 0.0, stop_damping = 0.0;  ///< at both ends of the stroke, N/m, N s/m; 0: hard ends
  std::optional<OilData> oil;

  double bore_area() const;  ///< m^2
  double rod_area() const;   ///< of the ring around the rod, m^2
};

/// Adds links NAME.tube and NAME.rod, the joints NAME (slide), NAME.base and NAME.head (pins) and, with oil, its
/// element. The links lie along x of their axes; the rod's origin is its pin. Returns the index of the slide.
int add_cylinder(Mechanism& mechanism, const Cylinder& cylinder);

/// Turns tube and rod of a cylinder that has been added such that its pins stand at zero where its ends are at `from`
/// and `to` (ground axes): that is how it is assembled. Returns the extension there. Throws MechanismError.
double place_cylinder(Mechanism& mechanism, const Cylinder& cylinder, const Pose& from, const Pose& to);

/// Mass of a steel (7850 kg/m^3) tube and rod of the length `closed`, kg.
double steel_tube_mass(const Cylinder& cylinder);
double steel_rod_mass(const Cylinder& cylinder);

}  // namespace lithe

#include "lithe/mechanism/oil_cylinder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lithe {
namespace {

/// Pressure difference below which a valve's edge is laminar, Pa: the root has no slope at zero.
constexpr double laminar = 1e3;
/// Part of a chamber's whole volume that is left however far the piston goes.
constexpr double smallest_share = 1e-3;

/// sqrt(difference) with its sign, smooth at zero.
double signed_root(double difference) {
  return difference / std::sqrt(std::sqrt(difference * difference + laminar * laminar));
}

/// What crosses a chamber's edge.
struct Stream {
  double mass = 0.0;      ///< into the chamber, m^3/s at pressure zero
  double supplied = 0.0;  ///< W, from outside
  double lost = 0.0;      ///< W, in the edge
};

}  // namespace

OilCylinder::OilCylinder(const Cylinder& cylinder, CoordinateRef slide)
    : Element("cylinder", cylinder.name),
      oil_(cylinder.oil.value()),
      slide_(slide),
      bore_area_(cylinder.bore_area()),
      rod_area_(cylinder.rod_area()),
      stroke_(cylinder.stroke) {}

std::vector<double> OilCylinder::breakpoints() const {
  return oil_.valve ? oil_.valve->opening.breakpoints() : oil_.flow.breakpoints();
}

void OilCylinder::check(const Mechanism& /*mechanism*/) const {
  const auto fail = [&](const char* why) {
    throw MechanismError(name(), fmt::format("cylinder '{}': {}", name(), why));
  };
  if (!(bore_area_ > 0.0) || !(rod_area_ > 0.0) || !(stroke_ > 0.0))
    fail("oil needs a bore, a thinner rod and a stroke");
  if (!(oil_.bulk > 0.0) || !(oil_.dead > 0.0)) fail("the bulk modulus and the dead volume must be positive");
  if (!(oil_.leak >= 0.0)) fail("the leak must not be negative");
  if (oil_.valve && (!(oil_.valve->flow > 0.0) || !(oil_.valve->drop > 0.0)))
    fail("flow and pressure drop of the valve must be positive");
}

void OilCylinder::act(const ElementMotion& motion, ElementAnswer& answer) const {
  const double x = motion.q[0], v = motion.v[0], bulk = oil_.bulk;
  const double pressure[] = {motion.x[0], motion.x[1]}, area[] = {bore_area_, rod_area_};
  const double least = smallest_share * (oil_.dead + bore_area_ * stroke_);
  const double volume[] = {std::max(oil_.dead + bore_area_ * x, least),
                           std::max(oil_.dead + rod_area_ * (stroke_ - x), least)};
  const auto enthalpy = [&](double p) { return -bulk * std::expm1(-p / bulk); };
  const auto density = [&](double p) { return std::exp(p / bulk); };

  Stream streams[2];
  // An edge between a chamber and a line of constant pressure; flow is counted in the denser, upstream oil.
  const auto edge = [&](int chamber, double line, double opening) {
    const double p = pressure[chamber];
    const double flow = opening * oil_.valve->flow * signed_root(line - p) / std::sqrt(oil_.valve->drop);
    const double mass = flow * density(std::max(p, line));
    streams[chamber] = {mass, mass * enthalpy(line), mass * (enthalpy(line) - enthalpy(p))};
  };
  if (oil_.valve) {
    const double opening = std::clamp(oil_.valve->opening.at(motion.t).value, -1.0, 1.0);
    edge(0, opening > 0.0 ? oil_.supply : oil_.tank, std::abs(opening));
    edge(1, opening > 0.0 ? oil_.tank : oil_.supply, std::abs(opening));
  } else if (!oil_.flow.empty()) {
    const double flow = oil_.flow.at(motion.t).value;
    for (int k = 0; k < 2; ++k) {
      const double mass = (k == 0 ? flow : -flow * rod_area_ / bore_area_) * density(pressure[k]);
      streams[k] = {mass, mass * enthalpy(pressure[k]), 0.0};
    }
  }
  const double leak = oil_.leak * (pressure[0] - pressure[1]) * density(std::max(pressure[0], pressure[1]));
  answer.lost = leak * (enthalpy(pressure[0]) - enthalpy(pressure[1]));
  streams[0].mass -= leak;
  streams[1].mass += leak;

  for (int k = 0; k < 2; ++k) {
    const double growing = k == 0 ? area[0] * v : -area[1] * v;
    answer.rates[k] = bulk * (streams[k].mass / density(pressure[k]) - growing) / volume[k];
    answer.stored += volume[k] * (bulk * std::expm1(pressure[k] / bulk) - pressure[k]);
    answer.supplied += streams[k].supplied;
    answer.lost += streams[k].lost;
  }
  const double force = pressure[0] * area[0] - pressure[1] * area[1];
  answer.forces[0] = force;
  const double values[] = {force, pressure[0], pressure[1], streams[0].mass / density(pressure[0])};
  std::copy(std::begin(values), std::end(values), answer.values.begin());
}

}  // namespace lithe

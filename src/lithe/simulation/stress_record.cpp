#include "lithe/simulation/stress_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lithe::detail {

namespace {

/// Largest over the fibres of a section, Pa.
struct SectionStress {
  double axial = 0.0;  ///< with its sign
  double bending = 0.0, shear = 0.0, torsion = 0.0;
};

SectionStress parts_of(const std::vector<Fibre>& fibres, const SectionForce& forces) {
  SectionStress s;
  s.axial = fibres.front().per_force[0] * forces[0];
  for (const Fibre& fibre : fibres) {
    const double torsion = fibre.per_force[3] * forces[3];
    s.bending = std::max(s.bending, std::abs(fibre.normal(forces) - s.axial));
    s.torsion = std::max(s.torsion, std::abs(torsion));
    s.shear = std::max(s.shear, std::abs(fibre.shear(forces) - torsion));
  }
  return s;
}

}  // namespace

std::string place_name(const SectionForces& place) {
  std::string name = place.name;
  std::erase(name, ' ');
  return name;
}

StressRecord::StressRecord(const RecordOptions& options, const Plan& plan) : options_(options), plan_(plan) {
  const std::vector<LinkData>& links = plan.mechanism().links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::vector<SectionForces>& places = links[i].elastic.section_forces;
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (!places[k].stress) continue;
      Place place{static_cast<int>(i), static_cast<int>(k), &places[k], 0.0, 0.0, {}};
      if (places[k].stress->strength.fatigue) place.fibres.resize(places[k].stress->fibres.size());
      places_.push_back(std::move(place));
    }
  }
}

void StressRecord::add_columns(std::vector<std::string>& columns) const {
  for (const Place& place : places_) {
    const std::string name =
        fmt::format("stress.{}.{}", plan_.mechanism().links[place.link].name, place_name(*place.data));
    if (options_.stress) columns.push_back(name);
    if (!options_.stress_parts) continue;
    for (const char* part : {"axial", "bending", "shear", "torsion"}) columns.push_back(name + "." + part);
  }
}

void StressRecord::put(double t, const SectionRecovery& recovery, std::vector<double>& values) {
  if (!has_rows_) first_time_ = t;
  has_rows_ = true;
  last_time_ = t;
  for (Place& place : places_) {
    const SectionForce forces = recovery.forces(place.link, place.number);
    const StressSection& section = *place.data->stress;
    const bool counts = !place.fibres.empty() && forces.allFinite();  // of what is not finite the recorder complains
    double largest = 0.0;                                             // square of the von Mises stress
    for (std::size_t i = 0; i < section.fibres.size(); ++i) {
      const double normal = section.fibres[i].normal(forces), along = section.fibres[i].shear(forces);
      const double bent = normal * normal, sheared = 3 * along * along;
      largest = std::max(largest, bent + sheared);
      if (!counts) continue;
      // Cycles are counted of the stress with the sign of the larger of its two parts.
      Counted& fibre = place.fibres[i];
      fibre.counter.push(
          std::copysign(std::sqrt(bent + sheared), bent >= sheared ? normal : along),
          [&](const RainflowCycle& cycle) { fibre.damage += cycle_damage(cycle, *section.strength.fatigue); });
    }
    const double mises = std::sqrt(largest);
    if (mises > place.peak) {
      place.peak = mises;
      place.time = t;
    }
    if (options_.stress) values.push_back(mises);
    if (!options_.stress_parts) continue;
    const SectionStress parts = parts_of(section.fibres, forces);
    for (const double part : {parts.axial, parts.bending, parts.shear, parts.torsion}) values.push_back(part);
  }
}

/// With the half cycles that are open at the end.
double StressRecord::total_damage(const Counted& fibre, const SnLine& line) {
  Counted ended = fibre;
  ended.counter.finish([&](const RainflowCycle& cycle) { ended.damage += cycle_damage(cycle, line); });
  return ended.damage;
}

void StressRecord::judge_place(const Place& place, LinkStress& link) {
  const Strength& strength = place.data->stress->strength;
  if (link.place.empty() || place.peak > link.peak) {
    link.peak = place.peak;
    link.place = place.data->name;
    link.time = place.time;
  }
  if (strength.yield > 0)
    link.safety = std::min(link.safety.value_or(std::numeric_limits<double>::infinity()), strength.yield / place.peak);
  for (const Counted& fibre : place.fibres) {
    const double damage = total_damage(fibre, *strength.fatigue);
    if (damage > link.damage.value_or(0.0)) link.damaged = place.data->name;
    link.damage = std::max(link.damage.value_or(0.0), damage);
  }
}

void StressRecord::judge(Audit& audit) const {
  if (!has_rows_) return;
  for (const Place& place : places_) judge_place(place, audit.stress[plan_.mechanism().links[place.link].name]);
  for (auto& [name, link] : audit.stress) {
    if (link.damage) link.life = (last_time_ - first_time_) / *link.damage;
    if (!link.safety || *link.safety >= 1.0) continue;
    audit.warnings.push_back(fmt::format(
        "link '{}': its stress is {:.3g} times the yield stress (largest {:.4g} MPa at {}, t = {:.6g} s). The "
        "material yields there, which elastic links do not; enlarge the section, or take another material",
        name, 1.0 / *link.safety, link.peak / 1e6, link.place, link.time));
  }
}

}  // namespace lithe::detail

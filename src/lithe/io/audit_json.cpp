#include <nlohmann/json.hpp>

#include "lithe/io/json_text.hpp"
#include "lithe/io/results.hpp"
#include "lithe/simulation/audit_fields.hpp"

namespace lithe {

std::string audit_json(const Audit& audit) {
  nlohmann::ordered_json json;
  json["integrator"] = audit.integrator;
  for (const auto& [name, field, meaning] : audit_counts) json[name] = audit.*field;
  for (const auto& [name, field, meaning] : audit_numbers) json[name] = audit.*field;
  json["events"] = nlohmann::ordered_json::array();
  for (const RunEvent& event : audit.events) json["events"].push_back({{"t", event.t}, {"what", event.what}});
  json["motors"] = nlohmann::ordered_json::object();
  for (const auto& [motor, duty] : audit.motors)
    for (const auto& [name, field, meaning] : motor_duty_fields) json["motors"][motor][name] = duty.*field;
  json["bending"] = audit.bending;
  json["stress"] = nlohmann::ordered_json::object();
  for (const auto& [name, link] : audit.stress) {
    nlohmann::ordered_json& entry =
        json["stress"][name] = {{"peak", link.peak}, {"place", link.place}, {"time", link.time}};
    if (link.safety) entry["safety"] = *link.safety;
    if (!link.damage) continue;
    entry["damage"] = *link.damage;
    entry["damaged"] = link.damaged;
    entry["life"] = link.life.value_or(0.0);
  }
  json["time_split"] = audit.time_split;
  json["notes"] = audit.notes;
  json["warnings"] = audit.warnings;
  json["distrust"] = audit.distrust;
  json["trusted"] = audit.trusted();
  return detail::json_text(json);
}

}  // namespace lithe

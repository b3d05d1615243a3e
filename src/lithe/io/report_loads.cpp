#include "lithe/io/report_loads.hpp"

#include <algorithm>

#include "lithe/io/report_numbers.hpp"

namespace lithe::detail {
namespace {

using Json = nlohmann::ordered_json;

/// Three laws at the times of the rows.
std::vector<float> triples(const Law (&laws)[3], const Results& results, const std::vector<std::size_t>& rows) {
  std::vector<float> values;
  for (const std::size_t row : rows)
    for (const Law& law : laws) values.push_back(static_cast<float>(law.at(results.at(row, 0)).value));
  return values;
}

bool is_zero(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return value == 0.0F; });
}

}  // namespace

void draw_loads(const Model& model, const Results& results, const std::vector<std::size_t>& rows, Json& scene) {
  Json loads = Json::array();
  for (std::size_t k = 0; k < model.loads.size() && k < model.mechanism.loads.size(); ++k) {
    const LoadPort& port = model.mechanism.loads[k];
    const std::vector<float> force = triples(model.loads[k].force, results, rows),
                             moment = triples(model.loads[k].moment, results, rows);
    if (is_zero(force) && is_zero(moment)) continue;
    const Json& frame = scene.at("links").at(port.at.link).at("frames").at(port.at.frame);
    Json load{{"name", port.name}, {"at", {port.at.link, frame.at("point")}}};
    if (!is_zero(force)) load["force"] = packed(force);
    if (!is_zero(moment)) load["moment"] = packed(moment);
    if (port.in_frame_axes) {
      const Quat axes(model.mechanism.links[port.at.link].frames[port.at.frame].pose.rotation);
      load["axes"] = {axes.w(), axes.x(), axes.y(), axes.z()};
    }
    loads.push_back(std::move(load));
  }
  if (!loads.empty()) scene["loads"] = std::move(loads);
}

}  // namespace lithe::detail

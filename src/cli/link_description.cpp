#include "link_description.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lithe/links/mode_table.hpp"
#include "mechanism_description.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

nlohmann::json vector_json(const Vec3& vector) { return {vector.x(), vector.y(), vector.z()}; }

const char* name_of(Stiffening stiffening) {
  switch (stiffening) {
    case Stiffening::off:
      return "off";
    case Stiffening::consistent:
      return "on";
    case Stiffening::stress:
      return "stress";
  }
  return "";
}

std::string percent(double fraction) { return fraction < 5e-5 ? "-" : fmt::format("{:.2f} %", 100 * fraction); }

}  // namespace

LinkOrigin origin_of(const Model& model, std::size_t link) {
  return link < model.origins.size() ? model.origins[link] : LinkOrigin{};
}

nlohmann::json link_as_json(const LinkData& link, const LinkOrigin& origin) {
  nlohmann::json inertia = nlohmann::json::array(), frames = nlohmann::json::array();
  for (int row = 0; row < 3; ++row) inertia.push_back(vector_json(link.inertia.row(row).transpose()));
  for (const Frame& frame : link.frames) frames.push_back(frame.name);
  nlohmann::json answer = {{"name", link.name},
                           {"kind", origin.kind},
                           {"mass", link.mass},
                           {"centre", vector_json(link.centre)},
                           {"inertia", inertia},
                           {"frames", frames},
                           {"elastic_coordinates", link.elastic.count()}};
  if (link.elastic.count() == 0) return answer;
  answer["elements"] = origin.elements;
  answer["coordinates"] = origin.coordinates;
  answer["reference"] = origin.reference;
  if (!origin.choice.empty()) answer["automatic"] = {{"choice", origin.choice}, {"band", origin.band}};
  answer["stiffening"] = name_of(link.elastic.stiffening);
  answer["buckling_load"] =
      std::isfinite(origin.buckling_load) ? nlohmann::json(origin.buckling_load) : nlohmann::json(nullptr);
  answer["coordinate_names"] = link.elastic.names;
  answer["modes"] = nlohmann::json::array();
  for (const LinkMode& mode : mode_table(link)) {
    answer["modes"].push_back({{"name", mode.name},
                               {"type", mode.name.substr(0, mode.name.rfind(' '))},
                               {"frequency", mode.frequency},
                               {"damping", mode.damping},
                               {"mass_fraction", vector_json(mode.mass_fraction)},
                               {"inertia_fraction", vector_json(mode.inertia_fraction)}});
  }
  return answer;
}

std::string elastic_text(const LinkData& link, const LinkOrigin& origin) {
  std::string text = fmt::format("{}, {} elements, {} coordinates reduced to {}", origin.kind, origin.elements,
                                 origin.coordinates, link.elastic.count());
  if (!origin.reference.empty()) text += fmt::format(", {} reference", origin.reference);
  text += fmt::format(", stiffening {}", name_of(link.elastic.stiffening));
  if (std::isfinite(origin.buckling_load)) text += fmt::format(", buckles at {} N", number(origin.buckling_load, 5));
  return text;
}

void print_modes(const LinkData& link) {
  Table table(
      {"mode", "frequency (Hz)", "damping", "mass x", "mass y", "mass z", "inertia x", "inertia y", "inertia z"},
      "lrrrrrrrr");
  for (const LinkMode& mode : mode_table(link)) {
    std::vector<std::string> row{mode.name, number(mode.frequency, 6), number(mode.damping, 3)};
    for (int a = 0; a < 3; ++a) row.push_back(percent(mode.mass_fraction[a]));
    for (int a = 0; a < 3; ++a) row.push_back(percent(mode.inertia_fraction[a]));
    table.add(std::move(row));
  }
  table.print();
}

std::string inertia_text(const Mat3& inertia) {
  const Vec3 diagonal = inertia.diagonal();
  const Vec3 products(inertia(0, 1), inertia(0, 2), inertia(1, 2));
  const bool is_diagonal = products.norm() <= 1e-14 * diagonal.norm();
  return is_diagonal ? text_of(diagonal) : fmt::format("{}; xy xz yz {}", text_of(diagonal), text_of(products));
}

}  // namespace lithe::cli

// Matrices, files and filters of controllers.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lithe/control/filters.hpp"
#include "lithe/control/grid_controller.hpp"
#include "lithe/control/linear_controller.hpp"
#include "lithe/io/control_items.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/io/json_text.hpp"

namespace lithe::io {
namespace {

/// A matrix of a JSON file: a list of rows, or of numbers for a single row.
MatrixX matrix_of(const nlohmann::json& json) {
  const auto rows = json.get<std::vector<std::vector<double>>>();
  MatrixX result(std::ssize(rows), rows.empty() ? 0 : std::ssize(rows[0]));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (std::ssize(rows[i]) != result.cols())
      throw std::invalid_argument("rows differ in length");
    for (std::size_t k = 0; k < rows[i].size(); ++k)
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = rows[i][k];
  }
  return result;
}

/// A, B, C, D of a JSON object; without D that one.
StateSpace system_of(const nlohmann::json& json, const MatrixX& no_feedthrough) {
  StateSpace system;
  system.D = no_feedthrough;
  for (const auto& [key, target] :
       {std::pair{"A", &system.A}, std::pair{"B", &system.B}, std::pair{"C", &system.C}, std::pair{"D", &system.D}})
    if (json.contains(key)) *target = matrix_of(json.at(key));
  if (system.A.size() == 0) {  // no states: empty matrices have lost their sizes
    system.B.resize(0, system.D.cols());
    system.C.resize(system.D.rows(), 0);
  }
  return system;
}

}  // namespace

bool ModelBuilder::read_control_matrices(const Item& item, Eigen::Index outputs, Eigen::Index inputs,
                                         std::vector<ScheduledSystem>& points) {
  const auto object = reader_.object(item, "control-matrices");
  if (!object || object->incomplete) return false;
  StateSpace& system = points[0].system;
  system.D = MatrixX::Zero(outputs, inputs);
  const std::pair<const char*, MatrixX*> parts[] = {
      {"A", &system.A}, {"B", &system.B}, {"C", &system.C}, {"D", &system.D}};
  if (const auto file = object->get("file")) {
    for (const auto& [key, target] : parts)
      if (const auto given = object->get(key)) {
        reader_.complain_key(*given, fmt::format("the matrices come from a file; leave '{}' or the file out", key));
        return false;
      }
    return read_control_file(*file, MatrixX(system.D), points);  // a copy: `points`, whose D this is, are read anew
  }
  for (const auto& [key, target] : parts) {
    const auto given = object->get(key);
    if (!given) {
      if (target == &system.D) continue;
      reader_.complain_key(item, fmt::format("a linear law with states needs A, B and C; '{}' is missing", key));
      return false;
    }
    const auto values = matrix(*given, reader_);
    if (!values) return false;
    *target = *values;
  }
  return true;
}

/// A JSON file with 'axes' and 'points': A, B, C, D, and the inputs and outputs at which they were computed.
bool ModelBuilder::read_control_grid(const Item& file, const nlohmann::json& json, const MatrixX& no_feedthrough) {
  std::vector<std::vector<double>> axes;
  std::vector<GridPoint> points;
  try {
    axes = json.at("axes").get<std::vector<std::vector<double>>>();
    for (const auto& each : json.at("points")) {
      const auto vector = [&](const char* key, Eigen::Index size) {
        if (!each.contains(key)) return VectorX(VectorX::Zero(size));
        const auto values = each.at(key).get<std::vector<double>>();
        return VectorX(Eigen::Map<const VectorX>(values.data(), std::ssize(values)));
      };
      points.push_back({system_of(each, no_feedthrough), vector("inputs_at", no_feedthrough.cols()),
                        vector("outputs_at", no_feedthrough.rows())});
    }
    const GridController trial(axes, points);
    const StateSpace& first = points[0].system;
    if (first.D.rows() != no_feedthrough.rows() || first.D.cols() != no_feedthrough.cols())
      throw MechanismError("controller",
                           fmt::format("D is {} x {}, but there are {} outputs and {} inputs", first.D.rows(),
                                       first.D.cols(), no_feedthrough.rows(), no_feedthrough.cols()));
  } catch (const std::exception& error) {
    reader_.complain(file, fmt::format("this is no file of controllers on a grid: {}", error.what()));
    return false;
  }
  grid_axes_ = axes.size();
  grid_law_ = [axes, points](const ControlSite&) { return std::make_unique<GridController>(axes, points); };
  return true;
}

/// A JSON file: A, B, C, D, or 'points', a list of these with their time t.
bool ModelBuilder::read_control_file(const Item& file, const MatrixX& no_feedthrough,
                                     std::vector<ScheduledSystem>& points) {
  const auto name = reader_.text(file);
  if (!name) return false;
  const FileText text = reader_.files.read(*file.node, beside(file.node->place, *name));
  if (!text.fault.empty()) {
    reader_.complain(file, text.fault);
    return false;
  }
  try {
    const auto json = detail::json_of(text.text);
    if (json.contains("axes")) return read_control_grid(file, json, no_feedthrough);
    if (!json.contains("points")) {
      points = {{0.0, system_of(json, no_feedthrough)}};
      return true;
    }
    points.clear();
    for (const auto& each : json.at("points"))
      points.push_back({each.at("t").get<double>(), system_of(each, no_feedthrough)});
  } catch (const std::exception& error) {
    reader_.complain(file, fmt::format("'{}' is no file of matrices A, B, C, D: {}", *name, error.what()));
    return false;
  }
  return true;
}

bool ModelBuilder::read_filters(const Item& item, double sample, std::vector<TransferFunction>& filters) {
  const auto list = reader_.list(item, 1);
  if (!list) return false;
  for (const Item& each : *list) {
    const auto filter = reader_.object(each, "control-filter");
    if (!filter || filter->incomplete) return false;
    bool good = true;
    const auto number = [&](const Object& object, const char* key, double otherwise) {
      const auto given = object.get(key);
      const auto value = given ? reader_.number(*given) : otherwise;
      good = good && value;
      return value.value_or(otherwise);
    };
    for (const char* kind : {"notch", "low-pass", "lead-lag"}) {
      const auto given = filter->get(kind);
      const auto object = given ? reader_.object(*given, kind) : std::nullopt;
      if (given && (!object || object->incomplete)) return false;
      if (!object) continue;
      TransferFunction function;
      if (std::string_view(kind) == "notch")
        function = notch(hertz * number(*object, "frequency", 1.0), number(*object, "width", 0.5),
                         number(*object, "depth", 0.0));
      else if (std::string_view(kind) == "low-pass")
        function = low_pass(hertz * number(*object, "frequency", 1.0));
      else
        function = lead_lag(hertz * number(*object, "zero", 1.0), hertz * number(*object, "pole", 1.0),
                            number(*object, "gain", 1.0));
      if (!good) return false;
      try {
        if (sample > 0.0) DigitalFilter(function, sample, 1);
      } catch (const std::invalid_argument& error) {
        reader_.complain_key(*given, fmt::format("{} ({:.6g} Hz)", error.what(), 0.5 / sample));
        return false;
      }
      filters.push_back(function);
    }
  }
  return true;
}

}  // namespace lithe::io

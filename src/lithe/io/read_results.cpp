#include "lithe/io/read_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lithe/io/hdf5.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/io/stored_mechanism.hpp"
#include "lithe/simulation/audit_fields.hpp"
#include "lithe/io/json_text.hpp"

namespace lithe {
namespace {

namespace fs = std::filesystem;

void require_file(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw ResultsError(fmt::format("{}: no such file", path));
  if (fs::is_directory(path, ignored)) {
    throw ResultsError(fmt::format("{}: is a folder, expected a result (HDF5)", path));
  }
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".yaml" || extension == ".yml") {
    throw ResultsError(fmt::format("{0}: is a model file, not a result; run it first: lithe simulate {0} -o {1}.h5",
                                   path, fs::path(path).stem().string()));
  }
  if (!detail::is_hdf5_file(path)) {
    throw ResultsError(
        fmt::format("{}: is not an HDF5 file; results are written with lithe simulate MODEL -o FILE.h5", path));
  }
}

/// Remarks stand one per line; results of an older program lack some kinds of them.
std::vector<std::string> remarks_in(const detail::H5Handle& group, const std::vector<std::string>& known,
                                    const char* name) {
  std::vector<std::string> remarks;
  if (std::find(known.begin(), known.end(), name) == known.end()) return remarks;
  std::istringstream lines(detail::read_text(group, name));
  for (std::string line; std::getline(lines, line);) remarks.push_back(line);
  return remarks;
}

void read_model(const detail::H5Handle& group, Results& results) {
  results.flattened = detail::read_bytes(group, "flattened");
  results.mechanism = detail::read_bytes(group, "mechanism");
  const std::vector<std::string> names = detail::read_strings(group, "file names");
  for (std::size_t i = 0; i < names.size(); ++i)
    results.attached[names[i]] = detail::read_bytes(group, fmt::format("file {}", i));
}

LinkStress read_stress(const detail::H5Handle& group) {
  const std::vector<std::string> known = detail::attribute_names(group);
  const auto number = [&](const char* name) {
    const bool is_there = std::find(known.begin(), known.end(), name) != known.end();
    return is_there ? std::optional(detail::read_number(group, name)) : std::nullopt;
  };
  LinkStress link;
  link.peak = detail::read_number(group, "peak");
  link.place = detail::read_text(group, "place");
  link.time = detail::read_number(group, "time");
  link.safety = number("safety");
  link.damage = number("damage");
  if (link.damage) link.damaged = detail::read_text(group, "damaged");
  link.life = number("life");
  return link;
}

void read_audit(const detail::H5Handle& file, Results& results) {
  if (!detail::has_member(file, "audit")) {
    results.outcome = "the run was killed before its end";
    return;
  }
  const detail::H5Handle group = detail::open_group(file, "audit");
  Audit& audit = results.audit;
  results.finished = true;
  results.outcome = detail::read_text(group, "outcome");
  for (const auto& [name, field, meaning] : audit_counts)
    audit.*field = detail::as_whole(detail::read_number(group, name), name);
  for (const auto& [name, field, meaning] : audit_numbers) audit.*field = detail::read_number(group, name);
  const std::vector<std::string> known = detail::attribute_names(group);
  if (std::find(known.begin(), known.end(), "integrator") != known.end())
    audit.integrator = detail::read_text(group, "integrator");
  audit.notes = remarks_in(group, known, "notes");
  audit.warnings = remarks_in(group, known, "warnings");
  audit.distrust = remarks_in(group, known, "distrust");
  if (detail::has_member(group, "events")) {
    std::istringstream lines(detail::read_bytes(group, "events"));
    RunEvent event;
    while (lines >> event.t && lines.get() == ' ' && std::getline(lines, event.what)) audit.events.push_back(event);
  }
  if (detail::has_member(group, "motors")) {
    const detail::H5Handle motors = detail::open_group(group, "motors");
    for (const std::string& motor : detail::member_names(motors)) {
      const detail::H5Handle own = detail::open_group(motors, motor);
      for (const auto& [name, field, meaning] : motor_duty_fields)
        audit.motors[motor].*field = detail::read_number(own, name);
    }
  }
  if (detail::has_member(group, "bending")) {
    const detail::H5Handle bending = detail::open_group(group, "bending");
    for (const std::string& link : detail::attribute_names(bending))
      audit.bending[link] = detail::read_number(bending, link);
  }
  if (detail::has_member(group, "stress")) {
    const detail::H5Handle all = detail::open_group(group, "stress");
    for (const std::string& link : detail::member_names(all))
      audit.stress[link] = read_stress(detail::open_group(all, link));
  }
  const detail::H5Handle split = detail::open_group(group, "time_split");
  for (const std::string& part : detail::attribute_names(split)) {
    audit.time_split[part] = detail::read_number(split, part);
  }
}

}  // namespace

int Results::find(const std::string& column) const {
  auto found = std::find(columns.begin(), columns.end(), column);
  if (const std::size_t axis = column.rfind('.'); found == columns.end() && axis != std::string::npos)
    found = std::find(columns.begin(), columns.end(), column.substr(0, axis) + ".origin" + column.substr(axis));
  return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

std::vector<double> Results::column(int index) const {
  std::vector<double> values(rows());
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = at(row, index);
  return values;
}

Results read_results(const std::string& path) {
  require_file(path);
  Results results;
  results.path = path;
  try {
    const detail::H5Handle file = detail::open_file(path);
    results.version = detail::read_text(file, "lithe version");
    results.model_name = detail::read_text(file, "model name");
    results.model_path = detail::read_text(file, "model path");
    results.model_text = detail::read_text(file, "model text");
    results.parameters =
        detail::json_of(detail::read_text(file, "parameters")).get<std::map<std::string, double>>();
    if (const auto names = detail::attribute_names(file);
        std::find(names.begin(), names.end(), "replaced") != names.end())
      results.replaced =
          detail::json_of(detail::read_text(file, "replaced")).get<std::map<std::string, std::string>>();
    results.options = detail::read_text(file, "options");
    read_model(detail::open_group(file, "model"), results);
    results.columns = detail::read_strings(file, "columns");
    results.data = detail::read_table(detail::open_group(file, "time series"), "data", results.columns.size());
    read_audit(file, results);
  } catch (const std::exception& error) {
    throw ResultsError(fmt::format("{}: is not a result of Lithe, or damaged: {}", path, error.what()));
  }
  if (results.find("t") != 0) throw ResultsError(fmt::format("{}: the first column is not 't'", path));
  if (results.rows() == 0) throw ResultsError(fmt::format("{}: holds no rows; the run ended before its start", path));
  // A block of rows that a damaged index no longer finds reads as zeros.
  for (std::size_t row = 1; row < results.rows(); ++row)
    if (!(results.at(row, 0) > results.at(row - 1, 0)))
      throw ResultsError(fmt::format("{}: is damaged: its times do not ascend", path));
  return results;
}

Model model_of(const Results& results) {
  Model model = io::load_with_files(results.flattened, results.model_path, {}, results.attached);
  for (LinkData& link : model.mechanism.links) {
    const bool ran_rigid = link.elastic.count() > 0 && results.find("q." + link.name + ".e1") < 0;
    if (ran_rigid) link = rigid_twin(link);
  }
  return model;
}

Model drawn_model_of(const Results& results) {
  try {
    return detail::model_of_stored(results.mechanism);
  } catch (const std::exception& error) {
    throw ResultsError(fmt::format("{}: {}", results.path, error.what()));
  }
}

}  // namespace lithe

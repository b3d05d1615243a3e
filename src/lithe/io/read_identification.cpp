// Identification files: what is sought, and the experiments with their models and records.

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "lithe/io/identification_file.hpp"
#include "lithe/io/identification_rules.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/io/read_results.hpp"
#include "lithe/io/table_columns.hpp"
#include "lithe/laws/suggestion.hpp"

namespace lithe {
namespace io {
namespace {

bool is_path(const std::string& name) { return name.find('.') != std::string::npos; }

class IdentificationReader {
 public:
  IdentificationReader(Reader& reader, IdentificationStudy& study) : reader_(reader), study_(study) {}

  void read(const Object& root) {
    if (const auto name = root.get("name")) study_.name = reader_.text(*name).value_or("");
    if (const auto description = root.get("description")) reader_.text(*description);
    read_options(root);
    if (const auto parameters = root.get("parameters")) read_names(*parameters);
    const auto experiments = root.get("experiments");
    const auto all = experiments ? reader_.map(*experiments) : std::nullopt;
    if (!all) return;
    if (all->empty()) reader_.complain_key(*experiments, "an identification needs an experiment");
    for (const NamedItem& each : *all) read_experiment(each);
    if (!all->empty() &&
        std::all_of(study_.experiments.begin(), study_.experiments.end(),
                    [](const Experiment& each) { return each.held_back; }) &&
        study_.experiments.size() == all->size())
      reader_.complain_key(*experiments, "all experiments are held back: none is left to find the parameters from");
    if (reader_.complaints().empty())
      if (const auto parameters = root.get("parameters")) read_parameters_of(*parameters);
  }

 private:
  void read_options(const Object& root) {
    if (const auto item = root.get("confidence")) {
      study_.options.confidence = reader_.number(*item).value_or(0.95);
      if (study_.options.confidence >= 1.0)
        reader_.complain(*item, fmt::format("expected a number below 1, but this is {}", study_.options.confidence));
    }
    if (const auto item = root.get("widest")) study_.options.widest = reader_.number(*item).value_or(1.0);
  }

  void read_names(const Item& item) {
    if (item.node->kind == Node::Kind::list) {
      const auto list = reader_.list(item);
      for (const Item& each : list ? *list : std::vector<Item>{})
        if (const auto name = reader_.text(each)) names_.push_back({*name, each});
    } else if (const auto map = reader_.map(item)) {
      names_ = *map;
    }
    if (names_.empty() && reader_.complaints().empty()) reader_.complain_key(item, "names no parameter to find");
  }

  /// After the models are known, which have the start values.
  void read_parameters_of(const Item& section) {
    for (const NamedItem& each : names_) {
      SoughtParameter sought;
      sought.name = each.name;
      const auto first = std::find_if(models_.begin(), models_.end(),
                                      [&](const Model& model) { return model.parameters.contains(each.name); });
      bool has_start = first != models_.end();
      if (has_start) sought.start = first->parameters.at(each.name);
      const bool is_map = section.node->kind == Node::Kind::map && each.item.node->kind != Node::Kind::null;
      if (is_map) has_start = read_range(each, sought) || has_start;
      if (!has_start) complain_start(each);
      study_.sought.push_back(sought);
    }
  }

  /// Whether there is a start value.
  bool read_range(const NamedItem& named, SoughtParameter& sought) {
    const auto object = reader_.object(named.item, "sought-parameter");
    if (!object) return true;
    const auto take = [&](const char* key, double& value) {
      const auto item = object->get(key);
      const auto number = item ? reader_.number(*item) : std::nullopt;
      if (number) value = *number;
      return item.has_value();
    };
    const bool has_start = take("start", sought.start);
    take("lower", sought.lower);
    take("upper", sought.upper);
    if (take("scale", sought.scale) && !(sought.scale > 0.0))
      reader_.complain(*object->get("scale"), fmt::format("expected a positive number, but this is {}", sought.scale));
    if (!(sought.lower < sought.upper))
      reader_.complain(*object->get("upper"), fmt::format("must be larger than 'lower', but {} is not larger than {}",
                                                          sought.upper, sought.lower));
    else if (sought.start < sought.lower || sought.start > sought.upper)
      reader_.complain_key(
          has_start ? *object->get("start") : named.item,
          fmt::format("starts at {:.6g}, which must lie between its bounds {:.6g} and {:.6g}{}", sought.start,
                      sought.lower, sought.upper, has_start ? "" : "; give another 'start'"));
    return has_start;
  }

  void complain_start(const NamedItem& each) {
    std::vector<std::string> known;
    for (const Model& model : models_)
      for (const auto& [name, value] : model.parameters) known.push_back(name);
    reader_.complain_key(each.item,
                         is_path(each.name)
                             ? fmt::format("the path of a value needs a 'start': {}: {{start: ...}}", each.name)
                             : fmt::format("no model of the experiments has a free parameter '{}'{}", each.name,
                                           hint(each.name, known)));
  }

  void read_experiment(const NamedItem& named) {
    const auto object = reader_.object(named.item, "experiment");
    if (!object) return;
    Experiment experiment;
    experiment.name = named.name;
    if (const auto item = object->get("run")) {
      const std::string word = reader_.word(*item).value_or("");
      if (word == "inverse") experiment.run = ExperimentRun::inverse;
      if (word == "kinematics") experiment.run = ExperimentRun::kinematics;
    }
    if (const auto item = object->get("held-back")) experiment.held_back = reader_.flag(*item).value_or(false);
    const auto settings = read_settings(*object);  // what they fix is not sought here
    if (!read_record(*object, experiment)) return;
    LoadOptions options;
    options.until = experiment.times.back();
    if (const auto model = object->get("model"))
      if (const auto name = reader_.text(*model)) load(*model, *name, settings, options, experiment);
    study_.experiments.push_back(std::move(experiment));
  }

  std::map<std::string, std::string> read_settings(const Object& object) {
    std::map<std::string, std::string> settings;
    const auto item = object.get("settings");
    const auto map = item ? reader_.map(*item) : std::nullopt;
    for (const NamedItem& each : map ? *map : std::vector<NamedItem>{}) {
      if (const auto text = reader_.text(each.item)) settings[each.name] = *text;
    }
    return settings;
  }

  void load(const Item& item, const std::string& name, const std::map<std::string, std::string>& settings,
            const LoadOptions& options, Experiment& experiment) {
    const std::string path = beside(item.node->place, name).string();
    const FileText file = read_text_file(path);
    if (!file.fault.empty())
      return reader_.complain(item, fmt::format("the model {} cannot be read: {}", path, file.fault));
    try {
      models_.push_back(load_model_text(file.text, path, settings, options));
    } catch (const ModelError& error) {
      for (const Diagnostic& each : error.diagnostics()) {
        messages_.push_back(each.file);
        reader_.complaints().add({&messages_.back(), each.line, each.column}, each.key, each.message);
      }
      return;
    }
    Model& model = models_.back();
    study_.files.insert(study_.files.end(), model.files.begin(), model.files.end());
    study_.remarks.add(model.remarks);
    for (const auto& [fixed, value] : settings) model.parameters.erase(fixed);
    for (const NamedItem& each : names_)
      if (!is_path(each.name) && !model.parameters.contains(each.name)) experiment.fixed.push_back(each.name);
    experiment.model = model_of_parameters(model);
  }

  std::optional<TableColumns> read_columns(const Item& item, const std::string& name,
                                           const std::optional<std::string>& time) {
    const std::string path = beside(item.node->place, name).string();
    study_.files.push_back(path);
    if (!path.ends_with(".h5") && !path.ends_with(".hdf5")) return read_table_columns(path, time, item, reader_);
    try {
      const Results results = read_results(path);
      TableColumns columns;
      columns.times = results.column(0);
      for (std::size_t i = 1; i < results.columns.size(); ++i) {
        columns.names.push_back(results.columns[i]);
        columns.values.push_back(results.column(static_cast<int>(i)));
      }
      return columns;
    } catch (const ResultsError& error) {
      reader_.complain(item, error.what());
      return std::nullopt;
    }
  }

  std::optional<double> optional_number(const Object& object, const char* key) {
    const auto item = object.get(key);
    return item ? reader_.number(*item) : std::nullopt;
  }

  bool read_record(const Object& object, Experiment& experiment) {
    const auto item = object.get("record");
    const auto name = item ? reader_.text(*item) : std::nullopt;
    if (!name) return false;
    const auto time = object.get("time");
    auto table = read_columns(*item, *name, time ? reader_.text(*time) : std::nullopt);
    if (!table || !read_measurements(object, *item, *table, experiment)) return false;
    const double shift = optional_number(object, "shift").value_or(0.0);
    const auto from = optional_number(object, "from"), until = optional_number(object, "until");
    for (std::size_t k = 0; k < table->times.size(); ++k) {
      if ((from && table->times[k] < *from) || (until && table->times[k] > *until)) continue;
      experiment.times.push_back(table->times[k] + shift);
      for (std::size_t m = 0; m < experiment.measurements.size(); ++m)
        experiment.measurements[m].values.push_back(table->values[places_[m]][k]);
    }
    if (experiment.times.size() >= 2) return true;
    reader_.complain(*item, fmt::format("the record has {} samples {}, but two are needed at least",
                                        experiment.times.size(), from || until ? "between 'from' and 'until'" : ""));
    return false;
  }

  /// Which columns are measurements, and where they stand in the table.
  bool read_measurements(const Object& object, const Item& record, const TableColumns& table, Experiment& experiment) {
    places_.clear();
    const auto item = object.get("columns");
    if (!item) {
      for (std::size_t i = 0; i < table.names.size(); ++i) {
        if (!is_path(table.names[i]) || table.names[i].starts_with("energy.")) continue;
        experiment.measurements.push_back({table.names[i], table.names[i], "1", "0", {}, {}});
        places_.push_back(i);
      }
      if (places_.empty())
        reader_.complain(record,
                         "no column of the record is named like a recorded quantity; say by 'columns' what they "
                         "are, e.g. columns: {tip: pos.arm.tip.y}");
      return !places_.empty();
    }
    const auto map = reader_.map(*item);
    for (const NamedItem& each : map ? *map : std::vector<NamedItem>{}) {
      const auto found = std::find(table.names.begin(), table.names.end(), each.name);
      if (found == table.names.end()) {
        reader_.complain_key(each.item,
                             fmt::format("the record has no column '{}'{}", each.name, hint(each.name, table.names)));
        continue;
      }
      places_.push_back(static_cast<std::size_t>(found - table.names.begin()));
      experiment.measurements.push_back(measurement(each));
    }
    if (map && map->empty()) reader_.complain_key(*item, "names no column");
    return !places_.empty();
  }

  Measurement measurement(const NamedItem& named) {
    Measurement result;
    result.name = named.name;
    if (named.item.node->kind != Node::Kind::map) {
      result.quantity = reader_.text(named.item).value_or("");
      return result;
    }
    const auto object = reader_.object(named.item, "measured-column");
    if (!object) return result;
    const auto take = [&](const char* key, std::string& text) {
      if (const auto item = object->get(key)) text = reader_.text(*item).value_or(text);
    };
    take("quantity", result.quantity);
    take("factor", result.factor);
    take("offset", result.offset);
    result.noise = optional_number(*object, "noise");
    return result;
  }

  Reader& reader_;
  IdentificationStudy& study_;
  std::vector<NamedItem> names_;      ///< what is sought
  std::vector<Model> models_;         ///< their parameters without those that are fixed
  std::vector<std::size_t> places_;   ///< of the measurements of an experiment in its table
  std::deque<std::string> messages_;  ///< names of files that complaints point to
};

IdentificationStudy read_study(const Node& tree, const std::string& path, Complaints& complaints) {
  IdentificationStudy study;
  study.files.push_back(path);
  Reader reader(complaints);
  const Item whole{&tree, {tree.place.file, 1, 1}, {}, "identification"};
  if (const auto root = reader.object(whole, "identification")) {
    IdentificationReader identification(reader, study);
    identification.read(*root);
    complaints.throw_if_any();
  }
  complaints.throw_if_any();
  if (study.name.empty()) study.name = std::filesystem::path(path).stem().string();
  return study;
}

Node scalar(const std::string& text, const Place& place) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = text;
  node.place = place;
  return node;
}

Node map_of(const std::map<std::string, std::string>& entries, const Place& place) {
  Node node;
  node.kind = Node::Kind::map;
  node.place = place;
  for (const auto& [key, text] : entries) node.entries.push_back({key, place, scalar(text, place)});
  return node;
}

}  // namespace
}  // namespace io

IdentificationStudy load_identification(const std::string& path) {
  const io::FileText file = io::read_text_file(path);
  if (!file.fault.empty()) throw ModelError({{path, 0, 0, {}, "the file cannot be read: " + file.fault}});
  io::Complaints complaints;
  io::SourceFiles files(complaints);
  const std::optional<io::Node> tree = files.load(file.text, path);
  complaints.throw_if_any();
  if (tree->find("links") != nullptr && tree->find("experiments") == nullptr)
    throw ModelError({{path,
                       0,
                       0,
                       {},
                       "is a model file; an identification needs a record, too: --record FILE.csv "
                       "--parameters NAME,..."}});
  return io::read_study(*tree, path, complaints);
}

IdentificationStudy load_identification(const OneExperiment& given) {
  // The same tree as that of a file, whose places are the options of the command line.
  static const std::string model = "MODEL", record = "--record", columns = "--columns", parameters = "--parameters",
                           settings = "--set";
  io::Node experiment = io::map_of({}, {&record, 0, 0});
  const auto add = [](io::Node& to, const char* key, io::Node value) {
    to.entries.push_back({key, value.place, std::move(value)});
  };
  add(experiment, "model", io::scalar(given.model, {&model, 0, 0}));
  add(experiment, "record", io::scalar(given.record, {&record, 0, 0}));
  add(experiment, "run", io::scalar(given.run, {&record, 0, 0}));
  if (!given.settings.empty()) add(experiment, "settings", io::map_of(given.settings, {&settings, 0, 0}));
  if (!given.columns.empty()) add(experiment, "columns", io::map_of(given.columns, {&columns, 0, 0}));
  io::Node sought;
  sought.kind = io::Node::Kind::list;
  sought.place = {&parameters, 0, 0};
  for (const std::string& name : given.parameters) sought.items.push_back(io::scalar(name, sought.place));
  io::Node experiments = io::map_of({}, {&record, 0, 0}), root = io::map_of({}, {&model, 0, 0});
  add(experiments, "record", std::move(experiment));
  experiments.entries[0].key = std::filesystem::path(given.record).stem().string();
  add(root, "lithe", io::scalar("1", root.place));
  add(root, "parameters", std::move(sought));
  add(root, "experiments", std::move(experiments));
  io::Complaints complaints;
  return io::read_study(root, given.model, complaints);
}

ModelOfParameters model_of_parameters(const Model& model) {
  LoadOptions options;
  options.from = model.run.from;
  options.until = model.run.until;
  return [text = model.flattened, path = model.path, carried = model.attached, known = model.parameters,
          options](const std::map<std::string, double>& values) {
    std::map<std::string, std::string> overrides;
    for (const auto& [name, value] : values)
      if (known.contains(name) || io::is_path(name)) overrides[name] = fmt::format("{:.17g}", value);
    return io::load_with_files(text, path, overrides, carried, options);
  };
}

}  // namespace lithe

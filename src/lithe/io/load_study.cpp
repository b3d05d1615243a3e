#include "lithe/io/load_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/io/read_move.hpp"
#include "lithe/io/read_study_map.hpp"
#include "lithe/io/reader.hpp"
#include "lithe/io/source_files.hpp"
#include "lithe/laws/expression.hpp"

namespace lithe {
namespace {

using io::Item;
using io::NamedItem;
using io::Object;

/// Keys of outputs and what they mean; the value names something, or counts a mode.
struct OutputKey {
  const char* key;
  OutputKind kind;
};
constexpr OutputKey output_keys[] = {{"peak", OutputKind::peak},
                                     {"max", OutputKind::maximum},
                                     {"min", OutputKind::minimum},
                                     {"final", OutputKind::final},
                                     {"mean", OutputKind::mean},
                                     {"rms", OutputKind::rms},
                                     {"range", OutputKind::range},
                                     {"integral", OutputKind::integral},
                                     {"peak-time", OutputKind::peak_time},
                                     {"settling-time", OutputKind::settling_time},
                                     {"overshoot", OutputKind::overshoot},
                                     {"residual", OutputKind::residual},
                                     {"ringing", OutputKind::ringing},
                                     {"stress", OutputKind::stress},
                                     {"safety", OutputKind::safety},
                                     {"damage", OutputKind::damage},
                                     {"bending", OutputKind::bending},
                                     {"motor", OutputKind::motor},
                                     {"audit", OutputKind::audit},
                                     {"frequency", OutputKind::frequency},
                                     {"damping-ratio", OutputKind::damping_ratio},
                                     {"deflection", OutputKind::deflection},
                                     {"compliance", OutputKind::compliance},
                                     {"holding", OutputKind::holding},
                                     {"map", OutputKind::map},
                                     {"mass", OutputKind::mass},
                                     {"expression", OutputKind::expression}};

bool counts_modes(OutputKind kind) { return kind == OutputKind::frequency || kind == OutputKind::damping_ratio; }

/// The value of an expression without variables; nothing when it has some, or cannot be read.
std::optional<double> plain_number(const std::string& text) {
  try {
    return Expression::parse(text, {}, false).value();
  } catch (const ExpressionError&) {
    return std::nullopt;
  }
}

constexpr long most_modes = 100000;  ///< far beyond those of any model

/// Whether expressions have a number of this name themselves.
bool is_number_of_expressions(const std::string& name) { return name == "t" || name == "pi" || name == "e"; }

class StudyReader {
 public:
  StudyReader(io::Reader& reader, StudyFile& file) : reader_(reader), file_(file) {}

  void read(const Object& root) {
    read_head(root);
    if (const auto axes = root.get("axes"))
      for (const NamedItem& named : reader_.map(*axes).value_or(std::vector<NamedItem>{})) read_axis(named);
    if (const auto sample = root.get("sample")) read_sample(*sample);
    if (const auto map = root.get("map")) io::read_study_map(reader_, *map, file_);
    if (const auto outputs = root.get("outputs"))
      for (const NamedItem& named : reader_.map(*outputs).value_or(std::vector<NamedItem>{})) read_output(named);
    if (const auto limits = root.get("constraints"))
      for (const NamedItem& named : reader_.map(*limits).value_or(std::vector<NamedItem>{})) read_limit(named);
    if (const auto goals = root.get("objectives")) read_goals(*goals);
    if (const auto move = root.get("move")) read_move_of(root, *move);
    if (const auto search = root.get("optimize")) read_search(*search);
    if (!file_.move && !root.has("outputs") && !root.incomplete)
      reader_.complain_key(root.item(), "a study file needs 'outputs'");
    if (file_.model.empty() && study().needs_model() && !root.incomplete && reader_.complaints().empty())
      reader_.complain_key(root.item(), "outputs are taken from a model, but there is none: say 'model: FILE'");
  }

 private:
  Study& study() { return file_.study; }

  void remember(const std::string& name, const Item& item) {
    file_.places[name] = {*item.key_place.file, item.key_place.line, item.key_place.column, item.path, {}};
  }

  void read_head(const Object& root) {
    if (const auto version = root.get("study"))
      if (const auto number = reader_.integer(*version); number && *number != 1)
        reader_.complain(*version,
                         fmt::format("this program reads version 1 of the study file, but this is {}", *number));
    if (const auto name = root.get("name")) study().name = reader_.text(*name).value_or("");
    if (const auto description = root.get("description")) reader_.text(*description);
    if (const auto model = root.get("model")) {
      const auto name = reader_.text(*model);
      if (name) file_.model = io::beside(model->node->place, *name).string();
    }
    if (const auto set = root.get("set"))
      for (const NamedItem& named : reader_.map(*set).value_or(std::vector<NamedItem>{}))
        if (const auto value = reader_.text(named.item)) {
          remember(named.name, named.item);
          file_.set[named.name] = *value;
        }
    if (const auto run = root.get("run"))
      if (const auto word = reader_.word(*run))
        study().run = *word == "inverse"      ? StudyRun::inverse
                      : *word == "kinematics" ? StudyRun::kinematics
                                              : StudyRun::simulate;
    if (const auto at = root.get("at")) study().at = reader_.number(*at);
  }

  /// So many numbers of a list.
  std::vector<double> numbers(const Item& item, std::size_t count) {
    const auto values = reader_.numbers(item, count, count);
    good_ = good_ && values;
    return values.value_or(std::vector<double>(count, 1.0));
  }

  double number(const Object& object, const char* key) {
    const auto item = object.get(key);
    const auto value = item ? reader_.number(*item) : std::nullopt;
    good_ = good_ && value;
    return value.value_or(1.0);
  }

  void read_pair(const Item& item, const char* section, const char* a, const char* b, Distribution& spread) {
    const auto object = reader_.object(item, section);
    good_ = good_ && object;
    if (!object) return;
    spread.a = number(*object, a);
    spread.b = number(*object, b);
  }

  void read_steps(const Item& item, Distribution& spread) {
    const auto object = reader_.object(item, "study-steps");
    good_ = good_ && object;
    if (!object) return;
    const double from = number(*object, "from"), to = number(*object, "to");
    const auto count_item = object->get("count");
    const auto count = count_item ? reader_.integer(*count_item) : std::nullopt;
    good_ = good_ && count;
    if (!good_) return;
    if (*count < 2 || *count > 1000000) {
      reader_.complain(*count_item, fmt::format("expected 2 to 1000000 steps, but this is {}", *count));
      return;
    }
    const auto spacing = object->get("spacing");
    const bool by_factors = spacing && reader_.word(*spacing).value_or("") == "log";
    if (by_factors && !(from * to > 0.0)) {
      reader_.complain(*spacing, "equal factors need two ends of the same sign, none of them zero");
      return;
    }
    for (long i = 0; i < *count; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(*count - 1);
      spread.values.push_back(i + 1 == *count ? to
                              : by_factors    ? from * std::pow(to / from, part)
                                              : from + part * (to - from));
    }
  }

  /// Expressions would take their own number, without a word.
  void complain_of_name(const NamedItem& named) {
    if (is_number_of_expressions(named.name))
      reader_.complain_key(named.item, Expression::why_not_a_name(named.name) + " in expressions; take another name");
  }

  void read_axis(const NamedItem& named) {
    const auto object = reader_.object(named.item, "study-axis");
    remember(named.name, named.item);
    if (!object || object->incomplete) return;
    complain_of_name(named);
    if (file_.set.contains(named.name))
      reader_.complain_key(named.item, "stands under 'set', too, as the same for all variants; take it out there");
    StudyAxis axis{named.name, {}};
    Distribution& spread = axis.spread;
    good_ = true;
    using Kind = Distribution::Kind;
    if (const auto item = object->get("values")) {
      spread.kind = Kind::values;
      const auto values = reader_.numbers(*item, 1, 1000000);
      good_ = values.has_value();
      spread.values = values.value_or(std::vector<double>{});
    } else if (const auto steps = object->get("steps")) {
      spread.kind = Kind::values;
      read_steps(*steps, spread);
      good_ = good_ && !spread.values.empty();
    } else if (const auto pair = object->has("uniform") ? object->get("uniform") : object->get("log-uniform")) {
      spread.kind = object->has("uniform") ? Kind::uniform : Kind::log_uniform;
      const std::vector<double> ends = numbers(*pair, 2);
      spread.a = ends[0], spread.b = ends[1];
    } else if (const auto normal = object->get("normal")) {
      spread.kind = Kind::normal;
      read_pair(*normal, "study-normal", "mean", "deviation", spread);
    } else if (const auto lognormal = object->get("lognormal")) {
      spread.kind = Kind::lognormal;
      read_pair(*lognormal, "study-lognormal", "median", "deviation", spread);
    } else if (const auto triangular = object->get("triangular")) {
      spread.kind = Kind::triangular;
      const std::vector<double> corners = numbers(*triangular, 3);
      spread.a = corners[0], spread.b = corners[1], spread.c = corners[2];
    } else if (const auto weibull = object->get("weibull")) {
      spread.kind = Kind::weibull;
      read_pair(*weibull, "study-weibull", "scale", "shape", spread);
    }
    for (const auto& [key, limit] : {std::pair{"low", &spread.low}, std::pair{"high", &spread.high}}) {
      const auto item = object->get(key);
      if (!item) continue;
      if (spread.is_discrete()) reader_.complain_key(*item, "values are not cut off; leave out those beyond");
      *limit = reader_.number(*item).value_or(*limit);
    }
    if (!good_) return;
    if (const std::string fault = spread.why_not(); !fault.empty()) return reader_.complain_key(named.item, fault);
    study().axes.push_back(std::move(axis));
  }

  void read_sample(const Item& item) {
    const auto object = reader_.object(item, "study-sample");
    remember("sample", item);
    if (!object) return;
    SampleOptions& sample = study().sample;
    if (const auto method = object->get("method"))
      if (const auto word = reader_.word(*method))
        for (const SampleMethod each : all_sample_methods)
          if (*word == name_of(each)) sample.method = each;
    const auto whole = [&](const char* key, auto& value, long least) {
      const auto given = object->get(key);
      const auto count = given ? reader_.integer(*given) : std::nullopt;
      if (!count) return;
      if (*count < least)
        return reader_.complain(*given, fmt::format("expected a number from {}, but this is {}", least, *count));
      value = static_cast<std::decay_t<decltype(value)>>(*count);
    };
    whole("count", sample.count, 1);
    whole("seed", sample.seed, 0);
    whole("levels", sample.levels, 2);
    if (const auto list = object->get("correlations"))
      for (const Item& each : reader_.list(*list).value_or(std::vector<Item>{})) {
        const auto pair = reader_.object(each, "study-correlation");
        if (!pair || pair->incomplete) continue;
        const auto axes = reader_.list(*pair->get("between"), 2, 2);
        const auto value = reader_.number(*pair->get("is"));
        if (!axes || !value) continue;
        const auto a = reader_.text((*axes)[0]), b = reader_.text((*axes)[1]);
        if (a && b) sample.correlations.push_back({*a, *b, *value});
      }
  }

  void read_output(const NamedItem& named) {
    const auto object = reader_.object(named.item, "study-output");
    remember(named.name, named.item);
    if (!object || object->incomplete) return;
    complain_of_name(named);
    for (const StudyAxis& axis : study().axes)
      if (axis.name == named.name)
        reader_.complain_key(named.item, "an axis has this name already; give the output another one");
    Output output;
    output.name = named.name;
    for (const OutputKey& each : output_keys) {
      const auto item = object->get(each.key);
      if (!item) continue;
      output.kind = each.kind;
      if (counts_modes(each.kind)) {
        const auto count = reader_.integer(*item);
        if (count && *count < 1) reader_.complain(*item, "modes are counted from 1, the lowest");
        if (count && *count > most_modes)
          reader_.complain(*item, fmt::format("expected a mode from 1 to {}, but this is {}", most_modes, *count));
        output.number = static_cast<int>(count.value_or(1));
      } else {
        output.of = reader_.text(*item).value_or("");
      }
    }
    read_output_details(*object, output);
    study().outputs.push_back(std::move(output));
  }

  void read_output_details(const Object& object, Output& output) {
    const auto only_for = [&](const char* key, bool fits, const char* whom) {
      const auto item = object.get(key);
      if (item && !fits) reader_.complain_key(*item, fmt::format("belongs to {}", whom));
      return fits ? item : std::nullopt;
    };
    if (const auto from = only_for("from", is_of_column(output.kind), "an output of a column"))
      output.from = reader_.text(*from).value_or("");
    if (const auto until = only_for("until", is_of_column(output.kind), "an output of a column"))
      output.until = reader_.text(*until).value_or("");
    const auto [from, until] = std::pair{plain_number(output.from), plain_number(output.until)};
    if (from && until && !(*from < *until)) reader_.complain_key(*object.get("until"), "must be after 'from'");
    const bool settles = output.kind == OutputKind::settling_time;
    if (const auto band = only_for("band", settles, "settling-time")) output.band = reader_.number(*band).value_or(0.0);
    if (settles && !object.has("band"))
      reader_.complain_key(object.item(),
                           "settling-time needs 'band': how near to its last value, in the unit of the column");
    output.what = "peak_torque";
    if (const auto what = only_for("what", output.kind == OutputKind::motor, "motor"))
      output.what = reader_.word(*what).value_or("");
    const bool directed = output.kind == OutputKind::deflection || output.kind == OutputKind::compliance;
    if (const auto along = only_for("along", directed, "deflection and compliance"))
      if (const auto word = reader_.word(*along)) output.direction = (*word)[0] - 'x';
    if (output.kind == OutputKind::compliance && !object.has("along"))
      reader_.complain_key(object.item(), "compliance needs 'along': x, y or z");
    io::read_map_output(reader_, object, output);
    if (output.kind == OutputKind::map && !study().map)
      reader_.complain_key(object.item(),
                           "the study has no map: say 'map: {over: {COORDINATE: {from: A, to: B, count: N}, ...}}'");
  }

  /// Complains when no output has this name.
  bool is_output(const NamedItem& named) {
    if (study().output_named(named.name) >= 0) return true;
    std::vector<std::string> known;
    for (const Output& output : study().outputs) known.push_back(output.name);
    reader_.complain_key(named.item, fmt::format("there is no output '{}'{}", named.name, io::hint(named.name, known)));
    return false;
  }

  void read_limit(const NamedItem& named) {
    const auto object = reader_.object(named.item, "study-limit");
    if (!object || !is_output(named)) return;
    Constraint limit{named.name, {}, {}};
    if (const auto least = object->get("min")) limit.least = reader_.number(*least);
    if (const auto most = object->get("max")) limit.most = reader_.number(*most);
    if (!limit.least && !limit.most && !object->incomplete)
      return reader_.complain_key(named.item, "a limit needs 'min' or 'max'");
    if (limit.least && limit.most && *limit.least > *limit.most)
      return reader_.complain_key(named.item, "'min' is above 'max': no variant can keep both");
    study().constraints.push_back(limit);
  }

  void read_move_of(const Object& root, const Item& move) {
    file_.optimize.starts = 1;
    file_.optimize.tolerance = 1e-3;
    io::read_move(reader_, move, file_);
    for (const char* key : {"objectives", "sample", "run", "at", "map"})
      if (const auto item = root.get(key))
        reader_.complain_key(*item, "has no place beside 'move', whose duration is the objective of a simulation");
    if (file_.model.empty() && !root.incomplete)
      reader_.complain_key(move, "a move needs a model that makes it: say 'model: FILE'");
  }

  void read_goals(const Item& item) {
    const auto goals = reader_.map(item);
    if (!goals) return;
    for (const NamedItem& named : *goals) {
      const auto word = reader_.word(named.item);
      if (word && is_output(named)) study().objectives.push_back({named.name, *word == "maximize"});
    }
    if (goals->size() > 2) reader_.complain_key(item, fmt::format("one objective, or two; here are {}", goals->size()));
  }

  void read_search(const Item& item) {
    const auto object = reader_.object(item, "study-optimize");
    if (!object) return;
    OptimizeOptions& options = file_.optimize;
    for (const char* key : {"method", "points"})
      if (const auto given = object->get(key); given && file_.move)
        reader_.complain_key(*given, "a move is searched for by sequential convex programming, one objective");
    if (const auto method = object->get("method"))
      if (const auto word = reader_.word(*method))
        for (const OptimizeMethod each : all_optimize_methods)
          if (*word == name_of(each)) options.method = each;
    const auto whole = [&](const char* key, int& value, long least) {
      const auto given = object->get(key);
      const auto count = given ? reader_.integer(*given) : std::nullopt;
      if (!count) return;
      if (*count < least || *count > 1000000)
        return reader_.complain(*given, fmt::format("expected {} to 1000000, but this is {}", least, *count));
      value = static_cast<int>(*count);
    };
    whole("starts", options.starts, 1);
    whole("evaluations", options.evaluations, 1);
    whole("points", options.points, 2);
    if (const auto tolerance = object->get("tolerance"))
      options.tolerance = reader_.number(*tolerance).value_or(options.tolerance);
  }

  io::Reader& reader_;
  StudyFile& file_;
  bool good_ = true;
};

}  // namespace

std::vector<std::string> StudyFile::axis_names() const {
  std::vector<std::string> names;
  for (const StudyAxis& axis : study.axes) names.push_back(axis.name);
  return names;
}

StudyFile load_study_text(const std::string& text, const std::string& path) {
  io::Complaints complaints;
  const std::optional<io::Node> tree = io::parse_yaml(text, path, complaints);
  complaints.throw_if_any();
  StudyFile file;
  file.path = path;
  file.text = text;
  io::Reader reader(complaints);
  const Item whole{&*tree, {tree->place.file, 1, 1}, {}, "study-file"};
  if (tree->kind != io::Node::Kind::map)
    reader.complain(whole, fmt::format("a study file starts with 'study: 1', but this is {}", describe(*tree)));
  else if (tree->find("lithe") != nullptr && tree->find("study") == nullptr)
    reader.complain(whole,
                    "this is a model file, not a study; a study names it with 'model:', and 'lithe simulate' runs it");
  else if (const auto root = reader.object(whole, "study-file"))
    StudyReader(reader, file).read(*root);
  complaints.throw_if_any();
  if (file.study.name.empty()) file.study.name = std::filesystem::path(path).stem().string();
  return file;
}

StudyFile load_study(const std::string& path) {
  const io::FileText file = io::read_text_file(path);
  if (!file.fault.empty()) throw ModelError({{path, 0, 0, {}, "the file cannot be read: " + file.fault}});
  return load_study_text(file.text, path);
}

ModelError study_complaint(const StudyFile& file, const std::string& element, const std::string& message) {
  const auto found = file.places.find(element);
  Diagnostic complaint = found != file.places.end() ? found->second : Diagnostic{file.path, 0, 0, element, {}};
  complaint.message = message;
  return ModelError({complaint});
}

bool is_study_file(const std::string& path) {
  const io::FileText file = io::read_text_file(path);
  if (!file.fault.empty()) return false;
  io::Complaints complaints;
  const std::optional<io::Node> tree = io::parse_yaml(file.text, path, complaints);
  return tree && tree->find("study") != nullptr;
}

}  // namespace lithe

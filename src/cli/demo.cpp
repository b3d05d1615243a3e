// lithe demo: the gallery of examples, simulated, on one page.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "data_folder.hpp"
#include "gallery_page.hpp"
#include "interrupt.hpp"
#include "lithe/io/json_text.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/results.hpp"
#include "lithe/simulation/prepare.hpp"
#include "model_options.hpp"
#include "output_file.hpp"
#include "report_page.hpp"
#include "run_report.hpp"
#include "stick_figure.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

namespace fs = std::filesystem;

/// A model file with its place in the gallery.
struct Example {
  fs::path file;
  std::string group, look;
};

/// What examples/gallery.json says, in its order; models that it does not name come last.
std::vector<Example> arranged(std::vector<fs::path> files) {
  std::vector<Example> examples;
  const fs::path list = fs::path(examples_folder()) / "gallery.json";
  if (std::ifstream text(list); text) {
    const nlohmann::json groups = detail::json_or_discarded(std::string(std::istreambuf_iterator(text), {}));
    if (groups.is_discarded()) throw InputError(fmt::format("{}: is no JSON", list.string()));
    for (const auto& group : groups) {
      for (const auto& entry : group.at("examples")) {
        const auto key = entry.at("key").get<std::string>();
        const auto found = std::find_if(files.begin(), files.end(), [&](auto& file) { return file.stem() == key; });
        if (found == files.end()) continue;
        examples.push_back({*found, group.at("group").get<std::string>(), entry.at("look").get<std::string>()});
        files.erase(found);
      }
    }
  }
  for (const fs::path& file : files) examples.push_back({file, "More", ""});
  return examples;
}

std::vector<Example> gallery_files() {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(examples_folder())) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) throw InputError(fmt::format("{}: no model files", examples_folder()));
  return arranged(std::move(files));
}

/// The drawing needs more frames than the model records; the files get what the model asks for.
class AskedColumns : public RecordSink {
 public:
  AskedColumns(RecordSink& sink, const Model& model) : sink_(sink), model_(model) {
    for (const FrameRef& frame : model.record.frames) {
      const LinkData& link = model.mechanism.links[frame.link];
      asked_.push_back(link.name + "." + link.frames[frame.frame].name + ".");
    }
  }

  void begin(const Model&, const std::vector<std::string>& columns) override {
    std::vector<std::string> kept;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const bool is_place = columns[c].starts_with("pos.") || columns[c].starts_with("rot.");
      const bool asked = is_place && std::any_of(asked_.begin(), asked_.end(), [&](const std::string& frame) {
                           return columns[c].substr(4).starts_with(frame);
                         });
      if (is_place && !asked) continue;
      kept.push_back(columns[c]);
      indices_.push_back(c);
    }
    values_.resize(kept.size());
    sink_.begin(model_, kept);
  }
  void row(std::span<const double> values) override {
    for (std::size_t k = 0; k < indices_.size(); ++k) values_[k] = values[indices_[k]];
    sink_.row(values_);
  }
  void finish(const Audit& audit, const std::string& outcome) override { sink_.finish(audit, outcome); }

 private:
  RecordSink& sink_;
  const Model& model_;
  std::vector<std::string> asked_;
  std::vector<std::size_t> indices_;
  std::vector<double> values_;
};

GalleryEntry run_example(const Example& example, const fs::path& folder, ProgressBar& bar, double done, double share) {
  GalleryEntry entry;
  entry.key = example.file.stem().string();
  entry.group = example.group;
  entry.look = example.look;
  entry.model = load_model(example.file.string());
  try {
    Prepared prepared = prepare(entry.model);
    entry.mobility = analyse_mobility(prepared.plan, prepared.work, prepared.state.q);
    entry.loops = prepared.plan.cut_joints().size();
    entry.planar = prepared.plan.is_planar();
    if (entry.planar) entry.normal = prepared.plan.plane_normal();

    Model drawn = entry.model;
    drawn.record.frames = frames_to_draw(drawn.mechanism);
    const auto hdf5 = hdf5_sink((folder / (entry.key + ".h5")).string());
    const auto csv = csv_sink((folder / (entry.key + ".csv")).string());
    FanOut files, all;
    files.add(*hdf5);
    files.add(*csv);
    AskedColumns asked(files, entry.model);
    all.add(entry.record);
    all.add(asked);
    RunControl control;
    control.progress = [&](double fraction) { bar.show(done + share * fraction); };
    control.stop = &stop_requested();
    entry.outcome = run_simulation(drawn, all, control);
    if (entry.record.rows() > 0) entry.files = {entry.key + ".h5", entry.key + ".csv"};
  } catch (const PhysicsError& error) {
    entry.failure = error.what();
  }
  return entry;
}

/// The report of a finished example, from its result file as `lithe show` makes it.
void add_report(const fs::path& folder, GalleryEntry& entry) {
  if (entry.files.empty() || !has_viewer()) return;
  const Report report = make_report({read_results((folder / entry.files[0]).string())});
  for (const std::string& warning : report.warnings) warn(warning);
  entry.report = entry.key + ".html";
  write_report_page((folder / entry.report).string(), report);
}

void print_entry(const GalleryEntry& entry) {
  const Audit& audit = entry.outcome.audit;
  if (!entry.failure.empty()) {
    fmt::print("  {:<22} {}\n", entry.key, warning(entry.failure));
    return;
  }
  const std::string ending = entry.outcome.ending == RunOutcome::Ending::complete
                                 ? good("complete")
                                 : warning(fmt::format("stopped at {} s", number(audit.t_end, 4)));
  fmt::print("  {:<22} {}, {} steps, energy error {} J, worst closure {}, {:.3g} s\n", entry.key, ending, audit.steps,
             number(audit.energy_error, 2), number(audit.worst_closure, 2), audit.wall_seconds);
  for (const std::string& text : audit.warnings) fmt::print("  {:<22} {}\n", "", warning("warning: " + text));
  for (const std::string& text : audit.distrust) fmt::print("  {:<22} {}\n", "", bad("not to be trusted: " + text));
  std::fflush(stdout);
}

}  // namespace

int demo(const DemoOptions& options) {
  const std::vector<Example> files = gallery_files();
  std::error_code error;
  fs::create_directories(options.folder, error);
  if (error) throw InputError(fmt::format("{}: cannot be made: {}", options.folder, error.message()));

  std::vector<GalleryEntry> entries;
  if (!options.json) fmt::print("{}\n", bold("the gallery"));
  {
    ProgressBar bar("demo");
    for (std::size_t k = 0; k < files.size() && !stop_requested(); ++k) {
      const double share = 1.0 / static_cast<double>(files.size());
      bar.relabel(fmt::format("demo {}", files[k].file.stem().string()));
      entries.push_back(run_example(files[k], options.folder, bar, static_cast<double>(k) * share, 0.9 * share));
      add_report(options.folder, entries.back());
      if (!options.json) print_entry(entries.back());
    }
  }
  const fs::path page = fs::absolute(fs::path(options.folder) / "index.html");
  write_file(page.string(), gallery_page(entries, has_viewer()));

  if (options.json) {
    nlohmann::json answer = {{"ok", true}, {"exit", fine}, {"verb", "demo"}, {"page", page.string()}};
    answer["examples"] = nlohmann::json::array();
    for (const GalleryEntry& entry : entries) {
      answer["examples"].push_back(
          {{"key", entry.key},
           {"model", entry.model.name},
           {"ending", entry.failure.empty() ? name_of(entry.outcome.ending) : "physics failed"},
           {"message", entry.failure.empty() ? entry.outcome.message : entry.failure},
           {"files", entry.files},
           {"report", entry.report},
           {"audit", to_json(entry.outcome.audit)}});
    }
    print_json(answer);
  } else {
    fmt::print("\nopen {}\n", bold(page.string()));
  }
  return fine;
}

}  // namespace lithe::cli

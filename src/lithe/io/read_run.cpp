// coordinates, platform, damping of the mechanism, run, record.

#include <fmt/format.h>

#include <algorithm>

#include "lithe/io/model_builder.hpp"
#include "lithe/simulation/run_entries.hpp"

namespace lithe::io {

void ModelBuilder::read_coordinates(const Object& root) {
  const auto platform = root.get("platform"), coordinates = root.get("coordinates");
  bool platform_known = platform.has_value();
  if (platform) {
    if (const auto name = reader_.text(*platform)) {
      model_.plan.platform = *name;
      platform_known = model_.mechanism.find_link(*name) > 0;
      if (segmented_.contains(*name))
        reader_.complain(*platform, fmt::format("'{}' is split into segments; a platform is one link", *name));
      else if (!platform_known && links_known_)
        reader_.complain(*platform, *name == "ground"
                                        ? "the ground cannot be the platform"
                                        : fmt::format("unknown link '{}'{}", *name, hint(*name, link_names())));
    }
  }
  if (!coordinates) return;
  const auto word = reader_.word(*coordinates);
  if (word == "joint") model_.plan.coordinates = Coordinates::joint;
  if (word == "cartesian") model_.plan.coordinates = Coordinates::cartesian;
  if (word == "cartesian" && !platform)
    reader_.complain(*coordinates, "cartesian coordinates are the pose of a link; name it with 'platform: LINK'");
}

void ModelBuilder::read_mechanism_damping(const Object& root) {
  const auto item = root.get("damping");
  const auto object = item ? reader_.object(*item, "mechanism-damping") : std::nullopt;
  if (!object) return;
  if (const auto ratio = object->get("ratio")) model_.damping.ratio = reader_.number(*ratio).value_or(0.0);
  if (const auto ratios = object->get("ratios"))
    model_.damping.ratios = reader_.numbers(*ratios, 1, SIZE_MAX).value_or(std::vector<double>{});
}

void ModelBuilder::read_run(const Object& root) {
  const auto item = root.get("run");
  const auto object = item ? reader_.object(*item, "run") : std::nullopt;
  if (!object) return;
  RunOptions& run = model_.run;
  const auto numbers_of = [&](const Object& from, std::string_view section) {
    for (const RunNumber& number : run_numbers()) {
      if (number.section != section) continue;
      double& value = number.field(run);
      if (const auto given = from.get(std::string(number.key))) value = reader_.number(*given).value_or(value);
    }
  };
  numbers_of(*object, "run");
  const auto until = object->get("until"), radius = object->get("spectral-radius");
  if (!(run.until > run.from))
    reader_.complain(
        until ? *until : *item,
        fmt::format("the run must end after its start, but it starts at {} s and ends at {} s", run.from, run.until));
  if (run.spectral_radius > 1.0)
    reader_.complain(*radius, fmt::format("expected a number from 0 to 1, but this is {}", run.spectral_radius));

  for (const RunChoice& choice : run_choices()) {
    const auto given = object->get(std::string(choice.name));
    if (const auto name = given ? reader_.word(*given) : std::nullopt) choice.set(run, *name);
  }

  if (const auto given = object->get("stabilisation")) {
    if (given->node->kind != Node::Kind::map) {
      reader_.word(*given);
    } else if (const auto stabilisation = reader_.object(*given, "stabilisation")) {
      const auto constants = stabilisation->get("baumgarte");
      if (const auto baumgarte = constants ? reader_.object(*constants, "baumgarte") : std::nullopt)
        numbers_of(*baumgarte, "baumgarte");
    }
  }
  if (const auto given = object->get("penalty"))
    if (const auto penalty = reader_.object(*given, "penalty")) numbers_of(*penalty, "penalty");
}

void ModelBuilder::read_record(const Object& root) {
  const auto item = root.get("record");
  const auto list = item ? reader_.list(*item) : std::nullopt;
  if (!list) return;
  RecordOptions& record = model_.record;
  record = {};
  record.coordinates = record.energy = record.elements = record.control = false;
  for (const Item& each : *list) {
    if (each.node->kind == Node::Kind::map) {
      read_recorded_frames(each);
      continue;
    }
    const auto word = reader_.word(each);
    if (word == "coordinates") record.coordinates = true;
    if (word == "energy") record.energy = true;
    if (word == "forces") record.reactions = true;
    if (word == "sections") record.sections = true;
    if (word == "stress") record.stress = true;
    if (word == "stress-parts") record.stress_parts = true;
    if (word == "stress" || word == "stress-parts") stress_item_ = each;
    if (word == "springs") record.springs = true;
    if (word == "elements") record.elements = true;
    if (word == "motors") record.motors = true;
    if (word == "control") record.control = true;
    if (word == "controller-states") record.control_states = true;
    if (word == "momentum") record.momentum = true;
  }
}

void ModelBuilder::check_stress() {
  if (!stress_item_) return;
  std::vector<std::string> without;
  bool has_any = false;
  for (const LinkData& link : model_.mechanism.links) {
    const std::vector<SectionForces>& places = link.elastic.section_forces;
    const bool has_stress = std::all_of(places.begin(), places.end(), [](const auto& place) { return place.stress; });
    if (link.elastic.count() == 0) continue;
    if (has_stress && !places.empty())
      has_any = true;
    else
      without.push_back(link.name);
  }
  const char* remedy =
      "give a beam 'material' and 'section', or 'W' (and 'A', 'W_t') beside its stiffnesses, and the bars of a truss "
      "their 'area'";
  if (!has_any)
    reader_.complain(*stress_item_,
                     fmt::format("no elastic link of this model says enough of its cross section: {}", remedy));
  else if (!without.empty())
    model_.remarks.warnings.push_back(
        fmt::format("no stress is recorded of {}, whose cross section is not known all along: {}",
                    fmt::join(without, ", "), remedy));
}

void ModelBuilder::read_recorded_frames(const Item& item) {
  RecordOptions& record = model_.record;
  const std::pair<const char*, std::vector<FrameRef>*> lists[] = {{"frames", &record.frames},
                                                                  {"quaternions", &record.quaternions},
                                                                  {"velocities", &record.velocities},
                                                                  {"accelerations", &record.accelerations},
                                                                  {"deflections", &record.deflections}};
  const auto object = reader_.object(item, "record-frames");
  if (!object) return;
  bool any = false;
  for (const auto& [key, list] : lists) {
    const auto given = object->get(key);
    any = any || given;
    const auto names = given ? reader_.list(*given) : std::nullopt;
    if (!names) continue;
    for (const Item& name : *names) {
      const auto ref = frame(name);
      const auto is_same = [&](FrameRef other) { return other.link == ref->link && other.frame == ref->frame; };
      if (ref && std::none_of(list->begin(), list->end(), is_same)) list->push_back(*ref);
    }
  }
  const bool empty = item.node->kind == Node::Kind::map && item.node->entries.empty();
  if (!any && empty) reader_.complain(item, "says nothing to record; name frames, e.g. frames: [arm/tip]");
}

}  // namespace lithe::io

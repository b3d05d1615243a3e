#include "lithe/simulation/automatic_shapes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lithe/analysis/rich_links.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe {

namespace {

constexpr int least_frequencies = 3;  ///< of the band, when the model file does not say
constexpr double most_bent = 0.1;     ///< of the mechanism's length, in the initial pose
constexpr double in_plane = 1e-9;     ///< of gravity: what acts out of the plane

using detail::RichLink;

ModesChoice modes_of(const LinkRecipe& link) { return link.choices.modes.value_or(ModesChoice{}); }

/// Loops that close only with their links strongly bent are not those of the model.
void refuse_bent(const Prepared& at) {
  for (std::size_t i = 0; i < at.plan.elastic_places().size(); ++i) {
    const ElasticPlace& place = at.plan.elastic_places()[i];
    for (int k = 0; k < place.count; ++k)
      if (std::abs(at.state.q[place.q + k]) > most_bent * at.plan.speed_scale(place.v + k))
        throw PhysicsError(
            fmt::format("its loops close only when link '{}' is strongly bent; give better guesses under 'initial', or "
                        "check the lengths",
                        at.plan.mechanism().links[i].name));
  }
}

/// Unit loads in the directions for which the model file has laws.
std::vector<ShapeWishes::Load> unit_loads(const Model& model) {
  std::vector<ShapeWishes::Load> loads;
  for (std::size_t i = 0; i < model.loads.size(); ++i)
    for (const bool is_moment : {false, true})
      for (int a = 0; a < 3; ++a) {
        if ((is_moment ? model.loads[i].moment : model.loads[i].force)[a].empty()) continue;
        ShapeWishes::Load load;
        load.port = static_cast<int>(i);
        (is_moment ? load.moment : load.force) = Vec3::Unit(a);
        loads.push_back(load);
      }
  for (std::size_t i = 0; i < model.line_loads.size(); ++i)
    for (int a = 0; a < 3; ++a) {
      const LineLoadLaws& laws = model.line_loads[i];
      if (laws.force[a].empty() && (laws.uniform || laws.end[a].empty())) continue;
      ShapeWishes::Load load;
      load.line = static_cast<int>(i);
      if (!laws.force[a].empty()) load.force = Vec3::Unit(a);
      if (laws.uniform || !laws.end[a].empty()) load.end_force = Vec3::Unit(a);
      loads.push_back(load);
    }
  return loads;
}

/// Speeds that dry friction, hard stops or the locks of events may hold for a while.
std::vector<int> joints_that_may_stick(const Model& model, const Plan& plan) {
  std::vector<int> speeds;
  for (const Joint& joint : model.mechanism.joints) {
    const bool locked = std::any_of(model.events.begin(), model.events.end(), [&](const Event& event) {
      return std::any_of(event.actions.begin(), event.actions.end(), [&](const EventAction& action) {
        return action.kind == EventAction::Kind::lock && action.joint == joint.name;
      });
    });
    for (int k = 0; k < joint.facts().speeds; ++k) {
      const auto index = static_cast<std::size_t>(k);
      const bool rubs =
          index < joint.friction.size() && joint.friction[index].acts() && joint.friction[index].creep == 0.0;
      const bool stops =
          index < joint.stops.size() && joint.stops[index].is_given() && joint.stops[index].stiffness == 0.0;
      if (locked || rubs || stops) speeds.push_back(speed_index(plan, joint.name, k));
    }
  }
  return speeds;
}

/// What a run of the model asks of its links.
ShapeWishes wishes_of(const Model& model, const Plan& plan, const std::vector<LinkRecipe>& links) {
  ShapeWishes wishes;
  wishes.within = 1.0;
  for (const LinkRecipe& link : links) {
    wishes.up_to = std::max(wishes.up_to, modes_of(link).up_to);
    wishes.within = std::min(wishes.within, modes_of(link).within);
  }
  wishes.frequencies = std::max(least_frequencies, static_cast<int>(links.size()));
  wishes.duration = std::max(0.0, model.run.until - model.run.from);
  wishes.ratio = model.damping.ratio;
  wishes.recorded = model.record.frames;
  wishes.loads = unit_loads(model);
  for (const Drive& drive : model.drives) {
    if (drive.prescribed) wishes.prescribed.push_back(speed_index(plan, drive.joint, drive.coordinate));
    wishes.holds_motors = wishes.holds_motors || drive.kp != 0.0 || drive.law;
    wishes.motors_jump = wishes.motors_jump || !drive.torque.empty() || drive.law;
  }
  wishes.sticking = joints_that_may_stick(model, plan);
  wishes.motors_jump = wishes.motors_jump || !model.controllers.empty();
  wishes.holds_motors = wishes.holds_motors || !model.controllers.empty();
  return wishes;
}

/// Whether gravity and all loads stay in the plane of a planar mechanism.
bool acts_in_plane(const Model& model, Prepared& at) {
  const Vec3 normal = at.plan.plane_normal();
  if (std::abs(model.mechanism.gravity.dot(normal)) > in_plane * model.mechanism.gravity.norm()) return false;
  for (const ShapeWishes::Load& load : unit_loads(model)) {
    Mat3 axes = Mat3::Identity();
    if (load.port >= 0) {
      const LoadPort& port = model.mechanism.loads[load.port];
      if (port.in_frame_axes) axes = frame_pose(at.plan, at.work, at.state.q, port.at).rotation;
    } else {
      const LineLoad& line = model.mechanism.line_loads[load.line];
      if (line.in_link_axes) axes = frame_pose(at.plan, at.work, at.state.q, {line.parts.front().link, 0}).rotation;
    }
    const Vec3 moment = axes * load.moment;
    if (std::abs(normal.dot(axes * load.force)) > in_plane || std::abs(normal.dot(axes * load.end_force)) > in_plane ||
        (moment - normal * normal.dot(moment)).norm() > in_plane)
      return false;
  }
  return true;
}

Mechanism with_links(Mechanism mechanism, const std::vector<RichLink>& rich) {
  for (const RichLink& link : rich) mechanism.links[link.given->link] = link.data;
  return mechanism;
}

/// The choice in the initial pose.
ShapeChoice chosen(const Model& model, const std::vector<LinkRecipe>& links, std::vector<RichLink>& rich,
                   std::vector<ShapeLink>& shapes, bool& planar) {
  const auto choose = [&](const Plan& plan, Workspace& work, const VectorX& q) {
    for (const RichLink& link : rich)
      shapes.push_back({link.given->link, link.group, shape_candidates(link.data, link.modes, link.reference.loaded)});
    return choose_shapes(plan, work, q, shapes, wishes_of(model, plan, links));
  };
  std::optional<Prepared> rigid;
  Model undamped = model;
  undamped.damping = {};  // modes of the mechanism are not known before its links
  try {
    rigid.emplace(prepare(undamped, Arithmetic::automatic, Start::nearest));
  } catch (const PhysicsError&) {
    // Perhaps with links that bend a little.
    undamped.mechanism = with_links(model.mechanism, rich);
    Prepared at = prepare(undamped, Arithmetic::automatic, Start::nearest);
    refuse_bent(at);
    return choose(at.plan, at.work, at.state.q);
  }
  Prepared& at = *rigid;
  planar = false;
  const bool asks_for_all =
      std::any_of(links.begin(), links.end(), [](const LinkRecipe& link) { return modes_of(link).up_to > 0; });
  if (!asks_for_all && at.plan.is_planar() && acts_in_plane(model, at)) {
    std::vector<Mat3> turned;
    for (const RichLink& link : rich)
      turned.push_back(frame_pose(at.plan, at.work, at.state.q, {link.given->link, 0}).rotation);
    planar = detail::keep_to_plane(rich, at.plan.plane_normal(), turned);
  }
  // The plan of the rigid twins knows which joints are driven; cartesian coordinates have added one more.
  Mechanism mechanism = with_links(at.plan.mechanism(), rich);
  if (at.plan.options().coordinates == Coordinates::cartesian) mechanism.joints.pop_back();
  const Plan plan(std::move(mechanism), at.plan.options());
  Workspace work(plan);
  return choose(plan, work, transfer_coordinates(at.plan, at.work, at.state.q, plan));
}

std::string counted(int number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

const char* held_words(const ShapeChoice& choice) {
  if (!choice.has_sticking) return choice.has_motors ? " with motors locked and free" : "";
  return choice.has_motors ? " with motors and joints that may stick locked and free"
                           : " with joints that may stick locked and free";
}

std::string describe(const ShapeChoice& choice, const ShapeWishes& wishes, bool planar) {
  std::string text =
      choice.frequencies == 0
          ? fmt::format("the mechanism has no frequency up to {:.4g} Hz", choice.band)
          : fmt::format("{} are settled within {:.2g} %{}",
                        wishes.up_to > 0 ? fmt::format("the frequencies of the mechanism up to {:.4g} Hz ({})",
                                                       choice.band, choice.frequencies)
                                         : fmt::format("the first {} frequencies of the mechanism (up to {:.4g} Hz)",
                                                       choice.frequencies, choice.band),
                        100 * choice.frequency_error, held_words(choice));
  text += fmt::format(", deflections over {:.4g} s within {:.2g} % of their peak; highest frequency {:.4g} Hz",
                      wishes.duration, 100 * choice.deflection_error, choice.top);
  if (planar) text += "; shapes out of the plane, in which nothing acts, are left out";
  return text;
}

/// What a link keeps, in words: "chord", "1 mode (bending y 1)".
struct KeptShapes {
  std::string link, reference, shapes;
};

/// "chord, because the pins hold its ends; 1 mode (bending y 1)"
std::string choice_text(const RichLink& rich, const KeptShapes& kept) {
  return fmt::format("{}, because {}; {}", kept.reference, rich.reference.reason, kept.shapes);
}

/// Built from the same numbers, kept alike and treated alike.
bool becomes_the_same(const RichLink& a, const RichLink& b) {
  const LinkChoices &one = a.given->choices, &other = b.given->choices;
  return a.held == b.held && a.basis.frequencies == b.basis.frequencies && a.group == b.group &&
         one.stiffening == other.stiffening && one.rotation == other.rotation && one.statics == other.statics;
}

/// The finished link, with the reason for it.
KeptShapes put_into(Model& model, const RichLink& rich, const Reduction& shapes, const std::vector<std::string>& loaded,
                    const std::string& band) {
  const LinkRecipe& link = *rich.given;
  LinkOrigin& origin = model.origins[link.link];
  LinkData& data = model.mechanism.links[link.link];
  data = make_link(data.name, link.spec, link.choices, {*rich.held, shapes, rich.reference.reference}, &origin);
  const auto statics = static_cast<int>(std::count_if(
      shapes.names.begin(), shapes.names.end(), [](const std::string& name) { return name.starts_with("static "); }));
  std::vector<std::string> parts;
  if (const int modes = static_cast<int>(shapes.names.size()) - statics; modes > 0)
    parts.push_back(fmt::format("{} ({})", counted(modes, "mode"),
                                fmt::join(shapes.names.begin(), shapes.names.begin() + modes, ", ")));
  if (statics > 0) parts.push_back(fmt::format("{} of {}", counted(statics, "static shape"), fmt::join(loaded, ", ")));
  const KeptShapes kept{data.name, name_of(rich.reference.reference), fmt::format("{}", fmt::join(parts, " and "))};
  origin.choice = choice_text(rich, kept);
  origin.band = band;
  return kept;
}

/// Two sentences for all who look at a result: what each link keeps, and how good that is.
void remark(Model& model, const std::vector<KeptShapes>& kept, const std::string& band) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto is_same = [&](const KeptShapes& other) {
      return other.reference == kept[i].reference && other.shapes == kept[i].shapes;
    };
    if (std::any_of(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(i), is_same)) continue;
    std::vector<std::string> names;
    for (const KeptShapes& other : kept)
      if (is_same(other)) names.push_back(other.link);
    texts.push_back(fmt::format("{}: {}, {}", fmt::join(names, ", "), kept[i].reference, kept[i].shapes));
  }
  model.remarks.notes.push_back(fmt::format("shapes chosen for {}", fmt::join(texts, "; ")));
  model.remarks.notes.push_back(fmt::format("with these shapes {}", band));
}

/// The lowest modes, for a mechanism that has no pose.
KeptShapes put_lowest_modes(Model& model, const RichLink& rich, const std::string& why) {
  ReductionChoice choice;
  choice.modes.count = std::min(rich.given->spec.default_modes, static_cast<int>(rich.held->mass.rows()));
  const std::string& name = model.mechanism.links[rich.given->link].name;
  return put_into(model, rich, reduce(name, *rich.held, choice), {}, why);
}

}  // namespace

void choose_link_shapes(Model& model, std::vector<LinkRecipe> links) {
  for (LinkRecipe& link : links)
    if (!link.choices.statics) link.choices.statics = static_choice(model.mechanism, link.link);
  model.origins.resize(model.mechanism.links.size());
  double up_to = 0.0;
  for (const LinkRecipe& link : links) up_to = std::max(up_to, modes_of(link).up_to);
  std::vector<RichLink> rich = detail::rich_links(model.mechanism, links, up_to);
  const bool was_asked =
      std::any_of(links.begin(), links.end(), [](const LinkRecipe& link) { return modes_of(link).automatic; });
  ShapeChoice choice;
  std::vector<ShapeLink> shapes;
  bool planar = false;
  try {
    choice = chosen(model, links, rich, shapes, planar);
  } catch (const PhysicsError& error) {
    if (was_asked)
      throw PhysicsError(fmt::format("'modes: auto' needs the mechanism in its initial pose, but {}", error.what()));
    const std::string why =
        fmt::format("nothing is settled, because the mechanism has no initial pose: {}", error.what());
    std::vector<KeptShapes> kept;
    for (const RichLink& link : rich) kept.push_back(put_lowest_modes(model, link, why));
    remark(model, kept, why);
    return;
  }
  ShapeWishes wishes;
  wishes.up_to = up_to;
  wishes.duration = std::max(0.0, model.run.until - model.run.from);
  const std::string band = describe(choice, wishes, planar);
  std::vector<KeptShapes> kept;
  for (std::size_t i = 0; i < rich.size(); ++i) {
    // Links that are equal in everything share what was made for the first.
    const auto twin = std::find_if(rich.begin(), rich.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const RichLink& other) { return becomes_the_same(other, rich[i]); });
    if (const auto first = static_cast<std::size_t>(twin - rich.begin()); first < i) {
      const auto made = static_cast<std::size_t>(twin->given->link),
                 own = static_cast<std::size_t>(rich[i].given->link);
      kept.push_back(kept[first]);
      kept[i].link = rich[i].data.name;
      model.mechanism.links[own] = model.mechanism.links[made];
      model.mechanism.links[own].name = kept[i].link;
      model.origins[own] = model.origins[made];
      model.origins[own].choice = choice_text(rich[i], kept[i]);
      continue;
    }
    std::vector<std::string> loaded;
    MatrixX columns(rich[i].data.elastic.count(), 0);
    for (const int c : choice.kept[rich[i].group]) {
      const ShapeCandidate& candidate = shapes[i].candidates[c];
      columns.conservativeResize(Eigen::NoChange, columns.cols() + candidate.columns.cols());
      columns.rightCols(candidate.columns.cols()) = candidate.columns;
      if (candidate.mode < 0 && std::find(loaded.begin(), loaded.end(), candidate.frame) == loaded.end())
        loaded.push_back(candidate.frame);
    }
    const Reduction reduction = kept_shapes(*rich[i].held, rich[i].basis, rich[i].modes, columns);
    kept.push_back(put_into(model, rich[i], reduction, loaded, band));
  }
  remark(model, kept, band);
}

}  // namespace lithe

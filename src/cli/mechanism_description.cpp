#include "mechanism_description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "link_description.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

std::string frame_text(const Mechanism& mechanism, FrameRef frame) {
  const LinkData& link = mechanism.links[frame.link];
  return fmt::format("{}/{}", link.name, link.frames[frame.frame].name);
}

std::string axis_text(const Joint& joint) {
  const int axes = joint.facts().axes;
  if (axes == 0) return "";
  return axes == 1 ? fmt::format("({})", text_of(joint.axis))
                   : fmt::format("({}) ({})", text_of(joint.axis), text_of(joint.axis2));
}

void print_links(const Model& model) {
  const std::vector<LinkData>& links = model.mechanism.links;
  heading(fmt::format("links ({})", links.size() - 1));
  Table table({"link", "mass (kg)", "centre (m)", "inertia about it (kg m2)", "frames"}, "lrlll");
  for (std::size_t i = 1; i < links.size(); ++i) {
    const LinkData& link = links[i];
    std::vector<std::string> frames;
    for (std::size_t f = 1; f < link.frames.size(); ++f) frames.push_back(link.frames[f].name);
    table.add({link.name, number(link.mass, 5), text_of(link.centre), inertia_text(link.inertia),
               fmt::format("{}", fmt::join(frames, " "))});
  }
  table.print();
  std::string band;  // for which shapes were chosen automatically
  for (std::size_t i = 1; i < links.size(); ++i) {
    if (links[i].elastic.count() == 0) continue;
    heading(fmt::format("modes of {}", links[i].name));
    const LinkOrigin origin = origin_of(model, i);
    fmt::print("  {}\n", dim(elastic_text(links[i], origin)));
    if (!origin.choice.empty()) fmt::print("  automatic: {}\n", origin.choice);
    band = origin.band.empty() ? band : origin.band;
    print_modes(links[i]);
  }
  if (!band.empty()) fmt::print("\n  automatic modes: {}\n", band);
}

void print_joints(const Plan& plan) {
  const Mechanism& mechanism = plan.mechanism();
  heading(fmt::format("joints ({})", mechanism.joints.size()));
  Table table({"joint", "type", "axis", "from", "to", "coordinates", ""});
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    const JointPlace& place = plan.places()[j];
    std::vector<std::string> notes;
    if (place.cut) notes.push_back(warning("cut"));
    if (joint.is_actuated()) notes.push_back(good("motor"));
    if (!joint.stiffness.empty()) notes.push_back("spring");
    if (!joint.damping.empty()) notes.push_back("damper");
    table.add({joint.name, std::string(name_of(joint.type)), axis_text(joint), frame_text(mechanism, joint.from),
               frame_text(mechanism, joint.to),
               place.nq == 0
                   ? "-"
                   : fmt::format("{}", place.nq) + (place.nv != place.nq ? fmt::format(" ({} speeds)", place.nv) : ""),
               fmt::format("{}", fmt::join(notes, " "))});
  }
  table.print();
}

/// Children of every link in the spanning tree: (joint, link beyond it).
std::vector<std::vector<std::pair<int, int>>> tree_children(const Plan& plan) {
  const Mechanism& mechanism = plan.mechanism();
  std::vector<std::vector<std::pair<int, int>>> children(mechanism.links.size());
  std::vector<bool> reached(mechanism.links.size(), false);
  std::vector<int> front{0};
  reached[0] = true;
  while (!front.empty()) {
    std::vector<int> next;
    for (const int link : front) {
      for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
        const Joint& joint = mechanism.joints[j];
        if (plan.places()[j].cut || (joint.from.link != link && joint.to.link != link)) continue;
        const int other = joint.from.link == link ? joint.to.link : joint.from.link;
        if (reached[other]) continue;
        reached[other] = true;
        children[link].push_back({static_cast<int>(j), other});
        next.push_back(other);
      }
    }
    front = std::move(next);
  }
  return children;
}

void print_tree(const Plan& plan) {
  heading("spanning tree");
  const auto children = tree_children(plan);
  const Mechanism& mechanism = plan.mechanism();
  fmt::print("  ground\n");
  const std::function<void(int, const std::string&)> print_below = [&](int link, const std::string& indent) {
    const auto& list = children[link];
    for (std::size_t k = 0; k < list.size(); ++k) {
      // A chain without branches stays on one line.
      std::string line;
      int at = link;
      std::pair<int, int> child = list[k];
      while (true) {
        line += fmt::format("{}{} {}", line.empty() ? "" : " ", dim("-" + mechanism.joints[child.first].name + "-"),
                            mechanism.links[child.second].name);
        at = child.second;
        if (children[at].size() != 1) break;
        child = children[at][0];
      }
      const bool is_last = k + 1 == list.size();
      fmt::print("  {}{} {}\n", indent, is_last ? "└" : "├", line);
      print_below(at, indent + (is_last ? "    " : "│   "));
    }
  };
  print_below(0, "");
}

void print_loops(const Plan& plan) {
  heading(fmt::format("loops ({})", plan.cut_joints().size()));
  for (std::size_t c = 0; c < plan.cut_joints().size(); ++c) {
    const int joint = plan.cut_joints()[c];
    int equations = 0;
    for (const ClosureRow& row : plan.closure_rows()) equations += row.joint == joint;
    fmt::print("  {}: {} {}\n", c + 1, plan.loop_name(static_cast<int>(c)),
               dim(fmt::format("(cut at {}, {} equations)", plan.mechanism().joints[joint].name, equations)));
  }
  if (plan.cut_joints().empty()) fmt::print("  none\n");
}

/// "motor - 3 wheel = 0".
std::string equation_of(const Mechanism& mechanism, const Coupling& coupling) {
  std::string text;
  for (const Coupling::Term& term : coupling.terms) {
    const Joint& joint = mechanism.joints[term.coordinate.joint];
    const double size = std::abs(term.factor);
    text += text.empty() ? (term.factor < 0 ? "-" : "") : (term.factor < 0 ? " - " : " + ");
    if (size != 1.0) text += number(size, 6) + " ";
    text += joint.facts().speeds == 1 ? joint.name : fmt::format("{}.{}", joint.name, term.coordinate.coordinate);
  }
  return text + " = " + number(coupling.offset, 6);
}

void print_couplings(const Mechanism& mechanism) {
  if (mechanism.couplings.empty()) return;
  heading(fmt::format("couplings ({})", mechanism.couplings.size()));
  for (const Coupling& coupling : mechanism.couplings)
    fmt::print("  {}: {}\n", coupling.name, equation_of(mechanism, coupling));
}

nlohmann::json array_of(const Vec3& vector) { return {vector.x(), vector.y(), vector.z()}; }

}  // namespace

std::string text_of(const Vec3& vector) {
  const auto clean = [](double value) { return number(value == 0.0 ? 0.0 : value, 5); };
  return fmt::format("{} {} {}", clean(vector.x()), clean(vector.y()), clean(vector.z()));
}

void print_parts(const Model& model, const Plan& plan) {
  print_links(model);
  print_joints(plan);
  print_tree(plan);
  print_loops(plan);
  print_couplings(plan.mechanism());
}

nlohmann::json describe_as_json(const Model& model, const Plan& plan) {
  const Mechanism& mechanism = plan.mechanism();
  nlohmann::json answer;
  answer["gravity"] = array_of(mechanism.gravity);
  answer["planar"] = plan.is_planar();
  answer["links"] = nlohmann::json::array();
  for (std::size_t i = 1; i < model.mechanism.links.size(); ++i)
    answer["links"].push_back(link_as_json(model.mechanism.links[i], origin_of(model, i)));
  answer["joints"] = nlohmann::json::array();
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    const JointPlace& place = plan.places()[j];
    answer["joints"].push_back({{"name", joint.name},
                                {"type", std::string(name_of(joint.type))},
                                {"from", frame_text(mechanism, joint.from)},
                                {"to", frame_text(mechanism, joint.to)},
                                {"cut", place.cut},
                                {"actuated", joint.is_actuated()},
                                {"coordinates", place.nq},
                                {"speeds", place.nv}});
  }
  answer["loops"] = nlohmann::json::array();
  for (std::size_t c = 0; c < plan.cut_joints().size(); ++c) {
    answer["loops"].push_back(
        {{"name", plan.loop_name(static_cast<int>(c))}, {"cut", mechanism.joints[plan.cut_joints()[c]].name}});
  }
  answer["couplings"] = nlohmann::json::array();
  for (const Coupling& coupling : mechanism.couplings)
    answer["couplings"].push_back({{"name", coupling.name}, {"equation", equation_of(mechanism, coupling)}});
  answer["tree_speeds"] = plan.nv();
  answer["closures"] = plan.closure_count();
  return answer;
}

}  // namespace lithe::cli

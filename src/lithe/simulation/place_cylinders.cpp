#include "lithe/simulation/place_cylinders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lithe/simulation/prepare.hpp"

namespace lithe {
namespace {

/// Joints of the model that are not those of its cylinders, and what ties only these together.
Mechanism without_cylinders(const Mechanism& whole, const std::set<std::string>& joints) {
  Mechanism rest = whole;
  rest.springs.clear();
  rest.loads.clear();
  rest.line_loads.clear();
  rest.elements.clear();
  rest.couplings.clear();
  std::vector<int> place(whole.joints.size(), -1);
  rest.joints.clear();
  for (std::size_t i = 0; i < whole.joints.size(); ++i) {
    if (joints.contains(whole.joints[i].name)) continue;
    place[i] = rest.add_joint(whole.joints[i]);
  }
  for (Coupling coupling : whole.couplings) {
    bool stays = true;
    for (Coupling::Term& term : coupling.terms)
      stays = stays && (term.coordinate.joint = place[term.coordinate.joint]) >= 0;
    if (stays) rest.couplings.push_back(std::move(coupling));
  }
  return rest;
}

/// Links that only cylinders hold float freely; those of the cylinders themselves as well.
void let_float(Mechanism& rest) {
  std::vector<bool> reached(rest.links.size(), false);
  reached[0] = true;
  const auto spread = [&] {
    for (bool grown = true; grown;) {
      grown = false;
      for (const Joint& joint : rest.joints)
        if (reached[joint.from.link] != reached[joint.to.link])
          reached[joint.from.link] = reached[joint.to.link] = grown = true;
    }
  };
  spread();
  for (std::size_t i = 1; i < rest.links.size(); ++i) {
    if (reached[i]) continue;
    Joint joint;
    joint.name = rest.links[i].name + ".free";
    joint.type = JointType::free;
    joint.to = {static_cast<int>(i), 0};
    rest.add_joint(std::move(joint));
    spread();
  }
}

/// The pose of the rest at the start.
struct RestPose {
  Plan plan;
  Workspace work;
  VectorX q;
};

RestPose assembled(const Model& rest) {
  try {
    Prepared start = prepare(rest, Arithmetic::automatic, Start::assembled);
    return {std::move(start.plan), std::move(start.work), std::move(start.state.q)};
  } catch (const PhysicsError&) {
    // A rest that cannot be assembled is the business of those who run the model: take the joints as they are given.
  }
  Plan plan(rest.mechanism, rest.plan);
  Workspace work(plan);
  VectorX q = plan.neutral();
  for (const InitialValue& value : rest.initial) {
    const JointPlace& place = plan.places()[plan.mechanism().find_joint(value.joint)];
    if (!place.cut && value.coordinate < place.nq) q[place.q + value.coordinate] = value.value;
  }
  normalise_quaternions(plan, q);
  return {std::move(plan), std::move(work), std::move(q)};
}

void remark_stroke(const Cylinder& cylinder, double extension, Remarks& remarks) {
  if (extension >= 0.0 && extension <= cylinder.stroke) return;
  remarks.warnings.push_back(fmt::format(
      "cylinder '{}': between its ends at the start it is extended by {:.4g} m, but its stroke is from 0 to {:.4g} m",
      cylinder.name, extension, cylinder.stroke));
}

}  // namespace

void place_cylinders(Model& model, const std::vector<Cylinder>& cylinders) {
  if (cylinders.empty()) return;
  std::set<std::string> joints;
  for (const Cylinder& each : cylinders)
    for (const char* part : {"", ".base", ".head"}) joints.insert(each.name + part);
  Model rest = model;
  rest.mechanism = without_cylinders(model.mechanism, joints);
  let_float(rest.mechanism);
  rest.plan.coordinates = Coordinates::automatic;
  rest.damping = {};
  rest.start_at_equilibrium = false;
  rest.controllers.clear();
  rest.loads.clear();
  rest.line_loads.clear();
  const auto unknown = [&](const auto& entry) { return rest.mechanism.find_joint(entry.joint) < 0; };
  std::erase_if(rest.initial, unknown);
  std::erase_if(rest.drives, unknown);
  rest.initial_speeds.clear();
  rest.initial_twists.clear();
  rest.initial_elastic_speeds.clear();
  RestPose start = assembled(rest);
  for (const Cylinder& each : cylinders) {
    const auto pose = [&](FrameRef frame) { return frame_pose(start.plan, start.work, start.q, frame); };
    const double extension = place_cylinder(model.mechanism, each, pose(each.from), pose(each.to));
    const auto is_its = [&](const auto& entry) { return entry.joint == each.name; };
    const auto leads = [&](const Drive& drive) { return is_its(drive) && drive.wants_motion(); };
    if (std::any_of(model.initial.begin(), model.initial.end(), is_its) ||
        std::any_of(model.drives.begin(), model.drives.end(), leads))
      continue;
    model.initial.push_back({each.name, 0, extension});
    remark_stroke(each, extension, model.remarks);
  }
}

}  // namespace lithe

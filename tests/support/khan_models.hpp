#pragma once
// The 3-RRR of the Khan reference as models that can be run.

#include <string>

#include "lithe/simulation/model.hpp"
#include "support/khan_3rrr.hpp"

namespace lithe::testing::khan_3rrr {

/// The mechanism opened as the paper does: the platform in three sections of a third of the mass each, all ending at
/// the mass centre, joined rigidly; the joints between the sections are the cut ones, so all nine angles stay
/// coordinates.
inline Mechanism mechanism_in_sections(double g = 9.81) {
  Mechanism m = mechanism(g);
  m.loads.clear();
  const int whole = m.find_link("platform");
  LinkData& first = m.links[whole];
  first.mass /= 3;
  first.inertia /= 3;
  LinkData section = first;
  section.frames.resize(1);
  for (int j = 1; j < 3; ++j) {
    section.name = name("section", j);
    const int link = m.add_link(section);
    Joint& ankle = m.joints[m.find_joint(name("ankle", j))];
    const Pose pose = m.links[whole].frames[ankle.to.frame].pose;
    ankle.to = m.add_frame(link, name("p", j), pose);
    Joint weld;
    weld.name = name("weld", j);
    weld.type = JointType::fixed;
    weld.from = {whole, 0};
    weld.to = {link, 0};
    weld.cut = true;
    m.add_joint(weld);
  }
  return m;
}

/// Guesses for all joints at the closure-consistent posture.
inline void give_initial_posture(Model& model) {
  for (int j = 0; j < 3; ++j) {
    const auto k = static_cast<std::size_t>(j);
    model.initial.push_back({name("motor", j), 0, motion(0).angle[j]});
    model.initial.push_back({name("knee", j), 0, initial_knee[k]});
    model.initial.push_back({name("ankle", j), 0, initial_ankle[k]});
  }
}

inline Model model(Mechanism mechanism) {
  Model m;
  m.name = "khan 3-RRR";
  m.mechanism = std::move(mechanism);
  m.plan.coordinates = Coordinates::joint;
  give_initial_posture(m);
  m.run.until = 3.0;
  return m;
}

/// Drives along the cycloids of section 5.2, by feed-forward from inverse dynamics.
inline void drive_along_cycloids(Model& model) {
  const double end[3] = {2 * pi / 3, pi, 2 * pi};
  for (int j = 0; j < 3; ++j) {
    Drive drive;
    drive.joint = name("motor", j);
    drive.follow = CycloidLaw{motion(0).angle[j], end[j], 0.0, 3.0};
    drive.feed_forward = true;
    model.drives.push_back(drive);
  }
}

}  // namespace lithe::testing::khan_3rrr

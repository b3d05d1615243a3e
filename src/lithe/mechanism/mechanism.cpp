#include "lithe/mechanism/mechanism.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <set>

#include "lithe/mechanism/check_parts.hpp"
#include "lithe/mechanism/line_spread.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

namespace {

void check_frames(const LinkData& link) {
  std::set<std::string> names;
  for (const Frame& frame : link.frames) {
    const auto fail = [&](const char* fault) {
      throw MechanismError(link.name, fmt::format("link '{}': frame '{}' {}", link.name, frame.name, fault));
    };
    if (!names.insert(frame.name).second) fail("is defined twice");
    if (!frame.pose.position.allFinite() || !frame.pose.rotation.allFinite())
      fail("has a coordinate that is not finite");
    for (const Matrix3X* table : {&frame.shape, &frame.turn})
      if (table->cols() != 0 && table->cols() != link.elastic.count())
        fail("has shapes of another number of elastic coordinates than its link; give one column for each, or none");
  }
}

void check_link(const LinkData& link) {
  const auto fail = [&](const std::string& message) {
    throw MechanismError(link.name, fmt::format("link '{}': {}", link.name, message));
  };
  if (!std::isfinite(link.mass) || !link.centre.allFinite() || !link.inertia.allFinite())
    fail("mass, centre and inertia must be finite numbers");
  if (link.mass < 0) fail(fmt::format("mass {} kg is negative; give zero or a positive mass", link.mass));
  const double size = link.inertia.norm();
  if ((link.inertia - link.inertia.transpose()).norm() > detail::tolerance::written * size)
    fail("the inertia matrix is not symmetric");
  if (link.accepts_inertia) return check_frames(link);
  const Vec3 principal = Eigen::SelfAdjointEigenSolver<Mat3>(link.inertia, Eigen::EigenvaluesOnly).eigenvalues();
  if (principal[0] < -detail::tolerance::written * size)
    fail(fmt::format("the inertia matrix has the negative principal moment {:.6g} kg m^2", principal[0]));
  // A planar model states only the moment about the plane normal; then the triangle inequality says nothing.
  const bool only_one_moment =
      principal[0] <= detail::tolerance::written * size && principal[1] <= detail::tolerance::written * size;
  if (!only_one_moment && principal[2] > (principal[0] + principal[1]) * (1 + 1e-6))
    fail(
        fmt::format("no body has the principal moments {:.6g}, {:.6g}, {:.6g} kg m^2: the largest exceeds the sum of "
                    "the other two; check the inertia values",
                    principal[0], principal[1], principal[2]));
  check_frames(link);
}

void check_joint(const Mechanism& mechanism, const Joint& joint) {
  const auto fail = [&](const std::string& message) {
    throw MechanismError(joint.name, fmt::format("joint '{}': {}", joint.name, message));
  };
  detail::check_frame(mechanism, joint.from, joint.name);
  detail::check_frame(mechanism, joint.to, joint.name);
  if (joint.from.link == joint.to.link)
    fail(fmt::format("connects link '{}' with itself; name two different links", mechanism.links[joint.to.link].name));
  if (!(std::abs(joint.axis.norm() - 1.0) < detail::tolerance::written)) fail("the axis is not a unit vector");
  if (joint.type == JointType::universal) {
    if (!(std::abs(joint.axis2.norm() - 1.0) < detail::tolerance::written))
      fail("the second axis is not a unit vector");
    if (std::abs(joint.axis.dot(joint.axis2)) > detail::tolerance::written)
      fail("the two axes of a universal joint must be perpendicular");
  }
  const std::size_t speeds = static_cast<std::size_t>(speed_count(joint.type));
  const auto check_size = [&](std::size_t size, const char* what) {
    if (size != 0 && size != speeds)
      fail(fmt::format("{} has {} entries; a {} joint has {}", what, size, name_of(joint.type), speeds));
  };
  check_size(joint.actuated.size(), "actuated");
  check_size(joint.stiffness.size(), "stiffness");
  check_size(joint.rest.size(), "rest");
  check_size(joint.damping.size(), "damping");
  check_size(joint.armature.size(), "armature");
  check_size(joint.friction.size(), "friction");
  check_size(joint.stops.size(), "stops");
  for (double k : joint.stiffness)
    if (!std::isfinite(k)) fail("the stiffness is not a finite number");
  for (double c : joint.damping)
    if (!(c >= 0)) fail(fmt::format("the damping {} is negative", c));
  detail::check_joint_parts(joint);
}

void check_reached(const Mechanism& mechanism) {
  std::vector<bool> reached(mechanism.links.size(), false);
  reached[0] = true;
  for (bool grown = true; grown;) {
    grown = false;
    for (const Joint& joint : mechanism.joints)
      if (reached[joint.from.link] != reached[joint.to.link])
        reached[joint.from.link] = reached[joint.to.link] = grown = true;
  }
  std::vector<std::string> lost;
  for (std::size_t i = 0; i < mechanism.links.size(); ++i)
    if (!reached[i]) lost.push_back(mechanism.links[i].name);
  if (lost.empty()) return;
  const std::string others =
      lost.size() > 1 ? fmt::format(" (nor is '{}')", fmt::join(lost.begin() + 1, lost.end(), "', '")) : std::string();
  throw MechanismError(lost[0], fmt::format("link '{}' is not connected to the ground by any chain of joints{}; add a "
                                            "joint (a 'free' joint lets it float)",
                                            lost[0], others));
}

}  // namespace

Mechanism::Mechanism() {
  links.emplace_back();
  links[0].name = "ground";
}
Mechanism::Mechanism(const Mechanism&) = default;
Mechanism::Mechanism(Mechanism&&) noexcept = default;
Mechanism& Mechanism::operator=(const Mechanism&) = default;
Mechanism& Mechanism::operator=(Mechanism&&) noexcept = default;
Mechanism::~Mechanism() = default;

int Mechanism::find_link(const std::string& link) const {
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].name == link) return static_cast<int>(i);
  return -1;
}

int Mechanism::find_joint(const std::string& joint) const {
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i].name == joint) return static_cast<int>(i);
  return -1;
}

FrameRef Mechanism::find_frame(const std::string& link, const std::string& frame) const {
  const int i = find_link(link);
  if (i < 0) throw MechanismError(link, fmt::format("there is no link called '{}'", link));
  const int k = links[i].find_frame(frame);
  if (k < 0) throw MechanismError(link, fmt::format("link '{}' has no frame called '{}'", link, frame));
  return {i, k};
}

int Mechanism::add_link(LinkData link) {
  links.push_back(std::move(link));
  return static_cast<int>(links.size()) - 1;
}

FrameRef Mechanism::add_frame(int link, const std::string& frame, const Pose& pose) {
  const int n = links.at(link).elastic.count();
  links[link].frames.push_back({frame, pose, Matrix3X::Zero(3, n), Matrix3X::Zero(3, n), {}});
  return {link, static_cast<int>(links[link].frames.size()) - 1};
}

int Mechanism::add_joint(Joint joint) {
  joints.push_back(std::move(joint));
  return static_cast<int>(joints.size()) - 1;
}

void Mechanism::validate() const {
  if (!gravity.allFinite()) throw MechanismError("gravity", "gravity has a component that is not finite");
  std::set<std::string> names;
  for (const LinkData& link : links) {
    if (!names.insert(link.name).second)
      throw MechanismError(link.name, fmt::format("link '{}' is defined twice", link.name));
    check_link(link);
  }
  names.clear();
  for (const Joint& joint : joints) {
    if (!names.insert(joint.name).second)
      throw MechanismError(joint.name, fmt::format("joint '{}' is defined twice", joint.name));
    check_joint(*this, joint);
  }
  for (const PointSpring& spring : springs) {
    detail::check_frame(*this, spring.a, spring.name);
    detail::check_frame(*this, spring.b, spring.name);
    if (!std::isfinite(spring.stiffness) || !(spring.damping >= 0) || !(spring.rest >= 0))
      throw MechanismError(spring.name, fmt::format("spring '{}': stiffness must be finite, damping and length not "
                                                    "negative",
                                                    spring.name));
  }
  for (const LoadPort& load : loads) detail::check_frame(*this, load.at, load.name);
  for (const LineLoad& load : line_loads) detail::check_line_load(*this, load);
  names.clear();
  for (const Coupling& coupling : couplings) {
    if (!names.insert(coupling.name).second)
      throw MechanismError(coupling.name, fmt::format("coupling '{}' is defined twice", coupling.name));
    detail::check_coupling(*this, coupling);
  }
  names.clear();
  for (const auto& element : elements) {
    if (!names.insert(fmt::format("{} '{}'", element->kind(), element->name())).second)
      throw MechanismError(element->name(), fmt::format("{} '{}' is defined twice", element->kind(), element->name()));
    detail::check_element(*this, *element);
  }
  check_reached(*this);
}

}  // namespace lithe

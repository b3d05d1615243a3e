#include "lithe/io/mjcf_values.hpp"

#include <fmt/format.h>
#include <tinyxml.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <sstream>

#include "lithe/io/reader.hpp"

namespace lithe::io {

// Not Quaternion::FromTwoVectors: the singular value decomposition behind it takes the compiler five seconds.
Mat3 turn_of_z(const Vec3& direction) {
  const double sine = std::hypot(direction.x(), direction.y());
  const Vec3 axis = sine > 0.0 ? Vec3(-direction.y() / sine, direction.x() / sine, 0.0) : Vec3(1.0, 0.0, 0.0);
  return Eigen::AngleAxisd(std::atan2(sine, direction.z()), axis).toRotationMatrix();
}

void MjcfValues::read_head(const TiXmlElement& mujoco) {
  for (const TiXmlElement* each = mujoco.FirstChildElement("compiler"); each != nullptr;
       each = each->NextSiblingElement("compiler"))
    read_compiler(*each);
  for (const TiXmlElement* each = mujoco.FirstChildElement("default"); each != nullptr;
       each = each->NextSiblingElement("default"))
    read_default(*each, {}, true);
}

void MjcfValues::read_compiler(const TiXmlElement& compiler) {
  const std::string angle = UrdfSource::text(compiler, "angle");
  if (angle == "radian") angle_unit_ = 1.0;
  if (!angle.empty() && angle != "radian" && angle != "degree")
    source_.complain(compiler, "compiler", fmt::format("angle=\"{}\": expected degree or radian", angle));
  const std::string sequence = UrdfSource::text(compiler, "eulerseq");
  if (!sequence.empty()) {
    if (sequence.size() == 3 && sequence.find_first_not_of("xyzXYZ") == std::string::npos)
      euler_sequence_ = sequence;
    else
      source_.complain(compiler, "compiler",
                       fmt::format("eulerseq=\"{}\": expected three of x, y, z, X, Y, Z", sequence));
  }
  const std::string from_geom = UrdfSource::text(compiler, "inertiafromgeom");
  if (!from_geom.empty()) inertia_from_geom_ = from_geom;
  if (UrdfSource::text(compiler, "coordinate") == "global")
    source_.complain(compiler, "compiler",
                     "coordinate=\"global\" is no longer part of MJCF; save the model with a newer MuJoCo first");
  for (const char* changes : {"boundmass", "boundinertia", "settotalmass", "balanceinertia", "inertiagrouprange"})
    if (UrdfSource::attribute(compiler, changes) != nullptr)
      source_.leave_out(compiler, fmt::format("{} of <compiler>, which changes masses, is left out", changes));
}

void MjcfValues::read_default(const TiXmlElement& element, const std::string& parent, bool is_first) {
  std::string name = UrdfSource::text(element, "class");
  if (name.empty() && is_first) name = "main";
  if (name.empty()) return source_.complain(element, "default", "a <default> inside another needs class=\"...\"");
  if (is_first && main_class_.empty()) main_class_ = name;
  Class& made = classes_[name];
  if (made.parent.empty()) made.parent = is_first && name != main_class_ ? main_class_ : parent;
  for (const TiXmlElement* each = element.FirstChildElement(); each != nullptr; each = each->NextSiblingElement()) {
    if (each->ValueStr() == "default")
      read_default(*each, name, false);
    else
      classes_[name].elements[each->ValueStr()] = each;
  }
}

const TiXmlElement* MjcfValues::holder(const TiXmlElement& element, const std::string& name,
                                       const std::string& childclass) const {
  if (UrdfSource::attribute(element, name) != nullptr) return &element;
  std::string at = UrdfSource::text(element, "class");
  if (at.empty()) at = childclass.empty() ? main_class_ : childclass;
  for (std::size_t steps = 0; !at.empty() && steps <= classes_.size(); ++steps) {
    const auto found = classes_.find(at);
    if (found == classes_.end()) break;
    const auto tag = found->second.elements.find(element.ValueStr());
    if (tag != found->second.elements.end() && UrdfSource::attribute(*tag->second, name) != nullptr) return tag->second;
    at = found->second.parent;
  }
  return nullptr;
}

std::string MjcfValues::text(const TiXmlElement& element, const std::string& name,
                             const std::string& childclass) const {
  const TiXmlElement* found = holder(element, name, childclass);
  return found == nullptr ? std::string{} : UrdfSource::text(*found, name);
}

std::optional<double> MjcfValues::number(const TiXmlElement& element, const std::string& name,
                                         const std::string& childclass, const std::string& where) {
  const TiXmlElement* found = holder(element, name, childclass);
  return found == nullptr ? std::nullopt : source_.number(*found, name, where);
}

std::optional<std::vector<double>> MjcfValues::numbers(const TiXmlElement& element, const std::string& name,
                                                       std::size_t count, const std::string& childclass,
                                                       const std::string& where) {
  const TiXmlElement* found = holder(element, name, childclass);
  return found == nullptr ? std::nullopt : source_.numbers(*found, name, count, where);
}

std::vector<double> MjcfValues::some_numbers(const TiXmlElement& element, const std::string& name, std::size_t least,
                                             std::size_t most, const std::string& childclass,
                                             const std::string& where) {
  const TiXmlElement* found = holder(element, name, childclass);
  if (found == nullptr) return {};
  std::istringstream words(UrdfSource::text(*found, name));
  std::size_t count = 0;
  for (std::string word; words >> word;) ++count;
  return source_.numbers(*found, name, std::clamp(count, least, most), where).value_or(std::vector<double>{});
}

std::optional<Vec3> MjcfValues::vector(const TiXmlElement& element, const std::string& name,
                                       const std::string& childclass, const std::string& where) {
  const TiXmlElement* found = holder(element, name, childclass);
  return found == nullptr ? std::nullopt : source_.vector(*found, name, where);
}

Pose MjcfValues::pose(const TiXmlElement& element, const std::string& childclass, const std::string& where) {
  Pose pose;
  pose.position = vector(element, "pos", childclass, where).value_or(Vec3::Zero());
  pose.rotation = rotation(element, childclass, where).value_or(Mat3::Identity());
  return pose;
}

/// Lower letters turn about axes that turn along, upper ones about fixed axes.
Mat3 MjcfValues::euler(const std::vector<double>& angles) const {
  Mat3 rotation = Mat3::Identity();
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = euler_sequence_[i];
    const bool turns_along = letter >= 'x';
    const Vec3 axis = Vec3::Unit(turns_along ? letter - 'x' : letter - 'X');
    const Mat3 turn = Eigen::AngleAxisd(angle(angles[i]), axis).toRotationMatrix();
    rotation = turns_along ? Mat3(rotation * turn) : Mat3(turn * rotation);
  }
  return rotation;
}

std::optional<Mat3> MjcfValues::rotation(const TiXmlElement& element, const std::string& childclass,
                                         const std::string& where) {
  const auto without_direction = [&](const char* name) {
    source_.complain(element, where, fmt::format("{} of <{}> has no direction", name, element.Value()));
    return std::nullopt;
  };
  if (const auto q = numbers(element, "quat", 4, childclass, where)) {
    const Quat turn((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
    if (!(turn.norm() > 1e-12)) return without_direction("quat");
    return turn.normalized().toRotationMatrix();
  }
  if (const auto a = numbers(element, "axisangle", 4, childclass, where)) {
    const Vec3 axis((*a)[0], (*a)[1], (*a)[2]);
    if (!(axis.norm() > 1e-12)) return without_direction("axisangle");
    return Eigen::AngleAxisd(angle((*a)[3]), axis.normalized()).toRotationMatrix();
  }
  if (const auto e = numbers(element, "euler", 3, childclass, where)) return euler(*e);
  if (const auto v = numbers(element, "xyaxes", 6, childclass, where)) {
    const Vec3 x = Vec3((*v)[0], (*v)[1], (*v)[2]).stableNormalized();
    const Vec3 given((*v)[3], (*v)[4], (*v)[5]);
    const Vec3 y = (given - x * x.dot(given)).stableNormalized();
    if (x.norm() < 0.5 || y.norm() < 0.5) return without_direction("xyaxes");
    Mat3 axes;
    axes << x, y, x.cross(y);
    return axes;
  }
  if (const auto z = vector(element, "zaxis", childclass, where)) {
    if (!(z->norm() > 1e-12)) return without_direction("zaxis");
    return turn_of_z(*z);
  }
  return std::nullopt;
}

}  // namespace lithe::io

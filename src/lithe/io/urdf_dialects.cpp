#include "lithe/io/urdf_dialects.hpp"

#include <fmt/format.h>
#include <tinyxml.h>

#include <algorithm>

#include "lithe/io/reader.hpp"
#include "lithe/io/urdf_source.hpp"
#include "lithe/laws/suggestion.hpp"

namespace lithe::io {
namespace {

std::string title_of(const TiXmlElement& element) {
  const std::string name = UrdfSource::text(element, "name");
  return name.empty() ? element.ValueStr() : fmt::format("{} '{}'", element.Value(), name);
}

class LoopReader {
 public:
  LoopReader(const TiXmlElement& element, UrdfSource& source, UrdfRobot& robot)
      : element_(element), source_(source), robot_(robot), where_(title_of(element)) {}

  void read() {
    loop_.name = UrdfSource::text(element_, "name");
    loop_.place = source_.place(element_);
    if (loop_.name.empty()) source_.complain(element_, where_, fmt::format("this {} has no name", element_.Value()));
    for (const UrdfLoop& other : robot_.loops)
      if (other.name == loop_.name)
        source_.complain(element_, where_,
                         fmt::format("a loop of this name stands in line {} already", other.place.line));
    read_type();
    if (element_.ValueStr() == "loop")
      read_ends_of_urdf_plus();
    else
      read_ends_of_drake();
    using Type = UrdfJoint::Type;
    loop_.axis = source_.axis_in(element_, where_, loop_.type != Type::fixed && loop_.type != Type::spherical);
    if (!loop_.ends[0].link.empty() && loop_.ends[0].link == loop_.ends[1].link)
      source_.complain(element_, where_, fmt::format("both ends are on the link '{}'", loop_.ends[0].link));
    robot_.loops.push_back(loop_);
  }

 private:
  void read_type() {
    const std::vector<std::string> known{"revolute", "continuous", "prismatic", "planar", "spherical", "fixed"};
    const std::string type = UrdfSource::text(element_, "type");
    if (std::find(known.begin(), known.end(), type) == known.end())
      return source_.complain(element_, where_,
                              type.empty() ? fmt::format("needs type=\"...\": {}", listed(known))
                                           : fmt::format("there is no loop type '{}'{}", type, hint(type, known)));
    const std::vector<std::string>& names = urdf_joint_types();
    loop_.type = static_cast<UrdfJoint::Type>(std::find(names.begin(), names.end(), type) - names.begin());
  }

  /// <predecessor link="..."><origin/></predecessor> and <successor> likewise.
  void read_ends_of_urdf_plus() {
    source_.check_words(element_, {"name", "type"}, {"predecessor", "successor", "axis"});
    for (std::size_t k = 0; k < 2; ++k) {
      const char* tag = k == 0 ? "predecessor" : "successor";
      const TiXmlElement* end = source_.only(element_, tag);
      if (end == nullptr) {
        source_.complain(element_, where_, fmt::format("needs <{} link=\"...\"><origin .../></{}>", tag, tag));
        continue;
      }
      source_.check_words(*end, {"link"}, {"origin"});
      loop_.ends[k] = {link_of(*end), source_.origin_in(*end, where_)};
    }
  }

  /// <link1 link="..." xyz="..." rpy="..."/> and <link2 .../>; some files call both of them link1.
  void read_ends_of_drake() {
    source_.check_words(element_, {"name", "type"}, {"link1", "link2", "axis"});
    std::size_t count = 0;
    for (const TiXmlElement* each = element_.FirstChildElement(); each != nullptr; each = each->NextSiblingElement()) {
      if (each->ValueStr() != "link1" && each->ValueStr() != "link2") continue;
      source_.check_words(*each, {"link", "xyz", "rpy", "quat_xyzw"}, {});
      if (count < 2) loop_.ends[count] = {link_of(*each), source_.origin(*each, where_)};
      ++count;
    }
    if (count != 2)
      source_.complain(element_, where_, "needs <link1 link=\"...\" xyz=\"...\" rpy=\"...\"/> and <link2 .../>");
  }

  /// Links may stand after the loop: whether they exist is checked with the whole robot.
  std::string link_of(const TiXmlElement& end) {
    const std::string link = UrdfSource::text(end, "link");
    if (link.empty()) source_.complain(end, where_, fmt::format("<{}> needs the attribute link", end.Value()));
    return link;
  }

  const TiXmlElement& element_;
  UrdfSource& source_;
  UrdfRobot& robot_;
  std::string where_;
  UrdfLoop loop_;
};

void read_ratio(const TiXmlElement& element, UrdfSource& source, UrdfRobot& robot) {
  const std::string where = title_of(element);
  UrdfRatio ratio;
  ratio.name = UrdfSource::text(element, "name");
  ratio.place = source.place(element);
  if (ratio.name.empty()) source.complain(element, where, "this coupling has no name");
  for (const UrdfRatio& other : robot.ratios)
    if (other.name == ratio.name)
      source.complain(element, where,
                      fmt::format("a coupling of this name stands in line {} already", other.place.line));
  source.check_words(element, {"name"}, {"predecessor", "successor", "ratio"});
  for (const auto& [tag, link] :
       {std::pair{"predecessor", &ratio.predecessor}, std::pair{"successor", &ratio.successor}}) {
    const TiXmlElement* end = source.only(element, tag);
    if (end != nullptr) *link = UrdfSource::text(*end, "link");
    if (link->empty()) source.complain(element, where, fmt::format("needs <{} link=\"...\"/>", tag));
  }
  if (const TiXmlElement* value = source.only(element, "ratio")) {
    ratio.ratio = source.needed_number(*value, "value", where);
    if (ratio.ratio == 0.0) source.complain(*value, where, "the ratio must not be zero");
  }
  robot.ratios.push_back(std::move(ratio));
}

bool has_child_in(const TiXmlElement& element, const std::vector<std::string>& tags) {
  return std::any_of(tags.begin(), tags.end(),
                     [&](const std::string& tag) { return element.FirstChildElement(tag) != nullptr; });
}

/// Why the robot moves differently without this element, as a remedy; empty: it does not.
std::string remedy_of(const TiXmlElement& element) {
  const std::string tag = element.Value();
  const std::string name = tag.substr(tag.rfind(':') == std::string::npos ? 0 : tag.rfind(':') + 1);
  const std::string go_on = "; --ignore-couplings converts without it";
  if (tag == "joint_constraint")
    return "it couples two joints in words that are not read: write it into 'couplings' of the side file" + go_on;
  if (name == "force_element" || name.ends_with("spring_damper") || name.find("bushing") != std::string::npos)
    return "force elements are not read: write a spring into 'springs' of the side file, or 'stiffness' and 'damping' "
           "of a joint" +
           go_on;
  const std::string write_joint = "write it as a joint into the side file" + go_on;
  if (tag == "gazebo" && element.FirstChildElement("joint") != nullptr)
    return "it has a joint of SDF, which is not read: " + write_joint;
  if (tag == "mujoco" && has_child_in(element, {"equality", "tendon"}))
    return "it has constraints of MuJoCo, which are not read: " + write_joint;
  if (name == "constraint" || name.ends_with("_constraint") || name == "equality" || tag.ends_with(":joint"))
    return "it constrains the motion in words that are not read: " + write_joint;
  return {};
}

/// What a file for other programs has, and what it is.
std::string purpose_of(const std::string& tag) {
  static const std::map<std::string, std::string> known{{"gazebo", "for the simulator Gazebo"},
                                                        {"sensor", "a sensor"},
                                                        {"ros2_control", "for ROS 2 controllers"},
                                                        {"mujoco", "for the simulator MuJoCo"},
                                                        {"fixed_frame", "a frame of Isaac Sim"}};
  const auto found = known.find(tag);
  return found == known.end() ? std::string() : found->second;
}

void read_material(const TiXmlElement& element, UrdfSource& source) {
  const std::string name = UrdfSource::text(element, "name");
  for (const TiXmlElement* other = element.Parent()->FirstChildElement("material"); other != &element;
       other = other->NextSiblingElement("material"))
    if (UrdfSource::text(*other, "name") == name)
      return source.note(element, fmt::format("the material '{}' is defined a second time; the first counts", name));
}

}  // namespace

void read_urdf_dialect(const TiXmlElement& element, UrdfSource& source, UrdfRobot& robot) {
  const std::string tag = element.Value();
  if (tag == "loop" || tag == "loop_joint") return LoopReader(element, source, robot).read();
  if (tag == "coupling") return read_ratio(element, source, robot);
  if (tag == "material") return read_material(element, source);
  if (const std::string remedy = remedy_of(element); !remedy.empty()) {
    robot.couplings.push_back({source.place(element), title_of(element), remedy});
    return;
  }
  static const std::vector<std::string> words{"link", "joint", "transmission", "loop", "loop_joint", "coupling"};
  const std::string purpose = purpose_of(tag);
  source.leave_out(element, purpose.empty()
                                ? fmt::format("<{}> is not understood and left out{}", tag, did_you_mean(tag, words))
                                : fmt::format("<{}>, {}, is left out", tag, purpose));
}

}  // namespace lithe::io

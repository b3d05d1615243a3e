#pragma once
// A URDF or MJCF while it is read: values with their places, complaints about what is wrong, notes about what is left out.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lithe/io/diagnostics.hpp"
#include "lithe/io/urdf_robot.hpp"

class TiXmlBase;
class TiXmlAttribute;
class TiXmlElement;

namespace lithe::io {

class UrdfSource {
 public:
  UrdfSource(const std::string& file, Complaints& complaints, std::string format = "URDF")
      : file_(file), complaints_(complaints), format_(std::move(format)) {}

  Place place(const TiXmlBase& node) const;
  void complain(const TiXmlBase& node, const std::string& what, const std::string& message);
  /// Something a user should know, that is no error.
  void note(int line, const std::string& message);
  void note(const TiXmlBase& node, const std::string& message);
  /// Something is there and not used. What is called the same is told in one line, with the line of the first.
  void leave_out(const TiXmlBase& node, const std::string& what);
  /// Everything noted, by line.
  std::vector<std::string> notes() const;

  /// The attribute, or nothing where it is absent.
  static const TiXmlAttribute* attribute(const TiXmlElement& element, const std::string& name);
  /// Text of an attribute without white space around it; empty where it is absent.
  static std::string text(const TiXmlElement& element, const std::string& name);

  /// `count` numbers of an attribute, with any white space around them, or nothing after a complaint. An absent
  /// attribute is no complaint.
  std::optional<std::vector<double>> numbers(const TiXmlElement& element, const std::string& name, std::size_t count,
                                             const std::string& where, bool may_be_infinite = false);
  std::optional<double> number(const TiXmlElement& element, const std::string& name, const std::string& where,
                               bool may_be_infinite = false);
  /// A number that must be there; zero after a complaint.
  double needed_number(const TiXmlElement& element, const std::string& name, const std::string& where);
  std::optional<Vec3> vector(const TiXmlElement& element, const std::string& name, const std::string& where);

  /// xyz, and rpy or quat_xyzw, of an element.
  UrdfOrigin origin(const TiXmlElement& element, const std::string& where);
  /// Of the child <origin>, when there is one.
  UrdfOrigin origin_in(const TiXmlElement& owner, const std::string& where);
  /// An axis with a direction; complains about zero unless the direction does not matter.
  Vec3 axis_in(const TiXmlElement& owner, const std::string& where, bool matters);

  /// The child of this name; further ones are left out, which is noted.
  const TiXmlElement* only(const TiXmlElement& owner, const std::string& tag);
  /// Notes attributes and children that are not in these lists.
  void check_words(const TiXmlElement& element, const std::vector<std::string>& attributes,
                   const std::vector<std::string>& children);

 private:
  struct LeftOut {
    int line = 0, count = 0;
  };
  const std::string& file_;
  Complaints& complaints_;
  std::string format_;
  std::vector<std::pair<int, std::string>> notes_;
  std::map<std::string, LeftOut> left_out_;
};

/// How far a printed number may be from the one that was meant: half a unit of its last digit. Zero for a zero.
double rounding_of(const std::string& printed);

}  // namespace lithe::io

#pragma once
// Values of an MJCF (the model file of MuJoCo): defaults by class, angles in degrees or radians, orientations in all their forms.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lithe/io/urdf_source.hpp"

namespace lithe::io {

/// The shortest rotation that takes the z axis to a direction of any length; where it is -z, half a turn about x.
Mat3 turn_of_z(const Vec3& direction);

class MjcfValues {
 public:
  explicit MjcfValues(UrdfSource& source) : source_(source) {}

  /// <compiler> and all <default> of the file. Complains about what changes the meaning of values and is not known.
  void read_head(const TiXmlElement& mujoco);

  /// The element that holds an attribute: this one, or the default of its class. Nothing where neither has it.
  /// `childclass` is the class of the bodies around.
  const TiXmlElement* holder(const TiXmlElement& element, const std::string& name, const std::string& childclass) const;

  std::string text(const TiXmlElement& element, const std::string& name, const std::string& childclass) const;
  std::optional<double> number(const TiXmlElement& element, const std::string& name, const std::string& childclass,
                               const std::string& where);
  std::optional<std::vector<double>> numbers(const TiXmlElement& element, const std::string& name, std::size_t count,
                                             const std::string& childclass, const std::string& where);
  /// As many numbers as stand there, between `least` and `most`.
  std::vector<double> some_numbers(const TiXmlElement& element, const std::string& name, std::size_t least,
                                   std::size_t most, const std::string& childclass, const std::string& where);
  std::optional<Vec3> vector(const TiXmlElement& element, const std::string& name, const std::string& childclass,
                             const std::string& where);
  /// pos, and quat, axisangle, euler, xyaxes or zaxis.
  Pose pose(const TiXmlElement& element, const std::string& childclass, const std::string& where);

  /// Radians of an angle as the file writes it.
  double angle(double value) const { return value * angle_unit_; }
  bool takes_inertia_of_shapes() const { return inertia_from_geom_ == "true"; }
  bool needs_inertial() const { return inertia_from_geom_ == "false"; }

 private:
  struct Class {
    std::string parent;
    std::map<std::string, const TiXmlElement*> elements;  ///< by tag
  };
  void read_compiler(const TiXmlElement& compiler);
  void read_default(const TiXmlElement& element, const std::string& parent, bool is_first);
  std::optional<Mat3> rotation(const TiXmlElement& element, const std::string& childclass, const std::string& where);
  Mat3 euler(const std::vector<double>& angles) const;

  UrdfSource& source_;
  std::map<std::string, Class> classes_;
  std::string main_class_;
  double angle_unit_ = 0.017453292519943295;  ///< degrees, unless the file says radians
  std::string euler_sequence_ = "xyz", inertia_from_geom_ = "auto";
};

}  // namespace lithe::io

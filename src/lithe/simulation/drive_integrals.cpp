#include "lithe/simulation/drive_integrals.hpp"

#include <fmt/format.h>

#include <memory>

namespace lithe::detail {
namespace {

std::string name_of_drive(const Drive& drive) { return fmt::format("{}.{}", drive.joint, drive.coordinate); }
std::string name_of_path(const PathDrive& path) { return fmt::format("{}/{}", path.link, path.frame); }

/// Wanted minus there, summed up over time.
class FollowIntegral : public Element {
 public:
  FollowIntegral(const Drive& drive, CoordinateRef at)
      : Element("integral", name_of_drive(drive)), drive_(drive), at_(at) {}

  std::vector<CoordinateRef> coordinates() const override { return {at_}; }
  std::vector<std::string> states() const override { return {"error"}; }
  void act(const ElementMotion& motion, ElementAnswer& answer) const override {
    answer.rates[0] = drive_.motion_at(motion.t).value - motion.q[0];
  }

 private:
  Drive drive_;
  CoordinateRef at_;
};

/// The same of a frame and its place on a path: distances in ground axes, and the turn that is missing.
class PathIntegral : public Element {
 public:
  PathIntegral(const PathDrive& drive, FrameRef at)
      : Element("path-integral", name_of_path(drive)), path_(drive.path), at_(at) {}

  std::vector<FrameRef> frames() const override { return {at_}; }
  std::vector<std::string> states() const override {
    std::vector<std::string> names{"x", "y", "z"};
    if (path_.turns()) names.insert(names.end(), {"rx", "ry", "rz"});
    return names;
  }
  void act(const ElementMotion& motion, ElementAnswer& answer) const override {
    const PathPoint wanted = path_.at(motion.t);
    const Pose& pose = motion.frames[0].pose;
    Eigen::Map<Vec3>(answer.rates.data()) = wanted.position - pose.position;
    if (path_.turns())
      Eigen::Map<Vec3>(answer.rates.data() + 3) =
          vector_from_rotation(wanted.turning.rotation * pose.rotation.transpose());
  }

 private:
  Path path_;
  FrameRef at_;
};

int states_before(const Mechanism& mechanism, std::string_view kind, const std::string& name) {
  int count = 0;
  for (const auto& element : mechanism.elements) {
    if (element->kind() == kind && element->name() == name) return count;
    count += static_cast<int>(element->states().size());
  }
  return -1;
}

}  // namespace

void add_drive_integrals(const Model& model, Mechanism& mechanism) {
  for (const Drive& drive : model.drives) {
    if (drive.ki == 0.0) continue;
    if (!drive.wants_motion())
      throw MechanismError(drive.joint,
                           fmt::format("the integral part of the drive of joint '{}' needs a motion law of its own "
                                       "('follow'); along a path 'task-pd' has a 'ki'",
                                       drive.joint));
    mechanism.elements.push_back(
        std::make_shared<FollowIntegral>(drive, CoordinateRef{mechanism.find_joint(drive.joint), drive.coordinate}));
  }
  for (const PathDrive& path : model.paths)
    if (path.task.is_integral())
      mechanism.elements.push_back(std::make_shared<PathIntegral>(path, mechanism.find_frame(path.link, path.frame)));
}

int integral_of(const Mechanism& mechanism, const Drive& drive) {
  return drive.ki == 0.0 ? -1 : states_before(mechanism, "integral", name_of_drive(drive));
}

int integral_of(const Mechanism& mechanism, const PathDrive& path) {
  return path.task.is_integral() ? states_before(mechanism, "path-integral", name_of_path(path)) : -1;
}

}  // namespace lithe::detail

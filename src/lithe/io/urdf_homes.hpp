#pragma once
// Where the links of a URDF have gone in the model, and the frames at which joints and loops sit on them.

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lithe/io/urdf_robot.hpp"
#include "lithe/io/urdf_side.hpp"
#include "lithe/io/yaml_tree.hpp"

namespace lithe::io {

/// A link of the URDF becomes a link of the model, the ground (the base), or, fixed and without mass, a frame of the
/// link that carries it. When only the ground would be left, the base stays a link, so that there is a model.
class UrdfHomes {
 public:
  /// The base may get another name, if its own is that of the ground.
  UrdfHomes(UrdfRobot& robot, const SideFile& side);

  bool is_link(const std::string& link) const { return homes_.at(link).is_itself; }
  /// A fixed joint that has become a frame, together with its link.
  bool is_frame(const std::string& joint) const { return merged_joints_.contains(joint); }
  bool base_stays() const { return base_stays_; }
  /// The link of the model that carries a link of the URDF ("ground" for the base), and how that stands in it.
  const std::string& home_of(const std::string& link) const { return homes_.at(link).link; }
  const Pose& pose_at_home(const std::string& link) const { return homes_.at(link).pose; }

  /// Frames of everything that hangs on a link of the model.
  std::vector<Entry> frames_of(const std::string& link) const;
  /// LINK/FRAME at which a joint sits on its parent, a loop on one of its two links.
  std::string reference(const UrdfJoint& joint) const { return mounts_.at(joint.name).reference(); }
  std::string reference(const UrdfLoop& loop, std::size_t end) const {
    return loop_mounts_.at(loop.name)[end].reference();
  }
  /// What references of the side file to links that are gone mean.
  const std::map<std::string, FrameAlias>& aliases() const { return aliases_; }

 private:
  struct Home {
    std::string link;
    Pose pose;
    bool is_itself = true;
  };
  /// Something that a link of the model carries at a frame.
  struct Mount {
    std::string home, frame;  ///< of the model
    UrdfOrigin origin;
    Pose carrier;  ///< the link of the URDF in the home
    Place place;
    bool needs_frame = true;  ///< false: it sits at the very origin

    std::string reference() const { return needs_frame ? home + "/" + frame : home; }
  };

  const UrdfJoint* parent_joint(const std::string& link) const;
  void place_links();
  void place_link(const UrdfLink& link, const UrdfJoint* joint);
  void keep_base(UrdfRobot& robot);
  void name_frames();
  Mount mount(const std::string& link, const UrdfOrigin& origin, const std::string& name, const Place& place,
              bool needs_frame);

  const UrdfRobot& robot_;
  const SideFile& side_;
  std::map<std::string, const UrdfJoint*> parent_joints_;  ///< by the link that hangs on them
  std::map<std::string, Home> homes_;
  std::map<std::string, FrameAlias> aliases_;
  std::set<std::string> merged_joints_;
  std::map<std::string, std::set<std::string>> frame_names_;  ///< by link of the model
  std::map<std::string, Mount> mounts_;                       ///< by joint
  std::map<std::string, std::array<Mount, 2>> loop_mounts_;   ///< by loop
  bool base_stays_ = false;
};

}  // namespace lithe::io

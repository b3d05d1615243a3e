#pragma once
// The side file of a URDF: reading it, and making its names those of the model.

#include <map>
#include <optional>
#include <string>

#include "lithe/io/model_rules.hpp"
#include "lithe/io/reader.hpp"
#include "lithe/io/urdf.hpp"
#include "lithe/io/urdf_robot.hpp"

namespace lithe::io {

/// What the side file decides, besides what is copied from it.
struct SideFile {
  const Node* tree = nullptr;                                  ///< nothing: there is no side file
  std::map<std::string, std::string> link_names, joint_names;  ///< from the URDF to the model; loops are joints
  bool base_is_free = false;
  bool ignores_couplings = false;
  bool limits_are_stops = false;  ///< as the options say
  ImpossibleInertia inertia = ImpossibleInertia::refuse;
  std::string mimic;                                 ///< "", "coupled", "free" or "fixed"
  std::string actuated;                              ///< "", "all", "none" or "list"
  std::map<std::string, const Node*> actuated_list;  ///< joint names of the model

  /// The value of a key of the file, or of an entry in one of its maps; nothing when it is not there.
  const Entry* find(const std::string& key) const;
  const Entry* find(const std::string& key, const std::string& name) const;
};

/// Names of the robot are made fit for a model file and renamed; complains about names that the URDF does not have.
/// `options` go before what the file says.
SideFile read_side_file(const Node* tree, UrdfRobot& robot, const UrdfOptions& options, Reader& reader,
                        std::vector<std::string>& notes);

/// A frame reference in the side file may name a link that has become part of another one.
struct FrameAlias {
  std::string link, frame;  ///< frame empty: the link's own frames keep their names
};

/// Replaces the aliases in `from`, `to`, `at` and `frames` lists of a copied section.
void replace_aliases(Node& node, const std::map<std::string, FrameAlias>& aliases);

/// Names of files in a copied section are relative to the side file; the model file stands in `folder`.
void relocate_files(Node& node, const std::string& folder);

}  // namespace lithe::io

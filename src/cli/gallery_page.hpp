#pragma once
// The page of `lithe demo`: one card per example, readable without a network.

#include <string>
#include <vector>

#include "lithe/kinematics/motion.hpp"
#include "lithe/simulation/simulate.hpp"

namespace lithe::cli {

/// One finished example.
struct GalleryEntry {
  std::string key;    ///< file name without extension
  std::string group;  ///< heading under which it stands
  std::string look;   ///< what to look at, one sentence; empty: the opening comment of the model
  Model model;
  MemoryRecord record;  ///< with the places of all frames
  RunOutcome outcome;
  Mobility mobility;
  std::size_t loops = 0;
  bool planar = false;
  Vec3 normal = Vec3::Zero();      ///< of the plane of a planar one
  std::vector<std::string> files;  ///< results, relative to the page
  std::string report;              ///< its report page, relative to this page; empty: none
  std::string failure;             ///< when it could not be run at all
};

/// `has_reports`: the program can make report pages.
std::string gallery_page(const std::vector<GalleryEntry>& entries, bool has_reports);

/// The first paragraph of the comment at the top of a model file.
std::string opening_comment(const std::string& model_text);

}  // namespace lithe::cli

#include "lithe/dynamics/denoc_layout.hpp"

#include <algorithm>

namespace lithe::detail {

namespace {

/// Joints at each link of the mechanism.
std::vector<std::vector<int>> joints_of_links(const Mechanism& mechanism) {
  std::vector<std::vector<int>> out(mechanism.links.size());
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    out[mechanism.joints[j].from.link].push_back(static_cast<int>(j));
    out[mechanism.joints[j].to.link].push_back(static_cast<int>(j));
  }
  return out;
}

/// Walks from the platform through `joint` to the ground; the steps come out in the order ground -> platform.
/// Returns the link at which the walk ended: 0 for the ground, else the link that is in the way.
int walk_leg(const Mechanism& mechanism, const std::vector<std::vector<int>>& joints_at, int platform, int joint,
             std::vector<LegStep>& leg) {
  int outboard = platform;
  while (true) {
    const Joint& j = mechanism.joints[joint];
    const bool reversed = j.from.link == outboard;
    leg.push_back({joint, outboard, reversed});
    const int inboard = reversed ? j.to.link : j.from.link;
    if (inboard == 0) break;
    const auto& there = joints_at[inboard];
    if (inboard == platform || there.size() != 2) return inboard;
    joint = there[0] == joint ? there[1] : there[0];
    outboard = inboard;
  }
  std::reverse(leg.begin(), leg.end());
  return 0;
}

DenocLayout divide_at(const Mechanism& mechanism, const std::vector<std::vector<int>>& joints_at, int platform) {
  DenocLayout layout;
  layout.platform = platform;
  std::size_t joints = 0;
  for (const int joint : joints_at[platform]) {
    std::vector<LegStep> leg;
    const int end = walk_leg(mechanism, joints_at, platform, joint, leg);
    if (end != 0) {
      const auto name = [&mechanism](int link) { return "'" + mechanism.links[link].name + "'"; };
      const char* why = end == platform ? " closes on the platform without reaching the ground"
                                        : " is not part of one serial chain from the ground to the platform";
      layout.refusal = "with platform " + name(platform) + ", link " + name(end) + why;
      return layout;
    }
    joints += leg.size();
    layout.legs.push_back(std::move(leg));
  }
  if (joints != mechanism.joints.size()) {
    layout.refusal =
        "joints that are not between the ground and platform '" + mechanism.links[platform].name + "' remain";
  }
  return layout;
}

std::size_t longest_leg(const DenocLayout& layout) {
  std::size_t longest = 0;
  for (const auto& leg : layout.legs) longest = std::max(longest, leg.size());
  return longest;
}

}  // namespace

DenocLayout find_denoc_layout(const Mechanism& mechanism, const std::string& platform) {
  const auto joints_at = joints_of_links(mechanism);
  if (!platform.empty()) {
    const int link = mechanism.find_link(platform);
    if (link > 0) return divide_at(mechanism, joints_at, link);
    DenocLayout none;
    none.refusal = "there is no link '" + platform + "' to be the platform";
    return none;
  }
  DenocLayout best;
  for (int link = 1; link < static_cast<int>(mechanism.links.size()); ++link) {
    DenocLayout layout = divide_at(mechanism, joints_at, link);
    if (!layout.refusal.empty()) continue;
    if (best.platform < 0 || longest_leg(layout) < longest_leg(best)) best = std::move(layout);
  }
  if (best.platform < 0) {
    best.refusal =
        "no link can be the platform: none is reached by serial chains from the ground that together hold all "
        "joints";
  }
  return best;
}

}  // namespace lithe::detail

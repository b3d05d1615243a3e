// Any bytes given as a link file (JSON, or HDF5 by its first byte) end in a link that can be written, read again and moved, or in a
// std::runtime_error that names the file.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "lithe/dynamics/forward.hpp"
#include "lithe/errors.hpp"
#include "lithe/io/link_tree.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/mechanism/plan.hpp"

namespace {

/// The link in free flight: a Plan makes constants of all its tables.
void fly(const lithe::LinkData& link) {
  lithe::Mechanism mechanism;
  mechanism.links.push_back(link);
  mechanism.links.back().name = "link";
  lithe::Joint joint;
  joint.name = "air";
  joint.type = lithe::JointType::free;
  joint.from = {0, 0};
  joint.to = {1, 0};
  mechanism.joints.push_back(joint);
  try {
    const lithe::Plan plan(mechanism);
    lithe::Workspace work(plan);
    lithe::State state;
    state.q = plan.neutral();
    state.v = lithe::VectorX::Zero(plan.nv());
    if (!lithe::select_independent(plan, work, state.q)) return;
    lithe::VectorX a = lithe::VectorX::Zero(plan.nv());
    lithe::forward_dynamics(plan, work, state, lithe::Actions(plan), a);
  } catch (const lithe::MechanismError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::string name = size > 0 && data[0] == 0x89 ? "fuzz.h5" : "fuzz.json";
  lithe::LinkData link;
  try {
    link = lithe::detail::link_of_bytes(bytes, name);
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()).find("fuzz.") == std::string::npos) std::abort();
    return 0;
  }
  // What was read reads back.
  if (lithe::detail::link_of_tree(lithe::detail::link_tree(link), "again").frames.size() != link.frames.size())
    std::abort();
  fly(link);
  return 0;
}

// Any bytes given as the side file of a URDF end in a model file that has been checked, or in a ModelError.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lithe/errors.hpp"
#include "lithe/io/urdf.hpp"
#include "scratch_file.hpp"

namespace {

/// Two arms from one base whose tips a side file can join.
constexpr std::string_view robot = R"(<robot name="r">
<link name="base"/>
<link name="a"><inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="tip"/>
<joint name="ja" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="2"/></joint>
<joint name="jb" type="continuous"><parent link="base"/><child link="b"/><origin xyz="0 1 0"/><axis xyz="0 0 1"/><dynamics damping="0.1" friction="0.1"/></joint>
<joint name="jt" type="fixed"><parent link="a"/><child link="tip"/><origin xyz="1 0 0"/></joint>
</robot>
)";

struct Files {
  lithe::fuzz::ScratchFile robot_file{"robot.urdf"}, side{"side.yaml", robot_file};
  Files() { robot_file.write(robot); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Files files;
  files.side.write({reinterpret_cast<const char*>(data), size});
  try {
    if (lithe::convert_urdf(files.robot_file.path(), files.side.path()).text.empty()) std::abort();
  } catch (const lithe::ModelError& error) {
    if (error.diagnostics().empty()) std::abort();
  }
  return 0;
}

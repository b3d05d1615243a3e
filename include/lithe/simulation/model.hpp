#pragma once
// A model: the mechanism and everything that is to be done with it. Made by io from a file, or in C++.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lithe/links/link_origin.hpp"
#include "lithe/links/triangle_mesh.hpp"
#include "lithe/mechanism/plan.hpp"
#include "lithe/simulation/continuous_controller.hpp"
#include "lithe/simulation/drive.hpp"
#include "lithe/simulation/event.hpp"
#include "lithe/simulation/remarks.hpp"
#include "lithe/simulation/run.hpp"
#include "lithe/simulation/sampled_controller.hpp"
#include "lithe/simulation/sensor.hpp"

namespace lithe {

/// Initial value of one scalar coordinate (q) or speed (v) of a joint.
struct InitialValue {
  std::string joint;
  int coordinate = 0;
  double value = 0.0;
};

/// Initial value of one elastic coordinate, or of its rate.
struct ElasticValue {
  std::string link;
  int coordinate = 0;  ///< from 0; called LINK.e1 in files and results
  double value = 0.0;
};

/// Where a link shall be at the start: its origin and its axes in ground axes. What is left out is left to the others.
struct InitialPose {
  std::string link;
  std::optional<Vec3> position;  ///< m
  std::optional<Quat> rotation;
};

/// How a link shall move at the start: velocity of its origin and angular velocity, ground axes.
struct InitialTwist {
  std::string link;
  std::optional<Vec3> velocity;  ///< m/s
  std::optional<Vec3> angular;   ///< rad/s
};

/// Damping of the assembled mechanism: ratios of critical damping of its natural modes at rest in the initial pose,
/// motors locked. The forces are viscous and act on the coordinates that vibrate in these modes; what links and joints
/// damp comes on top. Without ratios: none.
struct ModalDamping {
  double ratio = 0.0;          ///< of every mode
  std::vector<double> ratios;  ///< by rising frequency, in place of `ratio`; modes beyond the list are not damped

  bool is_given() const { return ratio > 0.0 || !ratios.empty(); }
};

/// The rotor of a motor that is a body of its own: its momentum turns with the link that carries it, and pulls at that
/// link (gyroscopic effect). The inertia of that link is then given without that of the rotor about its axis.
struct SpinningRotor {
  std::string joint;                ///< whose motor it is
  std::optional<Vec3> axis;         ///< unit, in the axes of the carrying frame; default that of the joint
  std::optional<FrameRef> carrier;  ///< default the from-frame of the joint
};

struct Model {
  std::string name;
  std::string path;                             ///< file it came from
  std::string text;                             ///< its text as it stands in the file
  std::string flattened;                        ///< the same with includes, parameters and --set put in; in results
  std::map<std::string, std::string> attached;  ///< contents of the tables and link files that `flattened` names
  std::vector<std::string> files;               ///< every file that was read for it; runs do not write over them
  std::map<std::string, double> parameters;     ///< after command-line overrides
  std::map<std::string, std::string> replaced;  ///< values of the text that were replaced by their path (--set)
  Mechanism mechanism;
  std::vector<LinkOrigin> origins;  ///< same order as mechanism.links; may be empty for a model made in C++
  std::vector<Visual> visuals;      ///< what links look like, for pictures
  PlanOptions plan;
  ModalDamping damping;  ///< of the whole mechanism
  // What is given of the start is kept as far as the loops allow it; what gives way selects the assembly and is named.
  std::vector<InitialValue> initial;         ///< coordinates of joints; quaternions as four of them
  std::vector<InitialValue> initial_speeds;  ///< `speeds:`
  std::vector<InitialPose> initial_poses;
  std::vector<InitialTwist> initial_twists;
  std::vector<ElasticValue> initial_elastic, initial_elastic_speeds;
  /// Runs start at static equilibrium near these values, motors held, under gravity, springs and the loads of the
  /// start.
  bool start_at_equilibrium = false;
  std::vector<SpinningRotor> spinning_rotors;  ///< expand_motors() makes bodies of them
  std::vector<Drive> drives;
  std::vector<PathDrive> paths;
  std::vector<Controller> controllers;  ///< without a memory
  std::vector<Sensor> sensors;
  std::vector<SampledController> sampled_controllers;
  std::vector<ContinuousController> continuous_controllers;
  std::vector<Event> events;             ///< of simulations; other runs see the mechanism without them
  std::vector<LoadLaws> loads;           ///< same order as mechanism.loads
  std::vector<LineLoadLaws> line_loads;  ///< same order as mechanism.line_loads
  RunOptions run;
  RecordOptions record;
  Remarks remarks;  ///< of reading it; runs hand them on in their audit

  // Made, copied and dropped in one file: the compiler would write all of it into every file that handles one.
  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();
};

}  // namespace lithe

// Single states of a model: assembly, poses, velocities, complements.

#include "prepared.hpp"

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <map>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"
#include "pickling.hpp"

namespace lithe::python {
namespace {

using Values = std::map<std::string, double>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

Vector6 stacked(const Twist& twist) {
  Vector6 both;
  both << twist.angular, twist.linear;
  return both;
}

/// Tree speed of a name; joints that close a loop follow from the others.
int tree_speed(const PreparedModel& self, const std::string& name) {
  const int speed = speed_named(self.plan(), name);
  if (speed < self.plan().nv()) return speed;
  throw MechanismError(name,
                       "'" + name + "' closes a loop, so it follows from the others; give another joint of the loop");
}

/// A link's entry of `poses` or `twists`: a dict with some of the given keys.
py::dict entry_of(const std::string& link, const py::handle& value, const std::vector<const char*>& keys) {
  std::string known;
  for (const char* key : keys) known += std::string(known.empty() ? "" : ", ") + key;
  if (!py::isinstance<py::dict>(value)) throw py::value_error("'" + link + "': expected a dict with the keys " + known);
  const auto entry = py::reinterpret_borrow<py::dict>(value);
  for (const auto& item : entry) {
    const auto name = py::cast<std::string>(item.first);
    if (std::find(keys.begin(), keys.end(), name) == keys.end())
      throw py::value_error("'" + link + "' has no '" + name + "'; known: " + known);
  }
  return entry;
}

std::optional<Vec3> vector_in(const py::dict& entry, const char* key) {
  if (!entry.contains(key)) return std::nullopt;
  return py::cast<Vec3>(entry[key]);
}

/// [w, x, y, z] or a 3 x 3 matrix.
std::optional<Quat> rotation_in(const py::dict& entry) {
  if (!entry.contains("rotation")) return std::nullopt;
  const auto numbers = py::cast<MatrixX>(py::module_::import("numpy").attr("atleast_2d")(entry["rotation"]));
  if (numbers.rows() == 3 && numbers.cols() == 3) return Quat(Mat3(numbers));
  if (numbers.size() != 4) throw py::value_error("rotation: expected [w, x, y, z] or a 3 x 3 matrix");
  return Quat(numbers(0), numbers(1), numbers(2), numbers(3)).normalized();
}

AssemblyReport assemble_at(PreparedModel& self, const std::optional<Values>& q, const std::optional<Values>& v,
                           const py::dict& poses, const py::dict& twists) {
  StateValues wanted;
  wanted.coordinates = q.value_or(Values{});
  wanted.speeds = v.value_or(Values{});
  for (const auto& item : poses) {
    const auto link = py::cast<std::string>(item.first);
    const py::dict entry = entry_of(link, item.second, {"at", "rotation"});
    wanted.poses.push_back({link, vector_in(entry, "at"), rotation_in(entry)});
  }
  for (const auto& item : twists) {
    const auto link = py::cast<std::string>(item.first);
    const py::dict entry = entry_of(link, item.second, {"velocity", "angular"});
    wanted.twists.push_back({link, vector_in(entry, "velocity"), vector_in(entry, "angular")});
  }
  return set_state(self.prepared, wanted);
}

std::vector<std::string> speed_names(const PreparedModel& self, const std::vector<int>& speeds) {
  std::vector<std::string> names;
  for (const int v : speeds) names.push_back(self.speed_name(v));
  return names;
}

std::vector<std::string> all_speed_names(const PreparedModel& self) {
  std::vector<std::string> names;
  for (int v = 0; v < self.plan().nv(); ++v) names.push_back(self.plan().speed_name(v));
  return names;
}

std::vector<std::string> loop_names(const PreparedModel& self) {
  std::vector<std::string> names;
  for (std::size_t cut = 0; cut < self.plan().cut_joints().size(); ++cut)
    names.push_back(self.plan().loop_name(static_cast<int>(cut)));
  return names;
}

Values values_of_joints(PreparedModel& self, bool speeds) {
  const Plan& plan = self.plan();
  VectorX cut;
  if (speeds) {
    cut_speeds(plan, self.work(), self.state(), cut);
  } else {
    cut_coordinates(plan, self.work(), self.state().q, cut);
  }
  Values values;
  for (std::size_t j = 0; j < plan.places().size(); ++j) {
    const JointPlace& place = plan.places()[j];
    const std::string& name = plan.mechanism().joints[j].name;
    const int count = speeds ? place.nv : place.nq, first = speeds ? place.v : place.q;
    const VectorX& tree = speeds ? self.state().v : self.state().q;
    for (int k = 0; k < count; ++k)
      values[count == 1 ? name : name + "." + std::to_string(k)] = (place.cut ? cut : tree)[first + k];
  }
  return values;
}

void bind_reports(py::module_& m) {
  py::class_<Pose>(m, "Pose", "A frame in ground axes: x_ground = rotation @ x_frame + position.")
      .def_readonly("rotation", &Pose::rotation, "3 x 3.")
      .def_readonly("position", &Pose::position, "Origin of the frame (m).")
      .def_property_readonly(
          "matrix",
          [](const Pose& pose) {
            Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
            matrix.topLeftCorner<3, 3>() = pose.rotation;
            matrix.topRightCorner<3, 1>() = pose.position;
            return matrix;
          },
          "Homogeneous, 4 x 4.")
      .def_property_readonly(
          "rotation_vector", [](const Pose& pose) { return vector_from_rotation(pose.rotation); },
          "Axis times angle (rad), at most pi long.")
      .def(pickled_members<Pose>("pose", &Pose::rotation, &Pose::position));
  py::class_<AssemblyReport>(m, "Assembly", "How the loops were closed.")
      .def_readonly("iterations", &AssemblyReport::iterations, "Steps of Newton's method.")
      .def_readonly("initial_error", &AssemblyReport::initial_error, "Largest closure equation at the guess (m or 1).")
      .def_readonly("error", &AssemblyReport::error, "And at the end.")
      .def(pickled_members<AssemblyReport>("assembly", &AssemblyReport::iterations, &AssemblyReport::initial_error,
                                           &AssemblyReport::error));
  py::class_<Mobility>(m, "Mobility", "Degrees of freedom, from the rank of the closures.")
      .def_readonly("mobility", &Mobility::mobility, "Freedoms of the joints; elastic coordinates come on top.")
      .def_readonly("elastic", &Mobility::elastic, "Independent elastic coordinates.")
      .def_readonly("rank", &Mobility::rank, "Rank of the closure Jacobian.")
      .def_readonly("local_mobility", &Mobility::local_mobility, "At this pose; larger in a singular one.")
      .def_readonly("actuators", &Mobility::actuators, "Coordinates with a motor.")
      .def_readonly("actuation_rank", &Mobility::actuation_rank, "Freedoms that the motors determine at this pose.")
      .def_readonly("closure_condition", &Mobility::closure_condition, "Condition number of the closures.")
      .def_readonly("actuation_condition", &Mobility::actuation_condition,
                    "Condition number of what the motors determine.")
      .def(pickled_members<Mobility>("mobility", &Mobility::mobility, &Mobility::elastic, &Mobility::rank,
                                     &Mobility::local_mobility, &Mobility::actuators, &Mobility::actuation_rank,
                                     &Mobility::closure_condition, &Mobility::actuation_condition));
  py::class_<Singularity>(m, "Singularity", "Condition numbers at a pose.")
      .def_readonly("closure", &Singularity::closure, "Of the closures: large near a pose where loops lose rank.")
      .def_readonly("dependent", &Singularity::dependent, "Of the dependent speeds from the independent ones.")
      .def_readonly("actuation", &Singularity::actuation, "Of the speeds from those of the motors.")
      .def(pickled_members<Singularity>("singularity", &Singularity::closure, &Singularity::dependent,
                                        &Singularity::actuation));
}

using Self = PreparedModel;
using PreparedClass = py::class_<Self, std::shared_ptr<Self>>;

/// Time, coordinates, speeds, and their names.
void bind_state(PreparedClass& prepared) {
  prepared
      .def_property(
          "t", [](Self& self) { return self.state().t; }, [](Self& self, double t) { self.state().t = t; },
          "Time (s); loads follow it.")
      .def_property(
          "q", [](Self& self) -> VectorX& { return self.state().q; },
          [](Self& self, const VectorX& q) {
            if (q.size() != self.plan().nq())
              throw py::value_error("q has " + std::to_string(self.plan().nq()) + " entries");
            self.state().q = q;
          },
          py::return_value_policy::reference_internal, "Coordinates of the tree (rad, m), length nq; a view.")
      .def_property(
          "v", [](Self& self) -> VectorX& { return self.state().v; },
          [](Self& self, const VectorX& v) {
            if (v.size() != self.plan().nv())
              throw py::value_error("v has " + std::to_string(self.plan().nv()) + " entries");
            self.state().v = v;
          },
          py::return_value_policy::reference_internal, "Speeds of the tree (rad/s, m/s), length nv; a view.")
      .def_property_readonly(
          "nq", [](const Self& self) { return self.plan().nq(); }, "Length of q.")
      .def_property_readonly(
          "nv", [](const Self& self) { return self.plan().nv(); }, "Length of v.")
      .def_property_readonly(
          "planar", [](const Self& self) { return self.plan().is_planar(); }, "Moves in a plane and is computed so.")
      .def_property_readonly("speeds", &all_speed_names, "Names of the entries of v.")
      .def_property_readonly(
          "independent", [](Self& self) { return speed_names(self, self.work().independent()); },
          "Names of the independent speeds, in the order of mass_matrix().")
      .def_property_readonly(
          "actuated", [](const Self& self) { return speed_names(self, self.plan().actuated_speeds()); },
          "Names of the actuated coordinates, in the order of tau.")
      .def_property_readonly("loops", &loop_names, "The joints of every loop.")
      .def("index", &tree_speed, py::arg("name"), "Place of a coordinate in v.")
      .def(
          "coordinates", [](Self& self) { return values_of_joints(self, false); },
          "Coordinates of all joints by name, cut joints included (rad or m).")
      .def(
          "velocities", [](Self& self) { return values_of_joints(self, true); },
          "Speeds of all joints by name, cut joints included (rad/s or m/s).");
}

/// Closing the loops and choosing what is independent.
void bind_assembly(PreparedClass& prepared) {
  prepared
      .def("assemble", &assemble_at, py::arg("q") = py::none(), py::arg("v") = py::none(),
           py::arg("poses") = py::dict(), py::arg("twists") = py::dict(),
           R"(Closes the loops with the given coordinates and poses held, and sets the speeds.

q: {"motor-1": 0.5, ...} (rad or m) of any joint; the others start from their present values, which selects the branch
v: {"motor-1": 1.0, ...} (rad/s or m/s) of any joint; the other independent speeds are zero
poses: {"platform": {"at": (x, y, z), "rotation": 3 x 3 or (w, x, y, z)}, ...} of links, ground axes
twists: {"platform": {"velocity": (x, y, z), "angular": (x, y, z)}, ...} of links, ground axes
Raises PhysicsError and changes nothing when the loops cannot be closed.)")
      .def_property_readonly(
          "remarks", [](const Self& self) { return self.prepared.remarks; },
          "Values of the model that gave way when it was assembled, and choices that were made.")
      .def(
          "project",
          [](Self& self) {
            VectorX q = self.state().q;
            self.require(project_positions(self.plan(), self.work(), q));
            self.state().q = q;
          },
          "Puts q onto the closures, independent coordinates held.")
      .def(
          "complete_speeds",
          [](Self& self) {
            VectorX v = self.state().v;
            self.require(complete_speeds(self.plan(), self.work(), self.state().q, v));
            self.state().v = v;
          },
          "Computes the dependent speeds from the independent ones.")
      .def(
          "select_independent",
          [](Self& self, const std::vector<std::string>& keep) {
            std::vector<int> speeds;
            for (const std::string& name : keep) speeds.push_back(tree_speed(self, name));
            self.require(select_independent(self.plan(), self.work(), self.state().q, speeds, true));
          },
          py::arg("keep") = std::vector<std::string>{},
          "Chooses the independent speeds at this pose, those in `keep` among them.")
      .def(
          "branches",
          [](Self& self, const std::vector<std::string>& held, int tries) {
            AssemblyOptions options;
            for (const std::string& name : held) options.held.push_back(tree_speed(self, name));
            const py::gil_scoped_release unlocked;
            return assembly_branches(self.plan(), self.work(), self.state().q, options, tries);
          },
          py::arg("held") = std::vector<std::string>{}, py::arg("tries") = 200,
          "Coordinates q of the distinct assemblies with the named coordinates held.")
      .def(
          "closure_error", [](Self& self) { return closure_error(self.plan(), self.work(), self.state().q); },
          "Largest closure equation (m or 1).");
}

/// Motion of frames.
void bind_frames(PreparedClass& prepared) {
  prepared
      .def(
          "frame_pose",
          [](Self& self, const std::string& frame) {
            return frame_pose(self.plan(), self.work(), self.state().q, frame_of(self, frame));
          },
          py::arg("frame"), "Pose of 'LINK/FRAME' in ground axes.")
      .def(
          "frame_velocity",
          [](Self& self, const std::string& frame) {
            return stacked(frame_velocity(self.plan(), self.work(), self.state(), frame_of(self, frame)));
          },
          py::arg("frame"), "Angular velocity (rad/s), then velocity of the origin (m/s); ground axes, length 6.")
      .def(
          "frame_acceleration",
          [](Self& self, const std::string& frame, const VectorX& a) {
            return stacked(frame_acceleration(self.plan(), self.work(), self.state(), accelerations_of(self, a),
                                              frame_of(self, frame)));
          },
          py::arg("frame"), py::arg("a"),
          "Angular acceleration, then acceleration of the origin, for the accelerations a of all tree speeds; length "
          "6.")
      .def(
          "frame_jacobian",
          [](Self& self, const std::string& frame) {
            MatrixX J;
            frame_jacobian(self.plan(), self.work(), self.state().q, frame_of(self, frame), J);
            return J;
          },
          py::arg("frame"), "frame_velocity() = J v, 6 x nv.");
}

/// Equations of the loops at this pose.
void bind_closures(PreparedClass& prepared) {
  prepared
      .def(
          "closure_jacobian",
          [](Self& self) {
            MatrixX A;
            closure_jacobian(self.plan(), self.work(), self.state().q, A);
            return A;
          },
          "A with A v = 0, closure equations x nv.")
      .def(
          "complement",
          [](Self& self) {
            MatrixX N;
            self.require(loop_complement(self.plan(), self.work(), self.state().q, N));
            return N;
          },
          "Loop complement N: v = N v[independent]; nv x independent.")
      .def(
          "accelerations",
          [](Self& self, const Values& independent) {
            VectorX a = VectorX::Zero(self.plan().nv());
            for (const auto& [name, value] : independent) a[tree_speed(self, name)] = value;
            self.require(complete_accelerations(self.plan(), self.work(), self.state(), a));
            return a;
          },
          py::arg("independent"),
          "Accelerations of all tree speeds from those of independent ones by name; the rest of these are zero.")
      .def(
          "mobility", [](Self& self) { return analyse_mobility(self.plan(), self.work(), self.state().q); },
          "Degrees of freedom near this pose.")
      .def(
          "singularity", [](Self& self) { return singularity(self.plan(), self.work(), self.state().q); },
          "Condition numbers at this pose.");
}

}  // namespace

FrameRef frame_of(const PreparedModel& self, const std::string& name) {
  return frame_named(self.plan().mechanism(), name);
}

void PreparedModel::require(const Status& status) const {
  if (!status) throw PhysicsError(describe(plan(), status, prepared.state.t));
}

std::string PreparedModel::speed_name(int v) const { return plan().speed_name(v); }

void bind_prepared(py::module_& m) {
  bind_reports(m);
  PreparedClass prepared(m, "Prepared",
                         R"(A model compiled and assembled: evaluates single states.

q and v are the coordinates and speeds of the spanning tree (joints and elastic coordinates); the joints at which loops
are cut follow from them. They are views of the memory of this object: write into them, then call project() and
complete_speeds(), or use assemble(). Use one Prepared per thread.)");
  bind_state(prepared);
  bind_assembly(prepared);
  bind_frames(prepared);
  bind_closures(prepared);
  prepared.def("__repr__", [](const Self& self) {
    return "<lithe.Prepared '" + self.model.name + "': " + std::to_string(self.plan().nv()) + " tree speeds, " +
           std::to_string(self.prepared.work.independent().size()) + " independent>";
  });
  bind_dynamics(m, prepared);
  bind_batch(prepared);
  bind_derivatives(m, prepared);
  bind_real_time(m, prepared);
}

}  // namespace lithe::python

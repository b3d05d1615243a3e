// Statics, natural modes and linearisation of a model at rest.

#include "analysis.hpp"

#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <map>
#include <numbers>
#include <optional>

#include "lithe/analysis/rest.hpp"

namespace lithe::python {
namespace {

using OptionalTime = std::optional<double>;

struct FoundModes {
  std::vector<std::string> coordinates, speeds;
  NaturalModes modes;
  VectorX damping_ratios;
};

struct FoundStatics {
  VectorX q;
  std::map<std::string, double> tau;
  std::map<std::string, double> coordinates;
  double residual = 0.0;
  int iterations = 0;
  bool stable = true;
  MatrixX compliance;
  std::map<std::string, std::pair<Pose, Pose>> frames;  ///< before and after
};

NamedLinearisation linearize_at_rest(const Model& model, const OptionalTime& at, bool free) {
  ModelAtRest pose(model, {at, free});
  NamedLinearisation answer{pose.rest().linear, {}};
  for (const int v : answer.linear.actuators) {
    answer.inputs.push_back(v < pose.plan().nv() ? pose.plan().speed_name(v)
                                                 : pose.plan().cut_speed_name(v - pose.plan().nv()));
  }
  return answer;
}

FoundModes modes_at_rest(const Model& model, const OptionalTime& at, bool free) {
  ModelAtRest pose(model, {at, free});
  const Linearisation& linear = pose.rest().linear;
  FoundModes found{linear.names, {}, pose.modes(), {}};
  for (int v = 0; v < pose.plan().nv(); ++v) found.speeds.push_back(pose.plan().speed_name(v));
  found.damping_ratios = VectorX::Zero(found.modes.frequencies.size());
  for (Eigen::Index j = 0; j < found.damping_ratios.size(); ++j) {
    const double omega = 2 * std::numbers::pi * std::abs(found.modes.frequencies[j]);
    const auto shape = found.modes.shapes.col(j);
    if (omega > 0) found.damping_ratios[j] = shape.dot(linear.D * shape) / (2 * omega);
  }
  return found;
}

FoundStatics statics_at_rest(const Model& model, const OptionalTime& at, bool free,
                             const std::optional<std::string>& frame) {
  const Model twin = static_twin(model);
  ModelAtRest pose(twin, {at, free});
  const Equilibrium& rest = pose.rest();
  const Plan& plan = pose.plan();
  FoundStatics found;
  found.q = own_coordinates(plan, model.mechanism, rest.state.q);
  found.residual = rest.residual;
  found.iterations = rest.iterations;
  found.stable = rest.stable;
  for (const int v : pose.locked()) found.tau[plan.speed_name(v)] = rest.tau[v];
  for (const int v : own_speeds(plan, model.mechanism)) {
    const int position = position_of_speed(plan, v);
    if (position >= 0) found.coordinates[plan.speed_name(v)] = rest.state.q[position];
  }
  for (std::size_t link = 1; link < plan.mechanism().links.size(); ++link) {
    const LinkData& data = plan.mechanism().links[link];
    for (std::size_t k = 0; k < data.frames.size(); ++k) {
      const FrameRef ref{static_cast<int>(link), static_cast<int>(k)};
      found.frames[data.name + "/" + data.frames[k].name] = {frame_pose(plan, pose.work(), pose.start().q, ref),
                                                             frame_pose(plan, pose.work(), rest.state.q, ref)};
    }
  }
  if (frame) found.compliance = frame_compliance(plan, pose.work(), rest, frame_named(plan.mechanism(), *frame));
  return found;
}

const std::pair<Pose, Pose>& moved_frame(const FoundStatics& statics, const std::string& name) {
  const auto found = statics.frames.find(name);
  if (found != statics.frames.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [each, poses] : statics.frames) known.push_back(each);
  refuse_name("frame", name, known);
}

void bind_answers(py::module_& m) {
  using Linear = NamedLinearisation;
  py::class_<Linear>(m, "Linearisation", R"(Small motions M x'' + D x' + K x = B u about a state.

x are the independent coordinates (names), u the motor forces (inputs). Matrices are views, SI units.)")
      .def_property_readonly(
          "names", [](const Linear& l) { return l.linear.names; }, "Of the coordinates x.")
      .def_readonly("inputs", &Linear::inputs, "Of the motors u.")
      .def_property_readonly(
          "M", [](const Linear& l) -> const MatrixX& { return l.linear.M; }, "Inertia.")
      .def_property_readonly(
          "D", [](const Linear& l) -> const MatrixX& { return l.linear.D; }, "Damping, gyroscopic.")
      .def_property_readonly(
          "K", [](const Linear& l) -> const MatrixX& { return l.linear.K; },
          "Stiffness with gravity, springs and geometric stiffness.")
      .def_property_readonly(
          "B", [](const Linear& l) -> const MatrixX& { return l.linear.B; }, "Force per motor.")
      .def_property_readonly(
          "residual", [](const Linear& l) -> const VectorX& { return l.linear.residual; },
          "Generalised force that is missing for equilibrium.")
      .def(
          "state_matrix", [](const Linear& l) { return l.linear.state_matrix(); },
          "A of d/dt [x; x'] = A [x; x'] + E u.")
      .def(
          "input_matrix", [](const Linear& l) { return l.linear.input_matrix(); }, "E of the same.")
      .def(
          "poles",
          [](const Linear& l) {
            const auto found = poles(l.linear);
            return Eigen::VectorXcd(Eigen::Map<const Eigen::VectorXcd>(found.data(), found.size()));
          },
          "Eigenvalues of the state matrix (1/s), by size of the imaginary part.");
  py::class_<FoundModes>(m, "Modes", "Natural modes of the assembled mechanism at rest.")
      .def_property_readonly(
          "frequencies", [](const FoundModes& f) -> const VectorX& { return f.modes.frequencies; },
          "Hz, ascending; negative: unstable direction.")
      .def_readonly("damping_ratios", &FoundModes::damping_ratios, "Of critical damping.")
      .def_property_readonly(
          "shapes", [](const FoundModes& f) -> const MatrixX& { return f.modes.shapes; },
          "Columns in the coordinates `names`, mass-normalised.")
      .def_property_readonly(
          "speed_shapes", [](const FoundModes& f) -> const MatrixX& { return f.modes.speeds; },
          "The same in all tree speeds `speeds`.")
      .def_readonly("names", &FoundModes::coordinates, "Of the rows of shapes.")
      .def_readonly("speeds", &FoundModes::speeds, "Of the rows of speed_shapes.")
      .def("__len__", [](const FoundModes& f) { return f.modes.frequencies.size(); });
  py::class_<FoundStatics>(m, "Statics", "Rest under gravity, springs and loads.")
      .def_property_readonly(
          "q", [](const FoundStatics& s) -> const VectorX& { return s.q; },
          "Coordinates of the tree (rad, m) as of the model, without the residual shapes of statics; a view.")
      .def_readonly("coordinates", &FoundStatics::coordinates, "Tree coordinates by name (rad or m).")
      .def_readonly("tau", &FoundStatics::tau, "Forces of the locked motors by name (N m or N).")
      .def_readonly("stable", &FoundStatics::stable, "Small disturbances do not grow.")
      .def_readonly("residual", &FoundStatics::residual, "Largest generalised force left over.")
      .def_readonly("iterations", &FoundStatics::iterations)
      .def_readonly("compliance", &FoundStatics::compliance,
                    "Of the frame asked for: rotation and displacement per moment and force, 6 x 6; else empty.")
      .def(
          "frame_pose", [](const FoundStatics& s, const std::string& name) { return moved_frame(s, name).second; },
          py::arg("frame"), "Pose of 'LINK/FRAME' at rest.")
      .def(
          "displacement",
          [](const FoundStatics& s, const std::string& name) {
            const auto& [before, after] = moved_frame(s, name);
            return Vec3(after.position - before.position);
          },
          py::arg("frame"), "How far the origin of 'LINK/FRAME' has moved (m, ground axes).")
      .def(
          "rotation",
          [](const FoundStatics& s, const std::string& name) {
            const auto& [before, after] = moved_frame(s, name);
            return vector_from_rotation(after.rotation * before.rotation.transpose());
          },
          py::arg("frame"), "How far 'LINK/FRAME' has turned (rotation vector, rad, ground axes).");
}

}  // namespace

void bind_analysis(py::module_& m) { bind_answers(m); }

void bind_pose_analyses(py::class_<Model, std::shared_ptr<Model>>& model) {
  model
      .def("statics", &statics_at_rest, py::kw_only(), py::arg("at") = py::none(), py::arg("free") = false,
           py::arg("frame") = py::none(), py::call_guard<py::gil_scoped_release>(),
           R"(Equilibrium under gravity, springs and loads.

Deflections and compliance are exact for the finite elements of the links, whatever modes they keep.

at: time (s) of the motion laws whose pose is meant; default the initial values
free: the motors may move; otherwise they are locked
frame: 'LINK/FRAME' whose compliance is wanted)")
      .def("modes", &modes_at_rest, py::kw_only(), py::arg("at") = py::none(), py::arg("free") = false,
           py::call_guard<py::gil_scoped_release>(),
           "Natural frequencies and shapes about rest; arguments as of statics().")
      .def("linearize", &linearize_at_rest, py::kw_only(), py::arg("at") = py::none(), py::arg("free") = false,
           py::call_guard<py::gil_scoped_release>(), "Small motions about rest; arguments as of statics().");
}

}  // namespace lithe::python

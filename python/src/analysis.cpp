// Statics, natural modes and linearization of a model at rest.

#include "analysis.hpp"

#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <map>
#include <optional>

#include "lithe/simulation/bending_remarks.hpp"
#include "lithe/simulation/operating_point.hpp"
#include "lithe/simulation/rest.hpp"
#include "pickling.hpp"

namespace lithe::python {
namespace {

using OptionalTime = std::optional<double>;

struct FoundModes {
  std::vector<std::string> coordinates, speeds;
  NaturalModes modes;
  VectorX damping_ratios;
  std::vector<std::string> warnings;
  std::vector<std::vector<std::complex<double>>> poles;
  std::vector<std::vector<double>> time_constants;
};

struct FoundStatics {
  VectorX q;
  std::map<std::string, double> tau;
  std::map<std::string, Eigen::Matrix<double, 6, 1>> reactions;  ///< moment, force
  std::map<std::string, double> coordinates;
  double residual = 0.0;
  int iterations = 0;
  bool stable = true;
  MatrixX compliance;
  std::map<std::string, double> bending;
  Remarks remarks;
  std::map<std::string, std::pair<Pose, Pose>> frames;  ///< before and after
};

FoundModes modes_at_rest(const Model& model, const OptionalTime& at, bool free, bool locked) {
  OperatingPoint point(model, {at, true, motors_asked_for(free, locked, Motors::servo)});
  FoundModes found{point.linear().names, {}, point.modes(), {}, point.remarks().warnings, {}, {}};
  for (int v = 0; v < point.plan().nv(); ++v) found.speeds.push_back(point.plan().speed_name(v));
  const std::vector<DampedMode> damped = damped_modes(point.linear(), found.modes);
  found.damping_ratios.resize(std::ssize(damped));
  for (const DampedMode& mode : damped) {
    found.damping_ratios[found.poles.size()] = mode.ratio;
    found.poles.push_back(mode.poles);
    found.time_constants.push_back(mode.time_constants());
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
  const std::vector<Wrench> carried = pose.reactions();
  for (std::size_t j = 0; j < carried.size(); ++j)
    found.reactions[plan.mechanism().joints[j].name] << carried[j].moment, carried[j].force;
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
  const std::vector<LinkBending> bending = bending_of(plan, rest.state.q);
  for (const LinkBending& each : bending) found.bending[plan.mechanism().links[each.link].name] = each.measure();
  remark_bending(plan, bending, false, found.remarks);
  if (frame) found.compliance = frame_compliance(plan, pose.work(), rest, frame_named(plan.mechanism(), *frame));
  return found;
}

FoundStatics statics_with_warnings(const Model& model, const OptionalTime& at, bool free,
                                   const std::optional<std::string>& frame) {
  FoundStatics found;
  {
    const py::gil_scoped_release unlocked;
    found = statics_at_rest(model, at, free, frame);
  }
  warn_of(found.remarks);
  return found;
}

const std::pair<Pose, Pose>& moved_frame(const FoundStatics& statics, const std::string& name) {
  const auto found = statics.frames.find(name);
  if (found != statics.frames.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [each, poses] : statics.frames) known.push_back(each);
  refuse_name("frame", name, known);
}

void bind_linearization(py::module_& m) {
  using Linear = NamedLinearization;
  py::class_<Linear>(m, "Linearization", R"(Small motions M x'' + D x' + K x = B u about a state.

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
}

void bind_modes(py::module_& m) {
  py::class_<FoundModes>(m, "Modes", "Natural modes of the assembled mechanism at rest.")
      .def_property_readonly(
          "frequencies", [](const FoundModes& f) -> const VectorX& { return f.modes.frequencies; },
          "Hz, ascending; negative: unstable direction.")
      .def_readonly("damping_ratios", &FoundModes::damping_ratios,
                    "Of critical damping, from the poles; above 1 without oscillation.")
      .def_readonly("poles", &FoundModes::poles, "The two of each mode (1/s); none where no pair belongs to it.")
      .def_readonly("time_constants", &FoundModes::time_constants,
                    "Of each mode that decays without oscillating (s), the slower first; empty for the others.")
      .def_readonly("warnings", &FoundModes::warnings, "What the reader should know about the pose.")
      .def_property_readonly(
          "shapes", [](const FoundModes& f) -> const MatrixX& { return f.modes.shapes; },
          "Columns in the coordinates `names`, mass-normalised.")
      .def_property_readonly(
          "speed_shapes", [](const FoundModes& f) -> const MatrixX& { return f.modes.speeds; },
          "The same in all tree speeds `speeds`.")
      .def_readonly("names", &FoundModes::coordinates, "Of the rows of shapes.")
      .def_readonly("speeds", &FoundModes::speeds, "Of the rows of speed_shapes.")
      .def(
          "__len__", [](const FoundModes& f) { return f.modes.frequencies.size(); }, "Number of modes.")
      .def(py::pickle(
          [](const FoundModes& f) {
            return py::make_tuple(f.coordinates, f.speeds, f.modes.frequencies, f.modes.shapes, f.modes.speeds,
                                  f.damping_ratios, f.warnings, f.poles, f.time_constants);
          },
          [](const py::tuple& state) {
            if (state.size() != 9) refuse_pickle("modes");
            FoundModes f;
            std::size_t k = 0;
            const auto take = [&](auto& member) { member = state[k++].cast<std::decay_t<decltype(member)>>(); };
            take(f.coordinates), take(f.speeds), take(f.modes.frequencies), take(f.modes.shapes), take(f.modes.speeds);
            take(f.damping_ratios), take(f.warnings), take(f.poles), take(f.time_constants);
            return f;
          }));
}

void bind_statics(py::module_& m) {
  py::class_<FoundStatics>(m, "Statics", "Rest under gravity, springs and loads.")
      .def_property_readonly(
          "q", [](const FoundStatics& s) -> const VectorX& { return s.q; },
          "Coordinates of the tree (rad, m) as of the model, without the residual shapes of statics; a view.")
      .def_readonly("coordinates", &FoundStatics::coordinates, "Tree coordinates by name (rad or m).")
      .def_readonly("tau", &FoundStatics::tau, "Forces of the locked motors by name (N m or N).")
      .def_readonly(
          "reactions", &FoundStatics::reactions,
          "By joint: moment (N m), then force (N), that `from` exerts on `to` at the to-frame origin; ground axes.")
      .def_readonly("stable", &FoundStatics::stable, "Small disturbances do not grow.")
      .def_readonly("residual", &FoundStatics::residual, "Largest generalised force left over.")
      .def_readonly("iterations", &FoundStatics::iterations, "Steps of Newton's method.")
      .def_readonly("bending", &FoundStatics::bending,
                    "Per elastic link: its deflection, part of its length, or slope (rad), whichever is larger.")
      .def_property_readonly(
          "trusted", [](const FoundStatics& s) { return s.remarks.trusted(); },
          "False when a link bends too far for the theory; a lithe.ResultWarning has said so.")
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
          py::arg("frame"), "How far 'LINK/FRAME' has turned (rotation vector, rad, ground axes).")
      .def(pickled_members<FoundStatics>("statics", &FoundStatics::q, &FoundStatics::tau, &FoundStatics::reactions,
                                         &FoundStatics::coordinates, &FoundStatics::residual, &FoundStatics::iterations,
                                         &FoundStatics::stable, &FoundStatics::compliance, &FoundStatics::bending,
                                         &FoundStatics::remarks, &FoundStatics::frames));
}

}  // namespace

Motors motors_asked_for(bool free, bool locked, Motors otherwise) {
  if (free && locked) throw py::value_error("free and locked contradict each other; give one of them");
  return free ? Motors::free : locked ? Motors::locked : otherwise;
}

void bind_analysis(py::module_& m) {
  bind_linearization(m);
  bind_modes(m);
  bind_statics(m);
  bind_linear_models(m);
  bind_maps(m);
}

void bind_pose_analyses(py::class_<Model, std::shared_ptr<Model>>& model) {
  model
      .def("statics", &statics_with_warnings, py::kw_only(), py::arg("at") = py::none(), py::arg("free") = false,
           py::arg("frame") = py::none(),
           R"(Equilibrium under gravity, springs and loads.

Deflections and compliance are exact for the finite elements of the links, whatever modes they keep.

at: time (s) of the motion laws whose pose is meant; default the initial values
free: the motors may move; otherwise they are locked
frame: 'LINK/FRAME' whose compliance is wanted)")
      .def("modes", &modes_at_rest, py::kw_only(), py::arg("at") = py::none(), py::arg("free") = false,
           py::arg("locked") = false, py::call_guard<py::gil_scoped_release>(),
           R"(Natural frequencies and shapes about rest.

at: time (s) of the motion laws whose pose is meant; default the initial values
free: motors without any force, about the equilibrium that is found from that pose
locked: all motors are locked; without it those with PD drives or laws in code answer by them)");
  bind_linearize(model);
  bind_map(model);
}

}  // namespace lithe::python

// What the runs of a model record; the entries of 'record:' in a model file.

#include <pybind11/stl.h>

#include <optional>

#include "bindings.hpp"
#include "lithe/mechanism/build.hpp"

namespace lithe::python {
namespace {

using Frames = std::optional<std::vector<std::string>>;

void choose_record(Model& model, std::optional<bool> coordinates, std::optional<bool> energy,
                   std::optional<bool> forces, std::optional<bool> sections, std::optional<bool> stress,
                   std::optional<bool> stress_parts, std::optional<bool> springs, std::optional<bool> momentum,
                   const Frames& frames, const Frames& quaternions, const Frames& velocities,
                   const Frames& accelerations, const Frames& deflections) {
  RecordOptions record = model.record;
  record.coordinates = coordinates.value_or(record.coordinates);
  record.energy = energy.value_or(record.energy);
  record.reactions = forces.value_or(record.reactions);
  record.sections = sections.value_or(record.sections);
  record.stress = stress.value_or(record.stress);
  record.stress_parts = stress_parts.value_or(record.stress_parts);
  record.springs = springs.value_or(record.springs);
  record.momentum = momentum.value_or(record.momentum);
  const auto set = [&](const Frames& given, std::vector<FrameRef>& list) {
    if (!given) return;
    list.clear();
    for (const std::string& name : *given) list.push_back(frame_named(model.mechanism, name));
  };
  set(frames, record.frames);
  set(quaternions, record.quaternions);
  set(velocities, record.velocities);
  set(accelerations, record.accelerations);
  set(deflections, record.deflections);
  model.record = std::move(record);
}

}  // namespace

void bind_record(py::class_<Model, std::shared_ptr<Model>>& model) {
  model.def("record", &choose_record, py::kw_only(), py::arg("coordinates") = py::none(),
            py::arg("energy") = py::none(), py::arg("forces") = py::none(), py::arg("sections") = py::none(),
            py::arg("stress") = py::none(), py::arg("stress_parts") = py::none(), py::arg("springs") = py::none(),
            py::arg("momentum") = py::none(), py::arg("frames") = py::none(), py::arg("quaternions") = py::none(),
            py::arg("velocities") = py::none(), py::arg("accelerations") = py::none(),
            py::arg("deflections") = py::none(),
            R"(Chooses what runs record: the entries of 'record:' in a model file. What is not given stays as it is.

coordinates, energy, forces, sections, stress, stress_parts, springs, momentum: True or False
frames, quaternions, velocities, accelerations, deflections: lists of 'LINK/FRAME'; 'LINK' is its origin)");
}

}  // namespace lithe::python

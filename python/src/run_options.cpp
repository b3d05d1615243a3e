// How a run is done: numbers, and choices by the names that model files use.

#include <algorithm>

#include "bindings.hpp"
#include "lithe/simulation/run_entries.hpp"

namespace lithe::python {
namespace {

std::string describe_run(const RunOptions& run) {
  return "<lithe.RunOptions " + std::to_string(run.from) + " s to " + std::to_string(run.until) + " s, integrator '" +
         std::string(name_of(run.integrator)) + "'>";
}

/// For pickles, by name.
py::dict run_state(const RunOptions& run) {
  py::dict state;
  for (const RunNumber& number : run_numbers())
    state[py::str(std::string(number.name))] = number.field(const_cast<RunOptions&>(run));
  for (const RunChoice& choice : run_choices()) state[py::str(std::string(choice.name))] = choice.get(run);
  return state;
}

RunOptions run_of(const py::dict& state) {
  RunOptions run;
  for (const RunNumber& number : run_numbers())
    number.field(run) = state[py::str(std::string(number.name))].cast<double>();
  for (const RunChoice& choice : run_choices())
    choice.set(run, state[py::str(std::string(choice.name))].cast<std::string>());
  return run;
}

}  // namespace

void bind_run_options(py::module_& m) {
  py::class_<RunOptions> options(m, "RunOptions", "How a run is done; the entries of 'run:' in a model file.");
  const auto python_name = [](std::string_view name) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '-', '_');
    return name == "from" ? "from_" : text;  // the plain one is a word of the language
  };
  for (const RunNumber& number : run_numbers())
    options.def_property(
        python_name(number.name).c_str(),
        [field = number.field](const RunOptions& run) { return field(const_cast<RunOptions&>(run)); },
        [field = number.field](RunOptions& run, double value) { field(run) = value; },
        std::string(number.meaning).c_str());
  for (const RunChoice& choice : run_choices())
    options.def_property(
        python_name(choice.name).c_str(), choice.get,
        [&choice](RunOptions& run, const std::string& name) {
          if (choice.set(run, name)) return;
          std::string known;
          for (const std::string& each : choice.choices()) known += (known.empty() ? "" : ", ") + each;
          throw py::value_error(std::string(choice.name) + " '" + name + "': no such choice; use one of " + known);
        },
        std::string(choice.meaning).c_str());
  options.def("__repr__", &describe_run).def(py::pickle(&run_state, &run_of));
}

}  // namespace lithe::python

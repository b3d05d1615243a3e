// Rainflow counting and Miner's sum for histories from anywhere.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "lithe/analysis/rainflow.hpp"

namespace lithe::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

py::array_t<double> count_cycles(const Numbers& series) {
  if (series.ndim() != 1) throw py::value_error("series: expected one dimension, a history of values");
  const std::vector<RainflowCycle> cycles =
      rainflow({series.data(), static_cast<std::size_t>(series.size())});  // invalid_argument becomes ValueError
  py::array_t<double> table({static_cast<py::ssize_t>(cycles.size()), py::ssize_t{3}});
  auto rows = table.mutable_unchecked<2>();
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    const auto row = static_cast<py::ssize_t>(i);
    rows(row, 0) = cycles[i].range;
    rows(row, 1) = cycles[i].mean;
    rows(row, 2) = cycles[i].count;
  }
  return table;
}

double sum_damage(const Numbers& counted, double amplitude, double cycles, double slope, double endurance,
                  double ultimate) {
  if (counted.ndim() != 2 || counted.shape(1) != 3)
    throw py::value_error("counted: expected rows of range, mean and count, as rainflow() gives them");
  if (!(amplitude > 0 && cycles > 0 && slope > 0 && endurance >= 0 && ultimate >= 0))
    throw py::value_error("amplitude, cycles and slope must be positive, endurance and ultimate not negative");
  const SnLine line{amplitude, cycles, slope, endurance, ultimate};
  const auto rows = counted.unchecked<2>();
  double sum = 0.0;
  for (py::ssize_t i = 0; i < counted.shape(0); ++i) sum += cycle_damage({rows(i, 0), rows(i, 1), rows(i, 2)}, line);
  return sum;
}

}  // namespace

void bind_fatigue(py::module_& m) {
  m.def("rainflow", &count_cycles, py::arg("series"),
        R"(Rainflow cycles of a history (ASTM E1049), in the order in which they close.

Returns an array with a row per cycle: range, mean, count (1 or 0.5).)");
  m.def("miner_damage", &sum_damage, py::arg("counted"), py::kw_only(), py::arg("amplitude"), py::arg("cycles"),
        py::arg("slope"), py::arg("endurance") = 0.0, py::arg("ultimate") = 0.0,
        R"(Miner's sum of counted cycles (rows of range, mean, count); failure is expected at 1.

A stress amplitude S is borne for cycles * (amplitude / S)**slope cycles, for ever up to `endurance`; with `ultimate` the
mean stress of a cycle raises S as Goodman has it.)");
}

}  // namespace lithe::python

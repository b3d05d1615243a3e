#include "lithe/io/linear_model_file.hpp"

#include <algorithm>

#include "lithe/io/mat_file.hpp"
#include "lithe/io/quantity.hpp"
#include "lithe/io/replacing_file.hpp"

namespace lithe {
namespace {

std::string unit_of_signal(const std::string& name, const Mechanism& mechanism) {
  if (name.starts_with("turn.")) return "rad";
  if (!name.starts_with("load.")) return quantity_of(name, &mechanism).unit;
  if (name.find(".moment.") != std::string::npos) return "N m";
  const auto along = std::any_of(mechanism.line_loads.begin(), mechanism.line_loads.end(),
                                 [&](const LineLoad& load) { return name.starts_with("load." + load.name + "."); });
  return along ? "N/m" : "N";
}

using Signals = std::vector<LinearModel::Signal>;

std::vector<std::string> names_of_signals(const Signals& signals) {
  std::vector<std::string> names;
  for (const LinearModel::Signal& signal : signals) names.push_back(signal.name);
  return names;
}

/// In letters that every program shows.
std::vector<std::string> plain_units(const Signals& signals) {
  std::vector<std::string> units;
  for (const LinearModel::Signal& signal : signals) {
    std::string unit = signal.unit;
    for (const auto& [sign, plain] : {std::pair{"²", "^2"}, std::pair{"√kg", "sqrt(kg)"}})
      for (auto at = unit.find(sign); at != std::string::npos; at = unit.find(sign))
        unit.replace(at, std::string(sign).size(), plain);
    units.push_back(unit);
  }
  return units;
}

MatrixX values_of_signals(const Signals& signals) {
  MatrixX values(std::ssize(signals), 1);
  for (std::size_t i = 0; i < signals.size(); ++i) values(static_cast<Eigen::Index>(i), 0) = signals[i].value;
  return values;
}

}  // namespace

void add_units(LinearModel& linear, const Mechanism& mechanism) {
  for (Signals* signals : {&linear.states, &linear.inputs, &linear.outputs})
    for (LinearModel::Signal& signal : *signals) signal.unit = unit_of_signal(signal.name, mechanism);
}

std::string mat_file(const LinearModel& linear, const std::string& model_name) {
  io::MatFile file("linear model by lithe");
  file.add("A", linear.A);
  file.add("B", linear.B);
  file.add("C", linear.C);
  file.add("D", linear.D);
  for (const auto& [name, signals] :
       {std::pair{std::string("state"), &linear.states}, std::pair{std::string("input"), &linear.inputs},
        std::pair{std::string("output"), &linear.outputs}}) {
    file.add(name + "s", names_of_signals(*signals));
    file.add(name + "_units", plain_units(*signals));
  }
  file.add("x0", values_of_signals(linear.states));
  file.add("u0", values_of_signals(linear.inputs));
  file.add("y0", values_of_signals(linear.outputs));
  file.add("dx0", MatrixX(linear.rates));
  file.add("poles", linear.poles);
  file.add("t", MatrixX::Constant(1, 1, linear.t));
  file.add("model", model_name);
  return file.bytes();
}

void save_mat(const LinearModel& linear, const std::string& model_name, const std::string& path,
              const std::vector<std::string>& inputs) {
  ReplacingFile file(path, inputs);
  file.open();
  file.write(mat_file(linear, model_name));
  file.commit();
}

}  // namespace lithe

#pragma once
// Recorded quantities and what sensors measure, as a vector function of the state, for derivatives.

#include <memory>

#include "lithe/simulation/recorder.hpp"
#include "lithe/simulation/sensor_set.hpp"

namespace lithe::detail {

class OutputRow {
 public:
  /// `wanted`: names, * stands for any letters; empty: all that follow from the state. Throws MechanismError for a name
  /// that fits nothing. The arguments must outlive this object.
  OutputRow(const Model& model, const Plan& plan, Workspace& work, const std::vector<std::string>& wanted);
  ~OutputRow();

  const std::vector<std::string>& names() const { return names_; }

  /// Values at a state. Rotation vectors and quaternions stay on the branch of the first call.
  VectorX at(const State& state, const VectorX& a, const Actions& actions);

 private:
  class Sink;
  void keep_branch();

  std::unique_ptr<Sink> sink_;
  std::unique_ptr<Recorder> recorder_;
  SensorSet sensors_;
  std::vector<std::size_t> chosen_;  ///< columns
  std::vector<std::string> names_;
  std::vector<double> first_;
};

}  // namespace lithe::detail

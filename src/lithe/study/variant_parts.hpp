#pragma once
// What one variant is made of (evaluate.cpp), part by part: slopes ask for some of it at neighbouring values.

#include <atomic>
#include <vector>

#include "lithe/simulation/operating_point.hpp"
#include "lithe/study/study.hpp"

namespace lithe::detail {

/// Throws OutputError for a link that the model does not have.
double mass_of(const Output& output, const Mechanism& mechanism);

/// The pose of the study with its motors, about which natural modes are found.
OperatingPoint pose_of_modes(const Study& study, const Model& model);

/// Outputs of the equilibrium.
void add_statics(const Study& study, const Model& model, Variant& variant);

/// A run of the kind that the study asks for, for its columns alone.
RunOutcome run_for_columns(const Study& study, const Model& model, RecordSink& sink);

}  // namespace lithe::detail

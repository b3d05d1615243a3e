#pragma once
// What a sweep says at its end: the analysis as JSON, and the same in tables.

#include <nlohmann/json_fwd.hpp>

#include "lithe/study/statistics.hpp"

namespace lithe::cli {

/// Spread of every output; correlations, tolerance budget and response surface where axes were drawn; Sobol's indices
/// and Morris's effects where they were sampled for; failure probability where there are limits; the best variant.
nlohmann::ordered_json analyse(const Study& study, const Samples& samples, const StudyTable& table);

void print_analysis(const Study& study, const nlohmann::ordered_json& analysis);

}  // namespace lithe::cli

#pragma once
// Columns of a run that the outputs of a study ask for.

#include <string>
#include <vector>

#include "lithe/simulation/simulate.hpp"
#include "lithe/study/study.hpp"

namespace lithe::detail {

/// Makes the run record what the outputs need: beside what the model records when `keeps_record`, or when an output is an
/// expression of columns; otherwise nothing else.
void record_outputs(const Study& study, bool keeps_record, Model& model);

/// What output `output` is made from, row by row: a column, or an expression of t, columns and axes. Throws OutputError.
std::vector<double> output_column(const Study& study, const Output& output, const std::vector<double>& values,
                                  const Mechanism& mechanism, const MemoryRecord& rows);

}  // namespace lithe::detail

#pragma once
// The data of the report page: everything that the page draws, computed here, so that the page needs no kinematics.
// docs/report.md describes the format.

#include <string>
#include <vector>

#include "lithe/io/read_results.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe {

struct ReportOptions {
  std::string title;                  ///< empty: the name of the first model
  std::size_t budget = 2'800'000;     ///< bytes of numbers in the whole report; rows are thinned to fit
  std::size_t fewest_instants = 200;  ///< kept of every result, whatever the budget
};

struct Report {
  std::string json;                   ///< the data block
  std::vector<std::string> warnings;  ///< results that cannot be drawn, and why
  std::vector<std::string> notes;     ///< what else the reader should know: size of the meshes
};

/// The report of one or several results, to be shown together.
Report make_report(const std::vector<Results>& results, const ReportOptions& options = {});

/// The report of a model without a run: the mechanism as it stands at its start. Throws as prepare() does.
Report make_report(const Model& model, const ReportOptions& options = {});

/// The same at the state of `prepared`.
Report make_report(const Model& model, Prepared& prepared, const ReportOptions& options = {});

/// The report of a run whose model is at hand: nothing of it is read again.
Report make_report(const Model& model, const Results& results, const ReportOptions& options = {});

}  // namespace lithe

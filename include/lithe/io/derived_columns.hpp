#pragma once
// Quantities that follow from recorded columns and that a designer asks for first; the report page shows them by the same names, `lithe
// plot` draws them.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lithe/io/read_results.hpp"

namespace lithe {

struct DerivedColumn {
  std::string name;
  std::vector<double> values;  ///< one per row that was asked for
};

/// deflection-at.LINK.FRAME: distance of a frame from its place on the rigid twin, m: of the frames that the model records, else of the tips of
/// elastic links; then deflection-at.LINK.middle of elastic links. power.JOINT: force times speed of joints with a motor, W.
/// error.JOINT: recorded minus wanted coordinate of joints that follow a law by feedback or feed-forward, rad or m; error.LINK.FRAME: distance of a
/// recorded frame from its path, m. Those for which wanted(name) holds, at `rows`. `laws`: the model with its drives, or null.
std::vector<DerivedColumn> derived_columns(const Model& drawn, const Model* laws, const Results& results,
                                           const std::vector<std::size_t>& rows,
                                           const std::function<bool(const std::string& name)>& wanted);

/// The errors alone; none where all joints follow exactly.
std::vector<DerivedColumn> tracking_errors(const Results& results, const Model& model,
                                           const std::vector<std::size_t>& rows);

/// The model of a result read again, for what a stored mechanism does not hold: laws of drives and loads. Nothing when there
/// are none, or when it cannot be read: a newer program may read the text in another way, and the recorded columns stay.
std::optional<Model> model_with_laws(const Model& stored, const Results& results);

}  // namespace lithe

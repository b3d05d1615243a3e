#include "lithe/io/recorded_results.hpp"

#include "lithe/io/stored_mechanism.hpp"
#include "lithe/io/stored_options.hpp"
#include "lithe/version.hpp"

namespace lithe {

void ResultsRecord::begin(const Model& model, const std::vector<std::string>& columns) {
  require_memory_of_rows(model.run, columns.size());
  results_.version = version();
  results_.model_name = model.name;
  results_.model_path = model.path;
  results_.model_text = model.text;
  results_.flattened = model.flattened;
  results_.attached = model.attached;
  if (mechanism_ == Mechanism::kept) results_.mechanism = detail::stored_mechanism(model);
  results_.parameters = model.parameters;
  results_.replaced = model.replaced;
  results_.options = detail::stored_options(model.run);
  results_.columns = columns;
}

void ResultsRecord::row(std::span<const double> values) {
  results_.data.insert(results_.data.end(), values.begin(), values.end());
}

void ResultsRecord::finish(const Audit& audit, const std::string& outcome) {
  results_.audit = audit;
  results_.outcome = outcome;
  results_.finished = true;
}

}  // namespace lithe

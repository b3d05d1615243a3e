#include "lithe/io/recorded_results.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "lithe/io/stored_mechanism.hpp"
#include "lithe/io/stored_options.hpp"
#include "lithe/version.hpp"

namespace lithe {
namespace {

void require_memory(const RunOptions& run, std::size_t columns) {
  const double rows = (run.until - run.from) / run.every + 2.0;
  const double bytes = rows * static_cast<double>(columns * sizeof(double));
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes <= memory) return;
  throw ResultsError(fmt::format(
      "the run would record {:f} GB, more than the memory of this machine ({:f} GB); lengthen run.every, or "
      "write a file with the program lithe",
      bytes / 1e9, memory / 1e9));
}

}  // namespace

void ResultsRecord::begin(const Model& model, const std::vector<std::string>& columns) {
  require_memory(model.run, columns.size());
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

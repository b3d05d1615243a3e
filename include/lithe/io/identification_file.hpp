#pragma once
// Identification files (docs/howto/identification.md): which parameters are sought, from which models and records.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lithe/io/load_model.hpp"
#include "lithe/study/identification.hpp"

namespace lithe {

struct IdentificationStudy {
  std::string name;
  std::vector<Experiment> experiments;
  std::vector<SoughtParameter> sought;
  IdentificationOptions options;   ///< confidence and widest; the rest is for the caller
  std::vector<std::string> files;  ///< all that were read
  Remarks remarks;                 ///< of the models
};

/// Reads an identification file with its models and records. Throws ModelError.
IdentificationStudy load_identification(const std::string& path);

/// One experiment without a file of its own, as the command line gives it.
struct OneExperiment {
  std::string model;                            ///< path of the model file
  std::map<std::string, std::string> settings;  ///< as of load_model()
  std::string record;                           ///< path of a CSV file or result
  std::vector<std::string> parameters;
  std::map<std::string, std::string> columns;  ///< column of the record -> recorded quantity; empty: by their names
  std::string run = "simulate";                ///< or inverse, kinematics
};
/// Throws ModelError.
IdentificationStudy load_identification(const OneExperiment& experiment);

/// The model as a function of its parameters (Model::parameters), and of values by their path (with dots). Names that the
/// model does not have are passed over: several experiments need not share all. Its files are not read again.
ModelOfParameters model_of_parameters(const Model& model);

/// JSON Schema of the identification file.
std::string identification_schema();

}  // namespace lithe

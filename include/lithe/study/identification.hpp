#pragma once
// Parameters of a model from measured records: nonlinear least squares over whole runs, honest intervals, and the names
// of those parameters that the records cannot tell.
//
// A measurement is taken as y = offset + factor * quantity + noise, where the quantity is a column of a run
// (docs/results.md) and the noise of neighbouring samples is independent. The estimate minimises the sum of squares of
// (prediction - measurement) / noise over all experiments.

#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lithe/simulation/model.hpp"
#include "lithe/simulation/remarks.hpp"
#include "lithe/spatial/pose.hpp"

namespace lithe {

/// A model with these values of its parameters. It is called by several threads at once.
using ModelOfParameters = std::function<Model(const std::map<std::string, double>& values)>;

/// One measured column of a record.
struct Measurement {
  std::string name;      ///< of the column in the record
  std::string quantity;  ///< column of a run: q.JOINT, pos.LINK.FRAME.y, acc..., section..., stress..., tau.JOINT, ...
  std::string factor = "1", offset = "0";  ///< expressions of the parameters of the model
  std::optional<double> noise;             ///< standard deviation of a sample; without: estimated from the residuals
  std::vector<double> values;              ///< one per instant of the experiment; not a number: no sample
};

/// How the quantities come about: motion under drives and loads, forces along the motion laws, or that motion alone.
enum class ExperimentRun : unsigned char { simulate, inverse, kinematics };

/// A record, and the model of what was done.
struct Experiment {
  std::string name;
  ModelOfParameters model;
  ExperimentRun run = ExperimentRun::simulate;
  std::vector<double> times;  ///< s, ascending; on the clock of the model
  std::vector<Measurement> measurements;
  std::vector<std::string> fixed;  ///< sought parameters on which this model does not depend; saves runs
  bool held_back = false;          ///< not used for the estimate: predicted with it
};

/// A parameter to find, by the name that the model knows.
struct SoughtParameter {
  std::string name;
  double start = 0.0;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  /// A change that matters, in the unit of the parameter; 0: the size of `start`, and when that is zero the change that
  /// moves the predictions as far as the measurements are large.
  double scale = 0.0;
};

struct IdentificationOptions {
  double confidence = 0.95;  ///< of the intervals
  /// A parameter whose interval reaches further than this many scales to either side is not determined.
  double widest = 1.0;
  int most_iterations = 50;
  int threads = 0;                                             ///< for runs; 0: as many as the machine has
  std::function<void(int iteration, double misfit)> progress;  ///< misfit: half the sum of squares; may be empty
  const std::atomic<bool>* stop = nullptr;                     ///< set by Ctrl-C
};

struct Estimate {
  std::string name;
  double start = 0.0;
  bool is_determined = false;  ///< without it there are no numbers below
  bool is_at_bound = false;    ///< the fit would go on beyond: a value without deviation and interval
  double value = 0.0;
  double deviation = 0.0;           ///< standard deviation
  double lower = 0.0, upper = 0.0;  ///< of the interval
};

/// Changes of parameters that go together and that the records do not see, as multiples of their scales.
struct BlindDirection {
  std::vector<std::pair<std::string, double>> parts;  ///< the largest first, of size one; small ones are left out
  double seen = 0.0;  ///< change of all predictions, in standard deviations of noise (root of the sum of squares)
};

/// How well a measurement is met.
struct MeasurementFit {
  std::string experiment, name, quantity;
  bool held_back = false;
  long samples = 0;
  double noise = 0.0;  ///< standard deviation: given, or estimated
  bool noise_given = false;
  double rms = 0.0;          ///< of the residuals
  double explained = 0.0;    ///< 1 - |residual| / |measurement - its mean|
  double correlation = 0.0;  ///< of neighbouring residuals: near zero when they are noise
  std::vector<double> times, measured, predicted;
};

struct Identification {
  std::vector<Estimate> estimates;  ///< in the order of the sought parameters
  std::vector<BlindDirection> blind;
  MatrixX covariance;  ///< of the determined ones that are not at a bound, in this order:
  std::vector<std::string> covariance_names;
  VectorX singular_values;  ///< of the Jacobian, parameters in scales and residuals in deviations of noise
  std::vector<MeasurementFit> fits;
  double confidence = 0.95;
  int iterations = 0;
  long runs = 0;
  bool converged = false;
  Remarks remarks;

  bool all_determined() const;
  /// Values of the determined parameters, for load_model() and --set.
  std::map<std::string, double> values() const;
};

/// Throws MechanismError when an experiment makes no sense (a quantity that the run does not have, fewer samples than
/// parameters, a start outside of its bounds) and PhysicsError when the model does not run at the start values. What the
/// model function throws at the start values comes out as it is.
Identification identify(const std::vector<Experiment>& experiments, const std::vector<SoughtParameter>& sought,
                        const IdentificationOptions& options = {});

}  // namespace lithe

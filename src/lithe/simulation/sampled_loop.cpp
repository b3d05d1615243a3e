#include "lithe/simulation/sampled_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lithe/control/exponential.hpp"
#include "lithe/simulation/control_inputs.hpp"
#include "lithe/simulation/linear_law.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe {
namespace {

constexpr double same_part = 1e-9;           ///< of a sample time
constexpr int most_instants_of_loop = 1000;  ///< until all controllers are due together

/// One controller as a linear map, and where its parts stand in the state of the loop.
struct LinearPart {
  StateSpace law;                                  ///< from its inputs to its outputs
  std::vector<int> signals;                        ///< outputs of the plant that are its inputs; -1: none
  std::vector<double> signs;                       ///< of these
  std::vector<int> channels;                       ///< columns of the plant on which it acts
  int every = 1;                                   ///< instants between its samples
  int late = 0;                                    ///< samples until its outputs act, rounded up
  double rest = 0.0;                               ///< s into an interval at which they act; 0: at its start
  Eigen::Index memory = 0, held = 0, waiting = 0;  ///< rows
};

/// The plant with a state for each motor that lags behind, and one column for each output of a controller.
struct LoopPlant {
  MatrixX A, B, C, D;
};

/// The law of a controller about its inputs at the point.
StateSpace law_at_point(SampledSystem& system, double t, std::vector<double> inputs, std::size_t outputs) {
  std::vector<double> given(outputs);
  system.sample(t, inputs, given);  // the first sample may set up what the law remembers
  const std::span<double> shown = system.state();
  const std::vector<double> memory(shown.begin(), shown.end());
  const auto n = std::ssize(memory), p = static_cast<Eigen::Index>(outputs);
  const auto answer = [&](const std::vector<double>& state, const std::vector<double>& u) {
    std::copy(state.begin(), state.end(), system.state().begin());
    std::fill(given.begin(), given.end(), 0.0);
    system.sample(t, u, given);
    VectorX all(n + p);
    const std::span<double> next = system.state();
    for (Eigen::Index i = 0; i < n; ++i) all[i] = next[i];
    for (Eigen::Index i = 0; i < p; ++i) all[n + i] = given[i];
    return all;
  };
  return detail::linear_law(answer, memory, inputs, outputs, 1.0);
}

class LoopOfSamples {
 public:
  explicit LoopOfSamples(OperatingPoint& point)
      : point_(point), model_(point.model()), linear_(linear_model(point, detail::sensor_columns(point.model()))) {
    check();
    // Controllers in continuous time are part of the plant.
    plant_ = {linear_.A, MatrixX(linear_.A.rows(), 0), linear_.C, MatrixX(linear_.C.rows(), 0)};
    for (const SampledController& controller : model_.sampled_controllers) add(controller);
    place_parts();
  }

  /// The map of the state of the loop from one common instant to the next.
  StateSpace map() {
    map_ = MatrixX::Identity(size_, size_);
    int instants = 1;
    for (const LinearPart& part : parts_) instants = std::lcm(instants, part.every);
    if (instants > most_instants_of_loop)
      throw MechanismError("controllers", "the sample times of the controllers have no short common period");
    for (int k = 0; k < instants; ++k) interval(k);
    return {map_, MatrixX(size_, 0), MatrixX(0, size_), MatrixX(0, 0), instants * period_, names_, {}, {}};
  }

 private:
  void check() {
    if (model_.sampled_controllers.empty())
      throw MechanismError("controllers", "the model has no sampled controllers whose loop could be closed");
    for (const Sensor& sensor : model_.sensors)
      if (sensor.sample > 0.0 || sensor.delay > 0.0)
        throw MechanismError(sensor.name, fmt::format("sensor '{}' has a sample time or a delay of its own, which the "
                                                      "linear loop does not know; leave it out",
                                                      sensor.name));
    period_ = model_.sampled_controllers[0].sample;
    for (const SampledController& controller : model_.sampled_controllers)
      period_ = std::min(period_, controller.sample);
  }

  void add(const SampledController& controller) {
    LinearPart part;
    const double times = controller.sample / period_;
    part.every = static_cast<int>(std::lround(times));
    if (std::abs(times - part.every) > 1e-6)
      throw MechanismError(controller.name, fmt::format("controller '{}': its sample time {} s is no multiple of the "
                                                        "shortest, {} s",
                                                        controller.name, controller.sample, period_));
    const double whole = std::floor(controller.delay / controller.sample + same_part);
    part.rest = controller.delay - whole * controller.sample;
    if (part.rest <= same_part * controller.sample) part.rest = 0.0;
    part.late = static_cast<int>(whole) + (part.rest > 0.0 ? 1 : 0);
    std::vector<double> nominal;
    for (const ControlInput& input : controller.inputs) {
      part.signals.push_back(detail::signal_of(linear_.outputs, input));
      part.signs.push_back(input.reversed ? -1.0 : 1.0);
      nominal.push_back(detail::nominal_input(point_, linear_.outputs, input));
    }
    const auto system = controller.begin({point_.plan(), point_.state()});
    part.law = law_at_point(*system, linear_.t, nominal, controller.drives.size());
    for (std::size_t i = 0; i < controller.drives.size(); ++i)
      part.channels.push_back(
          channel(controller.drives[i], i < controller.limits.size() ? controller.limits[i].lag : 0.0));
    parts_.push_back(std::move(part));
  }

  /// A column of the plant for one more force on a motor; one that lags is a state of its own: lag f' = u - f.
  int channel(const std::string& motor, double lag) {
    int column = -1;
    for (std::size_t i = 0; i < linear_.inputs.size(); ++i)
      if (linear_.inputs[i].name == "tau." + motor) column = static_cast<int>(i);
    if (column < 0) throw MechanismError(motor, fmt::format("no motor acts on '{}' at this point", motor));
    const Eigen::Index n = plant_.A.rows(), m = plant_.B.cols(), p = plant_.C.rows();
    plant_.B.conservativeResize(n, m + 1);
    plant_.D.conservativeResize(p, m + 1);
    VectorX force = VectorX::Zero(n);
    force.head(linear_.B.rows()) = linear_.B.col(column);
    plant_.B.col(m) = force;
    plant_.D.col(m) = linear_.D.col(column);
    if (lag == 0.0) return static_cast<int>(m);
    plant_.A.conservativeResize(n + 1, n + 1);
    plant_.A.col(n).head(n) = force;
    plant_.A.row(n).setZero();
    plant_.A(n, n) = -1.0 / lag;
    plant_.B.conservativeResize(n + 1, m + 1);
    plant_.B.row(n).setZero();
    plant_.B.col(m).setZero();
    plant_.B(n, m) = 1.0 / lag;
    plant_.C.conservativeResize(p, n + 1);
    plant_.C.col(n) = linear_.D.col(column);
    plant_.D.col(m).setZero();
    return static_cast<int>(m);
  }

  void place_parts() {
    for (const LinearModel::Signal& state : linear_.states) names_.push_back(state.name);
    while (std::ssize(names_) < plant_.A.rows()) names_.emplace_back("lag");
    size_ = plant_.A.rows();
    const auto take = [&](Eigen::Index count, const std::string& name, Eigen::Index& place) {
      place = size_;
      size_ += count;
      for (Eigen::Index k = 0; k < count; ++k) names_.push_back(fmt::format("{}.{}", name, k + 1));
    };
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      LinearPart& part = parts_[i];
      const std::string& name = model_.sampled_controllers[i].name;
      const auto outputs = std::ssize(part.channels);
      take(part.law.A.rows(), name + ".state", part.memory);
      take(outputs, name + ".held", part.held);
      take(outputs * part.late, name + ".late", part.waiting);
    }
  }

  /// Forces of all channels as rows of the map.
  MatrixX forces() const {
    MatrixX rows = MatrixX::Zero(plant_.B.cols(), size_);
    for (const LinearPart& part : parts_)
      for (std::size_t i = 0; i < part.channels.size(); ++i)
        rows.row(part.channels[i]) = map_.row(part.held + static_cast<Eigen::Index>(i));
    return rows;
  }

  void flow(double h) {
    if (!(h > 0.0)) return;
    const Eigen::Index n = plant_.A.rows();
    const detail::HeldInput held = detail::hold_input(plant_.A, plant_.B, h);
    const MatrixX states = map_.topRows(n);
    map_.topRows(n) = MatrixX(held.Phi * states) + MatrixX(held.Gamma * forces());
  }

  /// What was asked `late` samples ago acts from now on.
  void release(const LinearPart& part) {
    const auto outputs = std::ssize(part.channels);
    const MatrixX rows = map_.middleRows(part.waiting + (part.late - 1) * outputs, outputs);
    map_.middleRows(part.held, outputs) = rows;
  }

  void take_sample(const LinearPart& part, const MatrixX& read) {
    MatrixX inputs = MatrixX::Zero(std::ssize(part.signals), size_);
    for (std::size_t i = 0; i < part.signals.size(); ++i)
      if (part.signals[i] >= 0) inputs.row(static_cast<Eigen::Index>(i)) = part.signs[i] * read.row(part.signals[i]);
    const Eigen::Index n = part.law.A.rows(), outputs = std::ssize(part.channels);
    const MatrixX memory = map_.middleRows(part.memory, n);
    const MatrixX asked = MatrixX(part.law.C * memory) + MatrixX(part.law.D * inputs);
    map_.middleRows(part.memory, n) = MatrixX(part.law.A * memory) + MatrixX(part.law.B * inputs);
    if (part.late == 0) {
      map_.middleRows(part.held, outputs) = asked;
      return;
    }
    const MatrixX earlier = map_.middleRows(part.waiting, outputs * (part.late - 1));
    map_.middleRows(part.waiting + outputs, outputs * (part.late - 1)) = earlier;
    map_.middleRows(part.waiting, outputs) = asked;
  }

  /// From instant k of the fastest controller to the next: sensors see the forces that acted until then.
  void interval(int k) {
    const MatrixX read = MatrixX(plant_.C * MatrixX(map_.topRows(plant_.A.rows()))) + MatrixX(plant_.D * forces());
    std::vector<std::pair<double, const LinearPart*>> later;  // what begins to act within the interval
    for (const LinearPart& part : parts_) {
      if (part.late > 0 && part.rest == 0.0 && k % part.every == 0) release(part);
      const double due = part.rest - (k % part.every) * period_;
      if (part.rest > 0.0 && due >= 0.0 && due < period_) later.emplace_back(due, &part);
    }
    for (const LinearPart& part : parts_)
      if (k % part.every == 0) take_sample(part, read);
    std::sort(later.begin(), later.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    double t = 0.0;
    for (const auto& [due, part] : later) {
      flow(due - t);
      t = due;
      release(*part);
    }
    flow(period_ - t);
  }

  OperatingPoint& point_;
  const Model& model_;
  LinearModel linear_;
  double period_ = 0.0;
  LoopPlant plant_;
  std::vector<LinearPart> parts_;
  std::vector<std::string> names_;
  Eigen::Index size_ = 0;
  MatrixX map_;
};

}  // namespace

StateSpace sampled_loop(OperatingPoint& point) { return LoopOfSamples(point).map(); }

}  // namespace lithe

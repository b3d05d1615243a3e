#include "lithe/simulation/linear_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/dynamics/stress.hpp"
#include "lithe/simulation/continuous_loop.hpp"
#include "lithe/simulation/control_inputs.hpp"
#include "lithe/simulation/output_row.hpp"
#include "lithe/spatial/differences.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {
namespace {

constexpr double position_step = 1e-3, speed_step = 1e-2;  ///< rad and rad/s, or what compares with them

/// One input: where its value stands in the Actions. A uniform line load has the same value at both ends.
struct InputPort {
  std::string name;
  std::function<std::pair<double*, double*>(Actions&)> places;

  double value(Actions& actions) const { return *places(actions).first; }
  void add(Actions& actions, double change) const {
    const auto [first, second] = places(actions);
    *first += change;
    if (second != nullptr) *second += change;
  }
};

/// Components of loads along x, y, z of some axes that can act: in a mechanism that moves in a plane, forces across it
/// and moments about its directions do nothing, in this pose or another.
class ActingComponents {
 public:
  explicit ActingComponents(const Plan& plan) : planar_(plan.is_planar()), normal_(plan.plane_normal()) {}

  bool force(const Mat3& axes, int a) const {
    return !planar_ || axes.col(a).cross(normal_).norm() > detail::tolerance::written;
  }
  bool moment(const Mat3& axes, int a) const {
    return !planar_ || std::abs(axes.col(a).dot(normal_)) > detail::tolerance::written;
  }

 private:
  bool planar_;
  Vec3 normal_;
};

constexpr char axis_names[] = "xyz";

void add_frame_loads(OperatingPoint& point, const ActingComponents& acting, std::vector<InputPort>& ports) {
  const std::vector<LoadPort>& loads = point.plan().mechanism().loads;
  for (int i = 0; i < point.plan().own_loads(); ++i) {
    Mat3 axes = Mat3::Identity();
    if (loads[i].in_frame_axes) axes = frame_pose(point.plan(), point.work(), point.state().q, loads[i].at).rotation;
    for (const bool moment : {false, true})
      for (int a = 0; a < 3; ++a) {
        if (!(moment ? acting.moment(axes, a) : acting.force(axes, a))) continue;
        ports.push_back({fmt::format("load.{}.{}.{}", loads[i].name, moment ? "moment" : "force", axis_names[a]),
                         [=](Actions& actions) {
                           Wrench& load = actions.loads[i];
                           return std::pair{moment ? &load.moment[a] : &load.force[a], static_cast<double*>(nullptr)};
                         }});
      }
  }
}

void add_line_loads(OperatingPoint& point, const ActingComponents& acting, std::vector<InputPort>& ports) {
  const std::vector<LineLoad>& loads = point.plan().mechanism().line_loads;
  const std::vector<LineLoadLaws>& laws = point.model().line_loads;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    Mat3 axes = Mat3::Identity();
    if (loads[i].in_link_axes && !loads[i].parts.empty())
      axes = frame_pose(point.plan(), point.work(), point.state().q, {loads[i].parts[0].link, 0}).rotation;
    const bool uniform = i >= laws.size() || laws[i].uniform;
    for (int a = 0; a < 3; ++a)
      if (acting.force(axes, a))
        ports.push_back({fmt::format("load.{}.force.{}", loads[i].name, axis_names[a]), [=](Actions& actions) {
                           LineForce& load = actions.line_loads[i];
                           return std::pair{&load.start[a], uniform ? &load.end[a] : static_cast<double*>(nullptr)};
                         }});
    for (int a = 0; a < 3 && !uniform; ++a)
      if (acting.force(axes, a))
        ports.push_back({fmt::format("load.{}.end.{}", loads[i].name, axis_names[a]), [=](Actions& actions) {
                           return std::pair{&actions.line_loads[i].end[a], static_cast<double*>(nullptr)};
                         }});
  }
}

std::vector<InputPort> input_ports(OperatingPoint& point) {
  std::vector<InputPort> ports;
  const Plan& plan = point.plan();
  for (const int v : point.linear().actuators)
    ports.push_back({"tau." + (plan.speed_name(v)), [v](Actions& actions) {
                       return std::pair{&actions.tau[v], static_cast<double*>(nullptr)};
                     }});
  const ActingComponents acting(plan);
  add_frame_loads(point, acting, ports);
  add_line_loads(point, acting, ports);
  return ports;
}

/// The mechanism near the operating point: accelerations of x and recorded quantities.
class Neighbourhood {
 public:
  Neighbourhood(OperatingPoint& point, detail::OutputRow& row)
      : point_(point), plan_(point.plan()), row_(row), a_(point.accelerations()) {}

  struct Response {
    VectorX accelerations, outputs;
  };

  /// With one coordinate moved and one speed changed (tree speed `v`), under `actions` and the feedback.
  Response at(int v, double position, double speed, const Actions& actions) {
    State there = point_.state();
    if (position != 0.0) {
      VectorX step = VectorX::Zero(plan_.nv());
      step[v] = position;
      move_coordinates(plan_, step, there.q);
      require(project_positions(plan_, point_.work(), there.q, detail::tolerance::exact_closure));
    }
    if (speed != 0.0) there.v[v] += speed;
    require(complete_speeds(plan_, point_.work(), there.q, there.v));
    Actions acting = actions;
    if (point_.feedback()) point_.feedback()(there, point_.work(), acting.tau);
    require(stressed_forward_dynamics(plan_, point_.work(), there, acting, a_, {Formulation::noc, point_.locked()}));
    require(recover_forces(plan_, point_.work(), there, a_, point_.locked(), acting));
    Response response{VectorX(std::ssize(point_.linear().speeds)), row_.at(there, a_, acting)};
    for (Eigen::Index i = 0; i < response.accelerations.size(); ++i)
      response.accelerations[i] = a_[point_.linear().speeds[i]];
    return response;
  }

 private:
  void require(const Status& status) const {
    if (!status) throw PhysicsError(describe(plan_, status, point_.state().t));
  }

  OperatingPoint& point_;
  const Plan& plan_;
  detail::OutputRow& row_;
  VectorX a_;
};

/// Derivative of the outputs by differences of fourth order.
void name_states(OperatingPoint& point, LinearModel& model) {
  const Plan& plan = point.plan();
  for (const int v : point.linear().speeds) {
    const int q = position_of_speed(plan, v);
    model.states.push_back({(q < 0 ? "turn." : "q.") + plan.speed_name(v), "", q < 0 ? 0.0 : point.state().q[q]});
  }
  for (const int v : point.linear().speeds) model.states.push_back({"v." + plan.speed_name(v), "", point.state().v[v]});
}

}  // namespace

namespace {

/// Of the mechanism with the feedback of its drives.
LinearModel model_of_mechanism(OperatingPoint& point, const std::vector<std::string>& outputs) {
  const Plan& plan = point.plan();
  const Linearization& linear = point.linear();
  LinearModel model;
  model.t = point.state().t;
  name_states(point, model);
  model.A = linear.state_matrix();
  model.poles = poles(model.A);

  detail::OutputRow row(point.model(), plan, point.work(), outputs);
  Neighbourhood near(point, row);
  const Neighbourhood::Response here = near.at(0, 0.0, 0.0, point.actions());
  for (std::size_t i = 0; i < row.names().size(); ++i) model.outputs.push_back({row.names()[i], "", here.outputs[i]});
  const auto n = std::ssize(linear.speeds);
  model.rates = VectorX::Zero(2 * n);
  for (Eigen::Index i = 0; i < n; ++i) model.rates[i] = point.state().v[linear.speeds[i]];
  model.rates.tail(n) = here.accelerations;

  model.C.resize(here.outputs.size(), 2 * n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const int v = linear.speeds[j];
    const double scale = plan.speed_scale(v);
    model.C.col(j) = detail::five_point_slope(position_step * scale,
                                              [&](double h) { return near.at(v, h, 0.0, point.actions()).outputs; });
    model.C.col(n + j) = detail::five_point_slope(
        speed_step * scale, [&](double h) { return near.at(v, 0.0, h, point.actions()).outputs; });
  }

  // Accelerations and outputs are linear in the inputs: one central difference over a unit is exact.
  std::vector<VectorX> accelerations, feedthrough;
  for (const InputPort& port : input_ports(point)) {
    Actions more = point.actions(), less = point.actions();
    const double value = port.value(more);
    port.add(more, 1.0);
    port.add(less, -1.0);
    const Neighbourhood::Response up = near.at(0, 0.0, 0.0, more), down = near.at(0, 0.0, 0.0, less);
    const VectorX a = 0.5 * (up.accelerations - down.accelerations), y = 0.5 * (up.outputs - down.outputs);
    model.inputs.push_back({port.name, "", value});
    accelerations.push_back(a);
    feedthrough.push_back(y);
  }
  const auto inputs = std::ssize(model.inputs);
  model.B = MatrixX::Zero(2 * n, inputs);
  model.D = MatrixX::Zero(here.outputs.size(), inputs);
  for (Eigen::Index j = 0; j < inputs; ++j) {
    model.B.col(j).tail(n) = accelerations[j];
    model.D.col(j) = feedthrough[j];
  }
  return model;
}

}  // namespace

LinearModel linear_model(OperatingPoint& point, const std::vector<std::string>& outputs) {
  LinearModel model = model_of_mechanism(point, outputs);
  const bool fed_back = point.motors() == Motors::loaded && !point.is_open_loop();
  if (fed_back && !point.model().continuous_controllers.empty())
    detail::close_continuous_loops(point, model_of_mechanism(point, detail::sensor_columns(point.model())), model);
  return model;
}

StateSpace state_space(const LinearModel& linear) {
  const auto names = [](const std::vector<LinearModel::Signal>& signals) {
    std::vector<std::string> list;
    for (const LinearModel::Signal& signal : signals) list.push_back(signal.name);
    return list;
  };
  return {
      linear.A, linear.B, linear.C, linear.D, 0.0, names(linear.states), names(linear.inputs), names(linear.outputs)};
}

std::vector<int> elastic_states(const OperatingPoint& point) {
  const std::vector<int>& speeds = point.linear().speeds;
  std::vector<int> fast;
  for (std::size_t half = 0; half < 2; ++half)
    for (std::size_t i = 0; i < speeds.size(); ++i)
      if (point.plan().is_bending(speeds[i])) fast.push_back(static_cast<int>(half * speeds.size() + i));
  return fast;
}

}  // namespace lithe

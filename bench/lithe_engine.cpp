#include "lithe_engine.hpp"

#include <random>
#include <stdexcept>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/motion.hpp"

namespace bench {
namespace {

lithe::Mechanism to_lithe(const Case& mechanism) {
  lithe::Mechanism result;
  result.name = mechanism.name;
  result.gravity = mechanism.gravity;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const Body& body = mechanism.bodies[i];
    lithe::LinkData link;
    link.name = "body-" + std::to_string(i);
    link.mass = body.mass;
    link.centre = body.centre;
    link.inertia = body.inertia.asDiagonal();
    const int index = result.add_link(link);
    lithe::Joint joint;
    joint.name = "joint-" + std::to_string(i);
    joint.type = body.kind == Kind::revolute    ? lithe::JointType::revolute
                 : body.kind == Kind::prismatic ? lithe::JointType::prismatic
                                                : lithe::JointType::spherical;
    lithe::Pose place;
    place.position = body.offset;
    joint.from = result.add_frame(body.parent + 1, "for-" + link.name, place);
    joint.to = {index, 0};
    joint.axis = body.axis;
    if (body.motor) joint.actuated = {true};
    result.add_joint(joint);
  }
  for (std::size_t i = 0; i < mechanism.pins.size(); ++i) {
    const Pin& pin = mechanism.pins[i];
    lithe::Joint joint;
    joint.name = "pin-" + std::to_string(i);
    joint.type = pin.planar ? lithe::JointType::revolute : lithe::JointType::spherical;
    lithe::Pose a, b;
    a.position = pin.point_a;
    b.position = pin.point_b;
    joint.from = result.add_frame(pin.a + 1, joint.name, a);
    joint.to = result.add_frame(pin.b + 1, joint.name, b);
    joint.cut = true;
    result.add_joint(joint);
  }
  return result;
}

/// Calls visit(case q, case v, place of the joint in the plan) for every body.
template <class Visit>
void each_joint(const Case& mechanism, const lithe::Plan& plan, const Visit& visit) {
  int q = 0, v = 0;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const lithe::JointPlace& place = plan.places()[i];
    visit(q, v, place);
    q += place.nq;
    v += place.nv;
  }
}

Eigen::VectorXd to_case_speeds(const Case& mechanism, const lithe::Plan& plan, const Eigen::VectorXd& own) {
  Eigen::VectorXd result(plan.nv());
  each_joint(mechanism, plan, [&](int, int v, const lithe::JointPlace& place) {
    result.segment(v, place.nv) = own.segment(place.v, place.nv);
  });
  return result;
}

void require(const lithe::Plan& plan, const lithe::Status& status, const std::string& name) {
  if (!status) throw std::runtime_error(name + ": " + lithe::describe(plan, status, 0.0));
}

}  // namespace

LitheEngine::LitheEngine(const Case& mechanism, lithe::Formulation formulation)
    : mechanism_(mechanism),
      formulation_(formulation),
      plan_(to_lithe(mechanism)),
      work_(plan_),
      a_(plan_.nv()),
      q_(plan_.nq()),
      v_(plan_.nv()) {
  inverse_.tau.setZero(plan_.nv() + plan_.cut_nv());
  each_joint(mechanism, plan_, [&](int q, int, const lithe::JointPlace& place) {
    q_.segment(place.q, place.nq) = mechanism.start.segment(q, place.nq);
  });
  const std::vector<int>& motors = plan_.actuated_speeds();
  require(plan_, lithe::assemble(plan_, work_, q_, {.held = motors}).status, mechanism.name);
  require(plan_, lithe::select_independent(plan_, work_, q_, motors, true), mechanism.name);
}

std::vector<Motion> LitheEngine::random_pool(int count) {
  std::mt19937 engine(20260131);
  const auto draw = [&](double size) { return size * (2.0 * (static_cast<double>(engine()) / 4294967296.0) - 1.0); };
  const lithe::VectorX start = q_;
  std::vector<Motion> pool;
  for (int i = 0; i < count; ++i) {
    // Motors go to their places in small steps so that the assembly keeps its branch.
    lithe::State state{0.0, start, lithe::VectorX::Zero(plan_.nv())};
    lithe::VectorX step = lithe::VectorX::Zero(plan_.nv());
    constexpr int steps = 10;
    for (int motor : plan_.actuated_speeds()) step[motor] = draw(mechanism_.spread) / steps;
    for (int k = 0; k < steps; ++k) {
      lithe::move_coordinates(plan_, step, state.q);
      require(plan_, lithe::project_positions(plan_, work_, state.q), mechanism_.name);
    }
    for (int motor : plan_.actuated_speeds()) state.v[motor] = draw(1.0);
    require(plan_, lithe::complete_speeds(plan_, work_, state.q, state.v), mechanism_.name);
    lithe::Actions actions(plan_);
    for (int motor : plan_.actuated_speeds()) actions.tau[motor] = draw(5.0);
    lithe::VectorX a(plan_.nv());
    require(plan_, lithe::forward_dynamics(plan_, work_, state, actions, a), mechanism_.name);

    Motion motion;
    motion.q.resize(plan_.nq());
    each_joint(mechanism_, plan_, [&](int q, int, const lithe::JointPlace& place) {
      motion.q.segment(q, place.nq) = state.q.segment(place.q, place.nq);
    });
    motion.v = to_case_speeds(mechanism_, plan_, state.v);
    motion.a = to_case_speeds(mechanism_, plan_, a);
    motion.tau = to_case_speeds(mechanism_, plan_, actions.tau);
    pool.push_back(std::move(motion));
  }
  return pool;
}

void LitheEngine::take(const std::vector<Motion>& pool) {
  pool_.clear();
  pool_.reserve(pool.size());
  for (const Motion& motion : pool) {
    Own& own = pool_.emplace_back(plan_);
    each_joint(mechanism_, plan_, [&](int q, int v, const lithe::JointPlace& place) {
      own.state.q.segment(place.q, place.nq) = motion.q.segment(q, place.nq);
      own.state.v.segment(place.v, place.nv) = motion.v.segment(v, place.nv);
      own.a.segment(place.v, place.nv) = motion.a.segment(v, place.nv);
      own.actions.tau.segment(place.v, place.nv) = motion.tau.segment(v, place.nv);
    });
  }
}

void LitheEngine::forward(int index) {
  const Own& own = pool_[index];
  require(plan_, lithe::forward_dynamics(plan_, work_, own.state, own.actions, a_, {formulation_}), mechanism_.name);
}

void LitheEngine::inverse(int index) {
  const Own& own = pool_[index];
  lithe::inverse_dynamics(plan_, work_, own.state, own.a, own.actions, plan_.actuated_speeds(), inverse_);
  require(plan_, inverse_.status, mechanism_.name);
}

Eigen::VectorXd LitheEngine::accelerations() const { return to_case_speeds(mechanism_, plan_, a_); }
Eigen::VectorXd LitheEngine::forces() const { return to_case_speeds(mechanism_, plan_, inverse_.tau); }

void LitheEngine::project(int index) {
  q_ = pool_[index].state.q;
  for (int joint = 0; joint < static_cast<int>(mechanism_.bodies.size()); ++joint)
    if (!mechanism_.bodies[joint].motor && mechanism_.bodies[joint].kind != Kind::ball)
      q_[plan_.places()[joint].q] += 1e-4;
  require(plan_, lithe::project_positions(plan_, work_, q_), mechanism_.name);
}

void LitheEngine::complete(int index) {
  v_ = pool_[index].state.v;
  require(plan_, lithe::complete_speeds(plan_, work_, pool_[index].state.q, v_), mechanism_.name);
}

}  // namespace bench

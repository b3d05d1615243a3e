// A four-bar linkage built without a file: single states (assembly, mass, acceleration), then a simulation.

#include <cstdio>
#include <lithe/dynamics/forward.hpp>
#include <lithe/links/rigid.hpp>
#include <lithe/simulation/prepare.hpp>
#include <lithe/simulation/simulate.hpp>

using namespace lithe;

int main() {
  Model model;
  model.name = "four-bar";
  Mechanism& m = model.mechanism;
  m.gravity = Vec3(0, -9.81, 0);
  m.add_link(slender_rod("crank", 0.2, 0.2));
  m.add_link(slender_rod("coupler", 0.5, 0.5));
  m.add_link(slender_rod("rocker", 0.4, 0.4));
  m.add_frame(0, "right", {Mat3::Identity(), Vec3(0.5, 0, 0)});  // link 0 is the ground
  connect(m, JointType::revolute, "motor", "ground", "crank/root").actuated = {true};
  connect(m, JointType::revolute, "pin-1", "crank/tip", "coupler/root");
  connect(m, JointType::revolute, "pin-2", "coupler/tip", "rocker/tip");
  connect(m, JointType::revolute, "pivot", "ground/right", "rocker/root").damping = {0.01};
  model.initial = {{"motor", 0, 0.3}, {"pin-1", 0, 0.8}, {"pivot", 0, 1.6}};  // guesses choose the branch

  // One state: the plan is compiled once, the workspace holds all memory of the evaluations.
  Prepared p = prepare(model);
  const Pose tip = frame_pose(p.plan, p.work, p.state.q, frame_named(p.plan.mechanism(), "coupler/tip"));
  std::printf("coupler tip at %.6f, %.6f m\n", tip.position.x(), tip.position.y());
  MatrixX mass;
  generalised_inertia(p.plan, p.work, p.state.q, mass);
  Actions actions(p.plan);
  actions.tau[speed_named(p.plan, "motor")] = 0.5;
  VectorX a = VectorX::Zero(p.plan.nv());
  if (const Status status = forward_dynamics(p.plan, p.work, p.state, actions, a); !status) {
    std::fprintf(stderr, "%s\n", describe(p.plan, status, 0.0).c_str());
    return 1;
  }
  std::printf("inertia at the crank %.6f kg m^2, acceleration %.6f rad/s^2\n", mass(0, 0),
              a[speed_named(p.plan, "motor")]);

  model.run.until = 1.0;
  MemoryRecord record;
  run_simulation(model, record);
  std::printf("after 1 s the crank is at %.5f rad\n", record.at(record.rows() - 1, "q.motor"));
}

// A program outside the repository: only what find_package(lithe) brings. Uses every library that Lithe links.
#include <cmath>
#include <iostream>
#include <lithe/dynamics/forward.hpp>
#include <lithe/io/load_model.hpp>
#include <lithe/io/results.hpp>
#include <lithe/kinematics/motion.hpp>
#include <lithe/simulation/simulate.hpp>
#include <lithe/version.hpp>

int main() {
  const lithe::Model model = lithe::load_model_text(R"(
lithe: 1
gravity: [0, -9.81, 0]
links:
  rod: {rod: {from: [0, 0, 0], to: [0.5, 0, 0], mass: 2}}
joints:
  pivot: {revolute: z, from: ground/origin, to: rod/origin}
)",
                                                    "pendulum.yaml");
  const lithe::Plan plan(model.mechanism, model.plan);
  lithe::Workspace work(plan);
  const lithe::State state{0.0, plan.neutral(), lithe::VectorX::Zero(plan.nv())};
  lithe::VectorX a;
  if (!lithe::forward_dynamics(plan, work, state, lithe::Actions(plan), a)) return 1;
  // A horizontal uniform rod let go at one end: 3 g / (2 length).
  if (std::abs(a[0] + 1.5 * 9.81 / 0.5) > 1e-12) return 2;

  lithe::MemoryRecord record;
  lithe::run_simulation(model, record);
  lithe::hdf5_sink("pendulum.h5");
  std::cout << lithe::version() << '\n';
}

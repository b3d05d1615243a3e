// A controller written in code: PD feedback in place of the feed-forward of a model file, against a push.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <lithe/io/load_model.hpp>
#include <lithe/simulation/simulate.hpp>

namespace {

/// Largest distance of a motor from its law along a run.
double tracking_error(const lithe::Model& model) {
  lithe::MemoryRecord record;
  const lithe::RunOutcome outcome = lithe::run_simulation(model, record);
  if (outcome.ending != lithe::RunOutcome::Ending::complete) throw std::runtime_error(outcome.message);
  double worst = 0.0;
  for (const lithe::Drive& drive : model.drives) {
    for (std::size_t i = 0; i < record.rows(); ++i) {
      const double wanted = drive.follow.at(record.at(i, "t")).value;
      worst = std::max(worst, std::abs(record.at(i, "q." + drive.joint) - wanted));
    }
  }
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "examples";
  lithe::Model model = lithe::load_model(folder + "/khan-3rrr.yaml");
  model.loads[0].force[1] = lithe::ConstantLaw{-20.0};  // N, on the platform; the inverse dynamics knows of it
  model.run.until = 1.0;
  std::printf("with feed-forward: %.1e rad\n", tracking_error(model));

  // Without feed-forward, a PD law of all three motors: q, v and force are in the order of `drives`.
  for (lithe::Drive& drive : model.drives) drive.feed_forward = false;
  const double kp = 2000.0, kd = 110.0;
  lithe::Controller pd;
  for (const lithe::Drive& drive : model.drives) pd.drives.push_back(drive.joint);
  pd.law = [&](double t, std::span<const double> q, std::span<const double> v, std::span<double> force) {
    for (std::size_t i = 0; i < force.size(); ++i) {
      const lithe::Jet wanted = model.drives[i].follow.at(t);
      force[i] = kp * (wanted.value - q[i]) + kd * (wanted.rate - v[i]);
    }
  };
  model.controllers.push_back(pd);
  std::printf("with PD alone:     %.4f rad\n", tracking_error(model));
}

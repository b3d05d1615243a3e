// Motor torques of a parallel robot along its motion laws, and the part of them that carries the weight.

#include <cmath>
#include <cstdio>
#include <lithe/io/load_model.hpp>
#include <lithe/simulation/simulate.hpp>

namespace {

lithe::MemoryRecord torques(const lithe::Model& model) {
  lithe::MemoryRecord record;
  const lithe::RunOutcome outcome = lithe::run_inverse(model, record);
  if (outcome.ending != lithe::RunOutcome::Ending::complete) throw std::runtime_error(outcome.message);
  return record;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = (argc > 1 ? argv[1] : "examples") + std::string("/khan-3rrr.yaml");
  const lithe::MemoryRecord heavy = torques(lithe::load_model(path));
  const lithe::MemoryRecord weightless = torques(lithe::load_model(path, {{"g", "0"}}));
  for (const char* motor : {"motor-1", "motor-2", "motor-3"}) {
    const std::string column = std::string("tau.") + motor;
    std::printf("%s: at most %.4f N m, without gravity %.4f N m\n", motor, largest(heavy.column(column)),
                largest(weightless.column(column)));
  }
}

// A steel strip clamped at one end: modes of the link, of the mechanism, and of beam theory; how far its weight bends
// it.

#include <cmath>
#include <cstdio>
#include <lithe/links/beam.hpp>
#include <lithe/links/make_link.hpp>
#include <lithe/simulation/rest.hpp>
#include <numbers>

using namespace lithe;

int main() {
  const double length = 0.8, height = 0.004, width = 0.02;  // m; it bends along y
  const Material steel{.young = 200e9, .density = 7800, .poisson = 0.3};
  BeamSpec strip;
  strip.axis = {Vec3::Zero(), Vec3(length, 0, 0)};
  strip.stations = {{0.0, rectangle(steel, height, width)}};
  ElasticSpec spec;
  spec.model = beam_model("strip", strip, {});
  LinkChoices choices;  // without `modes`, choose_link_shapes() lets the mechanism choose
  choices.modes = {.choice = {.modes = {.count = 3}}, .is_chosen = true};
  choices.damping = {.ratio = 0.01};
  const LinkData link = make_link("strip", spec, choices);

  Model model;
  model.mechanism.gravity = Vec3(0, -9.81, 0);
  model.mechanism.add_link(link);
  connect(model.mechanism, JointType::fixed, "clamp", "ground", "strip/root");

  ModelAtRest rest(model);
  const NaturalModes modes = rest.modes();
  const double EI = steel.young * width * std::pow(height, 3) / 12, line_mass = steel.density * width * height;
  const double unit = std::sqrt(EI / line_mass) / (length * length) / (2 * std::numbers::pi);
  const double theory[] = {3.516015, 22.034492, 61.697214};  // squares of the roots of 1 + cos x cosh x = 0
  for (int k = 0; k < 3; ++k) {
    std::printf("mode %d: link %.4f Hz, at rest %.4f Hz, beam theory %.4f Hz\n", k + 1,
                link.elastic.frequencies[k] / (2 * std::numbers::pi), modes.frequencies[k], theory[k] * unit);
  }
  const Model twin = static_twin(model);
  ModelAtRest bent(twin);
  const FrameRef tip = frame_named(bent.plan().mechanism(), "strip/tip");
  const Pose pose = frame_pose(bent.plan(), bent.work(), bent.rest().state.q, tip);
  std::printf("tip sinks by %.4f mm, linear theory %.4f mm\n", -1e3 * pose.position.y(),
              1e3 * line_mass * 9.81 * std::pow(length, 4) / (8 * EI));
}

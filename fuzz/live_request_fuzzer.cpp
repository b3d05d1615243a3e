// Any bytes given as the body of a pull on the page of `lithe live` end in a pose with a report, or in an InputError. The HTTP around it is read by
// cpp-httplib.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/live_pose.hpp"
#include "cli/model_options.hpp"
#include "lithe/errors.hpp"
#include "lithe/io/load_model.hpp"

namespace {

const std::string four_bar =
    "lithe: 1\nname: four bar\nlinks:\n"
    "  crank: {rigid: {mass: 1, inertia: [0.1, 0.1, 0.1]}, frames: {tip: [0.2, 0]}}\n"
    "  coupler: {rigid: {mass: 1, inertia: [0.1, 0.1, 0.1]}, frames: {tip: [0.6, 0]}}\n"
    "  rocker: {rigid: {mass: 1, inertia: [0.1, 0.1, 0.1]}, frames: {tip: [0.5, 0]}}\n"
    "ground: {far: [0.7, 0]}\n"
    "joints:\n"
    "  motor: {revolute: z, from: ground, to: crank, actuated: true, stops: {lower: -3, upper: 3}}\n"
    "  knee: {revolute: z, from: crank/tip, to: coupler}\n"
    "  hip: {revolute: z, from: ground/far, to: rocker}\n"
    "  pin: {revolute: z, from: coupler/tip, to: rocker/tip}\n"
    "initial: {motor: 1, knee: -0.5, hip: 1.5}\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto model = std::make_shared<const lithe::Model>(lithe::load_model_text(four_bar, "four-bar.yaml"));
  lithe::cli::LivePose pose(model);
  try {
    pose.pull(nlohmann::json::parse(data, data + size));
    if (pose.report().empty()) std::abort();
  } catch (const lithe::cli::InputError&) {
  } catch (const nlohmann::json::exception&) {
  }
  return 0;
}

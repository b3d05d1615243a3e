#include "lithe/io/control_rules.hpp"

namespace lithe::io {
namespace {

const char* const one_or_each = "One number for all, or one for each output.";

std::vector<MapRules> sensor_sections() {
  return {
      {"sensor",
       "a sensor",
       "What controllers are told of the motion, at sample instants. Its signals are called NAME, or NAME.x, NAME.y "
       "and "
       "NAME.z.",
       {optional_key(
            "encoder", "text",
            "Coordinate of this joint, rad or m; JOINT.k of a joint with several; LINK.e1 of an elastic link."),
        optional_key("tachometer", "text", "Speed of this joint, rad/s or m/s; likewise."),
        optional_key("tracker", "frame", "Position of this LINK/FRAME, m."),
        optional_key("gyro", "frame", "Angular velocity of this LINK/FRAME in its own axes, rad/s."),
        optional_key("accelerometer", "frame",
                     "Acceleration of this LINK/FRAME minus gravity, in its own axes, m/s^2."),
        optional_key("strain-gauge", "text", "Strain of this elastic link along its axis."),
        optional_key(
            "force-torque", "text",
            "What this joint transmits to its to-frame, in the axes of that frame: NAME.force.x and so on (N), "
            "NAME.moment.x and so on (N m)."),
        optional_key("at", "not-negative", "Where a strain gauge sits: distance along the axis of the link, m."),
        optional_key("side", "list of plain",
                     "And where in the cross section: [y, z] in section axes, m; default the axis."),
        optional_key("base", "frame", "Frame of the ground in whose axes a tracker measures; default the ground."),
        optional_key("mirrored", "flag", "Of a mirrored part: it reads what the part itself would."),
        optional_key("sample", "positive",
                     "Period, s; default that of the fastest controller that reads it, else the recording interval."),
        optional_key("delay", "not-negative", "Until a sample can be read, s; default 0."),
        optional_key("noise", "number", "Standard deviation of a sample; default 0."),
        optional_key("bias", "number", "Added to each sample; default 0."),
        optional_key("resolution", "number", "Samples are multiples of it; default exact."),
        optional_key("seed", "count", "Of the noise; default 1.")},
       {"encoder", "tachometer", "tracker", "gyro", "accelerometer", "strain-gauge", "force-torque"}},
  };
}

MapRules model_based_section(const char* name, const char* title, const char* description) {
  return {
      name,
      title,
      description,
      {needed_key("measure", "text | list of text", "Signals of the encoders of all motors it drives."),
       needed_key("rate", "text | list of text", "Signals of their speeds."),
       needed_key("kp", "plain | list of plain", one_or_each), needed_key("kd", "plain | list of plain", one_or_each)},
      {}};
}

std::vector<MapRules> law_sections_of_controllers() {
  return {
      {"pid",
       "a PID law",
       "kp e + ki (sum of e) + kd (rate of e), e = wanted - measured; one for each output.",
       {needed_key("measure", "text | list of text", "Signal that is measured; one for each output."),
        optional_key("follow", "law | list of law",
                     "What is wanted of it; default: the wanted motion of the joint that is measured."),
        optional_key("kp", "plain | list of plain", one_or_each),
        optional_key("ki", "plain | list of plain", one_or_each),
        optional_key("kd", "plain | list of plain", one_or_each),
        optional_key("rate", "text | list of text", "Signal of its rate, in place of differences of e."),
        optional_key("filter", "positive", "Bandwidth of the derivative, Hz; default none.")},
       {}},
      model_based_section(
          "computed-torque", "a computed-torque law",
          "tau = M (w'' + kd (w' - v) + kp (w - q)) + c + g of the rigid links at what is measured; kp in "
          "1/s^2, kd in 1/s."),
      model_based_section("gravity-compensation", "a gravity compensation",
                          "tau = g + kp (w - q) + kd (w' - v), g: weight of the rigid links at what is measured."),
      model_based_section("passivity", "a passivity-based law",
                          "tau = M a + C r + g + kd (r - v), r = w' + kp (w - q), a = w'' + kp (w' - v); kp in 1/s."),
      {"task-law",
       "a law in the space of a path",
       "tau = g + J^T F, F = kp (wanted place - place) + kd (wanted speed - speed) of a frame, by the rigid links at "
       "what is "
       "measured.",
       {needed_key("frame", "frame", "LINK/FRAME, of which a path is wanted under drives."),
        needed_key("measure", "text | list of text", "Signals of the encoders of all motors it drives."),
        needed_key("rate", "text | list of text", "Signals of their speeds."), needed_key("kp", "not-negative", "N/m."),
        needed_key("kd", "not-negative", "N s/m."),
        optional_key("turn-kp", "not-negative", "Of the orientation, N m/rad; default 0."),
        optional_key("turn-kd", "not-negative", "N m s/rad; default 0.")},
       {}},
      {"control-matrices",
       "a linear controller",
       "x <- A x + B u, y = C x + D u at each sample, or x' = A x + B u in continuous time; u are the inputs, y the "
       "forces.",
       {optional_key("A", "list of matrix-row", "States by states."),
        optional_key("B", "list of matrix-row", "States by inputs."),
        optional_key("C", "list of matrix-row", "Outputs by states."),
        optional_key("D", "list of matrix-row", "Outputs by inputs; default zero."),
        optional_key("file", "text",
                     "JSON file with these matrices, relative to the model file, in their place; 'points', a list of "
                     "them with times t, are interpolated; likewise 'axes' and 'points' of a grid."),
        optional_key("schedule", "list of text", "Signals that say where on the grid of the file the machine is.")},
       {}},
      {"control-input",
       "an input",
       "A signal, less what is wanted of it.",
       {needed_key("of", "text", "Signal of a sensor."),
        optional_key("minus", "law", "Law of time that is subtracted."),
        optional_key(
            "wanted", "text",
            "Joint whose wanted motion is subtracted; JOINT.k of a joint with several; LINK.e1 of an elastic link: "
            "as the wanted motion bends it."),
        optional_key("rate", "flag", "The speed of that motion instead; default false."),
        optional_key("expected", "flag",
                     "Less what the sensor would read in the wanted motion, links bent by it; default false.")},
       {}},
      {"control-filter",
       "a filter",
       "Works on every output.",
       {optional_key("notch", "notch", "Takes a vibration out."),
        optional_key("low-pass", "low-pass", "Second order, Butterworth."),
        optional_key("lead-lag", "lead-lag", "gain (1 + s/zero)/(1 + s/pole).")},
       {"notch", "low-pass", "lead-lag"}},
      {"notch",
       "a notch",
       "(s^2 + 2 depth w s + w^2)/(s^2 + 2 width w s + w^2).",
       {needed_key("frequency", "positive", "Hz."),
        optional_key("width", "positive", "Damping ratio that the filter has; default 0.5."),
        optional_key("depth", "not-negative", "Damping ratio of what is taken out; default 0: all of it.")},
       {}},
      {"low-pass", "a low-pass", "-3 dB at its frequency.", {needed_key("frequency", "positive", "Hz.")}, {}},
      {"lead-lag",
       "a lead-lag filter",
       "gain (1 + s/zero)/(1 + s/pole).",
       {needed_key("zero", "positive", "Hz."), needed_key("pole", "positive", "Hz."),
        optional_key("gain", "plain", "For slow signals; default 1.")},
       {}},
  };
}

}  // namespace

std::vector<MapRules> control_sections() {
  std::vector<MapRules> all = sensor_sections();
  all.push_back(
      {"controller",
       "a controller",
       "Acts on motors, at sample instants or all the time, and remembers. The forces of all controllers and drives "
       "add up.",
       {optional_key("sample", "positive", "Period, s; default: it acts in continuous time."),
        optional_key("delay", "not-negative", "From a sample until its forces act, s; default 0."),
        optional_key("from", "plain",
                     "When it is switched on, s; default the start of the run, or when an event starts it."),
        optional_key("until", "plain", "When it is switched off, s; default never."),
        needed_key("drives", "text | list of text",
                   "The joints on whose motors it acts; JOINT.k of a joint with several."),
        optional_key("pid", "pid", "PID law."),
        optional_key("computed-torque", "computed-torque", "By the equations of motion."),
        optional_key("gravity-compensation", "gravity-compensation", "By the weight in the measured pose."),
        optional_key("passivity", "passivity", "By the equations of motion, after Slotine and Li."),
        optional_key("task-pd", "task-law", "Spring and damper between a frame and its place on a path."),
        optional_key("state-space", "control-matrices", "Linear law with states; needs inputs."),
        optional_key("gain", "list of matrix-row", "Forces = - gain times inputs; needs inputs."),
        optional_key("inputs", "list of control-source",
                     "What a linear law is given: signals, or signals less what is wanted."),
        optional_key("state", "list of plain",
                     "What it remembers when it is switched on: the columns control.NAME.state.1 and so on of a run."),
        optional_key("filters", "list of control-filter", "After the law, one after the other."),
        optional_key("limit", "positive | list of positive", "Largest force, N m or N. " + std::string(one_or_each)),
        optional_key("rate-limit", "positive | list of positive",
                     "Largest change of the force per second. " + std::string(one_or_each)),
        optional_key("lag", "not-negative | list of not-negative",
                     "Time constant of amplifier and motor, s; default 0. " + std::string(one_or_each))},
       {"pid", "computed-torque", "gravity-compensation", "passivity", "task-pd", "state-space", "gain"}});
  for (MapRules& rules : law_sections_of_controllers()) all.push_back(std::move(rules));
  return all;
}

std::vector<MapRules> shape_sections() {
  return {
      {"shape",
       "a shape",
       "A wanted motion becomes one after which modes of the mechanism do not vibrate.",
       {needed_key("kind", "word(zv,zvd,zvdd,ei,smooth)",
                   "Input shaper: sums of late copies; smooth: averages over the periods of the modes."),
        optional_key(
            "frequency", "positive | list of positive",
            "Of the modes, Hz; default: of the mechanism at the end of the motion, motors as they are driven."),
        optional_key("damping", "not-negative | list of not-negative",
                     "Ratios of these modes: one number for all, or one for each; default 0."),
        optional_key("modes", "count", "How many modes of the mechanism, the lowest first; default 1."),
        optional_key("band", "positive",
                     "Frequencies may be off by this part: 0.1 is 10 percent. The shortest shaper for that is taken."),
        optional_key("vibration", "positive",
                     "Part of the vibration that may be left in the band, or by ei; default 0.05.")},
       {}},
  };
}

std::vector<NamedType> control_types() {
  return {{"matrix-row", "list of plain", "One row of a matrix."},
          {"control-source", "text | control-input", "A signal of a sensor, or one less what is wanted of it."}};
}

}  // namespace lithe::io

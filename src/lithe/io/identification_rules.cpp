#include "lithe/io/identification_rules.hpp"

namespace lithe::io {

const std::vector<MapRules>& identification_rules() {
  static const std::vector<MapRules> all = {
      {"identification",
       "an identification file",
       "Parameters of models from measured records.",
       {needed_key("lithe", "integer", "Version of the format: 1."), optional_key("name", "text", "In reports."),
        optional_key("description", "text", "For people."),
        needed_key("parameters", "list of name | map of sought-parameter",
                   "What is sought: parameters of the models, or paths of values as --set takes them."),
        needed_key("experiments", "map of experiment", "What was done and recorded."),
        optional_key("confidence", "positive", "Of the intervals; default 0.95."),
        optional_key("widest", "positive",
                     "A parameter whose interval reaches further than so many scales to either side is not determined; "
                     "default 1.")},
       {}},
      {"sought-parameter",
       "a sought parameter",
       "Where the search begins, and where it may go.",
       {optional_key("start", "number", "Default: the value of the first model that has it."),
        optional_key("lower", "number", "Least value; default none."),
        optional_key("upper", "number", "Largest value; default none."),
        optional_key("scale", "number",
                     "A change that matters; default the size of the start, and when that is zero what moves the "
                     "predictions as far as the measurements are large.")},
       {}},
      {"experiment",
       "an experiment",
       "A model, what was different from its file, and the record.",
       {needed_key("model", "text", "Model file, relative to this file."),
        optional_key("settings", "map of text",
                     "Values of parameters, or of keys by their path, as with --set; what they fix is not "
                     "sought in this experiment."),
        needed_key("record", "text", "CSV file with a header line, or result (.h5), relative to this file."),
        optional_key("run", "word(simulate,inverse,kinematics)",
                     "How the model comes to the recorded quantities: motion under drives and loads (default), forces "
                     "along the motion laws, or that motion."),
        optional_key("time", "text", "Column of the times, s; default the first."),
        optional_key("shift", "plain", "Added to the times of the record, s: the run may begin at another zero."),
        optional_key("from", "plain", "Earlier samples are left out, s of the record."),
        optional_key("until", "plain", "Later samples are left out, s of the record."),
        optional_key("columns", "map of measured",
                     "Which columns are measurements, and of what; default: every column that is named like a recorded "
                     "quantity (with a dot), energies left out."),
        optional_key("held-back", "flag", "Not used to find the parameters: predicted with them; default false.")},
       {}},
      {"measured-column",
       "a measured column",
       "Value = offset + factor * quantity + noise.",
       {needed_key("quantity", "text", "Column of a run: pos.arm.tip.y, acc.arm.tip.x, q.motor, tau.motor, ..."),
        optional_key("factor", "text", "Expression of the parameters of the model; default 1."),
        optional_key("offset", "text", "Expression of the parameters of the model; default 0."),
        optional_key("noise", "positive", "Standard deviation of a sample; default: estimated.")},
       {}}};
  return all;
}

}  // namespace lithe::io

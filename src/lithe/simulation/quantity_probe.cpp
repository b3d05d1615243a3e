#include "lithe/simulation/quantity_probe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/laws/suggestion.hpp"
#include "lithe/simulation/event.hpp"

namespace lithe {
namespace detail {
namespace {

bool is_any(const std::string& quantity, std::initializer_list<const char*> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const char* prefix) { return quantity.starts_with(prefix); });
}

/// Records what the quantities need, and no more.
RecordOptions options_for(const Mechanism& mechanism, const std::vector<std::string>& quantities) {
  RecordOptions options;
  options.coordinates = options.energy = false;
  const auto uses_frame = [&](const char* prefix, const std::string& frame) {
    const std::string component = prefix + frame + ".";
    return std::any_of(quantities.begin(), quantities.end(), [&](const std::string& quantity) {
      return quantity.starts_with(component) && quantity.size() == component.size() + 1;
    });
  };
  for (const std::string& quantity : quantities) {
    options.coordinates = options.coordinates || is_any(quantity, {"q.", "v.", "a.", "tau.", "hold."});
    options.energy = options.energy || is_any(quantity, {"energy."});
    options.reactions = options.reactions || is_any(quantity, {"force.", "moment.", "coupling."});
    options.springs = options.springs || is_any(quantity, {"spring."});
    options.momentum = options.momentum || is_any(quantity, {"momentum.", "angular-momentum."});
    options.motors = options.motors || is_any(quantity, {"motor."});
  }
  for (int l = 0; l < static_cast<int>(mechanism.links.size()); ++l)
    for (int f = 0; f < static_cast<int>(mechanism.links[l].frames.size()); ++f) {
      const std::string frame = fmt::format("{}.{}", mechanism.links[l].name, mechanism.links[l].frames[f].name);
      if (uses_frame("pos.", frame) || uses_frame("rot.", frame)) options.frames.push_back({l, f});
      if (uses_frame("vel.", frame) || uses_frame("omega.", frame)) options.velocities.push_back({l, f});
      if (uses_frame("acc.", frame) || uses_frame("alpha.", frame)) options.accelerations.push_back({l, f});
    }
  return options;
}

RecordOptions all_options(const Mechanism& mechanism) {
  RecordOptions options;
  options.reactions = options.springs = options.momentum = options.motors = true;
  for (int l = 0; l < static_cast<int>(mechanism.links.size()); ++l)
    for (int f = 0; f < static_cast<int>(mechanism.links[l].frames.size()); ++f) options.frames.push_back({l, f});
  options.velocities = options.accelerations = options.frames;
  return options;
}

}  // namespace

QuantityProbe::QuantityProbe(const Model& model, const Plan& plan, Workspace& work,
                             const std::vector<std::string>& quantities)
    : model_(std::make_unique<Model>(model)) {
  model_->record = options_for(plan.mechanism(), quantities);
  recorder_ = std::make_unique<Recorder>(*model_, plan, work, RecordedForces::all, row_);
  places_.push_back(0);
  for (const std::string& quantity : quantities) {
    const auto found = std::find(row_.columns.begin(), row_.columns.end(), quantity);
    if (found == row_.columns.end())
      throw MechanismError(quantity, fmt::format("there is no quantity '{}'{}", quantity,
                                                 did_you_mean(quantity, known(model, plan, work))));
    places_.push_back(static_cast<std::size_t>(found - row_.columns.begin()));
  }
  values_.resize(places_.size());
}

std::span<const double> QuantityProbe::values(const State& state, const VectorX& a, const Actions& actions,
                                              const VectorX* held) {
  recorder_->row(state, a, actions, 0.0, 0.0, held);
  for (std::size_t i = 0; i < places_.size(); ++i) values_[i] = row_.last[places_[i]];
  return values_;
}

std::vector<std::string> QuantityProbe::known(const Model& model, const Plan& plan, Workspace& work) {
  Model all = model;
  all.record = all_options(plan.mechanism());
  LastRow row;
  const Recorder recorder(all, plan, work, RecordedForces::all, row);
  // What the quadratures of a run give is not known at a state.
  std::erase_if(row.columns, [](const std::string& column) {
    return column == "t" || column == "closure" || column == "energy.work" || column == "energy.dissipated";
  });
  return row.columns;
}

}  // namespace detail

std::vector<std::string> condition_quantities(const Model& model) {
  const Plan plan(model.mechanism, model.plan);
  Workspace work(plan);
  return detail::QuantityProbe::known(model, plan, work);
}

}  // namespace lithe

#include "lithe/study/study.hpp"

#include <algorithm>
#include <cmath>

namespace lithe {
namespace {

bool is_between(OutputKind kind, OutputKind first, OutputKind last) { return first <= kind && kind <= last; }

template <class Test>
bool any_output(const Study& study, const Test& test) {
  return std::any_of(study.outputs.begin(), study.outputs.end(), [&](const Output& each) { return test(each.kind); });
}

}  // namespace

bool Study::needs_run() const {
  return any_output(*this, [](OutputKind kind) { return is_between(kind, OutputKind::peak, OutputKind::audit); });
}

bool Study::needs_modes() const {
  return any_output(*this,
                    [](OutputKind kind) { return is_between(kind, OutputKind::frequency, OutputKind::damping_ratio); });
}

bool Study::needs_statics() const {
  return any_output(*this,
                    [](OutputKind kind) { return is_between(kind, OutputKind::deflection, OutputKind::holding); });
}

bool Study::needs_map() const {
  return any_output(*this, [](OutputKind kind) { return kind == OutputKind::map; });
}

bool Study::needs_model() const {
  return any_output(*this, [](OutputKind kind) { return kind != OutputKind::expression; });
}

int Study::output_named(const std::string& output) const {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].name == output) return static_cast<int>(i);
  return -1;
}

bool Study::is_feasible(const std::vector<double>& values) const {
  return std::all_of(constraints.begin(), constraints.end(), [&](const Constraint& limit) {
    const double value = values[output_named(limit.output)];
    return !std::isnan(value) && (!limit.least || value >= *limit.least) && (!limit.most || value <= *limit.most);
  });
}

}  // namespace lithe

#include "lithe/io/buckling.hpp"

#include "lithe/analysis/reference_choice.hpp"
#include "lithe/links/modes.hpp"

namespace lithe::io {

void find_buckling_loads(Model& model, const std::vector<ReadLink>& links) {
  struct Known {
    const ElasticModel* model;
    Reference reference;
    double load;
  };
  std::vector<Known> known;  // equal links are computed once
  for (const ReadLink& link : links) {
    const auto at = static_cast<std::size_t>(link.link);
    if (!link.body.model.tension_stiffness) continue;
    const Reference reference = choose_reference(model.mechanism, link.link, link.body.reference).reference;
    const ElasticModel& free = link.body.model;
    const Known* same = nullptr;
    for (const Known& each : known)
      if (each.reference == reference && each.model->stiffness.rows() == free.stiffness.rows() &&
          each.model->stiffness == free.stiffness)
        same = &each;
    const double load =
        same != nullptr ? same->load : buckling_load(with_reference(model.mechanism.links[at].name, free, reference));
    if (same == nullptr) known.push_back({&free, reference, load});
    model.origins[at].buckling_load = load;
  }
}

}  // namespace lithe::io

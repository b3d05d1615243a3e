#include "lithe/analysis/buckling.hpp"

#include "lithe/analysis/reference_choice.hpp"
#include "lithe/links/modes.hpp"

namespace lithe {

void find_buckling_loads(const Mechanism& mechanism, const std::vector<LinkRecipe>& links,
                         std::vector<LinkOrigin>& origins) {
  struct Known {
    const ElasticModel* model;
    Reference reference;
    double load;
  };
  std::vector<Known> known;  // equal links are computed once
  for (const LinkRecipe& link : links) {
    const ElasticModel& free = link.spec.model;
    if (link.spec.finished || free.field->tension_stiffness().size() == 0) continue;
    const Reference reference = choose_reference(mechanism, link.link, link.spec.reference).reference;
    const Known* same = nullptr;
    for (const Known& each : known)
      if (each.reference == reference && each.model->stiffness.rows() == free.stiffness.rows() &&
          each.model->stiffness == free.stiffness)
        same = &each;
    const double load =
        same != nullptr ? same->load : buckling_load(with_reference(mechanism.links[link.link].name, free, reference));
    if (same == nullptr) known.push_back({&free, reference, load});
    origins[link.link].buckling_load = load;
  }
}

}  // namespace lithe

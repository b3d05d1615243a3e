#include "lithe/mechanism/couplings.hpp"

#include <algorithm>
#include <cmath>

namespace lithe::detail {

int node_of_speed(const Compiled& c, int v) {
  const auto& nodes = c.spatial.nodes;
  const auto has = [v](const Node<Spatial>& node) { return v >= node.v && v < node.v + node.nv; };
  return static_cast<int>(std::find_if(nodes.begin(), nodes.end(), has) - nodes.begin());
}

template <class S>
void add_ties(Tables<S>& tables, const std::vector<Tie>& ties) {
  for (const Tie& tie : ties) {
    const int coupling = static_cast<int>(tables.ties.size());
    tables.ties.push_back(tie);
    tables.ties.back().row = static_cast<int>(tables.rows.size());
    tables.rows.push_back({-1, "", coupling});
  }
}

void build_ties(Compiled& c) {
  std::vector<Tie> ties;
  for (const Coupling& coupling : c.mechanism.couplings) {
    Tie tie;
    tie.scale = 0.0;
    for (const Coupling::Term& term : coupling.terms) {
      const JointPlace& place = c.places[term.coordinate.joint];
      const int v = place.v + term.coordinate.coordinate;
      tie.terms.push_back({node_of_speed(c, v), place.q + term.coordinate.coordinate, v, term.factor});
      tie.scale = std::max(tie.scale, std::abs(term.factor) * c.speed_scale[v]);
    }
    for (Tie::Term& term : tie.terms) term.factor /= tie.scale;
    tie.offset = coupling.offset / tie.scale;
    ties.push_back(std::move(tie));
  }
  add_ties(c.spatial, ties);
}

template void add_ties(Tables<Spatial>&, const std::vector<Tie>&);
template void add_ties(Tables<Planar>&, const std::vector<Tie>&);

}  // namespace lithe::detail

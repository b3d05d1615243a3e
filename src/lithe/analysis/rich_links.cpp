#include "lithe/analysis/rich_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/mechanism/mechanism.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

namespace {

constexpr int rich_modes = 16, most_rich_modes = 60;  ///< of a link; more than `rich_modes` only for a high band
constexpr int modes_in_plane = 8;                     ///< of those that stay in the plane of a mechanism
constexpr double out_of_plane = 1e-9;                 ///< share of the motion that is rounding

/// Whether both were built from the same numbers, frames included.
bool are_equal(const RichLink& a, const LinkData& rigid_a, const LinkRecipe& b, const ReferenceChoice& reference,
               const LinkData& rigid_b) {
  if (a.given->spec.kind != b.spec.kind || a.reference.reference != reference.reference ||
      a.reference.loaded != reference.loaded)
    return false;
  const ElasticModel &first = a.given->spec.model, &second = b.spec.model;
  if (first.mass.rows() != second.mass.rows() || first.mass != second.mass || first.stiffness != second.stiffness)
    return false;
  if (a.given->choices.damping != b.choices.damping) return false;
  if (rigid_a.mass != rigid_b.mass || rigid_a.centre != rigid_b.centre || rigid_a.inertia != rigid_b.inertia ||
      rigid_a.frames.size() != rigid_b.frames.size())
    return false;
  return std::equal(
      rigid_a.frames.begin(), rigid_a.frames.end(), rigid_b.frames.begin(), [](const Frame& f, const Frame& g) {
        return f.name == g.name && f.pose.position == g.pose.position && f.pose.rotation == g.pose.rotation;
      });
}

void damp(LinkData& data, const LinkChoices& choices) {
  if (!choices.damping) return;
  Damping damping = *choices.damping;
  if (!damping.ratios.empty()) {
    // One per coordinate that will be kept: which is not known yet, so the lightest stands for all.
    damping.ratio = *std::min_element(damping.ratios.begin(), damping.ratios.end());
    damping.ratios.clear();
  }
  set_damping(data, damping);
}

RichLink rich_link(const std::string& name, const LinkRecipe& link, const ReferenceChoice& reference, double up_to) {
  RichLink rich;
  rich.given = &link;
  rich.reference = reference;
  rich.held = std::make_shared<const ElasticModel>(with_reference(name, link.spec.model, rich.reference.reference));
  const int coordinates = static_cast<int>(rich.held->mass.rows());
  ReductionChoice choice;
  choice.modes.count = std::min(coordinates, link.spec.is_flat ? modes_in_plane : rich_modes);
  if (up_to > 0) {
    choice.modes.count = std::min(coordinates, most_rich_modes);
    const VectorX hertz = link_modes(name, *rich.held, choice.modes).frequencies / (2 * std::numbers::pi);
    const auto below = static_cast<int>((hertz.array() < 3 * up_to).count());
    choice.modes.count = std::min(coordinates, std::max(rich_modes, below));
    if (choice.modes.count == coordinates && hertz[coordinates - 1] < 1.5 * up_to)
      throw LinkChoiceError(name, LinkChoiceError::Choice::modes,
                            fmt::format("up-to {} Hz is beyond what its {} coordinates can follow: they end at {:.4g} "
                                        "Hz; use more elements or a lower band",
                                        up_to, coordinates, hertz[coordinates - 1]));
  }
  rich.modes = choice.modes.count;
  choice.loaded = rich.reference.loaded;
  rich.basis = reduce(name, *rich.held, choice);
  rich.data = reduced_link(name, *rich.held, rich.basis, false);
  damp(rich.data, link.choices);
  return rich;
}

bool is_like(const RichLink& a, const RichLink& b) {
  return a.reference.reference == b.reference.reference && a.reference.loaded == b.reference.loaded &&
         a.modes == b.modes && a.basis.frequencies.size() == b.basis.frequencies.size() &&
         a.basis.frequencies.isApprox(b.basis.frequencies, tolerance::written);
}

/// How much a shape of a link moves out of the plane with this normal (link axes), of all its motion.
double share_out_of_plane(const LinkData& link, const Vec3& normal, Eigen::Index k) {
  const ElasticData& elastic = link.elastic;
  double translation = 0.0, out = 0.0;
  for (std::size_t a = 0; a < 3; ++a) {
    translation += elastic.shape_shape[a][a](k, k);
    for (std::size_t b = 0; b < 3; ++b) out += normal[a] * normal[b] * elastic.shape_shape[a][b](k, k);
  }
  // What is not translation is rotary: out of the plane where the frames do not turn about the normal.
  double turned = 0.0, about_normal = 0.0;
  for (const Frame& frame : link.frames) {
    if (frame.turn.cols() <= k) continue;
    turned += frame.turn.col(k).squaredNorm();
    about_normal += std::pow(normal.dot(frame.turn.col(k)), 2);
  }
  const double whole = elastic.mass(k, k), tilted = turned > 0 ? 1.0 - about_normal / turned : 0.0;
  return (out + tilted * std::max(0.0, whole - translation)) / whole;
}

}  // namespace

std::vector<RichLink> rich_links(const Mechanism& mechanism, const std::vector<LinkRecipe>& links, double up_to) {
  std::vector<RichLink> rich;
  int groups = 0;
  for (const LinkRecipe& link : links) {
    const LinkData& rigid = mechanism.links[link.link];
    ReferenceChoice reference = choose_reference(mechanism, link.link, link.spec.reference);
    if (link.choices.modes && link.choices.modes->reference) {
      reference.reference = *link.choices.modes->reference;
      reference.reason = "the model file says so";
    }
    const auto equal = std::find_if(rich.begin(), rich.end(), [&](const RichLink& other) {
      return are_equal(other, mechanism.links[other.given->link], link, reference, rigid);
    });
    if (equal != rich.end()) {
      RichLink copy = *equal;
      copy.given = &link;
      copy.reference = reference;
      copy.data.name = rigid.name;
      rich.push_back(std::move(copy));
      continue;
    }
    RichLink fresh = rich_link(rigid.name, link, reference, up_to);
    const auto twin =
        std::find_if(rich.begin(), rich.end(), [&](const RichLink& other) { return is_like(other, fresh); });
    fresh.group = twin == rich.end() ? groups++ : twin->group;
    rich.push_back(std::move(fresh));
  }
  return rich;
}

bool keep_to_plane(std::vector<RichLink>& links, const Vec3& normal, const std::vector<Mat3>& turned) {
  // Per link the columns that stay in the plane.
  const auto inside = [&](const RichLink& link, const Vec3& axis, std::vector<Eigen::Index>& columns) {
    columns.clear();
    for (Eigen::Index k = 0; k < link.data.elastic.count(); ++k) {
      const double share = share_out_of_plane(link.data, axis, k);
      if (share > out_of_plane && share < 1 - out_of_plane) return false;
      if (share <= out_of_plane) columns.push_back(k);
    }
    return !columns.empty() && columns.front() < link.modes;
  };
  std::vector<RichLink> flat = links;
  std::vector<Eigen::Index> columns;
  for (std::size_t i = 0; i < links.size(); ++i) {
    RichLink& link = flat[i];
    const Vec3 axis = turned[i].transpose() * normal;
    const std::string name = link.data.name;
    const auto twin =
        std::find_if(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(i), [&](const auto& other) {
          return other.held == link.held &&
                 (turned[&other - links.data()].transpose() * normal).isApprox(axis, tolerance::written);
        });
    if (twin != links.begin() + static_cast<std::ptrdiff_t>(i)) {
      const RichLink& same = flat[twin - links.begin()];
      link.basis = same.basis, link.data = same.data, link.modes = same.modes;
      link.data.name = name;
      continue;
    }
    if (!inside(link, axis, columns)) return false;
    const auto take = [&](Reduction basis, int modes) {
      link.basis = std::move(basis);
      link.modes = modes;
      link.data = reduced_link(name, *link.held, link.basis, false);
      damp(link.data, link.given->choices);
    };
    // Static shapes are what the modes leave, so with fewer modes they are made anew.
    ReductionChoice fewer;
    for (const Eigen::Index k : columns)
      if (k < link.modes) fewer.modes.list.push_back(static_cast<int>(k) + 1);
    if (static_cast<int>(fewer.modes.list.size()) > modes_in_plane) {
      fewer.modes.list.resize(modes_in_plane);
      fewer.loaded = link.reference.loaded;
      take(reduce(name, *link.held, fewer), modes_in_plane);
      if (!inside(link, axis, columns)) return false;
    }
    if (static_cast<int>(columns.size()) == link.data.elastic.count()) continue;
    Reduction basis;
    basis.basis = link.basis.basis(Eigen::all, columns);
    basis.frequencies = link.basis.frequencies(columns);
    for (const Eigen::Index k : columns) basis.names.push_back(link.basis.names[k]);
    const auto modes = std::count_if(columns.begin(), columns.end(), [&](Eigen::Index k) { return k < link.modes; });
    take(std::move(basis), static_cast<int>(modes));
  }
  links = std::move(flat);
  return true;
}

}  // namespace lithe::detail

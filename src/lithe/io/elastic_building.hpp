#pragma once
// From what was said about an elastic link to its LinkData.

#include "lithe/io/elastic_choices.hpp"
#include "lithe/io/elastic_kinds.hpp"
#include "lithe/links/link_origin.hpp"
#include "lithe/links/static_twin.hpp"
#include "lithe/mechanism/mechanism.hpp"

namespace lithe::io {

/// Everything that was said about an elastic link beside its kind.
struct ElasticSayings {
  ModesText modes;
  std::optional<Item> modes_item, damping_item, stiffening_item, rotation_item;
  Damping damping;
  Stiffening stiffening = Stiffening::consistent;
  TipRotation rotation = TipRotation::tangent;
  std::optional<StaticChoice> statics;  ///< where the mechanism acts on the link; nothing while that is not known
};

/// A mistake found while the link is built, with the key to blame.
struct BuildError {
  Item item;
  std::string message;
};

/// Shapes of a link that are decided: the model on its reference, and what is kept of it.
struct DecidedShapes {
  const ElasticModel& held;
  const Reduction& reduction;
  Reference reference;
};

/// A link with these shapes: integrals, stiffening, tip rotation and damping. Throws like build_link().
LinkData finish_link(const std::string& name, const std::string& key, const ElasticBody& body,
                     const ElasticSayings& sayings, const DecidedShapes& shapes, LinkOrigin& origin, Item& blamed);

/// The rigid twin of a link whose shapes wait for the mechanism: mass, frames, axis.
LinkData rigid_link(const std::string& name, const ElasticBody& body);

/// From what a kind has read under `key` to a link. Throws BuildError, or MechanismError for a mistake in `blamed`.
LinkData build_link(const std::string& name, const std::string& key, const ElasticBody& body,
                    const ElasticSayings& sayings, LinkOrigin& origin, Item& blamed);

/// Where the mechanism acts on one of its links: the lines of its line loads and, of a link with very many frames (the
/// nodes of a truss), those that are used.
StaticChoice static_choice(const Mechanism& mechanism, int link);

/// Up to so many frames of a link get static shapes without asking which are used.
constexpr std::size_t most_static_frames = 8;

}  // namespace lithe::io

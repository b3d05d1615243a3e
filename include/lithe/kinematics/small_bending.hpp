#pragma once
// Elastic links bend a little: their theory is linear in the link's own frame (with the foreshortening that belongs to
// it). This measures how far a motion leaves that ground.

#include <string>
#include <vector>

#include "lithe/mechanism/plan.hpp"

namespace lithe {

/// Beyond the first a result is inexact, beyond the second it is not to be trusted.
inline constexpr double bending_of_note = 0.1, bending_beyond_trust = 0.5;

/// How far one elastic link is bent, in its own frame.
struct LinkBending {
  int link = 0;             ///< of the mechanism
  double deflection = 0.0;  ///< largest displacement of its axis (frames and outline, without one), part of its length
  double slope = 0.0;       ///< largest turn of its axis (of its frames, without one), rad
  double t = 0.0;           ///< time at which that was, s
  /// Into how many pieces the link would have to be split for each to stay below `bending_of_note`. Zero: that would
  /// not help, for it is stretched and not bent.
  int pieces = 1;
  double measure() const { return deflection > slope ? deflection : slope; }
};

/// Watches the elastic links of a motion.
class BendingWatch {
 public:
  explicit BendingWatch(const Plan& plan);

  /// Takes a configuration into account. No allocation.
  void look(const VectorX& q, double t);

  /// The worst of each elastic link so far, in the order of the links.
  std::vector<LinkBending> worst() const;

 private:
  /// The rows of one link, per elastic coordinate.
  struct Gauge {
    ElasticPlace place;
    double length = 0.0;
    std::vector<double> at;                ///< along the axis, part of the length
    std::vector<Eigen::Matrix3Xd> shapes;  ///< displacement
    std::vector<Eigen::Matrix3Xd> slopes;  ///< turns; on an axis one for each shape, in two rows
    std::vector<Vec3> along;               ///< direction of the axis there
    VectorX most;                          ///< largest entry of all of them
  };

  static Gauge gauge_of(const LinkData& link, const ElasticPlace& place);
  static void measure(const Gauge& gauge, const Eigen::Ref<const VectorX>& eta, LinkBending& bending);
  static int pieces_needed(const Gauge& gauge, const Eigen::Ref<const VectorX>& eta, const LinkBending& bending);

  std::vector<Gauge> gauges_;
  std::vector<LinkBending> worst_;
  std::vector<VectorX> worst_eta_;  ///< elastic coordinates there
};

/// The bending of each elastic link at one configuration.
std::vector<LinkBending> bending_of(const Plan& plan, const VectorX& q);

/// One sentence with the remedy: "link 'arm' bends by 0.23 of its length ...", `timed` with its time. Empty below
/// `bending_of_note`.
std::string describe(const Plan& plan, const LinkBending& bending, bool timed = false);

/// The worst piece of each link of the file: the pieces of a segmented beam (NAME.1, NAME.2, ...) count as one link.
std::vector<LinkBending> worst_pieces(const Plan& plan, const std::vector<LinkBending>& bending);

}  // namespace lithe

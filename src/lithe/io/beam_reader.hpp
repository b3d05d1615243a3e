#pragma once
// What beams of every kind say with the same keys: axis, cross sections, ways of deforming, lumps, frames.

#include "lithe/io/cross_sections.hpp"
#include "lithe/io/elastic_kinds.hpp"
#include "lithe/links/straight_beam.hpp"

namespace lithe::io {

/// Keys that all kinds have; the sections below them belong to beam_kind().
std::vector<KeyRule> beam_keys();
/// Of those that choose their ways of deforming and their theory.
std::vector<KeyRule> way_keys();

/// The axis as a line on which distances are measured.
struct AxisLine {
  std::vector<Vec3> corners;

  double length() const;
  /// Distance along the axis of its point nearest to `place`, and that point.
  std::pair<double, Vec3> nearest(const Vec3& place) const;
};

/// Fills a BeamSpec, step by step; every step complains about what is wrong. The steps are in the order in which they
/// are to be called; a kind may leave some out or set values itself.
class BeamReader {
 public:
  BeamReader(const ElasticSource& source, const Object& beam);

  void read_axis();           ///< `length` or `axis`; `section-y`
  void read_straight_axis();  ///< in its place: `length` and `direction`; `section-y`
  void read_sections();       ///< a cross section or `stations`; `mass`
  /// `bending`, `torsion`, `stretching`: which ways of deforming are part of the model. By default those whose
  /// stiffness is given; of a shape, both bendings and torsion, and stretching where `all` are worth having because an
  /// automatic choice keeps only what matters.
  void read_ways(bool all);
  void check_ways();                          ///< that every section has the stiffness they need
  void read_theory(bool knows_shear = true);  ///< `theory`
  void read_masses();
  void read_frames();
  /// Stations of one shape and material vary in their dimensions, all others in their stiffnesses.
  void spread_stations();

  BeamSpec& spec() { return spec_; }
  /// Ways to deform that are known and not ruled out, whether they are part of the spec or not.
  const BeamWays& known_ways() const { return known_ways_; }
  /// The same, of a straight beam.
  StraightBeam straight() const;

  bool good() const { return good_; }
  void complain(const Item& item, const std::string& message);
  void complain_key(const Item& item, const std::string& message);
  /// Remembers that something could not be read.
  void require(bool good) { good_ = good_ && good; }

 private:
  struct Station {
    double at;
    SectionText text;
    Item item;
  };

  void read_section_y();
  void read_mass(SectionText& text);
  std::optional<double> distance(const Item& item);
  Section kept(Section section) const;

  const ElasticSource& source_;
  Reader& reader_;
  const Object& beam_;
  bool good_;
  BeamSpec spec_;
  BeamWays known_ways_;
  AxisLine line_;
  std::vector<Station> sections_;
  bool keeps_shear_ = false, keeps_rotary_ = false;
};

}  // namespace lithe::io

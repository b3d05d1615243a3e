#include "lithe/io/beam_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/io/places.hpp"

namespace lithe::io {

namespace {

/// Between two stations of one shape the dimensions vary linearly; this many steps put that into stiffnesses.
constexpr int taper_steps = 100;

/// A planar model states one moment only; that is the moment of a flat body, whose other two add up to it.
Mat3 completed(const Mat3& inertia) {
  const Vec3 moments = inertia.diagonal();
  int normal = 0;
  const double largest = moments.maxCoeff(&normal);
  if (!(largest > 0) || inertia.cwiseAbs().sum() != largest) return inertia;
  Vec3 flat = Vec3::Constant(largest / 2);
  flat[normal] = largest;
  return flat.asDiagonal();
}

}  // namespace

std::vector<KeyRule> beam_keys() {
  std::vector<KeyRule> keys{
      optional_key("section-y", "axis", "Direction of the section's y axis; default y of the link."),
      optional_key("mass", "not-negative", "Of the beam without `masses`, kg; or mass-per-length."),
      optional_key("stations", "list of station", "Cross sections along the axis, for a stepped or tapered beam."),
      optional_key("masses", "list of beam-mass", "Rigid lumps on the beam."),
  };
  for (const KeyRule& key : cross_section_keys()) keys.push_back(key);
  return keys;
}

std::vector<KeyRule> way_keys() {
  return {
      optional_key("bending", "word(y,z,both,none)", "Directions in which the beam deflects."),
      optional_key("torsion", "flag", "Whether it twists."),
      optional_key("stretching", "flag", "Whether it stretches."),
      optional_key("theory", "word(euler-bernoulli,rayleigh,timoshenko)",
                   "Rigid in shear; the same with rotary inertia; with shear and rotary inertia."),
  };
}

double AxisLine::length() const {
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) sum += (corners[i + 1] - corners[i]).norm();
  return sum;
}

std::pair<double, Vec3> AxisLine::nearest(const Vec3& place) const {
  std::pair<double, Vec3> best{0.0, corners.front()};
  double before = 0.0;
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    const Vec3 way = corners[i + 1] - corners[i];
    const double fraction = std::clamp(way.dot(place - corners[i]) / way.squaredNorm(), 0.0, 1.0);
    const Vec3 point = corners[i] + fraction * way;
    if ((point - place).norm() < (best.second - place).norm()) best = {before + fraction * way.norm(), point};
    before += way.norm();
  }
  return best;
}

BeamReader::BeamReader(const ElasticSource& source, const Object& beam)
    : source_(source), reader_(source.reader), beam_(beam), good_(!beam.incomplete) {}

void BeamReader::complain(const Item& item, const std::string& message) {
  reader_.complain(item, message);
  good_ = false;
}

void BeamReader::complain_key(const Item& item, const std::string& message) {
  reader_.complain_key(item, message);
  good_ = false;
}

void BeamReader::read_axis() {
  if (const auto length = beam_.get("length")) {
    const auto value = reader_.number(*length);
    good_ = good_ && value;
    spec_.axis = {Vec3::Zero(), Vec3(value.value_or(1.0), 0, 0)};
  } else if (const auto axis = beam_.get("axis")) {
    const auto corners = reader_.list(*axis, 2);
    good_ = good_ && corners;
    if (!corners) return;
    spec_.axis.clear();
    for (const Item& corner : *corners) {
      const auto point = reader_.point(corner);
      good_ = good_ && point;
      if (point && spec_.axis.empty() && !point->isZero())
        complain(corner, "the axis of a beam starts at the link origin, [0, 0, 0]");
      if (point && !spec_.axis.empty() && *point == spec_.axis.back())
        complain(corner, "this corner of the axis is the same as the one before");
      spec_.axis.push_back(point.value_or(Vec3::Zero()));
    }
  }
  line_.corners = spec_.axis;
  read_section_y();
}

void BeamReader::read_straight_axis() {
  const auto length = beam_.get("length"), direction = beam_.get("direction");
  const auto value = length ? reader_.number(*length) : std::nullopt;
  const auto way = direction ? reader_.axis(*direction) : Vec3(Vec3::UnitX());
  good_ = good_ && value && way;
  spec_.axis = {Vec3::Zero(), value.value_or(1.0) * way.value_or(Vec3::UnitX()).normalized()};
  line_.corners = spec_.axis;
  read_section_y();
}

void BeamReader::read_section_y() {
  const auto direction = beam_.get("section-y");
  if (!direction) return;
  const auto axis = reader_.axis(*direction);
  good_ = good_ && axis;
  spec_.section_y = axis.value_or(Vec3::UnitY());
}

void BeamReader::read_sections() {
  const auto stations = beam_.get("stations");
  if (!stations) {
    auto text = read_cross_section(beam_, std::nullopt, source_.materials, reader_);
    good_ = good_ && text;
    if (text) read_mass(*text);
    if (text) sections_.push_back({0.0, *text, beam_.item()});
    return;
  }
  for (const KeyRule& key : cross_section_keys())
    if (const auto item = beam_.get(key.name); item && key.name != "material")
      complain_key(*item, "the stations give the cross sections; this belongs into them");
  if (const auto mass = beam_.get("mass"))
    complain_key(*mass, "the stations give the mass along the beam; use 'mass-per-length' in them");
  const auto list = reader_.list(*stations, 1);
  good_ = good_ && list;
  for (const Item& item : list.value_or(std::vector<Item>{})) {
    const auto station = reader_.object(item, "station");
    good_ = good_ && station;
    if (!station) continue;
    const auto at_item = station->get("at");
    const double at = at_item ? distance(*at_item).value_or(0.0) : 0.0;
    const auto text = read_cross_section(*station, beam_.get("material"), source_.materials, reader_);
    good_ = good_ && at_item && text;
    if (!good_) continue;
    if (!sections_.empty() && at < sections_.back().at)
      complain(*at_item, fmt::format("stations go along the beam; this one stands before the last, at {} m",
                                     sections_.back().at));
    sections_.push_back({at, *text, item});
  }
}

void BeamReader::read_mass(SectionText& text) {
  const auto mass = beam_.get("mass");
  if (mass && text.has_mass)
    complain_key(*mass,
                 text.shape ? "the material gives the mass; drop 'mass'" : "give either mass or mass-per-length");
  if (!mass && !text.has_mass && good_)
    complain_key(beam_.item(), "a beam needs 'mass' or 'mass-per-length', or 'material' and 'section'");
  if (!mass) return;
  const auto value = reader_.number(*mass);
  good_ = good_ && value;
  text.section.mass_per_length = value.value_or(0.0) / line_.length();
  text.has_mass = true;
}

void BeamReader::read_ways(bool all) {
  if (sections_.empty()) return;
  const SectionText& first = sections_.front().text;
  spec_.bends_along_y = first.has_EI || first.has_EI_y;
  spec_.bends_along_z = first.has_EI_z;
  spec_.twists = first.has_GJ;
  spec_.stretches = first.has_EA && (!first.shape || all);
  if (const auto bending = beam_.get("bending")) {
    const auto word = reader_.word(*bending);
    good_ = good_ && word;
    spec_.bends_along_y = word == "y" || word == "both";
    spec_.bends_along_z = word == "z" || word == "both";
  }
  Numbers flags(beam_, reader_);
  spec_.twists = flags.flag("torsion", spec_.twists);
  spec_.stretches = flags.flag("stretching", spec_.stretches);
  good_ = good_ && flags.good();
  // What is known beyond that and was not ruled out belongs to the finite elements that statics uses.
  const auto all_have = [&](auto&& has) {
    return std::all_of(sections_.begin(), sections_.end(), [&](const Station& station) { return has(station.text); });
  };
  known_ways_.bends_along_y =
      !beam_.has("bending") && all_have([](const SectionText& text) { return text.has_EI || text.has_EI_y; });
  known_ways_.bends_along_z = !beam_.has("bending") && all_have([](const SectionText& text) { return text.has_EI_z; });
  known_ways_.twists =
      !beam_.has("torsion") && all_have([](const SectionText& text) { return text.has_GJ && text.section.polar > 0; });
  known_ways_.stretches = !beam_.has("stretching") && all_have([](const SectionText& text) { return text.has_EA; });
}

void BeamReader::check_ways() {
  for (const Station& station : sections_) {
    const SectionText& text = station.text;
    const auto need = [&](bool wanted, bool has, const char* what, const char* key) {
      if (wanted && !has) complain_key(station.item, fmt::format("{} needs {}", what, key));
    };
    need(spec_.bends_along_y, text.has_EI || text.has_EI_y, "bending along y", "'EI' or 'EI_y'");
    need(spec_.bends_along_z, text.has_EI || text.has_EI_z, "bending along z", "'EI' or 'EI_z'");
    need(spec_.twists, text.has_GJ, "torsion", "'GJ'");
    need(spec_.stretches, text.has_EA, "stretching", "'EA'");
    need(spec_.twists, text.section.polar > 0, "torsion", "mass that resists it: 'polar-inertia'");
    if (beam_.has("stations")) need(true, text.has_mass, "a station", "'mass-per-length', or 'material' and 'section'");
  }
  const bool deforms = spec_.bends_along_y || spec_.bends_along_z || spec_.twists || spec_.stretches;
  if (!deforms && good_)
    complain_key(beam_.item(),
                 "the beam has no way to deform; give 'EI' (or 'material' and 'section'), or make the "
                 "link rigid");
}

void BeamReader::read_theory(bool knows_shear) {
  if (sections_.empty()) return;
  const SectionText& first = sections_.front().text;
  if (!knows_shear && first.has_shear && !first.shape)
    complain_key(beam_.item(), "these shapes are rigid in shear; drop the shear stiffness, or use 'bezier' or 'beam'");
  std::string theory = knows_shear && first.has_shear ? "timoshenko"
                       : first.has_rotary             ? "rayleigh"
                                                      : "euler-bernoulli";
  if (const auto item = beam_.get("theory")) {
    const auto word = reader_.word(*item);
    good_ = good_ && word;
    theory = word.value_or(theory);
    if (theory == "timoshenko" && !first.has_shear)
      complain(*item, "Timoshenko's theory needs the shear stiffness: 'kGA', or 'material' and 'section'");
    if (theory != "timoshenko" && first.has_shear && !first.shape)
      complain(*item, "a shear stiffness is given, which only Timoshenko's theory uses; drop it or say 'timoshenko'");
    if (theory == "euler-bernoulli" && first.has_rotary && !first.shape)
      complain(*item, "a rotary inertia is given, which Euler-Bernoulli leaves out; drop it or say 'rayleigh'");
  }
  keeps_shear_ = theory == "timoshenko";
  keeps_rotary_ = theory != "euler-bernoulli";
}

std::optional<double> BeamReader::distance(const Item& item) {
  if (item.node->kind == Node::Kind::scalar && item.node->text == "root") return 0.0;
  if (item.node->kind == Node::Kind::scalar && item.node->text == "tip") return line_.length();
  const auto value = reader_.number(item);
  good_ = good_ && value;
  if (value && *value > line_.length() * (1 + 1e-12)) {
    complain(item, fmt::format("this is {} m along the beam, but the beam is {} m long", *value, line_.length()));
    return std::nullopt;
  }
  return value;
}

void BeamReader::read_masses() {
  const auto masses = beam_.get("masses");
  const auto list = masses ? reader_.list(*masses) : std::vector<Item>{};
  good_ = good_ && list;
  for (const Item& item : list.value_or(std::vector<Item>{})) {
    const auto object = reader_.object(item, "beam-mass");
    good_ = good_ && object && !object->incomplete;
    if (!object) continue;
    BeamMass lump;
    Numbers numbers(*object, reader_);
    lump.mass = numbers.get("mass", 0.0);
    good_ = good_ && numbers.good();
    if (const auto at = object->get("at")) lump.at = distance(*at).value_or(0.0);
    if (const auto offset = object->get("offset")) {
      const auto point = reader_.point(*offset);
      good_ = good_ && point;
      lump.offset = point.value_or(Vec3::Zero());
    }
    if (const auto inertia = object->get("inertia")) {
      const auto matrix = read_inertia(*inertia, reader_);
      good_ = good_ && matrix;
      lump.inertia = completed(matrix.value_or(Mat3::Zero()));
    }
    spec_.masses.push_back(lump);
  }
}

void BeamReader::read_frames() {
  for (const NamedItem& named : source_.frames) {
    BeamFrame frame;
    frame.name = named.name;
    const Item& item = named.item;
    const auto put_at = [&](const std::optional<Vec3>& place) {
      good_ = good_ && place;
      if (!place) return;
      const auto [along, foot] = line_.nearest(*place);
      frame.at = along;
      frame.offset.position = *place - foot;
    };
    if (item.node->kind == Node::Kind::list) {
      put_at(reader_.point(item));
    } else if (item.node->kind == Node::Kind::map) {
      const auto object = reader_.object(item, "beam-frame");
      good_ = good_ && object && !object->incomplete;
      if (!object) continue;
      const auto along = object->get("along"), offset = object->get("offset"), at = object->get("at");
      if (along) frame.at = distance(*along).value_or(0.0);
      if (at) put_at(reader_.point(*at));
      if (offset && at) complain_key(*offset, "'at' says where the frame is; 'offset' goes with 'along'");
      if (offset && !at) {
        const auto point = reader_.point(*offset);
        good_ = good_ && point;
        frame.offset.position = point.value_or(Vec3::Zero());
      }
      frame.offset.rotation = read_rotation(*object, reader_);
    } else {
      frame.at = distance(item).value_or(0.0);
    }
    spec_.frames.push_back(frame);
  }
}

Section BeamReader::kept(Section section) const {
  if (!keeps_shear_) section.shear_y = section.shear_z = 0.0;
  if (!keeps_rotary_) section.rotary_y = section.rotary_z = 0.0;
  return section;
}

void BeamReader::spread_stations() {
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    spec_.stations.push_back({sections_[i].at, kept(sections_[i].text.section)});
    if (i + 1 == sections_.size()) break;
    const auto &a = sections_[i].text.shape, &b = sections_[i + 1].text.shape;
    const double step = (sections_[i + 1].at - sections_[i].at) / taper_steps;
    if (!a || !b || a->kind != b->kind || !(step > 0) || a->material.young != b->material.young ||
        a->material.density != b->material.density || a->material.poisson != b->material.poisson)
      continue;
    for (int k = 1; k < taper_steps; ++k) {
      SectionShape between = *a;
      for (std::size_t d = 0; d < between.dimensions.size(); ++d)
        between.dimensions[d] += (b->dimensions[d] - a->dimensions[d]) * k / taper_steps;
      spec_.stations.push_back({sections_[i].at + k * step, kept(between.section())});
    }
  }
}

StraightBeam BeamReader::straight() const {
  return {line_.length(), spec_.axis.back(), spec_.section_y, spec_.stations, spec_.masses, spec_.frames};
}

}  // namespace lithe::io

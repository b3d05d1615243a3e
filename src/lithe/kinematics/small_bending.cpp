#include "lithe/kinematics/small_bending.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/spatial/tolerances.hpp"

namespace lithe {
namespace {

constexpr double inside = 1e-9;  ///< of the length: the axis is asked inside its smooth pieces
constexpr int most_pieces = 200;
constexpr double runaway = 20.0;  ///< of the measure: nothing that hangs or swings bends that far

/// Largest distance between places of a link.
double extent(const LinkData& link) {
  std::vector<Vec3> places;
  for (const Frame& frame : link.frames) places.push_back(frame.pose.position);
  for (const Outline::Point& point : link.outline.points) places.push_back(point.position);
  double largest = 0.0;
  for (const Vec3& a : places)
    for (const Vec3& b : places) largest = std::max(largest, (a - b).norm());
  return largest;
}

/// Pieces of a segmented beam are called NAME.1, NAME.2, ...: the name of the whole and how many there are.
std::pair<std::string, int> whole_of(const Mechanism& mechanism, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {name, 1};
  const std::string head = name.substr(0, dot + 1);
  const auto is_piece = [&](const LinkData& link) { return link.name.starts_with(head); };
  const auto count = std::count_if(mechanism.links.begin(), mechanism.links.end(), is_piece);
  return {name.substr(0, dot), static_cast<int>(count)};
}

bool has_axis(const LinkData& link) { return link.axis.length > 0.0; }

bool is_straight(const Axis& axis) {
  const Vec3 start = axis.at(inside * axis.length).along, end = axis.at((1.0 - inside) * axis.length).along;
  return start.dot(end) > 1.0 - detail::tolerance::written;
}

}  // namespace

BendingWatch::BendingWatch(const Plan& plan) {
  const std::vector<LinkData>& links = plan.mechanism().links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (plan.elastic_places()[i].count == 0) continue;
    gauges_.push_back(gauge_of(links[i], plan.elastic_places()[i]));
    worst_.push_back({static_cast<int>(i), 0.0, 0.0, 0.0, 1});
    worst_eta_.push_back(VectorX::Zero(plan.elastic_places()[i].count));
  }
}

BendingWatch::Gauge BendingWatch::gauge_of(const LinkData& link, const ElasticPlace& place) {
  Gauge gauge;
  gauge.place = place;
  gauge.length = has_axis(link) ? link.axis.length : extent(link);
  if (!(gauge.length > 0.0)) gauge.length = 1.0;  // a point: nothing but its turn can be judged
  if (has_axis(link)) {
    // Ends and middles of the smooth pieces.
    std::vector<double> places;
    for (std::size_t k = 0; k + 1 < link.axis.ends.size(); ++k) {
      const double from = link.axis.ends[k], to = link.axis.ends[k + 1], edge = inside * (to - from);
      places.insert(places.end(), {from + edge, 0.5 * (from + to), to - edge});
    }
    for (const double s : places) {
      Axis::Point point = link.axis.at(s);
      gauge.at.push_back(s / link.axis.length);
      gauge.shapes.push_back(std::move(point.shape));
      gauge.slopes.emplace_back(Eigen::Matrix3Xd::Zero(3, place.count));
      gauge.slopes.back().topRows<2>() = point.slopes;
      gauge.along.push_back(point.along);
    }
  } else {
    for (const Frame& frame : link.frames) {
      if (frame.shape.cols() == place.count) gauge.shapes.push_back(frame.shape);
      if (frame.turn.cols() == place.count) gauge.slopes.emplace_back(frame.turn);
    }
    for (const Outline::Point& point : link.outline.points)
      if (point.shape.cols() == place.count) gauge.shapes.push_back(point.shape);
  }
  gauge.most = VectorX::Zero(place.count);
  for (const auto& shape : gauge.shapes)
    gauge.most = gauge.most.cwiseMax(shape.colwise().norm().transpose() / gauge.length);
  for (const auto& slope : gauge.slopes) gauge.most = gauge.most.cwiseMax(slope.colwise().norm().transpose());
  return gauge;
}

void BendingWatch::look(const VectorX& q, double t) {
  for (std::size_t i = 0; i < gauges_.size(); ++i) {
    const Gauge& gauge = gauges_[i];
    const auto eta = q.segment(gauge.place.q, gauge.place.count);
    // Most configurations are nowhere near the worst one: a bound tells that without the rows.
    if (gauge.most.dot(eta.cwiseAbs()) <= worst_[i].measure()) continue;
    LinkBending now = worst_[i];
    measure(gauge, eta, now);
    if (now.measure() <= worst_[i].measure()) continue;
    now.t = t;
    worst_[i] = now;
    worst_eta_[i] = eta;
  }
}

std::vector<LinkBending> BendingWatch::worst() const {
  std::vector<LinkBending> all = worst_;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].measure() > bending_of_note) all[i].pieces = pieces_needed(gauges_[i], worst_eta_[i], all[i]);
  return all;
}

void BendingWatch::measure(const Gauge& gauge, const Eigen::Ref<const VectorX>& eta, LinkBending& bending) {
  bending.deflection = bending.slope = 0.0;
  for (const auto& shape : gauge.shapes)
    bending.deflection = std::max(bending.deflection, (shape * eta).norm() / gauge.length);
  for (const auto& slope : gauge.slopes) bending.slope = std::max(bending.slope, (slope * eta).norm());
  if (!eta.allFinite()) bending.deflection = bending.slope = std::numeric_limits<double>::infinity();
}

// The slope that a piece has by itself is the change along it. A link that bends far turns by less than the linear
// theory says, by the angle whose tangent the slope is, and most of it where the moment is largest: the curvature of an
// elastica grows with the square root of the load, so the change along a piece shrinks by the root of what the whole
// does.
int BendingWatch::pieces_needed(const Gauge& gauge, const Eigen::Ref<const VectorX>& eta, const LinkBending& bending) {
  const double angle = std::isfinite(bending.slope) ? std::atan(bending.slope) : 1.6;
  if (gauge.at.empty() || !std::isfinite(bending.slope))
    return static_cast<int>(std::ceil(std::max(angle, std::atan(bending.deflection)) / bending_of_note));
  double stretch = 0.0;
  for (std::size_t k = 0; k < gauge.at.size(); ++k)
    stretch = std::max(stretch, std::abs(gauge.along[k].dot(gauge.shapes[k] * eta)) / gauge.length);
  if (stretch > bending_of_note && bending.slope < bending_of_note) return 0;
  const double share = bending.slope > 0.0 ? std::sqrt(angle / bending.slope) : 1.0;
  std::vector<Vec3> slopes;
  for (const auto& rows : gauge.slopes) slopes.emplace_back(share * (rows * eta));
  const auto slope_at = [&](double place) -> Vec3 {
    const auto next = std::lower_bound(gauge.at.begin(), gauge.at.end(), place);
    const auto k = std::clamp<std::ptrdiff_t>(next - gauge.at.begin(), 1, std::ssize(gauge.at) - 1);
    const double from = gauge.at[k - 1], to = gauge.at[k];
    const double part = to > from ? std::clamp((place - from) / (to - from), 0.0, 1.0) : 1.0;
    return (1.0 - part) * slopes[k - 1] + part * slopes[k];
  };
  for (int n = 2; n < most_pieces; ++n) {
    double largest = 0.0;
    for (int piece = 0; piece < n; ++piece)
      largest = std::max(largest, (slope_at((piece + 1.0) / n) - slope_at(static_cast<double>(piece) / n)).norm());
    if (largest < bending_of_note) return n;
  }
  return most_pieces;
}

std::vector<LinkBending> bending_of(const Plan& plan, const VectorX& q) {
  BendingWatch watch(plan);
  watch.look(q, 0.0);
  return watch.worst();
}

std::vector<LinkBending> worst_pieces(const Plan& plan, const std::vector<LinkBending>& bending) {
  std::vector<LinkBending> worst;
  std::string last;
  for (const LinkBending& each : bending) {
    const std::string name = whole_of(plan.mechanism(), plan.mechanism().links[each.link].name).first;
    if (worst.empty() || name != last)
      worst.push_back(each);
    else if (each.measure() > worst.back().measure())
      worst.back() = each;
    last = name;
  }
  return worst;
}

std::string describe(const Plan& plan, const LinkBending& bending, bool timed) {
  if (!(bending.measure() > bending_of_note)) return {};
  const LinkData& link = plan.mechanism().links[bending.link];
  const auto [name, pieces] = whole_of(plan.mechanism(), link.name);
  const std::string where =
      pieces == 1 ? fmt::format("link '{}'", name)
                  : fmt::format("a piece of link '{}' ({} of {})", name, link.name.substr(name.size() + 1), pieces);
  std::string remedy;
  if (bending.measure() > runaway) {
    remedy = "it has run away, which no number of segments mends: look at loads, stiffness, units and stiffening";
  } else if (bending.pieces == 0) {
    remedy = "it is stretched rather than bent: look at its stiffness (EA) and at the loads";
  } else if (has_axis(link) && is_straight(link.axis)) {
    remedy = fmt::format("split it into pieces that each bend a little, segments: {}", pieces * bending.pieces);
  } else {
    remedy = fmt::format("split it into {} links that each bend a little", pieces * bending.pieces);
  }
  const bool trusted = bending.measure() <= bending_beyond_trust;
  return fmt::format("{} bends by {:.2g} of its length with slopes up to {:.2g} rad{}: {}; {}", where,
                     bending.deflection, bending.slope,
                     timed ? fmt::format(" at t = {:.6g} s", bending.t) : std::string(),
                     trusted ? "beyond a tenth the theory of small bending is inexact"
                             : "beyond one half the theory of small bending means nothing",
                     remedy);
}

}  // namespace lithe

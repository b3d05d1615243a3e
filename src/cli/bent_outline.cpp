#include "bent_outline.hpp"

#include <algorithm>

#include "figure_view.hpp"

namespace lithe::cli {
namespace {

constexpr std::size_t most_points = 10;  ///< of a chain: more make no rounder curve in a small drawing

/// The two frames with joints that lie farthest apart; the same twice where there is one.
std::pair<int, int> held_ends(const Mechanism& mechanism, int index) {
  const LinkData& link = mechanism.links[index];
  std::vector<int> held;
  for (const Joint& joint : mechanism.joints) {
    for (const FrameRef& end : {joint.from, joint.to})
      if (end.link == index) held.push_back(end.frame);
  }
  std::pair<int, int> ends{held.empty() ? 0 : held[0], held.empty() ? 0 : held[0]};
  const auto apart = [&](int a, int b) { return (link.frames[a].pose.position - link.frames[b].pose.position).norm(); };
  for (const int a : held) {
    for (const int b : held)
      if (apart(a, b) > apart(ends.first, ends.second)) ends = {a, b};
  }
  return ends;
}

}  // namespace

BentOutline::BentOutline(const Mechanism& mechanism, int index, const MemoryRecord& record)
    : link_(mechanism.links[index]) {
  const int count = link_.elastic.count();
  const auto& lines = link_.outline.lines;
  const auto& names = record.columns();
  const auto has = [&](const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (count == 0 || lines.empty()) return;
  for (int k = 1; k <= count; ++k) {
    const std::string column = "q." + link_.name + ".e" + std::to_string(k);
    if (!has(column)) return;
    amplitudes_.push_back(record.column(column));
  }
  poses_ = recorded_poses(link_.name, record);
  std::vector<int> drawn;
  for (std::size_t k = 1; k < lines.size(); ++k) chain_ = chain_ && lines[k].from == lines[k - 1].to;
  const std::size_t step = chain_ ? std::max<std::size_t>(1, lines.size() / most_points) : 1;
  for (std::size_t k = 0; k < lines.size(); k += step) {
    drawn.push_back(lines[k].from);
    if (!chain_) drawn.push_back(lines[k].to);
  }
  if (chain_) drawn.push_back(lines.back().to);

  const auto [a, b] = held_ends(mechanism, index);
  const Frame &first = link_.frames[a], &second = link_.frames[b];
  const Vec3 way = second.pose.position - first.pose.position;
  const auto shape_of = [&](const Frame& frame) {
    return frame.shape.cols() == count ? frame.shape : Matrix3X(Matrix3X::Zero(3, count));
  };
  for (const int point : drawn) {
    const Outline::Point& at = link_.outline.points[point];
    const double part = way.squaredNorm() > 0.0 ? way.dot(at.position - first.pose.position) / way.squaredNorm() : 0.0;
    const Matrix3X bending = at.shape - (1.0 - part) * shape_of(first) - part * shape_of(second);
    points_.push_back({at.position, at.shape, bending});
  }
}

VectorX BentOutline::amplitudes(std::size_t row) const {
  VectorX eta(std::ssize(amplitudes_));
  for (std::size_t k = 0; k < amplitudes_.size(); ++k) eta[static_cast<Eigen::Index>(k)] = amplitudes_[k][row];
  return eta;
}

double BentOutline::largest() const {
  double largest = 0.0;
  for (std::size_t row = 0; row < poses_.size(); ++row) {
    const VectorX eta = amplitudes(row);
    for (const Point& point : points_) largest = std::max(largest, (point.bending * eta).norm());
  }
  return largest;
}

std::vector<Vec3> BentOutline::at(std::size_t row, double scale) const {
  const VectorX eta = amplitudes(row);
  const Frame& origin = link_.frames[0];
  Vec3 moved = origin.pose.position;
  Mat3 turned = origin.pose.rotation;
  if (origin.shape.cols() == eta.size()) moved += origin.shape * eta;
  if (origin.turn.cols() == eta.size()) turned = turned_by(origin.turn * eta) * turned;
  const Mat3 body = poses_[row].rotation * turned.transpose();
  std::vector<Vec3> places;
  for (const Point& point : points_) {
    const Vec3 local = point.position + point.shape * eta + (scale - 1.0) * (point.bending * eta);
    places.push_back(poses_[row].position + body * (local - moved));
  }
  return places;
}

}  // namespace lithe::cli

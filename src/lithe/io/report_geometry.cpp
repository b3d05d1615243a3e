#include "lithe/io/report_geometry.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace lithe::detail {
namespace {

constexpr double same_place = 1e-9;  ///< m
constexpr double flat = 1e-6;        ///< of the extent: points this near to a plane or a line lie in it
constexpr double slender = 0.3;      ///< of the length: a body without joints that is thinner than this is a rod
constexpr double bulky = 0.3;        ///< of the distance of the joints: a body thicker than this is drawn as a box
constexpr double airy = 50.0;        ///< kg/m^3: a box lighter than packing foam shows an inertia that is no shape
constexpr double smallest = 0.1;     ///< of the largest link: what is left of such a box at least

/// A cuboid of the mass and the inertia of a link. A rod or a planar link has sides of length zero.
struct EqualBox {
  Vec3 size = Vec3::Zero();  ///< along the columns of `axes`
  Mat3 axes = Mat3::Identity();
};

EqualBox equal_box(const LinkData& link) {
  EqualBox box;
  if (link.mass <= 0.0) return box;
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(link.inertia);
  const Vec3 moments = principal.eigenvalues();
  box.axes = principal.eigenvectors();
  if (box.axes.determinant() < 0) box.axes.col(2) *= -1.0;
  for (int i = 0; i < 3; ++i) {
    // I_i = m (b^2 + c^2) / 12 solved for the sides.
    const double square = 6.0 * (moments.sum() - 2.0 * moments[i]) / link.mass;
    box.size[i] = square > 1e-9 * moments.sum() / link.mass ? std::sqrt(square) : 0.0;
  }
  return box;
}

/// Radius of the round rod with the thickness of the box: a cylinder of radius r has I = m r^2 / 2 about its axis, the
/// square box that stands for it sides of sqrt(3) r.
double bar_radius(const EqualBox& box) {
  Vec3 sides = box.size;
  std::sort(sides.data(), sides.data() + 3);
  return sides[0] > 0.0 ? 0.5 * (sides[0] + sides[1]) / std::sqrt(3.0) : 0.0;
}

class Sketch {
 public:
  Sketch(const Mechanism& mechanism, int link) : mechanism_(mechanism), link_(mechanism.links[link]), index_(link) {}

  Drawing draw(bool dressed, const std::vector<FrameRef>& recorded) {
    if (index_ != 0) {
      if (!link_.outline.points.empty()) {
        draw_outline();
        if (!dressed) add_brackets();
      } else if (dressed) {
        // Its mesh shows it.
      } else if (!link_.solids.empty()) {
        recorded_ = recorded;
        add_brackets();
      } else {
        draw_body();
        for (const FrameRef& frame : recorded)
          if (frame.link == index_) add_arm(link_.frames[frame.frame]);
      }
    }
    for (const Frame& frame : link_.frames) drawing_.frame_points.push_back(point_of(frame));
    return std::move(drawing_);
  }

 private:
  void draw_outline() {
    for (const Outline::Point& point : link_.outline.points) drawing_.points.push_back({point.position, point.shape});
    drawing_.lines = link_.outline.lines;
  }

  /// From the outline or the solids to what is held beside them.
  void add_brackets() {
    const std::vector<Outline::Line> drawn = drawing_.lines;
    const std::size_t outline_points = drawing_.points.size();
    for (const int frame : held_frames()) {
      const int end = point_of(link_.frames[frame]);
      const bool joined = std::any_of(drawn.begin(), drawn.end(),
                                      [&](const Outline::Line& line) { return line.from == end || line.to == end; });
      if (joined) continue;
      int start = -1;
      for (std::size_t k = 0; k < outline_points; ++k) {
        if (start < 0 || (place(static_cast<int>(k)) - place(end)).norm() < (place(start) - place(end)).norm())
          start = static_cast<int>(k);
      }
      if (start < 0) {
        const Vec3 core = nearest_core(place(end));
        if ((core - place(end)).norm() <= same_place) continue;
        start = add_point(core);
      }
      if ((place(start) - place(end)).norm() > same_place) add_line(start, end, 0.0);
    }
  }

  /// From the nearest place on the bars to a frame beside them; a plate or box holds what lies beside its edges, too.
  void add_arm(const Frame& frame) {
    if (drawing_.lines.empty() || !drawing_.faces.empty()) return;
    const Vec3& end = frame.pose.position;
    Vec3 start = place(drawing_.lines[0].from);
    for (const Outline::Line& line : drawing_.lines) {
      const Vec3 from = place(line.from), along = place(line.to) - from;
      const double share = std::clamp(along.dot(end - from) / std::max(along.squaredNorm(), 1e-300), 0.0, 1.0);
      const Vec3 nearest = from + share * along;
      if ((nearest - end).norm() < (start - end).norm()) start = nearest;
    }
    if ((start - end).norm() > same_place) add_line(add_point(start), point_of(frame), 0.0);
  }

  /// Frames that joints, springs and machine elements hold, and those of `recorded_`, without repetition.
  std::vector<int> held_frames() const {
    std::vector<int> frames;
    const auto add = [&](const FrameRef& end) {
      if (end.link == index_ && std::find(frames.begin(), frames.end(), end.frame) == frames.end())
        frames.push_back(end.frame);
    };
    for (const Joint& joint : mechanism_.joints) {
      if (joint.type == JointType::free) continue;
      add(joint.from);
      add(joint.to);
    }
    for (const PointSpring& spring : mechanism_.springs) {
      add(spring.a);
      add(spring.b);
    }
    for (const auto& element : mechanism_.elements)
      for (const FrameRef& frame : element->frames()) add(frame);
    for (const FrameRef& frame : recorded_) add(frame);
    return frames;
  }

  /// Where a bracket to `point` starts: the point itself inside a solid, else a place in the core of the nearest one.
  Vec3 nearest_core(const Vec3& point) const {
    Vec3 best = point;
    double nearest = 1e300;
    for (const Solid& solid : link_.solids) {
      const Vec3 local = solid.axes.transpose() * (point - solid.centre), half = 0.5 * solid.size;
      Vec3 core = local.cwiseMin(half).cwiseMax(-half);  // of a box: the nearest place
      if (solid.kind != Solid::Kind::box) {
        const double thick = half.x(), along = solid.kind == Solid::Kind::sphere ? 0.0 : core.z();
        if ((local - Vec3(0, 0, along)).norm() > thick)
          core = {0, 0, along};
        else
          core = local;
      }
      const double away = (core - local).norm();
      if (away < nearest) {
        nearest = away;
        best = solid.centre + solid.axes * core;
      }
    }
    return best;
  }

  /// Robot descriptions often state inertias that no part of that size has; as a box they would bury the robot. Such a
  /// box is made as large as the places of the frames and of the mass centre lie apart.
  EqualBox bounded(EqualBox box) const {
    const double volume = box.size.prod(), side = box.size.maxCoeff();
    if (!(volume > 0.0) || link_.mass > airy * volume) return box;
    double scale = 0.0;
    for (std::size_t l = 1; l < mechanism_.links.size(); ++l) scale = std::max(scale, extent_of(mechanism_.links[l]));
    const double room = std::max(extent_of(link_), smallest * scale);
    if (room > 0.0 && side > room) box.size *= room / side;
    return box;
  }

  /// Largest distance between two frames, or of a frame from the mass centre.
  static double extent_of(const LinkData& link) {
    double extent = 0.0;
    for (const Frame& a : link.frames) {
      extent = std::max(extent, (a.pose.position - link.centre).norm());
      for (const Frame& b : link.frames) extent = std::max(extent, (a.pose.position - b.pose.position).norm());
    }
    return extent;
  }

  void draw_body() {
    const std::vector<int> corners = corners_of_joints();
    const EqualBox box = bounded(equal_box(link_));
    double extent = 0.0;
    for (const int a : corners) {
      for (const int b : corners) extent = std::max(extent, (place(a) - place(b)).norm());
    }
    if (extent > same_place) connect(corners, extent, bar_radius(box));
    if (is_cross()) return;
    if (extent <= same_place || (corners.size() < 3 && box.size.minCoeff() > bulky * extent)) add_body(box);
  }

  /// Two or more joints in the mass centre: the middle piece of a universal joint, which the symbols of the joints
  /// show.
  bool is_cross() const {
    int joints = 0;
    for (const Joint& joint : mechanism_.joints) {
      for (const FrameRef& end : {joint.from, joint.to}) {
        if (end.link != index_ || joint.type == JointType::free) continue;
        const Vec3& at = link_.frames[end.frame].pose.position;
        if ((at - link_.centre).norm() > same_place) return false;
        ++joints;
      }
    }
    return joints >= 2;
  }

  /// Places of joints, then of all frames when that leaves less than two.
  std::vector<int> corners_of_joints() {
    std::vector<int> corners;
    const auto add = [&](int frame) {
      const int point = point_of(link_.frames[frame]);
      if (std::find(corners.begin(), corners.end(), point) == corners.end()) corners.push_back(point);
    };
    for (const Joint& joint : mechanism_.joints) {
      if (joint.type == JointType::free) continue;  // says nothing of the body's shape
      if (joint.from.link == index_) add(joint.from.frame);
      if (joint.to.link == index_) add(joint.to.frame);
    }
    if (corners.size() < 2) {
      for (std::size_t f = corners.empty() ? 0 : 1; f < link_.frames.size(); ++f) add(static_cast<int>(f));
    }
    return corners;
  }

  void connect(const std::vector<int>& corners, double extent, double radius) {
    if (corners.size() == 2) {
      add_line(corners[0], corners[1], radius);
      return;
    }
    Vec3 centre = Vec3::Zero();
    for (const int corner : corners) centre += place(corner) / static_cast<double>(corners.size());
    Mat3 spread = Mat3::Zero();
    for (const int corner : corners) {
      spread += (place(corner) - centre) * (place(corner) - centre).transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> directions(spread);  // ascending
    const Vec3 across = directions.eigenvectors().col(0), second = directions.eigenvectors().col(1),
               along = directions.eigenvectors().col(2);
    const auto off = [&](const Vec3& direction) {
      double largest = 0.0;
      for (const int corner : corners) largest = std::max(largest, std::abs(direction.dot(place(corner) - centre)));
      return largest;
    };
    if (off(second) < flat * extent) {
      join_along(corners, along, radius);
    } else if (off(across) < flat * extent) {
      add_plate(hull(corners, along, second), radius);
    } else {
      const int hub = add_point(centre);
      for (const int corner : corners) add_line(hub, corner, radius);
    }
  }

  void join_along(std::vector<int> corners, const Vec3& along, double radius) {
    std::sort(corners.begin(), corners.end(), [&](int a, int b) { return along.dot(place(a)) < along.dot(place(b)); });
    for (std::size_t k = 1; k < corners.size(); ++k) add_line(corners[k - 1], corners[k], radius);
  }

  /// Convex hull in the plane of x and y, counter-clockwise (monotone chain).
  std::vector<int> hull(std::vector<int> corners, const Vec3& x, const Vec3& y) const {
    const auto flat_place = [&](int corner) { return Eigen::Vector2d(x.dot(place(corner)), y.dot(place(corner))); };
    std::sort(corners.begin(), corners.end(), [&](int a, int b) {
      const Eigen::Vector2d p = flat_place(a), q = flat_place(b);
      return p.x() < q.x() || (p.x() == q.x() && p.y() < q.y());
    });
    const auto turns_left = [&](int a, int b, int c) {
      const Eigen::Vector2d u = flat_place(b) - flat_place(a), v = flat_place(c) - flat_place(a);
      return u.x() * v.y() - u.y() * v.x() > 0.0;
    };
    std::vector<int> outline;
    for (int pass = 0; pass < 2; ++pass) {
      const std::size_t start = outline.size();
      for (const int corner : corners) {
        while (outline.size() >= start + 2 && !turns_left(outline[outline.size() - 2], outline.back(), corner)) {
          outline.pop_back();
        }
        outline.push_back(corner);
      }
      outline.pop_back();  // the next pass starts with it
      std::reverse(corners.begin(), corners.end());
    }
    return outline;
  }

  void add_plate(const std::vector<int>& corners, double radius) {
    for (std::size_t k = 0; k < corners.size(); ++k) {
      add_line(corners[k], corners[(k + 1) % corners.size()], radius);
    }
    drawing_.faces.push_back(corners);
  }

  /// A rod when it is slender (a rod's box has its length), else the box.
  void add_body(const EqualBox& box) {
    int longest = 0;
    const double length = box.size.maxCoeff(&longest);
    if (length <= 0.0) return;
    if (box.size[(longest + 1) % 3] > slender * length || box.size[(longest + 2) % 3] > slender * length) {
      add_box(box);
      return;
    }
    const Vec3 half = 0.5 * length * box.axes.col(longest);
    const int from = add_point(link_.centre - half);
    add_line(from, add_point(link_.centre + half), bar_radius(box));
  }

  void add_box(const EqualBox& box) {
    std::array<int, 8> corners{};
    for (int k = 0; k < 8; ++k) {
      const Vec3 half(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5);
      corners[k] = add_point(link_.centre + box.axes * half.cwiseProduct(box.size));
    }
    for (const auto& face : {std::array{0, 1, 3, 2}, std::array{4, 6, 7, 5}, std::array{0, 4, 5, 1},
                             std::array{2, 3, 7, 6}, std::array{0, 2, 6, 4}, std::array{1, 5, 7, 3}}) {
      std::vector<int> around;
      for (const int corner : face) around.push_back(corners[corner]);
      drawing_.faces.push_back(around);
    }
  }

  void add_line(int from, int to, double radius) { drawing_.lines.push_back({from, to, radius, -1, {}, Vec3::Zero()}); }

  Vec3 place(int point) const { return drawing_.points[point].position; }

  int add_point(const Vec3& position) {
    drawing_.points.push_back({position, Matrix3X(3, 0)});
    return static_cast<int>(drawing_.points.size()) - 1;
  }

  /// A point that moves with the frame; one that is there already serves.
  int point_of(const Frame& frame) {
    for (std::size_t k = 0; k < drawing_.points.size(); ++k) {
      const Drawing::Point& point = drawing_.points[k];
      if ((point.position - frame.pose.position).norm() < same_place && moves_alike(point.shape, frame.shape)) {
        return static_cast<int>(k);
      }
    }
    drawing_.points.push_back({frame.pose.position, frame.shape});
    return static_cast<int>(drawing_.points.size()) - 1;
  }

  static bool moves_alike(const Matrix3X& a, const Matrix3X& b) {
    if (a.cols() == 0) return b.cols() == 0 || b.isZero(0.0);
    if (b.cols() == 0) return a.isZero(0.0);
    return (a - b).cwiseAbs().maxCoeff() <= 1e-12 * (1.0 + a.cwiseAbs().maxCoeff());
  }

  std::vector<FrameRef> recorded_;  ///< frames beside the solids that are shown, such as the pencil of a linkage
  const Mechanism& mechanism_;
  const LinkData& link_;
  int index_;
  Drawing drawing_;
};

}  // namespace

Drawing drawing_of(const Mechanism& mechanism, int link, bool dressed, const std::vector<FrameRef>& recorded) {
  return Sketch(mechanism, link).draw(dressed, recorded);
}

}  // namespace lithe::detail

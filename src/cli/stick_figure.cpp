#include "stick_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bent_outline.hpp"
#include "figure_view.hpp"
#include "markup.hpp"
#include "solid_outline.hpp"
#include "terminal.hpp"

namespace lithe::cli {
namespace {

constexpr double width = 300, height = 225, border = 18;
constexpr std::size_t fewest_instants = 60, most_instants = 240;  ///< of the animation
constexpr std::size_t most_corners = 3000;                        ///< in all instants of a figure together
constexpr std::size_t most_trail_points = 600;
constexpr double thinnest = 0.012;  ///< of the size of the drawing: solids that are thinner are drawn like this
constexpr double beside = 0.02;     ///< of the size: a joint farther from the solids of its link has a bracket
constexpr double seen = 0.05;       ///< of the size of the drawing: bending that is smaller is enlarged

using Point = Eigen::Vector2d;
/// A line or an area whose corners move: one list of corners per drawn instant.
struct Shape {
  std::string css, title;
  bool closed = false;
  bool pairs = false;     ///< lines between two corners each, not one line through all
  double depth = -1e300;  ///< nearer ones are drawn over others
  std::vector<std::vector<Point>> corners;
};

std::string name_of_frame(const Mechanism& mechanism, FrameRef frame) {
  const LinkData& link = mechanism.links[frame.link];
  return link.name + "." + link.frames[frame.frame].name;
}

/// Where frames are, row by row of a record.
class Places {
 public:
  Places(const Mechanism& mechanism, const FigureView& view, const MemoryRecord& record)
      : mechanism_(mechanism), view_(view), rows_(record.rows()) {
    for (const FrameRef& frame : frames_to_draw(mechanism)) {
      const std::string name = name_of_frame(mechanism, frame);
      const auto x = record.column("pos." + name + ".x"), y = record.column("pos." + name + ".y"),
                 z = record.column("pos." + name + ".z");
      auto& track = tracks_[name];
      for (std::size_t row = 0; row < rows_; ++row) track.push_back(view.project({x[row], y[row], z[row]}));
      depths_[name] = view.depth({x[0], y[0], z[0]});
    }
  }

  /// Diagonal of everything that moves.
  double extent() const {
    Point low(1e300, 1e300), high(-1e300, -1e300);
    for (const auto& [name, track] : tracks_) {
      for (const Point& point : track) {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
      }
    }
    return tracks_.empty() ? 0.0 : (high - low).norm();
  }

  /// At most `most` rows, evenly from the first to the last.
  std::vector<std::size_t> spread_rows(std::size_t most) const {
    const std::size_t count = std::min(most, rows_);
    std::vector<std::size_t> rows;
    for (std::size_t k = 0; k < count; ++k) rows.push_back(count == 1 ? 0 : k * (rows_ - 1) / (count - 1));
    return rows;
  }

  Point at(FrameRef frame, std::size_t row) const {
    if (frame.link == 0) {
      return view_.project(mechanism_.links[0].frames[frame.frame].pose.position);
    }
    return tracks_.at(name_of_frame(mechanism_, frame))[row];
  }

  /// In the first row.
  double depth(FrameRef frame) const {
    return frame.link == 0 ? view_.depth(mechanism_.links[0].frames[frame.frame].pose.position)
                           : depths_.at(name_of_frame(mechanism_, frame));
  }

 private:
  const Mechanism& mechanism_;
  const FigureView& view_;
  std::size_t rows_;
  std::map<std::string, std::vector<Point>> tracks_;
  std::map<std::string, double> depths_;
};

bool same_place(const LinkData& link, int a, int b) {
  const auto& frames = link.frames;
  return (frames[a].pose.position - frames[b].pose.position).norm() < 1e-9;
}

/// Sorts corners by their angle about their centre, so that the outline does not cross itself.
void order_around_centre(const LinkData& link, std::vector<FrameRef>& corners) {
  const auto place = [&](const FrameRef& corner) -> Vec3 { return link.frames[corner.frame].pose.position; };
  Vec3 centre = Vec3::Zero();
  for (const FrameRef& corner : corners) centre += place(corner) / static_cast<double>(corners.size());
  const Vec3 first = place(corners[0]) - centre;
  Vec3 normal = Vec3::Zero();
  for (const FrameRef& corner : corners) {
    const Vec3 candidate = first.cross(place(corner) - centre);
    if (candidate.norm() > normal.norm()) normal = candidate;
  }
  if (normal.norm() == 0.0) return;  // on a line
  const Vec3 second = normal.cross(first) / normal.norm();
  const auto angle = [&](const FrameRef& corner) {
    const Vec3 arm = place(corner) - centre;
    return std::atan2(arm.dot(second), arm.dot(first));
  };
  std::stable_sort(corners.begin(), corners.end(),
                   [&](const FrameRef& a, const FrameRef& b) { return angle(a) < angle(b); });
}

/// The corners of a link: frames that carry joints, or all of them when that leaves a single point.
std::vector<FrameRef> corners_of(const Mechanism& mechanism, int index) {
  const LinkData& link = mechanism.links[index];
  std::vector<FrameRef> corners;
  const auto add = [&](int frame) {
    const bool known = std::any_of(corners.begin(), corners.end(),
                                   [&](const FrameRef& corner) { return same_place(link, corner.frame, frame); });
    if (!known) corners.push_back({index, frame});
  };
  for (const Joint& joint : mechanism.joints) {
    if (joint.from.link == index) add(joint.from.frame);
    if (joint.to.link == index) add(joint.to.frame);
  }
  if (corners.size() < 2) {
    for (std::size_t f = 1; f < link.frames.size(); ++f) add(static_cast<int>(f));
  }
  if (corners.size() > 3) order_around_centre(link, corners);
  return corners;
}

/// 1, 2 or 5 times a power of ten, at most `scale`.
double round_scale(double scale) {
  if (!(scale > 1.0)) return 1.0;
  const double power = std::pow(10.0, std::floor(std::log10(scale))), digit = scale / power;
  return power * (digit >= 5.0 ? 5.0 : digit >= 2.0 ? 2.0 : 1.0);
}

/// Elastic links as they bend; how many times is common to all.
struct Bending {
  std::vector<BentOutline> links;  ///< per link; empty ones are rigid
  double scale = 1.0;

  Bending(const Mechanism& mechanism, const MemoryRecord& record, double extent) {
    double largest = 0.0;
    for (std::size_t link = 0; link < mechanism.links.size(); ++link) {
      links.emplace_back(mechanism, static_cast<int>(link), record);
      largest = std::max(largest, links.back().largest());
    }
    if (largest > 1e-9 * extent) scale = round_scale(seen * extent / largest);
  }
};

/// The solids of a rigid link, and brackets to what it holds beside them.
void add_solids(const LinkData& link, const std::vector<FrameRef>& corners, int shade, const MemoryRecord& record,
                const std::vector<std::size_t>& rows, const FigureView& view, double extent,
                std::vector<Shape>& shapes) {
  std::vector<Pose> poses = recorded_poses(link.name, record);
  for (Pose& pose : poses) pose = pose * link.frames[0].pose.inverse();
  const std::string css = shade < 0 ? "solid loose" : fmt::format("solid s{}", shade);
  const auto add = [&](std::string kind, bool closed, double depth, std::vector<std::vector<Point>> moving) {
    shapes.push_back({std::move(kind), link.name, closed, false, depth, std::move(moving)});
  };
  for (const FrameRef& corner : corners) {
    const Vec3& end = link.frames[corner.frame].pose.position;
    const Vec3 start = held_from(link, end);
    if ((end - start).norm() < beside * extent) continue;
    std::vector<std::vector<Point>> moving;
    for (const std::size_t row : rows)
      moving.push_back({view.project(poses[row] * start), view.project(poses[row] * end)});
    add("bar", false, view.depth(poses[rows[0]] * end), std::move(moving));
  }
  for (SolidOutline& outline : solid_outlines(link, poses, rows, view, thinnest * extent))
    add(outline.rod ? "bar" : css, !outline.rod, outline.depth, std::move(outline.corners));
}

std::vector<Shape> shapes_of(const Mechanism& mechanism, const Places& places, const std::vector<FrameRef>& traced,
                             const Bending& bending, const FigureView& view, const MemoryRecord& record) {
  const std::vector<int> shade_of = shades_of(mechanism);
  std::vector<Shape> shapes;
  // The fewer corners, the more instants: a figure of one bar may turn fast.
  std::size_t corner_count = 2;
  for (std::size_t link = 1; link < mechanism.links.size(); ++link) {
    const BentOutline& bent = bending.links[link];
    corner_count += bent.empty() ? corners_of(mechanism, static_cast<int>(link)).size() : bent.at(0, 1.0).size();
    corner_count += 12 * mechanism.links[link].solids.size();
  }
  const std::vector<std::size_t> instants =
      places.spread_rows(std::clamp(most_corners / corner_count, fewest_instants, most_instants));
  const auto moving = [&](std::string css, std::string title, bool closed, const std::vector<FrameRef>& frames) {
    Shape shape{std::move(css), std::move(title), closed, false, frames.empty() ? 0.0 : places.depth(frames[0]), {}};
    for (const std::size_t row : instants) {
      std::vector<Point> corners;
      for (const FrameRef& frame : frames) corners.push_back(places.at(frame, row));
      shape.corners.push_back(std::move(corners));
    }
    shapes.push_back(std::move(shape));
  };
  for (const FrameRef& frame : traced) {
    if (frame.link == 0) continue;
    Shape trail{"trail", "", false, false, -1e300, {{}}};
    for (const std::size_t row : places.spread_rows(most_trail_points)) {
      trail.corners[0].push_back(places.at(frame, row));
    }
    shapes.push_back(std::move(trail));
  }
  for (const Joint& joint : mechanism.joints) {
    if (joint.facts().distances() == 1) {
      moving("slide", joint.name, false, {joint.from, joint.to});
    }
  }
  for (std::size_t link = 1; link < mechanism.links.size(); ++link) {
    if (const BentOutline& bent = bending.links[link]; !bent.empty()) {
      Shape shape{bent.is_chain() ? "bar elastic" : "bar elastic thin",
                  mechanism.links[link].name,
                  false,
                  !bent.is_chain(),
                  places.depth({static_cast<int>(link), 0}),
                  {}};
      for (const std::size_t row : instants) {
        shape.corners.emplace_back();
        for (const Vec3& place : bent.at(row, bending.scale)) shape.corners.back().push_back(view.project(place));
      }
      shapes.push_back(std::move(shape));
      continue;
    }
    const auto corners = corners_of(mechanism, static_cast<int>(link));
    if (!mechanism.links[link].solids.empty()) {
      add_solids(mechanism.links[link], corners, shade_of[link], record, instants, view, places.extent(), shapes);
    } else if (corners.size() >= 2) {
      const bool plate = corners.size() > 2;
      const char* bar = mechanism.links[link].elastic.count() > 0 ? "bar elastic" : "bar";
      moving(plate ? "plate" : bar, mechanism.links[link].name, plate, corners);
    }
  }
  std::stable_sort(shapes.begin(), shapes.end(), [](const Shape& a, const Shape& b) { return a.depth < b.depth; });
  return shapes;
}

/// Motors of joints that turn: their flanges behind the links, their shafts before them.
struct Motors {
  std::string behind, front;
};

template <class ToText>
Motors motors_of(const Mechanism& mechanism, const Places& places, double duration, const ToText& to_text) {
  Motors motors;
  for (const Joint& joint : mechanism.joints) {
    if (!joint.is_actuated() || joint.facts().distances() > 0) continue;
    const FrameRef at = joint.to.link == 0 ? joint.from : joint.to;
    std::string values;
    for (const std::size_t row : places.spread_rows(fewest_instants))
      values += (values.empty() ? "" : ";") + to_text(places.at(at, row));
    const auto moving = [&](const char* mark) {
      return fmt::format(
          "<g class=\"motor\" transform=\"translate({0})\">{1}<animateTransform attributeName=\"transform\" "
          "type=\"translate\" dur=\"{2:.2f}s\" repeatCount=\"indefinite\" values=\"{3}\"/></g>\n",
          values.substr(0, values.find(';')), mark, duration, values);
    };
    motors.behind += moving("<rect x=\"-7\" y=\"-7\" width=\"14\" height=\"14\" rx=\"2\"/>");
    motors.front += moving("<circle r=\"3.8\"/>");
  }
  return motors;
}

}  // namespace

std::vector<FrameRef> frames_to_draw(const Mechanism& mechanism) {
  std::vector<FrameRef> frames;
  for (std::size_t link = 1; link < mechanism.links.size(); ++link) {
    for (std::size_t frame = 0; frame < mechanism.links[link].frames.size(); ++frame) {
      frames.push_back({static_cast<int>(link), static_cast<int>(frame)});
    }
  }
  return frames;
}

std::string stick_figure(const Mechanism& mechanism, const Vec3& normal, const MemoryRecord& record,
                         const std::vector<FrameRef>& traced) {
  if (record.rows() == 0) return "";
  const FigureView view = figure_view(mechanism, normal);
  const Places places(mechanism, view, record);
  const Bending bending(mechanism, record, places.extent());
  const std::vector<Shape> shapes = shapes_of(mechanism, places, traced, bending, view, record);

  Point low(1e300, 1e300), high(-1e300, -1e300);
  const auto include = [&](const Point& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  };
  for (const Shape& shape : shapes) {
    for (const auto& corners : shape.corners) std::for_each(corners.begin(), corners.end(), include);
  }
  std::vector<FrameRef> pivots;
  for (const Joint& joint : mechanism.joints) {
    for (const FrameRef& frame : {joint.from, joint.to}) {
      if (frame.link == 0 && joint.type != JointType::free) pivots.push_back(frame);
    }
  }
  for (const FrameRef& pivot : pivots) include(places.at(pivot, 0));
  if (!(high.x() >= low.x())) return "";
  const Point room(width - 2 * border, height - 2 * border), extent = (high - low).cwiseMax(1e-9);
  const double scale = room.cwiseQuotient(extent).minCoeff();
  const Point middle = 0.5 * (low + high);
  const auto text_of = [&](const std::vector<Point>& corners, bool pairs) {
    std::string text;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const char* before = pairs ? (k % 2 == 0 ? "M" : "L") : text.empty() ? "" : " ";
      text += fmt::format("{}{:.1f},{:.1f}", before, width / 2 + scale * (corners[k].x() - middle.x()),
                          height / 2 - scale * (corners[k].y() - middle.y()));
    }
    return text;
  };

  const double duration = std::clamp(record.at(record.rows() - 1, "t") - record.at(0, "t"), 2.0, 8.0);
  std::string svg = fmt::format("<svg class=\"figure\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", width,
                                height, escape_markup("moving drawing of " + mechanism.name));
  const Motors motors = motors_of(mechanism, places, duration, [&](const Point& place) {
    return fmt::format("{:.1f} {:.1f}", width / 2 + scale * (place.x() - middle.x()),
                       height / 2 - scale * (place.y() - middle.y()));
  });
  svg += motors.behind;
  for (const Shape& shape : shapes) {
    const char *tag = shape.pairs    ? "path"
                      : shape.closed ? "polygon"
                                     : "polyline",
               *where = shape.pairs ? "d" : "points";
    svg += fmt::format("<{} class=\"{}\" {}=\"{}\">", tag, shape.css, where, text_of(shape.corners[0], shape.pairs));
    if (!shape.title.empty()) svg += fmt::format("<title>{}</title>", escape_markup(shape.title));
    if (shape.corners.size() > 1) {
      std::string values;
      for (const auto& corners : shape.corners) values += text_of(corners, shape.pairs) + ";";
      values.pop_back();
      svg += fmt::format("<animate attributeName=\"{}\" dur=\"{:.2f}s\" repeatCount=\"indefinite\" values=\"{}\"/>",
                         where, duration, values);
    }
    svg += fmt::format("</{}>\n", tag);
  }
  for (const FrameRef& pivot : pivots) {
    const Point place = places.at(pivot, 0);
    svg += fmt::format("<circle class=\"pivot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n",
                       width / 2 + scale * (place.x() - middle.x()), height / 2 - scale * (place.y() - middle.y()));
  }
  svg += motors.front;
  if (bending.scale > 1.0)
    svg += fmt::format("<text class=\"bending\" x=\"8\" y=\"17\">bending × {}</text>\n", number(bending.scale, 3));
  return svg + "</svg>\n";
}

}  // namespace lithe::cli

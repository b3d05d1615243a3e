#include "support/random_truss.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <ostream>
#include <random>

namespace lithe::testing {

namespace {

class TrussMaker {
 public:
  explicit TrussMaker(const TrussShape& shape) : shape_(shape), random_(shape.seed) {}

  TrussSpec make() {
    const int corners = shape_.planar ? 2 : 3;  // bars that hold a new node
    spec_.planar = shape_.planar;
    spec_.mass = shape_.lumped ? TrussMass::lumped : TrussMass::consistent;
    const int nodes = std::max(shape_.nodes, corners + 1);
    while (static_cast<int>(spec_.nodes.size()) < nodes) {
      add_node();
      const int present = static_cast<int>(spec_.nodes.size());
      if (present <= corners) {
        for (int i = 0; i + 1 < present; ++i) add_bar(i, present - 1);
      } else {
        brace(corners);
      }
    }
    for (int k = 0; k < shape_.extra_bars; ++k) add_extra_bar();
    if (shape_.supported) hold();
    const auto name = [&](int i) { return spec_.nodes[i].name; };
    TrussFrame root{"root", {}, {}, Mat3::Identity()}, tip{"tip", {}, {}, Mat3::Identity()};
    for (int i = 0; i <= corners - 1; ++i) root.nodes.push_back(name(i)), tip.nodes.push_back(name(nodes - 1 - i));
    tip.position = spec_.nodes.back().position + Vec3(0.3, -0.2, shape_.planar ? 0.0 : 0.1);
    spec_.frames = {root, tip};
    return spec_;
  }

 private:
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  void add_node() {
    TrussNode node;
    node.name = std::string(1, static_cast<char>('a' + spec_.nodes.size() % 26));
    if (spec_.nodes.size() >= 26) node.name += std::to_string(spec_.nodes.size() / 26);
    // The truss grows along x. The first nodes must not stand in a row.
    const auto i = static_cast<double>(spec_.nodes.size());
    node.position = Vec3(0.6 * i + between(-0.2, 0.2), between(-1, 1), shape_.planar ? 0.0 : between(-1, 1));
    if (i == 1) node.position.y() = spec_.nodes[0].position.y() + 1.2;
    if (i == 2 && !shape_.planar) node.position.z() = spec_.nodes[0].position.z() + 1.2;
    if (between(0, 1) < 0.4) node.mass = between(0.1, 2);
    spec_.nodes.push_back(node);
  }

  Vec3 direction(int from, int to) const {
    return (spec_.nodes[to].position - spec_.nodes[from].position)
        .normalized();
  }

  bool is_joined(int a, int b) const {
    const auto &from = spec_.nodes[a].name,
               &to = spec_.nodes[b].name;
    return std::any_of(spec_.bars.begin(), spec_.bars.end(), [&](const TrussBar& bar) {
      return (bar.from == from && bar.to == to) || (bar.from == to && bar.to == from);
    });
  }

  void add_bar(int from, int to) {
    TrussBar bar;
    bar.from = spec_.nodes[from].name;
    bar.to = spec_.nodes[to].name;
    bar.axial = between(1e5, 1e6);
    bar.mass_per_length = between(0.5, 3);
    bar.area = 1e-4;
    spec_.bars.push_back(bar);
  }

  /// Joins the last node to the earlier ones whose bars span the largest volume (area).
  void brace(int corners) {
    const int last = static_cast<int>(spec_.nodes.size()) - 1;
    std::vector<int> best;
    double largest = -1.0;
    for (int a = 0; a < last; ++a)
      for (int b = a + 1; b < last; ++b)
        for (int c = corners == 3 ? b + 1 : 0; c < (corners == 3 ? last : 1); ++c) {
          Mat3 spread;
          spread << direction(a, last), direction(b, last), corners == 3 ? direction(c, last) : Vec3(Vec3::UnitZ());
          const double volume = std::abs(spread.determinant());
          if (volume <= largest) continue;
          largest = volume;
          best = {a, b};
          if (corners == 3) best.push_back(c);
        }
    for (int each : best) add_bar(each, last);
  }

  void add_extra_bar() {
    std::vector<std::pair<int, int>> open;
    const int nodes = static_cast<int>(spec_.nodes.size());
    for (int a = 0; a < nodes; ++a)
      for (int b = a + 1; b < nodes; ++b)
        if (!is_joined(a, b)) open.emplace_back(a, b);
    if (open.empty()) return;
    const auto [a, b] = open[between(0, 1) * (static_cast<double>(open.size()) - 1e-9)];
    add_bar(a, b);
  }

  /// The first node is fixed, the second slides on the line between them, in space the third in the plane of the three.
  void hold() {
    const Vec3 line = direction(0, 1);
    spec_.supports.push_back({spec_.nodes[0].name, {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()}});
    if (shape_.planar) {
      spec_.supports.push_back({spec_.nodes[1].name, {Vec3(-line.y(), line.x(), 0)}});
      return;
    }
    const Vec3 normal = line.cross(direction(0, 2)).normalized();
    spec_.supports.push_back({spec_.nodes[1].name, {normal, normal.cross(line)}});
    spec_.supports.push_back({spec_.nodes[2].name, {normal}});
  }

  TrussShape shape_;
  std::mt19937 random_;
  TrussSpec spec_;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const TrussShape& shape) {
  return out << "truss " << shape.seed << " with " << shape.nodes << " nodes, " << shape.extra_bars << " extra bars"
             << (shape.planar ? ", planar" : ", in space") << (shape.supported ? ", supported" : ", floating")
             << (shape.lumped ? ", lumped" : "");
}

TrussSpec random_truss(const TrussShape& shape) { return TrussMaker(shape).make(); }

}  // namespace lithe::testing

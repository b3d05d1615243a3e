#include "lithe/links/truss_geometry.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "lithe/errors.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

namespace {

/// Squares of singular values this small against the largest are zero: a motion that lengthens no bar.
constexpr double zero_square = 1e-13;

class TrussBuilder {
 public:
  TrussBuilder(const std::string& link, const TrussSpec& spec) : link_(link), spec_(spec) {}

  TrussGeometry build() {
    add_nodes();
    add_bars();
    check_parts();
    number_coordinates();
    check_mass();
    find_rigid_motions();
    check_mechanism();
    return std::move(truss_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw MechanismError(link_, fmt::format("link '{}': {}", link_, message));
  }

  const std::string& name(int node) const { return spec_.nodes[node].name; }

  int find(const std::string& node, const std::string& user) const {
    const auto found = numbers_.find(node);
    if (found == numbers_.end())
      fail(fmt::format("{} stands on the unknown node '{}'; add it to the nodes", user, node));
    return found->second;
  }

  void add_nodes() {
    if (spec_.bars.empty()) fail("a truss needs at least one bar");
    for (const TrussNode& node : spec_.nodes) {
      if (!numbers_.emplace(node.name, static_cast<int>(truss_.nodes.size())).second)
        fail(fmt::format("node '{}' is there twice", node.name));
      if (node.name == "origin") fail("a node cannot be called 'origin', which is the link frame; choose another name");
      if (!node.position.allFinite()) fail(fmt::format("the position of node '{}' is not finite", node.name));
      if (!(node.mass >= 0))
        fail(fmt::format("the mass of node '{}' is {} kg; it must not be negative", node.name, node.mass));
      if (spec_.planar && node.position.z() != spec_.nodes.front().position.z())
        fail(
            fmt::format("node '{}' stands at z = {}, node '{}' at z = {}; a planar truss lies in a plane of constant z",
                        node.name, node.position.z(), spec_.nodes.front().name, spec_.nodes.front().position.z()));
      truss_.nodes.push_back({node.position, node.mass, 0, {}, {}});
    }
    for (const TrussFrame& frame : spec_.frames) {
      const std::string user = fmt::format("frame '{}'", frame.name);
      if (frame.nodes.empty()) fail(fmt::format("{} needs at least one node", user));
      if (frame.name == "origin" || numbers_.count(frame.name) > 0)
        fail(fmt::format("{} has the name of {}; choose another name", user,
                         frame.name == "origin" ? "the link frame" : "a node"));
      for (const std::string& node : frame.nodes) find(node, user);
    }
  }

  void add_bars() {
    std::map<std::set<int>, std::string> joined;
    std::set<std::string> names;
    for (const TrussBar& given : spec_.bars) {
      TrussGeometry::Bar bar;
      bar.name = given.name.empty() ? given.from + "-" + given.to : given.name;
      const std::string user = fmt::format("bar '{}'", bar.name);
      bar.from = find(given.from, user);
      bar.to = find(given.to, user);
      const Vec3 span = at(bar.to).position - at(bar.from).position;
      bar.length = span.norm();
      if (!(bar.length > 0)) fail(fmt::format("{} has no length: its ends stand at the same place", user));
      bar.axis = span / bar.length;
      const auto [other, is_new] = joined.emplace(std::set<int>{bar.from, bar.to}, bar.name);
      if (!is_new)
        fail(fmt::format("bars '{}' and '{}' join the same nodes '{}' and '{}'; keep one with the sum of their areas",
                         other->second, bar.name, given.from, given.to));
      if (!names.insert(bar.name).second) fail(fmt::format("two bars have the name '{}'", bar.name));
      if (!(given.axial > 0)) fail(fmt::format("EA of {} is {} N; it must be positive", user, given.axial));
      if (!(given.mass_per_length >= 0))
        fail(fmt::format("the mass per length of {} is {} kg/m; it must not be negative", user, given.mass_per_length));
      bar.stiffness = given.axial / bar.length;
      bar.mass = given.mass_per_length * bar.length;
      at(bar.from).far.push_back(bar.to);
      at(bar.to).far.push_back(bar.from);
      truss_.bars.push_back(std::move(bar));
    }
  }

  TrussGeometry::Node& at(int node) { return truss_.nodes[node]; }

  /// Every node must be reached from the first one over bars.
  void check_parts() {
    std::vector<bool> reached(truss_.nodes.size(), false);
    std::vector<int> open{0};
    reached[0] = true;
    while (!open.empty()) {
      const int node = open.back();
      open.pop_back();
      for (int far : at(node).far) {
        if (reached[far]) continue;
        reached[far] = true;
        open.push_back(far);
      }
    }
    for (std::size_t i = 0; i < reached.size(); ++i)
      if (!reached[i])
        fail(fmt::format(
            "the truss is in several parts: no bars lead from node '{}' to node '{}'; join the parts by bars", name(0),
            name(static_cast<int>(i))));
  }

  /// A node moves along what its supports leave of x, y, z; axes themselves where possible.
  void number_coordinates() {
    std::map<int, std::vector<Vec3>> held;
    for (const TrussSupport& support : spec_.supports) {
      const int node = find(support.node, "a support");
      for (const Vec3& direction : support.held) {
        if (!(direction.norm() > 0))
          fail(fmt::format("the support of node '{}' holds a direction of zero length", support.node));
        held[node].push_back(direction.normalized());
      }
    }
    for (int i = 0; i < static_cast<int>(truss_.nodes.size()); ++i) {
      std::vector<Vec3> fixed = held[i];
      if (spec_.planar) fixed.insert(fixed.begin(), Vec3::UnitZ());
      Mat3 left = Mat3::Identity();  // columns: what is left of the axes
      const auto take_out = [&](const Vec3& unit) { left -= unit * (unit.transpose() * left); };
      Mat3 held_part = Mat3::Zero();
      for (const Vec3& direction : fixed) {
        const Vec3 rest = direction - held_part * direction;
        if (rest.norm() < 1e-6) continue;  // held already
        const Vec3 unit = rest.normalized();
        held_part += unit * unit.transpose();
        take_out(unit);
      }
      std::vector<Vec3> free;
      for (Eigen::Index axis = 0; left.colwise().norm().maxCoeff(&axis) > 1e-6;) {
        free.push_back(left.col(axis).normalized());
        take_out(free.back());
      }
      TrussGeometry::Node& node = at(i);
      node.first = truss_.count;
      node.directions.resize(3, std::ssize(free));
      for (std::size_t k = 0; k < free.size(); ++k) node.directions.col(static_cast<Eigen::Index>(k)) = free[k];
      truss_.count += static_cast<int>(free.size());
    }
    if (truss_.count == 0) fail("the supports hold every node; free one of them or make the link rigid");
  }

  void check_mass() {
    std::vector<double> masses;
    for (const TrussGeometry::Node& node : truss_.nodes) masses.push_back(node.mass);
    for (const TrussGeometry::Bar& bar : truss_.bars)
      for (int end : {bar.from, bar.to}) masses[end] += bar.mass / 2;
    for (std::size_t i = 0; i < masses.size(); ++i)
      if (!(masses[i] > 0) && truss_.nodes[i].directions.cols() > 0)
        fail(fmt::format("node '{}' moves but has no mass; give its bars a density or the node a mass",
                         spec_.nodes[i].name));
  }

  void find_rigid_motions() {
    // Displacements of the nodes for unit rigid motions, rotations about the middle and scaled by the size of the
    // truss.
    Vec3 middle = Vec3::Zero();
    for (const TrussGeometry::Node& node : truss_.nodes)
      middle += node.position / static_cast<double>(truss_.nodes.size());
    double size = 0.0;
    for (const TrussGeometry::Node& node : truss_.nodes) size = std::max(size, (node.position - middle).norm());
    MatrixX allowed(truss_.count, 6);
    Eigen::Matrix<double, 6, 6> against_supports = Eigen::Matrix<double, 6, 6>::Zero();
    for (const TrussGeometry::Node& node : truss_.nodes) {
      Eigen::Matrix<double, 3, 6> motion;
      motion << Mat3::Identity(), -skew((node.position - middle) / size);
      const Matrix3X& free = node.directions;
      allowed.middleRows(node.first, free.cols()) = free.transpose() * motion;
      const Eigen::Matrix<double, 3, 6> held = motion - free * (free.transpose() * motion);
      against_supports += held.transpose() * held;
    }
    const Eigen::SelfAdjointEigenSolver<MatrixX> supports{MatrixX(against_supports)};
    Eigen::Index freedoms = 0;
    while (freedoms < 6 && supports.eigenvalues()[freedoms] < tolerance::computed) ++freedoms;
    truss_.rigid_motions.resize(truss_.count, 0);
    if (freedoms == 0) return;
    const MatrixX motions = allowed * supports.eigenvectors().leftCols(freedoms);
    // A straight truss does not move when it turns about itself: such a motion drops out.
    const Eigen::SelfAdjointEigenSolver<MatrixX> norms{MatrixX(motions.transpose() * motions)};
    Eigen::Index still = 0;
    while (still < freedoms && norms.eigenvalues()[still] < tolerance::computed) ++still;
    const Eigen::Index count = freedoms - still;
    truss_.rigid_motions = motions * norms.eigenvectors().rightCols(count) *
                           norms.eigenvalues().tail(count).cwiseSqrt().cwiseInverse().asDiagonal();
    const bool has_supports = std::any_of(spec_.supports.begin(), spec_.supports.end(),
                                          [](const TrussSupport& support) { return !support.held.empty(); });
    if (count > 0 && has_supports)
      fail(fmt::format("the supports let the whole truss move: {}; {}", mover(truss_.rigid_motions),
                       is_flat() ? "make the truss planar, or hold more directions"
                                 : "hold more directions, or none at all and choose a reference"));
  }

  /// Looks planar but has not been said to be.
  bool is_flat() const {
    return !spec_.planar && std::all_of(spec_.nodes.begin(), spec_.nodes.end(), [&](const TrussNode& node) {
      return node.position.z() == spec_.nodes.front().position.z();
    });
  }

  /// "node 'a' can move along y": the node that the motions (orthonormal columns) move most.
  std::string mover(const MatrixX& motions) const {
    int best = 0;
    double most = -1.0;
    for (std::size_t i = 0; i < truss_.nodes.size(); ++i) {
      const TrussGeometry::Node& node = truss_.nodes[i];
      const double moves = motions.middleRows(node.first, node.directions.cols()).squaredNorm();
      if (moves > most * (1 + tolerance::written)) {  // rounding must not decide between equals
        most = moves;
        best = static_cast<int>(i);
      }
    }
    const TrussGeometry::Node& node = truss_.nodes[best];
    const MatrixX rows = node.directions * motions.middleRows(node.first, node.directions.cols());
    const Eigen::SelfAdjointEigenSolver<Mat3> way{Mat3(rows * rows.transpose())};
    return fmt::format("node '{}' can move along {}", name(best), direction_name(way.eigenvectors().col(2)));
  }

  void check_mechanism() {
    const MatrixX lengthening = truss_.lengthening();
    const Eigen::SelfAdjointEigenSolver<MatrixX> solver{MatrixX(lengthening.transpose() * lengthening)};
    const VectorX& squares = solver.eigenvalues();
    Eigen::Index loose = 0;
    while (loose < squares.size() && squares[loose] <= zero_square * squares[squares.size() - 1]) ++loose;
    if (loose <= truss_.rigid_motions.cols()) return;
    MatrixX motions = solver.eigenvectors().leftCols(loose);
    motions -= truss_.rigid_motions * (truss_.rigid_motions.transpose() * motions).eval();
    fail(fmt::format("the truss is a mechanism: {} while no bar changes its length; {}", mover(motions),
                     is_flat() ? "make the truss planar, or add bars or supports" : "add a bar or a support there"));
  }

  const std::string& link_;
  const TrussSpec& spec_;
  TrussGeometry truss_;
  std::map<std::string, int> numbers_;  ///< of the nodes
};

}  // namespace

std::string direction_name(const Vec3& direction) {
  static constexpr const char* axes[3] = {"x", "y", "z"};
  Eigen::Index main = 0;
  direction.cwiseAbs().maxCoeff(&main);
  const Vec3 unit = direction.normalized() * (direction[main] < 0 ? -1.0 : 1.0);
  if (unit[main] > 1 - tolerance::written) return axes[main];
  const auto tidy = [](double x) { return std::abs(x) < 5e-4 ? 0.0 : x; };
  return fmt::format("[{:.3g}, {:.3g}, {:.3g}]", tidy(unit.x()), tidy(unit.y()), tidy(unit.z()));
}

MatrixX TrussGeometry::lengthening() const {
  MatrixX rows = MatrixX::Zero(std::ssize(bars), count);
  for (std::size_t b = 0; b < bars.size(); ++b) {
    const Node& from = nodes[bars[b].from];
    const Node& to = nodes[bars[b].to];
    const auto row = static_cast<Eigen::Index>(b);
    rows.row(row).segment(from.first, from.directions.cols()) -= bars[b].axis.transpose() * from.directions;
    rows.row(row).segment(to.first, to.directions.cols()) += bars[b].axis.transpose() * to.directions;
  }
  return rows;
}

TrussGeometry truss_geometry(const std::string& link, const TrussSpec& spec) {
  return TrussBuilder(link, spec).build();
}

}  // namespace lithe::detail

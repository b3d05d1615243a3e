#include "lithe/links/truss.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <memory>
#include <numbers>

#include "lithe/links/truss_geometry.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

namespace {

using detail::TrussGeometry;
using Bar = TrussGeometry::Bar;
using Node = TrussGeometry::Node;

/// Motion of a frame per column of a field: displacement of its origin, and rotation.
struct FrameMotion {
  Matrix3X displacement, rotation;
};

/// A frame by numbers: the nodes that carry it and those that turn it.
struct Place {
  std::string name;
  std::vector<int> carriers, turners;
  Vec3 middle = Vec3::Zero();  ///< of the carriers
  Pose pose;
};

class Truss : public ElasticField {
 public:
  Truss(const std::string& link, const TrussSpec& spec)
      : truss_(detail::truss_geometry(link, spec)), mass_(spec.mass), lengthening_(truss_.lengthening()) {
    for (const TrussBar& bar : spec.bars) {
      areas_.push_back(bar.area);
      stresses_.push_back(bar.area > 0
                              ? std::make_shared<const StressSection>(stress_section_of_bar(bar.area, bar.strength))
                              : nullptr);
    }
    for (const TrussNode& node : spec.nodes) names_.push_back(node.name);
    place_frames(spec);
    root_ = find_place(spec.root);
    tip_ = find_place(spec.tip);
    find_second_order();
  }

  int count() const { return truss_.count; }

  MatrixX stiffness() const { return lengthening_.transpose() * bar_stiffness().asDiagonal() * lengthening_; }

  MatrixX mass() const {
    MatrixX sum = MatrixX::Zero(count(), count());
    const auto add = [&](int i, int j, double mass) {
      const Node &a = node(i), &b = node(j);
      sum.block(a.first, b.first, a.directions.cols(), b.directions.cols()) +=
          mass * a.directions.transpose() * b.directions;
    };
    const bool consistent = mass_ == TrussMass::consistent;
    for (const Bar& bar : truss_.bars) {
      for (int end : {bar.from, bar.to}) add(end, end, bar.mass / (consistent ? 3 : 2));  // Boutin (4.38)
      if (!consistent) continue;
      add(bar.from, bar.to, bar.mass / 6);
      add(bar.to, bar.from, bar.mass / 6);
    }
    for (int i = 0; i < static_cast<int>(truss_.nodes.size()); ++i) add(i, i, node(i).mass);
    return sum;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < names_.size(); ++i)
      for (Eigen::Index k = 0; k < truss_.nodes[i].directions.cols(); ++k)
        names.push_back(
            fmt::format("node {} {}", names_[i], detail::direction_name(truss_.nodes[i].directions.col(k))));
    return names;
  }

  /// A bar's integrals of quadratic functions are exact as sums over its ends and its middle with weights 1/6, 4/6, 1/6
  /// (Simpson), so the lumps are the nodes and the middles of the bars. Nodes without mass are lumps, too: where they
  /// are held, they show that the truss cannot move as a whole.
  std::vector<FieldPoint> points(const MatrixX& basis, bool stiffening) const override {
    const bool consistent = mass_ == TrussMass::consistent;
    const MatrixX squares = stiffening ? bar_squares(basis) : MatrixX();
    std::vector<double> at_node;
    for (const Node& each : truss_.nodes) at_node.push_back(each.mass);
    for (const Bar& bar : truss_.bars)
      for (int end : {bar.from, bar.to}) at_node[end] += bar.mass / (consistent ? 6 : 2);

    std::vector<FieldPoint> points;
    const auto add = [&](double mass, int a, int b) {
      FieldPoint p;
      p.mass = mass;
      p.position = (node(a).position + node(b).position) / 2;
      p.shape = (at(a, basis) + at(b, basis)) / 2;
      p.turn.setZero(3, basis.cols());
      if (stiffening) p.foreshortening = combined(squares, (at(a, second_order_) + at(b, second_order_)) / 2);
      points.push_back(std::move(p));
    };
    for (int i = 0; i < static_cast<int>(at_node.size()); ++i) add(at_node[i], i, i);
    if (consistent)
      for (const Bar& bar : truss_.bars) add(bar.mass * 4 / 6, bar.from, bar.to);
    return points;
  }

  std::vector<Frame> frames(const MatrixX& basis, bool stiffening) const override {
    const MatrixX squares = stiffening ? bar_squares(basis) : MatrixX();
    const Matrix3X still = Matrix3X::Zero(3, basis.cols());
    std::vector<Frame> frames{{"origin", Pose{}, still, still, {}}};
    if (stiffening)
      frames[0].foreshortening = combined(squares, Matrix3X::Zero(3, std::ssize(truss_.bars)));
    for (const Place& place : places_) {
      const FrameMotion first = motion(place, basis);
      Frame frame{place.name, place.pose, first.displacement, first.rotation, {}};
      if (stiffening) {
        frame.foreshortening = combined(squares, motion(place, second_order_).displacement);
        add_turned_offset(frame, place.pose.position - place.middle);
      }
      frames.push_back(std::move(frame));
    }
    return frames;
  }

  bool can_be_pulled() const { return tip_ && pull_axis().norm() > 0 && (root_ || truss_.rigid_motions.cols() == 0); }

  /// sum over the bars of N/l (transverse relative displacement)^2, N the bar force of a unit pull.
  MatrixX tension_stiffness() const override {
    if (!can_be_pulled()) return {};
    const MatrixX identity = MatrixX::Identity(count(), count());
    const Vec3 axis = pull_axis().normalized();
    VectorX pull = motion(*tip_, identity).displacement.transpose() * axis;
    if (root_) pull -= motion(*root_, identity).displacement.transpose() * axis;
    // Bar forces k B K^-1 f are the transpose of what gives the second-order displacements from the bars' squares.
    const VectorX sum = bar_squares(identity) * (second_order_.transpose() * pull);
    return Eigen::Map<const MatrixX>(sum.data(), count(), count());
  }

  std::vector<SectionForces> section_forces(const MatrixX& basis) const override {
    const MatrixX forces = bar_stiffness().asDiagonal() * (lengthening_ * basis);
    std::vector<SectionForces> sections;
    for (std::size_t b = 0; b < truss_.bars.size(); ++b) {
      const Bar& bar = truss_.bars[b];
      SectionForces section;
      section.name = bar.name;
      section.position = (node(bar.from).position + node(bar.to).position) / 2;
      const Mat3 across = frame_with_z(bar.axis);
      section.axes << bar.axis, across.col(0), across.col(1);
      section.rows.setZero(6, basis.cols());
      section.rows.row(0) = forces.row(static_cast<Eigen::Index>(b));
      section.stress = stresses_[b];
      sections.push_back(std::move(section));
    }
    return sections;
  }

  Outline outline(const MatrixX& basis) const override {
    Outline outline;
    for (int i = 0; i < static_cast<int>(truss_.nodes.size()); ++i)
      outline.points.push_back({node(i).position, at(i, basis)});
    for (std::size_t b = 0; b < truss_.bars.size(); ++b)
      outline.lines.push_back({truss_.bars[b].from,
                               truss_.bars[b].to,
                               std::sqrt(areas_[b] / std::numbers::pi),
                               static_cast<int>(b),
                               {},
                               Vec3::Zero()});
    return outline;
  }

 private:
  const Node& node(int i) const { return truss_.nodes[i]; }

  /// Displacement of a node per column of a field given in the coordinates.
  Matrix3X at(int i, const MatrixX& field) const {
    return node(i).directions * field.middleRows(node(i).first, node(i).directions.cols());
  }

  VectorX bar_stiffness() const {
    VectorX stiffness(std::ssize(truss_.bars));
    for (std::size_t b = 0; b < truss_.bars.size(); ++b) stiffness[b] = truss_.bars[b].stiffness;
    return stiffness;
  }

  void place_frames(const TrussSpec& spec) {
    std::vector<int> all;
    for (int i = 0; i < static_cast<int>(names_.size()); ++i) {
      Place place{names_[i], {i}, node(i).far, node(i).position, {}};
      place.turners.push_back(i);
      place.pose.position = place.middle;
      places_.push_back(std::move(place));
    }
    for (const TrussFrame& frame : spec.frames) {
      Place place;
      place.name = frame.name;
      for (const std::string& each : frame.nodes) {
        const auto found = std::find(names_.begin(), names_.end(), each);
        place.carriers.push_back(static_cast<int>(found - names_.begin()));
      }
      for (int i : place.carriers) place.middle += node(i).position / static_cast<double>(place.carriers.size());
      place.turners = place.carriers.size() > 1 ? place.carriers : node_place(place.carriers[0]).turners;
      place.pose = {frame.rotation, frame.position.value_or(place.middle)};
      places_.push_back(std::move(place));
    }
  }

  const Place& node_place(int i) const { return places_[i]; }

  const Place* find_place(const std::string& name) const {
    for (const Place& place : places_)
      if (place.name == name) return &place;
    return nullptr;
  }

  /// The rigid motion that fits the motion of the nodes with least squares. What it leaves open (turning about the line
  /// of nodes in a row) is zero.
  FrameMotion motion(const Place& place, const MatrixX& field) const {
    const auto count = static_cast<double>(place.turners.size());
    Vec3 centre = Vec3::Zero();
    Matrix3X mean = Matrix3X::Zero(3, field.cols());
    for (int i : place.turners) centre += node(i).position / count;
    Mat3 second = Mat3::Zero();
    Matrix3X moment = Matrix3X::Zero(3, field.cols());
    for (int i : place.turners) {
      const Mat3 arm = skew(node(i).position - centre);
      second -= arm * arm;
      moment += arm * at(i, field);
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(second);
    const double limit = detail::tolerance::written * solver.eigenvalues()[2];
    Mat3 inverse = Mat3::Zero();
    for (int k = 0; k < 3; ++k) {
      const Vec3 axis = solver.eigenvectors().col(k);
      if (solver.eigenvalues()[k] > limit) inverse += axis * axis.transpose() / solver.eigenvalues()[k];
    }
    FrameMotion answer;
    answer.rotation = inverse * moment;
    for (int i : place.carriers) mean += at(i, field) / static_cast<double>(place.carriers.size());
    answer.displacement = mean - skew(place.pose.position - place.middle) * answer.rotation;
    return answer;
  }

  /// A frame beside its nodes also moves to second order because its offset turns: 1/2 theta x (theta x offset).
  static void add_turned_offset(Frame& frame, const Vec3& offset) {
    const MatrixX squared = frame.turn.transpose() * frame.turn;
    const Eigen::RowVectorXd along = offset.transpose() * frame.turn;
    for (int a = 0; a < 3; ++a) {
      const MatrixX mixed = frame.turn.row(a).transpose() * along;
      frame.foreshortening[a] += offset[a] * squared - (mixed + mixed.transpose()) / 2;
    }
  }

  /// The second-order displacements of the nodes are those that undo, as far as they can, the lengthening of the bars
  /// by turning, eta^T Q_b eta / 2 with Q_b from bar_squares: least strain energy, K u2 = - B^T k (eta^T Q eta / 2).
  /// `second_order_` = K^-1 B^T k, so that u2 = -1/2 eta^T (second_order_ . Q) eta.
  void find_second_order() {
    const MatrixX& rigid = truss_.rigid_motions;
    MatrixX K = stiffness();
    // The right side is balanced, so a stiffness against rigid motions holds a floating truss without any effect.
    if (rigid.cols() > 0) K += K.diagonal().maxCoeff() * rigid * rigid.transpose();
    second_order_ = K.ldlt().solve(MatrixX(lengthening_.transpose() * bar_stiffness().asDiagonal()));
    if (rigid.cols() == 0) return;
    // A floating truss: the frame `root` stays where it is; without one, the mass does so on the average.
    MatrixX stays = rigid.transpose() * mass();
    if (root_) {
      const FrameMotion root = motion(*root_, MatrixX::Identity(count(), count()));
      stays.resize(6, count());
      stays << root.displacement, root.rotation;
    }
    second_order_ -= rigid * (stays * rigid).completeOrthogonalDecomposition().solve(stays * second_order_);
  }

  /// Q_b = D^T D / l with D the relative displacement of the ends of bar b across it: column b holds Q_b, column by
  /// column.
  MatrixX bar_squares(const MatrixX& basis) const {
    const Eigen::Index n = basis.cols();
    MatrixX squares(n * n, std::ssize(truss_.bars));
    for (std::size_t b = 0; b < truss_.bars.size(); ++b) {
      const Bar& bar = truss_.bars[b];
      const Matrix3X relative = at(bar.to, basis) - at(bar.from, basis);
      const Matrix3X across = relative - bar.axis * (bar.axis.transpose() * relative);
      Eigen::Map<MatrixX>(squares.col(static_cast<Eigen::Index>(b)).data(), n, n) =
          across.transpose() * across / bar.length;
    }
    return squares;
  }

  /// Foreshortening matrices from the bars' squares, `weights` (axis, bar) of them.
  static std::array<MatrixX, 3> combined(const MatrixX& squares, const Matrix3X& weights) {
    const auto n = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(squares.rows()))));
    std::array<MatrixX, 3> sums;
    for (int a = 0; a < 3; ++a) {
      const VectorX sum = squares * weights.row(a).transpose();
      sums[a] = Eigen::Map<const MatrixX>(sum.data(), n, n);
    }
    return sums;
  }

  Vec3 pull_axis() const { return tip_->pose.position - (root_ ? root_->pose.position : Vec3(Vec3::Zero())); }

  TrussGeometry truss_;
  TrussMass mass_;
  MatrixX lengthening_;                                         ///< B: of the bars per coordinate
  MatrixX second_order_;                                        ///< see find_second_order
  std::vector<std::string> names_;                              ///< of the nodes
  std::vector<double> areas_;                                   ///< of the bars
  std::vector<std::shared_ptr<const StressSection>> stresses_;  ///< likewise; empty without an area
  std::vector<Place> places_;                                   ///< nodes first
  const Place* root_ = nullptr;
  const Place* tip_ = nullptr;
};

}  // namespace

ElasticModel truss_model(const std::string& link, const TrussSpec& spec) {
  const auto truss = std::make_shared<const Truss>(link, spec);
  ElasticModel model;
  model.mass = truss->mass();
  model.stiffness = truss->stiffness();
  model.names = truss->names();
  model.field = truss;
  return model;
}

}  // namespace lithe

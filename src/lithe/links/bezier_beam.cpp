#include "lithe/links/bezier_beam.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "lithe/errors.hpp"
#include "lithe/links/beam_parts.hpp"
#include "lithe/links/bernstein.hpp"
#include "lithe/links/ritz_beam.hpp"

namespace lithe {

namespace {

using namespace detail;  // NOLINT: parts of beams are the inside of this file

using Row = Eigen::RowVectorXd;

/// All control values of one field in terms of the kept ones: values = expansion * kept.
struct Control {
  MatrixX expansion;
  std::vector<int> kept;  ///< their numbers, 0..degree
};

/// Leaves out `dropped` control values, which are zero.
Control without(int degree, const std::vector<int>& dropped) {
  Control control;
  for (int i = 0; i <= degree; ++i)
    if (std::find(dropped.begin(), dropped.end(), i) == dropped.end()) control.kept.push_back(i);
  control.expansion.setZero(degree + 1, std::ssize(control.kept));
  for (std::size_t j = 0; j < control.kept.size(); ++j)
    control.expansion(control.kept[j], static_cast<Eigen::Index>(j)) = 1;
  return control;
}

/// The control values `solved` follow from the others by the conditions (rows on all control values).
Control solved_for(int degree, const std::vector<int>& solved, const std::vector<Row>& conditions) {
  Control control = without(degree, solved);
  if (solved.empty()) return control;
  const auto count = std::ssize(solved);
  MatrixX of_solved(count, count), of_kept(count, control.expansion.cols());
  for (Eigen::Index i = 0; i < count; ++i) {
    const Row& condition = conditions[i];
    for (Eigen::Index j = 0; j < count; ++j) of_solved(i, j) = condition[solved[j]];
    of_kept.row(i) = condition * control.expansion;
  }
  const MatrixX answer = -of_solved.fullPivLu().solve(of_kept);
  for (Eigen::Index j = 0; j < count; ++j) control.expansion.row(solved[j]) = answer.row(j);
  return control;
}

/// One field that is a polynomial of its own.
class Polynomial {
 public:
  Polynomial(int degree, double length, Control control)
      : degree_(degree), length_(length), control_(std::move(control)) {}

  const std::vector<int>& kept() const { return control_.kept; }
  int count() const { return static_cast<int>(control_.kept.size()); }
  Row derivative(int k, double s) const {
    return bernstein(degree_, k, s / length_) * control_.expansion / std::pow(length_, k);
  }

 private:
  int degree_;
  double length_;
  Control control_;
};

/// Section rotation (as a slope) that balances the moments of a static deflection: theta = v' + a theta'',
/// a = EI/(kappa G A), hence theta = v' + a v''' + a^2 v^(5) + ..., which ends with the polynomial. `k`: derivative.
template <class Derivative>
Row static_rotation(Derivative&& deflection, int degree, double compliance, int k) {
  Row sum = deflection(1 + k);
  double factor = 1.0;
  for (int order = 3 + k; order <= degree; order += 2) {
    factor *= compliance;
    sum += factor * deflection(order);
  }
  return sum;
}

/// Bending in one plane.
class Bending {
 public:
  Bending(const std::string& link, const BezierBeamSpec& spec, bool along_y)
      : along_y_(along_y),
        degree_(spec.degree),
        independent_(spec.shear == BezierShear::independent),
        compliance_(shear_compliance(link, spec, along_y)),
        deflection_(spec.degree, spec.beam.length, deflection_control(spec)),
        rotation_(spec.degree, spec.beam.length, rotation_control(spec)) {}

  int count() const { return deflection_.count() + (independent_ ? rotation_.count() : 0); }

  void add_names(std::vector<std::string>& names) const {
    for (const int i : deflection_.kept()) names.push_back(fmt::format("deflection {} {}", along_y_ ? "y" : "z", i));
    if (independent_)
      for (const int i : rotation_.kept())
        names.push_back(fmt::format("rotation about {} {}", along_y_ ? "z" : "y", i));
  }

  void put(double s, int first, RitzFields& fields) const {
    const int deflections = deflection_.count(), rotations = independent_ ? rotation_.count() : 0;
    const int across = along_y_ ? 1 : 2, about = along_y_ ? 2 : 1, curvature = along_y_ ? 5 : 4,
              shear = along_y_ ? 1 : 2;
    const double sign = along_y_ ? 1 : -1;  // rotation about y turns the slope along z backwards
    const Row slope = deflection_.derivative(1, s);
    fields.displacement.row(across).segment(first, deflections) = deflection_.derivative(0, s);
    (along_y_ ? fields.slope_y : fields.slope_z).segment(first, deflections) = slope;
    if (independent_) {
      const int then = first + deflections;
      const Row turn = rotation_.derivative(0, s);
      fields.rotation.row(about).segment(then, rotations) = turn;
      fields.strain.row(curvature).segment(then, rotations) = rotation_.derivative(1, s);
      fields.strain.row(shear).segment(first, deflections) = slope;
      fields.strain.row(shear).segment(then, rotations) = -sign * turn;
    } else {
      const Row turn = followed(0, s);
      fields.rotation.row(about).segment(first, deflections) = sign * turn;
      fields.strain.row(curvature).segment(first, deflections) = sign * followed(1, s);
      fields.strain_rate.row(curvature).segment(first, deflections) = sign * followed(2, s);
      fields.strain.row(shear).segment(first, deflections) = slope - turn;
    }
  }

 private:
  static double shear_compliance(const std::string& link, const BezierBeamSpec& spec, bool along_y) {
    const Section middle = section_at(spec.beam.stations, spec.beam.length / 2);
    const double shear = along_y ? middle.shear_y : middle.shear_z;
    const double rotary = along_y ? middle.rotary_z : middle.rotary_y;
    const auto require = [&](double value, const std::string& what) {
      if (spec.shear == BezierShear::independent && !(value > 0))
        throw MechanismError(link, fmt::format("link '{}': an independent section rotation needs {}; give it, or let "
                                               "shear be eliminated",
                                               link, what));
    };
    require(shear, fmt::format("a shear stiffness along {}", along_y ? "y" : "z"));
    require(rotary, fmt::format("a rotary inertia about {}", along_y ? "z" : "y"));
    return shear > 0 ? (along_y ? middle.bending_y : middle.bending_z) / shear : 0.0;
  }

  Row followed(int k, double s) const {
    return static_rotation([&](int order) { return deflection_.derivative(order, s); }, degree_, compliance_, k);
  }

  /// Control values of the deflection. An eliminated rotation is held by further control values next to the end.
  Control deflection_control(const BezierBeamSpec& spec) const {
    const int n = spec.degree;
    std::vector<int> held;
    if (independent_) {
      if (spec.root != BezierEnd::free) held.push_back(0);
      if (spec.root == BezierEnd::as_printed) held.push_back(1);
      if (spec.tip != BezierEnd::free) held.push_back(n);
      return without(n, held);
    }
    std::vector<Row> conditions;
    const auto hold = [&](int control, Row condition) {
      held.push_back(control);
      conditions.push_back(std::move(condition));
    };
    const auto rotation = [&](int k, double s) {
      const double length = spec.beam.length;
      const auto derivative = [&](int order) -> Row {
        return bernstein(n, order, s / length) / std::pow(length, order);
      };
      return static_rotation(derivative, n, compliance_, k);
    };
    if (spec.root != BezierEnd::free) hold(0, bernstein(n, 0, 0.0));
    if (spec.root == BezierEnd::clamped || spec.root == BezierEnd::as_printed) hold(1, rotation(0, 0.0));
    if (spec.root == BezierEnd::as_printed) hold(2, rotation(1, 0.0));
    if (spec.tip != BezierEnd::free) hold(n, bernstein(n, 0, 1.0));
    if (spec.tip == BezierEnd::clamped) hold(n - 1, rotation(0, spec.beam.length));
    return solved_for(n, held, conditions);
  }

  static Control rotation_control(const BezierBeamSpec& spec) {
    std::vector<int> held;
    if (spec.root == BezierEnd::clamped || spec.root == BezierEnd::as_printed) held.push_back(0);
    if (spec.root == BezierEnd::as_printed) held.push_back(1);
    if (spec.tip == BezierEnd::clamped) held.push_back(spec.degree);
    return without(spec.degree, held);
  }

  bool along_y_;
  int degree_;
  bool independent_;
  double compliance_;  ///< EI/(kappa G A) at mid-length (m^2)
  Polynomial deflection_, rotation_;
};

/// Stretching or twisting.
Polynomial bar(const BezierBeamSpec& spec) {
  std::vector<int> held;
  if (spec.root != BezierEnd::free) held.push_back(0);
  if (spec.root == BezierEnd::as_printed) held.push_back(1);
  if (spec.tip == BezierEnd::clamped) held.push_back(spec.degree);
  return {spec.degree, spec.beam.length, without(spec.degree, held)};
}

/// As many control values of one field are held at most.
int held_values(const BezierBeamSpec& spec) {
  const bool eliminated = spec.shear == BezierShear::eliminated && (spec.bends_along_y || spec.bends_along_z);
  int held = 0;
  if (spec.root == BezierEnd::pinned) held = 1;
  if (spec.root == BezierEnd::clamped) held = eliminated ? 2 : 1;
  if (spec.root == BezierEnd::as_printed) held = eliminated ? 3 : 2;
  if (spec.tip == BezierEnd::pinned) held += 1;
  if (spec.tip == BezierEnd::clamped) held += eliminated ? 2 : 1;
  return held;
}

void check(const std::string& link, const BezierBeamSpec& spec) {
  const auto fail = [&link](const std::string& message) {
    throw MechanismError(link, fmt::format("link '{}': {}", link, message));
  };
  check_straight(link, spec.beam);
  check_sections(link, spec.beam.stations, {spec.bends_along_y, spec.bends_along_z, spec.twists, spec.stretches});
  if (spec.tip == BezierEnd::as_printed) fail("the printed end condition is one of the root; leave the tip free");
  const int least = std::max(1, held_values(spec));
  if (spec.degree < least || spec.degree > 30)
    fail(fmt::format("a Bezier beam of degree {} does not work with these end conditions; use {} to 30", spec.degree,
                     least));
}

RitzShapes bezier_fields(const std::string& link, const BezierBeamSpec& spec) {
  RitzShapes shapes;
  std::vector<Bending> planes;
  if (spec.bends_along_y) planes.emplace_back(link, spec, true);
  if (spec.bends_along_z) planes.emplace_back(link, spec, false);
  for (const Bending& plane : planes) plane.add_names(shapes.names);
  const Polynomial along = bar(spec);
  if (spec.twists)
    for (const int i : along.kept()) shapes.names.push_back(fmt::format("twist {}", i));
  if (spec.stretches)
    for (const int i : along.kept()) shapes.names.push_back(fmt::format("stretching {}", i));

  const auto count = static_cast<int>(shapes.names.size());
  shapes.at = [planes, along, twists = spec.twists, stretches = spec.stretches, count](double s) {
    RitzFields fields(count);
    int first = 0;
    for (const Bending& plane : planes) {
      plane.put(s, first, fields);
      first += plane.count();
    }
    if (twists) {
      fields.rotation.row(0).segment(first, along.count()) = along.derivative(0, s);
      fields.strain.row(3).segment(first, along.count()) = along.derivative(1, s);
      first += along.count();
    }
    if (stretches) {
      fields.displacement.row(0).segment(first, along.count()) = along.derivative(0, s);
      fields.strain.row(0).segment(first, along.count()) = along.derivative(1, s);
    }
    return fields;
  };
  shapes.gauss_points = spec.degree + 2;  // two polynomials, the place and a linear section: degree 2 n + 2
  shapes.free_shear = spec.shear == BezierShear::independent;
  return shapes;
}

}  // namespace

ElasticModel bezier_beam_model(const std::string& link, const BezierBeamSpec& spec) {
  check(link, spec);
  return ritz_model(link, spec.beam, bezier_fields(link, spec));
}

}  // namespace lithe

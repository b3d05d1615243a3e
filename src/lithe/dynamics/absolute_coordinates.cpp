#include "lithe/dynamics/absolute_coordinates.hpp"

#include <algorithm>
#include <limits>

namespace lithe::detail {

namespace {

/// Weight of the equations against the inertia. The iteration gains about as many digits per pass as this has, while
/// rounding in the matrix costs as many: the square root of what a double holds, minus what the masses differ by.
constexpr double equation_weight = 1e6;

constexpr int most_passes = 40;
constexpr double still_converging = 0.25;  ///< a pass that gains less than this has come to rounding
constexpr double not_converged = 1e-6;     ///< a last step of this size, relative: the equations contradict each other

Eigen::Matrix<double, 2, 1> euler_parameters(const Planar::Rotation& r) {
  // Half angles, from the larger of the two so that no digits are lost.
  if (r.c >= 0.0) {
    const double cosine = std::sqrt(0.5 * (1.0 + r.c));
    return {cosine, 0.5 * r.s / cosine};
  }
  const double sine = std::sqrt(0.5 * (1.0 - r.c));
  return {0.5 * r.s / sine, sine};
}
Eigen::Matrix<double, 4, 1> euler_parameters(const Spatial::Rotation& r) {
  const Quat q(r);
  return {q.w(), q.x(), q.y(), q.z()};
}

// omega = spin e', ground axes.
Eigen::Matrix<double, 1, 2> spin_matrix(const Eigen::Matrix<double, 2, 1>& e) { return {-2.0 * e[1], 2.0 * e[0]}; }
Eigen::Matrix<double, 3, 4> spin_matrix(const Eigen::Matrix<double, 4, 1>& e) {
  Eigen::Matrix<double, 3, 4> m;
  m << -e[1], e[0], -e[3], e[2],  //
      -e[2], e[3], e[0], -e[1],   //
      -e[3], -e[2], e[1], e[0];
  return 2.0 * m;
}

Planar::Moment2 turned_moment(const Planar::Rotation&, double j) { return j; }
Spatial::Moment2 turned_moment(const Spatial::Rotation& r, const Mat3& j) { return r * j * r.transpose(); }

template <class S>
typename AbsoluteCoordinates<S>::ScrewVector twist_of(const typename S::Angular& n, const typename S::Linear& f,
                                                      double length) {
  typename AbsoluteCoordinates<S>::ScrewVector x;
  x << S::column(n), f / length;
  return x;
}

}  // namespace

template <class S>
AbsoluteCoordinates<S>::AbsoluteCoordinates(const Kernel<S>& k)
    : length_(k.compiled.length), body_of_node_(k.nodes.size(), -1), owners_(k.nv) {
  for (const LinkPlace& link : k.compiled.links)
    if (link.node >= 0) body_of_node_[link.node] = 0;
  double heaviest = 0.0;
  for (std::size_t i = 0; i < k.nodes.size(); ++i) {
    if (body_of_node_[i] < 0) continue;
    const NodeTable<S>& node = k.tables.nodes[i];
    Body body;
    body.node = static_cast<int>(i);
    body.at = size_;
    const int number = body_of_node_[i] = static_cast<int>(bodies_.size());
    body.held = {number, node.inboard};
    if (node.kind == NodeKind::elastic) {
      body.elastic = node.body;
      body.elastic_v = node.v;
      body.size += node.nv;
      for (int j = 0; j < node.nv; ++j) owners_[node.v + j] = {number, -1, j};
    }
    int inner = body.node;
    for (;; inner = k.tables.nodes[inner].parent) {
      if (k.tables.nodes[inner].kind != NodeKind::elastic && k.tables.nodes[inner].kind != NodeKind::fixed)
        body.chain.insert(body.chain.begin(), inner);
      const int parent = k.tables.nodes[inner].parent;
      if (parent < 0 || body_of_node_[parent] >= 0) break;
    }
    const int parent = k.tables.nodes[inner].parent;
    body.holder = {parent < 0 ? -1 : body_of_node_[parent], k.tables.nodes[inner].mount};
    for (const int part : body.chain)
      for (int j = 0; j < k.tables.nodes[part].nv; ++j) {
        owners_[k.tables.nodes[part].v + j] = {number, static_cast<int>(body.speeds.size()), -1};
        body.speeds.push_back(k.tables.nodes[part].v + j);
      }
    const int joint_speeds = static_cast<int>(body.speeds.size());
    body.free.setZero(joint_speeds, screw);
    body.fixed.setZero(screw - joint_speeds, screw);
    body.inertia.setZero(body.size, body.size);
    size_ += body.size;
    heaviest = std::max({heaviest, node.mass * length_ * length_, S::square(node.second).cwiseAbs().maxCoeff()});
    bodies_.push_back(std::move(body));
  }
  for (const Armature& armature : k.compiled.armatures) heaviest = std::max(heaviest, armature.inertia);
  weight_ = equation_weight * (heaviest > 0.0 ? heaviest : 1.0);
  for (VectorX* x : {&force_, &solution_, &residual_}) x->setZero(size_);
  first_.resize(size_);
  first_of_body_.resize(bodies_.size());
}

template <class S>
void AbsoluteCoordinates<S>::place_body(Kernel<S>& k, Body& body) {
  const NodeTable<S>& node = k.tables.nodes[body.node];
  const NodeState<S>& s = k.nodes[body.node];
  body.e = euler_parameters(s.world_rotation);
  body.spin = spin_matrix(body.e);
  const bool bends = body.elastic >= 0;
  const typename S::Linear first = S::turn(s.world_rotation, bends ? k.bodies[body.elastic].first : node.first);
  const typename S::Moment2 second =
      turned_moment(s.world_rotation, bends ? k.bodies[body.elastic].second : node.second);
  MatrixX& M = body.inertia;
  M.topLeftCorner(linear, linear) = node.mass * Eigen::Matrix<double, linear, linear>::Identity();
  const Eigen::Matrix<double, linear, angular> swing = S::swing_matrix(first);
  M.block(0, linear, linear, euler).noalias() = swing * body.spin;
  M.block(linear, 0, euler, linear) = M.block(0, linear, linear, euler).transpose();
  const Eigen::Matrix<double, angular, euler> turned = S::square(second) * body.spin;
  M.block(linear, linear, euler, euler).noalias() = body.spin.transpose() * turned;
  if (!bends) return;
  const BodyState<S>& b = k.bodies[body.elastic];
  const BodyTable<S>& table = k.tables.bodies[body.elastic];
  for (int j = 0; j < table.count; ++j) {
    const typename S::Linear moved = S::turn(s.world_rotation, b.translation.col(j));
    const Eigen::Matrix<double, angular, 1> about =
        S::column(S::turn_angular(s.world_rotation, S::from_column(b.rotation.col(j))));
    M.col(rigid + j).head(linear) = moved;
    M.col(rigid + j).segment(linear, euler) = body.spin.transpose() * about;
    M.row(rigid + j).head(rigid) = M.col(rigid + j).head(rigid).transpose();
  }
  M.bottomRightCorner(table.count, table.count) = table.mass;
  for (Eigen::Index r = 0; r < b.square.cols(); ++r)
    for (int i = 0; i < table.count; ++i)
      for (int j = 0; j < table.count; ++j) M(rigid + i, rigid + j) += b.square(i, r) * b.square(j, r);
}

// The unit twists of the joint speeds, by Gram and Schmidt: s = q r gives the speeds r^-1 q^T of a relative twist, and what is left
// of the unit vectors the directions that the joint forbids.
template <class S>
void AbsoluteCoordinates<S>::place_joint(const Kernel<S>& k, Body& body) {
  const NodeState<S>& own = k.nodes[body.node];
  body.point = own.world_position;
  if (body.held.mount >= 0) body.point += S::turn(own.world_rotation, k.mounts[body.held.mount].position);
  const int count = static_cast<int>(body.speeds.size());
  Eigen::Matrix<double, screw, screw> q, r;
  r.setZero();
  int at = 0;
  const auto take = [&](const typename S::Angular& n, const typename S::Linear& f) {
    ScrewVector s = twist_of<S>(n, f, length_);
    // Twice is enough.
    for (int pass = 0; pass < 2; ++pass)
      for (int i = 0; i < at; ++i) {
        const double along = q.col(i).dot(s);
        r(i, at) += along;
        s -= along * q.col(i);
      }
    r(at, at) = s.norm();
    q.col(at) = s / std::max(r(at, at), tolerance::smallest);
    ++at;
  };
  for (const int part : body.chain) {
    const NodeTable<S>& node = k.tables.nodes[part];
    const NodeState<S>& s = k.nodes[part];
    const typename S::Linear arm = body.point - s.world_position;
    if (node.kind == NodeKind::revolute) {
      const typename S::Angular axis = S::turn_angular(s.world_rotation, S::turn_axis(node.sign));
      take(axis, S::spin(axis, arm));
    } else if (node.kind == NodeKind::prismatic) {
      take(S::zero_angular(), S::slide_axis(s.world_rotation));
    } else if constexpr (!S::planar) {
      const typename S::Rotation axes = s.world_rotation * k.spherical_axes[part];
      for (int j = 0; j < 3; ++j) take(axes.col(j), axes.col(j).cross(arm));
    }
  }
  for (int i = count - 1; i >= 0; --i) {
    body.free.row(i) = q.col(i).transpose();
    for (int j = i + 1; j < count; ++j) body.free.row(i) -= r(i, j) * body.free.row(j);
    body.free.row(i) /= std::max(r(i, i), tolerance::smallest);
  }
  for (; at < screw; ++at) {
    ScrewVector best = ScrewVector::Zero();
    for (int axis = 0; axis < screw; ++axis) {
      ScrewVector rest = ScrewVector::Unit(axis);
      for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < at; ++i) rest -= q.col(i).dot(rest) * q.col(i);
      if (rest.squaredNorm() > best.squaredNorm()) best = rest;
    }
    q.col(at) = best.normalized();
    body.fixed.row(at - count) = q.col(at).transpose();
  }
}

template <class S>
void AbsoluteCoordinates<S>::place(Kernel<S>& k) {
  update_world(k);
  update_bodies(k);
  coefficients_.clear();
  segments_.clear();
  rows_.clear();
  rotors_.clear();
  for (Body& body : bodies_) {
    place_body(k, body);
    place_joint(k, body);
  }
  for (const Armature& armature : k.compiled.armatures) add_speed(k, begin(rotors_, armature.inertia), armature.v, 1.0);
}

template <class S>
typename AbsoluteCoordinates<S>::Row& AbsoluteCoordinates<S>::begin(std::vector<Row>& rows, double target) {
  rows.push_back({static_cast<int>(segments_.size()), 0, target});
  return rows.back();
}

template <class S>
void AbsoluteCoordinates<S>::add_segment(Row& row, int body, int at, int size) {
  segments_.push_back({body, at, size, static_cast<int>(coefficients_.size())});
  coefficients_.resize(coefficients_.size() + static_cast<std::size_t>(size));
  ++row.count;
}

/// What the motion of one body adds to n . angular + f . linear at a point of it.
template <class S>
void AbsoluteCoordinates<S>::add_side(const Kernel<S>& k, Row& row, const Place& place, const typename S::Linear& point,
                                      const Screw<S>& d, double sign) {
  if (place.body < 0) return;
  const Body& body = bodies_[place.body];
  const NodeState<S>& s = k.nodes[body.node];
  const bool bends = place.mount >= 0;
  add_segment(row, place.body, body.at, bends ? body.size : rigid);
  double* x = coefficients_.data() + segments_.back().first;
  for (int i = 0; i < linear; ++i) x[i] = sign * d.f[i];
  const Eigen::Matrix<double, angular, 1> about = S::column(d.n + S::moment(point - s.world_position, d.f));
  for (int i = 0; i < euler; ++i) x[linear + i] = sign * body.spin.col(i).dot(about);
  if (!bends) return;
  const MountState<S>& m = k.mounts[place.mount];
  const typename S::Linear f = S::turn_back(s.world_rotation, d.f);
  const typename S::Linear from_mount = S::turn_back(s.world_rotation, point - s.world_position) - m.position;
  const Eigen::Matrix<double, angular, 1> n =
      S::column(S::turn_back_angular(s.world_rotation, d.n) + S::moment(from_mount, f));
  for (int j = 0; j < body.size - rigid; ++j) x[rigid + j] = sign * (m.shape.col(j).dot(f) + m.turn.col(j).dot(n));
}

/// factor times d . (motion of a body against the one that carries it), d scaled as twists are.
template <class S>
void AbsoluteCoordinates<S>::add_relative(const Kernel<S>& k, Row& row, const Body& body, const ScrewVector& d,
                                          double factor) {
  const Eigen::Matrix<double, angular, 1> n = d.template head<angular>();
  const Screw<S> direction{S::from_column(n), d.template tail<linear>() / length_};
  add_side(k, row, body.held, body.point, direction, factor);
  add_side(k, row, body.holder, body.point, direction, -factor);
}

template <class S>
void AbsoluteCoordinates<S>::add_speed(const Kernel<S>& k, Row& row, int speed, double factor) {
  const Owner& owner = owners_[speed];
  const Body& body = bodies_[owner.body];
  if (owner.elastic >= 0) {
    add_segment(row, owner.body, body.at + rigid + owner.elastic, 1);
    coefficients_.back() = factor;
  } else {
    add_relative(k, row, body, body.free.row(owner.joint).transpose(), factor);
  }
}

template <class S>
void AbsoluteCoordinates<S>::require_joints(const Kernel<S>& k) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    Row& unit = begin(rows_, 0.0);
    add_segment(unit, static_cast<int>(b), body.at + linear, euler);
    std::copy_n(body.e.data(), euler, coefficients_.end() - euler);
    for (Eigen::Index r = 0; r < body.fixed.rows(); ++r)
      add_relative(k, begin(rows_, 0.0), body, body.fixed.row(r).transpose(), 1.0);
  }
}

template <class S>
void AbsoluteCoordinates<S>::require_cut_row(const Kernel<S>& k, int index, int number, double target) {
  const CutTable<S>& cut = k.tables.cuts[index];
  const CutState<S>& s = k.cuts[index];
  const RowSpec& spec = cut.rows[number];
  const bool is_distance = spec.kind == RowSpec::Kind::distance;
  Screw<S> d;
  const typename S::Linear axis = S::axis(s.rotation1, spec.i);
  if (is_distance)
    d.f = axis / length_;
  else
    d.n = S::moment(S::axis(s.rotation2, spec.j), axis);
  const auto place_of = [&](const AnchorTable<S>& anchor) {
    return Place{anchor.node < 0 ? -1 : body_of_node_[anchor.node], anchor.mount};
  };
  Row& row = begin(rows_, is_distance ? target / length_ : target);
  add_side(k, row, place_of(cut.to), s.position2, d, 1.0);
  add_side(k, row, place_of(cut.from), s.position2, d, -1.0);
}

template <class S>
void AbsoluteCoordinates<S>::begin_tie(double target) {
  begin(rows_, target);
}

template <class S>
void AbsoluteCoordinates<S>::tie(const Kernel<S>& k, int speed, double factor) {
  add_speed(k, rows_.back(), speed, factor);
}

template <class S>
double AbsoluteCoordinates<S>::times(const Row& row, const VectorX& x) const {
  double sum = 0.0;
  for (int s = row.first; s < row.first + row.count; ++s) {
    const Segment& segment = segments_[s];
    for (int i = 0; i < segment.size; ++i) sum += coefficients_[segment.first + i] * x[segment.at + i];
  }
  return sum;
}

template <class S>
void AbsoluteCoordinates<S>::add_transposed(const Row& row, double factor, VectorX& x) const {
  for (int s = row.first; s < row.first + row.count; ++s) {
    const Segment& segment = segments_[s];
    for (int i = 0; i < segment.size; ++i) x[segment.at + i] += factor * coefficients_[segment.first + i];
  }
}

template <class S>
void AbsoluteCoordinates<S>::set_forces(const Kernel<S>& k, const VectorX& needed, const VectorX& tau) {
  force_.setZero();
  for (const Body& body : bodies_) {
    const NodeState<S>& s = k.nodes[body.node];
    const Eigen::Matrix<double, angular, 1> moment = S::column(S::turn_angular(s.world_rotation, s.moment));
    force_.segment(body.at, linear) -= S::turn(s.world_rotation, s.force);
    force_.segment(body.at + linear, euler).noalias() -= body.spin.transpose() * moment;
    for (int j = 0; j < body.size - rigid; ++j) {
      const int v = body.elastic_v + j;
      force_[body.at + rigid + j] += tau[v] - needed[v];
    }
  }
  // The equations begin after what is used here, and then taken off again.
  const std::size_t segments = segments_.size(), coefficients = coefficients_.size();
  for (const Body& body : bodies_)
    for (std::size_t j = 0; j < body.speeds.size(); ++j) {
      const double strength = tau[body.speeds[j]];
      if (strength == 0.0) continue;
      Row row{static_cast<int>(segments_.size()), 0, 0.0};
      add_speed(k, row, body.speeds[j], 1.0);
      add_transposed(row, strength, force_);
    }
  segments_.resize(segments);
  coefficients_.resize(coefficients);
}

template <class S>
void AbsoluteCoordinates<S>::add_square(const Row& row, double weight) {
  for (int s = row.first; s < row.first + row.count; ++s)
    for (int t = row.first; t < row.first + row.count; ++t) {
      const Segment &below = segments_[s], &left = segments_[t];
      if (left.body > below.body) continue;
      for (int i = 0; i < below.size; ++i) {
        const double share = weight * coefficients_[below.first + i];
        const int at = below.at + i, end = std::min(left.size, at + 1 - left.at);
        for (int j = 0; j < end; ++j) matrix_(at, left.at + j) += share * coefficients_[left.first + j];
      }
    }
}

template <class S>
void AbsoluteCoordinates<S>::inertia_times(const VectorX& x, VectorX& result) const {
  for (const Body& body : bodies_)
    result.segment(body.at, body.size).noalias() = body.inertia * x.segment(body.at, body.size);
  for (const Row& rotor : rotors_) add_transposed(rotor, rotor.target * times(rotor, x), result);
}

template <class S>
int AbsoluteCoordinates<S>::factor(const Kernel<S>&) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) first_of_body_[b] = bodies_[b].at;
  const auto reach = [&](const Row& row) {
    int lowest = size_;
    for (int s = row.first; s < row.first + row.count; ++s) lowest = std::min(lowest, bodies_[segments_[s].body].at);
    for (int s = row.first; s < row.first + row.count; ++s)
      first_of_body_[segments_[s].body] = std::min(first_of_body_[segments_[s].body], lowest);
  };
  for (const Row& row : rows_) reach(row);
  for (const Row& row : rotors_) reach(row);
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    std::fill_n(first_.begin() + bodies_[b].at, bodies_[b].size, first_of_body_[b]);
  matrix_.shape(first_);
  for (const Body& body : bodies_)
    for (int i = 0; i < body.size; ++i)
      for (int j = 0; j <= i; ++j) matrix_(body.at + i, body.at + j) = body.inertia(i, j);
  for (const Row& row : rows_) add_square(row, weight_);
  for (const Row& rotor : rotors_) add_square(rotor, rotor.target);
  return matrix_.factor();
}

// (M + w Phi^T Phi) dx = force - M x - Phi^T (lambda + w (Phi x - targets)),  lambda += w (Phi x - targets): with M x of the pass before
// in place of force - Phi^T lambda this is Bayo and Ledesma's iteration; written with the residual it mends rounding as well.
template <class S>
bool AbsoluteCoordinates<S>::iterate() {
  if (lambda_.size() != std::ssize(rows_))
    lambda_.resize(std::ssize(rows_));
  lambda_.setZero();
  solution_.setZero();
  double before = std::numeric_limits<double>::infinity(), largest = 0.0, step = 0.0;
  for (int pass = 0; pass < most_passes; ++pass) {
    inertia_times(solution_, residual_);
    residual_ = force_ - residual_;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const Eigen::Index i = static_cast<Eigen::Index>(r);
      const double violation = weight_ * (times(rows_[r], solution_) - rows_[r].target);
      if (pass > 0) lambda_[i] += violation;
      add_transposed(rows_[r], -lambda_[i] - violation, residual_);
    }
    matrix_.solve(residual_.data());
    solution_ += residual_;
    step = residual_.norm();
    largest = std::max(largest, step);  // not the solution, which may be nothing but rounding
    if (step == 0.0 || (pass > 1 && step > still_converging * before)) break;
    before = step;
  }
  return step <= not_converged * largest;
}

template <class S>
void AbsoluteCoordinates<S>::tree_part(const Kernel<S>& k, VectorX& a) const {
  // Motion of a place on a body, at a point of it.
  const auto motion = [&](const Place& place, const typename S::Linear& point) {
    ScrewVector twist = ScrewVector::Zero();
    if (place.body < 0) return twist;
    const Body& body = bodies_[place.body];
    const NodeState<S>& s = k.nodes[body.node];
    Eigen::Matrix<double, angular, 1> turn = body.spin * solution_.segment<euler>(body.at + linear);
    typename S::Linear move =
        solution_.segment<linear>(body.at) + S::spin(S::from_column(turn), point - s.world_position);
    if (place.mount >= 0) {
      const MountState<S>& m = k.mounts[place.mount];
      typename S::Linear slide = S::Linear::Zero();
      Eigen::Matrix<double, angular, 1> spin = Eigen::Matrix<double, angular, 1>::Zero();
      for (int j = 0; j < body.size - rigid; ++j) {
        slide += m.shape.col(j) * solution_[body.at + rigid + j];
        spin += m.turn.col(j) * solution_[body.at + rigid + j];
      }
      const typename S::Linear from_mount = S::turn_back(s.world_rotation, point - s.world_position) - m.position;
      move += S::turn(s.world_rotation, slide + S::spin(S::from_column(spin), from_mount));
      turn += S::column(S::turn_angular(s.world_rotation, S::from_column(spin)));
    }
    twist << turn, move / length_;
    return twist;
  };
  for (const Body& body : bodies_) {
    const ScrewVector relative = motion(body.held, body.point) - motion(body.holder, body.point);
    for (std::size_t j = 0; j < body.speeds.size(); ++j)
      a[body.speeds[j]] = body.free.row(static_cast<Eigen::Index>(j)).dot(relative);
    for (int j = 0; j < body.size - rigid; ++j) a[body.elastic_v + j] = solution_[body.at + rigid + j];
  }
}

template <class S>
int AbsoluteCoordinates<S>::speed_of(int coordinate) const {
  for (const Body& body : bodies_) {
    if (coordinate >= body.at + body.size) continue;
    if (coordinate >= body.at + rigid) return body.elastic_v + coordinate - body.at - rigid;
    if (!body.speeds.empty()) return body.speeds.front();
  }
  return 0;
}

template class AbsoluteCoordinates<Spatial>;
template class AbsoluteCoordinates<Planar>;

}  // namespace lithe::detail

#include "lithe/analysis/rich_motions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/dynamics/forward.hpp"
#include "lithe/dynamics/inverse.hpp"
#include "lithe/errors.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe::detail {

namespace {

constexpr double rigid_motion = 1e-2;  ///< of the lowest frequency of a link: slower motions are not vibrations

/// Unit vectors that stand on all rows of `a`, as columns.
MatrixX null_space(const MatrixX& a) {
  if (a.rows() == 0) return MatrixX::Identity(a.cols(), a.cols());
  Eigen::ColPivHouseholderQR<MatrixX> qr;
  qr.setThreshold(tolerance::rank_of_constraints);
  qr.compute(a.transpose());
  const Eigen::Index left = a.cols() - qr.rank();
  MatrixX unit = MatrixX::Zero(a.cols(), left);
  unit.bottomRows(left).setIdentity();
  return qr.householderQ() * unit;
}

bool is_elastic(const Mechanism& mechanism, int link) { return mechanism.links[link].elastic.count() > 0; }

/// Directions about which a joint passes a moment from one link to the other, ground axes.
bool passes_moment(const Joint& joint, const Mat3& from, const Vec3& direction) {
  if (joint.facts().rotations() == 0) return true;
  return joint.facts().rotations() == 1 && std::abs((from * joint.axis).dot(direction)) < 0.99;
}

void add_once(std::vector<FrameRef>& frames, const FrameRef& frame) {
  if (frame.link > 0 && std::find(frames.begin(), frames.end(), frame) == frames.end()) frames.push_back(frame);
}

}  // namespace

RichMotions::RichMotions(const Plan& plan, Workspace& work, const VectorX& q, const std::vector<ShapeLink>& links,
                         const ShapeWishes& wishes)
    : links_(links), ratio_(wishes.ratio) {
  const Mechanism& mechanism = plan.mechanism();
  std::vector<bool> is_chosen(plan.nv(), false);
  slowest_ = std::numeric_limits<double>::infinity();
  for (const ShapeLink& link : links_) {
    const ElasticPlace& place = plan.elastic_places()[link.link];
    first_.push_back(place.v);
    counts_.push_back(place.count);
    std::fill_n(is_chosen.begin() + place.v, place.count, true);
    slowest_ = std::min(slowest_, rigid_motion * mechanism.links[link.link].elastic.frequencies[0]);
  }
  scale_.resize(plan.nv());
  for (int v = 0; v < plan.nv(); ++v) {
    scale_[v] = plan.speed_scale(v);
    if (!is_chosen[v]) others_.push_back(v);
  }
  tree_inertia(plan, work, q, mass_);
  closure_jacobian(plan, work, q, closures_);
  actuated_ = plan.actuated_speeds();
  motors_ = speed_jacobian(plan, work, q, actuated_);
  holdable_ = actuated_;
  for (const int speed : wishes.sticking)
    if (std::find(holdable_.begin(), holdable_.end(), speed) == holdable_.end()) holdable_.push_back(speed);
  holds_ = has_sticking() ? speed_jacobian(plan, work, q, holdable_) : motors_;
  add_stiffness(plan, work, q);

  watch(plan, work, q, wishes);
  if (plan.is_planar()) {
    const Vec3 normal = plan.plane_normal(), across = normal.unitOrthogonal();
    directions_ = {across, normal.cross(across)};
    turns_ = {normal};
  } else {
    directions_ = turns_ = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  }
  add_given_loads(plan, work, q, wishes);
  add_motor_loads(plan, wishes);
  add_inertia_loads(plan, work, q, wishes.deflection);
  add_joint_loads(plan, work, q, wishes.deflection);
  add_loads_on_recorded_frames(wishes);
  place_families(plan.nv());
  add_states(plan, wishes);
}

/// Weight, and the loads of the model.
void RichMotions::add_given_loads(const Plan& plan, Workspace& work, const VectorX& q, const ShapeWishes& wishes) {
  State still;
  still.q = q;
  still.v = VectorX::Zero(plan.nv());
  VectorX weight;
  tree_inverse_dynamics(plan, work, still, VectorX::Zero(plan.nv()), Actions(plan), weight);
  if (plan.mechanism().gravity.norm() > 0) families_.push_back({{-weight}, true, wishes.deflection});
  for (std::size_t i = 0; i < wishes.loads.size(); ++i) {
    const ShapeWishes::Load& load = wishes.loads[i];
    Actions actions(plan);
    if (load.port >= 0) actions.loads[load.port] = {load.moment, load.force};
    if (load.line >= 0) actions.line_loads[load.line] = {load.force, load.end_force};
    VectorX needed;
    tree_inverse_dynamics(plan, work, still, VectorX::Zero(plan.nv()), actions, needed);
    // Forces of one load are of one size, and so are its moments.
    const auto goes_on = [&](const ShapeWishes::Load& before) {
      return before.port == load.port && before.line == load.line &&
             before.moment.isZero(0.0) == load.moment.isZero(0.0);
    };
    if (i == 0 || !goes_on(wishes.loads[i - 1])) families_.push_back({{}, true, wishes.deflection});
    families_.back().loads.push_back(weight - needed);
  }
}

/// Torques of motors, and forces.
void RichMotions::add_motor_loads(const Plan& plan, const ShapeWishes& wishes) {
  for (const bool turns : {true, false}) {
    LoadFamily family{{}, true, wishes.deflection};
    family.is_motor = true;
    family.sets_in_smoothly = !wishes.motors_jump;
    for (std::size_t i = 0; i < actuated_.size(); ++i)
      if (turns != plan.slides(actuated_[i]))
        family.loads.push_back(motors_.row(static_cast<Eigen::Index>(i)).transpose());
    if (!family.loads.empty()) families_.push_back(std::move(family));
  }
}

void RichMotions::add_loads_on_recorded_frames(const ShapeWishes& wishes) {
  for (int f = 0; f < recorded_; ++f) {
    LoadFamily family{{}, false, wishes.compliance, {f}};
    family.is_internal = family.is_self = true;
    for (const Vec3& direction : directions_)
      family.loads.push_back(watched_.middleRows(3 * f, 3).transpose() * (mass_of_links_ * direction));
    families_.push_back(std::move(family));
  }
}

/// Where the deflections of each family are looked at, and its loads as columns of a matrix.
void RichMotions::place_families(int speeds) {
  // Ringing is looked at where the user looks and in the middle of links, static deflections also at joints.
  const int all = watched();
  for (LoadFamily& family : families_) {
    for (int f = 0; f < all && !family.is_self; ++f)
      if (!family.acts_suddenly || f < recorded_ || f >= first_middle_) family.places.push_back(f);
    family.matrix.resize(speeds, std::ssize(family.loads));
    for (std::size_t i = 0; i < family.loads.size(); ++i)
      family.matrix.col(static_cast<Eigen::Index>(i)) = family.loads[i];
  }
}

/// Where deflections are looked at: recorded frames first, then those at which something acts, then a point in the
/// middle of every link, so that its bending counts although nobody records it.
void RichMotions::watch(const Plan& plan, Workspace& work, const VectorX& q, const ShapeWishes& wishes) {
  const Mechanism& mechanism = plan.mechanism();
  std::vector<FrameRef> frames;
  for (const FrameRef& frame : wishes.recorded) add_once(frames, frame);
  recorded_ = static_cast<int>(frames.size());
  for (const Joint& joint : mechanism.joints)
    if (is_elastic(mechanism, joint.from.link) || is_elastic(mechanism, joint.to.link)) add_once(frames, joint.to);
  for (const ShapeWishes::Load& load : wishes.loads)
    if (load.port >= 0) add_once(frames, mechanism.loads[load.port].at);
  watched_.resize(3 * static_cast<Eigen::Index>(frames.size() + links_.size()), plan.nv());
  MatrixX jacobian;
  Eigen::Index row = 0;
  for (const FrameRef& frame : frames) {
    frame_jacobian(plan, work, q, frame, jacobian);
    watched_.middleRows(row, 3) = jacobian.bottomRows(3);
    row += 3;
  }
  first_middle_ = static_cast<int>(row) / 3;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const LinkData& link = mechanism.links[links_[i].link];
    const Outline::Point* middle = nullptr;
    for (const Outline::Point& point : link.outline.points)
      if (middle == nullptr || (point.position - link.centre).norm() < (middle->position - link.centre).norm())
        middle = &point;
    if (middle == nullptr) continue;
    const Mat3 axes = frame_pose(plan, work, q, {links_[i].link, 0}).rotation;
    link_jacobian(plan, work, q, links_[i].link, jacobian);
    watched_.middleRows(row, 3) = jacobian.bottomRows(3) - skew(axes * middle->position) * jacobian.topRows(3);
    watched_.block(row, first_[i], 3, counts_[i]) += axes * middle->shape;
    row += 3;
  }
  watched_.conservativeResize(row, Eigen::NoChange);
  for (std::size_t i = 1; i < mechanism.links.size(); ++i) {
    mass_of_links_ += mechanism.links[i].mass;
    for (const Frame& frame : mechanism.links[i].frames) size_ = std::max(size_, frame.pose.position.norm());
  }
}

void RichMotions::add_stiffness(const Plan& plan, Workspace& work, const VectorX& q) {
  const Mechanism& mechanism = plan.mechanism();
  stiffness_.setZero(plan.nv(), plan.nv());
  damping_ = stiffness_;
  for (std::size_t i = 0; i < mechanism.links.size(); ++i) {
    const ElasticPlace& place = plan.elastic_places()[i];
    const ElasticData& elastic = mechanism.links[i].elastic;
    stiffness_.block(place.v, place.v, place.count, place.count) = elastic.stiffness;
    if (elastic.damping.rows() == place.count)
      damping_.block(place.v, place.v, place.count, place.count) = elastic.damping;
  }
  MatrixX cut, a, b;
  cut_jacobian(plan, work, q, cut);
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    const JointPlace& place = plan.places()[j];
    for (int k = 0; k < place.nv; ++k) {
      VectorX row = VectorX::Zero(plan.nv());
      if (place.cut)
        row = cut.row(place.v + k).transpose();
      else
        row[place.v + k] = 1.0;
      const auto at = static_cast<std::size_t>(k);
      if (at < joint.stiffness.size()) stiffness_ += joint.stiffness[at] * row * row.transpose();
      if (at < joint.damping.size()) damping_ += joint.damping[at] * row * row.transpose();
    }
  }
  for (const PointSpring& spring : mechanism.springs) {
    const Vec3 way = frame_pose(plan, work, q, spring.b).position - frame_pose(plan, work, q, spring.a).position;
    if (!(way.norm() > 0)) continue;
    frame_jacobian(plan, work, q, spring.a, a);
    frame_jacobian(plan, work, q, spring.b, b);
    const VectorX row = (b.bottomRows(3) - a.bottomRows(3)).transpose() * way.normalized();
    stiffness_ += spring.stiffness * row * row.transpose();
    damping_ += spring.damping * row * row.transpose();
  }
}

/// Accelerations of single links, as forces on all their mass: what motion does to links, whatever the motion.
void RichMotions::add_inertia_loads(const Plan& plan, Workspace& work, const VectorX& q, double allowed) {
  LoadFamily family{{}, true, allowed};
  family.is_inertia = family.sets_in_smoothly = true;
  MatrixX jacobian;
  for (std::size_t i = 1; i < plan.mechanism().links.size(); ++i) {
    const LinkData& link = plan.mechanism().links[i];
    if (!(link.mass > 0)) continue;
    link_jacobian(plan, work, q, static_cast<int>(i), jacobian);
    const Mat3 axes = frame_pose(plan, work, q, {static_cast<int>(i), 0}).rotation;
    const Vec3 centre = axes * link.centre;
    const ElasticPlace& place = plan.elastic_places()[i];
    for (const Vec3& direction : directions_) {
      VectorX load = jacobian.bottomRows(3).transpose() * (link.mass * direction) +
                     jacobian.topRows(3).transpose() * (link.mass * centre.cross(direction));
      if (place.count > 0)
        load.segment(place.v, place.count) += link.elastic.translation.transpose() * (axes.transpose() * direction);
      family.loads.push_back(std::move(load));
    }
    // Turning about the origin: as fast at its far end as the others are everywhere.
    double size = 0.0;
    for (const Frame& frame : link.frames) size = std::max(size, frame.pose.position.norm());
    if (!(size > 0)) continue;
    const Mat3 about_origin =
        axes * (link.inertia - link.mass * skew(link.centre) * skew(link.centre)) * axes.transpose();
    for (const Vec3& turn : turns_) {
      const Vec3 rate = turn / size;
      VectorX load = jacobian.bottomRows(3).transpose() * (link.mass * rate.cross(centre)) +
                     jacobian.topRows(3).transpose() * (about_origin * rate);
      if (place.count > 0)
        load.segment(place.v, place.count) += link.elastic.rotation.transpose() * (axes.transpose() * rate);
      family.loads.push_back(std::move(load));
    }
  }
  families_.push_back(std::move(family));
}

/// Forces and moments at the joints of elastic links: their compliance.
void RichMotions::add_joint_loads(const Plan& plan, Workspace& work, const VectorX& q, double allowed) {
  const Mechanism& mechanism = plan.mechanism();
  LoadFamily forces{{}, false, allowed};
  forces.is_internal = true;
  LoadFamily moments = forces;
  MatrixX jacobian;
  for (const Joint& joint : mechanism.joints) {
    if (joint.type == JointType::free) continue;
    const bool to = is_elastic(mechanism, joint.to.link);
    if (!to && !is_elastic(mechanism, joint.from.link)) continue;
    frame_jacobian(plan, work, q, to ? joint.to : joint.from, jacobian);
    const Mat3 from = frame_pose(plan, work, q, joint.from).rotation;
    for (const Vec3& direction : directions_)
      forces.loads.push_back(jacobian.bottomRows(3).transpose() * (mass_of_links_ * direction));
    for (const Vec3& turn : turns_)
      if (passes_moment(joint, from, turn))
        moments.loads.push_back(jacobian.topRows(3).transpose() * (mass_of_links_ * size_ * turn));
  }
  for (LoadFamily* family : {&forces, &moments})
    if (!family->loads.empty()) families_.push_back(std::move(*family));
}

void RichMotions::add_states(const Plan& plan, const ShapeWishes& wishes) {
  std::vector<int> prescribed = wishes.prescribed;
  std::sort(prescribed.begin(), prescribed.end());
  std::vector<int> all = plan.actuated_speeds();
  std::sort(all.begin(), all.end());
  states_.push_back({all, false, all == prescribed || wishes.holds_motors});
  if (!all.empty()) states_.push_back({{}, false, prescribed.empty()});
  if (!prescribed.empty() && prescribed != all) states_.push_back({prescribed, false, true});
  if (!has_sticking()) return;
  // Where friction or a stop holds a joint, the run goes on with other modes than where it moves.
  std::vector<int> held = holdable_;
  std::sort(held.begin(), held.end());
  states_.push_back({held, false, all == prescribed || wishes.holds_motors});
  if (all == prescribed) return;
  held = prescribed;
  held.insert(held.end(), holdable_.begin() + std::ssize(actuated_), holdable_.end());
  std::sort(held.begin(), held.end());
  states_.push_back({held, prescribed.empty(), true});
}

SpaceModes RichMotions::modes(const MotorState& state, const std::vector<MatrixX>* kept) const {
  // The space: other speeds as they are, links by what they keep.
  const Eigen::Index n = mass_.rows(), plain = std::ssize(others_);
  Eigen::Index columns = plain;
  for (std::size_t i = 0; i < links_.size(); ++i) columns += kept != nullptr ? (*kept)[i].cols() : counts_[i];
  MatrixX space = MatrixX::Zero(n, columns);
  for (Eigen::Index i = 0; i < plain; ++i) space(others_[i], i) = scale_[others_[i]];
  Eigen::Index at = plain;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Eigen::Index count = kept != nullptr ? (*kept)[i].cols() : counts_[i];
    if (kept != nullptr)
      space.block(first_[i], at, counts_[i], count) = (*kept)[i];
    else
      space.block(first_[i], at, count, count).setIdentity();
    at += count;
  }

  // Motions that closures and locked motors leave.
  MatrixX rows(closures_.rows() + std::ssize(state.locked), columns);
  rows.topRows(closures_.rows()) = closures_ * space;
  Eigen::Index row = closures_.rows();
  for (std::size_t i = 0; i < holdable_.size(); ++i)
    if (std::find(state.locked.begin(), state.locked.end(), holdable_[i]) != state.locked.end())
      rows.row(row++) = holds_.row(static_cast<Eigen::Index>(i)) * space;
  const MatrixX motions = space * null_space(MatrixX(rows.topRows(row)));

  SpaceModes modes;
  if (motions.cols() == 0) {
    modes.shapes.resize(n, 0);
    modes.places.resize(watched_.rows(), 0);
    return modes;
  }
  const MatrixX mass = motions.transpose() * (mass_ * motions),
                stiffness = motions.transpose() * (stiffness_ * motions);
  if (Eigen::LLT<MatrixX>(mass).info() != Eigen::Success)
    throw PhysicsError(
        "some motion of it has no inertia, as a beam without 'polar-inertia' that turns about its own axis");
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(stiffness, mass);
  const VectorX& squares = solver.eigenvalues();
  Eigen::Index rigid = 0;
  while (rigid < squares.size() && !(squares[rigid] > slowest_ * slowest_)) ++rigid;
  const Eigen::Index count = squares.size() - rigid;
  modes.rates = squares.tail(count).cwiseSqrt();
  modes.shapes = motions * solver.eigenvectors().rightCols(count);
  modes.places = watched_ * modes.shapes;
  modes.ratios.resize(count);
  const MatrixX damped = damping_ * modes.shapes;
  for (Eigen::Index i = 0; i < count; ++i)
    modes.ratios[i] = ratio_ + modes.shapes.col(i).dot(damped.col(i)) / (2 * modes.rates[i]);
  modes.highest = count > 0 ? modes.rates[count - 1] : 0.0;
  return modes;
}

}  // namespace lithe::detail

#include "lithe/dynamics/denoc_tree.hpp"

#include <algorithm>

namespace lithe::detail {

namespace {

/// Joints in an order in which every link comes after its inboard neighbour; open trees only.
std::vector<LegStep> outward_steps(const Mechanism& mechanism) {
  std::vector<LegStep> steps;
  std::vector<int> reached{0};
  std::vector<bool> used(mechanism.joints.size(), false);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
      const Joint& joint = mechanism.joints[j];
      if (used[j] || (joint.from.link != reached[i] && joint.to.link != reached[i])) continue;
      used[j] = true;
      const bool reversed = joint.to.link == reached[i];
      steps.push_back({static_cast<int>(j), reversed ? joint.from.link : joint.to.link, reversed});
      reached.push_back(steps.back().link);
    }
  }
  return steps;
}

/// B of Khan (20): the twist of a body read at a point `arm` away.
template <class S>
TwistVector<S> moved(const TwistVector<S>& twist, const typename S::Linear& arm) {
  return stacked<S>(angular<S>(twist), linear<S>(twist) + S::spin(angular<S>(twist), arm));
}

/// Its transpose: a wrench about the far end of `arm`, about the near end.
template <class S>
TwistVector<S> moved_back(const TwistVector<S>& wrench, const typename S::Linear& arm) {
  return stacked<S>(angular<S>(wrench) + S::moment(arm, linear<S>(wrench)), linear<S>(wrench));
}

}  // namespace

template <class S>
DenocTree<S>::DenocTree(const Compiled& compiled)
    : gravity_(linear_on_node<S>(compiled, -1, compiled.mechanism.gravity)) {
  std::vector<int> body_of_link(compiled.mechanism.links.size(), -1);
  std::vector<int> loaded;  // links joined by fixed joints share a node
  for (const LegStep& step : outward_steps(compiled.mechanism)) {
    const Joint& joint = compiled.mechanism.joints[step.joint];
    append_body(compiled, step, 1.0, columns_, bodies_);
    bodies_.back().takes_load = std::find(loaded.begin(), loaded.end(), bodies_.back().node) == loaded.end();
    if (bodies_.back().takes_load) loaded.push_back(bodies_.back().node);
    parent_.push_back(body_of_link[step.reversed ? joint.to.link : joint.from.link]);
    body_of_link[step.link] = static_cast<int>(bodies_.size()) - 1;
  }
  body_.resize(bodies_.size());
  column_.resize(columns_.size());
}

template <class S>
Status DenocTree<S>::forward(const Kernel<S>& kernel, const VectorX& v, const VectorX& force, VectorX& a) {
  move(kernel, v);
  if (const int bad = eliminate(kernel, force, a); bad >= 0) return {Status::Code::singular_inertia, bad, 0.0};
  accelerate(kernel, a);
  return {};
}

/// Twists and their bias, from the ground outwards.
template <class S>
void DenocTree<S>::move(const Kernel<S>& kernel, const VectorX& v) {
  const BodyState ground;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const LegBody<S>& body = bodies_[i];
    BodyState& s = body_[i];
    const BodyState& p = parent_[i] < 0 ? ground : body_[parent_[i]];
    s.rotation = world_rotation(kernel, body.node);
    s.centre = world_point<S>(kernel, body.node, body.centre);
    s.hinge = s.centre - world_point<S>(kernel, body.to_node, body.to_origin);
    const typename S::Linear arm = s.centre - p.centre;
    TwistVector<S> relative = TwistVector<S>::Zero();
    for (int k = body.first; k < body.first + body.count; ++k) {
      column_[k].p = generator_at(kernel, columns_[k], s.hinge);
      relative += column_[k].p * v[columns_[k].speed];
    }
    s.twist = moved<S>(p.twist, arm) + relative;

    const typename S::Angular inner = angular<S>(p.twist), outer = angular<S>(s.twist);
    const typename S::Linear drift = linear<S>(s.twist) - linear<S>(p.twist);
    s.bias.setZero();
    for (int k = body.first; k < body.first + body.count; ++k) {
      const typename S::Angular owner = columns_[k].turns_with_outboard ? outer : inner;
      s.bias += generator_rate<S>(columns_[k], column_[k].p, owner, s.hinge) * v[columns_[k].speed];
    }
    typename S::Linear hinge_rate = S::spin(outer, s.hinge);
    if (!body.to_outboard) hinge_rate = drift - S::spin(inner, arm - s.hinge);
    s.bias.template tail<S::linear_size>() += S::spin(inner, drift) + S::spin(angular<S>(relative), hinge_rate);
  }
}

/// Articulated masses and wrenches, from the tips to the ground. Returns a speed without inertia, or -1.
template <class S>
int DenocTree<S>::eliminate(const Kernel<S>& kernel, const VectorX& force, const VectorX& a) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    BodyState& s = body_[i];
    CompositeMass<S> own;
    own.mass = bodies_[i].mass;
    own.second = S::shift(bodies_[i].inertia, s.rotation, S::Linear::Zero(), S::Linear::Zero(), 0.0);
    for (int c = 0; c < twist_size<S>; ++c) s.mass.col(c) = own.times(TwistVector<S>::Unit(c));
    s.wrench = body_wrench<S>(bodies_[i], s.rotation, angular<S>(s.twist), S::zero_angular(), -gravity_);
    if (bodies_[i].takes_load && bodies_[i].node >= 0) s.wrench -= load_about(kernel, bodies_[i].node, s.centre);
  }
  for (std::size_t i = bodies_.size(); i-- > 0;) {
    BodyState& s = body_[i];
    for (int k = bodies_[i].first + bodies_[i].count - 1; k >= bodies_[i].first; --k) {
      ColumnState& column = column_[k];
      column.felt = s.mass * column.p;
      if (kernel.prescribed[columns_[k].speed]) {
        s.wrench += column.felt * a[columns_[k].speed];
        continue;
      }
      column.alpha = column.p.dot(column.felt) + columns_[k].armature;
      column.drive = force[columns_[k].speed] - column.p.dot(s.wrench);
      if (!(column.alpha > 0.0)) return columns_[k].speed;
      s.wrench += column.felt * (column.drive / column.alpha);
      s.mass -= column.felt * column.felt.transpose() / column.alpha;
    }
    if (parent_[i] < 0) continue;
    BodyState& p = body_[parent_[i]];
    const typename S::Linear arm = s.centre - p.centre;
    p.wrench += moved_back<S>(s.wrench + s.mass * s.bias, arm);
    TwistMatrix<S> carried;
    for (int c = 0; c < twist_size<S>; ++c) {
      carried.col(c) = moved_back<S>(s.mass * moved<S>(TwistVector<S>::Unit(c), arm), arm);
    }
    p.mass += carried;
  }
  return -1;
}

/// Joint accelerations, from the ground outwards.
template <class S>
void DenocTree<S>::accelerate(const Kernel<S>& kernel, VectorX& a) {
  const BodyState ground;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    BodyState& s = body_[i];
    const BodyState& p = parent_[i] < 0 ? ground : body_[parent_[i]];
    s.rate = moved<S>(p.rate, s.centre - p.centre) + s.bias;
    for (int k = bodies_[i].first; k < bodies_[i].first + bodies_[i].count; ++k) {
      const ColumnState& column = column_[k];
      double& acceleration = a[columns_[k].speed];
      if (!kernel.prescribed[columns_[k].speed]) acceleration = (column.drive - column.felt.dot(s.rate)) / column.alpha;
      s.rate += column.p * acceleration;
    }
  }
}

template class DenocTree<Spatial>;
template class DenocTree<Planar>;

}  // namespace lithe::detail

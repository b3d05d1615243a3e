#include "reproduce/beam_chain.hpp"

#include <fmt/format.h>

#include "reproduce/case_error.hpp"

namespace lithe::reproduce {
namespace {

constexpr double aligned = 1e-9;  ///< m and rad: what counts as standing at the joint

[[noreturn]] void refuse_chain(const std::string& why) {
  throw CaseError("the printed recursion is for a serial chain with revolute joints about the z axes of its links: " +
                  why);
}

/// The joints of the chain, from the ground to the last link.
std::vector<int> joints_in_order(const Mechanism& mechanism) {
  std::vector<int> order;
  for (int at = 0;;) {
    int next = -1;
    for (int j = 0; j < std::ssize(mechanism.joints); ++j) {
      if (mechanism.joints[j].from.link != at) continue;
      if (next >= 0) refuse_chain(fmt::format("link '{}' carries two joints", mechanism.links[at].name));
      next = j;
    }
    if (next < 0) break;
    order.push_back(next);
    at = mechanism.joints[next].to.link;
    if (order.size() > mechanism.joints.size()) refuse_chain("there is a loop");
  }
  if (order.size() != mechanism.joints.size() || order.size() + 1 != mechanism.links.size())
    refuse_chain("not all links follow each other");
  return order;
}

/// Integrals of products of position and shapes: int a~^T b~ = (int a . b) 1 - int b a^T.
Mat3 crossed_square(const Mat3& products) { return products.trace() * Mat3::Identity() - products.transpose(); }

void take_shapes(const LinkData& link, ChainLink& chain) {
  const ElasticData& e = link.elastic;
  const int m = e.count();
  const auto products_of = [&](int j, int k) {
    Mat3 products;  // int r_ja r_kb
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) products(a, b) = e.shape_shape[a][b](j, k);
    return products;
  };
  for (int j = 0; j < m; ++j) {
    chain.translation.push_back(e.translation.col(j));
    chain.rotation.push_back(e.rotation.col(j));
    Mat3 moved;  // int x_a r_jb
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) moved(a, b) = e.position_shape[a][b][j];
    chain.position_shape.push_back(crossed_square(moved));
    std::vector<Vec3> crossed;
    std::vector<Mat3> squared;
    for (int k = 0; k < m; ++k) {
      const Mat3 p = products_of(j, k);
      crossed.emplace_back(p(1, 2) - p(2, 1), p(2, 0) - p(0, 2), p(0, 1) - p(1, 0));
      squared.push_back(crossed_square(p));
    }
    chain.crossed.push_back(std::move(crossed));
    chain.squared.push_back(std::move(squared));
  }
  chain.mass_matrix = e.mass;
  chain.stiffness = e.stiffness;
}

void take_tip(const Frame& frame, ChainLink& chain) {
  chain.tip = frame.pose.position;
  for (int j = 0; j < std::ssize(chain.translation); ++j) {
    const bool moves = frame.shape.cols() > 0;
    chain.shapes.push_back(moves ? Vec3(frame.shape.col(j)) : Vec3::Zero());
    chain.turns.push_back(moves ? Vec3(frame.turn.col(j)) : Vec3::Zero());
  }
}

ChainLink chain_link(const LinkData& link) {
  ChainLink chain;
  chain.mass = link.mass;
  chain.first = link.mass * link.centre;
  chain.second = link.inertia + link.mass * crossed_square(link.centre * link.centre.transpose());
  if (link.elastic.count() > 0) {
    if (link.elastic.stiffening != Stiffening::off)
      refuse_chain(fmt::format("link '{}' is stiffened; set its stiffening to off", link.name));
    take_shapes(link, chain);
  }
  return chain;
}

}  // namespace

int BeamChain::size() const {
  int sum = 0;
  for (const ChainLink& link : links) sum += 1 + link.count();
  return sum;
}

BeamChain beam_chain(const Mechanism& mechanism) {
  const std::vector<int> order = joints_in_order(mechanism);
  BeamChain chain;
  chain.up = -mechanism.gravity;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Joint& joint = mechanism.joints[order[i]];
    const LinkData& link = mechanism.links[joint.to.link];
    const Frame &from = mechanism.links[joint.from.link].frames[joint.from.frame], &to = link.frames[joint.to.frame];
    const double off = to.pose.position.norm() + (to.pose.rotation - Mat3::Identity()).norm() +
                       (joint.axis - Vec3::UnitZ()).norm() + to.shape.norm() + to.turn.norm();
    if (joint.type != JointType::revolute || off > aligned)
      refuse_chain(fmt::format("joint '{}' is another one, or not at the origin of link '{}'", joint.name, link.name));
    ChainLink each = chain_link(link);
    each.base = from.pose.rotation;
    if (i > 0) take_tip(from, chain.links.back());
    chain.links.push_back(std::move(each));
  }
  // The last link has no joint at its end; its frame `tip` says where that is.
  const LinkData& last = mechanism.links[mechanism.joints[order.back()].to.link];
  const int tip = last.find_frame("tip");
  take_tip(last.frames[tip < 0 ? 0 : tip], chain.links.back());
  return chain;
}

ChainState chain_state(const Plan& plan, const State& state) {
  const std::vector<int> order = joints_in_order(plan.mechanism());
  std::vector<double> theta, rate;
  for (const int j : order) {
    theta.push_back(state.q[plan.places()[j].q]);
    rate.push_back(state.v[plan.places()[j].v]);
    const ElasticPlace& elastic = plan.elastic_places()[plan.mechanism().joints[j].to.link];
    for (int k = 0; k < elastic.count; ++k) {
      theta.push_back(state.q[elastic.q + k]);
      rate.push_back(state.v[elastic.v + k]);
    }
  }
  const auto vector = [](const std::vector<double>& x) {
    return VectorX(Eigen::Map<const VectorX>(x.data(), x.size()));
  };
  return {vector(theta), vector(rate), VectorX::Zero(std::ssize(order))};
}

BeamChain uniform_chain(int links, int bending, int shapes) {
  BeamChain chain;
  chain.up = Vec3(0, 9.81, 0);
  for (int i = 0; i < links; ++i) {
    ChainLink link;
    link.tip = Vec3::UnitX();
    link.mass = 1.0;
    link.first = 0.5 * link.tip;
    link.second = Vec3(0, 1.0 / 3, 1.0 / 3).asDiagonal();
    const int m = i < links - bending ? 0 : shapes;
    link.mass_matrix.setZero(m, m);
    link.stiffness.setZero(m, m);
    for (int j = 0; j < m; ++j) {  // y = x^p
      const int p = j + 2;
      link.shapes.push_back(Vec3::UnitY());
      link.turns.push_back(p * Vec3::UnitZ());
      link.translation.push_back(Vec3::UnitY() / (p + 1));
      link.rotation.push_back(Vec3::UnitZ() / (p + 2));
      link.position_shape.push_back(crossed_square(Vec3::UnitX() * Vec3::UnitY().transpose() / (p + 2)));
      link.crossed.emplace_back(m, Vec3::Zero());
      link.squared.emplace_back();
      for (int k = 0; k < m; ++k) {
        const int r = k + 2;
        link.mass_matrix(j, k) = 1.0 / (p + r + 1);
        link.stiffness(j, k) = 1.0 * p * (p - 1) * r * (r - 1) / (p + r - 3);
        link.squared.back().push_back(crossed_square(Vec3::UnitY() * Vec3::UnitY().transpose() / (p + r + 1)));
      }
    }
    chain.links.push_back(std::move(link));
  }
  return chain;
}

}  // namespace lithe::reproduce

#include "lithe/kinematics/crossing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lithe/kinematics/complement.hpp"
#include "lithe/kinematics/coordinates.hpp"
#include "lithe/spatial/decompositions.hpp"

namespace lithe::detail {

namespace {

/// Offsets of the pairs in units of the spacing, and their interpolation weights at zero (each for both of a pair).
constexpr std::array<double, 4> pair_offsets{1.0, 1.5, 2.0, 2.5};

template <std::size_t count>
constexpr std::array<double, count> pair_weights() {
  std::array<double, count> weights{};
  for (std::size_t i = 0; i < count; ++i) {
    weights[i] = 0.5;
    for (std::size_t j = 0; j < count; ++j) {
      const double a = pair_offsets[i] * pair_offsets[i], b = pair_offsets[j] * pair_offsets[j];
      if (j != i) weights[i] *= b / (b - a);
    }
  }
  return weights;
}
constexpr auto eight_weights = pair_weights<4>();
constexpr auto six_weights = pair_weights<3>();  ///< without the outermost pair: what they differ by is the error

constexpr double first_spacing = 2.0;  ///< of the first pair, in units of the weakness at which a crossing begins
constexpr double widening = 1.6;       ///< when the first pair is still weak
constexpr int widenings = 5;
constexpr double far_enough = 0.8;       ///< a side must be this much stronger than the weakness of a crossing
constexpr double farthest_anchor = 0.5;  ///< rad or characteristic lengths: the slope there still serves as a guess
constexpr double least_weakness = 1e-6;  ///< at which the complement of the pose itself still serves as a guess
constexpr double smooth_positions = 1e-8, smooth_slopes = 1e-6;  ///< six against eight sides
constexpr double closed = 1e-10;      ///< the interpolated pose closes the loops this well, in characteristic lengths
constexpr double same_branch = 0.25;  ///< interpolated and predicted pose agree within this part of the spacing
constexpr double rank_lost = 1e-5;    ///< smallest singular value of the closures, relative to the largest
constexpr double indifferent = 1e-4;  ///< smaller changes of the weakness say nothing

double offset(const auto& crossing, int side) {
  return (side % 2 == 0 ? 1.0 : -1.0) * pair_offsets[side / 2] * crossing.spacing;
}

/// Sorts the coordinates into those that follow and those that lead.
template <class S>
void sort_coordinates(const Kernel<S>& k, Crossing<S>& c) {
  c.dependent_q.clear();
  c.independent_q.clear();
  c.leading.clear();
  const auto sort = [&](int v, int speeds, int q, int coordinates) {
    bool leads = false, follows = false;
    for (int i = 0; i < speeds; ++i) (k.selection.independent_position[v + i] >= 0 ? leads : follows) = true;
    for (int i = 0; i < coordinates; ++i) {
      if (leads) c.independent_q.push_back(q + i);
      if (follows) c.dependent_q.push_back(q + i);
    }
    if (leads && speeds == 1) c.leading.emplace_back(q, v);
  };
  for (const TreeEdge& edge : k.compiled.tree.edges) {
    const JointPlace& place = k.compiled.places[edge.joint];
    const int scalars = place.nq != place.nv ? place.nv - 3 : place.nv;
    for (int i = 0; i < scalars; ++i) sort(place.v + i, 1, place.q + i, 1);
    if (scalars != place.nv) sort(place.v + scalars, 3, place.q + scalars, 4);
  }
  for (const ElasticPlace& place : k.compiled.elastic)
    for (int i = 0; i < place.count; ++i) sort(place.v + i, 1, place.q + i, 1);
}

/// Puts side number `index` of the pose q onto the closures, guessed from the pose `from` by c.step along K. Returns
/// its weakness; 0 when there is no such pose.
template <class S>
double settle(Kernel<S>& k, Crossing<S>& c, const VectorX& q, const VectorX& from, const LoopMatrices& K, int index) {
  complete_dependent(k, K, c.step, c.move);
  c.guess = from;
  add_step(k.compiled, c.move, c.guess);
  // Rounding must not add up while the side is moved on and on.
  for (const auto& [position, speed] : c.leading)
    c.guess[position] = q[position] + offset(c, index) * c.direction[speed];
  Kernel<S>& side = c.sides[index];
  if (!project(side, c.guess, 0.0)) return 0.0;
  update_positions(side, c.guess);
  return update_complement(side) ? side.weakness : 0.0;
}

struct PairWeakness {
  double smaller = 1.0, larger = 0.0;  ///< 0 for a side where there is no pose
  int cut = -1;                        ///< the weakest loop of the stronger side
};

/// How far the first pair along c.direction is from being weak.
template <class S>
PairWeakness first_pair(Kernel<S>& k, Crossing<S>& c, const VectorX& q) {
  PairWeakness pair;
  for (int side = 0; side < 2; ++side) {
    c.step = offset(c, side) * c.direction;
    const double weakness = settle(k, c, q, q, c.guess_K, side);
    pair.smaller = std::min(pair.smaller, weakness);
    if (!(weakness > pair.larger)) continue;
    pair.larger = weakness;
    pair.cut = closure_of_row(k, c.sides[side].weakest_row);
  }
  return pair;
}

/// The pair in which the sides are distant enough from the singular pose: wider and wider.
template <class S>
bool open_first_pair(Kernel<S>& k, Crossing<S>& c, const VectorX& q) {
  c.spacing = first_spacing * k.armed;
  for (int i = 0; i < widenings; ++i, c.spacing *= widening)
    if (first_pair(k, c, q).smaller >= k.armed) return true;
  return false;
}

/// One coordinate leads away from the singular pose of one loop; several loops may need several. Coordinates that make
/// no difference to the weakest loop are left out.
template <class S>
bool find_direction(Kernel<S>& k, Crossing<S>& c, const VectorX& q) {
  c.direction.setZero();
  if (k.independents() == 1) {
    const int v = k.selection.independent[0];
    c.direction[v] = k.compiled.speed_scale[v];
    return open_first_pair(k, c, q);
  }
  PairWeakness before{k.weakness, k.weakness, closure_of_row(k, k.weakest_row)};
  for (int count = 0; count < k.independents(); ++count) {
    int best = -1;
    PairWeakness best_pair;
    c.spacing = first_spacing * k.armed;
    for (const int v : k.selection.independent) {
      if (c.direction[v] != 0.0) continue;
      c.direction[v] = k.compiled.speed_scale[v];
      const PairWeakness pair = first_pair(k, c, q);
      c.direction[v] = 0.0;
      const bool matters = pair.cut != before.cut || pair.larger > before.larger + indifferent;
      if (!matters || !(pair.larger > best_pair.larger)) continue;
      best_pair = pair;
      best = v;
    }
    if (best < 0) return false;
    c.direction[best] = k.compiled.speed_scale[best];
    if (open_first_pair(k, c, q)) return true;
    before = best_pair;
  }
  return false;
}

/// Weighted sum over the first pairs of what `entry(side)` gives.
template <class S, std::size_t pairs, class Entry>
double interpolated(const Crossing<S>& c, const std::array<double, pairs>& weights, Entry&& entry) {
  double sum = 0.0;
  for (std::size_t i = 0; i < pairs; ++i) sum += weights[i] * (entry(c.sides[2 * i]) + entry(c.sides[2 * i + 1]));
  return sum;
}

template <class S>
bool is_near(const Kernel<S>& k, Crossing<S>& c, const VectorX& a, const VectorX& b, double distance) {
  step_between(k.compiled, a, b, c.step);
  for (int v = 0; v < k.nv; ++v)
    if (!(std::abs(c.step[v]) <= distance * k.compiled.speed_scale[v])) return false;
  return true;
}

/// c.q and c.K from the sides; whether the pose closes the loops and is the one that was predicted.
template <class S>
bool interpolate(Kernel<S>& k, Crossing<S>& c, const VectorX& q) {
  c.q = q;
  for (const int i : c.dependent_q)
    c.q[i] = interpolated(c, eight_weights, [i](const Kernel<S>& side) { return side.q[i]; });
  for (const int start : k.compiled.quaternions) c.q.template segment<4>(start).normalize();
  for (std::size_t b = 0; b < c.K.size(); ++b)
    for (Eigen::Index i = 0; i < c.K[b].size(); ++i)
      c.K[b].data()[i] = interpolated(c, eight_weights, [&](const Kernel<S>& side) { return side.K[b].data()[i]; });
  c.at = q;
  c.bias_known = false;
  if (!is_near(k, c, c.q, q, same_branch * c.spacing)) return false;
  update_positions(c.centre, c.q);
  update_closure_values(c.centre);
  return c.centre.c.cwiseAbs().maxCoeff() <= closed * std::max(1.0, k.compiled.length);
}

/// A side on another branch, or a spacing too wide for this mechanism, shows in the outermost pair.
template <class S>
bool is_smooth(const Kernel<S>& k, const Crossing<S>& c) {
  for (const int i : c.dependent_q) {
    const auto entry = [i](const Kernel<S>& side) { return side.q[i]; };
    const double difference = interpolated(c, eight_weights, entry) - interpolated(c, six_weights, entry);
    if (!(std::abs(difference) <= smooth_positions * std::max(1.0, k.compiled.length))) return false;
  }
  for (std::size_t b = 0; b < c.K.size(); ++b)
    for (Eigen::Index i = 0; i < c.K[b].size(); ++i) {
      const auto entry = [&](const Kernel<S>& side) { return side.K[b].data()[i]; };
      const double difference = interpolated(c, eight_weights, entry) - interpolated(c, six_weights, entry);
      if (!(std::abs(difference) <= smooth_slopes * (1.0 + std::abs(c.K[b].data()[i])))) return false;
    }
  return true;
}

/// What the slope of the branch is guessed from: the speeds of a start in the singular pose, the last pose that was not
/// weak, or the pose itself if it is not too weak. Sets the direction in the first case.
template <class S>
bool guess_slope(Kernel<S>& k, Crossing<S>& c, const VectorX& q, bool& directed) {
  directed = false;
  if (k.tangent.size() > 0 && is_near(k, c, k.tangent_q, q, weak_pose)) {
    double square = 0.0;
    for (const int v : k.selection.independent) square += std::pow(k.tangent[v] / k.compiled.speed_scale[v], 2);
    if (!(square > 0.0)) return false;
    c.direction.setZero();
    for (const int v : k.selection.independent) c.direction[v] = k.tangent[v] / std::sqrt(square);
    // Only its product with the direction is used.
    for (std::size_t b = 0; b < k.loops.size(); ++b) {
      const LoopBlock& loop = k.loops[b];
      double own = 0.0;
      for (const int j : loop.independent)
        own += std::pow(k.tangent[loop.speed(j)] / k.compiled.speed_scale[loop.speed(j)], 2);
      for (Eigen::Index i = 0; i < c.guess_K[b].rows(); ++i)
        for (Eigen::Index j = 0; j < c.guess_K[b].cols(); ++j) {
          const int v = loop.independent_speeds[j];
          c.guess_K[b](i, j) = own > 0.0 ? k.tangent[loop.dependent_speeds[i]] * k.tangent[v] /
                                               (own * std::pow(k.compiled.speed_scale[v], 2))
                                         : 0.0;
        }
    }
    directed = true;
    return true;
  }
  if (k.anchored && is_near(k, c, k.anchor, q, farthest_anchor)) {
    Kernel<S>& there = c.sides.front();
    update_positions(there, k.anchor);
    if (update_complement(there)) {
      c.guess_K = there.K;
      return true;
    }
  }
  if (!(k.weakness > least_weakness)) return false;
  c.guess_K = k.K;
  return true;
}

/// New sides around q.
template <class S>
bool open_sides(Kernel<S>& k, Crossing<S>& c, const VectorX& q) {
  for (Kernel<S>& side : c.sides) {
    if (side.selection.rows == k.selection.rows && side.selection.dependent == k.selection.dependent) continue;
    side.selection = k.selection;
    side.resize_for_selection();
  }
  c.K = c.guess_K = k.K;
  c.bias.resize(k.dependents());
  c.bias_speeds.resize(k.independents());
  sort_coordinates(k, c);
  bool directed = false;
  if (!guess_slope(k, c, q, directed)) return false;
  if (!(directed ? open_first_pair(k, c, q) : find_direction(k, c, q))) return false;
  for (int i = 2; i < Crossing<S>::side_count; ++i) {
    const Kernel<S>& inner = c.sides[i - 2];
    c.step = (offset(c, i) - offset(c, i - 2)) * c.direction;
    if (settle(k, c, q, inner.q, inner.K, i) < far_enough * k.armed) return false;
  }
  return interpolate(k, c, q) && is_smooth(k, c);
}

/// The sides move along with the pose.
template <class S>
bool move_sides(Kernel<S>& k, Crossing<S>& c, const VectorX& q) {
  step_between(k.compiled, c.at, q, c.step);
  for (const int v : k.selection.independent)
    if (!(std::abs(c.step[v]) <= 0.5 * c.spacing * k.compiled.speed_scale[v])) return false;
  for (int i = 0; i < Crossing<S>::side_count; ++i) {
    const Kernel<S>& side = c.sides[i];
    if (settle(k, c, q, side.q, side.K, i) < far_enough * k.armed) return false;
  }
  return interpolate(k, c, q);
}

/// Is q what was asked for last, but for dependent coordinates that are not exact?
template <class S>
bool is_known(const Kernel<S>& k, Crossing<S>& c, const VectorX& q) {
  return c.known &&
         std::all_of(c.independent_q.begin(), c.independent_q.end(), [&](int i) { return c.at[i] == q[i]; }) &&
         is_near(k, c, c.q, q, same_branch * c.spacing);
}

}  // namespace

template <class S>
Crossing<S>::Crossing(const Kernel<S>& k)
    : centre(k.compiled, k.tables),
      at(VectorX::Zero(k.compiled.nq)),
      direction(VectorX::Zero(k.nv)),
      q(VectorX::Zero(k.compiled.nq)),
      step(VectorX::Zero(k.nv)),
      move(VectorX::Zero(k.nv)),
      guess(VectorX::Zero(k.compiled.nq)) {
  sides.reserve(side_count);
  for (int i = 0; i < side_count; ++i) sides.emplace_back(k.compiled, k.tables).may_cross = false;
}

template <class S>
bool cross(Kernel<S>& k, const VectorX& q) {
  if (!k.crossing) k.crossing = std::make_shared<Crossing<S>>(k);
  Crossing<S>& c = *k.crossing;
  if (is_known(k, c, q)) return true;
  if (c.known && move_sides(k, c, q)) return true;
  c.known = open_sides(k, c, q);
  if (!c.known) k.armed = 0.5 * std::min(k.armed, k.weakness);
  return c.known;
}

template <class S>
void cross_bias(Kernel<S>& k, const VectorX& v) {
  Crossing<S>& c = *k.crossing;
  bool same = c.bias_known;
  for (int j = 0; j < k.independents() && same; ++j) same = c.bias_speeds[j] == v[k.selection.independent[j]];
  if (!same) {
    for (int j = 0; j < k.independents(); ++j) c.bias_speeds[j] = v[k.selection.independent[j]];
    for (Kernel<S>& side : c.sides) {
      complete_dependent(k, side.K, v, c.move);
      update_motion(side, c.move, nullptr);
      update_closure_bias(side);
      update_dependent_bias(side, c.move);
    }
    for (int i = 0; i < k.dependents(); ++i)
      c.bias[i] = interpolated(c, eight_weights, [i](const Kernel<S>& side) { return side.dependent_bias[i]; });
    c.bias_known = true;
  }
  k.dependent_bias = c.bias;
}

template <class S>
bool closures_lose_rank(Kernel<S>& k) {
  RowMatrix scaled;
  scaled_jacobian(k, scaled);
  const VectorX values = singular_values(scaled);
  const int d = k.dependents();
  return d > 0 && !(values[d - 1] > rank_lost * values[0]);
}

#define LITHE_INSTANTIATE(S)                            \
  template struct Crossing<S>;                          \
  template bool cross(Kernel<S>&, const VectorX&);      \
  template void cross_bias(Kernel<S>&, const VectorX&); \
  template bool closures_lose_rank(Kernel<S>&);
LITHE_INSTANTIATE(Spatial)
LITHE_INSTANTIATE(Planar)
#undef LITHE_INSTANTIATE

}  // namespace lithe::detail

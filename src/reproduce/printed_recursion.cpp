// Modal sums, and steps 1 to 6: accelerations outwards, forces inwards, the right side.

#include "reproduce/printed_recursion.hpp"

#include <cmath>

namespace lithe::reproduce {
namespace {

/// sum of (-s)^k / (2k + p)! and its derivative by s: with s = x^2, sin x / x for p = 1, (1 - cos x)/x^2 for p = 2,
/// (x - sin x)/x^3 for p = 3. Bending turns a tip by far less than a full turn, where so many terms are exact.
std::pair<double, double> turn_series(double s, int p) {
  double value = 0.0, slope = 0.0, power = 1.0, power_below = 0.0, coefficient = 1.0 / (p == 3 ? 6 : p);
  for (int k = 0; k < 20; ++k) {
    value += coefficient * power;
    slope += coefficient * k * power_below;
    power_below = power;
    power *= s;
    coefficient *= -1.0 / ((2 * k + p + 1) * (2 * k + p + 2));
  }
  return {value, slope};
}

/// exp(theta~), the matrix J of its angular velocity J theta' (axes of the link), and J' theta'.
struct OrthogonalTurn {
  Mat3 rotation, jacobian;
  Vec3 bias;
};

OrthogonalTurn orthogonal_turn(const Vec3& theta, const Vec3& rate) {
  const double s = theta.squaredNorm(), growth = 2.0 * theta.dot(rate);
  const double a1 = turn_series(s, 1).first;
  const auto [a2, slope2] = turn_series(s, 2);
  const auto [a3, slope3] = turn_series(s, 3);
  const Mat3 x = skew(theta), one = Mat3::Identity();
  const Vec3 across = theta.cross(rate);
  return {one + a1 * x + a2 * x * x, one + a2 * x + a3 * x * x,
          slope2 * growth * across + slope3 * growth * theta.cross(across) + a3 * rate.cross(across)};
}

template <class T>
Vector3<T> doubled(const Vector3<T>& x) {
  return {twice(x[0]), twice(x[1]), twice(x[2])};
}

template <class T>
Vec3 plain_vector(const Vector3<T>& x) {
  return {plain(x[0]), plain(x[1]), plain(x[2])};
}

/// What depends on the amplitudes of one link alone. `delta` and `rate` are its own.
template <class T>
void sum_shapes(const ChainLink& link, const T* delta, const T* rate, LinkStage<T>& stage) {
  const int m = link.count();
  stage.reach = link.tip.cast<T>();
  stage.b3 = link.first.cast<T>();
  stage.b9 = link.second.cast<T>();
  stage.reach_rate = stage.b2 = stage.turn_rate = stage.turn_bias = Vec3::Zero().cast<T>();
  stage.b8 = Mat3::Zero().cast<T>();
  for (int f = 0; f < m; ++f) {
    stage.shapes[f] = link.shapes[f].cast<T>();
    stage.turns[f] = link.turns[f].cast<T>();
    stage.translation[f] = link.translation[f].cast<T>();
    stage.alpha[f] = link.rotation[f].cast<T>();
    stage.beta[f] = link.position_shape[f].cast<T>();
    stage.coriolis[f] = Vec3::Zero().cast<T>();
    stage.strain[f] = T(0.0);
    for (int k = 0; k < m; ++k) {
      stage.alpha[f] += delta[k] * link.crossed[k][f].cast<T>();
      stage.beta[f] += delta[k] * link.squared[k][f].cast<T>();
      stage.coriolis[f] += rate[k] * link.crossed[f][k].cast<T>();
      stage.strain[f] += delta[k] * T(link.stiffness(k, f));
    }
    stage.reach += delta[f] * stage.shapes[f];
    stage.reach_rate += rate[f] * stage.shapes[f];
    stage.b2 += rate[f] * stage.translation[f];
    stage.b3 += delta[f] * stage.translation[f];
    stage.b8 += rate[f] * stage.beta[f];
    stage.b9 += delta[f] * (Matrix3<T>(link.position_shape[f].transpose().cast<T>()) + stage.beta[f]);
  }
}

/// Orientation of the tip, and how it moves.
template <class T>
void turn_tip(const T* delta, const T* rate, TipTurn turn, LinkStage<T>& stage) {
  Vector3<T> theta = Vec3::Zero().cast<T>();
  for (std::size_t f = 0; f < stage.turns.size(); ++f) {
    theta += delta[f] * stage.turns[f];
    stage.turn_rate += rate[f] * stage.turns[f];
  }
  if (turn == TipTurn::paper) {
    stage.bent = Mat3::Identity().cast<T>();
    stage.bent(2, 1) = theta[0];
    stage.bent(0, 2) = theta[1];
    stage.bent(1, 0) = theta[2];
    for (int c = 0; c < 3; ++c) stage.bent(c, (c + 1) % 3) = -stage.bent((c + 1) % 3, c);
    return;
  }
  const OrthogonalTurn exact = orthogonal_turn(plain_vector(theta), plain_vector(stage.turn_rate));
  stage.bent = exact.rotation.cast<T>();
  if (turn == TipTurn::exact) return;
  for (Vector3<T>& each : stage.turns) each = exact.jacobian.cast<T>() * each;
  stage.turn_rate = exact.jacobian.cast<T>() * stage.turn_rate;
  stage.turn_bias = exact.bias.cast<T>();
}

}  // namespace

template <class T>
PrintedRecursion<T>::PrintedRecursion(const BeamChain& links, RecursionOptions choices)
    : chain(links),
      options(choices),
      n(static_cast<int>(links.links.size())),
      stages(n),
      speeds(n, T(0.0)),
      forces(n, T(0.0)),
      up(links.up.cast<T>()),
      arms(n, std::vector<Vector3<T>>(n, Vec3::Zero().cast<T>())),
      R(n),
      sigma(n),
      xi(n),
      psi(n),
      lambda(n),
      gamma(n),
      U(n),
      V(n),
      sigma_p(n),
      xi_p(n),
      psi_p(n),
      U_p(n),
      p_sigma_p(n),
      p_xi_p(n),
      p_psi_p(n),
      p_gamma(n),
      p_U_p(n) {
  int at = 0;
  for (int i = 0; i < n; ++i) {
    const int m = chain.links[i].count();
    first.push_back(at);
    at += 1 + m;
    LinkStage<T>& s = stages[i];
    for (auto* each : {&s.shapes, &s.turns, &s.translation, &s.alpha, &s.coriolis}) each->resize(m);
    s.beta.resize(m);
    for (auto* each : {&s.strain, &s.modal_bias}) each->assign(m, T(0.0));
  }
  inertia = MatrixX::Zero(at, at).cast<T>();
  right = VectorX::Zero(at).cast<T>();
}

template <class T>
void PrintedRecursion<T>::prepare(const ChainState& state) {
  for (int i = 0; i < n; ++i) {
    const int m = chain.links[i].count();
    std::vector<T> delta, rate;
    for (int f = 0; f < m; ++f) {
      delta.push_back(T(state.theta[first[i] + 1 + f]));
      rate.push_back(T(state.rate[first[i] + 1 + f]));
    }
    speeds[i] = T(state.rate[first[i]]);
    forces[i] = T(state.tau[i]);
    LinkStage<T>& stage = stages[i];
    const Mat3 turned = Eigen::AngleAxisd(state.theta[first[i]], Vec3::UnitZ()).toRotationMatrix();
    stage.joint = (chain.links[i].base * turned).cast<T>();
    sum_shapes(chain.links[i], delta.data(), rate.data(), stage);
    turn_tip(delta.data(), rate.data(), options.turn, stage);
  }
}

template <class T>
void PrintedRecursion<T>::rotate() {
  for (int i = 1; i < n; ++i) {
    R(i - 1, i) = stages[i - 1].bent * stages[i].joint;
    R(i, i - 1) = R(i - 1, i).transpose();
  }
}

template <class T>
void PrintedRecursion<T>::move() {
  stages[0].omega = stages[0].omega_v = Vec3::Zero().cast<T>();
  stages[0].omega[2] = speeds[0];
  stages[0].a_v = stages[0].joint.transpose() * up;
  for (int i = 1; i < n; ++i) {
    const LinkStage<T>& before = stages[i - 1];
    LinkStage<T>& own = stages[i];
    const Vector3<T> tip_omega = before.omega + before.turn_rate;
    own.omega = R(i, i - 1) * tip_omega;
    own.omega[2] += speeds[i];
    Vector3<T> alpha = before.omega_v + tip_omega.cross(Vector3<T>(R(i - 1, i).col(2) * speeds[i]));
    if (!options.printed_bias) alpha += before.omega.cross(before.turn_rate);
    if (options.turn == TipTurn::consistent) alpha += before.turn_bias;
    own.omega_v = R(i, i - 1) * alpha;
    own.a_v = R(i, i - 1) * (before.a_v + doubled<T>(before.omega.cross(before.reach_rate)) +
                             before.omega_v.cross(before.reach) + before.omega.cross(before.omega.cross(before.reach)));
  }
}

template <class T>
void PrintedRecursion<T>::differentiate() {
  for (int i = 0; i < n; ++i) {
    LinkStage<T>& x = stages[i];
    if (i > 0)
      x.s = T(chain.links[i].mass) * x.a_v - doubled<T>(x.b2.cross(x.omega)) - x.b3.cross(x.omega_v) -
            x.omega.cross(x.b3.cross(x.omega));
    x.t = x.b3.cross(x.a_v) + doubled<T>(x.b8 * x.omega) + x.b9 * x.omega_v + x.omega.cross(Vector3<T>(x.b9 * x.omega));
  }
}

template <class T>
void PrintedRecursion<T>::gather() {
  stages[n - 1].phi = Vec3::Zero().cast<T>();
  stages[n - 1].chi = stages[n - 1].t;
  for (int j = n - 2; j >= 0; --j) {
    LinkStage<T>& own = stages[j];
    const LinkStage<T>& beyond = stages[j + 1];
    own.phi = j == n - 2 ? Vector3<T>(R(j, j + 1) * beyond.s) : Vector3<T>(R(j, j + 1) * (beyond.s + beyond.phi));
    own.chi = own.t + own.reach.cross(own.phi) + R(j, j + 1) * beyond.chi;
  }
}

template <class T>
void PrintedRecursion<T>::add_modal_bias() {
  for (LinkStage<T>& x : stages)
    for (std::size_t f = 0; f < x.shapes.size(); ++f)
      x.modal_bias[f] = twice(x.omega.dot(x.coriolis[f])) + x.omega.dot(x.beta[f] * x.omega) -
                        x.a_v.dot(x.translation[f]) - x.omega_v.dot(x.alpha[f]);
}

template <class T>
void PrintedRecursion<T>::fill_right_side() {
  for (int j = 0; j < n; ++j) {
    const LinkStage<T>& x = stages[j];
    right[first[j]] = forces[j] - x.chi[2];
    for (std::size_t f = 0; f < x.shapes.size(); ++f) {
      T& entry = right[first[j] + 1 + static_cast<int>(f)];
      entry = x.modal_bias[f] - x.strain[f];
      if (j == n - 1) continue;
      entry -= x.shapes[f].dot(x.phi) + x.turns[f].dot(R(j, j + 1) * stages[j + 1].chi);
    }
  }
}

template <class T>
void PrintedRecursion<T>::evaluate(const ChainState& state) {
  prepare(state);
  for (const auto step : steps) (this->*step)();
}

#define LITHE_INSTANTIATE(T)                                                          \
  template PrintedRecursion<T>::PrintedRecursion(const BeamChain&, RecursionOptions); \
  template void PrintedRecursion<T>::prepare(const ChainState&);                      \
  template void PrintedRecursion<T>::rotate();                                        \
  template void PrintedRecursion<T>::move();                                          \
  template void PrintedRecursion<T>::differentiate();                                 \
  template void PrintedRecursion<T>::gather();                                        \
  template void PrintedRecursion<T>::add_modal_bias();                                \
  template void PrintedRecursion<T>::fill_right_side();                               \
  template void PrintedRecursion<T>::evaluate(const ChainState&);
LITHE_INSTANTIATE(double)
LITHE_INSTANTIATE(Counted)
#undef LITHE_INSTANTIATE

}  // namespace lithe::reproduce

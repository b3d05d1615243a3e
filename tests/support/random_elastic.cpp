#include "support/random_elastic.hpp"

#include <random>

#include "lithe/links/elastic_model.hpp"
#include "support/drawn_field.hpp"

namespace lithe::testing {
namespace {

class Bender {
 public:
  Bender(std::uint32_t seed, const Vec3& normal) : random_(seed), normal_(normal) {}

  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  Matrix3X shape(int n, double size) {
    Matrix3X m(3, n);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = between(-size, size);
    return m - normal_ * (normal_.transpose() * m);
  }
  Matrix3X turn(int n, double size) {
    if (normal_.norm() == 0.0) return shape(n, size);
    Matrix3X m(3, n);
    for (int j = 0; j < n; ++j) m.col(j) = normal_ * between(-size, size);
    return m;
  }
  /// Positive semidefinite along random directions (in the plane).
  std::array<MatrixX, 3> foreshortening(int n) {
    MatrixX root(n, n);
    for (Eigen::Index i = 0; i < root.size(); ++i) root.data()[i] = between(-1.0, 1.0);
    const Vec3 direction = shape(1, 1.0);
    std::array<MatrixX, 3> s;
    for (int a = 0; a < 3; ++a) s[a] = direction[a] * root * root.transpose();
    return s;
  }
  MatrixX stiffness(int n) {
    MatrixX root(n, n);
    for (Eigen::Index i = 0; i < root.size(); ++i) root.data()[i] = between(-1.0, 1.0);
    return 20.0 * root * root.transpose() + 50.0 * MatrixX::Identity(n, n);
  }
  VectorX coordinates(int n) {
    VectorX eta(n);
    for (int i = 0; i < n; ++i) eta[i] = between(-0.1, 0.1);
    return eta;
  }

  /// A straight axis, its displacement quadratic and its slopes linear along it, independent of each other.
  Axis axis(int n) {
    Axis axis;
    axis.length = between(0.3, 1.0);
    axis.ends = {0.0, 0.4 * axis.length, axis.length};
    const Vec3 start(between(-0.4, 0.4), between(-0.4, 0.4), between(-0.4, 0.4));
    const Vec3 along = Vec3(shape(1, 1.0)).normalized();
    std::array<Matrix3X, 3> shapes;
    for (Matrix3X& each : shapes) each = shape(n, 1.0);
    std::array<MatrixX, 2> slopes;
    for (MatrixX& each : slopes) {
      each.resize(2, n);
      for (Eigen::Index i = 0; i < each.size(); ++i) each.data()[i] = between(-1.0, 1.0);
    }
    axis.sample(3, [&](double s) {
      return Axis::Point{start + s * along, along, shapes[0] + s * shapes[1] + s * s * shapes[2],
                         slopes[0] + s * slopes[1]};
    });
    return axis;
  }

  std::vector<FieldPoint> lumps(int n, bool stiffening) {
    std::vector<FieldPoint> points(6);
    for (FieldPoint& p : points) {
      p.mass = between(0.1, 0.5);
      p.position = Vec3(between(-0.4, 0.4), between(-0.4, 0.4), between(-0.4, 0.4));
      p.shape = shape(n, 1.0);
      p.turn = turn(n, 1.0);
      p.rotary = between(0.001, 0.01) * Mat3::Identity();
      if (stiffening) p.foreshortening = foreshortening(n);
    }
    return points;
  }

 private:
  std::mt19937 random_;
  Vec3 normal_;  ///< link axes; zero in space
};

}  // namespace

void bend_links(RandomMechanism& random, std::uint32_t seed, const Vec3& plane_normal, bool damped) {
  std::mt19937 choose(seed);
  random.elastic_values.assign(random.mechanism.links.size(), VectorX(0));
  for (std::size_t i = 1; i < random.mechanism.links.size(); ++i) {
    if (choose() % 2 == 0) continue;
    LinkData& link = random.mechanism.links[i];
    Bender bender(static_cast<std::uint32_t>(choose()), random.link_poses[i].rotation.transpose() * plane_normal);
    const int n = 1 + static_cast<int>(choose() % 3);
    const bool stiffening = choose() % 2 == 0;
    const VectorX eta = bender.coordinates(n);
    std::vector<Frame> frames = link.frames;
    for (std::size_t f = 0; f < frames.size(); ++f) {
      Frame& frame = frames[f];
      // The origin is the body frame itself; of the others some hold still.
      const double size = f == 0 || choose() % 4 == 0 ? 0.0 : 1.0;
      frame.shape = size * bender.shape(n, 1.0);
      frame.turn = size * bender.turn(n, 1.0);
      if (stiffening) frame.foreshortening = bender.foreshortening(n);
      for (int a = 0; a < 3 && stiffening; ++a) {
        frame.foreshortening[a] *= size;
        frame.pose.position[a] += 0.5 * eta.dot(frame.foreshortening[a] * eta);
      }
      frame.pose.position -= frame.shape * eta;
      frame.pose.rotation = rotation_from_vector(-frame.turn * eta) * frame.pose.rotation;
    }
    ElasticModel model;
    model.stiffness = bender.stiffness(n);
    model.field = std::make_shared<const DrawnField>(bender.lumps(n, stiffening), std::move(frames));
    LinkData bent = integrate_link(link.name, model, MatrixX::Identity(n, n), stiffening);
    bent.axis = bender.axis(n);
    if (damped) bent.elastic.damping = 0.01 * bent.elastic.stiffness;
    link = bent;
    random.elastic_values[i] = eta;
  }
}

}  // namespace lithe::testing

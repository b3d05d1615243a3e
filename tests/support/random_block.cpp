// Blocks of trilinear bricks: matrices by two Gauss points each way (exact for a box), samples by three.

#include <functional>
#include <random>

#include "support/random_links.hpp"

namespace lithe::testing {

namespace {

struct Block {
  int bricks;
  Vec3 brick;  ///< edges of one brick
  double density, lame, shear;

  explicit Block(std::uint32_t seed) {
    std::mt19937 engine(seed);
    const auto between = [&](double low, double high) { return low + (high - low) * (engine() / 4294967296.0); };
    bricks = 1 + static_cast<int>(engine() % 3);
    brick = Vec3(between(0.1, 0.4), between(0.05, 0.2), between(0.05, 0.2));
    density = between(500, 3000);
    const double young = between(1e6, 1e8), poisson = between(0.0, 0.4);
    lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    shear = young / (2 * (1 + poisson));
  }
  int nodes() const { return 4 * (bricks + 1); }
  /// Nodes stand in layers of four along x.
  Vec3 node(int i) const {
    return Vec3((i / 4) * brick.x(), ((i % 4) / 2) * brick.y(), (i % 2) * brick.z()) + Vec3(0.1, -0.05, 0.02);
  }
};

using Eight = Eigen::Matrix<double, 8, 1>;
using Gradient = Eigen::Matrix<double, 3, 8>;

Eight shape(const Vec3& xi) {
  Eight values;
  for (int i = 0; i < 8; ++i) {
    const double x = i / 4 ? xi.x() : 1 - xi.x(), y = (i % 4) / 2 ? xi.y() : 1 - xi.y(),
                 z = i % 2 ? xi.z() : 1 - xi.z();
    values[i] = x * y * z;
  }
  return values;
}

Gradient gradient(const Vec3& xi, const Vec3& edges) {
  Gradient values;
  for (int i = 0; i < 8; ++i) {
    const double sx = i / 4 ? 1 : -1, sy = (i % 4) / 2 ? 1 : -1, sz = i % 2 ? 1 : -1;
    const double x = sx > 0 ? xi.x() : 1 - xi.x(), y = sy > 0 ? xi.y() : 1 - xi.y(), z = sz > 0 ? xi.z() : 1 - xi.z();
    values.col(i) = Vec3(sx * y * z, x * sy * z, x * y * sz).cwiseQuotient(edges);
  }
  return values;
}

void over_brick(int points, const std::function<void(const Vec3&, double)>& visit) {
  const std::vector<double> at = points == 2 ? std::vector<double>{-0.5773502691896257, 0.5773502691896257}
                                             : std::vector<double>{-0.7745966692414834, 0.0, 0.7745966692414834};
  const std::vector<double> weight =
      points == 2 ? std::vector<double>{1, 1} : std::vector<double>{5.0 / 9, 8.0 / 9, 5.0 / 9};
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t j = 0; j < at.size(); ++j)
      for (std::size_t k = 0; k < at.size(); ++k)
        visit(0.5 * (Vec3(at[i], at[j], at[k]) + Vec3::Ones()), weight[i] * weight[j] * weight[k] / 8);
}

}  // namespace

ImportedMatrices random_block(std::uint32_t seed, const Mat3& turned) {
  const Block block(seed);
  const int n = 3 * block.nodes();
  MatrixX mass = MatrixX::Zero(n, n), stiffness = MatrixX::Zero(n, n), turns = MatrixX::Zero(n, n);
  for (int e = 0; e < block.bricks; ++e)
    over_brick(2, [&](const Vec3& xi, double share) {
      const double volume = share * block.brick.prod();
      const Eight f = shape(xi);
      const Gradient g = gradient(xi, block.brick);
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
          const int row = 3 * (4 * e + i), column = 3 * (4 * e + j);
          mass.block<3, 3>(row, column) += block.density * volume * f[i] * f[j] * Mat3::Identity();
          stiffness.block<3, 3>(row, column) +=
              volume * (block.lame * g.col(i) * g.col(j).transpose() + block.shear * g.col(j) * g.col(i).transpose() +
                        block.shear * g.col(i).dot(g.col(j)) * Mat3::Identity());
        }
    });
  for (int i = 0; i < block.nodes(); ++i) turns.block<3, 3>(3 * i, 3 * i) = turned;
  ImportedMatrices part;
  part.mass = (turns * mass * turns.transpose()).sparseView();
  part.stiffness = (turns * stiffness * turns.transpose()).sparseView();
  for (int i = 0; i < block.nodes(); ++i) {
    part.nodes.push_back({100 + i, turned * block.node(i)});
    for (int d = 0; d < 3; ++d) part.rows.push_back({i, d});
  }
  return part;
}

std::vector<MassSample> block_samples(std::uint32_t seed) {
  const Block block(seed);
  std::vector<MassSample> all;
  for (int e = 0; e < block.bricks; ++e)
    over_brick(3, [&](const Vec3& xi, double share) {
      const Eight f = shape(xi);
      MassSample sample;
      sample.mass = block.density * share * block.brick.prod();
      sample.shape.setZero(3, 3 * block.nodes());
      sample.turn.setZero(3, 3 * block.nodes());
      for (int i = 0; i < 8; ++i) {
        sample.position += f[i] * block.node(4 * e + i);
        sample.shape.middleCols<3>(3 * (4 * e + i)) = f[i] * Mat3::Identity();
      }
      all.push_back(sample);
    });
  return all;
}

}  // namespace lithe::testing

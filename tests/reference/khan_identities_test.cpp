// Identities 1 to 11 of section 9 of the Khan reference, at random regular postures: planar 3-RRR in planar and in
// spatial arithmetic, 6-UPS (motors inside the legs) and 3-RRS (three freedoms) in space. Tolerance 1e-12 relative, as
// suggested there, where no finite differences are involved.

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <functional>

#include "reference/modular.hpp"

namespace lithe {
namespace {

using namespace testing;
using detail::Planar;
using detail::Spatial;

constexpr double tight = 1e-12;

double relative(const MatrixX& difference, const MatrixX& size) {
  return difference.cwiseAbs().maxCoeff() / std::max(1.0, size.cwiseAbs().maxCoeff());
}

struct Case {
  const char* name;
  Mechanism (*mechanism)();
  VectorX (*posture)(const Plan&);
  double spread;  ///< of the random postures around that one
};

Mechanism undamped_3rrs() {
  Mechanism m = mechanism_of(read_oracle("spatial_3rrs"));
  for (Joint& joint : m.joints) joint.damping.clear();  // the modules are looked at without joint forces
  return m;
}
VectorX posture_3rrs(const Plan& plan) { return state_of(plan, read_oracle("spatial_3rrs")["states"][0]).q; }

/// Checks in planar or in spatial arithmetic.
template <class Arithmetic>
class KhanIdentities : public ::testing::Test {
 protected:
  using S = Arithmetic;
  using M = Modular<S>;

  static std::vector<Case> cases() {
    std::vector<Case> all{{"3-RRR", [] { return khan_3rrr::mechanism(); }, khan_3rrr::initial_posture, 0.2}};
    if (!S::planar) {
      all.push_back({"6-UPS", [] { return khan_6ups::mechanism(); },
                     [](const Plan& plan) { return khan_6ups::posture(plan); }, 0.03});
      all.push_back({"3-RRS", undamped_3rrs, posture_3rrs, 0.05});
    }
    return all;
  }

  /// Runs a check at some random postures of every mechanism with random independent rates.
  void everywhere(const std::function<void(M&, const VectorX& rates)>& check) {
    for (const Case& subject : cases()) {
      SCOPED_TRACE(subject.name);
      std::mt19937 generator(7);
      for (int i = 0; i < 5; ++i) {
        M m(subject.mechanism());
        m.place(subject.posture(m.plan));
        m.shift(subject.spread * random_vector(generator, m.count()));
        const VectorX rates = random_vector(generator, m.count());
        m.drive(rates);
        check(m, rates);
        if (this->HasFatalFailure()) return;
      }
    }
  }
};

using Cases = ::testing::Types<Planar, Spatial>;
TYPED_TEST_SUITE(KhanIdentities, Cases);

TYPED_TEST(KhanIdentities, Id01AnnihilatorsAreProjectors) {
  this->everywhere([](auto& m, const VectorX&) {
    constexpr int N = std::decay_t<decltype(m)>::N;
    for (const auto& leg : m.denoc.legs) {
      for (const int k : leg.passive) {
        EXPECT_LT((leg.Phi * m.denoc.scale.cwiseProduct(leg.g.col(k))).norm(), tight);
        for (const int l : leg.passive) {
          // Phi_k annihilates what was swept before it: the swept generators are orthogonal.
          if (l != k) EXPECT_LT(std::abs(leg.swept.col(k).dot(leg.swept.col(l))), tight);
        }
      }
      EXPECT_LT(relative(leg.Phi * leg.Phi - leg.Phi, leg.Phi), tight);
      EXPECT_LT(relative(leg.Phi - leg.Phi.transpose(), leg.Phi), tight);
      EXPECT_NEAR(leg.Phi.trace(), N - static_cast<int>(leg.passive.size()), tight);
    }
  });
}

TYPED_TEST(KhanIdentities, Id02DualBasis) {
  this->everywhere([](auto& m, const VectorX&) {
    constexpr int N = std::decay_t<decltype(m)>::N;
    MatrixX sum = MatrixX::Zero(N, N);
    for (const auto& leg : m.denoc.legs) {
      sum += m.denoc.K_factor.solve(leg.Phi);
      const auto n = std::ssize(leg.passive);
      MatrixX scaled(N, n), dual(N, n);
      for (Eigen::Index i = 0; i < n; ++i) {
        scaled.col(i) = m.denoc.scale.cwiseProduct(leg.g.col(leg.passive[i]));
        dual.col(i) = leg.dual.col(leg.passive[i]).cwiseQuotient(m.denoc.scale);
      }
      EXPECT_LT(relative(dual.transpose() * scaled - MatrixX::Identity(n, n), dual), tight);
      const MatrixX inverse = scaled.completeOrthogonalDecomposition().solve(MatrixX(MatrixX::Identity(N, N)));
      EXPECT_LT(relative(dual.transpose() - inverse, inverse), tight);
    }
    EXPECT_LT(relative(sum - MatrixX::Identity(N, N), sum), tight);
  });
}

TYPED_TEST(KhanIdentities, Id03LegsMeetInThePlatform) {
  this->everywhere([](auto& m, const VectorX& rates) {
    for (const auto& leg : m.denoc.legs) {
      EXPECT_LT(relative(leg.g * leg.rate - m.denoc.platform_twist, rates), tight);
      EXPECT_LT(relative(leg.twist.back() - m.denoc.platform_twist, rates), tight);
      // The same rates as the closures of the library's own cut joints give.
      for (std::size_t k = 0; k < leg.columns.size(); ++k) {
        if (leg.columns[k].speed < m.plan.nv())
          EXPECT_NEAR(leg.rate[k], m.state.v[leg.columns[k].speed], 1e-11 * std::max(1.0, m.state.v.norm()));
      }
    }
    m.denoc.update_acceleration(VectorX(2.0 * rates));
    for (const auto& leg : m.denoc.legs)
      EXPECT_LT(relative(leg.twist_rate.back() - m.denoc.platform_rate, m.denoc.platform_rate), 1e-11);
    // A J = 0 with A of Khan (54): every leg moves P alike, for every independent rate.
    const auto J = m.leg_complements();
    for (std::size_t j = 0; j < J.size(); ++j)
      EXPECT_LT(relative(m.denoc.legs[j].g * J[j] - m.denoc.legs[0].g * J[0], J[0]), tight);
  });
}

TYPED_TEST(KhanIdentities, Id04AccelerationsContainTheRateOfTheComplement) {
  this->everywhere([](auto& m, const VectorX& rates) {
    const VectorX accelerations = VectorX::LinSpaced(m.count(), -1.0, 1.0);
    m.denoc.update_acceleration(accelerations);
    std::vector<VectorX> exact;
    for (const auto& leg : m.denoc.legs) exact.push_back(leg.acceleration);
    const auto J = m.leg_complements();
    constexpr double h = 3e-6;
    m.shift(h * rates);
    const auto after = m.leg_complements();
    m.shift(-2 * h * rates);
    const auto before = m.leg_complements();
    for (std::size_t j = 0; j < J.size(); ++j) {
      const VectorX sum = J[j] * accelerations + (after[j] - before[j]) / (2 * h) * rates;
      EXPECT_LT(relative(sum - exact[j], exact[j]), 1e-7);
    }
  });
}

TYPED_TEST(KhanIdentities, Id05TwistRatesAreDerivatives) {
  this->everywhere([](auto& m, const VectorX& rates) {
    using S = typename TestFixture::S;
    constexpr int N = std::decay_t<decltype(m)>::N;
    // Platform twist, and the angular velocities of all bodies (their linear parts are referred to the moving P).
    const auto gathered = [&m](bool rate) {
      VectorX out = rate ? m.denoc.platform_rate : m.denoc.platform_twist;
      for (const auto& leg : m.denoc.legs) {
        for (const auto& body : rate ? leg.twist_rate : leg.twist) {
          const Eigen::Index n = out.size();
          out.conservativeResize(n + S::angular_size);
          out.tail(S::angular_size) = body.head(S::angular_size);
        }
      }
      return out;
    };
    m.denoc.update_acceleration(VectorX::Zero(m.count()));
    const VectorX exact = gathered(true);
    double error[2];
    for (int r = 0; r < 2; ++r) {
      const double h = r == 0 ? 2e-4 : 1e-4;
      m.shift(h * rates);
      m.denoc.update_velocity(rates);
      const VectorX after = gathered(false);
      m.shift(-2 * h * rates);
      m.denoc.update_velocity(rates);
      const VectorX before = gathered(false);
      m.shift(h * rates);
      error[r] = ((after - before) / (2 * h) - exact).norm();
    }
    EXPECT_LT(error[1], 1e-4 * std::max(1.0, exact.norm()));
    EXPECT_NEAR(error[0] / error[1], 4.0, 0.4);  // second order in h
    EXPECT_GT(exact.size(), N);
  });
}

TYPED_TEST(KhanIdentities, Id06InertiaMatrix) {
  this->everywhere([](auto& m, const VectorX& rates) {
    m.denoc.update_inertia();
    const MatrixX G = m.denoc.G;
    MatrixX projected = MatrixX::Zero(m.count(), m.count());
    const auto J = m.leg_complements();
    for (std::size_t j = 0; j < J.size(); ++j) projected += J[j].transpose() * m.denoc.legs[j].inertia * J[j];
    EXPECT_LT(relative(G - projected, projected), tight);
    EXPECT_LT(relative(G - G.transpose(), G), tight);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixX>(G).eigenvalues().minCoeff(), 0.0);
    const double kinetic = energy(m.plan, m.work, m.state).kinetic;
    EXPECT_NEAR(0.5 * rates.dot(G * rates), kinetic, 1e-11 * std::max(1.0, kinetic));
    MatrixX other;
    ASSERT_TRUE(generalised_inertia(m.plan, m.work, m.state.q, other));
    EXPECT_LT(relative(G - other, other), 1e-11);
  });
}

TYPED_TEST(KhanIdentities, Id07ReverseElimination) {
  this->everywhere([](auto& m, const VectorX& rates) {
    m.denoc.update_inertia();
    MatrixX G = m.denoc.G;
    VectorX x = rates;
    const VectorX dense = G.ldlt().solve(rates);
    const double determinant = G.determinant();
    ASSERT_EQ(detail::udu_solve(G, x), -1);
    EXPECT_LT(relative(x - dense, dense), 1e-11);
    EXPECT_NEAR(G.diagonal().prod() / determinant, 1.0, 1e-10);
  });
}

TYPED_TEST(KhanIdentities, Id08ForwardUndoesInverse) {
  this->everywhere([](auto& m, const VectorX&) {
    const VectorX wanted = VectorX::LinSpaced(m.count(), 2.0, -1.0);
    m.forces(wanted, m.no_force());
    VectorX force = m.no_force();
    for (int i = 0; i < m.count(); ++i) force[m.work.independent()[i]] = m.denoc.required[i];
    VectorX a = VectorX::Zero(m.plan.nv());
    ASSERT_TRUE(m.denoc.forward(m.kernel(), m.state.v, force, a));
    for (int i = 0; i < m.count(); ++i) EXPECT_NEAR(a[m.work.independent()[i]], wanted[i], 1e-11);
    // And the library's inverse dynamics needs the same forces.
    InverseResult result;
    inverse_dynamics(m.plan, m.work, m.state, a, Actions(m.plan), m.work.independent(), result);
    EXPECT_LT(relative(result.tau - force, force), 1e-11);
  });
}

TYPED_TEST(KhanIdentities, Id09TheSplitOfThePlatformIsImmaterial) {
  this->everywhere([](auto& m, const VectorX&) {
    using S = typename TestFixture::S;
    const VectorX wanted = VectorX::LinSpaced(m.count(), 2.0, -1.0);
    m.forces(wanted, m.no_force());
    m.denoc.update_inertia();
    const VectorX required = m.denoc.required;
    const MatrixX G = m.denoc.G;
    const auto expect_same = [&] {
      m.forces(wanted, m.no_force());
      m.denoc.update_inertia();
      EXPECT_LT(relative(m.denoc.required - required, required), 1e-11);
      EXPECT_LT(relative(m.denoc.G - G, G), 1e-11);
    };
    auto& legs = m.denoc.legs;
    const double count = static_cast<double>(legs.size());
    const double mass = legs[0].bodies.back().mass * count;
    const typename S::Moment2 inertia = legs[0].bodies.back().inertia * count;
    const typename S::Linear centre = legs[0].bodies.back().centre;
    // All mass in the first section, inertia 0.2, 0.5, 0.3, 0, ...
    const double part[] = {0.2, 0.5, 0.3, 0.0, 0.0, 0.0};
    for (std::size_t j = 0; j < legs.size(); ++j) {
      legs[j].bodies.back().mass = j == 0 ? mass : 0.0;
      legs[j].bodies.back().inertia = inertia * part[j];
    }
    m.refresh();
    expect_same();
    // Two sections with half the mass each, their mass centres s apart from P on either side, inertia corrected.
    typename S::Linear offset = S::Linear::Zero();
    offset[0] = 0.04;
    offset[1] = -0.03;
    for (std::size_t j = 0; j < legs.size(); ++j) {
      auto& body = legs[j].bodies.back();
      body.mass = j < 2 ? mass / 2 : 0.0;
      body.centre = centre + (j == 0 ? offset : typename S::Linear(-offset)) * (j < 2 ? 1.0 : 0.0);
      const typename S::Moment2 none = inertia * 0.0;
      const typename S::Moment2 shift =
          S::shift(none, S::identity(), j < 2 ? offset : typename S::Linear(offset * 0.0), S::Linear::Zero(), mass / 2);
      body.inertia = j < 2 ? typename S::Moment2(inertia / 2 - shift) : none;
    }
    m.refresh();
    m.drive(VectorX::Ones(m.count()));
    m.forces(wanted, m.no_force());
    const VectorX split = m.denoc.required;
    for (auto& leg : legs) {
      leg.bodies.back().mass = mass / count;
      leg.bodies.back().centre = centre;
      leg.bodies.back().inertia = inertia / count;
    }
    m.refresh();
    m.drive(VectorX::Ones(m.count()));
    m.forces(wanted, m.no_force());
    EXPECT_LT(relative(m.denoc.required - split, split), 1e-11);
  });
}

// The same for a wrench on the platform: any section may take it.
TYPED_TEST(KhanIdentities, Id09TheSectionThatTakesTheLoadIsImmaterial) {
  this->everywhere([](auto& m, const VectorX&) {
    auto& legs = m.denoc.legs;
    auto& node = m.kernel().nodes[legs[0].bodies.back().node];
    const VectorX rest = VectorX::Zero(m.count());
    m.forces(rest, m.no_force());
    const VectorX unloaded = m.denoc.required;
    node.load_force.setConstant(3.0);
    node.load_moment += TestFixture::S::moment(decltype(node.load_force)::Unit(0), decltype(node.load_force)::Unit(1));
    m.forces(rest, m.no_force());
    const VectorX first = m.denoc.required;
    EXPECT_GT((first - unloaded).norm(), 0.1);
    legs[0].bodies.back().takes_load = false;
    legs[1].bodies.back().takes_load = true;
    m.forces(rest, m.no_force());
    EXPECT_LT(relative(m.denoc.required - first, first), 1e-11);
  });
}

TYPED_TEST(KhanIdentities, Id10CutWrenchesBalance) {
  this->everywhere([](auto& m, const VectorX&) {
    using Vector = typename std::decay_t<decltype(m)>::Column;
    m.forces(VectorX::LinSpaced(m.count(), 2.0, -1.0), m.no_force());
    Vector sum = Vector::Zero();
    for (std::size_t j = 0; j < m.denoc.legs.size(); ++j) {
      const auto& leg = m.denoc.legs[j];
      const Vector f = m.cut_wrench(j);
      sum += f;
      // With f at its tip the leg needs no force in its passive joints, and the motor force of (56) in its active ones.
      const VectorX left = leg.tau - leg.g.transpose() * f;
      for (const int k : leg.passive) EXPECT_LT(std::abs(left[k]), 1e-11 * std::max(1.0, leg.tau.norm()));
      for (const int k : leg.active)
        EXPECT_NEAR(left[k], m.denoc.required[leg.columns[k].independent], 1e-11 * std::max(1.0, leg.tau.norm()));
    }
    EXPECT_LT(sum.norm(), 1e-11 * std::max(1.0, m.denoc.sum_pbar.norm()));
  });
}

TYPED_TEST(KhanIdentities, Id11TheUnitOfLengthIsImmaterial) {
  this->everywhere([](auto& m, const VectorX& rates) {
    using S = typename TestFixture::S;
    m.forces(VectorX::Ones(m.count()), m.no_force());
    m.denoc.update_inertia();
    const auto twist = m.denoc.platform_twist;
    const VectorX required = m.denoc.required;
    const MatrixX G = m.denoc.G;
    for (const double length : {0.1, 1.0, 10.0}) {
      m.denoc.scale.template head<S::angular_size>().setConstant(length);
      m.refresh();
      m.denoc.update_velocity(rates);
      m.forces(VectorX::Ones(m.count()), m.no_force());
      m.denoc.update_inertia();
      EXPECT_LT(relative(m.denoc.platform_twist - twist, twist), 1e-11) << length;
      EXPECT_LT(relative(m.denoc.required - required, required), 1e-10) << length;
      EXPECT_LT(relative(m.denoc.G - G, G), 1e-10) << length;
    }
  });
}

}  // namespace
}  // namespace lithe

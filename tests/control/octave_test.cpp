// Gains, estimators and reduced models against the control package of Octave (tests/oracles/control_package.py): three
// mechanisms of 12, 20 and 30 states.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "lithe/control/observer.hpp"
#include "lithe/control/reduction.hpp"
#include "lithe/control/response.hpp"
#include "support/source_folder.hpp"
#include "support/recorded_json.hpp"

namespace lithe::testing {
namespace {

constexpr double agreement = 1e-8;  // of the largest entry: what two Schur forms of these matrices leave

class Octave : public ::testing::TestWithParam<const char*> {
 protected:
  Octave() {
    recorded_ = recorded_json("tests/oracles/control_package.json").at(GetParam());
    const MatrixX B = matrix("B"), C = matrix("C");
    plant_ = {matrix("A"), B, C, MatrixX::Zero(C.rows(), B.cols())};
  }

  MatrixX matrix(const char* name) const {
    const nlohmann::json& rows = recorded_.at(name);
    MatrixX result(rows.size(), rows[0].size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows[i].size(); ++j) result(i, j) = rows[i][j];
    return result;
  }

  double period() const { return recorded_.at("T"); }
  Weights weights() const { return {matrix("Q"), matrix("R")}; }

  /// Entries relative to the largest of their column: states have different units.
  static double difference(const MatrixX& ours, const MatrixX& theirs) {
    if (ours.rows() != theirs.rows() || ours.cols() != theirs.cols()) return 1.0;
    return (ours - theirs).cwiseAbs().maxCoeff() / theirs.cwiseAbs().maxCoeff();
  }

  double worst_difference(const StateSpace& system, const char* name) const {
    std::vector<double> frequencies;
    for (const double w : recorded_.at("w")) frequencies.push_back(w / (2 * std::numbers::pi));
    const std::vector<Eigen::MatrixXcd> answers = frequency_response(system, frequencies);
    double worst = 0.0, largest = 0.0;
    for (std::size_t k = 0; k < answers.size(); ++k)
      for (Eigen::Index i = 0; i < answers[k].rows(); ++i)
        for (Eigen::Index j = 0; j < answers[k].cols(); ++j) {
          const nlohmann::json& z = recorded_.at(name)[k][i][j];
          const std::complex<double> theirs(z[0], z[1]);
          worst = std::max(worst, std::abs(answers[k](i, j) - theirs));
          largest = std::max(largest, std::abs(theirs));
        }
    return worst / largest;
  }

  nlohmann::json recorded_;
  StateSpace plant_;
};

TEST_P(Octave, Regulator) {
  const RiccatiSolution found = lqr(plant_, weights());
  EXPECT_LT(difference(found.K, matrix("K")), agreement);
  EXPECT_LT(found.residual, 1e-12);
  EXPECT_TRUE(is_stable(state_feedback(plant_, found.K)));
}

TEST_P(Octave, SampledRegulator) {
  const StateSpace sampled = sample(plant_, period());
  EXPECT_LT(difference(lqr(sampled, weights()).K, matrix("Kd")), agreement);
  const SampledRegulator exact = sampled_lqr(plant_, weights(), period());
  EXPECT_LT(difference(exact.gain.K, matrix("Ks")), agreement);
  EXPECT_TRUE(is_stable(state_feedback(exact.plant, exact.gain.K)));
}

TEST_P(Octave, KalmanFilter) {
  const MatrixX V = matrix("V");
  const VectorX densities = matrix("W").diagonal().cwiseSqrt();
  const Observer found = kalman(plant_, {input_noise(plant_, densities), V});
  EXPECT_LT(difference(found.L, matrix("L")), agreement);
  const Observer sampled = kalman(sample(plant_, period()), {matrix("Wd"), V});
  EXPECT_LT(difference(sampled.filter, matrix("M")), agreement);
  EXPECT_LT(difference(sampled.L, matrix("Ld")), agreement);
}

TEST_P(Octave, BalancedTruncation) {
  const StateSpace closed = state_feedback(plant_, matrix("K"));
  EXPECT_LT(worst_difference(closed, "full"), agreement);
  const BalancedModel found = balanced_truncation(closed, recorded_.at("order"));
  const auto theirs = recorded_.at("hankel").get<std::vector<double>>();
  ASSERT_EQ(static_cast<std::size_t>(found.hankel.size()), theirs.size());
  EXPECT_EQ(found.unstable, 0);
  for (std::size_t i = 0; i < theirs.size(); ++i) EXPECT_NEAR(found.hankel[i], theirs[i], agreement * theirs[0]) << i;
  EXPECT_LT(worst_difference(found.reduced.system, "G"), agreement);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Octave, ::testing::Values("arm", "five-bar", "3-rrr"), [](const auto& test) {
  std::string name = test.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace lithe::testing

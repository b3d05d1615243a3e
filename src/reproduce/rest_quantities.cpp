#include "reproduce/rest_quantities.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <sstream>

#include "lithe/kinematics/motion.hpp"
#include "reproduce/case_error.hpp"

namespace lithe::reproduce {
namespace {

[[noreturn]] void not_at_rest(const std::string& name) {
  throw CaseError(fmt::format("'{}' is not a quantity of a model at rest", name));
}

/// n / (|X| |X^-1|), norms of Frobenius.
double inverse_condition(const MatrixX& X) {
  const Eigen::FullPivLU<MatrixX> factors(X);
  if (X.rows() != X.cols()) throw CaseError(fmt::format("a map of {} by {} has no inverse", X.rows(), X.cols()));
  if (!factors.isInvertible()) return 0.0;
  return static_cast<double>(X.rows()) / (X.norm() * factors.inverse().norm());
}

/// Rows of "xy": 0 and 1.
std::vector<int> axes_in(const std::string& word, const std::string& name) {
  std::vector<int> axes;
  for (const char letter : word) {
    if (letter < 'x' || letter > 'z') not_at_rest(name);
    axes.push_back(letter - 'x');
  }
  return axes;
}

}  // namespace

double RestQuantities::operator()(const std::string& name) {
  std::vector<std::string> words;
  std::istringstream stream(name);
  for (std::string word; std::getline(stream, word, '.');) words.push_back(word);
  const Plan& plan = still_.plan();
  if (words.size() == 2 && words[0] == "frequency") {
    if (!frequencies_) frequencies_ = ModelAtRest(model_).modes().frequencies;
    const int number = std::atoi(words[1].c_str());
    if (number < 1 || number > frequencies_->size()) not_at_rest(name);
    return (*frequencies_)[number - 1];
  }
  if (words.size() != 4) not_at_rest(name);
  const FrameRef frame = plan.mechanism().find_frame(words[1], words[2]);
  const std::vector<int> axes = axes_in(words[3], name);
  const auto rows = std::ssize(axes);
  if (words[0] == "pos" && rows == 1)
    return frame_pose(plan, still_.work(), still_.rest().state.q, frame).position[axes[0]];
  if (words[0] == "stiffness" || words[0] == "stiffness-index") {
    if (rows != 2) not_at_rest(name);
    const MatrixX all = frame_compliance(plan, still_.work(), still_.rest(), frame);
    // The plane of the two axes; one axis twice: that of x and y, or of z and x.
    const int first = axes[0], second = axes[1] != first ? axes[1] : (first == 0 ? 1 : 0);
    MatrixX C(2, 2);
    C << all(3 + first, 3 + first), all(3 + first, 3 + second), all(3 + second, 3 + first), all(3 + second, 3 + second);
    if (words[0] == "stiffness-index") return inverse_condition(C);
    const MatrixX K = C.inverse();
    return K(0, axes[1] == first ? 0 : 1);
  }
  if (words[0] == "dexterity") {
    MatrixX J, N;
    frame_jacobian(plan, still_.work(), still_.rest().state.q, frame, J);
    const Status status = loop_complement(plan, still_.work(), still_.rest().state.q, N);
    if (!status) throw PhysicsError(describe(plan, status, 0.0));
    const std::vector<int>& independent = still_.work().independent();
    MatrixX map(rows, std::ssize(still_.locked()));
    for (std::size_t m = 0; m < still_.locked().size(); ++m) {
      const auto at = std::find(independent.begin(), independent.end(), still_.locked()[m]);
      if (at == independent.end()) throw CaseError(fmt::format("'{}': a motor is not independent in this pose", name));
      const VectorX moved = J * N.col(at - independent.begin());
      for (Eigen::Index r = 0; r < rows; ++r) map(r, static_cast<Eigen::Index>(m)) = moved[3 + axes[r]];
    }
    return inverse_condition(map);
  }
  not_at_rest(name);
}

}  // namespace lithe::reproduce

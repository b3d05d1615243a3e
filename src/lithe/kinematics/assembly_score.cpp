#include "lithe/kinematics/assembly_score.hpp"

#include <algorithm>
#include <cmath>

#include "lithe/kinematics/figure.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/mechanism/alike.hpp"

namespace lithe::detail {
namespace {

constexpr double weight_of_wishes = 10.0, weight_of_neutral = 1.0, weight_of_likeness = 1.0, weight_of_upright = 1.0;

/// Links that several legs carry: at least three joints, none of them to the ground.
std::vector<int> platforms_of(const Mechanism& mechanism) {
  std::vector<int> links;
  for (int i = 1; i < static_cast<int>(mechanism.links.size()); ++i) {
    int count = 0;
    bool grounded = false;
    for (const Joint& joint : mechanism.joints) {
      if (joint.from.link != i && joint.to.link != i) continue;
      ++count;
      grounded = grounded || joint.from.link == 0 || joint.to.link == 0;
    }
    if (count >= 3 && !grounded) links.push_back(i);
  }
  return links;
}

double root_mean(double sum, std::size_t count) {
  return count == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(count));
}

}  // namespace

bool is_spoken_of(const std::vector<Wish>& wishes, std::size_t joint) {
  return std::any_of(wishes.begin(), wishes.end(), [&](const Wish& wish) {
    return (wish.kind == Wish::Kind::coordinate || wish.kind == Wish::Kind::rotation) &&
           wish.index == static_cast<int>(joint);
  });
}

AssemblyScore::AssemblyScore(const Plan& plan, Workspace& work, const std::vector<Wish>& wishes)
    : plan_(plan),
      work_(work),
      wishes_(wishes),
      alike_(alike_joints(plan.mechanism())),
      platforms_(platforms_of(plan.mechanism())) {}

double AssemblyScore::badness(const VectorX& q) const {
  double wished = 0.0, neutral = 0.0, likeness = 0.0, upright = 0.0;
  std::size_t rows = 0;
  for (const Wish& wish : wishes_) {
    const double scale = is_distance(plan_, wish) ? plan_.characteristic_length() : 1.0;
    wished += (wish_error(plan_, work_, q, wish) / scale).squaredNorm();
    rows += static_cast<std::size_t>(row_count(wish));
  }
  VectorX cut_q;
  cut_coordinates(plan_, work_, q, cut_q);
  const std::size_t joints = plan_.places().size();
  std::vector<double> sizes(joints);
  for (std::size_t j = 0; j < joints; ++j) {
    sizes[j] = distance_from_neutral(plan_, q, cut_q, j);
    if (!is_spoken_of(wishes_, j)) neutral += sizes[j] * sizes[j];
  }
  for (std::size_t j = 0; j < joints; ++j) {
    double sum = 0.0;
    int count = 0;
    for (std::size_t i = 0; i < joints; ++i) {
      if (alike_[i] != alike_[j]) continue;
      sum += sizes[i];
      ++count;
    }
    likeness += std::pow(sizes[j] - sum / count, 2);
  }
  for (const int link : platforms_)
    upright += vector_from_rotation(frame_pose(plan_, work_, q, {link, 0}).rotation).squaredNorm();
  return weight_of_wishes * root_mean(wished, rows) + weight_of_neutral * root_mean(neutral, joints) +
         weight_of_likeness * root_mean(likeness, joints) + weight_of_upright * root_mean(upright, platforms_.size());
}

}  // namespace lithe::detail

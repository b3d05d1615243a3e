#pragma once
// Which of several assemblies is the natural one.

#include "lithe/kinematics/wish.hpp"

namespace lithe::detail {

/// Does a wish concern this joint by its name?
bool is_spoken_of(const std::vector<Wish>& wishes, std::size_t joint);

class AssemblyScore {
 public:
  /// Everything must outlive this object.
  AssemblyScore(const Plan& plan, Workspace& work, const std::vector<Wish>& wishes);

  /// The smaller the better: how far the wishes are missed, joints that nobody spoke of stand from zero, joints that
  /// play the same part differ, platforms are turned (root mean squares in rad or characteristic lengths, weighted).
  double badness(const VectorX& q) const;

  /// A number per joint, the same for joints that play the same part.
  const std::vector<int>& alike() const { return alike_; }

 private:
  const Plan& plan_;
  Workspace& work_;
  const std::vector<Wish>& wishes_;
  std::vector<int> alike_, platforms_;
};

}  // namespace lithe::detail

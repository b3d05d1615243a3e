#pragma once
// One descent onto the closures, and onto wishes that are kept as equations beside them: damped Gauss-Newton with line
// search in scaled coordinates (radians; distances over the characteristic length).

#include <random>

#include "lithe/kinematics/assembly.hpp"
#include "lithe/kinematics/kernel.hpp"
#include "lithe/kinematics/wish.hpp"

namespace lithe::detail {

template <class S>
class Assembler {
 public:
  /// Joints are free, elastic coordinates are not.
  Assembler(const Plan& plan, Workspace& work, Kernel<S>& kernel, double tolerance = 1e-13, int max_iterations = 100);

  /// One row of a wish, which must outlive the assembler.
  struct Equation {
    const Wish* wish = nullptr;
    int row = 0;
  };
  std::vector<Equation> equations;
  std::vector<bool> free;  ///< per tree speed

  void free_joints();
  void free_links();  ///< elastic coordinates
  void hold(const std::vector<int>& speeds);

  /// From q and then from ever wider random guesses around it (`anywhere`: also from all over), always the same ones.
  /// Without success status is not_assembled and q holds the best attempt.
  AssemblyReport run(VectorX& q, bool anywhere);
  /// From q alone; true when all equations hold and all joints are upright.
  bool descend(VectorX& q, int& iterations);
  /// Towards the least sum of squares, which need not be zero.
  void settle(VectorX& q, int& iterations);
  /// Moves the free coordinates at random, by at most `size` (rad or characteristic lengths) each.
  void shake(std::mt19937& random, double size, VectorX& q) const;

  /// Rows of closures and equations at q, scaled; columns that are not free are zero.
  MatrixX jacobian(const VectorX& q);
  /// Row of a wish, scaled in the same way.
  VectorX row_of(const VectorX& q, const Equation& equation);

 private:
  void place(const VectorX& q);
  VectorX values(const VectorX& q);
  double largest(const VectorX& q);
  double plain_error(const VectorX& q);
  bool all_upright(const VectorX& q);
  bool try_step(VectorX& q, VectorX& c);
  double longest_curved_step(const MatrixX& jacobian, const VectorX& step) const;
  MatrixX jacobian_here(const VectorX& q);  ///< the same where the kernel stands at q already

  const Plan& plan_;
  Workspace& work_;
  Kernel<S>& k_;
  double tolerance_;
  int max_iterations_;
};

}  // namespace lithe::detail

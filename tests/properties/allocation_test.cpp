// No evaluation allocates once it has run.

#include "properties/subject.hpp"
#include "support/allocation_counter.hpp"
#include "support/exact_formulations.hpp"

namespace lithe::testing {
namespace {

/// Allocations of the second and third call.
template <class Call>
long allocations_of(const Call& call) {
  call();
  const long before = allocation_count();
  call();
  call();
  return allocation_count() - before;
}

}  // namespace

TEST(AllocationCounter, CountsNewAndEigen) {
  if (!allocations_are_counted()) GTEST_SKIP() << "sanitizers bring their own allocator";
  const long before = allocation_count();
  const auto number = std::make_unique<double>(1.0);
  const VectorX vector = VectorX::Constant(3, *number);
  EXPECT_EQ(allocation_count() - before, 2) << vector.sum();
}

LITHE_PROPERTY(EvaluationsDoNotAllocate, coupled(any_shape())) {
  Subject subject(shape);
  RC_PRE(subject.is_well_posed());
  const Plan& plan = subject.plan;
  Workspace& work = subject.work;
  VectorX a(plan.nv()), force(plan.nv()), q = subject.state.q, v = subject.state.v;
  bool good = true;
  for (const Formulation formulation : exact_formulations(plan)) {
    if (facts_of(formulation).allocates) continue;
    const long count = allocations_of(
        [&] { good = good && forward_dynamics(plan, work, subject.state, subject.actions, a, {formulation}); });
    RC_LOG() << name_of(formulation) << ": " << count << '\n';
    RC_ASSERT(count == 0);
  }
  InverseResult result;
  const std::vector<int> motors = work.independent();
  RC_ASSERT(allocations_of([&] {
              inverse_dynamics(plan, work, subject.state, a, subject.actions, motors, result);
              good = good && result.status;
            }) == 0);
  RC_ASSERT(allocations_of([&] { tree_inverse_dynamics(plan, work, subject.state, a, subject.actions, force); }) == 0);
  RC_ASSERT(allocations_of([&] { good = good && project_positions(plan, work, q); }) == 0);
  RC_ASSERT(allocations_of([&] { good = good && complete_speeds(plan, work, q, v); }) == 0);
  RC_ASSERT(allocations_of([&] { good = good && complete_accelerations(plan, work, subject.state, a); }) == 0);
  RC_ASSERT(allocations_of([&] { energy(plan, work, subject.state); }) == 0);
  RC_ASSERT(good);
}

}  // namespace lithe::testing

// Operations of evaluations: against counts by hand.

#include "lithe/dynamics/operation_count.hpp"

#include <gtest/gtest.h>

#include "lithe/io/load_model.hpp"
#include "lithe/simulation/prepare.hpp"
#include "support/long_mechanisms.hpp"

namespace lithe {
namespace {

TEST(Counted, CountsDivisionsAndFunctionsApart) {
  const OperationCount before = Counted::tally();
  const Counted x = 3.0, y = (x + 1.0) * x / 2.0;  // a sum, a product, a division
  const Counted root = sqrt(y), angle = atan2(root, x);
  sine_cosine(angle);
  const OperationCount count = Counted::tally() - before;
  EXPECT_EQ(count.sums, 1);
  EXPECT_EQ(count.products, 1);
  EXPECT_EQ(count.divisions, 2);
  EXPECT_EQ(count.functions, 3);
  EXPECT_EQ(count.flops(), 4);
  EXPECT_DOUBLE_EQ(angle.value(), std::atan2(std::sqrt(6.0), 3.0));
}

/// What an evaluation of a chain with this many elastic links takes, at a pose where nothing vanishes.
OperationCount forward_of(int links) {
  Prepared prepared = prepare(load_model_text(testing::elastic_chain(links), "chain.yaml"));
  prepared.state.q.setConstant(1e-3);
  prepared.state.v.setOnes();
  return count_forward(prepared.plan, prepared.work, prepared.state, Actions(prepared.plan));
}

// Linear cost: equal links more take equally many operations more, to the last one.
TEST(OperationCount, GrowsLinearlyWithTheChain) {
  const long ten = forward_of(10).flops(), twenty = forward_of(20).flops(), thirty = forward_of(30).flops();
  EXPECT_GT(ten, 0);
  EXPECT_EQ(thirty - twenty, twenty - ten);
}

}  // namespace
}  // namespace lithe

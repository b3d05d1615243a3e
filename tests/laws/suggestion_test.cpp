#include "lithe/laws/suggestion.hpp"

#include <gtest/gtest.h>

namespace lithe {
namespace {

TEST(Suggestion, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);  // the textbook example
  EXPECT_EQ(edit_distance("form", "from"), 1);       // neighbours swapped
  EXPECT_EQ(edit_distance("Mass", "mass"), 0);
}

TEST(Suggestion, OffersOnlyWhatIsNear) {
  const std::vector<std::string> known{"revolute", "prismatic", "from", "to"};
  EXPECT_EQ(nearest("revolut", known), "revolute");
  EXPECT_EQ(nearest("prizmatik", known), "prismatic");
  EXPECT_EQ(nearest("TO", known), "to");
  EXPECT_EQ(nearest("go", known), "");
  EXPECT_EQ(nearest("hinge", known), "");
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(nearest(std::string(1000, 'a'), known), "");
  EXPECT_EQ(did_you_mean("fromm", known), "; did you mean 'from'?");
  EXPECT_EQ(did_you_mean("x", known), "");
}

}  // namespace
}  // namespace lithe

// Links that a study keeps: those that were asked for last.

#include "lithe/io/link_store.hpp"

#include <gtest/gtest.h>

namespace lithe::io {
namespace {

std::string text_of(int k) { return "link " + std::to_string(k); }

TEST(LinkStore, GivesUpWhatHasNotBeenAskedForLongest) {
  // It has room for 200: with every one more the longest forgotten goes, never the one that each variant asks for.
  LinkStore store;
  for (int k = 0; k < 300; ++k) {
    store.keep_body(text_of(k), {});
    store.keep(text_of(k), "arm", {}, {});
    ASSERT_NE(store.find_body(text_of(0)), nullptr) << k;
    ASSERT_NE(store.find(text_of(0), "arm", {}), nullptr) << k;
  }
  EXPECT_EQ(store.find_body(text_of(1)), nullptr);
  EXPECT_EQ(store.find(text_of(1), "arm", {}), nullptr);
  for (int k = 101; k < 300; ++k) {  // 199 of the last ones beside the first
    EXPECT_NE(store.find_body(text_of(k)), nullptr) << k;
    EXPECT_NE(store.find(text_of(k), "arm", {}), nullptr) << k;
  }
  EXPECT_EQ(store.find_body(text_of(100)), nullptr);
  EXPECT_EQ(store.find(text_of(299), "leg", {}), nullptr);
}

}  // namespace
}  // namespace lithe::io

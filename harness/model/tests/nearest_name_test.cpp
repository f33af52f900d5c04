// A slip of the finger finds its name; what is no name's neighbour finds none.
#include "harness/model/nearest_name.hpp"

#include <gtest/gtest.h>

namespace harness {
namespace {

const std::vector<std::string> names{"qmul4", "encode_e4m3", "nvfp4_gather_index_k",
                                     "mxfp4_decode_pages", "mxfp4_gather_pages"};

TEST(NearestNameTest, FindsANameWithALetterMoreLessOtherOrSwapped) {
  EXPECT_EQ(nearest_name("qmul44", names), "qmul4");
  EXPECT_EQ(nearest_name("qmu4", names), "qmul4");
  EXPECT_EQ(nearest_name("qmul3", names), "qmul4");
  EXPECT_EQ(nearest_name("qmlu4", names), "qmul4");
  EXPECT_EQ(nearest_name("nvfp4_gather_indxe_k", names), "nvfp4_gather_index_k");
}

TEST(NearestNameTest, FindsTheOnlyNameThatBeginsWithTheWord) {
  EXPECT_EQ(nearest_name("nvfp4", names), "nvfp4_gather_index_k");
  EXPECT_EQ(nearest_name("mxfp4", names), "") << "two begin with it";
}

TEST(NearestNameTest, NamesNothingThatIsFarOrEquallyNear) {
  EXPECT_EQ(nearest_name("gemm", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("aac", std::vector<std::string>{"aab", "aad"}), "");
  EXPECT_EQ(did_you_mean("qmul3", names), "; did you mean qmul4?");
  EXPECT_EQ(did_you_mean("gemm", names), "");
}

}  // namespace
}  // namespace harness

// The frozen pages of real rows are what the oracle's vllm_m3 rule makes of them, byte for byte,
// and what every run gathers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "harness/files/safetensors.hpp"
#include "harness/suite/operations/named_pages.hpp"
#include "oracle/blocks/quantize.hpp"

namespace harness {
namespace {

TEST(RealPagesTest, AreTheQuantizedRows) {
  const auto file = read_safetensors(FP4CTS_VECTORS_DIR "/data/real/rows.safetensors");
  ASSERT_TRUE(file) << file.error().message;
  const FileTensor* const rows = file->find("rows");
  ASSERT_NE(rows, nullptr);
  ASSERT_EQ(rows->shape, (std::vector<std::int64_t>{4, 128, 128}));
  const oracle::PageLayout& layout = oracle::nvfp4_index_k;
  const auto frozen = named_pages(layout, "real");
  ASSERT_TRUE(frozen) << frozen.error().message;

  std::vector<std::uint8_t> pages(std::size_t{4} * 9216);
  ASSERT_EQ(frozen->size(), pages.size());
  for (std::size_t row = 0; row < 512; ++row) {
    std::array<std::uint32_t, 128> bits{};
    std::memcpy(bits.data(), rows->bytes.data() + row * sizeof bits, sizeof bits);
    oracle::write_token(layout, std::span(pages).subspan(row / 128 * 9216, 9216),
                        static_cast<int>(row % 128),
                        oracle::quantize_row(layout, bits, oracle::profiles::ocp()));
  }
  const auto at = std::mismatch(pages.begin(), pages.end(), frozen->begin());
  EXPECT_TRUE(at.first == pages.end()) << "byte " << at.first - pages.begin() << ": the rule gives "
                                       << int{*at.first} << ", the file has " << int{*at.second};
}

}  // namespace
}  // namespace harness

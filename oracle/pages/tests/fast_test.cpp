#include "oracle/pages/fast.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oracle/pages/tests/gather_call.hpp"

namespace oracle {
namespace {

std::vector<FastPath> supported_paths() {
  std::vector<FastPath> paths;
  for (const FastPath path : {FastPath::portable, FastPath::ssse3, FastPath::avx2}) {
    if (FastOracle::is_supported(path)) paths.push_back(path);
  }
  return paths;
}

// Profiles that between them change every field a reader honours.
std::vector<Profile> profiles_under_test() {
  std::vector<Profile> all;
  for (const Profile* profile : profiles::shipped()) all.push_back(*profile);
  Profile odd = profiles::ocp();
  odd.nan_sign = NanSign::from_element;
  odd.e8m0_ff = E8m0Ff::two_to_128;
  odd.scale_sign = ScaleSign::unsigned_e4m3;
  odd.e4m3_overflow = E4m3Overflow::to_nan;
  odd.e4m3_infinity = E4m3Infinity::to_nan;
  odd.negative_zero = NegativeZero::cleared;
  odd.zero_code_nan_scale = ZeroCodeNanScale::zero;
  odd.scale_order = ScaleOrderChoice::quads;
  all.push_back(odd);
  return all;
}

TEST(FastOracleTest, EveryPairIsTheExactOne) {
  for (const Profile& profile : profiles_under_test()) {
    const FastOracle fast(profile);
    for (const FormatSpec& format : {e4m3::spec, e8m0::spec}) {
      for (const Dtype destination : all_destinations) {
        for (unsigned scale = 0; scale < 256; ++scale) {
          for (unsigned code = 0; code < 16; ++code) {
            const auto c = static_cast<std::uint8_t>(code);
            const auto s = static_cast<std::uint8_t>(scale);
            ASSERT_EQ(fast.element(format, c, s, destination),
                      decode_element(format, c, s, destination, profile))
                << profile.name << " " << name_of(destination) << " code " << code << " scale "
                << scale;
          }
        }
      }
    }
  }
}

// Sixteen pages: in page k the group numbered i has scale byte i mod 256 and its element at place j
// has code (i / 256 + j + k) mod 16. Over the pages every pair meets every place of a group.
std::vector<std::uint8_t> page_of_all_pairs(const PageLayout& layout, int k) {
  std::vector<std::uint8_t> page(static_cast<std::size_t>(layout.page_bytes()));
  for (int token = 0; token < layout.num_tokens; ++token) {
    for (int group = 0; group < layout.groups_per_token(); ++group) {
      const int number = token * layout.groups_per_token() + group;
      layout.set_scale(page.data(), token, group, static_cast<std::uint8_t>(number % 256));
      for (int place = 0; place < layout.scale_block_size; ++place) {
        layout.set_code(page.data(), token, group * layout.scale_block_size + place,
                        static_cast<std::uint8_t>((number / 256 + place + k) % 16));
      }
    }
  }
  return page;
}

TEST(FastOracleTest, EveryPairAtEveryPlaceOfAGroupByEveryPath) {
  for (const PageLayout& layout : all_page_layouts) {
    std::vector<std::vector<std::uint8_t>> pages;
    std::vector<bool> seen(std::size_t{32} * 4096, false);
    for (int k = 0; k < 16; ++k) {
      pages.push_back(page_of_all_pairs(layout, k));
      for (int token = 0; token < 128; ++token) {
        for (int element = 0; element < 128; ++element) {
          const int place = element % layout.scale_block_size;
          const int scale = layout.scale(pages.back().data(), token, layout.group_of(element));
          const int code = layout.code(pages.back().data(), token, element);
          seen[static_cast<std::size_t>(place) * 4096 +
               static_cast<std::size_t>(scale * 16 + code)] = true;
        }
      }
    }
    ASSERT_EQ(std::count(seen.begin(), seen.end(), true), layout.scale_block_size * 4096);

    for (const Dtype destination : all_destinations) {
      const auto bytes = static_cast<std::size_t>(decoded_page_bytes(layout, destination));
      std::vector<std::uint8_t> exact(bytes);
      std::vector<std::uint8_t> fast(bytes);
      std::vector<FastOracle> oracles;
      for (const FastPath path : supported_paths()) oracles.emplace_back(profiles::ocp(), path);
      for (const auto& page : pages) {
        decode_page(layout, page, destination, exact, profiles::ocp());
        for (const FastOracle& oracle : oracles) {
          std::fill(fast.begin(), fast.end(), std::uint8_t{0xA7});
          oracle.decode_page(layout, page, destination, fast);
          ASSERT_EQ(fast, exact) << layout.name << " " << name_of(destination);
        }
      }
    }
  }
}

TEST(FastOracleTest, FollowsSectionAndScaleOrders) {
  for (PageLayout layout : all_page_layouts) {
    for (const auto section : {SectionOrder::codes_first, SectionOrder::scales_first}) {
      for (const auto order : {ScaleOrder::linear, ScaleOrder::quads, ScaleOrder::swizzle_128x4}) {
        layout.section_order = section;
        layout.scale_order = order;
        const GatherCall call(layout, Dtype::bf16);
        const auto page = std::span(call.pool).first(static_cast<std::size_t>(layout.page_bytes()));
        std::vector<std::uint8_t> exact(32768);
        std::vector<std::uint8_t> fast(32768);
        decode_page(layout, page, Dtype::bf16, exact, profiles::ocp());
        FastOracle(profiles::ocp()).decode_page(layout, page, Dtype::bf16, fast);
        EXPECT_EQ(fast, exact);
      }
    }
  }
}

// Whole calls: gathers with gaps, heads and padding, under every profile, by every path.
TEST(FastOracleTest, GathersAreTheExactOnes) {
  for (const Profile& profile : profiles_under_test()) {
    for (const FastPath path : supported_paths()) {
      const FastOracle oracle(profile, path);
      GatherCall exact(nvfp4_index_k, Dtype::e4m3);
      GatherCall fast(nvfp4_index_k, Dtype::e4m3);
      ASSERT_TRUE(nvfp4_gather_index_k(exact.arguments(), profile).has_value());
      ASSERT_TRUE(oracle.gather(readers::nvfp4_gather_index_k, fast.arguments()).has_value());
      EXPECT_EQ(fast.out, exact.out) << profile.name;
    }
  }
  const FastOracle oracle(profiles::ocp());
  for (const std::int64_t heads : {1, 3}) {
    for (const Dtype destination : all_destinations) {
      GatherCall exact(mxfp4, destination, heads);
      GatherCall fast(mxfp4, destination, heads);
      ASSERT_TRUE(mxfp4_gather_pages(exact.arguments(), profiles::ocp()).has_value());
      ASSERT_TRUE(oracle.gather(readers::mxfp4_gather_pages, fast.arguments()).has_value());
      EXPECT_EQ(fast.out, exact.out) << name_of(destination) << " heads " << heads;
    }
  }
}

// Large outputs are stored past the caches, and only where they are aligned.
TEST(FastOracleTest, LargeOutputsAreTheSameAtEveryAlignment) {
  constexpr std::int64_t count = 520;  // 8.1 MiB of e4m3
  const GatherCall source(nvfp4_index_k, Dtype::e4m3);
  std::vector<std::uint8_t> exact(std::size_t{4} * 16384);
  for (std::size_t page = 0; page < 4; ++page) {
    decode_page(nvfp4_index_k, std::span(source.pool).subspan(page * 9344, 9216), Dtype::e4m3,
                std::span(exact).subspan(page * 16384, 16384), profiles::ocp());
  }
  std::vector<std::int32_t> table(count);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::int32_t>(i * 7 % 4);
  const std::vector<std::int32_t> num_pages{static_cast<std::int32_t>(count)};
  const std::vector<std::int32_t> page_offsets{0};
  const auto bytes = [](const std::vector<std::int32_t>& values) {
    return std::span(reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * 4);
  };
  for (const FastPath path : supported_paths()) {
    for (const std::size_t shift : {0U, 1U, 16U, 32U}) {
      std::vector<std::uint8_t> out(static_cast<std::size_t>(count * 16384 + 64), GatherCall::fill);
      const auto address = reinterpret_cast<std::uintptr_t>(out.data());
      const std::size_t begin = (64 - address % 64) % 32 + shift;
      GatherArguments a;
      a.pages = {source.pool, Dtype::u8, {4, 128, 72}, {9344, 72, 1}, 0};
      a.block_table = {bytes(table), Dtype::i32, {1, count}, {count, 1}, 0};
      a.num_pages = {bytes(num_pages), Dtype::i32, {1}, {1}, 0};
      a.page_offsets = {bytes(page_offsets), Dtype::i32, {1}, {1}, 0};
      a.max_num_pages = count;
      a.out = *contiguous_view(std::span(out).subspan(begin, count * 16384), Dtype::e4m3,
                               {count, 128, 128});
      ASSERT_TRUE(
          FastOracle(profiles::ocp(), path).gather(readers::nvfp4_gather_index_k, a).has_value());
      for (std::size_t i = 0; i < table.size(); ++i) {
        const auto* expected = exact.data() + std::size_t(table[i]) * 16384;
        ASSERT_TRUE(std::equal(expected, expected + 16384, out.data() + begin + i * 16384))
            << "page " << i << " shift " << shift;
      }
      for (std::size_t i = 0; i < out.size(); ++i) {
        if (i >= begin && i < begin + count * 16384) i = begin + count * 16384;
        ASSERT_EQ(out[i], GatherCall::fill) << "byte " << i << " shift " << shift;
      }
    }
  }
}

TEST(FastOracleTest, DecodesAreTheExactOnes) {
  const GatherCall call(mxfp4, Dtype::f32, 2);
  const ConstTensorView pages{call.pool, Dtype::u8, {4, 2, 8704}, {8832, 35328, 1}, 0};
  for (const Dtype destination : all_destinations) {
    const auto bytes = static_cast<std::size_t>(8 * decoded_page_bytes(mxfp4, destination));
    std::vector<std::uint8_t> exact(bytes);
    std::vector<std::uint8_t> fast(bytes);
    const Extents shape{4, 2, 128, 128};
    ASSERT_TRUE(mxfp4_decode_pages(pages, *contiguous_view(std::span(exact), destination, shape),
                                   profiles::cuda())
                    .has_value());
    ASSERT_TRUE(
        FastOracle(profiles::cuda())
            .mxfp4_decode_pages(pages, *contiguous_view(std::span(fast), destination, shape))
            .has_value());
    EXPECT_EQ(fast, exact) << name_of(destination);
  }
}

TEST(FastOracleTest, ContractIsTheExactOracles) {
  GatherCall call(nvfp4_index_k, Dtype::e4m3);
  call.table[0] = 4;
  const auto fast =
      FastOracle(profiles::ocp()).gather(readers::nvfp4_gather_index_k, call.arguments());
  const auto exact = nvfp4_gather_index_k(call.arguments(), profiles::ocp());
  ASSERT_FALSE(fast.has_value());
  EXPECT_EQ(fast.error(), exact.error());
  EXPECT_THAT(call.out, testing::Each(GatherCall::fill));
}

}  // namespace
}  // namespace oracle

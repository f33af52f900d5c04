#include "oracle/pages/page_layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace oracle {
namespace {

// Every shape and order that the header offers, as far as they fit together.
std::vector<PageLayout> layouts_of_every_order() {
  std::vector<PageLayout> layouts;
  for (PageLayout base : all_page_layouts) {
    for (const int num_tokens : {4, 16, 64, 128, 256}) {
      for (const auto nibble : {NibbleOrder::even_low, NibbleOrder::even_high}) {
        for (const auto section : {SectionOrder::codes_first, SectionOrder::scales_first}) {
          for (const auto code : {CodeOrder::rows, CodeOrder::tiles_16x16}) {
            for (const auto scale :
                 {ScaleOrder::linear, ScaleOrder::quads, ScaleOrder::swizzle_128x4}) {
              PageLayout layout = base;
              layout.num_tokens = num_tokens;
              layout.nibble_order = nibble;
              layout.section_order = section;
              layout.code_order = code;
              layout.scale_order = scale;
              if (layout.is_consistent()) layouts.push_back(layout);
            }
          }
        }
      }
    }
  }
  return layouts;
}

TEST(PageLayoutTest, EveryByteIsOnePlaceAndEveryPlaceOneByte) {
  const auto layouts = layouts_of_every_order();
  ASSERT_EQ(layouts.size(), 2U * 2U * 2U * (5U + 4U + 5U + 4U + 2U * 2U));
  for (const PageLayout& layout : layouts) {
    std::vector<int> owners(static_cast<std::size_t>(layout.page_bytes()), 0);
    for (int token = 0; token < layout.num_tokens; ++token) {
      for (int element = 0; element < layout.head_dim; element += 2) {
        const int offset = layout.code_offset(token, element);
        ++owners.at(static_cast<std::size_t>(offset));
        ASSERT_EQ(layout.code_offset(token, element + 1), offset);
        ASSERT_EQ(layout.place(offset),
                  (PagePlace{PageSection::codes, token, element, layout.group_of(element)}));
      }
      for (int group = 0; group < layout.groups_per_token(); ++group) {
        const int offset = layout.scale_offset(token, group);
        ++owners.at(static_cast<std::size_t>(offset));
        ASSERT_EQ(layout.place(offset),
                  (PagePlace{PageSection::scales, token, group * layout.scale_block_size, group}));
      }
    }
    ASSERT_THAT(owners, testing::Each(1));
  }
}

TEST(PageLayoutTest, CodesAndScalesAreReadBackWhereTheyWereSet) {
  for (const PageLayout& layout : layouts_of_every_order()) {
    std::vector<std::uint8_t> page(static_cast<std::size_t>(layout.page_bytes()), 0xA5);
    const int token = layout.num_tokens - 1;
    const int group = layout.groups_per_token() - 1;
    layout.set_code(page.data(), token, 6, 0x3);
    layout.set_code(page.data(), token, 7, 0xC);
    layout.set_scale(page.data(), token, group, 0x38);
    EXPECT_EQ(layout.code(page.data(), token, 6), 0x3);
    EXPECT_EQ(layout.code(page.data(), token, 7), 0xC);
    EXPECT_EQ(layout.scale(page.data(), token, group), 0x38);
    EXPECT_EQ(std::count(page.begin(), page.end(), 0xA5), layout.page_bytes() - 2);
  }
}

// docs/design.md section 3.2: "byte 8192 + 8*token + group is the E4M3 scale of elements
// 16*group .. 16*group+15", "the low nibble is the even element".
TEST(PageLayoutTest, Nvfp4IndexKFollowsItsFormula) {
  for (int token = 0; token < 128; ++token) {
    for (int element = 0; element < 128; ++element) {
      ASSERT_EQ(nvfp4_index_k.code_offset(token, element), 64 * token + element / 2);
      ASSERT_EQ(nvfp4_index_k.nibble_shift(element), element % 2 == 0 ? 0 : 4);
      ASSERT_EQ(nvfp4_index_k.scale_offset(token, nvfp4_index_k.group_of(element)),
                8192 + 8 * token + element / 16);
    }
  }
}

// docs/design.md section 3.3: "byte 8192 + 4*token + group, group = element/32".
TEST(PageLayoutTest, Mxfp4FollowsItsFormula) {
  for (int token = 0; token < 128; ++token) {
    for (int element = 0; element < 128; ++element) {
      ASSERT_EQ(mxfp4.code_offset(token, element), 64 * token + element / 2);
      ASSERT_EQ(mxfp4.scale_offset(token, mxfp4.group_of(element)),
                8192 + 4 * token + element / 32);
    }
  }
}

// docs/design.md section 3.5 and docs/engines.md sections a, b, d write this order in three ways;
// all are one: the quads of vLLM and MSA, flashinfer's gather form, and the token/column form.
TEST(PageLayoutTest, VScaleQuadsAreOneOrderInThreeSpellings) {
  PageLayout layout = nvfp4_index_k;
  layout.scale_order = ScaleOrder::quads;
  for (int t = 0; t < 128; ++t) {
    for (int s = 0; s < 8; ++s) {
      const int offset = layout.scale_offset(t, s) - 8192;
      ASSERT_EQ(offset, (t / 4) * 32 + s * 4 + t % 4);
      ASSERT_EQ(offset, ((t / 4) * 4 + s / 2) * 8 + (s % 2) * 4 + t % 4);
    }
  }
}

// docs/engines.md section b: ((r//128)*ceil(C/4) + c//4)*512 + (r%32)*16 + ((r%128)//32)*4 + c%4.
TEST(PageLayoutTest, Swizzle128x4FollowsItsFormula) {
  PageLayout layout = nvfp4_index_k;
  layout.scale_order = ScaleOrder::swizzle_128x4;
  layout.num_tokens = 256;
  for (int r = 0; r < 256; ++r) {
    for (int c = 0; c < 8; ++c) {
      ASSERT_EQ(layout.scale_offset(r, c) - layout.scale_section_offset(),
                ((r / 128) * 2 + c / 4) * 512 + (r % 32) * 16 + (r % 128 / 32) * 4 + c % 4);
    }
  }
}

struct LayoutFault {
  std::string id;
  PageLayout right;
  PageLayout wrong;
  int poked_offset;
  int token;
  int element;
  bool right_sees_poke;
};

// The public layout cases (docs/reported-faults.md group L): a byte is poked, and the right layout
// and the wrong one disagree on whether an element sees it.
TEST(PageLayoutTest, WrongOrdersDifferFromTheRightOneWhereThePublicCasesSay) {
  const auto with = [](PageLayout layout, auto change) {
    change(layout);
    return layout;
  };
  const auto tiles = [](PageLayout& l) { l.code_order = CodeOrder::tiles_16x16; };
  const auto swizzle = [](PageLayout& l) { l.scale_order = ScaleOrder::swizzle_128x4; };
  const auto quads = [](PageLayout& l) { l.scale_order = ScaleOrder::quads; };
  const auto scales_first = [](PageLayout& l) { l.section_order = SectionOrder::scales_first; };
  const std::vector<LayoutFault> faults{
      {"L05", nvfp4_index_k, with(nvfp4_index_k, tiles), 16, 0, 32, true},
      {"L12.1", nvfp4_index_k, with(nvfp4_index_k, swizzle), 8196, 0, 64, true},
      {"L12.2", mxfp4, with(mxfp4, swizzle), 8196, 1, 0, true},
      {"L13.1", nvfp4_index_k, with(nvfp4_index_k, quads), 8193, 0, 16, true},
      {"L13.2", mxfp4, with(mxfp4, quads), 8193, 0, 32, true},
      {"L14", nvfp4_index_k, with(nvfp4_index_k, scales_first), 0, 0, 0, true},
  };
  for (const LayoutFault& fault : faults) {
    const auto sees = [&](const PageLayout& layout) {
      return layout.code_offset(fault.token, fault.element) == fault.poked_offset ||
             layout.scale_offset(fault.token, layout.group_of(fault.element)) == fault.poked_offset;
    };
    EXPECT_TRUE(sees(fault.right)) << fault.id;
    // L14's wrong reader takes the poked code byte for the scale of the very same element.
    EXPECT_EQ(sees(fault.wrong), fault.id == "L14") << fault.id;
  }
}

TEST(PageLayoutTest, ShapesThatDoNotFitAreInconsistent) {
  PageLayout layout = nvfp4_index_k;
  layout.head_dim = 24;
  EXPECT_FALSE(layout.is_consistent()) << "16 does not divide 24";
  layout = nvfp4_index_k;
  layout.num_tokens = 64;
  layout.scale_order = ScaleOrder::swizzle_128x4;
  EXPECT_FALSE(layout.is_consistent()) << "tiles of 128 tokens";
  layout = mxfp4;
  layout.num_tokens = 0;
  EXPECT_FALSE(layout.is_consistent());
}

// docs/reported-faults.md, "What the numbers say": where byte offsets wrap.
TEST(PageLayoutTest, OffsetsPassTheWrapPoints) {
  constexpr std::int64_t two_to_31 = std::int64_t{1} << 31;
  constexpr std::int64_t two_to_32 = std::int64_t{1} << 32;
  EXPECT_GE(page_offset(233017, 9216), two_to_31);
  EXPECT_LT(page_offset(233016, 9216), two_to_31);
  EXPECT_EQ(page_offset(466034, 9216), two_to_32 + 2048);
  EXPECT_EQ(page_offset(246724, 8704) - two_to_31, 2048);
  EXPECT_EQ(page_offset(493448, 8704), two_to_32 + 4096);
  EXPECT_EQ(page_offset(131072, 16384), two_to_31);
  EXPECT_EQ(page_offset(1, 9344), 9344);
}

TEST(PageLayoutTest, SlotsCountTokensOfPages) {
  EXPECT_EQ(slot_at(0, mxfp4), (Slot{0, 0}));
  EXPECT_EQ(slot_at(129, mxfp4), (Slot{1, 1}));
  EXPECT_EQ(slot_at(std::int64_t{128} * 466034 + 127, mxfp4), (Slot{466034, 127}));
}

}  // namespace
}  // namespace oracle

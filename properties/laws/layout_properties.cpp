// Laws of page layouts and views: a page is a bijection of its bytes, whatever its shape and
// orders, and a view changes nothing.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <vector>

#include "oracle/pages/page_layout.hpp"
#include "oracle/pages/page_view.hpp"

namespace oracle {

void showValue(const PageLayout& layout, std::ostream& os) {
  os << "tokens " << layout.num_tokens << ", head_dim " << layout.head_dim << ", scale block "
     << layout.scale_block_size << ", nibbles " << static_cast<int>(layout.nibble_order)
     << ", sections " << static_cast<int>(layout.section_order) << ", codes "
     << static_cast<int>(layout.code_order) << ", scales " << static_cast<int>(layout.scale_order);
}

namespace {

// Layouts that are consistent, the shipped ones no likelier than others.
rc::Gen<PageLayout> any_layout() {
  return rc::gen::suchThat(
      rc::gen::build<PageLayout>(
          rc::gen::set(&PageLayout::num_tokens,
                       rc::gen::element(1, 2, 4, 16, 20, 32, 64, 128, 256)),
          rc::gen::set(&PageLayout::head_dim, rc::gen::element(32, 64, 96, 128, 256)),
          rc::gen::set(&PageLayout::scale_block_size, rc::gen::element(16, 32)),
          rc::gen::set(&PageLayout::nibble_order,
                       rc::gen::element(NibbleOrder::even_low, NibbleOrder::even_high)),
          rc::gen::set(&PageLayout::section_order,
                       rc::gen::element(SectionOrder::codes_first, SectionOrder::scales_first)),
          rc::gen::set(&PageLayout::code_order,
                       rc::gen::element(CodeOrder::rows, CodeOrder::tiles_16x16)),
          rc::gen::set(
              &PageLayout::scale_order,
              rc::gen::element(ScaleOrder::linear, ScaleOrder::quads, ScaleOrder::swizzle_128x4))),
      [](const PageLayout& layout) { return layout.is_consistent(); });
}

RC_GTEST_PROP(LayoutProperties, EveryByteIsOnePlace, ()) {
  const PageLayout layout = *any_layout();
  std::set<int> met;
  for (int token = 0; token < layout.num_tokens; ++token) {
    for (int element = 0; element < layout.head_dim; element += 2) {
      const int offset = layout.code_offset(token, element);
      RC_ASSERT(met.insert(offset).second);
      RC_ASSERT(layout.code_offset(token, element + 1) == offset);
      RC_ASSERT(layout.place(offset) ==
                (PagePlace{PageSection::codes, token, element, layout.group_of(element)}));
    }
    for (int group = 0; group < layout.groups_per_token(); ++group) {
      const int offset = layout.scale_offset(token, group);
      RC_ASSERT(met.insert(offset).second);
      RC_ASSERT(layout.place(offset) ==
                (PagePlace{PageSection::scales, token, group * layout.scale_block_size, group}));
    }
  }
  RC_ASSERT(static_cast<int>(met.size()) == layout.page_bytes());
  RC_ASSERT(*met.begin() == 0);
  RC_ASSERT(*met.rbegin() == layout.page_bytes() - 1);
}

RC_GTEST_PROP(LayoutProperties, WhatIsPackedComesBackAndNothingElseMoves, ()) {
  const PageLayout layout = *any_layout();
  auto page = *rc::gen::container<std::vector<std::uint8_t>>(
      static_cast<std::size_t>(layout.page_bytes()), rc::gen::arbitrary<std::uint8_t>());
  const std::vector<std::uint8_t> before = page;
  const auto token = *rc::gen::inRange(0, layout.num_tokens);
  const auto element = *rc::gen::inRange(0, layout.head_dim);
  const auto code = *rc::gen::inRange<std::uint8_t>(0, 16);
  const auto scale = *rc::gen::arbitrary<std::uint8_t>();
  const int neighbour = element ^ 1;
  layout.set_code(page.data(), token, element, code);
  layout.set_scale(page.data(), token, layout.group_of(element), scale);
  RC_ASSERT(layout.code(page.data(), token, element) == code);
  RC_ASSERT(layout.code(page.data(), token, neighbour) ==
            layout.code(before.data(), token, neighbour));
  RC_ASSERT(layout.scale(page.data(), token, layout.group_of(element)) == scale);
  const auto code_byte = static_cast<std::size_t>(layout.code_offset(token, element));
  const auto scale_byte =
      static_cast<std::size_t>(layout.scale_offset(token, layout.group_of(element)));
  for (std::size_t i = 0; i < page.size(); ++i) {
    RC_ASSERT(i == code_byte || i == scale_byte || page[i] == before[i]);
  }
}

RC_GTEST_PROP(LayoutProperties, SlotsAreTokensOfPages, ()) {
  const auto slot = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 40);
  const Slot found = slot_at(slot, mxfp4);
  RC_ASSERT(found.page_id * mxfp4.num_tokens + found.token == slot);
  RC_ASSERT(found.token >= 0 && found.token < mxfp4.num_tokens);
}

// The pair of views of MXFP4 pages: every byte of a page is in one of them, once, with leading axes
// of any strides.
RC_GTEST_PROP(ViewProperties, TheTwoViewsAreThePage, ()) {
  const auto pages = *rc::gen::inRange<std::int64_t>(1, 4);
  const auto heads = *rc::gen::inRange<std::int64_t>(1, 4);
  const std::int64_t head_stride = 8704 + *rc::gen::inRange<std::int64_t>(0, 20);
  const std::int64_t page_stride = heads * head_stride + *rc::gen::inRange<std::int64_t>(0, 20);
  const std::vector<std::uint8_t> storage(
      static_cast<std::size_t>((pages - 1) * page_stride + (heads - 1) * head_stride + 8704));
  const ConstTensorView view{
      storage, Dtype::u8, {pages, heads, 8704}, {page_stride, head_stride, 1}, 0};
  const auto views = mxfp4_page_views(view);
  RC_ASSERT(views.has_value());
  RC_ASSERT((views->data.shape == std::vector<std::int64_t>{pages, heads, 128, 64}));
  RC_ASSERT((views->scale.shape == std::vector<std::int64_t>{pages, heads, 128, 4}));
  std::set<std::int64_t> met;
  const auto visit = [&](const ConstTensorView& part, std::int64_t page, std::int64_t head) {
    for (std::int64_t token = 0; token < part.shape[2]; ++token) {
      for (std::int64_t byte = 0; byte < part.shape[3]; ++byte) {
        const std::int64_t offset = part.origin_bytes + page * part.strides[0] +
                                    head * part.strides[1] + token * part.strides[2] +
                                    byte * part.strides[3];
        const std::int64_t in_page = offset - page * page_stride - head * head_stride;
        RC_ASSERT(in_page >= 0 && in_page < 8704);
        RC_ASSERT(met.insert(offset).second);
      }
    }
  };
  for (std::int64_t page = 0; page < pages; ++page) {
    for (std::int64_t head = 0; head < heads; ++head) {
      visit(views->data, page, head);
      visit(views->scale, page, head);
    }
  }
  RC_ASSERT(static_cast<std::int64_t>(met.size()) == pages * heads * 8704);
}

}  // namespace
}  // namespace oracle

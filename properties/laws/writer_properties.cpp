// Laws of the writers: what is written is what is read, group by group, by every shipped rule.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "oracle/blocks/quantize.hpp"
#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/numbers/formats.hpp"
#include "oracle/pages/product.hpp"

namespace oracle {
namespace {

constexpr std::size_t row_elements = 128;
using Row = std::vector<std::uint32_t>;  // f32 bits

std::uint32_t f32_bits(const Exact& value) {
  const auto bits = encode(f32::spec, value, Round::rne, Overflow::to_inf, strict);
  RC_ASSERT(bits.has_value());
  return *bits;
}

// A writer: its layout, and a profile with its rule.
struct Writer {
  const PageLayout* layout = nullptr;
  Profile profile;
  bool clears_negative_zero = false;
  std::uint8_t largest_code = 7;  // of a group whose scale is a power of two
};

Writer nvfp4_writer() {
  Writer writer{&nvfp4_index_k, profiles::ocp()};
  writer.profile.nvfp4_writer = *rc::gen::element(vllm_m3, nvfp4_generic);
  writer.clears_negative_zero = writer.profile.nvfp4_writer.negative_zero == NegativeZero::cleared;
  return writer;
}

Writer mxfp4_writer() {
  Writer writer{&mxfp4, profiles::ocp()};
  writer.profile.mxfp4_writer =
      *rc::gen::element(mxfp4_aiter, mxfp4_ocp_floor, mxfp4_even, mxfp4_ceil, mxfp4_dsv4);
  writer.clears_negative_zero = writer.profile.mxfp4_writer.negative_zero == NegativeZero::cleared;
  // Rounding amax / 4 up leaves 4.0 as the largest element under its scale.
  if (writer.profile.mxfp4_writer.mode == ScaleMode::ceil) writer.largest_code = 6;
  return writer;
}

Writer any_writer() { return *rc::gen::arbitrary<bool>() ? nvfp4_writer() : mxfp4_writer(); }

// Numbers of ordinary size: some 2^-20 to 2^8, either sign, zeros among them.
Row any_row() {
  const auto element = rc::gen::map(
      rc::gen::tuple(rc::gen::inRange<std::uint32_t>(0, 1U << 23), rc::gen::inRange(107, 135),
                     rc::gen::arbitrary<bool>(), rc::gen::inRange(0, 10)),
      [](const auto& parts) {
        const auto& [mantissa, exponent, negative, zero] = parts;
        const std::uint32_t magnitude =
            zero == 0 ? 0 : static_cast<std::uint32_t>(exponent) << 23 | mantissa;
        return magnitude | (negative ? 0x80000000U : 0U);
      });
  return *rc::gen::container<Row>(row_elements, element);
}

// A row that a page can hold exactly, and the page's own form of it.
struct HeldRow {
  Row row;
  QuantizedRow held;
};

HeldRow held_row(const Writer& writer) {
  const PageLayout& layout = *writer.layout;
  const bool e8m0_scales = layout.scale_format == oracle::e8m0::spec;
  HeldRow made;
  for (int group = 0; group < layout.groups_per_token(); ++group) {
    const auto scale = e8m0_scales ? *rc::gen::inRange<std::uint8_t>(40, 200)
                                   : *rc::gen::inRange<std::uint8_t>(0x08, 0x7f);
    made.held.scales.push_back(scale);
    const Exact value = scale_value(layout.scale_format, scale, writer.profile);
    // The largest element decides the scale.
    const auto largest = *rc::gen::inRange(0, layout.scale_block_size);
    for (int i = 0; i < layout.scale_block_size; ++i) {
      auto code = *rc::gen::inRange<std::uint8_t>(0, writer.largest_code + 1);
      if (i == largest) code = writer.largest_code;
      if (code != 0 && *rc::gen::arbitrary<bool>()) code |= 8;
      made.held.codes.push_back(code);
      made.row.push_back(f32_bits(multiply(decode<e2m1>(code), value)));
    }
  }
  return made;
}

RC_GTEST_PROP(WriterProperties, WhatAPageCanHoldComesBack, ()) {
  const Writer writer = any_writer();
  const HeldRow made = held_row(writer);
  const QuantizedRow written = quantize_row(*writer.layout, made.row, writer.profile);
  RC_ASSERT(written.scales == made.held.scales);
  RC_ASSERT(written.codes == made.held.codes);
}

RC_GTEST_PROP(WriterProperties, GroupsDoNotMeet, ()) {
  const Writer writer = any_writer();
  const PageLayout& layout = *writer.layout;
  const Row row = any_row();
  Row other = row;
  const auto own = *rc::gen::inRange(0, layout.groups_per_token());
  const Row fresh = any_row();
  const auto size = static_cast<std::ptrdiff_t>(layout.scale_block_size);
  std::copy_n(fresh.begin(), size, other.begin() + own * size);
  const QuantizedRow before = quantize_row(layout, row, writer.profile);
  const QuantizedRow after = quantize_row(layout, other, writer.profile);
  for (int element = 0; element < layout.head_dim; ++element) {
    const int group = layout.group_of(element);
    if (group == own) continue;
    const auto at = static_cast<std::size_t>(element);
    RC_ASSERT(before.codes[at] == after.codes[at]);
    RC_ASSERT(before.scales[static_cast<std::size_t>(group)] ==
              after.scales[static_cast<std::size_t>(group)]);
  }
}

RC_GTEST_PROP(WriterProperties, ElementsOfAGroupMayChangePlaces, ()) {
  const Writer writer = any_writer();
  const auto size = static_cast<std::ptrdiff_t>(writer.layout->scale_block_size);
  const Row row = any_row();
  Row other = row;
  QuantizedRow expected = quantize_row(*writer.layout, row, writer.profile);
  for (auto group = other.begin(); group != other.end(); group += size) {
    std::reverse(group, group + size);
  }
  for (auto group = expected.codes.begin(); group != expected.codes.end(); group += size) {
    std::reverse(group, group + size);
  }
  RC_ASSERT(quantize_row(*writer.layout, other, writer.profile) == expected);
}

RC_GTEST_PROP(WriterProperties, NegatingARowNegatesItsCodes, ()) {
  const Writer writer = any_writer();
  const Row row = any_row();
  Row other = row;
  for (std::uint32_t& bits : other) bits ^= 0x80000000U;
  QuantizedRow expected = quantize_row(*writer.layout, row, writer.profile);
  for (std::uint8_t& code : expected.codes) {
    if (code != 0 || !writer.clears_negative_zero) code ^= 8;
  }
  RC_ASSERT(quantize_row(*writer.layout, other, writer.profile) == expected);
}

// A power of two goes into the scale alone.
RC_GTEST_PROP(WriterProperties, DoublingARowRaisesItsMxfp4Scales, ()) {
  const Writer writer = mxfp4_writer();
  const Row row = any_row();
  Row other = row;
  for (std::uint32_t& bits : other) {
    if ((bits & 0x7fffffffU) != 0) bits += 1U << 23;
  }
  QuantizedRow expected = quantize_row(mxfp4, row, writer.profile);
  for (std::uint8_t& scale : expected.scales) {
    if (scale > 1) ++scale;  // 0 and 1 are those of groups of zeros
  }
  RC_ASSERT(quantize_row(mxfp4, other, writer.profile) == expected);
}

// What is written into a page is read from it: every element is its code times its scale.
RC_GTEST_PROP(WriterProperties, WritingThenReadingGivesTheHeldValue, ()) {
  const Writer writer = any_writer();
  const PageLayout& layout = *writer.layout;
  const HeldRow made = held_row(writer);
  std::vector<std::uint8_t> page(static_cast<std::size_t>(layout.page_bytes()), 0x5a);
  const auto token = *rc::gen::inRange(0, layout.num_tokens);
  write_token(layout, page, token, quantize_row(layout, made.row, writer.profile));
  for (int element = 0; element < layout.head_dim; ++element) {
    const std::uint32_t read = decode_element(
        layout.scale_format, layout.code(page.data(), token, element),
        layout.scale(page.data(), token, layout.group_of(element)), Dtype::f32, writer.profile);
    RC_ASSERT(read == made.row[static_cast<std::size_t>(element)]);
  }
}

}  // namespace
}  // namespace oracle

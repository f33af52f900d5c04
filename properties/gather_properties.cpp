// Laws of the NVFP4 gather: a page's output depends on that page alone, and moves as the table
// says.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "oracle/gather.hpp"

namespace oracle {
namespace {

constexpr std::size_t page_bytes = 9216;
constexpr std::size_t output_bytes = 16384;
using Bytes = std::vector<std::uint8_t>;

// Pages whose scales favour zero, subnormals, the top binade and NaN.
Bytes any_pages(std::size_t pages) {
  auto bytes = *rc::gen::container<Bytes>(pages * page_bytes, rc::gen::arbitrary<std::uint8_t>());
  const auto edges = rc::gen::element<std::uint8_t>(0x00, 0x01, 0x07, 0x08, 0x7e, 0x7f, 0x80, 0xff);
  for (std::size_t page = 0; page < pages; ++page) {
    const auto some = *rc::gen::container<Bytes>(64, edges);
    std::copy(some.begin(), some.end(),
              bytes.begin() + static_cast<std::ptrdiff_t>(page * page_bytes + 8192));
  }
  return bytes;
}

// One request that gathers the pages of `table`, in order.
Bytes gather(const Bytes& pages, std::vector<std::int32_t> table) {
  const auto count = static_cast<std::int64_t>(table.size());
  const auto blocks = static_cast<std::int64_t>(pages.size() / page_bytes);
  std::int32_t num_pages = static_cast<std::int32_t>(count);
  std::int32_t page_offset = 0;
  Bytes out(table.size() * output_bytes, 0xa5);
  const auto bytes_of = [](auto& value) {
    return std::span(reinterpret_cast<const std::uint8_t*>(&value), sizeof value);
  };
  GatherArguments arguments;
  arguments.pages = {pages, Dtype::u8, {blocks, 128, 72}, {9216, 72, 1}, 0};
  arguments.block_table = {{reinterpret_cast<const std::uint8_t*>(table.data()), table.size() * 4},
                           Dtype::i32,
                           {1, count},
                           {count, 1},
                           0};
  arguments.num_pages = {bytes_of(num_pages), Dtype::i32, {1}, {1}, 0};
  arguments.page_offsets = {bytes_of(page_offset), Dtype::i32, {1}, {1}, 0};
  arguments.max_num_pages = count;
  arguments.out = {out, Dtype::e4m3, {count, 128, 128}, {16384, 128, 1}, 0};
  const auto done = nvfp4_gather_index_k(arguments, profiles::ocp());
  RC_ASSERT(done.has_value());
  return out;
}

Bytes output_page(const Bytes& out, std::size_t page) {
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(page * output_bytes);
  return {begin, begin + output_bytes};
}

RC_GTEST_PROP(GatherProperties, PermutingTheTablePermutesTheOutput, ()) {
  const Bytes pages = any_pages(3);
  const std::vector<std::int32_t> table{0, 1, 2};
  std::vector<std::int32_t> permuted = table;
  const auto first = *rc::gen::inRange<std::size_t>(0, 3);
  const auto second = *rc::gen::inRange<std::size_t>(0, 3);
  std::swap(permuted[first], permuted[second]);
  const Bytes in_order = gather(pages, table);
  const Bytes out = gather(pages, permuted);
  for (std::size_t p = 0; p < 3; ++p) {
    RC_ASSERT(output_page(out, p) == output_page(in_order, static_cast<std::size_t>(permuted[p])));
  }
}

RC_GTEST_PROP(GatherProperties, OtherPagesDoNotMatter, ()) {
  Bytes pages = any_pages(2);
  const Bytes before = gather(pages, {1});
  const auto byte = *rc::gen::inRange<std::size_t>(0, page_bytes);
  pages[byte] = static_cast<std::uint8_t>(~pages[byte]);
  RC_ASSERT(gather(pages, {1}) == before);
}

// A code byte decides its two elements, and a scale byte the 16 of its group, and no other.
RC_GTEST_PROP(GatherProperties, OneByteMovesItsOwnElementsAlone, ()) {
  Bytes page = any_pages(1);
  const auto byte = *rc::gen::inRange<int>(0, static_cast<int>(page_bytes));
  const PagePlace place = nvfp4_index_k.place(byte);
  const int elements = place.section == PageSection::codes ? 2 : 16;
  const Bytes before = gather(page, {0});
  page[static_cast<std::size_t>(byte)] ^= *rc::gen::inRange<std::uint8_t>(1, 255);
  const Bytes after = gather(page, {0});
  for (int i = 0; i < static_cast<int>(output_bytes); ++i) {
    const bool own = i / 128 == place.token && i % 128 >= place.first_element &&
                     i % 128 < place.first_element + elements;
    const auto at = static_cast<std::size_t>(i);
    RC_ASSERT(own || before[at] == after[at]);
  }
}

}  // namespace
}  // namespace oracle

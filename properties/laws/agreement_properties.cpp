// Laws between operations: prefill and decode, NVFP4 and MXFP4, instruction and page read the same
// numbers from the same bits.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstring>

#include "properties/laws/law.hpp"
#include "properties/laws/pages.hpp"

namespace properties {
namespace {

using harness::Problem;
using harness::Tensor;
using Bytes = std::vector<std::uint8_t>;

Problem built(std::string_view operation, const nlohmann::json& spec) {
  auto calls = harness::operation_named(operation)->build(spec);
  if (!calls) RC_FAIL(calls.error().message);
  return std::move(calls->front());
}

// Every four elements of a page are one qmul4.
TEST(AgreementProperties, AGatherIsQmul4OfEachElement) {
  check_law("nvfp4_gather_index_k", [](const UnderTest& run, const Problem& problem) {
    const oracle::PageLayout& layout = layout_of(problem.operation);
    const std::vector<PagePlaces> pages = pages_of(problem);
    RC_PRE(!pages.empty());
    const PagePlaces page = *rc::gen::elementOf(pages);
    const std::uint8_t* const bytes = pool_of(problem).storage.data() + page.source;
    Problem lanes = built("qmul4", {{"count", layout.page_elements() / 4},
                                    {"contents", {{"kind", "random"}, {"seed", 1}}}});
    std::copy_n(bytes, layout.code_section_bytes(), lanes.find("a")->storage.begin());
    Bytes& scales = lanes.find("b")->storage;
    for (std::size_t i = 0; i < scales.size(); ++i) {
      const auto element = static_cast<int>(i);
      scales[i] = layout.scale(bytes, element / layout.head_dim,
                               layout.group_of(element % layout.head_dim));
    }
    const Bytes gathered = run(problem);
    const auto first = gathered.begin() + static_cast<std::ptrdiff_t>(page.output);
    assert_same(run.of_operation("qmul4")(lanes), Bytes(first, first + layout.page_elements()));
  });
}

// Powers of two that both scale formats hold: the same codes under them are the same numbers.
TEST(AgreementProperties, Nvfp4AndMxfp4AgreeOnPowersOfTwo) {
  check_law("nvfp4_gather_index_k", [](const UnderTest& run, const Problem& problem) {
    const std::vector<PagePlaces> pages = pages_of(problem);
    RC_PRE(!pages.empty());
    const PagePlaces page = *rc::gen::elementOf(pages);
    Problem mx =
        built("mxfp4_decode_pages",
              {{"pool", {{"pages", 1}, {"heads", 1}, {"contents", {{"kind", "layout"}}}}}});
    Problem nv = problem;
    std::uint8_t* const nv_page = pool_of(nv).storage.data() + page.source;
    std::uint8_t* const mx_page = pool_of(mx).storage.data() + pool_of(mx).origin_bytes;
    std::copy_n(nv_page, oracle::mxfp4.code_section_bytes(), mx_page);
    for (int token = 0; token < oracle::mxfp4.num_tokens; ++token) {
      for (int group = 0; group < oracle::mxfp4.groups_per_token(); ++group) {
        const int exponent = *rc::gen::inRange(-9, 9);
        oracle::mxfp4.set_scale(mx_page, token, group, static_cast<std::uint8_t>(127 + exponent));
        // e4m3 0bSEEEEMMM, bias 7; 2^-9 to 2^-7 are its subnormals 01, 02 and 04.
        const int e4m3 = exponent < -6 ? 1 << (exponent + 9) : (exponent + 7) << 3;
        for (const int half : {0, 1}) {
          oracle::nvfp4_index_k.set_scale(nv_page, token, 2 * group + half,
                                          static_cast<std::uint8_t>(e4m3));
        }
      }
    }
    const Bytes nv_out = run(nv);
    const Bytes mx_out = run.of_operation("mxfp4_decode_pages")(mx);
    const auto first = nv_out.begin() + static_cast<std::ptrdiff_t>(page.output);
    RC_ASSERT(std::equal(first, first + oracle::mxfp4.page_elements(),
                         mx_out.begin() + mx.find("out")->origin_bytes));
  });
}

// A gather of all pages in order is a decode of the pool.
TEST(AgreementProperties, AnOrderedGatherIsADecode) {
  check_law("mxfp4_decode_pages", [](const UnderTest& run, const Problem& problem) {
    const Tensor& pool = pool_of(problem);
    RC_PRE(pool.shape[0] > 0);
    const auto pages = pool.shape[0];
    Problem gather =
        built("mxfp4_gather_pages", {{"pool", {{"pages", 1}, {"contents", {{"kind", "layout"}}}}},
                                     {"calls", {{{"num_pages", {1}}}}}});
    Tensor& table = *gather.find("block_table");
    table.shape = {1, pages};
    table.strides = {pages, 1};
    table.origin_bytes = 0;
    table.storage.resize(static_cast<std::size_t>(pages) * 4);
    for (std::int64_t p = 0; p < pages; ++p) set_i32(table, p, static_cast<std::int32_t>(p));
    set_i32(*gather.find("num_pages"), 0, static_cast<std::int32_t>(pages));
    set_i32(*gather.find("page_offsets"), 0, 0);
    gather.scalars.at("max_num_pages") = pages;
    pool_of(gather) = pool;
    pool_of(gather).name = gather.tensors.front().name;
    *gather.find("out") = *problem.find("out");
    const Bytes decoded = run(problem);
    assert_same(run.of_operation("mxfp4_gather_pages")(gather), decoded);
  });
}

}  // namespace
}  // namespace properties

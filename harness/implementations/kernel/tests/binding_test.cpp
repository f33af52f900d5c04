// The C structs of include/fp4cts/abi.h as kernels and plug-ins get them.
#include "harness/implementations/binding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "fp4cts/abi.h"
#include "harness/implementations/plugin/plugin_entries.hpp"
#include "harness/model/operation.hpp"

namespace harness {
namespace {

using nlohmann::json;

Problem problem_of(std::string_view operation, const json& spec) {
  return operation_named(operation)->build(spec).value().front();
}

template <class Struct>
Struct bound(const Problem& problem, const std::vector<std::uint64_t>& origins) {
  const auto bytes = bind_struct(operation_named(problem.operation)->signature(), problem, origins);
  EXPECT_TRUE(bytes) << bytes.error().message;
  Struct arguments{};
  EXPECT_EQ(bytes->size(), sizeof arguments);
  std::memcpy(&arguments, bytes->data(), sizeof arguments);
  return arguments;
}

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

TEST(Binding, FillsTheStructOfAGather) {
  const json spec{{"pool",
                   {{"pages", 3},
                    {"first_id", 4},
                    {"heads", 2},
                    {"head_stride_bytes", 8712},
                    {"stride_bytes", 17600},
                    {"contents", {{"kind", "layout"}}}}},
                  {"table", {{"width", 5}, {"stride", 7}}},
                  {"calls", {{{"num_pages", {2, 1}}, {"ids", {{"pattern", "reversed"}}}}}},
                  {"max_num_pages", 4},
                  {"output", {{"dtype", "BF16"}, {"spare_pages", 2}}}};
  const Problem problem = problem_of("mxfp4_gather_pages", spec);
  const std::vector<std::uint64_t> origins{0x1008, 0x2004, 0x3000, 0x4004, 0x8000000000000010};
  const auto arguments = bound<fp4cts_mxfp4_gather_pages>(problem, origins);
  EXPECT_EQ(arguments.struct_bytes, sizeof arguments);
  EXPECT_EQ(address(arguments.pages), 0x1008U);
  EXPECT_EQ(arguments.num_blocks, 7);
  EXPECT_EQ(arguments.num_heads, 2);
  EXPECT_EQ(arguments.page_stride_bytes, 17600);
  EXPECT_EQ(arguments.head_stride_bytes, 8712);
  EXPECT_EQ(address(arguments.block_table), 0x2004U);
  EXPECT_EQ(arguments.num_reqs, 2);
  EXPECT_EQ(arguments.max_blocks, 5);
  EXPECT_EQ(arguments.block_table_stride_elements, 7);
  EXPECT_EQ(address(arguments.num_pages), 0x3000U);
  EXPECT_EQ(address(arguments.page_offsets), 0x4004U);
  EXPECT_EQ(arguments.max_num_pages, 4);
  EXPECT_EQ(address(arguments.out), 0x8000000000000010U);
  EXPECT_EQ(arguments.out_pages, 5);
  EXPECT_EQ(arguments.out_dtype, FP4CTS_BF16);

  const auto launch =
      bind_launch(operation_named("mxfp4_gather_pages")->signature(), problem, origins, 256);
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->blocks, 2U * 4 * 2);
}

TEST(Binding, CountsThreadsWhereEachTakesOneElement) {
  for (const auto& [count, blocks] : {std::pair{0, 0U}, {1, 1U}, {256, 1U}, {257, 2U}}) {
    const Problem problem =
        problem_of("qmul4", {{"count", count}, {"contents", {{"kind", "exhaustive"}}}});
    const auto launch =
        bind_launch(operation_named("qmul4")->signature(), problem, {{64, 128, 192}}, 256);
    ASSERT_TRUE(launch);
    EXPECT_EQ(launch->blocks, blocks);
    EXPECT_EQ(bound<fp4cts_qmul4>(problem, {64, 128, 192}).count, count);
  }
}

// The header promises more of addresses and strides than the contract does.
TEST(Binding, WhatTheHeaderPromisesIsHeld) {
  const auto refusal = [](const json& pool, const std::vector<std::uint64_t>& origins) {
    const Problem problem = problem_of("mxfp4_decode_pages", {{"pool", pool}});
    const Operation& decode = *operation_named("mxfp4_decode_pages");
    EXPECT_TRUE(decode.validate(problem));
    const auto bytes = bind_struct(decode.signature(), problem, origins);
    return bytes ? "bound" : bytes.error().message;
  };
  json pool{{"pages", 2}, {"contents", {{"kind", "layout"}}}};
  EXPECT_EQ(refusal(pool, {0x1008, 0x2000}), "bound");
  EXPECT_EQ(refusal(pool, {0x1004, 0x2000}),
            "mxfp4_decode_pages: pages address: expected a multiple of 8, as include/fp4cts/abi.h "
            "promises, got 4 more");
  EXPECT_EQ(refusal(pool, {0x1008, 0x2008}),
            "mxfp4_decode_pages: out address: expected a multiple of 16, as include/fp4cts/abi.h "
            "promises, got 8 more");
  pool["stride_bytes"] = 8705;
  EXPECT_EQ(refusal(pool, {0x1008, 0x2000}),
            "mxfp4_decode_pages: page_stride_bytes: expected a multiple of 8, as "
            "include/fp4cts/abi.h promises, got 1 more");
}

TEST(Binding, EveryOperationHasAnEntryOfAPlugIn) {
  const auto entries = plugin_entries();
  ASSERT_EQ(entries.size(), all_operations().size());
  // Entries keep their order for plug-ins that are built already; operations stand by their kind.
  for (const Operation* operation : all_operations()) {
    const Signature& signature = operation->signature();
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const auto& each) {
      return each.operation == signature.operation;
    });
    ASSERT_NE(entry, entries.end()) << signature.operation;
    EXPECT_EQ(entry->struct_name, signature.struct_name);
    EXPECT_EQ(fp4cts_dut_sizes_here()->*(entry->struct_bytes), signature.struct_bytes);
  }
}

}  // namespace
}  // namespace harness

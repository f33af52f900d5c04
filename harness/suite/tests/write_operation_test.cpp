// Writers: what their specs make, what they refuse, and the bytes that documents state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "harness/model/operation.hpp"
#include "oracle/blocks/quantize.hpp"
#include "oracle/profile.hpp"

namespace harness {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const Operation& nvfp4() { return *operation_named("nvfp4_write_index_k"); }
const Operation& mxfp4() { return *operation_named("mxfp4_write_pages"); }

// A spec of one row of these f32 bits, the rest of it zeros.
json one_row(std::vector<std::uint32_t> elements) {
  json values = json::array();
  elements.resize(128, 0);
  for (const std::uint32_t bits : elements) {
    char text[9];
    std::snprintf(text, sizeof text, "%08x", bits);
    values.push_back(text);
  }
  return {{"dtype", "F32"},
          {"tokens", 1},
          {"num_blocks", 1},
          {"contents", {{"kind", "values"}, {"values", values}}},
          {"slots", {{"kind", "ordered"}}}};
}

// The page that a writer makes of a row at slot 0.
std::vector<std::uint8_t> page_of(const Operation& operation, const std::vector<std::uint32_t>& row,
                                  const oracle::Profile& profile) {
  const Problem problem = operation.build(one_row(row)).value().front();
  return operation.expected(problem, profile).value().front();
}

constexpr std::uint32_t one = 0x3f800000;

// docs/engines.md, section d: amax / 6 with floors, so that a block of zeros stores 01.
TEST(WriteOperation, TheRuleOfVllmHasAFloorOfTheScale) {
  const auto page =
      page_of(nvfp4(), {0x40c00000, one, one | 0x80000000}, oracle::profiles::vllm_m3());
  EXPECT_EQ(page[8192], 0x38);  // 6 / 6
  EXPECT_EQ(page[8193], 0x01);  // zeros
  EXPECT_EQ(page[0], 0x27);     // 6, 1
  EXPECT_EQ(page[1], 0x0a);     // -1, 0
  EXPECT_EQ(page[64], 0xa5) << "another token's bytes stay";
}

// docs/reported-faults.md, Q04: amax 7 is 7f by floor and 80 by round_up, 3.5 is 7f by even.
TEST(WriteOperation, ModesOfTheScalePartWhereDocumentsSayIt) {
  const auto scale = [](std::uint32_t amax, const oracle::Profile& profile) {
    return page_of(mxfp4(), {amax}, profile)[8192];
  };
  EXPECT_EQ(scale(0x40e00000, oracle::profiles::ocp_floor()), 0x7f);
  EXPECT_EQ(scale(0x40e00000, oracle::profiles::aiter()), 0x80);
  EXPECT_EQ(scale(0x40600000, oracle::profiles::even()), 0x7f);
  EXPECT_EQ(scale(0x40600000, oracle::profiles::ocp_floor()), 0x7e);
  EXPECT_EQ(scale(0, oracle::profiles::aiter()), 0x00);
  EXPECT_EQ(scale(0, oracle::profiles::aiter_dsv4()), 0x01);
}

TEST(WriteOperation, SkippedRowsWriteNothing) {
  for (const Operation* operation : {&nvfp4(), &mxfp4()}) {
    json spec = one_row({one});
    spec["slots"] = {{"kind", "skipped"}};
    const Problem problem = operation->build(spec).value().front();
    EXPECT_EQ(operation->expected(problem, oracle::profiles::ocp()).value().front(),
              problem.tensors.back().storage);
  }
}

TEST(WriteOperation, RefusesWhatAKernelMustNotBeGiven) {
  const auto error = [](json spec) {
    const auto built = mxfp4().build(spec);
    return built ? std::string() : built.error().message;
  };
  json spec = one_row({one});
  spec["slots"] = {128};
  EXPECT_THAT(error(spec), HasSubstr("\"slots\": expected -1 or slots below 128, got 128"));
  spec["slots"] = {-2};
  EXPECT_THAT(error(spec), HasSubstr("slots"));
  spec["tokens"] = 2;
  spec["slots"] = {5, 5};
  EXPECT_THAT(error(spec), HasSubstr("expected a slot for each row, got 5 twice"));
  spec = one_row({one});
  spec["heads"] = 2;
  spec["num_blocks"] = 2;
  spec["page_stride"] = 8704;
  EXPECT_THAT(error(spec), HasSubstr("expected pages that do not overlap"));
}

TEST(WriteOperation, EveryCaseIsBuiltAndReadsBack) {
  for (const Operation* operation : {&nvfp4(), &mxfp4()}) {
    std::set<std::string> ids;
    for (const Case& each : operation->cases(Level::full, 1)) {
      EXPECT_TRUE(ids.insert(each.id).second) << each.id << " is there twice";
      const auto bytes = operation->case_bytes(each.spec);
      ASSERT_TRUE(bytes) << each.id << ": " << bytes.error().message;
      if (each.level > Level::standard) continue;
      EXPECT_LT(*bytes, std::uint64_t{64} << 20) << each.id;
      const auto calls = operation->build(each.spec);
      ASSERT_TRUE(calls) << each.id << ": " << calls.error().message;
      for (const Problem& problem : *calls) {
        EXPECT_TRUE(operation->validate(problem)) << each.id;
      }
    }
  }
}

TEST(WriteOperation, CasesOfLevelFullHitEveryRequiredBin) {
  for (const Operation* operation : {&nvfp4(), &mxfp4()}) {
    Coverage coverage;
    for (const Case& each : operation->cases(Level::full, 1)) {
      const std::vector<Problem> calls = operation->build(each.spec).value();
      for (const Problem& problem : calls) operation->cover(problem, coverage);
    }
    EXPECT_THAT(bins_not_hit(*operation, coverage), ::testing::IsEmpty()) << operation->name();
  }
}

// The bytes of each shipped writer are explained by its profile, whichever was declared.
TEST(WriteOperation, TheProfileThatBytesMatchIsNamed) {
  const auto named = [](const Operation& operation, const oracle::Profile& actual) {
    const json spec = operation.cases(Level::smoke, 1).front().spec;
    const Problem problem = operation.build(spec).value().front();
    const auto& declared = oracle::profiles::ocp();
    const std::vector<Problem> calls{problem};
    return operation
        .diagnose(calls, declared, operation.expected(problem, declared).value(),
                  operation.expected(problem, actual).value())
        .matching_profile;
  };
  EXPECT_EQ(named(nvfp4(), oracle::profiles::generic_nvfp4()), "generic_nvfp4");
  for (const oracle::Profile* profile :
       {&oracle::profiles::aiter_dsv4(), &oracle::profiles::ocp_floor(), &oracle::profiles::even(),
        &oracle::profiles::ceil(), &oracle::profiles::deepgemm()}) {
    EXPECT_EQ(named(mxfp4(), *profile), profile->name);
  }
}

}  // namespace
}  // namespace harness

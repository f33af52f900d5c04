#include "vectors/src/lane_stream.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "oracle/witness/nearest.hpp"
#include "vectors/src/golden.hpp"

namespace harness {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::vector<std::string> lines_of(const LanePlan& plan) {
  std::vector<std::string> lines;
  write_lanes(plan, [&](std::string_view text) {
    EXPECT_TRUE(text.ends_with('\n'));
    lines.emplace_back(text.substr(0, text.size() - 1));
  });
  return lines;
}

LanePlan plan_of(const char* operation) {
  auto plan = plan_lanes(operation, Level::smoke, 0);
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

// What a right program makes of the lines of mxfp4_to_e4m3, by the witness.
std::vector<std::string> answered(std::vector<std::string> lines) {
  for (std::string& line : lines) {
    if (line.starts_with('#')) continue;
    const auto code = static_cast<std::uint32_t>(std::stoul(line.substr(0, 2), nullptr, 16));
    const auto scale = static_cast<std::uint32_t>(std::stoul(line.substr(3, 2), nullptr, 16));
    const auto value =
        witness::nearest(witness::Format::e4m3, witness::product_e2m1_e8m0(code, scale),
                         witness::Mode::nearest_even, witness::Beyond::saturates);
    line += fmt::format(" {:02x}", value.value());
  }
  return lines;
}

struct Judgement {
  std::string error;
  LaneVerdict verdict;
};

Judgement judge(const char* operation, const std::vector<std::string>& lines) {
  auto reader = LaneReader::open(plan_of(operation), oracle::profiles::ocp());
  EXPECT_TRUE(reader) << reader.error().message;
  for (const std::string& line : lines) {
    if (auto read = reader->line(line); !read) return {read.error().message, {}};
  }
  return {"", reader->finish()};
}

TEST(LaneStreamTest, HeadAndTailStateThePlan) {
  const auto lines = lines_of(plan_of("mxfp4_to_e4m3"));
  ASSERT_EQ(lines.size(), 4098U);
  EXPECT_EQ(lines.front(), "# fp4cts lanes 1 mxfp4_to_e4m3 level smoke seed 0 count 4096");
  EXPECT_EQ(lines[1], "00 00");
  EXPECT_EQ(lines[18], "01 01");
  EXPECT_EQ(lines.back(), "# end 4096");
}

TEST(LaneStreamTest, ARightProgramPasses) {
  const Judgement judgement = judge("mxfp4_to_e4m3", answered(lines_of(plan_of("mxfp4_to_e4m3"))));
  EXPECT_EQ(judgement.error, "");
  EXPECT_EQ(judgement.verdict.verified, 4096U);
  EXPECT_EQ(judgement.verdict.planned, 4096U);
  EXPECT_EQ(judgement.verdict.mismatches, 0U);
  EXPECT_EQ(judgement.verdict.incomplete, "");
}

TEST(LaneStreamTest, WrongResultsAreNamed) {
  auto lines = answered(lines_of(plan_of("mxfp4_to_e4m3")));
  unsigned changed = 0;
  for (std::string& line : lines) {
    if (!line.ends_with(" 80")) continue;
    line.replace(line.size() - 2, 2, "00");
    ++changed;
  }
  ASSERT_EQ(changed, 1073U);  // docs/reported-faults.md A11
  const Judgement judgement = judge("mxfp4_to_e4m3", lines);
  EXPECT_EQ(judgement.error, "");
  EXPECT_EQ(judgement.verdict.mismatches, 1073U);
  ASSERT_EQ(judgement.verdict.wrong.size(), 1U);
  EXPECT_EQ(judgement.verdict.wrong.front().fault_class, "enc_negative_zero_lost");
}

TEST(LaneStreamTest, ACutOrEmptyStreamIsIncomplete) {
  auto lines = answered(lines_of(plan_of("mxfp4_to_e4m3")));
  EXPECT_EQ(judge("mxfp4_to_e4m3", {}).verdict.incomplete, "the stream is empty");
  lines.pop_back();
  EXPECT_EQ(judge("mxfp4_to_e4m3", lines).verdict.incomplete,
            "the stream ends before \"# end 4096\"");
  lines.resize(11);
  const LaneVerdict verdict = judge("mxfp4_to_e4m3", lines).verdict;
  EXPECT_EQ(verdict.incomplete, "the stream ends after 10 of 4096 results");
  EXPECT_EQ(verdict.mismatches, 0U);
  lines.resize(1);
  EXPECT_EQ(judge("mxfp4_to_e4m3", lines).verdict.incomplete,
            "the stream ends after 0 of 4096 results");
}

TEST(LaneStreamTest, WhatIsNotThePlanIsRefused) {
  const auto right = answered(lines_of(plan_of("mxfp4_to_e4m3")));
  const auto error = [&](std::size_t line, const std::string& text) {
    auto lines = right;
    lines[line] = text;
    return judge("mxfp4_to_e4m3", lines).error;
  };
  EXPECT_THAT(error(0, right[1]), HasSubstr("line 1: expected \"# fp4cts lanes 1 mxfp4_to_e4m3"));
  EXPECT_THAT(error(0, "# fp4cts lanes 1 mxfp4_to_e4m3 level smoke seed 0 count 4095"),
              HasSubstr("line 1"));
  EXPECT_THAT(error(3, right[4]),
              HasSubstr("line 4: expected \"02 00\" and a result of 2 hex digits"));
  EXPECT_THAT(error(3, "02 00"), HasSubstr("line 4"));
  EXPECT_THAT(error(3, "02 00 "), HasSubstr("line 4"));
  EXPECT_THAT(error(3, "02 00 100"), HasSubstr("line 4"));
  EXPECT_THAT(error(3, "02 00 0g"), HasSubstr("line 4"));
  EXPECT_THAT(error(3, "02 00 00 00"), HasSubstr("line 4"));
  EXPECT_THAT(error(3, "# end 4096"), HasSubstr("line 4"));
  EXPECT_THAT(error(3, std::string(2000, '0')), HasSubstr("at most 1024 bytes"));
  EXPECT_THAT(error(4097, "# end 4095"), HasSubstr("line 4098: expected \"# end 4096\""));
  auto longer = right;
  longer.push_back(right[1]);
  EXPECT_THAT(judge("mxfp4_to_e4m3", longer).error, HasSubstr("line 4099: expected nothing after"));
}

TEST(LaneStreamTest, ResultsMayBeWrittenInTheWaysOfHex) {
  auto lines = answered(lines_of(plan_of("mxfp4_to_e4m3")));
  for (std::string& line : lines) {
    if (!line.starts_with('#')) line.insert(6, "0x");
    line += '\r';
  }
  EXPECT_EQ(judge("mxfp4_to_e4m3", lines).error, "");
}

TEST(LaneStreamTest, Qmul4IsAStreamOfWords) {
  EXPECT_THAT(lane_operations(), Contains("qmul4"));
  LanePlan plan = plan_of("qmul4");
  const Outputs expected = golden_outputs(plan.problems.front(), oracle::profiles::ocp()).value();
  auto lines = lines_of(plan);
  ASSERT_EQ(lines.size(), plan.count + 2);
  EXPECT_EQ(lines[1].size(), 4U + 1U + 8U);
  for (std::size_t i = 0; i + 2 < lines.size(); ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, expected.front().data() + 4 * i, 4);
    lines[i + 1] += fmt::format(" {:08X}", word);
  }
  const Judgement judgement = judge("qmul4", lines);
  EXPECT_EQ(judgement.error, "");
  EXPECT_EQ(judgement.verdict.mismatches, 0U);
  EXPECT_EQ(judgement.verdict.verified, plan.count);
}

TEST(LaneStreamTest, OperationsOfPagesHaveNone) {
  const auto gather = plan_lanes("nvfp4_gather_index_k", Level::smoke, 0);
  ASSERT_FALSE(gather);
  EXPECT_THAT(gather.error().message, HasSubstr("no rows of one length"));
  EXPECT_THAT(plan_lanes("nothing", Level::smoke, 0).error().message, HasSubstr("got \"nothing\""));
}

}  // namespace
}  // namespace harness

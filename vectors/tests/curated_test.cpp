// The committed curated vectors: in form, in agreement with the oracle and, where it can tell, with
// the witness, which shares no code with it.
#include "vectors/src/curated.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "harness/files/file.hpp"
#include "oracle/witness/nearest.hpp"
#include "vectors/tests/vector_paths.hpp"

namespace harness {
namespace {

using ::testing::HasSubstr;
using witness::Beyond;
using witness::Format;
using witness::Mode;

std::vector<CuratedFile> committed() {
  auto files = read_curated(curated_folder());
  EXPECT_TRUE(files) << files.error().message;
  return files.value_or(std::vector<CuratedFile>{});
}

std::uint32_t hex(const nlohmann::json& object, const char* key) {
  return static_cast<std::uint32_t>(std::stoul(object.at(key).get<std::string>(), nullptr, 16));
}

TEST(CuratedVectorsTest, TheOracleGivesTheExpectedBits) {
  std::size_t count = 0;
  for (const CuratedFile& file : committed()) {
    for (const CuratedVector& vector : file.vectors) {
      const auto answer = curated_answer(file.kind, vector);
      ASSERT_TRUE(answer) << answer.error().message;
      EXPECT_EQ(*answer, vector.expected) << vector.id << ": " << vector.comment;
      ++count;
    }
  }
  EXPECT_GE(count, 103U);
}

TEST(CuratedVectorsTest, TheWitnessGivesTheExpectedProducts) {
  std::size_t count = 0;
  for (const CuratedFile& file : committed()) {
    if (file.kind != "decode_element") continue;
    for (const CuratedVector& vector : file.vectors) {
      const std::uint32_t code = hex(vector.inputs, "code");
      const std::uint32_t scale = hex(vector.inputs, "scale");
      const witness::Number product = vector.inputs.at("format") == "nvfp4"
                                          ? witness::product_e2m1_e4m3(code, scale)
                                          : witness::product_e2m1_e8m0(code, scale);
      const bool to_f32 = vector.inputs.at("destination") == "f32";
      const auto value =
          witness::nearest(to_f32 ? Format::f32 : Format::e4m3, product, Mode::nearest_even,
                           to_f32 ? Beyond::infinity : Beyond::saturates);
      EXPECT_EQ(value, hex(vector.expected, "value")) << vector.id;
      ++count;
    }
  }
  EXPECT_GE(count, 51U);
}

TEST(CuratedVectorsTest, TheWitnessGivesTheExpectedConversions) {
  std::size_t count = 0;
  for (const CuratedFile& file : committed()) {
    if (file.kind != "convert") continue;
    for (const CuratedVector& vector : file.vectors) {
      if (vector.inputs.at("rounding") == "rs") continue;  // the witness has no random bits
      const std::string to = vector.inputs.at("to");
      const Format format = to == "e4m3"   ? Format::e4m3
                            : to == "e2m1" ? Format::e2m1
                                           : Format::e8m0;
      const Mode mode = vector.inputs.at("rounding") == "rne" ? Mode::nearest_even : Mode::positive;
      const auto code =
          witness::nearest(format, witness::number_of(Format::f32, hex(vector.inputs, "code")),
                           mode, Beyond::saturates);
      EXPECT_EQ(code, hex(vector.expected, "code")) << vector.id;
      ++count;
    }
  }
  EXPECT_GE(count, 8U);
}

TEST(CuratedVectorsTest, EveryIssuedIdStays) {
  const auto registry = read_text_file(curated_folder() / curated_registry_name, 1U << 20);
  ASSERT_TRUE(registry) << registry.error().message;
  const auto checked = check_registry(committed(), *registry, "ids.txt");
  EXPECT_TRUE(checked) << checked.error().message;
}

CuratedFile example() {
  return {"convert",
          "comment",
          {{"flag", "explained"}, {"rare", "explained"}},
          {{"A01.1", "one", {"flag", "rare"}, {"a/b#1"}, {{"x", "0x1"}}, {{"y", "0x2"}}},
           {"A01.2", "two", {"flag"}, {}, {{"x", "0x2"}}, {{"y", "0x3"}}}}};
}

std::string error_after(const std::function<void(CuratedFile&)>& change) {
  CuratedFile file = example();
  change(file);
  const auto read = curated_file_from(curated_text(file), "source");
  return read ? "accepted" : read.error().message;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(std::string_view from, std::string_view to) {
  const auto read = curated_file_from(replaced(curated_text(example()), from, to), "source");
  return read ? "accepted" : read.error().message;
}

TEST(CuratedFileTest, TextComesBackAsWritten) {
  const auto read = curated_file_from(curated_text(example()), "source");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(curated_text(*read), curated_text(example()));
}

TEST(CuratedFileTest, AnotherLayoutIsReadOnlyToBeRewritten) {
  const std::string text =
      replaced(curated_text(example()), "{\"x\":\"0x1\"}", "{ \"x\" : \"0x1\" }");
  EXPECT_THAT(error_of("{\"x\":\"0x1\"}", "{ \"x\" : \"0x1\" }"), HasSubstr("canonical layout"));
  const auto read = curated_file_in_any_layout(text, "source");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(curated_text(*read), curated_text(example()));
}

TEST(CuratedFileTest, WhatTheSchemaForbidsIsRefused) {
  EXPECT_THAT(error_of("curated vectors 1", "curated vectors 2"),
              HasSubstr("\"schema\": expected"));
  EXPECT_THAT(error_of("fp4cts vectors 1", "fp4cts vectors 9"), HasSubstr("\"source\": expected"));
  EXPECT_THAT(error_of("\"count\": 2", "\"count\": 3"), HasSubstr("the stated 3 vectors"));
  EXPECT_THAT(error_of("\"A01.1\"", "\"first\""),
              HasSubstr("/vectors/0: \"id\": expected a group"));
  EXPECT_THAT(error_of("\"id\"", "\"ID\""), HasSubstr("expected"));
  EXPECT_THAT(error_of("\"flags\": [\"flag\"]", "\"flags\": []"), HasSubstr("at least 1 strings"));
  EXPECT_THAT(error_of("{\"y\":\"0x2\"}", "\"0x2\""),
              HasSubstr("\"expected\": expected an object"));
  EXPECT_THAT(error_of("\"two\"", "\"\""), HasSubstr("\"comment\": expected one line"));
}

TEST(CuratedFileTest, IdsAndFlagsAreChecked) {
  EXPECT_THAT(error_after([](CuratedFile& f) { f.vectors[1].id = "A01.1"; }),
              HasSubstr("id A01.1 repeats"));
  EXPECT_THAT(error_after([](CuratedFile& f) { f.vectors[1].flags = {"other"}; }),
              HasSubstr("A01.2: flag \"other\" is not explained"));
  EXPECT_THAT(error_after([](CuratedFile& f) { f.flags["unused"] = "x"; }),
              HasSubstr("used by no vector"));
}

// std::regex, which once read ids, recurses once a character.
TEST(CuratedFileTest, AnIdMayBeLongButMustBeOne) {
  const auto with_id = [](std::string id) {
    return error_after([&](CuratedFile& f) { f.vectors[1].id = std::move(id); });
  };
  EXPECT_EQ(with_id("A01." + std::string(200000, '1')), "accepted");
  for (const char* id :
       {"", "A", "A0", "A0x", "a01", "A012", "A01.", "A01.x", "A01.1.2", "A01x1"}) {
    EXPECT_THAT(with_id(id), HasSubstr("expected a group letter")) << id;
  }
}

TEST(CuratedRegistryTest, OnlyNewIdsAreEntered) {
  std::vector<CuratedFile> files{example()};
  const auto registry = extended_registry(files, "", "ids.txt");
  ASSERT_TRUE(registry) << registry.error().message;
  EXPECT_TRUE(check_registry(files, *registry, "ids.txt"));

  files[0].vectors.insert(files[0].vectors.begin(),
                          {"A00.1", "new", {"flag"}, {}, {{"x", 1}}, {{"y", 1}}});
  EXPECT_THAT(check_registry(files, *registry, "ids.txt").error().message,
              HasSubstr("id A00.1 is not entered"));
  const auto extended = extended_registry(files, *registry, "ids.txt");
  ASSERT_TRUE(extended) << extended.error().message;
  EXPECT_THAT(*extended, ::testing::StartsWith(*registry));
  EXPECT_TRUE(check_registry(files, *extended, "ids.txt"));
}

TEST(CuratedRegistryTest, WhatWasIssuedStays) {
  const std::string registry = *extended_registry({example()}, "", "ids.txt");
  CuratedFile changed = example();
  changed.vectors[0].expected["y"] = "0x9";
  EXPECT_THAT(check_registry({changed}, registry, "ids.txt").error().message,
              HasSubstr("issued vector changed"));
  EXPECT_FALSE(extended_registry({changed}, registry, "ids.txt"));
  CuratedFile shorter = example();
  shorter.vectors.pop_back();
  EXPECT_THAT(check_registry({shorter}, registry, "ids.txt").error().message,
              HasSubstr("line 2: id A01.2 was issued once"));
  CuratedFile commented = example();
  commented.vectors[0].comment = "a better comment";
  EXPECT_TRUE(check_registry({commented}, registry, "ids.txt"));
  EXPECT_THAT(check_registry({example()}, registry + registry, "ids.txt").error().message,
              HasSubstr("line 3"));
  EXPECT_THAT(check_registry({example()}, registry.substr(0, registry.size() - 1), "ids.txt")
                  .error()
                  .message,
              HasSubstr("expected a line end"));
}

std::string answer_error(std::string_view kind, nlohmann::json inputs) {
  const auto answer = curated_answer(kind, {"A01.1", "", {}, {}, std::move(inputs), {}});
  return answer ? "answered " + answer->dump() : answer.error().message;
}

TEST(CuratedAnswerTest, InputsOfAnotherFormAreRefused) {
  EXPECT_THAT(answer_error("nothing", {}), HasSubstr("no kind is called \"nothing\""));
  EXPECT_THAT(answer_error("decode_element", {{"format", "nvfp4"}}),
              HasSubstr("\"code\": expected this member"));
  EXPECT_THAT(
      answer_error(
          "decode_element",
          {{"format", "nvfp4"}, {"code", "0x2"}, {"scale", "0x7G"}, {"destination", "e4m3"}}),
      HasSubstr("\"scale\": expected 8 bits in lower-case hex"));
  EXPECT_THAT(
      answer_error(
          "decode_element",
          {{"format", "nvfp4"}, {"code", "0x12"}, {"scale", "0x70"}, {"destination", "e4m3"}}),
      HasSubstr("\"code\": expected 4 bits"));
  EXPECT_THAT(
      answer_error(
          "decode_element",
          {{"format", "nvfp8"}, {"code", "0x1"}, {"scale", "0x70"}, {"destination", "e4m3"}}),
      HasSubstr("got \"nvfp8\""));
  EXPECT_THAT(answer_error("gather_pages",
                           {{"num_blocks", 1},
                            {"first_stored_page", 0},
                            {"spare_output_pages", 0},
                            {"calls", {{{"block_table", {{0}, {0, 0}}}, {"num_pages", {1, 1}}}}}}),
              HasSubstr("rows of one length"));
  EXPECT_THAT(answer_error("page_size", {{"format", "mxfp4"}, {"extra", 1}}),
              HasSubstr("\"extra\": expected no such member"));
}

}  // namespace
}  // namespace harness

#include "harness/files/strict_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/files/file.hpp"
#include "harness/files/tests/temporary_folder.hpp"

namespace harness {
namespace {

using ::testing::HasSubstr;

std::string error_of(std::string_view text, JsonLimits limits = {}) {
  const auto value = parse_json(text, "source", limits);
  if (value) return "accepted as " + value->dump();
  EXPECT_EQ(value.error().code, ErrorCode::malformed);
  EXPECT_THAT(value.error().message, ::testing::StartsWith("source: "));
  return value.error().message;
}

TEST(StrictJsonTest, ReadsEveryKindOfValue) {
  constexpr std::string_view text =
      R"({"a":[1,-2,18446744073709551615,0.5,true,false,null,"\u00e9\n"],"b":{},"c":[]})";
  const auto value = parse_json(text, "source");
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_EQ(*value, nlohmann::json::parse(text));
  EXPECT_EQ(parse_json(" 7 ", "source"), nlohmann::json(7));
}

TEST(StrictJsonTest, OrderedJsonKeepsTheOrderOfKeys) {
  const auto value = parse_ordered_json(R"({"z":1,"a":{"y":2,"b":3}})", "source");
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_EQ(value->dump(), R"({"z":1,"a":{"y":2,"b":3}})");
}

TEST(StrictJsonTest, DuplicateKeysAreRefusedWithTheirPlace) {
  EXPECT_THAT(error_of(R"({"a":1,"a":1})"), HasSubstr("duplicate key \"a\""));
  EXPECT_THAT(error_of(R"({"t":[{"x":1},{"y":1,"z":2,"y":3}]})"),
              HasSubstr("/t/1/z: duplicate key \"y\""));
  // Equal after its escape is read.
  EXPECT_THAT(error_of(R"({"a":1,"\u0061":2})"), HasSubstr("duplicate key \"a\""));
}

TEST(StrictJsonTest, DepthIsLimited) {
  EXPECT_TRUE(parse_json("[[[]]]", "source", {.max_depth = 3}));
  EXPECT_THAT(error_of("[[[[]]]]", {.max_depth = 3}),
              HasSubstr("/0/0/0: expected at most 3 nested"));
  EXPECT_THAT(error_of(R"({"a":{"b":{"c":{}}}})", {.max_depth = 3}), HasSubstr("/a/b/c"));
  const std::string deep(1000000, '[');
  EXPECT_THAT(error_of(deep), HasSubstr("expected at most 32 nested"));
}

TEST(StrictJsonTest, SizeIsLimited) {
  EXPECT_THAT(error_of("[1, 2]", {.max_bytes = 5}),
              HasSubstr("expected at most 5 bytes of JSON, got 6"));
}

TEST(StrictJsonTest, TextBeyondOneValueIsRefused) {
  EXPECT_THAT(error_of("{} {}"), HasSubstr("byte 4"));
  EXPECT_THAT(error_of("1,"), HasSubstr("byte 2"));
  EXPECT_THAT(error_of(std::string_view("{}\0{}", 5)),
              HasSubstr("byte 2: expected JSON text, got a NUL"));
  EXPECT_THAT(error_of("\xef\xbb\xbf{}"), HasSubstr("byte-order mark"));
}

TEST(StrictJsonTest, WhatJsonLacksIsRefused) {
  for (const std::string_view text :
       {"",        " ",         "{",      "[1,]",    "{\"a\":1,}", "{a:1}",        "'a'",
        "01",      "+1",        ".5",     "1.",      "NaN",        "Infinity",     "0x10",
        "// c\n1", "/* c */ 1", "\"\n\"", "\"\\x\"", "\"\xff\"",   "\"\xc0\x80\"", "tru"}) {
    EXPECT_FALSE(parse_json(text, "source")) << text;
  }
}

TEST(StrictJsonTest, NumbersThatNoTypeHoldsAreRefused) {
  EXPECT_THAT(error_of("[18446744073709551616]"),
              HasSubstr("/0: expected an integer of at most 64 bits, got 18446744073709551616"));
  EXPECT_THAT(error_of("-9223372036854775809"), HasSubstr("at most 64 bits"));
  EXPECT_THAT(error_of("1e999"), HasSubstr("1e999"));
}

TEST(StrictJsonTest, AFileIsNamedInItsErrors) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_text_file(folder / "f.json", "{\"a\":1,\"a\":1}"));
  const auto value = read_json_file(folder / "f.json");
  ASSERT_FALSE(value);
  EXPECT_THAT(value.error().message, HasSubstr("f.json: /a: duplicate key"));
}

TEST(JsonObjectTest, GivesItsMembers) {
  const auto value = nlohmann::json::parse(R"({"t":"x","i":-3,"b":true,"v":[1]})");
  JsonObject object(value, "place");
  EXPECT_EQ(object.text("t"), "x");
  EXPECT_EQ(object.integer("i", -3, 3), -3);
  EXPECT_TRUE(object.boolean("b"));
  EXPECT_EQ(object.value("v"), nlohmann::json({1}));
  EXPECT_EQ(object.optional_value("absent"), nullptr);
  EXPECT_TRUE(object.done());
}

TEST(JsonObjectTest, TheFirstFaultIsTheError) {
  const auto error = [](const char* text, auto&& ask) {
    const auto value = nlohmann::json::parse(text);
    JsonObject object(value, "place");
    ask(object);
    const auto done = object.done();
    return done ? std::string("no error") : done.error().message;
  };
  EXPECT_EQ(error("[]", [](JsonObject&) {}), "place: expected an object, got an array");
  EXPECT_EQ(error("{}", [](JsonObject& o) { o.text("t"); }),
            "place: \"t\": expected this member, got none");
  EXPECT_EQ(error(R"({"t":1})", [](JsonObject& o) { o.text("t"); }),
            "place: \"t\": expected a string, got 1");
  EXPECT_EQ(error(R"({"i":8})", [](JsonObject& o) { o.integer("i", 0, 7); }),
            "place: \"i\": expected an integer in [0, 7], got 8");
  EXPECT_EQ(error(R"({"i":1.0})", [](JsonObject& o) { o.integer("i", 0, 7); }),
            "place: \"i\": expected an integer in [0, 7], got 1.0");
  EXPECT_EQ(error(R"({"i":18446744073709551615})", [](JsonObject& o) { o.integer("i", -1, 7); }),
            "place: \"i\": expected an integer in [-1, 7], got 18446744073709551615");
  EXPECT_EQ(error(R"({"t":"x","extra":1})", [](JsonObject& o) { o.text("t"); }),
            "place: \"extra\": expected no such member");
  EXPECT_EQ(error(R"({"b":0,"i":9})",
                  [](JsonObject& o) {
                    o.boolean("b");
                    o.integer("i", 0, 1);
                  }),
            "place: \"b\": expected true or false, got 0");
}

}  // namespace
}  // namespace harness

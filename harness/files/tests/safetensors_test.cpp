#include "harness/files/safetensors.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/files/file.hpp"
#include "harness/files/tests/temporary_folder.hpp"

namespace harness {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::uint8_t> raw_file(std::string_view header, std::size_t data_bytes) {
  std::vector<std::uint8_t> bytes;
  for (unsigned i = 0; i < 8; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(std::uint64_t{header.size()} >> (8 * i)));
  }
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.resize(bytes.size() + data_bytes, 0xab);
  return bytes;
}

std::string error_of(const std::vector<std::uint8_t>& bytes, const SafetensorsLimits& limits = {}) {
  const auto file = parse_safetensors(bytes, "hostile", limits);
  if (file) return "accepted";
  EXPECT_EQ(file.error().code, ErrorCode::malformed);
  EXPECT_THAT(file.error().message, ::testing::StartsWith("hostile: "));
  return file.error().message;
}

std::string error_of(std::string_view header, std::size_t data_bytes) {
  return error_of(raw_file(header, data_bytes));
}

TensorFile example() {
  return {{{"seed", "7"}, {"comment", "\"quoted\" \xc3\xa9"}},
          {{"b", DType::u8, {2, 3}, {1, 2, 3, 4, 5, 6}},
           {"a", DType::u8, {1}, {9}},
           {"wide", DType::i64, {1}, {0, 1, 2, 3, 4, 5, 6, 7}},
           {"half", DType::f16, {0, 5}, {}},
           {"one", DType::f32, {}, {0, 0, 0x80, 0x3f}}}};
}

TEST(SafetensorsTest, ContentsComeBackAsWritten) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_safetensors(folder / "f.safetensors", example()));
  const auto file = read_safetensors(folder / "f.safetensors");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->metadata, example().metadata);
  ASSERT_EQ(file->tensors.size(), example().tensors.size());
  for (const FileTensor& tensor : example().tensors) {
    const FileTensor* found = file->find(tensor.name);
    ASSERT_NE(found, nullptr) << tensor.name;
    EXPECT_EQ(*found, tensor) << tensor.name;
  }
  EXPECT_EQ(file->find("absent"), nullptr);
}

TEST(SafetensorsTest, TheBytesAreTheFormats) {
  TensorFile file{{{"k", "v"}}, {{"x", DType::u8, {2}, {7, 8}}, {"y", DType::u16, {1}, {1, 0}}}};
  const auto header = safetensors_header(file);
  ASSERT_TRUE(header) << header.error().message;
  const std::string json = R"({"__metadata__":{"k":"v"},)"
                           R"("y":{"dtype":"U16","shape":[1],"data_offsets":[0,2]},)"
                           R"("x":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})";
  ASSERT_EQ(header->bytes.size() % 8, 0U);
  EXPECT_EQ(header->bytes[0], header->bytes.size() - 8);
  EXPECT_EQ(std::string(header->bytes.begin() + 8, header->bytes.end()).substr(0, json.size()),
            json);
  EXPECT_EQ(std::string(header->bytes.begin() + 8, header->bytes.end()).find_last_not_of(' '),
            json.size() - 1);
  EXPECT_THAT(header->order, ElementsAre(1, 0));
}

TEST(SafetensorsTest, EqualContentsGiveEqualBytes) {
  TensorFile reordered = example();
  std::reverse(reordered.tensors.begin(), reordered.tensors.end());
  EXPECT_EQ(safetensors_header(example())->bytes, safetensors_header(reordered)->bytes);
}

TEST(SafetensorsTest, WhatNoFileCanStateIsNotWritten) {
  const auto refused = [](TensorFile file) {
    const auto header = safetensors_header(file);
    return header ? std::string("written") : header.error().message;
  };
  EXPECT_THAT(refused({{}, {{"a", DType::u8, {1}, {0}}, {"a", DType::u8, {1}, {0}}}}),
              HasSubstr("\"a\" repeats"));
  EXPECT_THAT(refused({{}, {{"__metadata__", DType::u8, {1}, {0}}}}), HasSubstr("reserved"));
  EXPECT_THAT(refused({{}, {{"a", DType::u16, {2}, {0, 0, 0}}}}),
              HasSubstr("U16 [2] does not fit 3 bytes"));
  EXPECT_THAT(refused({{}, {{"a", DType::u8, {-1}, {}}}}), HasSubstr("does not fit"));
  EXPECT_THAT(refused({{}, {{"\xff", DType::u8, {1}, {0}}}}), HasSubstr("expected UTF-8"));
  EXPECT_THAT(refused({{{"k", "\xc3"}}, {}}), HasSubstr("expected UTF-8"));
}

TEST(HostileSafetensorsTest, TheHeadersLengthIsNotTrusted) {
  EXPECT_THAT(error_of(std::vector<std::uint8_t>{}),
              HasSubstr("8 bytes of header length, got a file of 0"));
  EXPECT_THAT(error_of(std::vector<std::uint8_t>(7, 0)), HasSubstr("got a file of 7"));
  EXPECT_THAT(error_of(std::vector<std::uint8_t>(8, 0)), HasSubstr("begins with '{'"));
  std::vector<std::uint8_t> bytes = raw_file("{}", 0);
  EXPECT_EQ(error_of(bytes), "accepted");
  bytes[0] = 3;
  EXPECT_THAT(error_of(bytes), HasSubstr("at most the 2 bytes that follow, got 3"));
  bytes[7] = 0xff;
  EXPECT_THAT(error_of(bytes), HasSubstr("header length: expected at most 16777216 bytes"));
  EXPECT_THAT(error_of(raw_file("{}  ", 0), {.max_header_bytes = 3}),
              HasSubstr("at most 3 bytes, got 4"));
}

TEST(HostileSafetensorsTest, TheHeaderIsStrictJson) {
  EXPECT_THAT(error_of(" {}", 0), HasSubstr("begins with '{'"));
  EXPECT_THAT(error_of("{}\t", 0), HasSubstr("ends with '}' and spaces"));
  EXPECT_THAT(error_of("{}{}", 0), HasSubstr("byte 3"));
  EXPECT_EQ(error_of("{}   ", 0), "accepted");
  EXPECT_THAT(error_of(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)"
                       R"("a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
                       0),
              HasSubstr("duplicate key \"a\""));
  EXPECT_THAT(error_of(R"({"a":{"dtype":"U8","shape":[0],"shape":[0],"data_offsets":[0,0]}})", 0),
              HasSubstr("/a/shape: duplicate key"));
  EXPECT_THAT(error_of(R"({"a":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}})", 1),
              HasSubstr("at most 3 nested"));
  EXPECT_THAT(error_of("{\"\xff\":1}", 0), HasSubstr("UTF-8"));
}

TEST(HostileSafetensorsTest, MetadataAreStrings) {
  EXPECT_THAT(error_of(R"({"__metadata__":{"a":1}})", 0),
              HasSubstr("\"a\": expected a string, got 1"));
  EXPECT_THAT(error_of(R"({"__metadata__":[]})", 0), HasSubstr("expected an object, got an array"));
  EXPECT_THAT(error_of(R"({"__metadata__":{"a":{"b":{}}}})", 0), HasSubstr("expected"));
}

TEST(HostileSafetensorsTest, AnEntryStatesExactlyItsThreeMembers) {
  EXPECT_THAT(error_of(R"({"a":1})", 0), HasSubstr("tensor \"a\": expected an object, got 1"));
  EXPECT_THAT(error_of(R"({"a":{"shape":[1],"data_offsets":[0,1]}})", 1),
              HasSubstr("\"dtype\": expected this member"));
  EXPECT_THAT(error_of(R"({"a":{"dtype":"U8","data_offsets":[0,1]}})", 1),
              HasSubstr("\"shape\": expected this member"));
  EXPECT_THAT(error_of(R"({"a":{"dtype":"U8","shape":[1]}})", 1),
              HasSubstr("\"data_offsets\": expected this member"));
  EXPECT_THAT(error_of(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"x":0}})", 1),
              HasSubstr("\"x\": expected no such member"));
  EXPECT_THAT(error_of(R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})", 8),
              HasSubstr("got \"F64\""));
  EXPECT_THAT(error_of(R"({"a":{"dtype":"u8","shape":[1],"data_offsets":[0,1]}})", 1),
              HasSubstr("got \"u8\""));
  EXPECT_THAT(error_of(R"({"a":{"dtype":8,"shape":[1],"data_offsets":[0,1]}})", 1),
              HasSubstr("expected a string, got 8"));
}

TEST(HostileSafetensorsTest, ShapesAndOffsetsAreIntegersThatFit) {
  const auto entry = [](std::string_view shape, std::string_view offsets, std::size_t data = 8) {
    return error_of(
        fmt::format(R"({{"a":{{"dtype":"U16","shape":{},"data_offsets":{}}}}})", shape, offsets),
        data);
  };
  EXPECT_EQ(entry("[4]", "[0,8]"), "accepted");
  EXPECT_THAT(entry("4", "[0,8]"), HasSubstr("shape: expected an array of integers, got 4"));
  EXPECT_THAT(entry("[-4]", "[0,8]"), HasSubstr("shape: expected integers in [0, 2^63), got -4"));
  EXPECT_THAT(entry("[4.0]", "[0,8]"), HasSubstr("got 4.0"));
  EXPECT_THAT(entry("[\"4\"]", "[0,8]"), HasSubstr("got \"4\""));
  EXPECT_THAT(entry("[9223372036854775808]", "[0,8]"), HasSubstr("got 9223372036854775808"));
  EXPECT_THAT(entry("[4611686018427387904]", "[0,8]"), HasSubstr("fewer than 2^63 bytes"));
  EXPECT_THAT(entry("[4294967296,4294967296,4]", "[0,8]"), HasSubstr("fewer than 2^63 bytes"));
  EXPECT_THAT(entry("[5]", "[0,8]"),
              HasSubstr("expected 10 bytes for U16 [5], got data_offsets [0, 8]"));
  EXPECT_THAT(entry("[4]", "[0]"), HasSubstr("data_offsets: expected 2 integers, got 1"));
  EXPECT_THAT(entry("[4]", "[8,0]"), HasSubstr("expected begin <= end <= 8, got [8, 0]"));
  EXPECT_THAT(entry("[4]", "[0,8]", 7), HasSubstr("expected begin <= end <= 7"));
  EXPECT_THAT(entry("[4]", "[9223372036854775800,9223372036854775807]"),
              HasSubstr("begin <= end <= 8"));
}

TEST(HostileSafetensorsTest, EveryByteBelongsToOneTensor) {
  const auto two = [](std::string_view a, std::string_view b, std::size_t data) {
    return error_of(fmt::format(R"({{"a":{{"dtype":"U8","shape":[4],"data_offsets":{}}},)"
                                R"("b":{{"dtype":"U8","shape":[4],"data_offsets":{}}}}})",
                                a, b),
                    data);
  };
  EXPECT_EQ(two("[4,8]", "[0,4]", 8), "accepted");
  EXPECT_THAT(two("[0,4]", "[3,7]", 7),
              HasSubstr("tensor \"b\": expected its bytes to begin at 4"));
  EXPECT_THAT(two("[0,4]", "[0,4]", 4), HasSubstr("an overlap"));
  EXPECT_THAT(two("[0,4]", "[5,9]", 9), HasSubstr("a gap"));
  EXPECT_THAT(two("[1,5]", "[5,9]", 9), HasSubstr("a gap"));
  EXPECT_THAT(two("[0,4]", "[4,8]", 9), HasSubstr("at data byte 8, got 1 bytes more"));
  EXPECT_THAT(error_of("{}", 1), HasSubstr("got 1 bytes more"));
}

TEST(HostileSafetensorsTest, ATruncatedFileIsRefusedAtEveryLength) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_safetensors(folder / "f", example()));
  const auto bytes = read_file(folder / "f", 10000);
  ASSERT_TRUE(bytes);
  for (std::size_t length = 0; length < bytes->size(); ++length) {
    EXPECT_FALSE(parse_safetensors(std::span(*bytes).first(length), "cut")) << length;
  }
  EXPECT_TRUE(parse_safetensors(*bytes, "whole"));
}

TEST(HostileSafetensorsTest, ASparseGiantIsRefusedBeforeItIsAllocated) {
  const TemporaryFolder folder;
  const std::string header =
      R"({"a":{"dtype":"U8","shape":[1099511627776],"data_offsets":[0,1099511627776]}})";
  ASSERT_TRUE(write_file(folder / "giant", raw_file(header, 0)));
  std::filesystem::resize_file(folder / "giant", 8 + header.size() + (std::uintmax_t{1} << 40));
  const auto file = read_safetensors(folder / "giant");
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message, HasSubstr("expected at most 68719476736 bytes of tensors"));
}

}  // namespace
}  // namespace harness

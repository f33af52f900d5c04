#include "vectors/src/manifest.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using ::testing::HasSubstr;

const std::string digest(64, 'a');

Manifest example() {
  return {{{"smoke", 7, 2}}, {{"smoke/a", 1, digest}, {"smoke/b/c", 2, digest}}};
}

std::string error_after(std::string_view from, std::string_view to) {
  std::string text = manifest_text(example());
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const auto manifest = manifest_from(text, "M");
  return manifest ? "accepted" : manifest.error().message;
}

TEST(ManifestTest, TextComesBackAsWritten) {
  const auto manifest = manifest_from(manifest_text(example()), "M");
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(*manifest, example());
}

TEST(ManifestTest, WhatTheSchemaForbidsIsRefused) {
  EXPECT_THAT(error_after("manifest 1", "manifest 2"), HasSubstr("M: \"schema\": expected"));
  EXPECT_THAT(error_after("vectors 1", "vectors 2"), HasSubstr("M: \"source\": expected"));
  EXPECT_THAT(error_after("\"seed\": 7", "\"seed\": -7"), HasSubstr("M: /sets/0: \"seed\""));
  EXPECT_THAT(error_after("\"bytes\": 1", "\"bytes\": \"1\""), HasSubstr("M: /files/0: \"bytes\""));
  EXPECT_THAT(error_after("\"bytes\": 1", "\"size\": 1"), HasSubstr("\"bytes\": expected this"));
  EXPECT_THAT(error_after("aaaa\"", "aaaA\""), HasSubstr("64 lower-case hex digits"));
  EXPECT_THAT(error_after("aaaa\"", "aaa\""), HasSubstr("64 lower-case hex digits"));
  EXPECT_THAT(error_after("  {", "    {"), HasSubstr("canonical form"));
}

TEST(ManifestTest, PathsStayInTheFolderAndInOrder) {
  for (const char* path :
       {"/smoke/a", "smoke/../a", "smoke//a", "smoke/./a", "../a", "smoke/", ""}) {
    EXPECT_THAT(error_after("smoke/a", path), HasSubstr("expected a path inside the folder"))
        << path;
  }
  EXPECT_THAT(error_after("smoke/a", "smoke/z"), HasSubstr("expected ascending paths"));
  EXPECT_THAT(error_after("smoke/a", "smoke/b/c"), HasSubstr("expected ascending paths"));
}

TEST(ManifestTest, CountsAreThoseOfTheFiles) {
  EXPECT_THAT(error_after("\"files\": 2", "\"files\": 3"),
              HasSubstr("expected the stated 3 files, got 2"));
  EXPECT_THAT(error_after("smoke/a", "other/a"), HasSubstr("expected the stated 2 files, got 1"));
  EXPECT_THAT(error_after("\"name\": \"smoke\"", "\"name\": \"smok\""),
              HasSubstr("stated 2 files, got 0"));
}

}  // namespace
}  // namespace harness

// What others wrote is one harmless line wherever it is shown.
#include "harness/model/foreign_text.hpp"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(ForeignTextTest, OrdinaryTextStaysAsItIs) {
  for (const char* text : {"", "NVIDIA H200", "a\\b \"c\" <d> &e", "Grüße, 世界, 🙂",
                           "cuModuleLoadDataEx: CUDA_ERROR_NO_BINARY_FOR_GPU"}) {
    EXPECT_EQ(clean_text(text), text);
  }
}

TEST(ForeignTextTest, EscapesOfATerminalAreSpelledOut) {
  EXPECT_EQ(clean_text("\x1b[2J\x1b]0;title\x07 ok\x7f"), "\\x1b[2J\\x1b]0;title\\x07 ok\\x7f");
  EXPECT_EQ(clean_text("\xc2\x9b"
                       "31m"),
            "\\x9b31m");  // CSI in one character
  EXPECT_EQ(clean_text(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(ForeignTextTest, NoSecondLineCanBeForged) {
  EXPECT_EQ(clean_text("good\nCONFORMS"), "good CONFORMS");
  EXPECT_EQ(clean_text("good\r\nCONFORMS"), "good\\x0d CONFORMS");
  EXPECT_EQ(clean_text("good\u2028CONFORMS\u2029"), "good\\u2028CONFORMS\\u2029");
  EXPECT_EQ(clean_text("good\u0085CONFORMS"), "good\\x85CONFORMS");
}

TEST(ForeignTextTest, TextThatRunsBackwardsIsSpelledOut) {
  EXPECT_EQ(clean_text("\u202e\u2066x\u200f\ufeff"), "\\u202e\\u2066x\\u200f\\ufeff");
}

// XML 1.0 has no form for these, not even as a reference.
TEST(ForeignTextTest, CodePointsThatAreNoCharactersAreSpelledOut) {
  EXPECT_EQ(clean_text("\uffff\ufffe\ufdd0\U0001ffff"), "\\uffff\\ufffe\\ufdd0\\u1ffff");
}

TEST(ForeignTextTest, BytesThatAreNoUtf8AreSpelledOut) {
  EXPECT_EQ(clean_text("\xff\xc0\xaf"), "\\xff\\xc0\\xaf");           // no first byte; overlong
  EXPECT_EQ(clean_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(clean_text("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // past 10ffff
  EXPECT_EQ(clean_text("\xe4\xb8"), "\\xe4\\xb8");                    // cut short
}

TEST(ForeignTextTest, CleaningTwiceChangesNothing) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string once = clean_text(all + all);
  EXPECT_EQ(clean_text(once), once);
}

TEST(ForeignTextTest, EveryStringOfAJsonValueIsCleaned) {
  nlohmann::json json{{"a\n", {"\x1b[1m", 7, {{"b", "c\rd"}}}}, {"e", nullptr}};
  clean_texts(json);
  EXPECT_EQ(json.dump(), R"({"a ":["\\x1b[1m",7,{"b":"c\\x0dd"}],"e":null})");
}

}  // namespace
}  // namespace harness

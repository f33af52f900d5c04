#include "harness/results/statement/ustar.hpp"

#include <gtest/gtest.h>

namespace {

using harness::ArchiveEntry;
using harness::read_ustar;
using harness::write_ustar;

const std::vector<ArchiveEntry> entries{{"statement.json", "{}\n"},
                                        {"results/results.jsonl", std::string(512, 'x')},
                                        {"empty", ""},
                                        {"bytes", std::string("a\0b", 3)}};

std::string packed() { return write_ustar(entries).value(); }

TEST(UstarTest, RoundTripsAndRepeats) {
  const auto back = read_ustar(packed());
  ASSERT_TRUE(back.has_value()) << back.error().message;
  EXPECT_EQ(*back, entries);
  EXPECT_EQ(packed(), packed());
  EXPECT_EQ(packed().size(), 512u * (4 + 3 + 2));
  EXPECT_TRUE(read_ustar(write_ustar({}).value()).value().empty());
}

TEST(UstarTest, EveryChangedByteOutsideTheContentsIsSeen) {
  const std::string good = packed();
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int flip : {0x01, 0x80}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ flip);
      const auto back = read_ustar(bad);
      EXPECT_TRUE(!back || *back != entries) << "byte " << i << " bit " << flip;
    }
  }
}

TEST(UstarTest, EveryCutIsSeen) {
  const std::string good = packed();
  for (std::size_t bytes = 0; bytes < good.size(); ++bytes) {
    EXPECT_FALSE(read_ustar(good.substr(0, bytes)).has_value()) << bytes << " bytes";
  }
  EXPECT_FALSE(read_ustar(good + std::string(512, '\0')).has_value());
}

TEST(UstarTest, NamesThatCouldLeaveTheFolderAreRefused) {
  for (const char* name :
       {"", "/etc/passwd", "../up", "a/../b", "a//b", "./a", "a b", "a\nb", "\xc3\xa9"}) {
    EXPECT_FALSE(write_ustar(std::vector<ArchiveEntry>{{name, ""}}).has_value()) << name;
  }
  EXPECT_FALSE(write_ustar(std::vector<ArchiveEntry>{{std::string(101, 'a'), ""}}).has_value());
  EXPECT_TRUE(write_ustar(std::vector<ArchiveEntry>{{std::string(100, 'a'), ""}}).has_value());
  EXPECT_EQ(write_ustar(std::vector<ArchiveEntry>{{"a", ""}, {"a", "x"}}).error().message,
            "archive: 'a' occurs twice");
}

}  // namespace

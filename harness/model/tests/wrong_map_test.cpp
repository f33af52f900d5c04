#include "harness/model/wrong_map.hpp"

#include <gtest/gtest.h>

namespace {

using harness::WrongMap;

WrongMap odd_elements() {
  WrongMap map("token", 128, "element", 128);
  for (std::uint32_t token = 0; token < 128; token += 3) {
    for (std::uint32_t element = 1; element < 128; element += 2) map.mark(token, element);
  }
  return map;
}

TEST(WrongMapTest, AnEmptyMapHasNoPlaces) {
  EXPECT_TRUE(WrongMap().empty());
  EXPECT_EQ(WrongMap().count(), 0u);
  EXPECT_FALSE(odd_elements().empty());
  EXPECT_EQ(odd_elements().count(), 43u * 64);
}

TEST(WrongMapTest, JsonReadsFromTheLeftAndDropsTrailingZeros) {
  WrongMap map("token", 2, "byte", 10);
  map.mark(1, 0);
  map.mark(1, 5);
  EXPECT_EQ(harness::to_json(map).dump(),
            R"({"axes":["token","byte"],"shape":[2,10],"rows":["","84"]})");
  map.mark(0, 9);
  EXPECT_EQ(harness::to_json(map)["rows"][0], "004");
}

TEST(WrongMapTest, JsonRoundTrips) {
  WrongMap corner("token", 128, "byte", 72);
  corner.mark(127, 71);
  for (const WrongMap& map : {odd_elements(), corner, WrongMap("scale", 1, "code", 1)}) {
    const auto back = harness::wrong_map_from_json(harness::to_json(map));
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_EQ(*back, map);
  }
}

TEST(WrongMapTest, MalformedJsonIsAnErrorThatNamesTheField) {
  const auto message = [](const char* text) {
    const auto map = harness::wrong_map_from_json(nlohmann::json::parse(text));
    return map ? std::string("accepted") : map.error().message;
  };
  EXPECT_EQ(message("3"), "wrong map: axes: expected two names, got nothing");
  EXPECT_EQ(message(R"({"axes":["token",1]})"),
            R"(wrong map: axes: expected two names, got ["token",1])");
  EXPECT_EQ(message(R"({"axes":["a","b"],"shape":[0,4]})"),
            "wrong map: shape: expected two numbers in 1..4096, got [0,4]");
  EXPECT_EQ(message(R"({"axes":["a","b"],"shape":[99999999,4]})"),
            "wrong map: shape: expected two numbers in 1..4096, got [99999999,4]");
  EXPECT_EQ(message(R"({"axes":["a","b"],"shape":[2,4],"rows":[""]})"),
            "wrong map: rows: expected 2 strings of hex digits");
  EXPECT_EQ(message(R"({"axes":["a","b"],"shape":[1,4],"rows":["x"]})"),
            "wrong map: row 0: expected at most 4 bits as hex digits, got 'x'");
  EXPECT_EQ(message(R"({"axes":["a","b"],"shape":[1,5],"rows":["04"]})"),
            "wrong map: row 0: expected at most 5 bits as hex digits, got '04'");
  EXPECT_EQ(message(R"({"axes":["a","b"],"shape":[1,5],"rows":["08"]})"), "accepted");
}

}  // namespace

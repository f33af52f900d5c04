#include "harness/run/prepared_ahead.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "harness/fakes/fake_operation.hpp"
#include "oracle/profile.hpp"

namespace harness {
namespace {

// Jobs at 0, 10, 20, ..., of so many bytes each.
class PreparedAheadTest : public ::testing::Test {
 protected:
  PreparedAhead ahead(std::vector<std::uint64_t> bytes, const PreparedAhead::Limits& limits) {
    bytes_ = std::move(bytes);
    return PreparedAhead(
        [this]() -> std::optional<PreparedAhead::Job> {
          if (next_ == bytes_.size()) return std::nullopt;
          const std::size_t at = 10 * next_;
          return PreparedAhead::Job{at, bytes_[next_++], [this, at] { return prepare(at); }};
        },
        limits);
  }

  Result<PreparedCase> prepare(std::size_t at) {
    {
      const std::lock_guard lock(mutex_);
      ++prepared_[at];
      by_[at] = std::this_thread::get_id();
    }
    return PreparedCase::make(operation_, operation_.cases(Level::smoke, 1).front(),
                              oracle::profiles::ocp());
  }

  std::size_t begun() {
    const std::lock_guard lock(mutex_);
    return prepared_.size();
  }

  // Threads begin when they please.
  bool comes_to(std::size_t count) {
    for (int i = 0; i < 1000 && begun() < count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return begun() == count;
  }

  fakes::FakeOperation operation_;
  std::vector<std::uint64_t> bytes_;
  std::size_t next_ = 0;
  std::mutex mutex_;
  std::map<std::size_t, int> prepared_;
  std::map<std::size_t, std::thread::id> by_;
};

TEST_F(PreparedAheadTest, EachIsPreparedOnceAndTheNextOnesBeforeTheirTurn) {
  PreparedAhead cases = ahead({1, 1, 1, 1, 1}, {.threads = 3, .bytes = 100});
  EXPECT_FALSE(cases.has_begun(0));
  for (std::size_t i = 0; i < 5; ++i) {
    const auto taken = cases.take(10 * i);
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(taken->calls().size(), 1U);
    EXPECT_EQ(cases.has_begun(10 * i + 10), i < 4);
    EXPECT_TRUE(comes_to(std::min<std::size_t>(i + 4, 5)));
  }
  for (const auto& [at, times] : prepared_) EXPECT_EQ(times, 1) << at;
  EXPECT_EQ(by_[0], std::this_thread::get_id());
  EXPECT_NE(by_[10], std::this_thread::get_id());
}

TEST_F(PreparedAheadTest, NoMoreBytesAreBegunThanTheLimit) {
  PreparedAhead cases = ahead({1, 60, 50, 200, 1}, {.threads = 4, .bytes = 100});
  ASSERT_TRUE(cases.take(0));
  EXPECT_TRUE(cases.has_begun(10));
  EXPECT_FALSE(cases.has_begun(20));  // 110 together
  ASSERT_TRUE(cases.take(10));
  EXPECT_TRUE(cases.has_begun(20));
  EXPECT_FALSE(cases.has_begun(30));  // too large at any time
  ASSERT_TRUE(cases.take(20));
  EXPECT_FALSE(cases.has_begun(40));  // it is behind
  ASSERT_TRUE(cases.take(30));
  EXPECT_EQ(by_[30], std::this_thread::get_id());
  EXPECT_TRUE(cases.has_begun(40));
}

TEST_F(PreparedAheadTest, WhatIsPassedOverIsGivenUp) {
  PreparedAhead cases = ahead({1, 500, 1, 1}, {.threads = 2, .bytes = 100});
  ASSERT_TRUE(cases.take(0));
  ASSERT_TRUE(cases.take(20));  // there was no memory for the one between them
  EXPECT_TRUE(cases.has_begun(30));
  ASSERT_TRUE(cases.take(30));
  EXPECT_FALSE(prepared_.contains(10));
  EXPECT_FALSE(cases.take(40));
}

}  // namespace
}  // namespace harness

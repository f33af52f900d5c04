#include "harness/run/crew.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <latch>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace harness {
namespace {

TEST(CrewTest, AllJobsAreInWorkAtOneTime) {
  Crew crew;
  std::latch everybody(3);  // nobody gets past it before all have come
  const auto meet = [&] { everybody.arrive_and_wait(); };
  const std::array<Crew::Job, 3> jobs{{{"a", meet}, {"b", meet}, {"c", meet}}};
  crew.work(jobs);
  EXPECT_TRUE(everybody.try_wait());
}

TEST(CrewTest, ANameKeepsItsThread) {
  Crew crew;
  std::array<std::vector<std::thread::id>, 2> seen;
  for (int round = 0; round < 3; ++round) {
    const std::array<Crew::Job, 2> jobs{
        {{"a", [&] { seen[0].push_back(std::this_thread::get_id()); }},
         {"b", [&] { seen[1].push_back(std::this_thread::get_id()); }}}};
    crew.work(jobs);
  }
  for (const auto& ids : seen) {
    ASSERT_EQ(ids.size(), 3U);
    EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), 1U);
    EXPECT_NE(ids.front(), std::this_thread::get_id());
  }
  EXPECT_NE(seen[0].front(), seen[1].front());
}

TEST(CrewTest, WhatAJobThrowsIsThrownWhenAllAreDone) {
  Crew crew;
  std::atomic<int> done{0};
  const auto fine = [&] { ++done; };
  const auto broken = [] { throw std::runtime_error("a full disk"); };
  const std::array<Crew::Job, 3> jobs{{{"a", fine}, {"b", broken}, {"c", fine}}};
  EXPECT_THROW(crew.work(jobs), std::runtime_error);
  EXPECT_EQ(done, 2);
  const std::array<Crew::Job, 2> later{{{"a", fine}, {"b", fine}}};
  EXPECT_NO_THROW(crew.work(later));
  EXPECT_EQ(done, 4);
}

TEST(CrewTest, AJobThatIsAloneIsDoneByTheCaller) {
  Crew crew;
  std::thread::id worker;
  const std::array<Crew::Job, 1> jobs{{{"a", [&] { worker = std::this_thread::get_id(); }}}};
  crew.work(jobs);
  EXPECT_EQ(worker, std::this_thread::get_id());
}

}  // namespace
}  // namespace harness

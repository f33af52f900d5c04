// The judge sees every byte that changed where none may, and holds of gigabytes what is in them.
#include "harness/implementations/guards/guarded_layout.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "harness/implementations/isolation/shared_memory.hpp"
#include "harness/model/zeros_on_demand.hpp"

namespace harness {
namespace {

constexpr std::uint64_t mebi = std::uint64_t{1} << 20;

Tensor tensor(const std::string& name, Role role, std::vector<std::uint8_t> storage) {
  Tensor made;
  made.name = name;
  made.role = role;
  made.shape = {static_cast<std::int64_t>(storage.size())};
  made.strides = {1};
  made.storage = std::move(storage);
  return made;
}

Problem problem(std::vector<std::uint8_t> in) {
  Problem made;
  // Not as a list, which would copy them.
  made.tensors.push_back(tensor("in", Role::input, std::move(in)));
  made.tensors.push_back(tensor("out", Role::output, std::vector<std::uint8_t>(100, 0xa5)));
  return made;
}

std::vector<Trespass> judge(const Problem& problem, const GuardedLayout& layout,
                            std::span<const std::uint8_t> memory) {
  const Extent all{0, memory.size()};
  return find_trespasses(problem, layout, memory, std::span(&all, 1));
}

TEST(GuardedLayoutTest, WhatWasWrittenIsAsItWasLaid) {
  for (const std::uint64_t granularity : {0U, 4096U, 65536U, 2U << 20}) {
    const Problem sent = problem({1, 2, 3});
    const auto layout = guarded_layout(sent, granularity);
    ASSERT_TRUE(layout);
    std::vector<std::uint8_t> memory(layout->total_bytes);
    write_guarded(sent, *layout, memory);
    EXPECT_TRUE(judge(sent, *layout, memory).empty());
    EXPECT_EQ(outputs_in(sent, *layout, memory)[0], sent.tensors[1].storage);
  }
}

// Every byte of every region but those of outputs.
TEST(GuardedLayoutTest, EveryChangedByteIsSeenWithItsPlace) {
  const Problem sent = problem({1, 2, 3});
  const auto layout = guarded_layout(sent, 4096);
  ASSERT_TRUE(layout);
  std::vector<std::uint8_t> memory(layout->total_bytes);
  write_guarded(sent, *layout, memory);
  for (std::size_t i = 0; i < sent.tensors.size(); ++i) {
    const GuardedRegion& region = layout->regions[i];
    for (std::uint64_t at = 0; at < region.bytes(); ++at) {
      const auto place = static_cast<std::int64_t>(at) - static_cast<std::int64_t>(region.before);
      const bool in_storage = place >= 0 && place < static_cast<std::int64_t>(region.storage);
      if (in_storage && sent.tensors[i].role == Role::output) continue;
      std::uint8_t& byte = memory[region.offset + at];
      const std::uint8_t before = byte;
      byte ^= 0x10;
      const std::vector<Trespass> found = judge(sent, *layout, memory);
      ASSERT_EQ(found.size(), 1U) << sent.tensors[i].name << ' ' << place;
      EXPECT_EQ(found[0].tensor, sent.tensors[i].name);
      EXPECT_EQ(found[0].byte, place);
      EXPECT_EQ(found[0].expected, before);
      EXPECT_EQ(found[0].actual, byte);
      EXPECT_EQ(found[0].count, 1U);
      EXPECT_EQ(found[0].region == "input", in_storage);
      byte = before;
    }
  }
}

// There is no byte of it that could be read in front or behind without a fault.
TEST(GuardedLayoutTest, AnInputThatFillsMemoryPagesLiesBetweenTwoEdges) {
  const Problem whole = problem(std::vector<std::uint8_t>(2 * 4096, 7));
  const auto between = guarded_layout(whole, 4096);
  ASSERT_TRUE(between);
  EXPECT_EQ(between->regions[0].before, 0U);
  EXPECT_EQ(between->regions[0].after, 0U);
  EXPECT_EQ(between->regions[0].offset % 4096, 0U);
  EXPECT_GT(between->regions[1].before, 0U);  // an output keeps its guards

  const auto without_edges = guarded_layout(whole, 0);
  ASSERT_TRUE(without_edges);
  EXPECT_GT(without_edges->regions[0].before, 0U);
  EXPECT_GT(without_edges->regions[0].after, 0U);

  const Problem part = problem(std::vector<std::uint8_t>(4095, 7));
  const auto ragged = guarded_layout(part, 4096);
  ASSERT_TRUE(ragged);
  EXPECT_GT(ragged->regions[0].before, 0U);
}

TEST(GuardedLayoutTest, AMisalignmentOf256IsRefused) {
  Problem sent = problem({1});
  sent.tensors[0].misalignment_bytes = 256;
  EXPECT_FALSE(guarded_layout(sent, 0));
}

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  file >> size >> resident;
  return resident * 4096;
}

std::uint64_t bytes_taken(const SharedMemory& memory) {
  struct stat status {};
  ::fstat(memory.descriptor(), &status);
  return static_cast<std::uint64_t>(status.st_blocks) * 512;
}

class SparseMemoryTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t size = 1024 * mebi;

  void SetUp() override {
    std::vector<std::uint8_t> pool = zeros_on_demand(size);
    pool[0] = 1;
    pool[size / 2] = 2;
    pool[size - 1] = 3;
    sent_ = problem(std::move(pool));
    layout_ = *guarded_layout(sent_, 4096);
    ASSERT_TRUE(memory_.clear_and_grow_to(layout_.total_bytes));
    write_guarded(sent_, layout_, memory_.bytes());
  }

  std::vector<Trespass> judged() const {
    const auto written = memory_.written();
    EXPECT_TRUE(written);
    return find_trespasses(sent_, layout_, memory_.bytes(), *written);
  }
  std::uint8_t& pool_byte(std::uint64_t at) {
    return memory_.bytes()[layout_.regions[0].offset + layout_.regions[0].before + at];
  }

  Problem sent_;
  GuardedLayout layout_;
  SharedMemory memory_ = SharedMemory::create().value();
};

TEST_F(SparseMemoryTest, APoolOfZerosTakesWhatIsInIt) {
  EXPECT_TRUE(judged().empty());
  EXPECT_LT(bytes_taken(memory_), 16 * mebi);
#ifndef __SANITIZE_ADDRESS__
  EXPECT_LT(resident_bytes(), 256 * mebi);
#endif
}

TEST_F(SparseMemoryTest, AByteThatWasChangedAmongZerosIsSeen) {
  for (const std::uint64_t at : {std::uint64_t{0}, size / 3, size / 2, size - 2, size - 1}) {
    const std::uint8_t before = pool_byte(at);
    pool_byte(at) = 0x77;
    const std::vector<Trespass> found = judged();
    ASSERT_EQ(found.size(), 1U) << at;
    EXPECT_EQ(found[0].region, "input");
    EXPECT_EQ(found[0].byte, static_cast<std::int64_t>(at));
    EXPECT_EQ(found[0].expected, before);
    EXPECT_EQ(found[0].actual, 0x77);
    pool_byte(at) = before;
  }
}

TEST_F(SparseMemoryTest, WhatWasInItBeforeIsGone) {
  for (std::uint64_t at = 0; at < 100 * mebi; at += 4096) pool_byte(at) = 0xff;
  ASSERT_TRUE(memory_.clear_and_grow_to(layout_.total_bytes));
  write_guarded(sent_, layout_, memory_.bytes());
  EXPECT_TRUE(judged().empty());
  EXPECT_LT(bytes_taken(memory_), 16 * mebi);
}

TEST(ZerosOnDemandTest, AreZerosAndCanBeWritten) {
  for (const std::uint64_t bytes :
       {std::uint64_t{0}, std::uint64_t{5}, sparse_bytes, 3 * sparse_bytes + 12345}) {
    std::vector<std::uint8_t> zeros = zeros_on_demand(bytes);
    ASSERT_EQ(zeros.size(), bytes);
    EXPECT_TRUE(all_zeros(zeros));
    if (bytes == 0) continue;
    zeros[bytes / 2] = 1;
    EXPECT_FALSE(all_zeros(zeros));
    EXPECT_EQ(zeros[bytes / 2], 1);
  }
}

}  // namespace
}  // namespace harness

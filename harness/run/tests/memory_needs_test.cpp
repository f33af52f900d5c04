// What level full takes of a host, and that the job files in examples/ ask for it.
#include "harness/run/memory_needs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "harness/suite/operations/held_bytes.hpp"

namespace harness {
namespace {

constexpr std::uint64_t gibi = std::uint64_t{1} << 30;

std::uint64_t most_of(Level level) {
  std::uint64_t most = 0;
  for (const Operation* operation : all_operations()) {
    for (const Case& each : operation->cases(level, 0)) {
      most = std::max(most, judging_bytes(*operation, each, 1));
    }
  }
  return most;
}

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(FP4CTS_PROJECT_FOLDER) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The GiB that a file asks for, in the first group of `pattern`.
std::uint64_t asked_for(const std::string& path, const char* pattern) {
  const std::string text = text_of(path);
  std::smatch found;
  return std::regex_search(text, found, std::regex(pattern)) ? std::stoull(found[1]) * gibi : 0;
}

TEST(MemoryNeedsTest, LevelFullFinishesOnAMachineOf24GiB) {
  EXPECT_LT(most_of(Level::full), 16 * gibi);
  EXPECT_LT(most_of(Level::standard), 4 * gibi);
}

// A case that is about the size of an allocation takes memory of the device, and not of the judge.
TEST(MemoryNeedsTest, APoolPastByte2To32TakesATenthOfItOnTheHost) {
  bool seen = false;
  for (const Operation* operation : all_operations()) {
    for (const Case& each : operation->cases(Level::full, 0)) {
      if (!each.id.ends_with("/pool_volume")) continue;
      seen = true;
      EXPECT_GT(each.device_bytes, 4 * gibi);
      EXPECT_LT(judging_bytes(*operation, each, 1), 32 * gibi / 10);
      EXPECT_LT(held_bytes(*operation, each), gibi / 10);
    }
  }
  EXPECT_TRUE(seen);
}

TEST(MemoryNeedsTest, TheJobFilesAskForWhatIsNeededAndAMargin) {
  const std::uint64_t needed = most_of(Level::full);
  for (const std::uint64_t asked :
       {asked_for("examples/slurm/fp4cts-shard.sbatch", "--mem=([0-9]+)G\\n"),
        asked_for("examples/kubernetes/fp4cts-job.yaml", "memory: ([0-9]+)Gi\\n")}) {
    EXPECT_GT(asked, needed + needed / 5);
    EXPECT_LT(asked, 2 * needed);
  }
}

}  // namespace
}  // namespace harness

// Every committed corpus file goes once through its target: what fuzzing found stays found.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "harness/files/file.hpp"
#include "harness/hostile/targets.hpp"

namespace harness::hostile {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class CorpusTest : public testing::TestWithParam<Target> {};

TEST_P(CorpusTest, KeepsEveryLaw) {
  const std::vector<fs::path> files = files_of(fs::path(FP4CTS_HOSTILE_CORPUS) / GetParam().name);
  ASSERT_GE(files.size(), 4U) << "a corpus has good files and hostile ones";
  for (const fs::path& file : files) {
    const auto bytes = read_file(file, std::uint64_t{1} << 20);
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_NO_THROW(GetParam().run(*bytes)) << file.filename();
  }
}

// Cut short at any place, a file is refused or read, no more.
TEST_P(CorpusTest, KeepsEveryLawWhenFilesAreCutShort) {
  for (const fs::path& file : files_of(fs::path(FP4CTS_HOSTILE_CORPUS) / GetParam().name)) {
    const auto bytes = read_file(file, std::uint64_t{1} << 20);
    ASSERT_TRUE(bytes) << bytes.error().message;
    const std::size_t step = std::max<std::size_t>(bytes->size() / 16, 1);
    for (std::size_t size = 0; size < bytes->size(); size += step) {
      EXPECT_NO_THROW(GetParam().run(Bytes(*bytes).first(size)))
          << file.filename() << " cut to " << size << " bytes";
    }
  }
}

TEST(CorpusFolders, BelongToTargets) {
  std::vector<std::string> folders;
  for (const fs::path& folder : files_of(FP4CTS_HOSTILE_CORPUS)) {
    folders.push_back(folder.filename().string());
  }
  std::vector<std::string> names;
  for (const Target& target : targets) names.emplace_back(target.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(folders, names);
}

std::string name_of_target(const testing::TestParamInfo<Target>& info) {
  return std::string(info.param.name);
}

INSTANTIATE_TEST_SUITE_P(Targets, CorpusTest, testing::ValuesIn(targets), name_of_target);

}  // namespace
}  // namespace harness::hostile

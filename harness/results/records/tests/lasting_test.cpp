// What must survive a power cut is on the disk when it is said to be written. The calls that wait
// for the disk are looked at by functions of the same name in this program, which the linker takes
// before those of the C library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/files/file.hpp"
#include "harness/files/tests/temporary_folder.hpp"
#include "harness/results/records/results_file.hpp"
#include "harness/results/tests/results_fixture.hpp"

namespace {

struct Disk {
  std::vector<std::string> calls;
  int fails_with = 0;  // an errno
};
Disk disk;

int wait_for_disk(const char* call, long number, int descriptor) {
  disk.calls.emplace_back(call);
  if (disk.fails_with != 0) {
    errno = disk.fails_with;
    return -1;
  }
  return static_cast<int>(::syscall(number, descriptor));
}

}  // namespace

extern "C" int fdatasync(int descriptor) {
  return wait_for_disk("fdatasync", SYS_fdatasync, descriptor);
}
extern "C" int fsync(int descriptor) { return wait_for_disk("fsync", SYS_fsync, descriptor); }

namespace harness {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LastingTest : public ::testing::Test {
 protected:
  void SetUp() override { disk = {}; }
  void TearDown() override { disk = {}; }
  TemporaryFolder folder_;
};

TEST_F(LastingTest, TheHeaderAndTheEndOfARunAreOnTheDisk) {
  const ResultsFile run = fixture::passing_run();
  auto writer = ResultsWriter::create((folder_.path() / results_file_name).string());
  ASSERT_TRUE(writer) << writer.error().message;
  disk.calls.clear();
  ASSERT_TRUE(writer->write(to_json(run.header)));
  EXPECT_THAT(disk.calls, ElementsAre("fdatasync"));
  disk.calls.clear();
  for (const CaseRecord& record : run.cases) ASSERT_TRUE(writer->write(to_json(record)));
  EXPECT_THAT(disk.calls, IsEmpty());  // of cases at most some seconds are lost
  ASSERT_TRUE(writer->write(to_json(*run.end)));
  EXPECT_THAT(disk.calls, ElementsAre("fdatasync"));
}

TEST_F(LastingTest, ADiskThatFailsIsAnError) {
  const ResultsFile run = fixture::passing_run();
  auto writer = ResultsWriter::create((folder_.path() / results_file_name).string());
  ASSERT_TRUE(writer) << writer.error().message;
  disk.fails_with = EIO;
  const Status status = writer->write(to_json(run.header));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::io_error);
  EXPECT_THAT(status.error().message, HasSubstr("Input/output error"));
  disk.fails_with = EINVAL;  // what is no file of a disk has nothing to wait for
  EXPECT_TRUE(writer->write(to_json(*run.end)));
}

TEST_F(LastingTest, TextThatTakesAnothersPlaceIsOnTheDiskBeforeIt) {
  const std::filesystem::path path = folder_.path() / "summary.json";
  ASSERT_TRUE(write_text_file(path, "before"));
  disk = {};
  disk.fails_with = EIO;
  EXPECT_FALSE(write_text_file(path, "after"));
  EXPECT_EQ(read_text_file(path, 100).value(), "before");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "summary.json.part"));
  disk = {};
  ASSERT_TRUE(write_text_file(path, "after"));
  EXPECT_THAT(disk.calls, ElementsAre("fsync", "fsync"));  // the file, and the folder of its name
  EXPECT_EQ(read_text_file(path, 100).value(), "after");
}

}  // namespace
}  // namespace harness

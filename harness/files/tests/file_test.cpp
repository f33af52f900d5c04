#include "harness/files/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "harness/files/tests/temporary_folder.hpp"

namespace harness {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(FileTest, BytesComeBackAsWritten) {
  const TemporaryFolder folder;
  const std::vector<std::uint8_t> head{1, 2, 0};
  const std::vector<std::uint8_t> tail{255};
  const std::vector<std::span<const std::uint8_t>> parts{head, {}, tail};
  ASSERT_TRUE(write_file(folder / "f", parts));
  const auto bytes = read_file(folder / "f", 4);
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_THAT(*bytes, ElementsAre(1, 2, 0, 255));
  EXPECT_FALSE(std::filesystem::exists(folder / "f.part"));
}

TEST(FileTest, WritingReplacesTheWholeFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_text_file(folder / "f", "a longer text"));
  ASSERT_TRUE(write_text_file(folder / "f", "short"));
  EXPECT_EQ(read_text_file(folder / "f", 100), std::string("short"));
}

TEST(FileTest, AFileBeyondTheLimitIsRefusedBeforeItIsRead) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_text_file(folder / "f", "12345"));
  const auto text = read_text_file(folder / "f", 4);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::malformed);
  EXPECT_THAT(text.error().message, HasSubstr("expected at most 4 bytes, got 5"));
}

TEST(FileTest, WhatIsNotARegularFileIsRefusedByKind) {
  const TemporaryFolder folder;
  const auto directory = read_file(folder.path(), 1);
  ASSERT_FALSE(directory);
  EXPECT_THAT(directory.error().message, HasSubstr("expected a regular file, got a directory"));

  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto pipe = read_file(folder / "pipe", 1);
  ASSERT_FALSE(pipe);
  EXPECT_THAT(pipe.error().message, HasSubstr("got a pipe"));

  const auto device = read_file("/dev/zero", 1);
  ASSERT_FALSE(device);
  EXPECT_THAT(device.error().message, HasSubstr("got a device"));
}

TEST(FileTest, AFileThatShrankIsAnError) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_text_file(folder / "f", "12345"));
  const auto file = InputFile::open(folder / "f");
  ASSERT_TRUE(file);
  std::filesystem::resize_file(folder / "f", 3);
  std::vector<std::uint8_t> bytes(5);
  const auto read = file->read(bytes, 0);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("expected 2 more bytes at byte 3, got end of file"));
}

TEST(FileTest, AFailedWriteNamesTheFileAndLeavesNothing) {
  const TemporaryFolder folder;
  const auto written = write_text_file(folder / "absent" / "f", "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::io_error);
  EXPECT_THAT(written.error().message, HasSubstr("f.part: opening for writing: No such file"));

  std::filesystem::create_directory(folder / "taken");
  ASSERT_TRUE(write_text_file(folder / "taken" / "inside", "x"));
  const auto onto = write_text_file(folder / "taken", "x");
  ASSERT_FALSE(onto);
  EXPECT_THAT(onto.error().message, HasSubstr("Is a directory"));
  EXPECT_FALSE(std::filesystem::exists(folder / "taken.part"));
}

TEST(FileTest, AStateIsAnotherAfterAnythingThatMayHavePutOtherBytesThere) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "a";
  ASSERT_TRUE(write_text_file(file, "one"));
  const std::string first = file_state(file);
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(file_state(file), first);
  // Its clock ticks every few milliseconds.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::filesystem::rename(file, folder / "b");
  EXPECT_EQ(file_state(file), "");
  std::filesystem::rename(folder / "b", file);
  const std::string renamed = file_state(file);
  EXPECT_NE(renamed, first);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto time = std::filesystem::last_write_time(file);
  std::ofstream(file, std::ios::in) << "two";
  std::filesystem::last_write_time(file, time);
  EXPECT_NE(file_state(file), renamed);
}

}  // namespace
}  // namespace harness

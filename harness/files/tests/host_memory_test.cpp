// What a job may use, read from a machine made of files.
#include "harness/files/host_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>

#include "harness/files/tests/temporary_folder.hpp"

namespace harness {
namespace {

constexpr std::uint64_t mebi = std::uint64_t{1} << 20;

class HostMemoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    write("proc/meminfo",
          "MemTotal:       33554432 kB\nMemFree: 1 kB\nMemAvailable:   16777216 kB\n");
    write("proc/vmstat", "nr_free_pages 5\noom_kill 3\n");
  }

  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root() / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void write_number(const std::string& path, std::uint64_t number) {
    write(path, std::to_string(number) + "\n");
  }

  // A v2 hierarchy of which /jobs is mounted, as in a container, and this process in /jobs/7/step.
  void use_v2() {
    write("proc/self/cgroup", "0::/jobs/7/step\n");
    write("proc/self/mountinfo",
          "29 23 0:26 /jobs /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
    write("sys/fs/cgroup/7/step/memory.max", "max\n");
  }
  // A v1 hierarchy beside others, whole.
  void use_v1() {
    write("proc/self/cgroup", "9:name=systemd:/x\n4:cpu,memory:/slurm/job_7\n0::/\n");
    write(
        "proc/self/mountinfo",
        "34 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
        "35 31 0:32 / /sys/fs/cgroup/memory rw shared:1 master:2 - cgroup cgroup rw,cpu,memory\n");
    write_number("sys/fs/cgroup/memory/memory.limit_in_bytes", 0x7ffffffffffff000);
  }

  std::filesystem::path root() const { return folder_.path(); }
  MemoryRoom room() const { return memory_room(root()); }

 private:
  TemporaryFolder folder_;
};

TEST_F(HostMemoryTest, WithoutControlGroupsItIsWhatTheMachineHasToGive) {
  EXPECT_EQ(room().bytes, 16384 * mebi);
  EXPECT_EQ(room().of, "this machine");
}

TEST_F(HostMemoryTest, NothingIsKnownWhereThereIsNoProc) {
  EXPECT_EQ(memory_room(root() / "nowhere").bytes, UINT64_MAX);
  EXPECT_EQ(oom_kills(root() / "nowhere"), 0U);
}

TEST_F(HostMemoryTest, ALimitOfAGroupCountsWithoutWhatItUses) {
  use_v2();
  write_number("sys/fs/cgroup/7/step/memory.max", 4096 * mebi);
  write_number("sys/fs/cgroup/7/step/memory.current", 1024 * mebi);
  EXPECT_EQ(room().bytes, 3072 * mebi);
  EXPECT_EQ(room().of, "control group /7/step");
}

TEST_F(HostMemoryTest, CachedFilesAreNoUse) {
  use_v2();
  write_number("sys/fs/cgroup/7/step/memory.max", 4096 * mebi);
  write_number("sys/fs/cgroup/7/step/memory.current", 1024 * mebi);
  write("sys/fs/cgroup/7/step/memory.stat",
        "anon 1\nactive_file 9\ninactive_file " + std::to_string(1000 * mebi) + "\n");
  EXPECT_EQ(room().bytes, 4072 * mebi);
}

TEST_F(HostMemoryTest, TheLeastOfAllGroupsOnThePathCounts) {
  use_v2();
  write_number("sys/fs/cgroup/7/step/memory.max", 4096 * mebi);
  write_number("sys/fs/cgroup/7/memory.max", 2048 * mebi);
  write_number("sys/fs/cgroup/7/memory.current", 2000 * mebi);
  EXPECT_EQ(room().bytes, 48 * mebi);
  EXPECT_EQ(room().of, "control group /7");
  write_number("sys/fs/cgroup/memory.high", 40 * mebi);
  EXPECT_EQ(room().bytes, 40 * mebi);
}

TEST_F(HostMemoryTest, AGroupThatUsesMoreThanItsLimitHasNone) {
  use_v2();
  write_number("sys/fs/cgroup/7/memory.max", 100 * mebi);
  write_number("sys/fs/cgroup/7/memory.current", 101 * mebi);
  EXPECT_EQ(room().bytes, 0U);
}

TEST_F(HostMemoryTest, GroupsOfTheFirstVersionCountToo) {
  use_v1();
  EXPECT_EQ(room().bytes, 16384 * mebi);
  write_number("sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", 8192 * mebi);
  write_number("sys/fs/cgroup/memory/slurm/job_7/memory.usage_in_bytes", 1024 * mebi);
  write("sys/fs/cgroup/memory/slurm/job_7/memory.stat",
        "inactive_file 1\ntotal_inactive_file " + std::to_string(24 * mebi) + "\n");
  EXPECT_EQ(room().bytes, 7192 * mebi);
  EXPECT_EQ(room().of, "control group /slurm/job_7");
}

TEST_F(HostMemoryTest, TheMachineCountsWhereItHasLessThanTheLimit) {
  use_v1();
  write_number("sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", 32768 * mebi);
  EXPECT_EQ(room().of, "this machine");
}

TEST_F(HostMemoryTest, AProcessMayHaveALimitOfItsOwn) {
  write("proc/self/statm", "1000 10 10 10 0 10 0\n");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  // Larger than anything that a sanitizer reserves.
  const rlimit least{std::uint64_t{1} << 46, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &least), 0);
  write("proc/meminfo", "MemAvailable: 999999999999999 kB\n");
  const MemoryRoom limited = room();
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(limited.of, "the limit of a process (ulimit -v)");
  EXPECT_LT(limited.bytes, std::uint64_t{1} << 46);
}

TEST_F(HostMemoryTest, KillsForWantOfMemoryAreCounted) {
  EXPECT_EQ(oom_kills(root()), 3U);
  use_v2();
  write("sys/fs/cgroup/7/step/memory.events", "low 0\noom 2\noom_kill 2\n");
  EXPECT_EQ(oom_kills(root()), 5U);
  use_v1();
  write("sys/fs/cgroup/memory/slurm/job_7/memory.oom_control",
        "oom_kill_disable 0\nunder_oom 0\noom_kill 7\n");
  EXPECT_EQ(oom_kills(root()), 10U);
}

}  // namespace
}  // namespace harness

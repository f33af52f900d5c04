// The device `cpu`: memory with edges, launches over all cores, faults as errors.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <csignal>
#include <numeric>
#include <stdexcept>

#include "harness/implementations/devices/device.hpp"
#include "harness/implementations/devices/fault_trap.hpp"
#include "harness/implementations/devices/parallel.hpp"
// Last: it defines the words of CUDA as macros.
#include "harness/implementations/devices/tests/host_kernels.hpp"

namespace harness {
namespace {

using ::testing::HasSubstr;
using namespace harness::testing;

std::unique_ptr<Device> cpu() {
  Result<std::unique_ptr<Device>> device = open_device("cpu");
  EXPECT_TRUE(device) << device.error().message;
  return std::move(*device);
}

std::vector<std::uint8_t> bytes_of(const CopyArgs& args) {
  std::vector<std::uint8_t> bytes(sizeof(args));
  std::memcpy(bytes.data(), &args, sizeof(args));
  return bytes;
}

TEST(CpuDeviceTest, SaysWhatItIs) {
  const auto device = cpu();
  EXPECT_EQ(device->info().name, "cpu");
  EXPECT_GT(device->info().memory_bytes, std::uint64_t{1} << 20);
  EXPECT_EQ(device->info().facts.at("cores"), core_count());
  EXPECT_THAT(device->info().facts.at("compiler").get<std::string>(), HasSubstr("++ "));
}

TEST(CpuDeviceTest, MemoryIsAlignedZeroedAndHoldsWhatIsWritten) {
  const auto device = cpu();
  for (const std::uint64_t size : {0U, 1U, 255U, 256U, 257U, 4096U, 5000U, 9216U, 20U << 20}) {
    const auto address = device->allocate(size);
    ASSERT_TRUE(address) << address.error().message;
    EXPECT_EQ(*address % 256, 0U) << size;
    std::vector<std::uint8_t> bytes(size, 0xff);
    ASSERT_TRUE(device->read(bytes, *address));
    EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 0), static_cast<std::ptrdiff_t>(size));
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{7});
    ASSERT_TRUE(device->write(*address, bytes));
    const auto other = device->allocate(size);
    ASSERT_TRUE(other);
    ASSERT_TRUE(device->copy(*other, *address, size));
    std::vector<std::uint8_t> back(size);
    ASSERT_TRUE(device->read(back, *other));
    EXPECT_EQ(back, bytes);
    EXPECT_TRUE(device->release(*address));
    EXPECT_TRUE(device->release(*other));
  }
}

TEST(CpuDeviceTest, RefusesWhatItCannotAllocate) {
  const auto device = cpu();
  const auto address = device->allocate(std::uint64_t{1} << 60);
  ASSERT_FALSE(address);
  EXPECT_EQ(address.error().code, ErrorCode::out_of_memory);
  EXPECT_THAT(address.error().message, HasSubstr("1152921504606846976 bytes"));
}

TEST(CpuDeviceTest, RefusesToReleaseWhatItDidNotAllocate) {
  const auto status = cpu()->release(4096);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
}

// Outside of a launch nothing is trapped: the process dies, as a plug-in that does this would.
TEST(CpuDeviceDeathTest, NothingLiesBehindMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto device = cpu();
  const auto address = device->allocate(512);
  ASSERT_TRUE(address);
  volatile const std::uint8_t* memory = reinterpret_cast<const std::uint8_t*>(*address);
  EXPECT_EQ(memory[511], 0);
  EXPECT_DEATH(static_cast<void>(memory[512]), "");
}

TEST(CpuDeviceDeathTest, NothingLiesBeforeWholePages) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto device = cpu();
  const auto address = device->allocate(device->edge_granularity());
  ASSERT_TRUE(address);
  volatile const std::uint8_t* memory = reinterpret_cast<const std::uint8_t*>(*address);
  EXPECT_EQ(memory[0], 0);
  EXPECT_DEATH(static_cast<void>(memory[-1]), "");
}

TEST(CpuDeviceTest, RunsEveryThreadOnce) {
  static std::array<std::atomic<unsigned>, 1000 * copy_threads> calls;
  const auto entry =
      host_entry("count", [](const void*) { ++calls[static_cast<std::size_t>(copy_index())]; });
  const auto seconds = cpu()->launch(entry, bytes_of({}), 1000);
  ASSERT_TRUE(seconds) << seconds.error().message;
  EXPECT_GT(*seconds, 0);
  for (const auto& count : calls) ASSERT_EQ(count, 1U);
}

TEST(CpuDeviceTest, RunsNothingForNoBlocks) {
  const auto entry = host_entry("never", [](const void*) { std::abort(); });
  EXPECT_TRUE(cpu()->launch(entry, bytes_of({}), 0));
}

TEST(CpuDeviceTest, RefusesArgumentsOfAnotherSize) {
  const auto result = cpu()->launch(host_entry("copy", copy_one), std::vector<std::uint8_t>(8), 1);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(result.error().message, "launch of copy: arguments: expected 24 bytes, got 8");
}

TEST(CpuDeviceTest, RefusesMoreBlocksThanAGridHolds) {
  const auto result = cpu()->launch(host_entry("copy", copy_one), bytes_of({}), 0x80000000);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::out_of_range);
  EXPECT_THAT(result.error().message, HasSubstr("at most 2147483647, got 2147483648"));
}

TEST(CpuDeviceTest, SaysWhyAKernelWithoutHostFormCannotRun) {
  const auto device = cpu();
  const auto entry = host_entry("gpu_only", nullptr);
  EXPECT_THAT(device->unavailable(entry), HasSubstr("has no host form"));
  EXPECT_FALSE(device->launch(entry, bytes_of({}), 1));
  EXPECT_EQ(device->unavailable(host_entry("copy", copy_one)), "");
}

TEST(CpuDeviceTest, AReadBehindTheEndIsAnErrorWithItsPlace) {
  const auto device = cpu();
  const auto from = device->allocate(256);
  const auto to = device->allocate(512);
  ASSERT_TRUE(from && to);
  // 300 bytes of 256: element 256 is thread 0 of block 8.
  const auto args = bytes_of(
      {reinterpret_cast<const std::uint8_t*>(*from), reinterpret_cast<std::uint8_t*>(*to), 300});
  const auto result = device->launch(host_entry("copy", copy_one), args, 10);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::device_error);
  EXPECT_THAT(result.error().message, HasSubstr("launch of copy: block 8, thread 0: invalid"));
  EXPECT_EQ(device->faulting_address(), *from + 256);
#if defined(__x86_64__)
  EXPECT_THAT(result.error().message, HasSubstr("invalid read at"));
#endif
  // The device goes on.
  const auto right = bytes_of(
      {reinterpret_cast<const std::uint8_t*>(*from), reinterpret_cast<std::uint8_t*>(*to), 256});
  EXPECT_TRUE(device->launch(host_entry("copy", copy_one), right, 8));
  EXPECT_EQ(device->faulting_address(), std::nullopt);
}

TEST(CpuDeviceTest, AWriteBehindTheEndIsAnErrorWithItsPlace) {
  const auto device = cpu();
  const auto from = device->allocate(512);
  const auto to = device->allocate(256);
  ASSERT_TRUE(from && to);
  const auto args = bytes_of(
      {reinterpret_cast<const std::uint8_t*>(*from), reinterpret_cast<std::uint8_t*>(*to), 300});
  const auto result = device->launch(host_entry("copy", copy_one), args, 10);
  ASSERT_FALSE(result);
  EXPECT_EQ(device->faulting_address(), *to + 256);
#if defined(__x86_64__)
  EXPECT_THAT(result.error().message, HasSubstr("invalid write at"));
#endif
}

TEST(CpuDeviceTest, AnAddressThatCannotExistIsAnErrorToo) {
  const auto device = cpu();
  const auto args = bytes_of({reinterpret_cast<const std::uint8_t*>(std::uint64_t{0x8000} << 48),
                              reinterpret_cast<std::uint8_t*>(std::uint64_t{0x8000} << 48), 1});
  const auto result = device->launch(host_entry("copy", copy_one), args, 1);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::device_error);
}

TEST(CpuDeviceTest, ACallIsTimedAndItsErrorIsItsOwn) {
  const auto device = cpu();
  void* given = device.get();
  const auto called = device->call([&](void* stream) -> Status {
    given = stream;
    return {};
  });
  ASSERT_TRUE(called);
  EXPECT_GE(*called, 0);
  EXPECT_EQ(given, nullptr);
  const auto failed = device->call(
      [](void*) -> Status { return oracle::fail(ErrorCode::device_error, "no kernel for this"); });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no kernel for this");
}

TEST(CpuDeviceTest, AFaultInACallIsAnErrorWithItsPlace) {
  const auto device = cpu();
  const auto address = device->allocate(256);
  ASSERT_TRUE(address);
  const auto failed = device->call([&](void*) -> Status {
    static_cast<void>(*reinterpret_cast<const volatile std::uint8_t*>(*address + 256));
    return {};
  });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::device_error);
  EXPECT_EQ(device->faulting_address(), *address + 256);
#if defined(__x86_64__)
  EXPECT_EQ(failed.error().message, fmt::format("cpu: invalid read at 0x{:x}", *address + 256));
#endif
  EXPECT_TRUE(device->call([](void*) -> Status { return {}; }));
  EXPECT_EQ(device->faulting_address(), std::nullopt);
}

// After an exception the trap is no longer set: a fault is not caught.
TEST(CpuDeviceDeathTest, AnExceptionLeavesTheTrap) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto device = cpu();
  EXPECT_THROW(
      static_cast<void>(device->call([](void*) -> Status { throw std::runtime_error("no"); })),
      std::runtime_error);
  EXPECT_DEATH(
      {
        const FaultTrap trap;
        try {
          static_cast<void>(FaultTrap::run([] { throw std::runtime_error("no"); }));
        } catch (const std::runtime_error&) {
        }
        static_cast<void>(*reinterpret_cast<const volatile int*>(std::uintptr_t{64}));
      },
      "");
}

// A signal that was sent is no access.
TEST(CpuDeviceDeathTest, ASentSignalIsNotSwallowed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto device = cpu();
  EXPECT_EXIT(static_cast<void>(device->call([](void*) -> Status {
                std::raise(SIGSEGV);
                return {};
              })),
              ::testing::KilledBySignal(SIGSEGV), "");
}

// A fault that is not a kernel's ends the process as it would have without the trap.
TEST(CpuDeviceDeathTest, FaultsOfOthersAreNotSwallowed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto device = cpu();
  const auto address = device->allocate(256);
  ASSERT_TRUE(address);
  volatile const std::uint8_t* behind = reinterpret_cast<const std::uint8_t*>(*address) + 256;
  EXPECT_DEATH(
      {
        const FaultTrap trap;
        static_cast<void>(*behind);
      },
      "");
}

TEST(ParallelTest, CutsTheWholeRangeOnce) {
  for (const std::uint64_t count : {0U, 1U, 2U, 3U, 7U, 64U, 1001U}) {
    std::vector<std::atomic<unsigned>> hits(count);
    for_each_range(count, 1, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) ++hits[i];
    });
    for (const auto& hit : hits) ASSERT_EQ(hit, 1U) << count;
  }
}

TEST(DevicesTest, AnUnknownNameIsAnErrorWithTheChoices) {
  for (const char* name : {"", "gpu", "cuda", "cuda:", "cuda:-1", "cuda:1x", "CPU", "hip:"}) {
    const auto device = open_device(name);
    ASSERT_FALSE(device) << name;
    EXPECT_EQ(device.error().code, ErrorCode::unknown_name) << name;
    EXPECT_THAT(device.error().message, HasSubstr("expected cpu, cuda:N, hip:N or ptx")) << name;
  }
}

TEST(CpuDeviceTest, LoadsNoModules) {
  const auto device = cpu();
  const auto kernel = device->load_kernel({}, "other.cubin", "other");
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code, ErrorCode::device_absent);
  EXPECT_EQ(kernel.error().message, "a module file needs a GPU, and cpu is none");
  EXPECT_FALSE(device->launch(LoadedKernel{"other", nullptr}, LaunchShape{}, {}));
}

TEST(DevicesTest, TheSurveyHasTheCpuFirst) {
  const DeviceSurvey survey = survey_devices();
  ASSERT_FALSE(survey.present.empty());
  EXPECT_EQ(survey.present.front().name, "cpu");
}

}  // namespace
}  // namespace harness

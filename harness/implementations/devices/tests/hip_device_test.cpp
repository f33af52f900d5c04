// The device `hip:N` over fake runtimes of ROCm 6 and ROCm 5: order of the calls, what is passed,
// every error. That AMD's runtime and GPUs work like this is not shown here, nor could it be shown
// anywhere when this was written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <set>

#include "harness/implementations/devices/hip.hpp"
#include "harness/implementations/devices/hip_runtime.hpp"
#include "harness/implementations/devices/tests/fake_controls.hpp"
#include "harness/implementations/kernel/kernel_implementation.hpp"
#include "harness/run/tests/copy_operation.hpp"

namespace harness {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace harness::testing;

constexpr int out_of_memory = 2;
constexpr int no_device = 100;
constexpr int illegal_address = 700;
constexpr int out_of_resources = 701;

void copy_grid(const void* arguments, std::size_t bytes, unsigned blocks, unsigned threads) {
  ASSERT_EQ(bytes, sizeof(CopyArgs));
  CopyArgs args{};
  std::memcpy(&args, arguments, bytes);
  for (std::int64_t i = 0; i < std::int64_t{blocks} * threads; ++i) {
    if (i < args.count) args.to[i] = args.from[i];
  }
}

constexpr unsigned char bundle[16] = {};
constexpr std::array<kernels::Image, 1> images{kernels::Image{.module = "copies",
                                                              .backend = kernels::Backend::hip,
                                                              .architectures = "gfx90a gfx1030",
                                                              .toolkit = "hipcc 5.2.21153",
                                                              .begin = std::begin(bundle),
                                                              .end = std::end(bundle),
                                                              .absent_reason = ""}};
constexpr kernels::Entry copy_entry{"copy_plain", "copies", copy_threads, sizeof(CopyArgs),
                                    nullptr};

// The parameter is the fake library.
class HipDeviceTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    setenv("FP4CTS_HIP_LIBRARY", GetParam(), 1);
    fake_.kernel("copy_plain", copy_grid);
  }
  void TearDown() override { unsetenv("FP4CTS_HIP_LIBRARY"); }

  static Result<Execution> session() {
    const auto runtime = hip::load_runtime();
    if (!runtime) return tl::make_unexpected(runtime.error());
    const auto device = open_hip(*runtime, 1);
    if (!device) return tl::make_unexpected(device.error());
    const CopyOperation copy;
    const std::array<const Operation*, 1> operations{&copy};
    const std::array<kernels::Entry, 1> entries{copy_entry};
    const auto made = builtin_implementations(**device, operations, {entries, images});
    if (!made) return tl::make_unexpected(made.error());
    Result<Execution> execution = made->front()->execute(copy_problem(1000));
    if (!execution) return execution;
    const auto called = (*device)->call([](void*) -> Status { return {}; });
    if (!called) return tl::make_unexpected(called.error());
    return execution;
  }

  static std::unique_ptr<Device> open() {
    auto device = open_hip(*hip::load_runtime(), 1);
    EXPECT_TRUE(device) << device.error().message;
    (*device)->add_images(images);
    return std::move(*device);
  }

  static Result<double> launch(Device& device, unsigned blocks) {
    return device.launch(copy_entry, std::vector<std::uint8_t>(sizeof(CopyArgs)), blocks);
  }

  FakeControls fake_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Rocm, HipDeviceTest,
                         ::testing::Values(FAKE_HIP_LIBRARY, FAKE_HIP_5_LIBRARY),
                         [](const auto& rocm) { return rocm.index == 0 ? "6" : "5"; });

TEST_P(HipDeviceTest, AMissingRuntimeIsAnAbsentDevice) {
  setenv("FP4CTS_HIP_LIBRARY", "libno_such_hip.so.6", 1);
  const auto runtime = hip::load_runtime();
  ASSERT_FALSE(runtime);
  EXPECT_EQ(runtime.error().code, ErrorCode::device_absent);
  EXPECT_THAT(runtime.error().message, HasSubstr("FP4CTS_HIP_LIBRARY: libno_such_hip.so.6"));
}

TEST_P(HipDeviceTest, NoGpuIsAnAbsentDevice) {
  fake_.fail("hipInit", no_device);
  const auto runtime = hip::load_runtime();
  ASSERT_FALSE(runtime);
  EXPECT_EQ(runtime.error().code, ErrorCode::device_absent);
  EXPECT_THAT(runtime.error().message, HasSubstr("hipInit: hipErrorNoDevice (no GPU)"));
  fake_.set("devices", 0);
  const auto infos = hip_infos(*hip::load_runtime());
  ASSERT_FALSE(infos);
  EXPECT_EQ(infos.error().code, ErrorCode::device_absent);
}

TEST_P(HipDeviceTest, ANumberPastTheLastIsAnAbsentDevice) {
  const auto device = open_hip(*hip::load_runtime(), 2);
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().code, ErrorCode::device_absent);
  EXPECT_EQ(device.error().message, "hip:2: expected a number below 2, the HIP devices here");
}

TEST_P(HipDeviceTest, SaysWhatItIs) {
  const auto infos = hip_infos(*hip::load_runtime());
  ASSERT_TRUE(infos) << infos.error().message;
  ASSERT_EQ(infos->size(), 2U);
  const DeviceInfo& info = infos->at(1);
  EXPECT_EQ(info.name, "hip:1");
  EXPECT_EQ(info.architecture, "gfx90a");
  EXPECT_EQ(info.memory_bytes, std::uint64_t{64} << 30);
  EXPECT_EQ(info.description, "Fake Instinct, gfx90a:sramecc+:xnack-, 64 GiB, HIP 6.3.42134");
  EXPECT_EQ(info.facts.at("uuid"), "GPU-0123456789abcdef");
  EXPECT_EQ(info.facts.at("pci"), "0000:c2:00.0");
  EXPECT_THAT(info.facts.at("library").get<std::string>(), HasSubstr("fake_hip"));
}

TEST_P(HipDeviceTest, AKernelRunsAndEverythingIsGivenBack) {
  const auto execution = session();
  ASSERT_TRUE(execution) << execution.error().message;
  EXPECT_EQ(execution->outputs.at(0), copy_problem(1000).tensors[0].storage);
  EXPECT_TRUE(execution->trespasses.empty());
  EXPECT_DOUBLE_EQ(execution->seconds, 0.0025);
  EXPECT_EQ(fake_.live(), 0);
}

TEST_P(HipDeviceTest, ALaunchIsTimedByEventsAndItsModuleIsLoadedOnce) {
  const auto device = open();
  fake_.clear_log();
  ASSERT_TRUE(launch(*device, 8));
  EXPECT_EQ(fake_.launch(), "grid 8 1 1 threads 32 1 1 shared 0 bytes 24");
  EXPECT_THAT(fake_.log(), ElementsAre("hipSetDevice", "hipModuleLoadData", "hipModuleGetFunction",
                                       "hipEventRecord", "hipModuleLaunchKernel", "hipEventRecord",
                                       "hipEventSynchronize", "hipEventElapsedTime"));
  fake_.clear_log();
  ASSERT_TRUE(launch(*device, 8));
  EXPECT_THAT(fake_.log(),
              ElementsAre("hipSetDevice", "hipEventRecord", "hipModuleLaunchKernel",
                          "hipEventRecord", "hipEventSynchronize", "hipEventElapsedTime"));
}

TEST_P(HipDeviceTest, CopiesOnTheDeviceAndTimesIt) {
  const auto device = open();
  const auto from = device->allocate(1000);
  const auto to = device->allocate(1000);
  ASSERT_TRUE(from && to);
  const std::vector<std::uint8_t> bytes = copy_problem(1000).tensors[0].storage;
  ASSERT_TRUE(device->write(*from, bytes));
  EXPECT_EQ(device->copy(*to, *from, 1000).value(), 0.0025);
  std::vector<std::uint8_t> back(1000);
  ASSERT_TRUE(device->read(back, *to));
  EXPECT_EQ(back, bytes);
}

TEST_P(HipDeviceTest, AFailedAllocationIsOutOfMemory) {
  const auto device = open();
  fake_.fail("hipMalloc", out_of_memory);
  const auto address = device->allocate(9216);
  ASSERT_FALSE(address);
  EXPECT_EQ(address.error().code, ErrorCode::out_of_memory);
  EXPECT_THAT(address.error().message,
              HasSubstr("hip:1: hipMalloc of 9216 bytes: "
                        "hipErrorOutOfMemory (harness/implementations/devices/hip.cpp:"));
  EXPECT_TRUE(device->allocate(9216));
}

TEST_P(HipDeviceTest, AFailedLaunchIsAnErrorAndTheDeviceGoesOn) {
  const auto device = open();
  fake_.fail("hipModuleLaunchKernel", out_of_resources);
  const auto failed = launch(*device, 3);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::device_error);
  EXPECT_THAT(failed.error().message, HasSubstr("hipModuleLaunchKernel of copy_plain, 3 blocks: "
                                                "hipErrorLaunchOutOfResources"));
  EXPECT_TRUE(launch(*device, 3));
}

TEST_P(HipDeviceTest, AnIllegalAddressLosesTheDevice) {
  const auto device = open();
  fake_.fail("hipEventSynchronize", illegal_address);
  const auto failed = launch(*device, 3);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::device_lost);
  EXPECT_THAT(failed.error().message,
              HasSubstr("after copy_plain, 3 blocks: hipErrorIllegalAddress"));
  fake_.clear_log();
  EXPECT_EQ(launch(*device, 3).error().code, ErrorCode::device_lost);
  EXPECT_EQ(device->allocate(1).error().code, ErrorCode::device_lost);
  EXPECT_THAT(fake_.log(), ElementsAre()) << "a lost device was called";
}

TEST_P(HipDeviceTest, SaysWhatAnEntryNeeds) {
  const auto device = open();
  EXPECT_EQ(device->unavailable(copy_entry), "");
  kernels::Entry elsewhere = copy_entry;
  elsewhere.module = "elsewhere";
  EXPECT_EQ(device->unavailable(elsewhere), "has no HIP form");
}

// What a plug-in does.
TEST_P(HipDeviceTest, ACallIsGivenAStreamAndWaitedFor) {
  const auto device = open();
  void* given = nullptr;
  const auto work = [&](void* stream) -> Status {
    given = stream;
    return {};
  };
  fake_.clear_log();
  EXPECT_EQ(device->call(work).value(), 0.0025);
  EXPECT_NE(given, nullptr);
  EXPECT_THAT(fake_.log(), ElementsAre("hipSetDevice", "hipStreamCreateWithFlags", "hipEventRecord",
                                       "hipSetDevice", "hipEventRecord", "hipEventSynchronize",
                                       "hipEventElapsedTime", "hipDeviceSynchronize"));
  fake_.clear_log();
  ASSERT_TRUE(device->call(work));
  EXPECT_THAT(fake_.log(), Not(Contains("hipStreamCreateWithFlags")));
}

TEST_P(HipDeviceTest, ACallThatFailsIsWaitedForAndSaysWhatTheDeviceSays) {
  const auto device = open();
  const auto fails = [](void*) -> Status {
    return oracle::fail(ErrorCode::device_error, "no kernel for this");
  };
  fake_.clear_log();
  const auto failed = device->call(fails);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no kernel for this");
  EXPECT_THAT(fake_.log(), Contains("hipDeviceSynchronize"));
  fake_.fail("hipDeviceSynchronize", illegal_address);
  const auto lost = device->call(fails);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::device_lost);
  EXPECT_THAT(lost.error().message,
              HasSubstr("hipDeviceSynchronize after the call: hipErrorIllegalAddress"));
  EXPECT_THAT(lost.error().message, HasSubstr("; the call said: no kernel for this"));
  EXPECT_EQ(device->call(fails).error().code, ErrorCode::device_lost);
}

TEST_P(HipDeviceTest, WorkOfACallThatBreaksLosesTheDevice) {
  for (const char* seen_by : {"hipEventSynchronize", "hipDeviceSynchronize"}) {
    const auto device = open();
    fake_.fail(seen_by, illegal_address);
    const auto lost = device->call([](void*) -> Status { return {}; });
    ASSERT_FALSE(lost) << seen_by;
    EXPECT_EQ(lost.error().code, ErrorCode::device_lost) << seen_by;
    EXPECT_THAT(lost.error().message, HasSubstr(seen_by));
  }
}

// Whatever call fails, a run of one case says so and names the call.
TEST_P(HipDeviceTest, NoReturnCodeIsOverlooked) {
  ASSERT_TRUE(session());
  const auto log = fake_.log();
  std::set<std::string> calls(log.begin(), log.end());
  // Of a destructor nobody can be told.
  for (const char* unheard :
       {"hipFree", "hipModuleUnload", "hipEventDestroy", "hipStreamDestroy"}) {
    EXPECT_EQ(calls.erase(unheard), 1U) << unheard;
  }
  EXPECT_EQ(calls.size(), 23U);
  for (const std::string& call : calls) {
    fake_.fail(call, out_of_resources);
    const auto result = session();
    ASSERT_FALSE(result) << call;
    EXPECT_THAT(result.error().message, HasSubstr(call)) << call;
    EXPECT_THAT(result.error().message, HasSubstr("hipErrorLaunchOutOfResources")) << call;
  }
}

}  // namespace
}  // namespace harness

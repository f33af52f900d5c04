// The device `cuda:N` over a fake driver: order of the calls, what is passed, every error. That
// real GPUs work is shown by running the suite on one, not here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <set>

#include "harness/implementations/devices/cuda.hpp"
#include "harness/implementations/devices/cuda_driver.hpp"
#include "harness/implementations/devices/tests/fake_controls.hpp"
#include "harness/implementations/kernel/kernel_implementation.hpp"
#include "harness/run/tests/copy_operation.hpp"

namespace harness {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using namespace harness::testing;

constexpr int out_of_memory = 2;
constexpr int no_device = 100;
constexpr int no_binary_for_gpu = 209;
constexpr int unsupported_ptx = 222;
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

constexpr unsigned char fatbin[16] = {};
constexpr kernels::Image image{.module = "copies",
                               .backend = kernels::Backend::cuda,
                               .architectures = "sm_80 sm_90",
                               .toolkit = "nvcc 13.5.37",
                               .begin = std::begin(fatbin),
                               .end = std::end(fatbin),
                               .absent_reason = ""};
constexpr std::array<kernels::Image, 1> images{image};
constexpr kernels::Entry copy_entry{"copy_plain", "copies", copy_threads, sizeof(CopyArgs),
                                    nullptr};

class CudaDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("FP4CTS_CUDA_LIBRARY", FAKE_CUDA_LIBRARY, 1);
    fake_.kernel("copy_plain", copy_grid);
  }
  void TearDown() override { unsetenv("FP4CTS_CUDA_LIBRARY"); }

  static std::unique_ptr<Device> open() {
    const auto driver = cuda::load_driver();
    EXPECT_TRUE(driver) << driver.error().message;
    auto device = open_cuda(*driver, 1);
    EXPECT_TRUE(device) << device.error().message;
    (*device)->add_images(images);
    return std::move(*device);
  }

  // One copy by the kernel from start to end.
  static Result<Execution> session() {
    const auto driver = cuda::load_driver();
    if (!driver) return tl::make_unexpected(driver.error());
    const auto device = open_cuda(*driver, 1);
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

  FakeControls fake_{FAKE_CUDA_LIBRARY};
};

std::vector<std::uint8_t> arguments_of(const CopyArgs& args) {
  std::vector<std::uint8_t> bytes(sizeof(args));
  std::memcpy(bytes.data(), &args, sizeof(args));
  return bytes;
}

TEST_F(CudaDeviceTest, AMissingDriverIsAnAbsentDevice) {
  setenv("FP4CTS_CUDA_LIBRARY", "libno_such_cuda.so.1", 1);
  const auto driver = cuda::load_driver();
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.error().code, ErrorCode::device_absent);
  EXPECT_THAT(driver.error().message, HasSubstr("FP4CTS_CUDA_LIBRARY: libno_such_cuda.so.1"));
}

TEST_F(CudaDeviceTest, ALibraryWithoutTheFunctionsIsTooOld) {
  setenv("FP4CTS_CUDA_LIBRARY", "libm.so.6", 1);
  const auto driver = cuda::load_driver();
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.error().code, ErrorCode::device_absent);
  EXPECT_EQ(driver.error().message, "libm.so.6 is too old: it lacks cuInit");
}

TEST_F(CudaDeviceTest, ADriverThatDoesNotStartIsAnAbsentDevice) {
  fake_.fail("cuInit", no_device);
  const auto driver = cuda::load_driver();
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.error().code, ErrorCode::device_absent);
  EXPECT_THAT(driver.error().message, HasSubstr("cuInit: CUDA_ERROR_NO_DEVICE (no GPU)"));
}

TEST_F(CudaDeviceTest, NoGpuIsAnAbsentDevice) {
  fake_.set("devices", 0);
  const auto infos = cuda_infos(*cuda::load_driver());
  ASSERT_FALSE(infos);
  EXPECT_EQ(infos.error().code, ErrorCode::device_absent);
}

TEST_F(CudaDeviceTest, ANumberPastTheLastIsAnAbsentDevice) {
  const auto device = open_cuda(*cuda::load_driver(), 2);
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().code, ErrorCode::device_absent);
  EXPECT_EQ(device.error().message, "cuda:2: expected a number below 2, the CUDA devices here");
}

TEST_F(CudaDeviceTest, SaysWhatItIs) {
  const auto infos = cuda_infos(*cuda::load_driver());
  ASSERT_TRUE(infos) << infos.error().message;
  ASSERT_EQ(infos->size(), 2U);
  const DeviceInfo& info = infos->at(1);
  EXPECT_EQ(info.name, "cuda:1");
  EXPECT_EQ(info.architecture, "sm_90");
  EXPECT_EQ(info.memory_bytes, std::uint64_t{8} << 30);
  EXPECT_THAT(info.description, HasSubstr("Fake GPU, compute capability 9.0, 8 GiB, driver "));
  EXPECT_THAT(info.description, HasSubstr("(CUDA 13.0)"));
  EXPECT_EQ(info.facts.at("uuid"), "GPU-00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(info.facts.at("pci"), "0000:3b:00.0");
  EXPECT_EQ(info.facts.at("cuda"), "13.0");
}

TEST_F(CudaDeviceTest, SaysThatAVariableNamedItsLibrary) {
  const DeviceInfo info = (*cuda_infos(*cuda::load_driver()))[0];
  EXPECT_EQ(info.facts.at("library_named_by"), "FP4CTS_CUDA_LIBRARY=" FAKE_CUDA_LIBRARY);
}

TEST_F(CudaDeviceTest, AKernelRunsAndEverythingIsGivenBack) {
  const auto execution = session();
  ASSERT_TRUE(execution) << execution.error().message;
  EXPECT_EQ(execution->outputs.at(0), copy_problem(1000).tensors[0].storage);
  EXPECT_TRUE(execution->trespasses.empty());
  EXPECT_DOUBLE_EQ(execution->seconds, 0.0025);
  EXPECT_EQ(fake_.live(), 0);
}

TEST_F(CudaDeviceTest, ALaunchIsTimedByEventsAndItsModuleIsLoadedOnce) {
  const auto device = open();
  const auto from = device->allocate(256);
  const auto to = device->allocate(256);
  ASSERT_TRUE(from && to);
  const auto args = arguments_of(
      {reinterpret_cast<const std::uint8_t*>(*from), reinterpret_cast<std::uint8_t*>(*to), 256});
  fake_.clear_log();
  ASSERT_TRUE(device->launch(copy_entry, args, 8));
  EXPECT_EQ(fake_.launch(), "grid 8 1 1 threads 32 1 1 shared 0 bytes 24");
  EXPECT_THAT(
      fake_.log(),
      ElementsAre("cuCtxSetCurrent", "cuModuleLoadDataEx", "cuModuleGetFunction", "cuEventRecord",
                  "cuLaunchKernel", "cuEventRecord", "cuEventSynchronize", "cuEventElapsedTime"));
  fake_.clear_log();
  ASSERT_TRUE(device->launch(copy_entry, args, 8));
  EXPECT_THAT(fake_.log(),
              ElementsAre("cuCtxSetCurrent", "cuEventRecord", "cuLaunchKernel", "cuEventRecord",
                          "cuEventSynchronize", "cuEventElapsedTime"));
}

TEST_F(CudaDeviceTest, CopiesOnTheDeviceAndTimesIt) {
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

TEST_F(CudaDeviceTest, MemoryEndsAtItsEdge) {
  const auto device = open();
  EXPECT_EQ(device->edge_granularity(), std::uint64_t{2} << 20);
  for (const std::uint64_t bytes : {0U, 1U, 256U, 9216U, 2U << 20, (2U << 20) + 1}) {
    const auto address = device->allocate(bytes);
    ASSERT_TRUE(address) << address.error().message;
    EXPECT_EQ(*address % 256, 0U);
    const std::uint64_t used = bytes == 0 ? 256 : (bytes + 255) / 256 * 256;
    EXPECT_EQ((*address + used) % (2U << 20) % 4096, 0U) << bytes;  // the fake maps host pages
    EXPECT_TRUE(device->release(*address));
  }
}

TEST_F(CudaDeviceTest, WithoutVirtualMemoryItAllocatesPlainly) {
  fake_.set("virtual_memory", 0);
  const auto execution = session();
  ASSERT_TRUE(execution) << execution.error().message;
  const auto log = fake_.log();
  // Input, output, and what is put aside of the input for a call.
  EXPECT_EQ(std::count(log.begin(), log.end(), "cuMemAlloc_v2"), 3);
  EXPECT_EQ(std::count(log.begin(), log.end(), "cuMemCreate"), 0);
  EXPECT_EQ(fake_.live(), 0);
}

// No step of mapping leaves something behind when it fails.
TEST_F(CudaDeviceTest, AFailedAllocationLeavesNothingBehind) {
  const auto device = open();
  const int before = fake_.live();
  for (const char* step : {"cuMemAddressReserve", "cuMemCreate", "cuMemMap", "cuMemSetAccess"}) {
    fake_.fail(step, out_of_memory);
    const auto address = device->allocate(9216);
    ASSERT_FALSE(address) << step;
    EXPECT_EQ(address.error().code, ErrorCode::out_of_memory) << step;
    EXPECT_THAT(address.error().message, HasSubstr(std::string("cuda:1: ") + step +
                                                   " for 9216 bytes: CUDA_ERROR_OUT_OF_MEMORY "
                                                   "(harness/implementations/devices/cuda.cpp:"));
    EXPECT_EQ(fake_.live(), before) << step;
  }
  EXPECT_TRUE(device->allocate(9216));
}

TEST_F(CudaDeviceTest, AFailedLaunchIsAnErrorAndTheDeviceGoesOn) {
  const auto device = open();
  fake_.fail("cuLaunchKernel", out_of_resources);
  const auto args = arguments_of({nullptr, nullptr, 0});
  const auto failed = device->launch(copy_entry, args, 3);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::device_error);
  EXPECT_THAT(
      failed.error().message,
      HasSubstr("cuda:1: cuLaunchKernel of copy_plain, 3 blocks: "
                "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (harness/implementations/devices/cuda.cpp:"));
  EXPECT_TRUE(device->launch(copy_entry, args, 3));
}

// A fault of the kernel shows while its end is awaited, and afterwards no call can succeed.
TEST_F(CudaDeviceTest, AnIllegalAddressLosesTheDevice) {
  const auto device = open();
  const auto args = arguments_of({nullptr, nullptr, 0});
  fake_.fail("cuEventSynchronize", illegal_address);
  const auto failed = device->launch(copy_entry, args, 3);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::device_lost);
  EXPECT_THAT(failed.error().message,
              HasSubstr("after copy_plain, 3 blocks: CUDA_ERROR_ILLEGAL_ADDRESS"));
  fake_.clear_log();
  const auto again = device->launch(copy_entry, args, 3);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::device_lost);
  EXPECT_THAT(again.error().message, HasSubstr("lost before: cuda:1: cuEventSynchronize"));
  EXPECT_EQ(device->allocate(1).error().code, ErrorCode::device_lost);
  EXPECT_EQ(device->write(0, args).error().code, ErrorCode::device_lost);
  EXPECT_THAT(fake_.log(), ElementsAre()) << "a lost device was called";
}

TEST_F(CudaDeviceTest, AModuleThatDoesNotLoadIsAnErrorWithTheLog) {
  const auto device = open();
  fake_.fail("cuModuleLoadDataEx", unsupported_ptx);
  const auto failed = device->launch(copy_entry, arguments_of({nullptr, nullptr, 0}), 1);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("cuModuleLoadDataEx of module copies: "
                                                "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"));
  EXPECT_THAT(failed.error().message, HasSubstr(": fake log"));
}

TEST_F(CudaDeviceTest, AnEntryThatTheModuleLacksIsAnError) {
  const auto device = open();
  kernels::Entry entry = copy_entry;
  entry.name = "copy_other";
  const auto failed = device->launch(entry, arguments_of({nullptr, nullptr, 0}), 1);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message,
              HasSubstr("cuModuleGetFunction of copy_other: CUDA_ERROR_NOT_FOUND"));
}

TEST_F(CudaDeviceTest, SaysWhatAnEntryNeeds) {
  fake_.set("major", 7);
  fake_.set("minor", 5);
  const auto device = open();
  EXPECT_EQ(device->unavailable(copy_entry),
            "no image for compute capability 7.5 of cuda:1: the module holds sm_80, sm_90");
  kernels::Entry elsewhere = copy_entry;
  elsewhere.module = "elsewhere";
  EXPECT_EQ(device->unavailable(elsewhere), "has no CUDA form");
  EXPECT_FALSE(device->launch(elsewhere, arguments_of({nullptr, nullptr, 0}), 1));
}

// A module that is in no table, launched with a shape and parameters of its own.
TEST_F(CudaDeviceTest, AKernelFromOutsideIsLaunchedAsItAsks) {
  fake_.kernel("other", [](const void*, std::size_t, unsigned, unsigned) {});
  const auto device = open();
  const auto kernel = device->load_kernel(fatbin, "other.cubin", "other");
  ASSERT_TRUE(kernel) << kernel.error().message;
  const std::vector<std::uint8_t> parameters(20);
  fake_.clear_log();
  ASSERT_TRUE(device->launch(*kernel, {{3, 2, 1}, {64, 2, 1}, 48 << 10}, parameters));
  EXPECT_EQ(fake_.launch(), "grid 3 2 1 threads 64 2 1 shared 49152 bytes 20");
  EXPECT_THAT(fake_.log(),
              ElementsAre("cuCtxSetCurrent", "cuEventRecord", "cuLaunchKernel", "cuEventRecord",
                          "cuEventSynchronize", "cuEventElapsedTime"));
  // More shared memory than every GPU has must be asked for.
  const auto large = device->launch(*kernel, {{1, 1, 1}, {64, 1, 1}, 50000}, parameters);
  EXPECT_TRUE(large) << large.error().message;
  fake_.fail("cuFuncSetAttribute", 1);
  const auto refused = device->launch(*kernel, {{1, 1, 1}, {64, 1, 1}, 900000}, parameters);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              HasSubstr("cuda:1: cuFuncSetAttribute of other, 900000 bytes of shared memory: "
                        "CUDA_ERROR_INVALID_VALUE"));
}

TEST_F(CudaDeviceTest, AnEmptyGridFromOutsideLaunchesNothing) {
  fake_.kernel("other", [](const void*, std::size_t, unsigned, unsigned) {});
  const auto device = open();
  const auto kernel = device->load_kernel(fatbin, "other.cubin", "other");
  ASSERT_TRUE(kernel) << kernel.error().message;
  fake_.clear_log();
  EXPECT_EQ(device->launch(*kernel, {{3, 0, 1}, {64, 1, 1}, 0}, {}).value(), 0.0);
  EXPECT_THAT(fake_.log(), ElementsAre("cuCtxSetCurrent"));
}

TEST_F(CudaDeviceTest, AKernelFromOutsideThatDoesNotLoadSaysWhy) {
  const auto device = open();
  fake_.fail("cuModuleLoadDataEx", no_binary_for_gpu);
  const auto other_chip = device->load_kernel(fatbin, "other.cubin", "other");
  ASSERT_FALSE(other_chip);
  EXPECT_THAT(other_chip.error().message,
              HasSubstr("cuda:1: cuModuleLoadDataEx of other.cubin: CUDA_ERROR_NO_BINARY_FOR_GPU"));
  const auto no_symbol = device->load_kernel(fatbin, "other.cubin", "other");
  ASSERT_FALSE(no_symbol);
  EXPECT_THAT(no_symbol.error().message,
              HasSubstr("cuda:1: cuModuleGetFunction of other: CUDA_ERROR_NOT_FOUND"));
}

// What a plug-in does.
TEST_F(CudaDeviceTest, ACallIsGivenAStreamAndWaitedFor) {
  const auto device = open();
  void* given = nullptr;
  const auto work = [&](void* stream) -> Status {
    given = stream;
    return {};
  };
  fake_.clear_log();
  EXPECT_EQ(device->call(work).value(), 0.0025);
  EXPECT_NE(given, nullptr);
  EXPECT_THAT(fake_.log(), ElementsAre("cuCtxSetCurrent", "cuStreamCreate", "cuEventRecord",
                                       "cuCtxSetCurrent", "cuEventRecord", "cuEventSynchronize",
                                       "cuEventElapsedTime", "cuCtxSynchronize"));
  fake_.clear_log();
  ASSERT_TRUE(device->call(work));
  EXPECT_THAT(fake_.log(), Not(Contains("cuStreamCreate")));
}

// What a plug-in puts on another stream reads zeros, and its bytes are wrong.
TEST_F(CudaDeviceTest, InputsOfACallComeOnItsStreamWhenItHasReturned) {
  const auto device = open();
  const auto api = cuda::load_driver();
  ASSERT_TRUE(api);
  const std::vector<std::uint8_t> input{1, 2, 3, 4};
  const DeviceAddress from = device->allocate(4).value();
  const DeviceAddress to = device->allocate(4).value();
  const auto output_of = [&](bool on_its_stream) {
    EXPECT_TRUE(device->write(from, input));
    device->expect({{"x", Role::input, from, 4}, {"y", Role::output, to, 4}});
    EXPECT_TRUE(device->call([&](void* given) -> Status {
      void* const stream = on_its_stream ? given : nullptr;
      EXPECT_EQ(api->cuMemcpyDtoDAsync(to, from, 4, static_cast<cuda::Stream*>(stream)), 0);
      return {};
    }));
    std::vector<std::uint8_t> bytes(4);
    EXPECT_TRUE(device->read(bytes, from));
    EXPECT_EQ(bytes, input);
    EXPECT_TRUE(device->read(bytes, to));
    return bytes;
  };
  EXPECT_EQ(output_of(true), input);
  EXPECT_EQ(output_of(false), (std::vector<std::uint8_t>{0, 0, 0, 0}));
}

TEST_F(CudaDeviceTest, ACallThatFailsIsWaitedForAndSaysWhatTheDeviceSays) {
  const auto device = open();
  const auto fails = [](void*) -> Status {
    return oracle::fail(ErrorCode::device_error, "no kernel for this");
  };
  fake_.clear_log();
  const auto failed = device->call(fails);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no kernel for this");
  EXPECT_THAT(fake_.log(), Contains("cuCtxSynchronize"));
  fake_.fail("cuCtxSynchronize", illegal_address);
  const auto lost = device->call(fails);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::device_lost);
  EXPECT_THAT(lost.error().message,
              HasSubstr("cuCtxSynchronize after the call: CUDA_ERROR_ILLEGAL_ADDRESS"));
  EXPECT_THAT(lost.error().message, HasSubstr("; the call said: no kernel for this"));
  EXPECT_EQ(device->call(fails).error().code, ErrorCode::device_lost);
}

TEST_F(CudaDeviceTest, WorkOfACallThatBreaksLosesTheDevice) {
  for (const char* seen_by : {"cuEventSynchronize", "cuCtxSynchronize"}) {
    const auto device = open();
    fake_.fail(seen_by, illegal_address);
    const auto lost = device->call([](void*) -> Status { return {}; });
    ASSERT_FALSE(lost) << seen_by;
    EXPECT_EQ(lost.error().code, ErrorCode::device_lost) << seen_by;
    EXPECT_THAT(lost.error().message, HasSubstr(seen_by));
  }
}

// Whatever call fails, a run of one case says so and names the call.
TEST_F(CudaDeviceTest, NoReturnCodeIsOverlooked) {
  ASSERT_TRUE(session());
  const auto log = fake_.log();
  std::set<std::string> calls(log.begin(), log.end());
  // Of a destructor nobody can be told.
  for (const char* unheard :
       {"cuMemUnmap", "cuMemAddressFree", "cuModuleUnload", "cuEventDestroy_v2",
        "cuStreamDestroy_v2", "cuDevicePrimaryCtxRelease_v2"}) {
    EXPECT_EQ(calls.erase(unheard), 1U) << unheard;
  }
  EXPECT_EQ(calls.size(), 31U);
  for (const std::string& call : calls) {
    fake_.fail(call, out_of_resources);
    const auto result = session();
    ASSERT_FALSE(result) << call;
    const std::string name = call.substr(0, call.find("_v2"));
    EXPECT_THAT(result.error().message, HasSubstr(name + (call == "cuMemRelease" ? " for" : "")))
        << call;
    EXPECT_THAT(result.error().message, HasSubstr("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES")) << call;
  }
}

}  // namespace
}  // namespace harness

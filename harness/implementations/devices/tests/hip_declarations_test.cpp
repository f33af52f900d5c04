// The declarations of hip_runtime.hpp against AMD's own header, where it is at hand: constants, of
// every function the symbol and the shape, and the layout of the header's release. Debian 12 has
// ROCm 5.2; the layout of ROCm 6 and 7 was read off the header of ROCm 7.1 with offsetof.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#if __has_include(<hip/hip_runtime_api.h>)
#define __HIP_PLATFORM_AMD__ 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <hip/hip_runtime_api.h>
#pragma GCC diagnostic pop

#include <cstddef>
#include <map>
#include <string>

#include "harness/implementations/devices/hip_runtime.hpp"
#include "harness/implementations/devices/tests/function_shape.hpp"

#define FP4CTS_FUNCTION(name) \
  { #name, testing::shape_of(static_cast <decltype(&::name)>(nullptr)) }

namespace harness::hip {
namespace {

TEST(HipDeclarationsTest, FunctionsAreAmds) {
  Runtime runtime{};
  std::map<std::string, testing::Shape> ours;
  const Status status = for_each_function(runtime, [&](const char* symbol, auto& member) -> Status {
    ours[symbol] = testing::shape_of(member);
    return {};
  });
  EXPECT_TRUE(status);
  const std::map<std::string, testing::Shape> amds{
      FP4CTS_FUNCTION(hipInit),
      FP4CTS_FUNCTION(hipDriverGetVersion),
      FP4CTS_FUNCTION(hipGetErrorName),
      FP4CTS_FUNCTION(hipGetDeviceCount),
      FP4CTS_FUNCTION(hipSetDevice),
      FP4CTS_FUNCTION(hipDeviceGetName),
      FP4CTS_FUNCTION(hipDeviceGetUuid),
      FP4CTS_FUNCTION(hipDeviceGetPCIBusId),
      FP4CTS_FUNCTION(hipDeviceTotalMem),
      // A template of the same name stands beside this one.
      {"hipMalloc", testing::shape_of(decltype(static_cast<hipError_t (*)(void**, std::size_t)>(
                        &::hipMalloc)){})},
      FP4CTS_FUNCTION(hipFree),
      FP4CTS_FUNCTION(hipMemcpy),
      FP4CTS_FUNCTION(hipMemcpyAsync),
      FP4CTS_FUNCTION(hipMemsetAsync),
      FP4CTS_FUNCTION(hipModuleLoadData),
      FP4CTS_FUNCTION(hipModuleUnload),
      FP4CTS_FUNCTION(hipModuleGetFunction),
      FP4CTS_FUNCTION(hipModuleLaunchKernel),
      FP4CTS_FUNCTION(hipDeviceSynchronize),
      FP4CTS_FUNCTION(hipStreamCreateWithFlags),
      FP4CTS_FUNCTION(hipLaunchHostFunc),
      FP4CTS_FUNCTION(hipStreamDestroy),
      FP4CTS_FUNCTION(hipEventCreate),
      FP4CTS_FUNCTION(hipEventRecord),
      FP4CTS_FUNCTION(hipEventSynchronize),
      FP4CTS_FUNCTION(hipEventElapsedTime),
      FP4CTS_FUNCTION(hipEventDestroy),
  };
  EXPECT_THAT(ours, ::testing::ContainerEq(amds));
}

TEST(HipDeclarationsTest, ConstantsAreAmds) {
  EXPECT_EQ(success, hipSuccess);
  EXPECT_EQ(error_out_of_memory, hipErrorOutOfMemory);
  EXPECT_EQ(error_no_device, hipErrorNoDevice);
  EXPECT_EQ(error_invalid_device, hipErrorInvalidDevice);
  EXPECT_EQ(memcpy_host_to_device, hipMemcpyHostToDevice);
  EXPECT_EQ(memcpy_device_to_host, hipMemcpyDeviceToHost);
  EXPECT_EQ(memcpy_device_to_device, hipMemcpyDeviceToDevice);
  EXPECT_EQ(stream_non_blocking, hipStreamNonBlocking);
  EXPECT_EQ(launch_param_buffer_pointer, HIP_LAUNCH_PARAM_BUFFER_POINTER);
  EXPECT_EQ(launch_param_buffer_size, HIP_LAUNCH_PARAM_BUFFER_SIZE);
  EXPECT_EQ(launch_param_end, HIP_LAUNCH_PARAM_END);
  EXPECT_EQ(sizeof(Uuid), sizeof(hipUUID));
  for (const hipError_t code :
       {hipErrorDeinitialized, hipErrorECCNotCorrectable, hipErrorIllegalAddress,
        hipErrorLaunchTimeOut, hipErrorContextIsDestroyed, hipErrorAssert, hipErrorLaunchFailure,
        hipErrorUnknown}) {
    EXPECT_TRUE(is_sticky(code)) << code;
  }
  EXPECT_FALSE(is_sticky(hipErrorOutOfMemory));
}

TEST(HipDeclarationsTest, TheArchitecturesNameLiesWhereTheHeaderHasIt) {
#ifdef hipGetDeviceProperties  // a macro for the newer name since ROCm 6
  const PropertiesLayout& layout = layout_6;
#else
  const PropertiesLayout& layout = layout_5;
#endif
  EXPECT_EQ(layout.bytes, sizeof(hipDeviceProp_t));
  EXPECT_EQ(layout.architecture_at, offsetof(hipDeviceProp_t, gcnArchName));
}

}  // namespace
}  // namespace harness::hip

#else

TEST(HipDeclarationsTest, FunctionsAreAmds) { GTEST_SKIP() << "hip_runtime_api.h is not at hand"; }

#endif

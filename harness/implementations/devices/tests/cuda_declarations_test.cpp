// The declarations of cuda_driver.hpp against NVIDIA's own header, where it is at hand: constants,
// layouts, and of every function the symbol and the shape.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>

#include "harness/implementations/devices/cuda_driver.hpp"
#include "harness/implementations/devices/tests/function_shape.hpp"

namespace harness::cuda {
namespace {

// Before cuda.h, which renames functions with macros.
std::map<std::string, testing::Shape> ours() {
  Driver driver{};
  std::map<std::string, testing::Shape> shapes;
  const Status status = for_each_function(driver, [&](const char* symbol, auto& member) -> Status {
    shapes[symbol] = testing::shape_of(member);
    return {};
  });
  EXPECT_TRUE(status);
  return shapes;
}

}  // namespace
}  // namespace harness::cuda

#if __has_include(<cuda.h>)
#include <cuda.h>

// cuda.h's macros make cuMemAlloc cuMemAlloc_v2, in the name as in the type.
#define FP4CTS_SPELLED(name) #name
#define FP4CTS_FUNCTION(name) \
  { FP4CTS_SPELLED(name), testing::shape_of(static_cast<decltype(&::name)>(nullptr)) }

namespace harness::cuda {
namespace {

TEST(CudaDeclarationsTest, FunctionsAreNvidias) {
  std::map<std::string, testing::Shape> nvidias{
      FP4CTS_FUNCTION(cuInit),
      FP4CTS_FUNCTION(cuDriverGetVersion),
      FP4CTS_FUNCTION(cuGetErrorName),
      FP4CTS_FUNCTION(cuDeviceGetCount),
      FP4CTS_FUNCTION(cuDeviceGet),
      FP4CTS_FUNCTION(cuDeviceGetName),
      FP4CTS_FUNCTION(cuDeviceGetUuid),
      FP4CTS_FUNCTION(cuDeviceGetPCIBusId),
      FP4CTS_FUNCTION(cuDeviceTotalMem),
      FP4CTS_FUNCTION(cuDeviceGetAttribute),
      FP4CTS_FUNCTION(cuDevicePrimaryCtxRetain),
      FP4CTS_FUNCTION(cuDevicePrimaryCtxRelease),
      FP4CTS_FUNCTION(cuCtxSetCurrent),
      FP4CTS_FUNCTION(cuMemAlloc),
      FP4CTS_FUNCTION(cuMemFree),
      FP4CTS_FUNCTION(cuMemGetAllocationGranularity),
      FP4CTS_FUNCTION(cuMemAddressReserve),
      FP4CTS_FUNCTION(cuMemAddressFree),
      FP4CTS_FUNCTION(cuMemCreate),
      FP4CTS_FUNCTION(cuMemRelease),
      FP4CTS_FUNCTION(cuMemMap),
      FP4CTS_FUNCTION(cuMemUnmap),
      FP4CTS_FUNCTION(cuMemSetAccess),
      FP4CTS_FUNCTION(cuMemcpyHtoD),
      FP4CTS_FUNCTION(cuMemcpyDtoH),
      FP4CTS_FUNCTION(cuMemcpyDtoDAsync),
      FP4CTS_FUNCTION(cuMemsetD8Async),
      FP4CTS_FUNCTION(cuModuleLoadDataEx),
      FP4CTS_FUNCTION(cuModuleUnload),
      FP4CTS_FUNCTION(cuModuleGetFunction),
      FP4CTS_FUNCTION(cuFuncSetAttribute),
      FP4CTS_FUNCTION(cuLaunchKernel),
      FP4CTS_FUNCTION(cuCtxSynchronize),
      FP4CTS_FUNCTION(cuStreamCreate),
      FP4CTS_FUNCTION(cuLaunchHostFunc),
      FP4CTS_FUNCTION(cuStreamDestroy),
      FP4CTS_FUNCTION(cuEventCreate),
      FP4CTS_FUNCTION(cuEventRecord),
      FP4CTS_FUNCTION(cuEventSynchronize),
      FP4CTS_FUNCTION(cuEventElapsedTime),
      FP4CTS_FUNCTION(cuEventDestroy),
  };
  // The first version, which every driver has; cuda.h declares only the one that it chooses.
  if (auto chosen = nvidias.extract("cuEventElapsedTime_v2"); !chosen.empty()) {
    chosen.key() = "cuEventElapsedTime";
    nvidias.insert(std::move(chosen));
  }
  EXPECT_THAT(ours(), ::testing::ContainerEq(nvidias));
}

TEST(CudaDeclarationsTest, ConstantsAreNvidias) {
  EXPECT_EQ(success, CUDA_SUCCESS);
  EXPECT_EQ(error_out_of_memory, CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(attribute_multiprocessor_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  EXPECT_EQ(attribute_ecc_enabled, CU_DEVICE_ATTRIBUTE_ECC_ENABLED);
  EXPECT_EQ(attribute_capability_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  EXPECT_EQ(attribute_capability_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  EXPECT_EQ(attribute_virtual_memory_management,
            CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED);
  EXPECT_EQ(location_device, CU_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(allocation_pinned, CU_MEM_ALLOCATION_TYPE_PINNED);
  EXPECT_EQ(granularity_minimum, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  EXPECT_EQ(access_read_write, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  EXPECT_EQ(attribute_max_dynamic_shared_bytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  EXPECT_EQ(stream_non_blocking, CU_STREAM_NON_BLOCKING);
  EXPECT_EQ(jit_error_log_buffer, CU_JIT_ERROR_LOG_BUFFER);
  EXPECT_EQ(jit_error_log_buffer_size_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
  EXPECT_EQ(launch_param_end, CU_LAUNCH_PARAM_END);
  EXPECT_EQ(launch_param_buffer_pointer, CU_LAUNCH_PARAM_BUFFER_POINTER);
  EXPECT_EQ(launch_param_buffer_size, CU_LAUNCH_PARAM_BUFFER_SIZE);
}

TEST(CudaDeclarationsTest, StructsAreNvidias) {
  EXPECT_EQ(sizeof(Uuid), sizeof(CUuuid));
  EXPECT_EQ(sizeof(Location), sizeof(CUmemLocation));
  EXPECT_EQ(offsetof(Location, id), offsetof(CUmemLocation, id));
  EXPECT_EQ(sizeof(AllocationProperties), sizeof(CUmemAllocationProp));
  EXPECT_EQ(offsetof(AllocationProperties, requested_handle_types),
            offsetof(CUmemAllocationProp, requestedHandleTypes));
  EXPECT_EQ(offsetof(AllocationProperties, location), offsetof(CUmemAllocationProp, location));
  EXPECT_EQ(offsetof(AllocationProperties, win32_handle_metadata),
            offsetof(CUmemAllocationProp, win32HandleMetaData));
  EXPECT_EQ(offsetof(AllocationProperties, flags), offsetof(CUmemAllocationProp, allocFlags));
  EXPECT_EQ(sizeof(AccessDescription), sizeof(CUmemAccessDesc));
  EXPECT_EQ(offsetof(AccessDescription, flags), offsetof(CUmemAccessDesc, flags));
}

// Errors after which cuda.h says that the process must end or that the context is gone.
TEST(CudaDeclarationsTest, StickyErrorsAreNvidias) {
  for (const CUresult code :
       {CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_NVLINK_UNCORRECTABLE,
        CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_CONTEXT_IS_DESTROYED,
        CUDA_ERROR_ASSERT, CUDA_ERROR_HARDWARE_STACK_ERROR, CUDA_ERROR_ILLEGAL_INSTRUCTION,
        CUDA_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_INVALID_ADDRESS_SPACE, CUDA_ERROR_INVALID_PC,
        CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_EXTERNAL_DEVICE, CUDA_ERROR_UNKNOWN}) {
    EXPECT_TRUE(is_sticky(code)) << code;
  }
  for (const CUresult code :
       {CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_IMAGE,
        CUDA_ERROR_NOT_FOUND, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES}) {
    EXPECT_FALSE(is_sticky(code)) << code;
  }
}

}  // namespace
}  // namespace harness::cuda

#else

TEST(CudaDeclarationsTest, FunctionsAreNvidias) { GTEST_SKIP() << "cuda.h is not at hand"; }

#endif

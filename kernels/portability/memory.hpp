// Loads and stores of plain types of 1, 8 or 16 bytes, one instruction each, with a hint of their
// use. An address is aligned to the size of its type. Included by portability/device.hpp.
//
//   streaming   touched once: it should push nothing out of the caches
//   cached      read again and again, and not written while the kernel runs
#pragma once

#include <cstdint>

#include "kernels/portability/bits.hpp"

namespace kernels::portability {

// The vector that the device moves in one instruction.
template <int bytes>
struct Vector;

#if defined(__HIPCC__)
template <>
struct Vector<1> {
  using type = unsigned char;
};
template <>
struct Vector<8> {
  using type = unsigned __attribute__((ext_vector_type(2)));
};
template <>
struct Vector<16> {
  using type = unsigned __attribute__((ext_vector_type(4)));
};
#elif defined(__CUDACC__)
template <>
struct Vector<1> {
  using type = unsigned char;
};
template <>
struct Vector<8> {
  using type = uint2;
};
template <>
struct Vector<16> {
  using type = uint4;
};
#endif

// Loads by this function keep their order, so that all are on their way before the first is used.
template <class T>
__device__ __forceinline__ T load_streaming(const void* address) {
#if defined(__HIP_DEVICE_COMPILE__)
  using V = typename Vector<sizeof(T)>::type;
  return bit_cast<T>(__builtin_nontemporal_load(static_cast<const V*>(address)));
#elif defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 1) {
    std::uint16_t byte;
    asm volatile("ld.global.nc.L1::no_allocate.u8 %0, [%1];" : "=h"(byte) : "l"(address));
    return bit_cast<T>(static_cast<std::uint8_t>(byte));
  } else {
    uint2 words;
    asm volatile("ld.global.nc.L1::no_allocate.v2.u32 {%0, %1}, [%2];"
                 : "=r"(words.x), "=r"(words.y)
                 : "l"(address));
    return bit_cast<T>(words);
  }
#else
  T value;
  __builtin_memcpy(&value, address, sizeof(T));
  return value;
#endif
}

template <class T>
__device__ __forceinline__ T load_cached(const void* address) {
#if defined(__HIP_DEVICE_COMPILE__)
  using V = typename Vector<sizeof(T)>::type;
  return bit_cast<T>(*static_cast<const V*>(address));
#elif defined(__CUDA_ARCH__)
  using V = typename Vector<sizeof(T)>::type;
  return bit_cast<T>(__ldg(static_cast<const V*>(address)));
#else
  T value;
  __builtin_memcpy(&value, address, sizeof(T));
  return value;
#endif
}

template <class T>
__device__ __forceinline__ void store_streaming(void* address, T value) {
#if defined(__HIP_DEVICE_COMPILE__)
  using V = typename Vector<sizeof(T)>::type;
  __builtin_nontemporal_store(bit_cast<V>(value), static_cast<V*>(address));
#elif defined(__CUDA_ARCH__)
  using V = typename Vector<sizeof(T)>::type;
  __stcs(static_cast<V*>(address), bit_cast<V>(value));
#else
  __builtin_memcpy(address, &value, sizeof(T));
#endif
}

// Starts to fetch the 16-byte lines that lie whole within a range into the second-level cache,
// where the device can (CUDA, capability 9.0 and newer). Reads nothing.
inline constexpr bool can_fetch_ahead =
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    true;
#else
    false;
#endif

// Blocks of so many threads to ask a multiprocessor's registers for: `wanted`, or as many as it
// holds threads for. Capability 10.7 holds 1,024, the other chips of today 1,536 or more.
constexpr unsigned blocks_that_fit(unsigned wanted, unsigned threads) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1070
  constexpr unsigned held = 1024;
#else
  constexpr unsigned held = 1536;
#endif
  return wanted * threads <= held ? wanted : held / threads;
}

// A count of include/fp4cts/abi.h that is below 2^32. Said in this way, a compiler does not keep
// the upper half: in a kernel that fills its registers it would be spilled.
__device__ __forceinline__ unsigned low_word(std::int64_t count) {
#if defined(__CUDA_ARCH__)
  unsigned low;
  asm("cvt.u32.u64 %0, %1;" : "=r"(low) : "l"(count));
  return low;
#else
  return static_cast<unsigned>(count);
#endif
}

// Whether the launch has a block of this number: for those that fetch ahead, false elsewhere.
__device__ __forceinline__ bool in_grid(unsigned block) {
#if defined(__CUDA_ARCH__)
  return block < gridDim.x;
#else
  (void)block;
  return false;
#endif
}

__device__ __forceinline__ void fetch_ahead(const std::uint8_t* begin, unsigned bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const std::uint64_t first = (reinterpret_cast<std::uint64_t>(begin) + 15) & ~std::uint64_t{15};
  const std::uint64_t end = reinterpret_cast<std::uint64_t>(begin) + bytes;
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;"
               :
               : "l"(first), "r"(static_cast<unsigned>(end - first) & ~15u)
               : "memory");
#else
  (void)begin;
  (void)bytes;
#endif
}

}  // namespace kernels::portability

// One source, three compilers: nvcc, hipcc and the host's. A kernel source includes this header and
// no other dialect header.
#pragma once

#include <cstdint>

#if defined(__HIPCC__)
#include "kernels/portability/amd.hpp"
#elif defined(__CUDACC__)
#include <cuda_runtime.h>
#else
#include "kernels/portability/host.hpp"
#endif

#include "kernels/portability/bits.hpp"
#include "kernels/portability/memory.hpp"
#include "kernels/portability/unrolled.hpp"

// What libFuzzer calls: the target that FP4CTS_HOSTILE_TARGET names.
#include <cstddef>
#include <cstdint>

#include "harness/hostile/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  harness::hostile::FP4CTS_HOSTILE_TARGET({data, size});
  return 0;
}

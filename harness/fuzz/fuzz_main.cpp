// What libFuzzer calls: the target that FP4CTS_FUZZ_TARGET names.
#include <cstddef>
#include <cstdint>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  harness::fuzz::FP4CTS_FUZZ_TARGET({data, size});
  return 0;
}

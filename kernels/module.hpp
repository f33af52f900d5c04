// What was built: the device images embedded in this binary and the entries they hold. The tables
// are written by cmake/KernelModule.cmake. Loading and launching is the harness's work.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace kernels {

enum class Backend { cuda, hip, ptx };

// One embedded device image: a CUDA fatbin, a HIP bundle of code objects, or PTX text with a 0
// behind it, which is executed by an interpreter.
struct Image {
  std::string_view module;
  Backend backend;
  // Space-separated: "sm_80 sm_90 compute_90", "gfx90a gfx1030"; compute_N is PTX, which a driver
  // assembles for any capability from N on that has no machine code here.
  std::string_view architectures;
  std::string_view toolkit;    // "nvcc 13.5.37"; empty where the compiler is absent
  const unsigned char* begin;  // null where it was not built
  const unsigned char* end;
  std::string_view absent_reason;  // empty where it was built
  // Those of `architectures` whose code has only been assembled: no test executes it, and no GPU of
  // theirs was at hand.
  std::string_view never_executed = {};

  bool built() const { return begin != nullptr; }
  std::size_t size() const { return static_cast<std::size_t>(end - begin); }
};

// One kernel. Every kernel takes a single struct of include/fp4cts/abi.h by value; its grid and
// block are one-dimensional, and its block size is fixed when it is compiled.
struct Entry {
  std::string_view name;
  std::string_view module;
  unsigned threads_per_block;
  std::size_t argument_bytes;
  // Runs the one thread that portability/host.hpp's blockIdx and threadIdx name. Null where the
  // kernel has no host form.
  void (*host)(const void* arguments);
  // The profile whose bytes it is to give: "ocp", or that of a writer's rule.
  std::string_view profile = "ocp";
  // Its host form has software in the place of a GPU's instruction.
  bool instruction_in_software = false;
};

std::span<const Image> shipped_images();
std::span<const Entry> shipped_entries();
std::span<const Image> faulty_images();
std::span<const Entry> faulty_entries();

}  // namespace kernels

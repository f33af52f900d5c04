// Which embedded image runs on which GPU, and what to say where none does.
#pragma once

#include <string>
#include <string_view>

#include "kernels/module.hpp"

namespace harness {

// A version or compute capability, "9.0".
struct Version {
  int major = 0;
  int minor = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): of the compiler's own comparison with 0
  auto operator<=>(const Version&) const = default;
};
std::string to_string(Version version);

// The CUDA release in "nvcc 13.5.37"; 0.0 where there is none.
Version toolkit_version(std::string_view toolkit);

// The CUDA release whose driver is the first to assemble the PTX in an image. The text says its
// version (PTX ISA, "Release History"); without a text it is the release of the toolkit.
Version ptx_release(const kernels::Image& image);

// Why a CUDA image cannot run on a GPU of this compute capability under a driver that assembles
// PTX up to CUDA release `driver`; empty where it can. `image` is null where the module has none.
//   sm_XY       machine code: the same major, and a minor of Y or more
//   sm_XYa      exactly X.Y;   sm_XYf   the family: the same major, and a minor of Y or more
//   compute_XY  PTX: X.Y and everything later, if the driver is as new as ptx_release
// With `ptx_alone` machine code does not count: CUDA_FORCE_PTX_JIT is set, and the driver
// assembles.
std::string why_not_on_cuda(const kernels::Image* image, std::string_view device,
                            Version capability, Version driver, bool ptx_alone = false);

// The same for HIP. `architecture` is what the runtime calls the GPU, "gfx90a:sramecc+:xnack-"; a
// code object is for one processor, or for the family of a generic target, "gfx11-generic".
std::string why_not_on_hip(const kernels::Image* image, std::string_view device,
                           std::string_view architecture);

// "gfx90a" of "gfx90a:sramecc+:xnack-".
std::string_view processor_of(std::string_view architecture);

}  // namespace harness

// The kernels of kernels/ as implementations: each is launched on a device, over buffers between
// guard zones.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "harness/implementations/devices/device.hpp"
#include "harness/model/implementation.hpp"
#include "harness/model/known_kernel.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"
#include "kernels/module.hpp"

namespace harness {

// A table of kernels/module.hpp: {kernels::shipped_entries(), kernels::shipped_images()}, or the
// faulty ones.
struct KernelSet {
  std::span<const kernels::Entry> entries;
  std::span<const kernels::Image> images;
};

// An entry or a module is named <operation>_<path>: the operation with the longest name that fits,
// null where none does. The path of a faulty kernel is the name of its fault.
const Operation* operation_of(std::string_view entry, std::span<const Operation* const> operations);

// One implementation for each entry, in the table's order, available on `device` or not. They share
// one set of buffers, so that a kernel which keeps a table from one call to the next is seen also
// across cases, and one problem at a time is in memory. `device` and `operations` outlive them.
// Error: unknown_name for an entry of no operation, because a kernel that is not run must be said.
Result<std::vector<std::unique_ptr<Implementation>>> builtin_implementations(
    Device& device, std::span<const Operation* const> operations, const KernelSet& kernels);

// The same table without a device: what this build can run at all. Entries of no operation are left
// out.
std::vector<KnownKernel> known_kernels(std::span<const Operation* const> operations,
                                       std::span<const kernels::Entry> entries);

}  // namespace harness

#include "harness/implementations/kernel/kernel_implementation.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "harness/files/sha256.hpp"
#include "harness/implementations/binding.hpp"
#include "harness/implementations/devices/guarded_buffers.hpp"
#include "harness/implementations/devices/guarded_execution.hpp"
#include "harness/model/software_instruction.hpp"

namespace harness {
namespace {

class KernelImplementation final : public GuardedImplementation {
 public:
  KernelImplementation(Device& device, std::shared_ptr<GuardedBuffers> buffers,
                       const Operation& operation, const kernels::Entry& entry, std::string path)
      : device_(device), buffers_(std::move(buffers)), operation_(operation), entry_(entry) {
    info_.operation = operation.name();
    info_.path = std::move(path);
    info_.device = device.info().name;
    info_.origin = "built-in";
    info_.profile = entry.profile;
    info_.execution = device.machinery();
    info_.unavailable = device.unavailable(entry);
    if (const kernels::Image* image = device.image_of(entry); image != nullptr) {
      info_.toolkit = image->toolkit;
      if (image->built()) info_.module_sha256 = sha256_hex({image->begin, image->size()});
    } else if (entry.host != nullptr) {
      info_.toolkit = device.info().facts.value("compiler", "");
      if (entry.instruction_in_software) info_.toolkit += in_software;
    }
  }

  std::uint64_t edge_granularity() const override { return buffers_->edge_granularity(); }

  Result<double> run(const Problem& problem, const CallMemory& memory) override {
    return execute_between_guards(
        {device_, *buffers_, operation_, entry_.name}, problem, memory,
        [&](std::span<const std::uint64_t> origins) -> Result<double> {
          const Result<Launch> launch =
              bind_launch(operation_.signature(), problem, origins, entry_.threads_per_block);
          if (!launch) return tl::make_unexpected(launch.error());
          if (launch->blocks == 0) return 0.0;
          return device_.launch(entry_, launch->arguments, launch->blocks);
        });
  }

 private:
  Device& device_;
  std::shared_ptr<GuardedBuffers> buffers_;
  const Operation& operation_;
  kernels::Entry entry_;
};

}  // namespace

const Operation* operation_of(std::string_view entry,
                              std::span<const Operation* const> operations) {
  const Operation* found = nullptr;
  for (const Operation* operation : operations) {
    const std::string_view name = operation->name();
    const bool fits =
        entry.size() > name.size() + 1 && entry.starts_with(name) && entry[name.size()] == '_';
    if (fits && (found == nullptr || name.size() > found->name().size())) found = operation;
  }
  return found;
}

Result<std::vector<std::unique_ptr<Implementation>>> builtin_implementations(
    Device& device, std::span<const Operation* const> operations, const KernelSet& kernels) {
  device.add_images(kernels.images);
  const auto buffers = std::make_shared<GuardedBuffers>(device);
  std::vector<std::unique_ptr<Implementation>> implementations;
  for (const kernels::Entry& entry : kernels.entries) {
    const Operation* operation = operation_of(entry.name, operations);
    if (operation == nullptr) {
      return oracle::fail(
          ErrorCode::unknown_name,
          fmt::format("kernel {}: expected <operation>_<path>, and no operation has this name",
                      entry.name));
    }
    implementations.push_back(std::make_unique<KernelImplementation>(
        device, buffers, *operation, entry,
        std::string(entry.name.substr(operation->name().size() + 1))));
  }
  return implementations;
}

std::vector<KnownKernel> known_kernels(std::span<const Operation* const> operations,
                                       std::span<const kernels::Entry> entries) {
  std::vector<KnownKernel> known;
  for (const kernels::Entry& entry : entries) {
    const Operation* const operation = operation_of(entry.name, operations);
    if (operation == nullptr) continue;
    known.push_back({std::string(operation->name()),
                     std::string(entry.name.substr(operation->name().size() + 1)),
                     entry.host != nullptr});
  }
  return known;
}

}  // namespace harness

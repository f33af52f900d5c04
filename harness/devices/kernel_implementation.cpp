#include "harness/kernel_implementation.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "guarded_buffers.hpp"
#include "harness/sha256.hpp"

namespace harness {
namespace {

class KernelImplementation final : public Implementation {
 public:
  KernelImplementation(Device& device, std::shared_ptr<GuardedBuffers> buffers,
                       const Operation& operation, const kernels::Entry& entry, std::string path)
      : device_(device), buffers_(std::move(buffers)), operation_(operation), entry_(entry) {
    info_.operation = operation.name();
    info_.path = std::move(path);
    info_.device = device.info().name;
    info_.origin = "built-in";
    info_.unavailable = device.unavailable(entry);
    if (const kernels::Image* image = device.image_of(entry); image != nullptr) {
      info_.toolkit = image->toolkit;
      if (image->built()) info_.module_sha256 = sha256_hex({image->begin, image->size()});
    } else if (entry.host != nullptr) {
      info_.toolkit = device.info().facts.value("compiler", "");
    }
  }

  Result<Execution> execute(const Problem& problem) override {
    if (problem.operation != info_.operation) {
      return oracle::fail(ErrorCode::invalid_argument,
                          fmt::format("{}: expected a problem of {}, got one of {}", entry_.name,
                                      info_.operation, problem.operation));
    }
    if (const Status status = buffers_->place(problem); !status) return error(status);
    const std::vector<std::uint64_t> origins = buffers_->origins(problem);
    const Result<Launch> launch = operation_.bind(problem, origins, entry_.threads_per_block);
    if (!launch) return error(launch);
    Execution execution;
    if (launch->blocks != 0) {
      const Result<double> seconds = device_.launch(entry_, launch->arguments, launch->blocks);
      if (!seconds) return launch_error(problem, seconds.error());
      execution.seconds = *seconds;
    }
    Result<std::vector<Trespass>> trespasses = buffers_->find_trespasses(problem);
    if (!trespasses) return error(trespasses);
    execution.trespasses = std::move(*trespasses);
    Result<Outputs> outputs = buffers_->read_outputs(problem);
    if (!outputs) return error(outputs);
    execution.outputs = std::move(*outputs);
    return execution;
  }

 private:
  template <class T>
  static tl::unexpected<Error> error(const Result<T>& result) {
    return tl::make_unexpected(result.error());
  }

  // Says beside which tensor the launch broke and which fault does that, where the device knows the
  // address.
  tl::unexpected<Error> launch_error(const Problem& problem, Error error) const {
    const auto address = device_.faulting_address();
    if (address) {
      const std::string place = buffers_->describe(problem, *address);
      if (!place.empty()) error.message += ", " + place;
    }
    if (address || device_.faulted_beyond_addresses()) {
      const std::string why =
          operation_.explain_access(problem, buffers_->origins(problem), address);
      if (!why.empty()) error.message += ". " + why;
    }
    return tl::make_unexpected(std::move(error));
  }

  Device& device_;
  std::shared_ptr<GuardedBuffers> buffers_;
  const Operation& operation_;
  kernels::Entry entry_;
};

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

}  // namespace

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

}  // namespace harness

#include "harness/implementations/devices/ptx_device.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "harness/implementations/devices/edged_memory.hpp"
#include "harness/implementations/devices/launch_check.hpp"
#include "ptx/ptx.hpp"

namespace harness {
namespace {

// Between two allocations: further than any kernel of a page operation is wrong by, no power of
// two, and so near that 30 of them lie below 2^47, as a GPU's addresses do. The interpreter wants
// 2^42.
constexpr DeviceAddress address_step = (DeviceAddress{1} << 42) + (DeviceAddress{0x10405} << 16);

// Instructions of one warp: a thousand times what any kernel here takes, and seconds for a hang.
constexpr std::uint64_t budget = std::uint64_t{1} << 22;

constexpr std::size_t most_named = 20;  // refused instructions, in a reason

// Why an entry is not executed; empty where it is.
std::string lacks(const ptx::Entry& entry) {
  if (entry.lacks.empty()) return {};
  std::vector<std::string> words;
  for (const ptx::Lack& lack : entry.lacks) {
    if (words.size() == most_named) break;
    words.push_back(fmt::format("line {}: `{}`: {}", lack.line, lack.text, lack.reason));
  }
  const std::size_t more = entry.lacks.size() - words.size();
  return fmt::format("{} instruction{} of {} {} not executed by the interpreter: {}{}",
                     entry.lacks.size(), entry.lacks.size() == 1 ? "" : "s", entry.name,
                     entry.lacks.size() == 1 ? "is" : "are", fmt::join(words, "; "),
                     more == 0 ? "" : fmt::format("; and {} more", more));
}

// What a finding says before others: what ended the launch, then races, of which bytes that nobody
// wrote yet are a part.
int rank(const ptx::Finding& finding) {
  switch (finding.kind) {
    case ptx::FindingKind::budget_exhausted:
    case ptx::FindingKind::barrier_deadlock:
      return 0;
    case ptx::FindingKind::shared_race:
    case ptx::FindingKind::async_not_waited:
      return 1;
    default:
      return 2;
  }
}

// The fault of a kernel that has such a finding, where its kind says so; of a kernel that writes
// pages, whose entry is named <operation>_<path>, two threads that write one byte are two rows.
std::string_view explanation(const ptx::Finding& finding, std::string_view entry) {
  switch (finding.kind) {
    case ptx::FindingKind::shared_race:
    case ptx::FindingKind::async_not_waited:
      return ". missing_barrier_after_async_copy (M05): the kernel reads bytes before they are "
             "there";
    case ptx::FindingKind::global_race:
      if (entry.find("_write_") == std::string_view::npos) return "";
      return ". writer_slot_not_checked (M04): two rows go to one slot, as where one that is to be "
             "skipped is written";
    default:
      return "";
  }
}

class Ptx final : public Device {
 public:
  Ptx() : info_(ptx_info()) {}

  const DeviceInfo& info() const override { return info_; }
  Machinery machinery() const override { return Machinery::simulated; }
  void expect(std::vector<TensorMemory> tensors) override { tensors_ = std::move(tensors); }

  Result<DeviceAddress> allocate(std::uint64_t bytes) override {
    return adopt(EdgedMemory::map(bytes), bytes);
  }
  bool shares_host_memory() const override { return true; }
  Result<DeviceAddress> share(int descriptor, std::uint64_t offset, std::uint64_t bytes) override {
    return adopt(EdgedMemory::map_file(descriptor, offset, bytes), bytes);
  }
  Status release(DeviceAddress address) override {
    if (allocations_.erase(address) != 0) return {};
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("ptx: release: 0x{:x} was not allocated", address));
  }
  std::uint64_t edge_granularity() const override { return host_page_bytes(); }

  Status write(DeviceAddress to, std::span<const std::uint8_t> from) override {
    const Result<std::uint8_t*> host = host_of(to, from.size());
    if (!host) return tl::make_unexpected(host.error());
    if (!from.empty()) std::memcpy(*host, from.data(), from.size());
    return {};
  }
  Status read(std::span<std::uint8_t> to, DeviceAddress from) override {
    const Result<std::uint8_t*> host = host_of(from, to.size());
    if (!host) return tl::make_unexpected(host.error());
    if (!to.empty()) std::memcpy(to.data(), *host, to.size());
    return {};
  }
  // No time: an interpreter's says nothing about a device.
  Result<double> copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) override {
    const Result<std::uint8_t*> source = host_of(from, bytes);
    if (!source) return tl::make_unexpected(source.error());
    if (Status status = write(to, {*source, bytes}); !status) {
      return tl::make_unexpected(status.error());
    }
    return 0.0;
  }

  const kernels::Image* image_of(const kernels::Entry& entry) const override {
    return find_image(entry.module, kernels::Backend::ptx);
  }

  std::string unavailable(const kernels::Entry& entry) const override {
    const kernels::Image* const image = image_of(entry);
    if (image == nullptr) return "has no PTX form";
    if (!image->built()) return fmt::format("not built: {}", image->absent_reason);
    const Result<LoadedKernel> kernel = kernel_of(entry);
    return kernel ? "" : kernel.error().message;
  }

  Result<double> launch(const kernels::Entry& entry, std::span<const std::uint8_t> arguments,
                        std::uint64_t blocks) override {
    if (const Status status = check_launch(entry, arguments, blocks); !status) {
      return tl::make_unexpected(status.error());
    }
    if (const std::string reason = unavailable(entry); !reason.empty()) {
      return oracle::fail(ErrorCode::device_error,
                          fmt::format("ptx: launch of {}: {}", entry.name, reason));
    }
    return kernel_of(entry).and_then([&](const LoadedKernel& kernel) {
      LaunchShape shape;
      shape.grid[0] = static_cast<std::uint32_t>(blocks);
      shape.threads[0] = entry.threads_per_block;
      return launch(kernel, shape, arguments);
    });
  }

  Result<LoadedKernel> load_kernel(std::span<const std::uint8_t> image, const std::string& name,
                                   const std::string& entry) override {
    return load({reinterpret_cast<const char*>(image.data()), image.size() - 1}, name)
        .and_then([&](const ptx::Module* module) { return find(*module, name, entry); });
  }

  Result<double> launch(const LoadedKernel& kernel, const LaunchShape& shape,
                        std::span<const std::uint8_t> parameters) override {
    fault_.reset();
    if (std::find(shape.grid.begin(), shape.grid.end(), 0U) != shape.grid.end()) return 0.0;
    std::vector<ptx::Range> memory;
    for (const TensorMemory& tensor : tensors_) {
      const Result<std::uint8_t*> host = host_of(tensor.address, tensor.bytes);
      if (!host) return tl::make_unexpected(host.error());
      memory.push_back({tensor.name, tensor.address,
                        std::as_writable_bytes(std::span{*host, tensor.bytes}),
                        tensor.role == Role::input ? ptx::Access::input : ptx::Access::output});
    }
    ptx::Launch launch;
    launch.entry = kernel.name;
    launch.budget = budget;
    launch.grid = shape.grid;
    launch.block = shape.threads;
    launch.dynamic_shared_bytes = shape.shared_bytes;
    launch.parameters = std::as_bytes(parameters);
    launch.memory = memory;
    const auto* const module = static_cast<const ptx::Module*>(kernel.function);
    launch.variables = &variables_[module];
    const ptx::Result<ptx::Report> report = module->launch(launch);
    if (!report) {
      return oracle::fail(ErrorCode::device_error, fmt::format("ptx: {}", report.error().message));
    }
    return judged(*report, kernel.name);
  }

  Result<double> call(const std::function<Status(void* stream)>& /*work*/) override {
    return oracle::fail(ErrorCode::device_error, "ptx: executes PTX text, and no code of the host");
  }

  std::optional<DeviceAddress> faulting_address() const override { return fault_; }

 private:
  struct Allocation {
    EdgedMemory memory;
    std::uint64_t bytes;
  };

  // At the lowest address that is free.
  Result<DeviceAddress> adopt(Result<EdgedMemory> memory, std::uint64_t bytes) {
    if (!memory) return tl::make_unexpected(memory.error());
    DeviceAddress address = address_step;
    while (allocations_.contains(address)) address += address_step;
    allocations_.emplace(address, Allocation{std::move(*memory), bytes});
    return address;
  }

  Result<std::uint8_t*> host_of(DeviceAddress address, std::uint64_t bytes) const {
    auto behind = allocations_.upper_bound(address);
    if (behind != allocations_.begin()) {
      const auto& [begin, allocation] = *--behind;
      const std::uint64_t offset = address - begin;
      if (offset <= allocation.bytes && bytes <= allocation.bytes - offset) {
        return allocation.memory.data() + offset;
      }
    }
    return oracle::fail(ErrorCode::invalid_argument,
                        fmt::format("ptx: {} bytes at 0x{:x} were not allocated", bytes, address));
  }

  // Loaded for as long as the device lives.
  Result<const ptx::Module*> load(std::string_view text, const std::string& name) const {
    ptx::Result<ptx::Module> module = ptx::Module::load(text, name);
    if (!module) return oracle::fail(ErrorCode::device_error, module.error().message);
    return modules_.emplace_back(std::make_unique<ptx::Module>(std::move(*module))).get();
  }

  static Result<LoadedKernel> find(const ptx::Module& module, const std::string& name,
                                   const std::string& entry) {
    const ptx::Entry* const found = module.find(entry);
    if (found == nullptr) {
      std::vector<std::string_view> names;
      for (const ptx::Entry& each : module.entries()) names.push_back(each.name);
      return oracle::fail(
          ErrorCode::unknown_name,
          fmt::format("{} has no entry {}; it has: {}", name, entry, fmt::join(names, ", ")));
    }
    if (std::string reason = lacks(*found); !reason.empty()) {
      return oracle::fail(ErrorCode::device_error, fmt::format("{}: {}", name, reason));
    }
    // The interpreter does not change what it executes.
    return LoadedKernel{entry, const_cast<ptx::Module*>(&module)};
  }

  Result<LoadedKernel> kernel_of(const kernels::Entry& entry) const {
    const kernels::Image& image = *image_of(entry);
    auto known = shipped_.find(image.module);
    if (known == shipped_.end()) {
      known = shipped_
                  .emplace(image.module,
                           load({reinterpret_cast<const char*>(image.begin), image.size()},
                                fmt::format("{}.ptx", image.module)))
                  .first;
    }
    return known->second.and_then([&](const ptx::Module* module) {
      return find(*module, fmt::format("{}.ptx", entry.module), std::string(entry.name));
    });
  }

  Result<double> judged(const ptx::Report& report, const std::string& entry) {
    std::vector<const ptx::Finding*> errors;
    for (const ptx::Finding& finding : report.findings) {
      if (finding.severity == ptx::Severity::error) errors.push_back(&finding);
    }
    if (errors.empty() && report.completed) return 0.0;
    if (errors.empty()) {
      return oracle::fail(ErrorCode::device_error,
                          fmt::format("ptx: launch of {}: it did not end", entry));
    }
    std::stable_sort(
        errors.begin(), errors.end(),
        [](const ptx::Finding* a, const ptx::Finding* b) { return rank(*a) < rank(*b); });
    const ptx::Finding& first = *errors.front();
    const auto outside = std::find_if(errors.begin(), errors.end(), [](const ptx::Finding* each) {
      return each->kind == ptx::FindingKind::out_of_bounds;
    });
    if (outside != errors.end()) fault_ = (*outside)->address;
    const std::string more =
        errors.size() == 1 ? "" : fmt::format("; {} other findings", errors.size() - 1);
    return oracle::fail(ErrorCode::device_error,
                        fmt::format("ptx: launch of {}: {}, {} times{}{}", entry, first.message,
                                    first.count, more, explanation(first, entry)));
  }

  DeviceInfo info_;
  std::map<DeviceAddress, Allocation> allocations_;
  std::vector<TensorMemory> tensors_;
  std::optional<DeviceAddress> fault_;
  std::map<const ptx::Module*, std::vector<std::byte>> variables_;  // kept as a GPU keeps them
  // What was read on the way to an answer: the device is the same before and after.
  mutable std::vector<std::unique_ptr<ptx::Module>> modules_;
  mutable std::map<std::string, Result<const ptx::Module*>, std::less<>> shipped_;
};

}  // namespace

DeviceInfo ptx_info() {
  DeviceInfo info;
  info.name = "ptx";
  info.description = "PTX text, executed by the host";
  info.facts = {{"forms", ptx::accepted_forms().size()}};
  return info;
}

std::unique_ptr<Device> open_ptx() { return std::make_unique<Ptx>(); }

}  // namespace harness

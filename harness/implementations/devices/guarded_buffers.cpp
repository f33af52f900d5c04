#include "harness/implementations/devices/guarded_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "harness/implementations/devices/round_up.hpp"

namespace harness {
namespace {

constexpr std::uint64_t alignment = 256;
// Guards before a tensor grow up to the edge of memory where that costs no more than this.
constexpr std::uint64_t largest_filler = 64 << 10;
constexpr std::uint64_t chunk_bytes = std::uint64_t{8} << 20;

struct Changes {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::uint8_t expected = 0;
  std::uint8_t actual = 0;
};

// Compares `expected` with device memory from `at` on and adds the differences to `changes`, whose
// positions count from `position`.
Status compare(Device& device, DeviceAddress at, std::span<const std::uint8_t> expected,
               std::uint64_t position, Changes& changes) {
  std::vector<std::uint8_t> actual(std::min<std::uint64_t>(expected.size(), chunk_bytes));
  for (std::uint64_t done = 0; done < expected.size(); done += actual.size()) {
    const std::uint64_t n = std::min<std::uint64_t>(actual.size(), expected.size() - done);
    const std::span<std::uint8_t> got(actual.data(), n);
    const std::span<const std::uint8_t> want = expected.subspan(done, n);
    if (Status status = device.read(got, at + done); !status) return status;
    if (std::equal(want.begin(), want.end(), got.begin())) continue;
    for (std::uint64_t i = 0; i < n; ++i) {
      if (want[i] == got[i]) continue;
      if (changes.count++ == 0) {
        changes.first = position + done + i;
        changes.expected = want[i];
        changes.actual = got[i];
      }
    }
  }
  return {};
}

std::vector<std::uint8_t> guard_zone(std::size_t tensor, std::int64_t from, std::uint64_t bytes) {
  std::vector<std::uint8_t> zone(bytes);
  for (std::uint64_t i = 0; i < bytes; ++i) {
    zone[i] = guard_byte(tensor, from + static_cast<std::int64_t>(i));
  }
  return zone;
}

}  // namespace

GuardedBuffers::~GuardedBuffers() {
  for (Buffer& buffer : buffers_) release(buffer);
}

// [guard | storage | guard], from `base`, a multiple of 256, to the next multiple of 256. Where
// memory has edges an input lies as near to the one behind it as its alignment allows, with no more
// guard than what is left: reading on is then a fault. An output always has a guard behind it, so
// that a byte written there is reported with its place.
GuardedBuffers::Buffer GuardedBuffers::layout(const Tensor& tensor) const {
  const std::uint64_t granularity = device_.edge_granularity();
  Buffer buffer;
  buffer.role = tensor.role;
  buffer.storage = tensor.storage.size();
  buffer.before = round_up(guard_bytes_, alignment) + tensor.misalignment_bytes;
  const bool edge_is_guard = granularity != 0 && tensor.role == Role::input;
  const std::uint64_t used = buffer.before + buffer.storage;
  const std::uint64_t total = round_up(used + (edge_is_guard ? 0 : guard_bytes_), alignment);
  buffer.after = total - used;
  if (granularity != 0 && granularity <= largest_filler) {
    buffer.before += round_up(total, granularity) - total;
  }
  return buffer;
}

void GuardedBuffers::release(Buffer& buffer) {
  // A device that is lost refuses; there is nothing to be done about it here.
  if (buffer.base != 0) static_cast<void>(device_.release(buffer.base));
  buffer = Buffer{};
}

Status GuardedBuffers::write_guards(std::size_t tensor, const Buffer& buffer) {
  const auto storage = static_cast<std::int64_t>(buffer.storage);
  const auto before = guard_zone(tensor, -static_cast<std::int64_t>(buffer.before), buffer.before);
  if (Status status = device_.write(buffer.base, before); !status) return status;
  const auto after = guard_zone(tensor, storage, buffer.after);
  if (after.empty()) return {};
  return device_.write(buffer.start() + buffer.storage, after);
}

Status GuardedBuffers::place(const Problem& problem) {
  std::vector<Buffer> wanted;
  for (const Tensor& tensor : problem.tensors) {
    if (tensor.misalignment_bytes >= alignment) {
      return oracle::fail(ErrorCode::out_of_range,
                          fmt::format("{}: misalignment: expected less than {} bytes, got {}",
                                      tensor.name, alignment, tensor.misalignment_bytes));
    }
    wanted.push_back(layout(tensor));
  }
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    Buffer same = i < wanted.size() ? wanted[i] : Buffer{};
    same.base = buffers_[i].base;
    if (same != buffers_[i]) release(buffers_[i]);
  }
  buffers_.resize(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Buffer& buffer = buffers_[i];
    const Tensor& tensor = problem.tensors[i];
    if (buffer.base == 0) {
      const Result<DeviceAddress> base =
          device_.allocate(wanted[i].before + wanted[i].storage + wanted[i].after);
      if (!base) {
        return oracle::fail(base.error().code,
                            fmt::format("{}: {}", tensor.name, base.error().message));
      }
      buffer = wanted[i];
      buffer.base = *base;
    }
    if (Status status = write_guards(i, buffer); !status) return status;
    if (tensor.storage.empty()) continue;
    if (Status status = device_.write(buffer.start(), tensor.storage); !status) return status;
  }
  return {};
}

std::vector<std::uint64_t> GuardedBuffers::origins(const Problem& problem) const {
  std::vector<std::uint64_t> origins;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    // Modulo 2^64: a biased base may lie anywhere.
    origins.push_back(buffers_[i].start() +
                      static_cast<std::uint64_t>(problem.tensors[i].origin_bytes));
  }
  return origins;
}

Result<Outputs> GuardedBuffers::read_outputs(const Problem& problem) {
  Outputs outputs;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (problem.tensors[i].role != Role::output) continue;
    std::vector<std::uint8_t>& bytes = outputs.emplace_back(buffers_[i].storage);
    if (bytes.empty()) continue;
    if (const Status status = device_.read(bytes, buffers_[i].start()); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  return outputs;
}

Result<std::vector<Trespass>> GuardedBuffers::find_trespasses(const Problem& problem) {
  std::vector<Trespass> trespasses;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const Buffer& buffer = buffers_[i];
    const Tensor& tensor = problem.tensors[i];
    const auto before = static_cast<std::int64_t>(buffer.before);
    const auto storage = static_cast<std::int64_t>(buffer.storage);
    const auto check = [&](const char* region, std::int64_t from,
                           std::span<const std::uint8_t> expected) -> Status {
      Changes changes;
      const DeviceAddress at = buffer.start() + static_cast<std::uint64_t>(from);
      if (Status status = compare(device_, at, expected, 0, changes); !status) return status;
      if (changes.count != 0) {
        trespasses.push_back({tensor.name, region, from + static_cast<std::int64_t>(changes.first),
                              changes.expected, changes.actual, changes.count});
      }
      return {};
    };
    Status status = check("guard before", -before, guard_zone(i, -before, buffer.before));
    if (status && tensor.role == Role::input) status = check("input", 0, tensor.storage);
    if (status) status = check("guard after", storage, guard_zone(i, storage, buffer.after));
    if (!status) return tl::make_unexpected(status.error());
  }
  return trespasses;
}

std::string GuardedBuffers::describe(const Problem& problem, DeviceAddress address) const {
  constexpr std::uint64_t near = std::uint64_t{1} << 20;
  std::string nearest;
  std::uint64_t least = near;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const DeviceAddress start = buffers_[i].start();
    const DeviceAddress end = start + buffers_[i].storage;
    const std::string& name = problem.tensors[i].name;
    if (address >= start && address < end)
      return fmt::format("byte {} of {}", address - start, name);
    const std::uint64_t distance = address < start ? start - address : address - end;
    if (distance >= least) continue;
    least = distance;
    nearest = address < start ? fmt::format("{} bytes before {}", distance, name)
                              : fmt::format("{} bytes behind {}", distance, name);
  }
  return nearest;
}

}  // namespace harness

#include "harness/implementations/devices/guarded_buffers.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "harness/model/zeros_on_demand.hpp"

namespace harness {
namespace {

// Memory of gigabytes is copied by parts, and read from its file: to read what was never written
// where it is mapped would make it take memory.
constexpr std::uint64_t chunk_bytes = std::uint64_t{8} << 20;

Status read_file(int descriptor, std::uint64_t offset, std::span<std::uint8_t> to) {
  while (!to.empty()) {
    const ssize_t count = ::pread(descriptor, to.data(), to.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      return oracle::fail(ErrorCode::io_error,
                          fmt::format("shared memory: pread: {}", std::strerror(errno)));
    }
    to = to.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return {};
}

}  // namespace

GuardedBuffers::~GuardedBuffers() {
  for (Buffer& buffer : buffers_) release(buffer);
}

bool GuardedBuffers::shares(const CallMemory& memory) const {
  return memory.descriptor >= 0 && device_.shares_host_memory();
}

void GuardedBuffers::release(Buffer& buffer) {
  // A device that is lost refuses; there is nothing to be done about it here.
  if (buffer.base != 0) static_cast<void>(device_.release(buffer.base));
  buffer = Buffer{};
}

Status GuardedBuffers::copy_in(const CallMemory& memory, const GuardedRegion& region,
                               DeviceAddress to) {
  if (memory.descriptor < 0 || region.bytes() < sparse_bytes) {
    return device_.write(to, memory.bytes.subspan(region.offset, region.bytes()));
  }
  std::vector<std::uint8_t> chunk(chunk_bytes);
  for (std::uint64_t done = 0; done < region.bytes(); done += chunk_bytes) {
    const auto part = std::span(chunk).first(std::min(chunk_bytes, region.bytes() - done));
    if (Status status = read_file(memory.descriptor, region.offset + done, part); !status) {
      return status;
    }
    if (Status status = device_.write(to + done, part); !status) return status;
  }
  return {};
}

// Writes only what has changed: zeros that nobody touched stay holes.
Status GuardedBuffers::copy_out(const CallMemory& memory, const GuardedRegion& region,
                                DeviceAddress from) {
  if (memory.descriptor < 0 || region.bytes() < sparse_bytes) {
    return device_.read(memory.bytes.subspan(region.offset, region.bytes()), from);
  }
  std::vector<std::uint8_t> chunk(chunk_bytes);
  std::vector<std::uint8_t> before(chunk_bytes);
  for (std::uint64_t done = 0; done < region.bytes(); done += chunk_bytes) {
    const std::uint64_t n = std::min(chunk_bytes, region.bytes() - done);
    const auto part = std::span(chunk).first(n);
    const auto had = std::span(before).first(n);
    if (Status status = device_.read(part, from + done); !status) return status;
    if (Status status = read_file(memory.descriptor, region.offset + done, had); !status) {
      return status;
    }
    if (!std::equal(part.begin(), part.end(), had.begin())) {
      std::copy(part.begin(), part.end(), memory.bytes.subspan(region.offset + done).begin());
    }
  }
  return {};
}

Status GuardedBuffers::place(const Problem& problem, const CallMemory& memory) {
  std::vector<Buffer> wanted;
  for (std::size_t i = 0; i < problem.tensors.size(); ++i) {
    Buffer buffer{0, memory.layout.regions[i], problem.tensors[i].role, -1};
    if (shares(memory)) {
      buffer.descriptor = memory.descriptor;
    } else {
      buffer.region.offset = 0;  // where it lies in the call's memory is of no matter to a copy
    }
    wanted.push_back(buffer);
  }
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (i >= wanted.size() || !wanted[i].fits(buffers_[i])) release(buffers_[i]);
  }
  buffers_.resize(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Buffer& buffer = buffers_[i];
    const GuardedRegion& region = wanted[i].region;
    if (buffer.base == 0) {
      const Result<DeviceAddress> base =
          shares(memory) ? device_.share(memory.descriptor, region.offset, region.bytes())
                         : device_.allocate(region.bytes());
      if (!base) {
        return oracle::fail(base.error().code,
                            fmt::format("{}: {}", problem.tensors[i].name, base.error().message));
      }
      wanted[i].base = *base;
    } else {
      wanted[i].base = buffer.base;
    }
    buffer = wanted[i];
    if (shares(memory)) continue;
    if (Status status = copy_in(memory, memory.layout.regions[i], buffer.base); !status) {
      return status;
    }
  }
  std::vector<TensorMemory> tensors;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    tensors.push_back({problem.tensors[i].name, buffers_[i].role, buffers_[i].start(),
                       buffers_[i].region.storage});
  }
  device_.expect(std::move(tensors));
  return {};
}

Status GuardedBuffers::take_back(const CallMemory& memory) {
  if (shares(memory)) return {};
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (Status status = copy_out(memory, memory.layout.regions[i], buffers_[i].base); !status) {
      return status;
    }
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

std::string GuardedBuffers::describe(const Problem& problem, DeviceAddress address) const {
  constexpr std::uint64_t near = std::uint64_t{1} << 20;
  std::string nearest;
  std::uint64_t least = near;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const DeviceAddress start = buffers_[i].start();
    const DeviceAddress end = start + buffers_[i].region.storage;
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

#include "harness/implementations/isolation/shared_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/model/zeros_on_demand.hpp"

namespace harness {
namespace {

tl::unexpected<Error> failed(std::string_view what, std::uint64_t bytes) {
  return oracle::fail(ErrorCode::io_error, fmt::format("shared memory of {} bytes: {}: {}", bytes,
                                                       what, std::strerror(errno)));
}

}  // namespace

Result<SharedMemory> SharedMemory::create() {
  const int descriptor = ::memfd_create("fp4cts problem", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return failed("memfd_create", 0);
  SharedMemory memory(descriptor);
  if (::fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
    return failed("F_SEAL_SHRINK", 0);
  }
  return memory;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) ::munmap(data_, size_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status SharedMemory::grow_to(std::uint64_t bytes) {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return failed("fstat", bytes);
  // Allocates the pages now: memory that there is not is an error here, and no SIGBUS later.
  const off_t have = status.st_size;
  const auto want = static_cast<off_t>(bytes);
  if (have < want && ::fallocate(descriptor_, 0, have, want - have) != 0) {
    return failed("fallocate", bytes);
  }
  return map_at_least(bytes);
}

Status SharedMemory::clear_and_grow_to(std::uint64_t bytes) {
  if (std::max(bytes, std::uint64_t{size_}) < sparse_bytes) return grow_to(bytes);
  if (size_ != 0 && ::fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                                static_cast<off_t>(size_)) != 0) {
    return failed("fallocate of a hole", size_);
  }
  if (bytes > size_ && ::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) {
    return failed("ftruncate", bytes);
  }
  return map_at_least(bytes);
}

Result<std::vector<std::pair<std::uint64_t, std::uint64_t>>> SharedMemory::written() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
  if (size_ < sparse_bytes) {
    parts.emplace_back(0, size_);
    return parts;
  }
  for (off_t end = 0;;) {
    const off_t begin = ::lseek(descriptor_, end, SEEK_DATA);
    if (begin < 0 && errno == ENXIO) return parts;  // nothing from here on
    end = begin < 0 ? begin : ::lseek(descriptor_, begin, SEEK_HOLE);
    if (end < 0) return failed("lseek", size_);
    parts.emplace_back(static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end));
  }
}

Status SharedMemory::map_at_least(std::uint64_t bytes) {
  if (bytes <= size_) return {};
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return failed("fstat", bytes);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < bytes) {
    return oracle::fail(ErrorCode::too_small,
                        fmt::format("shared memory: expected {} bytes, got {}", bytes, size));
  }
  if (data_ != nullptr) ::munmap(data_, size_);
  data_ = nullptr;
  size_ = 0;
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) return failed("mmap", size);
  data_ = static_cast<std::uint8_t*>(mapped);
  size_ = size;
  return {};
}

}  // namespace harness

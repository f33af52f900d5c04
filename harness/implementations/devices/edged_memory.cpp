#include "harness/implementations/devices/edged_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "harness/implementations/devices/round_up.hpp"

namespace harness {
namespace {

tl::unexpected<Error> cannot_map(std::uint64_t bytes, const char* call) {
  return oracle::fail(
      ErrorCode::out_of_memory,
      fmt::format("cpu: {} of {} bytes: {}", call, bytes, std::generic_category().message(errno)));
}

}  // namespace

std::size_t host_page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

Result<EdgedMemory> EdgedMemory::reserve(std::size_t accessible) {
  const std::size_t mapping_bytes = accessible + 2 * edge_bytes;
  void* mapping =
      mmap(nullptr, mapping_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return cannot_map(accessible, "mmap");
  return EdgedMemory(mapping, mapping_bytes, static_cast<std::uint8_t*>(mapping) + edge_bytes);
}

Result<EdgedMemory> EdgedMemory::map(std::uint64_t bytes) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 46;  // half of what x86-64 addresses
  if (bytes > largest) {
    errno = ENOMEM;
    return cannot_map(bytes, "mmap");
  }
  const std::uint64_t used = round_up(std::max<std::uint64_t>(bytes, 1), 256);
  const std::size_t accessible = round_up(used, host_page_bytes());
  Result<EdgedMemory> memory = reserve(accessible);
  if (!memory) return memory;
  if (mprotect(memory->data_, accessible, PROT_READ | PROT_WRITE) != 0) {
    return cannot_map(bytes, "mprotect");
  }
  memory->data_ += accessible - used;
  return memory;
}

Result<EdgedMemory> EdgedMemory::map_file(int descriptor, std::uint64_t offset,
                                          std::uint64_t bytes) {
  Result<EdgedMemory> memory = reserve(bytes);
  if (!memory || bytes == 0) return memory;
  if (mmap(memory->data_, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
           static_cast<off_t>(offset)) == MAP_FAILED) {
    return cannot_map(bytes, "mmap of shared memory");
  }
  return memory;
}

EdgedMemory::EdgedMemory(EdgedMemory&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapping_bytes_(std::exchange(other.mapping_bytes_, 0)),
      data_(std::exchange(other.data_, nullptr)) {}

EdgedMemory& EdgedMemory::operator=(EdgedMemory&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_bytes_, other.mapping_bytes_);
  std::swap(data_, other.data_);
  return *this;
}

EdgedMemory::~EdgedMemory() {
  if (mapping_ != nullptr) munmap(mapping_, mapping_bytes_);
}

}  // namespace harness

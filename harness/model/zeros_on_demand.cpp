#include "harness/model/zeros_on_demand.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace harness {
namespace {

// Gives back the whole machine pages between two addresses: they read as zeros again.
void give_back(std::uint8_t* first, std::uint8_t* last) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(first) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(last) / page * page;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): rounded to a page
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

}  // namespace

std::vector<std::uint8_t> zeros_on_demand(std::uint64_t bytes) {
  if (bytes < sparse_bytes) return std::vector<std::uint8_t>(bytes);
  std::vector<std::uint8_t> zeros;
  zeros.reserve(bytes);
  // The anonymous private memory behind so large a vector is its own, whole pages of it.
  while (zeros.size() < bytes) {
    const std::size_t before = zeros.size();
    zeros.resize(std::min(bytes, before + sparse_bytes));
    give_back(zeros.data() + before, zeros.data() + zeros.size());
  }
  return zeros;
}

bool all_zeros(std::span<const std::uint8_t> bytes) {
  return bytes.empty() ||
         (bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace harness

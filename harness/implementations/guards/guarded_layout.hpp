// The memory of one call: the tensors of a problem, each between guard bytes of a known pattern.
// The judge lays it out, writes it, and when the call is over compares guards and inputs itself, in
// memory that it shares with whoever made the call: nobody's word is taken for a byte.
// docs/devices.md, "Guards", says how a tensor lies and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "harness/model/implementation.hpp"
#include "harness/model/problem.hpp"
#include "harness/model/result.hpp"

namespace harness {

// [guard | storage | guard] of one tensor.
struct GuardedRegion {
  std::uint64_t offset = 0;   // of the first guard byte, a multiple of region_alignment
  std::uint64_t before = 0;   // guard bytes before the storage
  std::uint64_t storage = 0;  // the tensor's bytes
  std::uint64_t after = 0;    // guard bytes behind it

  std::uint64_t bytes() const { return before + storage + after; }
  bool operator==(const GuardedRegion&) const = default;
};

// Every region can be mapped on its own, whatever the size of a machine's pages (at most 64 KiB).
inline constexpr std::uint64_t region_alignment = 64 << 10;

struct GuardedLayout {
  std::vector<GuardedRegion> regions;  // of the problem's tensors, in its order
  std::uint64_t total_bytes = 0;
};

// `edge_granularity` as Device::edge_granularity. Error: out_of_range for a misalignment of 256
// bytes or more.
Result<GuardedLayout> guarded_layout(const Problem& problem, std::uint64_t edge_granularity);

// Part of a memory: from its first byte to behind its last.
using Extent = std::pair<std::uint64_t, std::uint64_t>;

// Writes guards and storages to `memory`, of at least the layout's bytes. From sparse_bytes on it
// must hold zeros: zeros of a storage are then not written.
void write_guarded(const Problem& problem, const GuardedLayout& layout,
                   std::span<std::uint8_t> memory);
// Changed guard bytes of every tensor and changed bytes of every input. What lies in none of
// `written`, which are in order, is zeros and is not read.
std::vector<Trespass> find_trespasses(const Problem& problem, const GuardedLayout& layout,
                                      std::span<const std::uint8_t> memory,
                                      std::span<const Extent> written);
// Writes outputs that came in another way where the call's memory has them. Error: wrong_shape for
// outputs that are not the problem's.
Status write_outputs(const Problem& problem, const GuardedLayout& layout, const Outputs& outputs,
                     std::span<std::uint8_t> memory);
Outputs outputs_in(const Problem& problem, const GuardedLayout& layout,
                   std::span<const std::uint8_t> memory);

// The byte that guards keep at `position`, counted from the first byte of the storage of the
// problem's tensor number `tensor`. Its high bit is set, so that a table entry read from a guard is
// a negative id.
constexpr std::uint8_t guard_byte(std::size_t tensor, std::int64_t position) {
  const auto p = static_cast<std::uint64_t>(position);
  return static_cast<std::uint8_t>(0x80 | ((p * 109 + (p >> 7) * 31 + tensor * 53) & 0x7f));
}

}  // namespace harness

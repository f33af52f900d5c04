#include "harness/implementations/guards/guarded_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "harness/model/zeros_on_demand.hpp"

namespace harness {
namespace {

constexpr std::uint64_t alignment = 256;
constexpr std::uint64_t guard_bytes = 256;
// Guards before a tensor grow up to the edge of memory where that costs no more than this.
constexpr std::uint64_t largest_filler = 64 << 10;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// From the region's first byte, a multiple of 256, to the next multiple of 256. Where memory has
// edges an input lies as near to the one behind it as its alignment allows, with no more guard than
// what is left: reading on is then a fault. One that fills whole pages of memory begins at an edge
// too, and reading in front of it is a fault. An output always has a guard behind it, so that a
// byte written there is reported with its place.
GuardedRegion region_of(const Tensor& tensor, std::uint64_t granularity) {
  GuardedRegion region;
  region.storage = tensor.storage.size();
  region.before = round_up(guard_bytes, alignment) + tensor.misalignment_bytes;
  const bool edge_is_guard = granularity != 0 && tensor.role == Role::input;
  const bool fills_memory = edge_is_guard && tensor.misalignment_bytes == 0 &&
                            region.storage != 0 && region.storage % granularity == 0;
  if (fills_memory) {
    region.before = region.after = 0;
    return region;
  }
  const std::uint64_t used = region.before + region.storage;
  const std::uint64_t total = round_up(used + (edge_is_guard ? 0 : guard_bytes), alignment);
  region.after = total - used;
  if (granularity != 0 && granularity <= largest_filler) {
    region.before += round_up(total, granularity) - total;
  }
  return region;
}

void write_guard(std::size_t tensor, std::int64_t from, std::span<std::uint8_t> zone) {
  for (std::size_t i = 0; i < zone.size(); ++i) {
    zone[i] = guard_byte(tensor, from + static_cast<std::int64_t>(i));
  }
}

struct Changes {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::uint8_t expected = 0;
  std::uint8_t actual = 0;
};

// Adds the differences of two stretches of equal size, whose positions count from `position`.
void compare(std::span<const std::uint8_t> expected, std::span<const std::uint8_t> actual,
             std::uint64_t position, Changes& changes) {
  if (expected.empty() || std::memcmp(expected.data(), actual.data(), expected.size()) == 0) return;
  for (std::uint64_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == actual[i]) continue;
    if (changes.count++ == 0) {
      changes.first = position + i;
      changes.expected = expected[i];
      changes.actual = actual[i];
    }
  }
}

bool overlaps(std::span<const Extent> extents, std::uint64_t begin, std::uint64_t end) {
  const auto first = std::partition_point(extents.begin(), extents.end(),
                                          [&](const Extent& each) { return each.second <= begin; });
  return first != extents.end() && first->first < end;
}

// The bytes of `memory` from `at` on, of which those in no extent are zeros. To read those would
// make them take memory.
Changes changes_of(std::span<const std::uint8_t> expected, std::span<const std::uint8_t> memory,
                   std::uint64_t at, std::span<const Extent> written) {
  Changes changes;
  if (expected.size() < sparse_bytes) {
    compare(expected, memory.subspan(at, expected.size()), 0, changes);
    return changes;
  }
  static const std::vector<std::uint8_t> zeros(sparse_block_bytes);
  for (std::uint64_t done = 0; done < expected.size(); done += sparse_block_bytes) {
    const std::uint64_t n = std::min<std::uint64_t>(sparse_block_bytes, expected.size() - done);
    const bool is_written = overlaps(written, at + done, at + done + n);
    compare(expected.subspan(done, n),
            is_written ? memory.subspan(at + done, n) : std::span(zeros).first(n), done, changes);
  }
  return changes;
}

// Where memory holds zeros, only what is none is copied.
void copy_storage(std::span<const std::uint8_t> storage, std::span<std::uint8_t> to) {
  if (storage.size() < sparse_bytes) {
    std::copy(storage.begin(), storage.end(), to.begin());
    return;
  }
  for (std::uint64_t done = 0; done < storage.size(); done += sparse_block_bytes) {
    const auto block =
        storage.subspan(done, std::min<std::uint64_t>(sparse_block_bytes, storage.size() - done));
    if (!all_zeros(block)) std::copy(block.begin(), block.end(), to.subspan(done).begin());
  }
}

}  // namespace

Result<GuardedLayout> guarded_layout(const Problem& problem, std::uint64_t edge_granularity) {
  GuardedLayout layout;
  for (const Tensor& tensor : problem.tensors) {
    if (tensor.misalignment_bytes >= alignment) {
      return oracle::fail(ErrorCode::out_of_range,
                          fmt::format("{}: misalignment: expected less than {} bytes, got {}",
                                      tensor.name, alignment, tensor.misalignment_bytes));
    }
    GuardedRegion region = region_of(tensor, edge_granularity);
    region.offset = layout.total_bytes;
    layout.total_bytes += round_up(region.bytes(), region_alignment);
    layout.regions.push_back(region);
  }
  return layout;
}

void write_guarded(const Problem& problem, const GuardedLayout& layout,
                   std::span<std::uint8_t> memory) {
  for (std::size_t i = 0; i < layout.regions.size(); ++i) {
    const GuardedRegion& region = layout.regions[i];
    const std::span<std::uint8_t> bytes = memory.subspan(region.offset, region.bytes());
    const std::span<const std::uint8_t> storage = problem.tensors[i].storage;
    write_guard(i, -static_cast<std::int64_t>(region.before), bytes.first(region.before));
    copy_storage(storage, bytes.subspan(region.before));
    write_guard(i, static_cast<std::int64_t>(region.storage), bytes.last(region.after));
  }
}

std::vector<Trespass> find_trespasses(const Problem& problem, const GuardedLayout& layout,
                                      std::span<const std::uint8_t> memory,
                                      std::span<const Extent> written) {
  std::vector<Trespass> trespasses;
  std::vector<std::uint8_t> guard;
  for (std::size_t i = 0; i < layout.regions.size(); ++i) {
    const GuardedRegion& region = layout.regions[i];
    const Tensor& tensor = problem.tensors[i];
    const std::uint64_t start = region.offset + region.before;
    // `from` counts from the first byte of the storage.
    const auto compare_with = [&](const char* name, std::int64_t from,
                                  std::span<const std::uint8_t> expected) {
      const Changes changes =
          changes_of(expected, memory, start + static_cast<std::uint64_t>(from), written);
      if (changes.count == 0) return;
      trespasses.push_back({tensor.name, name, from + static_cast<std::int64_t>(changes.first),
                            changes.expected, changes.actual, changes.count});
    };
    const auto compare_guard = [&](const char* name, std::int64_t from, std::uint64_t size) {
      guard.resize(size);
      write_guard(i, from, guard);
      compare_with(name, from, guard);
    };
    compare_guard("guard before", -static_cast<std::int64_t>(region.before), region.before);
    if (tensor.role == Role::input) compare_with("input", 0, tensor.storage);
    compare_guard("guard after", static_cast<std::int64_t>(region.storage), region.after);
  }
  return trespasses;
}

Status write_outputs(const Problem& problem, const GuardedLayout& layout, const Outputs& outputs,
                     std::span<std::uint8_t> memory) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < problem.tensors.size(); ++i) {
    const Tensor& tensor = problem.tensors[i];
    if (tensor.role != Role::output) continue;
    const GuardedRegion& region = layout.regions[i];
    const std::size_t size = next < outputs.size() ? outputs[next].size() : 0;
    if (next >= outputs.size() || size != region.storage) {
      return oracle::fail(
          ErrorCode::wrong_shape,
          fmt::format("output {}: expected {} bytes, got {}", tensor.name, region.storage, size));
    }
    std::copy(outputs[next].begin(), outputs[next].end(),
              memory.subspan(region.offset + region.before).begin());
    ++next;
  }
  if (next != outputs.size()) {
    return oracle::fail(ErrorCode::wrong_shape,
                        fmt::format("expected {} outputs, got {}", next, outputs.size()));
  }
  return {};
}

Outputs outputs_in(const Problem& problem, const GuardedLayout& layout,
                   std::span<const std::uint8_t> memory) {
  Outputs outputs;
  for (std::size_t i = 0; i < layout.regions.size(); ++i) {
    if (problem.tensors[i].role != Role::output) continue;
    const GuardedRegion& region = layout.regions[i];
    const auto bytes = memory.subspan(region.offset + region.before, region.storage);
    outputs.emplace_back(bytes.begin(), bytes.end());
  }
  return outputs;
}

}  // namespace harness

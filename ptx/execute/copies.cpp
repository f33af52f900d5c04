// cp.async and its groups, ISA 9.7.9.25. The bytes are read when the instruction runs and arrive
// when the thread waits: until then nobody may touch them.
#include <cstring>

#include "ptx/execute/access.hpp"
#include "ptx/execute/machine.hpp"

namespace ptx::execute {

void copy_async(Lanes& lanes, const Operation& operation) {
  const MemoryAccess& access = *operation.memory;
  const std::uint32_t bytes = access.element_bytes;
  const std::uint32_t* sizes = lanes.at<std::uint32_t>(operation.in[2]);
  lanes.each([&](int lane) {
    Copy copy{.pc = lanes.pc, .bytes = bytes};
    copy.lane = static_cast<std::uint32_t>(lane);
    copy.group = lanes.warp->committed[copy.lane];
    copy.to = (access.wide_address ? lanes.at<std::uint64_t>(operation.in[0])[lane]
                                   : lanes.at<std::uint32_t>(operation.in[0])[lane]) +
              static_cast<std::uint64_t>(access.offset);
    const std::uint32_t size = sizes[lane];
    if (size > bytes) {
      lanes.machine->fault(lanes, lane, FindingKind::undefined,
                           "cp.async of " + std::to_string(bytes) + " bytes from a source of " +
                               std::to_string(size));
    }
    // A source of no bytes is not read: its address may be anything.
    if (size != 0) {
      const std::uint64_t from =
          lanes.at<std::uint64_t>(operation.in[1])[lane] + operation.immediate;
      const memory::Accessor by = lanes.machine->accessor(lanes, lane);
      if ((from & (bytes - 1)) != 0) {
        lanes.machine->fault(
            lanes, lane, FindingKind::misaligned,
            "cp.async of " + std::to_string(bytes) + " bytes from address " + std::to_string(from));
      } else {
        for (std::uint32_t at = 0; at < std::min(size, bytes); ++at) {
          const std::byte* byte = lanes.machine->global().read(from + at, 1, false, by);
          if (byte == nullptr) break;
          copy.from[at] = *byte;
        }
      }
    }
    if (lanes.machine->shared().begin_copy(copy.to, bytes,
                                           lanes.machine->shared_accessor(lanes, lane))) {
      lanes.warp->copies.push_back(copy);
    }
  });
}

void commit_group(Lanes& lanes, const Operation&) {
  lanes.each([&](int lane) { ++lanes.warp->committed[static_cast<std::size_t>(lane)]; });
}

void wait_group(Lanes& lanes, const Operation& operation) {
  lanes.each([&](int lane) {
    const std::uint32_t committed = lanes.warp->committed[static_cast<std::size_t>(lane)];
    const auto pending =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(operation.immediate, committed));
    lanes.machine->end_copies(*lanes.warp, static_cast<std::uint32_t>(lane), committed - pending);
  });
}

void wait_all(Lanes& lanes, const Operation&) {
  lanes.each([&](int lane) {
    lanes.machine->end_copies(*lanes.warp, static_cast<std::uint32_t>(lane), ~std::uint32_t{0});
  });
}

namespace {

// Row r of matrix m lies at the address in lane 8 m + r; lane l has elements 2 (l % 4) and the next
// of row l / 4, or with a transposition of column l / 4.
std::uint64_t row_address(const Lanes& lanes, const Operation& operation, std::uint32_t lane) {
  const MemoryAccess& access = *operation.memory;
  return (access.wide_address ? lanes.at<std::uint64_t>(operation.in[0])[lane]
                              : lanes.at<std::uint32_t>(operation.in[0])[lane]) +
         static_cast<std::uint64_t>(access.offset);
}

using Matrix = std::array<std::array<std::uint16_t, 8>, 8>;

template <bool Transposed>
void load(Lanes& lanes, const Operation& operation) {
  if (!lanes.machine->converged(lanes, all_lanes, "ldmatrix")) return;
  for (std::uint32_t m = 0; m < operation.memory->count; ++m) {
    Matrix matrix{};
    for (std::uint32_t row = 0; row < 8; ++row) {
      const std::uint32_t lane = (8 * m) + row;
      const std::byte* from = lanes.machine->shared().read(
          row_address(lanes, operation, lane), 16,
          lanes.machine->shared_accessor(lanes, static_cast<int>(lane)));
      if (from != nullptr) std::memcpy(matrix[row].data(), from, 16);
    }
    auto* to = lanes.at<std::uint32_t>(operation.memory->slots[m]);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t major = lane / 4;
      const std::uint32_t minor = 2 * (lane % 4);
      const std::uint32_t low = Transposed ? matrix[minor][major] : matrix[major][minor];
      const std::uint32_t high = Transposed ? matrix[minor + 1][major] : matrix[major][minor + 1];
      to[lane] = low | (high << 16U);
    }
  }
}

template <bool Transposed>
void store(Lanes& lanes, const Operation& operation) {
  if (!lanes.machine->converged(lanes, all_lanes, "stmatrix")) return;
  for (std::uint32_t m = 0; m < operation.memory->count; ++m) {
    Matrix matrix{};
    const auto* from = lanes.at<std::uint32_t>(operation.memory->slots[m]);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t major = lane / 4;
      const std::uint32_t minor = 2 * (lane % 4);
      (Transposed ? matrix[minor][major] : matrix[major][minor]) =
          static_cast<std::uint16_t>(from[lane]);
      (Transposed ? matrix[minor + 1][major] : matrix[major][minor + 1]) =
          static_cast<std::uint16_t>(from[lane] >> 16U);
    }
    for (std::uint32_t row = 0; row < 8; ++row) {
      const std::uint32_t lane = (8 * m) + row;
      std::array<std::byte, 16> bytes{};
      std::memcpy(bytes.data(), matrix[row].data(), 16);
      lanes.machine->shared().write(row_address(lanes, operation, lane), bytes.data(), 16,
                                    lanes.machine->shared_accessor(lanes, static_cast<int>(lane)));
    }
  }
}

}  // namespace

void load_matrix(Lanes& lanes, const Operation& operation) { load<false>(lanes, operation); }
void load_matrix_transposed(Lanes& lanes, const Operation& operation) {
  load<true>(lanes, operation);
}
void store_matrix(Lanes& lanes, const Operation& operation) { store<false>(lanes, operation); }
void store_matrix_transposed(Lanes& lanes, const Operation& operation) {
  store<true>(lanes, operation);
}

}  // namespace ptx::execute

// Global memory of one launch: ranges that do not reach each other, and who wrote each byte of
// those that may be written.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "ptx/memory/findings.hpp"

namespace ptx::memory {

// One execution of a store by a warp; what a byte remembers of its writer is this and the lane.
struct StoreEvent {
  std::uint32_t pc{};
  std::uint32_t block{};
  std::uint32_t warp{};
  std::uint32_t epoch{};  // of the block's barriers
  bool strong{};
};

struct Accessor {
  Who who;
  std::uint32_t warp{};
  std::uint32_t lane{};
  std::uint32_t epoch{};
  bool strong{};  // .volatile, a relaxed access of the system's scope by the ISA: two of them are
                  // no race
};

class GlobalMemory {
 public:
  explicit GlobalMemory(Findings& findings) : findings_(findings) {}

  void add(const Range& range);
  void begin_store(const StoreEvent& event) {
    if (events_.empty() || events_.size() - 1 < most_events) events_.push_back(event);
  }

  // Where `bytes` bytes at the address lie; null where they may not be read, which is a finding.
  [[nodiscard]] const std::byte* read(std::uint64_t address, std::uint32_t bytes, bool non_coherent,
                                      const Accessor& by) {
    const Area* area = last_;
    if (area == nullptr || address - area->range.address > area->range.bytes.size() ||
        area->range.bytes.size() - (address - area->range.address) < bytes ||
        (address & (bytes - 1)) != 0) {
      area = checked(address, bytes, by, "reads");
      if (area == nullptr) return nullptr;
    }
    const std::uint64_t offset = address - area->range.address;
    if (area->range.access != Access::input) read_written(*area, offset, bytes, non_coherent, by);
    return area->range.bytes.data() + offset;
  }
  // Stores them; what may not be stored is a finding and changes nothing.
  void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, const Accessor& by);

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  struct Area {
    Range range;
    // By byte, where it is not an input: 1 + event * 32 + lane of the last store, 0 for none; and
    // whether .nc read it. calloc, so that what no kernel touches costs nothing.
    std::unique_ptr<std::uint32_t[], Free> writers;
    std::unique_ptr<std::uint8_t[], Free> read_only;
  };
  static constexpr std::size_t most_events = std::size_t{1} << 27U;

  Area* checked(std::uint64_t address, std::uint32_t bytes, const Accessor& by, const char* does);
  void read_written(const Area& area, std::uint64_t offset, std::uint32_t bytes, bool non_coherent,
                    const Accessor& by);
  void conflict(const Area& area, std::uint64_t offset, std::uint32_t writer, bool same,
                const Accessor& by);
  [[nodiscard]] Who writer_of(std::uint32_t writer) const;
  [[nodiscard]] bool ordered(std::uint32_t writer, const Accessor& by) const;

  Findings& findings_;
  std::vector<Area> areas_;
  Area* last_{};
  std::vector<StoreEvent> events_;
};

}  // namespace ptx::memory

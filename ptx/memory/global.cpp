#include "ptx/memory/global.hpp"

#include <algorithm>
#include <cstring>

namespace ptx::memory {

void GlobalMemory::add(const Range& range) {
  Area area;
  area.range = range;
  if (range.access != Access::input && !range.bytes.empty()) {
    area.writers.reset(
        static_cast<std::uint32_t*>(std::calloc(range.bytes.size(), sizeof(std::uint32_t))));
    area.read_only.reset(static_cast<std::uint8_t*>(std::calloc(range.bytes.size(), 1)));
    if (area.writers == nullptr || area.read_only == nullptr) std::abort();
  }
  last_ = nullptr;
  areas_.push_back(std::move(area));
}

GlobalMemory::Area* GlobalMemory::checked(std::uint64_t address, std::uint32_t bytes,
                                          const Accessor& by, const char* does) {
  const auto what = [&] {
    return std::string{does} + " " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  };
  Area* nearest = nullptr;
  std::uint64_t distance = ~std::uint64_t{0};
  for (Area& area : areas_) {
    const std::uint64_t begin = area.range.address;
    const std::uint64_t size = area.range.bytes.size();
    if (address >= begin && address - begin <= size && size - (address - begin) >= bytes) {
      if ((address & (bytes - 1)) != 0) {
        findings_.add({.kind = FindingKind::misaligned,
                       .who = by.who,
                       .range = area.range.name,
                       .address = address,
                       .offset = static_cast<std::int64_t>(address - begin),
                       .what = what() + " at offset " + std::to_string(address - begin) + " of " +
                               area.range.name + ", whose address is no multiple of " +
                               std::to_string(bytes)});
        return nullptr;
      }
      last_ = &area;
      return &area;
    }
    const std::uint64_t apart = address < begin ? begin - address : address - begin;
    if (apart < distance && apart < (std::uint64_t{1} << 43U)) {
      distance = apart;
      nearest = &area;
    }
  }
  Findings::Fault fault{.kind = FindingKind::out_of_bounds, .who = by.who, .address = address};
  if (nearest != nullptr) {
    fault.range = nearest->range.name;
    fault.offset = static_cast<std::int64_t>(address - nearest->range.address);
    fault.what = what() + " at offset " + std::to_string(fault.offset) + " of " +
                 nearest->range.name + ", which has " +
                 std::to_string(nearest->range.bytes.size()) + " bytes";
  } else {
    fault.what = what() + " at address " + std::to_string(address) + ", where no range is near";
  }
  findings_.add(fault);
  return nullptr;
}

Who GlobalMemory::writer_of(std::uint32_t writer) const {
  const StoreEvent& event = events_[(writer - 1) / 32];
  return {event.block, event.warp * 32 + (writer - 1) % 32, event.pc};
}

// Whether a barrier of the block, or the order of one thread, lies between, or both are strong.
bool GlobalMemory::ordered(std::uint32_t writer, const Accessor& by) const {
  const StoreEvent& event = events_[(writer - 1) / 32];
  if (event.strong && by.strong) return true;
  if (event.block != by.who.block) return false;
  return event.epoch != by.epoch || (event.warp == by.warp && (writer - 1) % 32 == by.lane);
}

void GlobalMemory::read_written(const Area& area, std::uint64_t offset, std::uint32_t bytes,
                                bool non_coherent, const Accessor& by) {
  Findings::Fault fault{
      .who = by.who, .range = area.range.name, .address = area.range.address + offset};
  for (std::uint64_t at = offset; at < offset + bytes; ++at) {
    const std::uint32_t writer = area.writers[at];
    fault.offset = static_cast<std::int64_t>(at);
    if (non_coherent) area.read_only[at] = 1;
    if (writer == 0) {
      if (area.range.access == Access::inout) continue;
      fault.kind = FindingKind::uninitialised_global;
      fault.what =
          "reads byte " + std::to_string(at) + " of " + area.range.name + ", which nobody wrote";
      findings_.add(fault);
      return;
    }
    const Who other = writer_of(writer);
    if (non_coherent) {
      fault.kind = FindingKind::read_only_path;
      fault.other = &other;
      fault.what = "reads byte " + std::to_string(at) + " of " + area.range.name +
                   " by .nc, which this kernel writes";
      findings_.add(fault);
      return;
    }
    if (ordered(writer, by)) continue;
    fault.kind = FindingKind::global_race;
    fault.other = &other;
    fault.what = "reads byte " + std::to_string(at) + " of " + area.range.name +
                 ", which another thread writes, and nothing orders them";
    findings_.add(fault);
    return;
  }
}

void GlobalMemory::conflict(const Area& area, std::uint64_t offset, std::uint32_t writer, bool same,
                            const Accessor& by) {
  const Who other = writer_of(writer);
  findings_.add({.kind = FindingKind::global_race,
                 .severity = same ? Severity::note : Severity::error,
                 .who = by.who,
                 .other = &other,
                 .range = area.range.name,
                 .address = area.range.address + offset,
                 .offset = static_cast<std::int64_t>(offset),
                 .what = "two threads write byte " + std::to_string(offset) + " of " +
                         area.range.name + (same ? ", the same value" : ", different values")});
}

void GlobalMemory::write(std::uint64_t address, const std::byte* from, std::uint32_t bytes,
                         const Accessor& by) {
  Area* area = last_;
  if (area == nullptr || address - area->range.address > area->range.bytes.size() ||
      area->range.bytes.size() - (address - area->range.address) < bytes ||
      (address & (bytes - 1)) != 0) {
    area = checked(address, bytes, by, "writes");
    if (area == nullptr) return;
  }
  const std::uint64_t offset = address - area->range.address;
  if (area->range.access == Access::input) {
    findings_.add({.kind = FindingKind::write_to_input,
                   .who = by.who,
                   .range = area->range.name,
                   .address = address,
                   .offset = static_cast<std::int64_t>(offset),
                   .what = "writes " + std::to_string(bytes) + " bytes at offset " +
                           std::to_string(offset) + " of " + area->range.name + ", an input"});
    return;
  }
  const auto writer = static_cast<std::uint32_t>(1 + ((events_.size() - 1) * 32) + by.lane);
  std::byte* to = area->range.bytes.data() + offset;
  const std::byte* end = from + bytes;
  std::uint32_t* writers = area->writers.get() + offset;
  const std::uint8_t* read_only = area->read_only.get() + offset;
  // Nobody was here before: the rule.
  std::uint32_t before = 0;
  for (std::uint32_t i = 0; i < bytes; ++i) before |= writers[i] | read_only[i];
  if (before == 0) {
    std::memcpy(to, from, bytes);
    std::fill_n(writers, bytes, writer);
    return;
  }
  for (; from != end; ++from, ++to, ++writers, ++read_only) {
    if (*writers != 0 && !ordered(*writers, by)) {
      conflict(*area, static_cast<std::uint64_t>(to - area->range.bytes.data()), *writers,
               *to == *from, by);
    }
    if (*read_only != 0) {
      findings_.add({.kind = FindingKind::read_only_path,
                     .who = by.who,
                     .range = area->range.name,
                     .address = address,
                     .offset = static_cast<std::int64_t>(offset),
                     .what = "writes a byte of " + area->range.name + " that was read by .nc"});
    }
    *to = *from;
    *writers = writer;
  }
}

}  // namespace ptx::memory

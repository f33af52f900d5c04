#include "ptx/memory/shared.hpp"

#include <algorithm>

namespace ptx::memory {

void SharedMemory::reset(std::size_t bytes) {
  bytes_.assign(bytes, std::byte{0xcd});
  state_.assign(bytes, Byte{});
}

bool SharedMemory::inside(std::uint64_t address, std::uint32_t bytes, const SharedAccessor& by,
                          const char* does) {
  const bool fits = address <= bytes_.size() && bytes_.size() - address >= bytes;
  if (fits && (address & (bytes - 1)) == 0) return true;
  findings_.add({.kind = fits ? FindingKind::misaligned : FindingKind::out_of_bounds,
                 .who = by.who,
                 .range = "shared",
                 .address = address,
                 .offset = static_cast<std::int64_t>(address),
                 .what = std::string{does} + " " + std::to_string(bytes) + " bytes at offset " +
                         std::to_string(address) + " of shared memory" +
                         (fits ? ", no multiple of it"
                               : ", which has " + std::to_string(bytes_.size()) + " bytes")});
  return false;
}

void SharedMemory::race(std::uint64_t at, Access earlier, Severity severity,
                        const SharedAccessor& by, const char* what) {
  const Who other{by.who.block, earlier.thread(), earlier.pc()};
  findings_.add({.kind = FindingKind::shared_race,
                 .severity = severity,
                 .who = by.who,
                 .other = &other,
                 .range = "shared",
                 .address = at,
                 .offset = static_cast<std::int64_t>(at),
                 .what = what + (" byte " + std::to_string(at)) +
                         " of shared memory, and nothing orders the two"});
}

void SharedMemory::running(std::uint64_t at, Access copier, const SharedAccessor& by,
                           const char* does) {
  const Who other{by.who.block, copier.thread(), copier.pc()};
  findings_.add({.kind = FindingKind::async_not_waited,
                 .who = by.who,
                 .other = &other,
                 .range = "shared",
                 .address = at,
                 .offset = static_cast<std::int64_t>(at),
                 .what = std::string{does} + " byte " + std::to_string(at) +
                         " of shared memory, whose cp.async its thread has not waited for"});
}

const std::byte* SharedMemory::read(std::uint64_t address, std::uint32_t bytes,
                                    const SharedAccessor& by) {
  if (!inside(address, bytes, by, "reads")) return nullptr;
  const Access now = Access::of(by);
  for (std::uint64_t at = address; at < address + bytes; ++at) {
    Byte& byte = state_[at];
    if (!byte.copier.none()) {
      running(at, byte.copier, by, "reads");
    } else if (byte.writer.none()) {
      findings_.add(
          {.kind = FindingKind::uninitialised_shared,
           .who = by.who,
           .range = "shared",
           .address = at,
           .offset = static_cast<std::int64_t>(at),
           .what = "reads byte " + std::to_string(at) + " of shared memory, which nobody wrote"});
    } else if (!byte.writer.over_for(by)) {
      race(at, byte.writer, Severity::error, by, "reads what another thread writes,");
    }
    if (byte.reader.none() || byte.reader.over_for(by)) {
      byte.reader = now;
    } else {
      byte.other_reader = now;
    }
  }
  return bytes_.data() + address;
}

void SharedMemory::write(std::uint64_t address, const std::byte* from, std::uint32_t bytes,
                         const SharedAccessor& by) {
  if (!inside(address, bytes, by, "writes")) return;
  const Access now = Access::of(by);
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const std::uint64_t at = address + i;
    Byte& byte = state_[at];
    if (!byte.copier.none()) running(at, byte.copier, by, "writes");
    if (!byte.writer.none() && !byte.writer.over_for(by)) {
      const bool same = bytes_[at] == from[i];
      race(at, byte.writer, same ? Severity::note : Severity::error, by,
           same ? "writes what another thread writes, the same value,"
                : "writes what another thread writes,");
    }
    for (const Access reader : {byte.reader, byte.other_reader}) {
      if (reader.none() || reader.over_for(by)) continue;
      const bool same = bytes_[at] == from[i];
      race(at, reader, same ? Severity::note : Severity::error, by,
           "writes what another thread reads,");
      break;
    }
    byte = {.writer = now, .reader = {}, .other_reader = {}, .copier = byte.copier};
    bytes_[at] = from[i];
  }
}

bool SharedMemory::begin_copy(std::uint64_t address, std::uint32_t bytes,
                              const SharedAccessor& by) {
  if (!inside(address, bytes, by, "writes")) return false;
  for (std::uint64_t at = address; at < address + bytes; ++at) {
    Byte& byte = state_[at];
    if (!byte.copier.none()) running(at, byte.copier, by, "writes");
    if (!byte.writer.none() && !byte.writer.over_for(by)) {
      race(at, byte.writer, Severity::error, by, "copies over what another thread writes,");
    }
    for (const Access reader : {byte.reader, byte.other_reader}) {
      if (reader.none() || reader.over_for(by)) continue;
      race(at, reader, Severity::error, by, "copies over what another thread reads,");
      break;
    }
    byte.copier = Access::of(by);
  }
  return true;
}

void SharedMemory::end_copy(std::uint64_t address, const std::byte* from, std::uint32_t bytes,
                            const SharedAccessor& by) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    state_[address + i] = {
        .writer = Access::of(by), .reader = {}, .other_reader = {}, .copier = {}};
    bytes_[address + i] = from[i];
  }
}

}  // namespace ptx::memory

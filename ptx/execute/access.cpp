#include "ptx/execute/access.hpp"

#include <cstring>

#include "ptx/execute/machine.hpp"

namespace ptx::execute {
namespace {

std::uint64_t address_of(const Lanes& lanes, const Operation& operation, int lane) {
  const MemoryAccess& access = *operation.memory;
  const std::uint64_t base = access.wide_address ? lanes.at<std::uint64_t>(operation.in[0])[lane]
                                                 : lanes.at<std::uint32_t>(operation.in[0])[lane];
  return base + static_cast<std::uint64_t>(access.offset);
}

std::uint64_t element(const std::byte* from, std::uint32_t bytes, bool sign_extend) {
  std::uint64_t value = 0;
  switch (bytes) {
    case 1:
      value = static_cast<std::uint8_t>(*from);
      break;
    case 2: {
      std::uint16_t half = 0;
      std::memcpy(&half, from, 2);
      value = half;
      break;
    }
    case 4: {
      std::uint32_t word = 0;
      std::memcpy(&word, from, 4);
      value = word;
      break;
    }
    default:
      std::memcpy(&value, from, 8);
  }
  if (sign_extend) {
    const unsigned up = 64 - (8 * bytes);
    value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << up) >> up);
  }
  return value;
}

// Puts what was read into the registers of a lane. A register of 16 bits takes the low 16 of a sign
// extension.
void take(const Lanes& lanes, const MemoryAccess& access, int lane, const std::byte* from) {
  for (std::uint32_t i = 0; i < access.count; ++i) {
    const std::uint64_t value =
        element(from + (i * access.element_bytes), access.element_bytes, access.sign_extend);
    if ((access.wide_elements >> i & 1U) != 0) {
      lanes.at<std::uint64_t>(access.slots[i])[lane] = value;
    } else {
      const bool half = (access.narrow_elements >> i & 1U) != 0;
      lanes.at<std::uint32_t>(access.slots[i])[lane] =
          static_cast<std::uint32_t>(half ? value & 0xffffU : value);
    }
  }
}

// The bytes that a lane stores.
void give(const Lanes& lanes, const MemoryAccess& access, int lane, std::byte* to) {
  for (std::uint32_t i = 0; i < access.count; ++i) {
    if ((access.wide_elements >> i & 1U) != 0) {
      std::memcpy(to + (i * access.element_bytes), lanes.at<std::uint64_t>(access.slots[i]) + lane,
                  access.element_bytes);
    } else {
      std::memcpy(to + (i * access.element_bytes), lanes.at<std::uint32_t>(access.slots[i]) + lane,
                  access.element_bytes);
    }
  }
}

constexpr std::array<std::byte, 32> nothing{};  // what a read gives that may not be

void load_global(Lanes& lanes, const Operation& operation) {
  const MemoryAccess& access = *operation.memory;
  const std::uint32_t bytes = access.element_bytes * std::uint32_t{access.count};
  memory::GlobalMemory& global = lanes.machine->global();
  memory::Accessor by = lanes.machine->accessor(lanes, 0);
  by.strong = access.strong;
  const std::uint32_t first = by.who.thread;
  lanes.each([&](int lane) {
    by.who.thread = first + static_cast<std::uint32_t>(lane);
    by.lane = static_cast<std::uint32_t>(lane);
    const std::byte* from =
        global.read(address_of(lanes, operation, lane), bytes, access.non_coherent, by);
    take(lanes, access, lane, from == nullptr ? nothing.data() : from);
  });
}

// The frequent shapes: elements that go as they are into registers of up to 32 bits.
template <class Element, unsigned Count>
void load_global_of(Lanes& lanes, const Operation& operation) {
  const MemoryAccess& access = *operation.memory;
  memory::GlobalMemory& global = lanes.machine->global();
  memory::Accessor by = lanes.machine->accessor(lanes, 0);
  const std::uint32_t first = by.who.thread;
  const std::uint64_t* base = lanes.at<std::uint64_t>(operation.in[0]);
  std::array<std::uint32_t*, Count> to;
  for (unsigned i = 0; i < Count; ++i) to[i] = lanes.at<std::uint32_t>(access.slots[i]);
  lanes.each([&](int lane) {
    by.who.thread = first + static_cast<std::uint32_t>(lane);
    by.lane = static_cast<std::uint32_t>(lane);
    const std::byte* from = global.read(base[lane] + static_cast<std::uint64_t>(access.offset),
                                        sizeof(Element) * Count, access.non_coherent, by);
    std::array<Element, Count> elements{};
    if (from != nullptr) std::memcpy(elements.data(), from, sizeof elements);
    for (unsigned i = 0; i < Count; ++i) to[i][lane] = elements[i];
  });
}

template <class Element>
Run global_loader(unsigned count) {
  return count == 1   ? load_global_of<Element, 1>
         : count == 2 ? load_global_of<Element, 2>
         : count == 4 ? load_global_of<Element, 4>
                      : load_global;
}

void load_shared(Lanes& lanes, const Operation& operation) {
  const MemoryAccess& access = *operation.memory;
  const std::uint32_t bytes = access.element_bytes * std::uint32_t{access.count};
  memory::SharedAccessor by = lanes.machine->shared_accessor(lanes, 0);
  const std::uint32_t first = by.who.thread;
  lanes.each([&](int lane) {
    by.who.thread = first + static_cast<std::uint32_t>(lane);
    const std::byte* from =
        lanes.machine->shared().read(address_of(lanes, operation, lane), bytes, by);
    take(lanes, access, lane, from == nullptr ? nothing.data() : from);
  });
}

void load_parameter(Lanes& lanes, const Operation& operation) {  // its bounds were checked before
  const MemoryAccess& access = *operation.memory;
  const std::byte* from = lanes.machine->parameters().at(access.offset);
  lanes.each([&](int lane) { take(lanes, access, lane, from); });
}

void load_parameter_by_address(Lanes& lanes, const Operation& operation) {
  const MemoryAccess& access = *operation.memory;
  const std::uint32_t bytes = access.element_bytes * std::uint32_t{access.count};
  memory::Who by = lanes.machine->accessor(lanes, 0).who;
  const std::uint32_t first = by.thread;
  lanes.each([&](int lane) {
    by.thread = first + static_cast<std::uint32_t>(lane);
    const std::byte* from =
        lanes.machine->parameters().read(address_of(lanes, operation, lane), bytes, by);
    take(lanes, access, lane, from == nullptr ? nothing.data() : from);
  });
}

void load_constant(Lanes& lanes, const Operation& operation) {
  const MemoryAccess& access = *operation.memory;
  const std::uint32_t bytes = access.element_bytes * std::uint32_t{access.count};
  const std::span<const std::byte> constants = lanes.machine->constants();
  lanes.each([&](int lane) {
    const std::uint64_t address = address_of(lanes, operation, lane);
    if (address <= constants.size() && constants.size() - address >= bytes &&
        (address & (bytes - 1)) == 0) {
      take(lanes, access, lane, constants.data() + address);
      return;
    }
    lanes.machine->fault(lanes, lane, FindingKind::out_of_bounds,
                         "reads " + std::to_string(bytes) + " bytes at " + std::to_string(address) +
                             " of constants, which have " + std::to_string(constants.size()) +
                             " bytes");
    take(lanes, access, lane, nothing.data());
  });
}

// Bytes from and to of what a store writes, without the elements that are `_`.
template <class F>
void each_piece(const MemoryAccess& access, F body) {
  if (access.skipped == 0) {
    body(0U, access.element_bytes * std::uint32_t{access.count});
    return;
  }
  for (std::uint32_t i = 0; i < access.count; ++i) {
    if ((access.skipped >> i & 1U) == 0)
      body(i * access.element_bytes, std::uint32_t{access.element_bytes});
  }
}

void store_global(Lanes& lanes, const Operation& operation) {
  const MemoryAccess& access = *operation.memory;
  memory::GlobalMemory& global = lanes.machine->global();
  lanes.machine->begin_store(lanes, access.strong);
  memory::Accessor by = lanes.machine->accessor(lanes, 0);
  by.strong = access.strong;
  const std::uint32_t first = by.who.thread;
  std::array<std::byte, 32> bytes;
  lanes.each([&](int lane) {
    by.who.thread = first + static_cast<std::uint32_t>(lane);
    by.lane = static_cast<std::uint32_t>(lane);
    give(lanes, access, lane, bytes.data());
    const std::uint64_t address = address_of(lanes, operation, lane);
    each_piece(access, [&](std::uint32_t at, std::uint32_t size) {
      global.write(address + at, bytes.data() + at, size, by);
    });
  });
}

void store_shared(Lanes& lanes, const Operation& operation) {
  const MemoryAccess& access = *operation.memory;
  memory::SharedAccessor by = lanes.machine->shared_accessor(lanes, 0);
  const std::uint32_t first = by.who.thread;
  std::array<std::byte, 32> bytes;
  lanes.each([&](int lane) {
    by.who.thread = first + static_cast<std::uint32_t>(lane);
    give(lanes, access, lane, bytes.data());
    const std::uint64_t address = address_of(lanes, operation, lane);
    each_piece(access, [&](std::uint32_t at, std::uint32_t size) {
      lanes.machine->shared().write(address + at, bytes.data() + at, size, by);
    });
  });
}

}  // namespace

Run loader(const MemoryAccess& access) {
  switch (access.space) {
    case Space::global:
      if (access.wide_elements != 0 || access.sign_extend || !access.wide_address || access.strong)
        return load_global;
      return access.element_bytes == 1   ? global_loader<std::uint8_t>(access.count)
             : access.element_bytes == 2 ? global_loader<std::uint16_t>(access.count)
             : access.element_bytes == 4 ? global_loader<std::uint32_t>(access.count)
                                         : load_global;
    case Space::shared:
      return load_shared;
    case Space::parameter:
      return access.wide_address ? load_parameter_by_address : load_parameter;
    case Space::constant:
      break;
  }
  return load_constant;
}

Run storer(const MemoryAccess& access) {
  return access.space == Space::global ? store_global : store_shared;
}

void no_effect(Lanes&, const Operation&) {}

}  // namespace ptx::execute

// An instruction made ready: what runs it, and where its operands lie in a warp's file of
// registers.
//
// A register is a slot of 32 lanes: std::uint32_t for 8, 16 and 32 bits (the bits above are zero),
// std::uint64_t for 64, and one std::uint32_t with a bit for each lane for a predicate. Immediates,
// special registers and addresses of variables are slots that nothing writes. So an operand is an
// offset.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ptx::execute {

struct Lanes;
struct Operation;
using Run = void (*)(Lanes& lanes, const Operation& operation);

inline constexpr int warp_lanes = 32;
inline constexpr std::uint32_t all_lanes = 0xffff'ffff;

// The first slots of every file.
inline constexpr std::uint32_t slot_true = 0;  // a predicate that holds: the guard of what has none
inline constexpr std::uint32_t slot_carry =
    64;  // the condition code of add.cc and the like, a bit a lane
inline constexpr std::uint32_t slot_nowhere = 128;  // what goes to the sink `_`
inline constexpr std::uint32_t slot_zero = 384;     // zeros, of 64 bits
inline constexpr std::uint32_t slot_free = 640;

enum class Flow : std::uint8_t {
  next,
  branch,
  exit,
  barrier,  // waits for the block
};

enum class Space : std::uint8_t { global, shared, parameter, constant };

// The part of a load or a store that an Operation has no room for.
struct MemoryAccess {
  Space space{};
  std::uint8_t element_bytes{};
  std::uint8_t count{1};
  bool sign_extend{};
  bool wide_address{};  // the address register has 64 bits; a parameter by its name has none
  bool non_coherent{};  // .nc
  bool strong{};        // .volatile: two of them race for nothing
  std::int64_t offset{};
  std::array<std::uint32_t, 8> slots{};  // of the elements
  std::uint8_t wide_elements{};          // a bit for each element whose slot has 64 bits
  std::uint8_t narrow_elements{};        // and for each whose register has 8 or 16
  std::uint8_t skipped{};                // a bit for each element of a store that is `_`
};

struct Operation {
  Run run{};
  std::uint32_t guard{slot_true};
  std::uint32_t guard_flip{};  // all ones for @!p
  std::uint32_t out{};
  std::uint32_t out2{slot_nowhere};
  std::array<std::uint32_t, 5> in{};
  std::uint32_t flip{};  // all ones where the source predicate is negated
  std::uint32_t target{};
  Flow flow{};
  bool watched{};  // has registers that an earlier instruction may not have set
  std::uint64_t immediate{};
  const MemoryAccess* memory{};
};

// Registers of an instruction whose setting is watched at run time, by number.
struct Watched {
  std::vector<std::uint32_t> guard;  // none or one
  std::vector<std::uint32_t> read;
  std::vector<std::uint32_t> written;
};

}  // namespace ptx::execute

// What a launch of a kernel has to say of it: the faults that it committed, each at its line.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptx {

enum class FindingKind : std::uint8_t {
  out_of_bounds,           // an address in no range, or one that leaves its range
  misaligned,              // an access whose address is no multiple of its size
  write_to_input,          // a store into a range that is Access::input
  uninitialised_global,    // a byte of an output or of scratch that nobody wrote
  uninitialised_shared,    // a byte of shared memory that nobody wrote
  uninitialised_register,  // a register that no instruction set
  shared_race,             // two threads, one byte of shared memory, nothing orders them
  global_race,     // two threads write one byte of global memory, or one reads what another writes
  read_only_path,  // ld.global.nc of a byte that this kernel writes
  async_not_waited,    // bytes of a cp.async that its thread did not wait for
  barrier_divergence,  // a barrier, shuffle or the like that a part of its warp does not reach
  barrier_deadlock,    // all threads left wait, and nothing can release them
  budget_exhausted,    // a warp executed more instructions than Launch::budget
  undefined,           // what the ISA leaves undefined, and hardware might do anything
};
std::string_view name(FindingKind kind);  // "shared_race"

enum class Severity : std::uint8_t {
  note,  // a fault by the rules that changes no byte: two threads store the same value
  error,
};

// Who did it, where. `line` is of the PTX text; `source` is "file:line" by .loc, empty without.
struct Actor {
  std::array<std::uint32_t, 3> block{};
  std::array<std::uint32_t, 3> thread{};
  std::uint32_t pc{};  // index of the instruction in its entry
  std::uint32_t line{};
  std::string text;  // the instruction
  std::string source;

  bool operator==(const Actor&) const = default;
};

// One fault. Faults of the same kind at the same instructions are one finding with a count; the
// actors are those of the first time.
struct Finding {
  FindingKind kind{};
  Severity severity{Severity::error};
  std::vector<Actor>
      actors;               // the one who noticed first; of a race both, the earlier access second
  std::string range;        // name of the range or "shared"; empty where no memory is at fault
  std::uint64_t address{};  // device address, or offset in shared memory
  std::int64_t offset{};    // from the start of `range`
  std::uint64_t count{1};   // how many threads did so, over the whole launch
  std::string message;      // all of the above for a person, on one line
};

}  // namespace ptx

// An entry made ready to run.
#pragma once

#include <deque>
#include <vector>

#include "ptx/execute/operation.hpp"
#include "ptx/parse/syntax.hpp"

namespace ptx::execute {

enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
};

struct Program {
  const parse::Body* body{};
  std::vector<Operation> operations;
  std::deque<MemoryAccess> accesses;  // stay where they are
  std::uint32_t file_bytes{};         // of a warp's registers
  std::uint32_t registers_from{};     // slots from here to there are set to zero for each block
  std::uint32_t registers_to{};

  struct Constant {
    std::uint32_t slot{};
    bool wide{};
    std::uint64_t value{};
  };
  std::vector<Constant> constants;
  struct SpecialSlot {
    std::uint32_t slot{};
    Special special{};
  };
  std::vector<SpecialSlot> specials;
  // For each operation with `watched`.
  std::vector<Watched> watched;  // by pc; empty where none is
  std::uint32_t watched_registers{};
  std::vector<std::string> watched_names;

  std::uint32_t shared_bytes{};  // static, module scope included
  std::uint32_t dynamic_offset{};
};

// Where a module's own variables lie, outside of all ranges of a launch.
inline constexpr std::uint64_t globals_address = std::uint64_t{1} << 40U;

}  // namespace ptx::execute

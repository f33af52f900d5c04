// The state of 32 threads that execute together.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ptx/execute/operation.hpp"

namespace ptx::execute {

// Lanes that stand at one instruction and wait until the lanes before it get there.
struct Group {
  std::uint32_t pc{};
  std::uint32_t mask{};
};

// A piece that cp.async is copying.
struct Copy {
  std::uint64_t to{};
  std::uint32_t lane{};
  std::uint32_t pc{};
  std::uint32_t bytes{};
  std::uint32_t group{};  // of its lane: index of the commit_group that will close it
  std::array<std::byte, 16> from{};
};

struct Warp {
  std::unique_ptr<std::byte[]> memory;  // of `file`, with room to align it
  std::byte* file{};
  std::vector<std::uint32_t> defined;  // by watched register, a bit for each lane
  std::uint32_t index{};
  std::uint32_t live{};    // lanes that did not exit
  std::uint32_t active{};  // lanes that execute now
  std::uint32_t pc{};
  std::vector<Group> waiting;  // by pc, the lowest last; none at or before `pc`
  std::uint64_t executed{};

  enum class State : std::uint8_t { running, at_barrier, done };
  State state{State::running};
  std::uint32_t barrier{};
  std::uint32_t barrier_threads{};  // 0: all of the block

  std::vector<std::uint32_t> clocks;  // by warp; see ptx/memory/shared.hpp
  std::vector<Copy> copies;
  std::array<std::uint32_t, warp_lanes> committed{};  // groups of each lane

  // Goes on at the lowest pc among the lanes that execute (at `pc`) and those that wait.
  void settle();
  // Lanes leave for another place.
  void send(std::uint32_t pc, std::uint32_t mask);
};

}  // namespace ptx::execute

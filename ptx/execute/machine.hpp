// One launch: blocks one after the other, the warps of a block in turns from barrier to barrier,
// and within a warp the lanes at the lowest instruction first, so that they meet again where paths
// join.
#pragma once

#include <vector>

#include "ptx/execute/lanes.hpp"
#include "ptx/execute/program.hpp"
#include "ptx/execute/warp.hpp"
#include "ptx/memory/global.hpp"
#include "ptx/memory/parameters.hpp"
#include "ptx/memory/shared.hpp"

namespace ptx::execute {

class Machine {
 public:
  Machine(const parse::ModuleText& module, const Program& program, const Launch& launch,
          std::string name);

  [[nodiscard]] Report run();

  // For the instructions.
  [[nodiscard]] memory::Accessor accessor(const Lanes& lanes, int lane) const;
  [[nodiscard]] memory::SharedAccessor shared_accessor(const Lanes& lanes, int lane) const;
  [[nodiscard]] memory::GlobalMemory& global() { return global_; }
  [[nodiscard]] memory::SharedMemory& shared() { return shared_; }
  [[nodiscard]] const memory::ParameterMemory& parameters() const { return parameters_; }
  [[nodiscard]] std::span<const std::byte> constants() const { return constants_; }
  void begin_store(const Lanes& lanes, bool strong);
  void fault(const Lanes& lanes, int lane, FindingKind kind, std::string what);
  // Whether all lanes of the mask that did not exit are here; a finding where not.
  bool converged(const Lanes& lanes, std::uint32_t members, const char* what);
  // The lanes of a warp wait for each other: what they did before is over for them.
  void synchronize_warp(const Lanes& lanes, std::uint32_t members);
  void end_copies(Warp& warp, std::uint32_t lane, std::uint32_t group);

 private:
  void start_block();
  void run_block();
  void run_warp(Warp& warp);
  void watch(const Lanes& lanes);
  void arrive(Lanes& lanes, const Operation& operation);
  void leave(Lanes& lanes);
  bool release_barriers();
  void deadlock();
  [[nodiscard]] std::uint32_t thread_of(const Warp& warp, int lane) const {
    return (warp.index * 32) + static_cast<std::uint32_t>(lane);
  }

  const Program& program_;
  const Launch& launch_;
  memory::Findings findings_;
  memory::GlobalMemory global_;
  memory::SharedMemory shared_;
  memory::ParameterMemory parameters_;
  std::vector<std::byte> globals_;
  std::vector<std::byte> constants_;
  std::vector<Warp> warps_;
  Report report_;
  std::uint32_t block_{};
  std::uint32_t threads_{};
  std::uint32_t epoch_{};  // of the block's barriers
  bool stopped_{};
};

}  // namespace ptx::execute

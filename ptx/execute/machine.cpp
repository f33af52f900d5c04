#include "ptx/execute/machine.hpp"

#include <algorithm>
#include <cstring>

namespace ptx::execute {
namespace {

std::array<std::uint32_t, 3> place(std::uint32_t index, const std::array<std::uint32_t, 3>& size) {
  return {index % size[0], index / size[0] % size[1], index / size[0] / size[1]};
}

std::uint32_t value_of(Special special, const std::array<std::uint32_t, 3>& thread,
                       const std::array<std::uint32_t, 3>& block, const Launch& launch,
                       std::uint32_t index) {
  const auto which = static_cast<std::uint32_t>(special);
  if (special == Special::laneid) return index % 32;
  if (special == Special::warpid) return index / 32;
  const std::array<const std::array<std::uint32_t, 3>*, 4> all = {&thread, &launch.block, &block,
                                                                  &launch.grid};
  return (*all[which / 3])[which % 3];
}

}  // namespace

Machine::Machine(const parse::ModuleText& module, const Program& program, const Launch& launch,
                 std::string name)
    : program_(program),
      launch_(launch),
      findings_(module, *program.body, launch, std::move(name)),
      global_(findings_),
      shared_(findings_),
      parameters_(program.body->entry.parameters, launch.parameters, findings_),
      globals_(module.global_bytes),
      constants_(module.constant_bytes) {
  threads_ = launch.block[0] * launch.block[1] * launch.block[2];
  for (const auto& [unused, variable] : module.variables) {
    auto& to = variable.space == parse::Variable::Space::global ? globals_ : constants_;
    if (variable.space == parse::Variable::Space::shared) continue;
    for (std::size_t i = 0; i < variable.values.size(); ++i)
      to[variable.offset + i] = std::byte{variable.values[i]};
  }
  if (launch.variables != nullptr && !launch.variables->empty()) globals_ = *launch.variables;
  for (const Range& range : launch.memory) global_.add(range);
  if (!globals_.empty()) {
    global_.add({.name = "variables of the module",
                 .address = globals_address,
                 .bytes = globals_,
                 .access = Access::inout});
  }
  report_.executed.resize(program.operations.size());
  warps_.resize((threads_ + 31) / 32);
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    Warp& warp = warps_[i];
    warp.index = static_cast<std::uint32_t>(i);
    warp.memory = std::make_unique<std::byte[]>(program.file_bytes + 64U);
    void* start = warp.memory.get();
    std::size_t room = program.file_bytes + 64U;
    warp.file = static_cast<std::byte*>(std::align(64, program.file_bytes, start, room));
    *reinterpret_cast<std::uint32_t*>(warp.file + slot_true) = all_lanes;
    for (const Program::Constant& constant : program.constants) {
      for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
        if (constant.wide) {
          std::memcpy(warp.file + constant.slot + (8 * lane), &constant.value, 8);
        } else {
          std::memcpy(warp.file + constant.slot + (4 * lane), &constant.value, 4);
        }
      }
    }
  }
}

void Machine::start_block() {
  epoch_ = 0;
  shared_.reset(std::size_t{program_.dynamic_offset} + launch_.dynamic_shared_bytes);
  const std::array<std::uint32_t, 3> block = place(block_, launch_.grid);
  for (Warp& warp : warps_) {
    const std::uint32_t lanes = std::min<std::uint32_t>(32, threads_ - warp.index * 32);
    warp.live = lanes == 32 ? all_lanes : (1U << lanes) - 1;
    warp.active = warp.live;
    warp.pc = 0;
    warp.waiting.clear();
    warp.executed = 0;
    warp.state = Warp::State::running;
    warp.clocks.assign(warps_.size(), 0);
    warp.clocks[warp.index] = 1;  // 0 is what nobody knows yet
    warp.copies.clear();
    warp.committed.fill(0);
    warp.defined.assign(program_.watched_registers, 0);
    std::memset(warp.file + program_.registers_from, 0,
                program_.registers_to - program_.registers_from);
    for (const Program::SpecialSlot& special : program_.specials) {
      auto* slot = reinterpret_cast<std::uint32_t*>(warp.file + special.slot);
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t index = (warp.index * 32) + lane;
        slot[lane] = value_of(special.special, place(index, launch_.block), block, launch_, index);
      }
    }
  }
}

void Machine::run_warp(Warp& warp) {
  Lanes lanes{.file = warp.file, .mask = 0, .pc = 0, .warp = &warp, .machine = this};
  const Operation* operations = program_.operations.data();
  const auto end = static_cast<std::uint32_t>(program_.operations.size());
  while (warp.state == Warp::State::running && !stopped_) {
    if (warp.live == 0) {
      warp.state = Warp::State::done;
      return;
    }
    if (launch_.budget != 0 && warp.executed >= launch_.budget) {
      lanes.mask = warp.active;
      lanes.pc = warp.pc;
      fault(lanes, std::countr_zero(warp.active), FindingKind::budget_exhausted,
            "a warp executed " + std::to_string(warp.executed) + " instructions, all that it may");
      stopped_ = true;
      return;
    }
    if (warp.pc >= end) {  // the end of the text is an exit too
      lanes.mask = warp.active;
      leave(lanes);
      continue;
    }
    // Up to where other lanes wait, straight on.
    const std::uint32_t pc = warp.pc;
    const Operation& operation = operations[pc];
    lanes.pc = pc;
    lanes.mask = warp.active & (lanes.predicate(operation.guard) ^ operation.guard_flip);
    ++warp.executed;
    ++report_.executed[pc];
    if (operation.watched) [[unlikely]]
      watch(lanes);
    if (lanes.mask != 0) {
      report_.thread_instructions += static_cast<std::uint64_t>(std::popcount(lanes.mask));
      switch (operation.flow) {
        case Flow::next:
          operation.run(lanes, operation);
          break;
        case Flow::branch:
          if (lanes.mask == warp.active) {
            warp.pc = operation.target;
          } else {
            warp.active &= ~lanes.mask;
            warp.send(operation.target, lanes.mask);
            warp.pc = pc + 1;
          }
          if (!warp.waiting.empty()) warp.settle();
          continue;
        case Flow::exit:
          leave(lanes);
          continue;
        case Flow::barrier:
          arrive(lanes, operation);
          break;
      }
    }
    warp.pc = pc + 1;
    if (!warp.waiting.empty() && warp.waiting.back().pc <= warp.pc) warp.settle();
  }
}

void Machine::leave(Lanes& lanes) {
  Warp& warp = *lanes.warp;
  for (const Copy& copy : warp.copies) {
    if ((lanes.mask >> copy.lane & 1U) == 0) continue;
    findings_.add({.kind = FindingKind::async_not_waited,
                   .severity = Severity::note,
                   .who = {block_, thread_of(warp, static_cast<int>(copy.lane)), copy.pc},
                   .range = "shared",
                   .address = copy.to,
                   .offset = static_cast<std::int64_t>(copy.to),
                   .what = "a thread ends without waiting for its cp.async"});
  }
  warp.live &= ~lanes.mask;
  warp.active &= ~lanes.mask;
  warp.pc += 1;
  if (warp.active == 0 && !warp.waiting.empty()) {
    warp.active = warp.waiting.back().mask;
    warp.pc = warp.waiting.back().pc;
    warp.waiting.pop_back();
  }
  warp.settle();
}

void Machine::watch(const Lanes& lanes) {
  Warp& warp = *lanes.warp;
  const Watched& watched = program_.watched[lanes.pc];
  const auto look = [&](std::uint32_t reg, std::uint32_t readers) {
    const std::uint32_t missing = readers & ~warp.defined[reg];
    if (missing == 0) return;
    fault(lanes, std::countr_zero(missing), FindingKind::uninitialised_register,
          "reads " + program_.watched_names[reg] + ", which no instruction set");
    warp.defined[reg] |= missing;  // said once
  };
  for (const std::uint32_t reg : watched.guard) look(reg, warp.active);
  for (const std::uint32_t reg : watched.read) look(reg, lanes.mask);
  for (const std::uint32_t reg : watched.written) warp.defined[reg] |= lanes.mask;
}

void Machine::run_block() {
  start_block();
  while (!stopped_) {
    bool all_done = true;
    for (Warp& warp : warps_) {
      run_warp(warp);
      if (findings_.full()) stopped_ = true;
      if (stopped_) return;
      all_done = all_done && warp.state == Warp::State::done;
    }
    if (all_done) return;
    if (!release_barriers()) {
      deadlock();
      stopped_ = true;
    }
  }
}

Report Machine::run() {
  const std::uint64_t blocks = std::uint64_t{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2];
  for (std::uint64_t block = 0; block < blocks && !stopped_; ++block) {
    block_ = static_cast<std::uint32_t>(block);
    run_block();
  }
  report_.completed = !stopped_;
  if (launch_.variables != nullptr) *launch_.variables = globals_;
  report_.findings = findings_.take();
  for (const std::uint64_t count : report_.executed) report_.warp_instructions += count;
  return std::move(report_);
}

}  // namespace ptx::execute

// How lanes and warps part and meet.
#include <algorithm>

#include "ptx/execute/machine.hpp"

namespace ptx::execute {

void Warp::send(std::uint32_t to, std::uint32_t mask) {
  for (Group& group : waiting) {
    if (group.pc == to) {
      group.mask |= mask;
      return;
    }
  }
  const auto behind = std::find_if(waiting.begin(), waiting.end(),
                                   [&](const Group& group) { return group.pc < to; });
  waiting.insert(behind, {to, mask});
}

void Warp::settle() {
  while (!waiting.empty() && waiting.back().pc <= pc) {
    const Group next = waiting.back();
    waiting.pop_back();
    if (next.pc == pc) {
      active |= next.mask;
    } else {
      if (active != 0) send(pc, active);
      pc = next.pc;
      active = next.mask;
    }
  }
}

memory::Accessor Machine::accessor(const Lanes& lanes, int lane) const {
  return {{block_, thread_of(*lanes.warp, lane), lanes.pc},
          lanes.warp->index,
          static_cast<std::uint32_t>(lane),
          epoch_,
          false};
}

memory::SharedAccessor Machine::shared_accessor(const Lanes& lanes, int lane) const {
  return {{block_, thread_of(*lanes.warp, lane), lanes.pc}, lanes.warp->index, &lanes.warp->clocks};
}

void Machine::begin_store(const Lanes& lanes, bool strong) {
  global_.begin_store({lanes.pc, block_, lanes.warp->index, epoch_, strong});
}

void Machine::fault(const Lanes& lanes, int lane, FindingKind kind, std::string what) {
  findings_.add({.kind = kind,
                 .who = {block_, thread_of(*lanes.warp, lane), lanes.pc},
                 .range = {},
                 .what = std::move(what)});
}

bool Machine::converged(const Lanes& lanes, std::uint32_t members, const char* what) {
  const std::uint32_t absent = members & lanes.warp->live & ~lanes.mask;
  const std::uint32_t strangers = lanes.mask & ~members;
  if (absent == 0 && strangers == 0) return true;
  const int lane = std::countr_zero(absent != 0 ? absent : strangers);
  fault(
      lanes, std::countr_zero(lanes.mask), FindingKind::barrier_divergence,
      std::string{what} +
          (absent != 0 ? ": lane " + std::to_string(lane) + " of its warp is elsewhere"
                       : ": lane " + std::to_string(lane) + " executes it and is not in its mask"));
  return false;
}

void Machine::synchronize_warp(const Lanes& lanes, std::uint32_t members) {
  if ((lanes.warp->live & ~members) == 0) ++lanes.warp->clocks[lanes.warp->index];
}

void Machine::end_copies(Warp& warp, std::uint32_t lane, std::uint32_t group) {
  const memory::SharedAccessor base{
      {block_, thread_of(warp, static_cast<int>(lane)), 0}, warp.index, &warp.clocks};
  std::erase_if(warp.copies, [&](const Copy& copy) {
    if (copy.lane != lane || copy.group >= group) return false;
    memory::SharedAccessor by = base;
    by.who.pc = copy.pc;
    shared_.end_copy(copy.to, copy.from.data(), copy.bytes, by);
    return true;
  });
}

void Machine::arrive(Lanes& lanes, const Operation& operation) {
  Warp& warp = *lanes.warp;
  if (lanes.mask != warp.live) {
    const int elsewhere = std::countr_zero(warp.live & ~lanes.mask);
    fault(
        lanes, std::countr_zero(lanes.mask), FindingKind::barrier_divergence,
        "a barrier that lane " + std::to_string(elsewhere) + " of its warp does not reach with it");
  }
  const int lane = std::countr_zero(lanes.mask);
  const std::uint32_t id = lanes.at<std::uint32_t>(operation.in[0])[lane];
  const std::uint32_t threads = lanes.at<std::uint32_t>(operation.in[1])[lane];
  if (id > 15 || threads % 32 != 0) {
    fault(lanes, lane, FindingKind::undefined,
          "barrier " + std::to_string(id) + " of " + std::to_string(threads) +
              " threads: there are barriers 0 to 15, of a multiple of 32 threads");
  }
  warp.barrier = id;
  warp.barrier_threads = threads;
  warp.state = Warp::State::at_barrier;
}

bool Machine::release_barriers() {
  bool released = false;
  std::uint32_t alive = 0;
  for (const Warp& warp : warps_) alive += warp.state != Warp::State::done ? 1U : 0U;
  for (const Warp& first : warps_) {
    if (first.state != Warp::State::at_barrier) continue;
    const std::uint32_t id = first.barrier;
    const std::uint32_t need = first.barrier_threads == 0 ? alive : first.barrier_threads / 32;
    std::vector<Warp*> arrived;
    for (Warp& warp : warps_) {
      if (warp.state == Warp::State::at_barrier && warp.barrier == id) arrived.push_back(&warp);
    }
    if (arrived.size() < need) continue;
    // Each knows of the others what they did up to here; their own counts go on.
    std::vector<std::uint32_t> known(warps_.size());
    for (const Warp* warp : arrived) {
      for (std::size_t i = 0; i < known.size(); ++i) known[i] = std::max(known[i], warp->clocks[i]);
    }
    for (Warp* warp : arrived) ++known[warp->index];
    for (Warp* warp : arrived) {
      warp->clocks = known;
      warp->state = Warp::State::running;
    }
    ++epoch_;
    released = true;
  }
  return released;
}

void Machine::deadlock() {
  std::string what = "no thread can go on:";
  const Warp* first = nullptr;
  for (const Warp& warp : warps_) {
    if (warp.state != Warp::State::at_barrier) continue;
    if (first == nullptr) first = &warp;
    what += " warp " + std::to_string(warp.index) + " waits at barrier " +
            std::to_string(warp.barrier) + " in line " +
            std::to_string(program_.body->instructions[warp.pc - 1].line) + ";";
  }
  if (first == nullptr) return;
  const int lane = std::countr_zero(first->live);
  findings_.add({.kind = FindingKind::barrier_deadlock,
                 .who = {block_, thread_of(*first, lane), first->pc - 1},
                 .range = {},
                 .what = what + " the others ended"});
}

}  // namespace ptx::execute

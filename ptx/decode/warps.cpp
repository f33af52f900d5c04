// What lanes of a warp do together, barriers, branches, and hints without an effect:
// ISA 9.7.9.6, 9.7.12-14.
#include <array>
#include <bit>

#include "ptx/decode/form.hpp"
#include "ptx/execute/access.hpp"
#include "ptx/execute/machine.hpp"

namespace ptx::decode {
namespace {

using execute::Flow;
using execute::Lanes;
using execute::Operation;
using u32 = std::uint32_t;

enum class Shuffle : std::uint8_t { up, down, bfly, idx };

template <Shuffle Mode>
void shuffle(Lanes& lanes, const Operation& operation) {
  const u32* a = lanes.at<u32>(operation.in[0]);
  const u32* b = lanes.at<u32>(operation.in[1]);
  const u32* c = lanes.at<u32>(operation.in[2]);
  const u32* members = lanes.at<u32>(operation.in[3]);
  lanes.machine->converged(lanes, members[std::countr_zero(lanes.mask)], "shfl.sync");
  std::array<u32, 32> result{};
  u32 in_range = 0;
  lanes.each([&](int at) {
    const auto lane = static_cast<u32>(at);
    const u32 offset = b[lane] & 31U;
    const u32 clamp = c[lane] & 31U;
    const u32 segment = (c[lane] >> 8U) & 31U;
    const u32 most = (lane & segment) | (clamp & ~segment);
    const u32 least = lane & segment;
    u32 from = 0;
    bool inside = false;
    switch (Mode) {
      case Shuffle::up:
        from = lane - offset;
        inside = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(most);
        break;
      case Shuffle::down:
        from = lane + offset;
        inside = from <= most;
        break;
      case Shuffle::bfly:
        from = lane ^ offset;
        inside = from <= most;
        break;
      case Shuffle::idx:
        from = least | (offset & ~segment);
        inside = from <= most;
        break;
    }
    if (!inside) from = lane;
    if (inside) in_range |= 1U << lane;
    if ((lanes.mask >> from & 1U) == 0 && from != lane) {
      lanes.machine->fault(
          lanes, at, FindingKind::undefined,
          "shfl.sync from lane " + std::to_string(from) + ", which does not execute it");
    }
    result[lane] = a[from & 31U];
  });
  u32* d = lanes.at<u32>(operation.out);
  lanes.each([&](int lane) { d[lane] = result[static_cast<std::size_t>(lane)]; });
  lanes.set_predicate(operation.out2, in_range);
}

enum class Vote : std::uint8_t { all, any, uniform, ballot };

template <Vote Mode>
void vote(Lanes& lanes, const Operation& operation) {
  const u32 members = lanes.at<u32>(operation.in[1])[std::countr_zero(lanes.mask)];
  lanes.machine->converged(lanes, members, "vote.sync");
  const u32 yes = (lanes.predicate(operation.in[0]) ^ operation.flip) & lanes.mask & members;
  const u32 asked = lanes.mask & members;
  if (Mode == Vote::ballot) {
    u32* d = lanes.at<u32>(operation.out);
    lanes.each([&](int lane) { d[lane] = yes; });
    return;
  }
  const bool answer = Mode == Vote::all   ? yes == asked
                      : Mode == Vote::any ? yes != 0
                                          : yes == 0 || yes == asked;
  lanes.set_predicate(operation.out, answer ? execute::all_lanes : 0);
}

template <auto F>
void reduce(Lanes& lanes, const Operation& operation) {
  const u32* a = lanes.at<u32>(operation.in[0]);
  const u32 members = lanes.at<u32>(operation.in[1])[std::countr_zero(lanes.mask)];
  lanes.machine->converged(lanes, members, "redux.sync");
  u32 result = a[std::countr_zero(lanes.mask)];
  bool first = true;
  lanes.each([&](int lane) {
    if (!first) result = F(result, a[lane]);
    first = false;
  });
  u32* d = lanes.at<u32>(operation.out);
  lanes.each([&](int lane) { d[lane] = result; });
}

template <class T>
void match_any(Lanes& lanes, const Operation& operation) {
  const T* a = lanes.at<T>(operation.in[0]);
  const u32 members = lanes.at<u32>(operation.in[1])[std::countr_zero(lanes.mask)];
  lanes.machine->converged(lanes, members, "match.any.sync");
  std::array<u32, 32> result{};
  lanes.each([&](int lane) {
    lanes.each([&](int other) {
      if (a[lane] == a[other])
        result[static_cast<std::size_t>(lane)] |= 1U << static_cast<unsigned>(other);
    });
  });
  u32* d = lanes.at<u32>(operation.out);
  lanes.each([&](int lane) { d[lane] = result[static_cast<std::size_t>(lane)]; });
}

void elect(Lanes& lanes, const Operation& operation) {
  const u32 members = lanes.at<u32>(operation.in[0])[std::countr_zero(lanes.mask)];
  lanes.machine->converged(lanes, members, "elect.sync");
  const auto leader = static_cast<u32>(std::countr_zero(lanes.mask));
  u32* d = lanes.at<u32>(operation.out);
  lanes.each([&](int lane) { d[lane] = leader; });
  lanes.set_predicate(operation.out2, 1U << leader);
}

void active_mask(Lanes& lanes, const Operation& operation) {
  u32* d = lanes.at<u32>(operation.out);
  lanes.each([&](int lane) { d[lane] = lanes.mask; });
}

// A cache policy means nothing here; its register holds one all the same.
void policy(Lanes& lanes, const Operation& operation) {
  auto* d = lanes.at<std::uint64_t>(operation.out);
  lanes.each([&](int lane) { d[lane] = 0; });
}

void warp_barrier(Lanes& lanes, const Operation& operation) {
  const u32 members = lanes.at<u32>(operation.in[0])[std::countr_zero(lanes.mask)];
  lanes.machine->converged(lanes, members, "bar.warp.sync");
  lanes.machine->synchronize_warp(lanes, members);
}

}  // namespace

void add_warp_forms(Table& table) {
  table.add("shfl.sync.up.b32", "w|p=wwww", shuffle<Shuffle::up>);
  table.add("shfl.sync.down.b32", "w|p=wwww", shuffle<Shuffle::down>);
  table.add("shfl.sync.bfly.b32", "w|p=wwww", shuffle<Shuffle::bfly>);
  table.add("shfl.sync.idx.b32", "w|p=wwww", shuffle<Shuffle::idx>);
  table.add("vote.sync.all.pred", "p=pw", vote<Vote::all>);
  table.add("vote.sync.any.pred", "p=pw", vote<Vote::any>);
  table.add("vote.sync.uni.pred", "p=pw", vote<Vote::uniform>);
  table.add("vote.sync.ballot.b32", "w=pw", vote<Vote::ballot>);
  using s32 = std::int32_t;
  for (const char* type : {"s32", "u32"}) {
    table.add(std::string{"redux.sync.add."} + type, "w=ww",
              reduce<[](u32 a, u32 b) { return a + b; }>);
  }
  table.add("redux.sync.min.u32", "w=ww", reduce<[](u32 a, u32 b) { return a < b ? a : b; }>);
  table.add("redux.sync.max.u32", "w=ww", reduce<[](u32 a, u32 b) { return a < b ? b : a; }>);
  table.add("redux.sync.min.s32", "w=ww",
            reduce<[](u32 a, u32 b) { return static_cast<s32>(a) < static_cast<s32>(b) ? a : b; }>);
  table.add("redux.sync.max.s32", "w=ww",
            reduce<[](u32 a, u32 b) { return static_cast<s32>(a) < static_cast<s32>(b) ? b : a; }>);
  table.add("redux.sync.and.b32", "w=ww", reduce<[](u32 a, u32 b) { return a & b; }>);
  table.add("redux.sync.or.b32", "w=ww", reduce<[](u32 a, u32 b) { return a | b; }>);
  table.add("redux.sync.xor.b32", "w=ww", reduce<[](u32 a, u32 b) { return a ^ b; }>);
  table.add("match.any.sync.b32", "w=ww", match_any<u32>);
  table.add("match.any.sync.b64", "w=qw", match_any<std::uint64_t>);
  table.add("elect.sync", "w|p=w", elect);
  table.add("activemask.b32", "w=", active_mask);
  table.add("bar.warp.sync", "=w", warp_barrier);
  for (const char* form : {"bar.sync", "barrier.sync", "barrier.sync.aligned", "bar.cta.sync",
                           "barrier.cta.sync", "barrier.cta.sync.aligned"}) {
    table.add(form, Form{"=w?w", nullptr, Flow::barrier, 0});
  }
  for (const char* form : {"bra", "bra.uni"}) table.add(form, Form{"=l", nullptr, Flow::branch, 0});
  for (const char* form : {"ret", "ret.uni", "exit"})
    table.add(form, Form{"=", nullptr, Flow::exit, 0});
  table.add("cp.async.commit_group", "=", execute::commit_group);
  table.add("cp.async.wait_group", "=i", execute::wait_group);
  table.add("cp.async.wait_all", "=", execute::wait_all);
  // Hints: where data should be, not what it is.
  for (const char* rule : {"evict_last", "evict_normal", "evict_first", "evict_unchanged"}) {
    table.add(std::string{"createpolicy.fractional.L2::"} + rule + ".b64", "q=x", policy);
  }
}

}  // namespace ptx::decode

// What an instruction sees while it runs: the registers of its warp and the lanes that execute it;
// and the loops over lanes that all instructions are made of.
#pragma once

#include <bit>

#include "ptx/execute/operation.hpp"

// Before a loop over all lanes: none reads what another has written. clang needs no such promise,
// it compares the addresses before the loop.
#if defined(__clang__)
#define FP4CTS_LANES_ARE_APART
#else
#define FP4CTS_LANES_ARE_APART _Pragma("GCC ivdep")
#endif

namespace ptx::execute {

class Machine;
struct Warp;

struct Lanes {
  std::byte* file{};
  std::uint32_t mask{};  // the lanes that execute, never 0
  std::uint32_t pc{};
  Warp* warp{};
  Machine* machine{};

  template <class T>
  [[nodiscard]] T* at(std::uint32_t slot) const {
    return reinterpret_cast<T*>(file + slot);
  }
  [[nodiscard]] std::uint32_t& predicate(std::uint32_t slot) const {
    return *at<std::uint32_t>(slot);
  }

  // Sets the lanes that execute and leaves the others.
  void set_predicate(std::uint32_t slot, std::uint32_t bits) const {
    std::uint32_t& old = predicate(slot);
    old = (old & ~mask) | (bits & mask);
  }

  template <class F>
  void each(F body) const {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) body(std::countr_zero(rest));
  }
};

// D, A, B, C are the types of the slots; F computes one lane. A destination may be a source too.
template <class D, class A, auto F>
void unary(Lanes& lanes, const Operation& operation) {
  D* d = lanes.at<D>(operation.out);
  const A* a = lanes.at<A>(operation.in[0]);
  if (lanes.mask == all_lanes) {
    FP4CTS_LANES_ARE_APART
    for (int lane = 0; lane < warp_lanes; ++lane) d[lane] = static_cast<D>(F(a[lane]));
  } else {
    lanes.each([&](int lane) { d[lane] = static_cast<D>(F(a[lane])); });
  }
}

template <class D, class A, class B, auto F>
void binary(Lanes& lanes, const Operation& operation) {
  D* d = lanes.at<D>(operation.out);
  const A* a = lanes.at<A>(operation.in[0]);
  const B* b = lanes.at<B>(operation.in[1]);
  if (lanes.mask == all_lanes) {
    FP4CTS_LANES_ARE_APART
    for (int lane = 0; lane < warp_lanes; ++lane) d[lane] = static_cast<D>(F(a[lane], b[lane]));
  } else {
    lanes.each([&](int lane) { d[lane] = static_cast<D>(F(a[lane], b[lane])); });
  }
}

template <class D, class A, class B, class C, auto F>
void ternary(Lanes& lanes, const Operation& operation) {
  D* d = lanes.at<D>(operation.out);
  const A* a = lanes.at<A>(operation.in[0]);
  const B* b = lanes.at<B>(operation.in[1]);
  const C* c = lanes.at<C>(operation.in[2]);
  if (lanes.mask == all_lanes) {
    FP4CTS_LANES_ARE_APART
    for (int lane = 0; lane < warp_lanes; ++lane)
      d[lane] = static_cast<D>(F(a[lane], b[lane], c[lane]));
  } else {
    lanes.each([&](int lane) { d[lane] = static_cast<D>(F(a[lane], b[lane], c[lane])); });
  }
}

// A bit for each lane where F holds, executing or not: no operand of PTX traps.
template <class A, class B, auto F>
std::uint32_t compare(const Lanes& lanes, const Operation& operation) {
  const A* a = lanes.at<A>(operation.in[0]);
  const B* b = lanes.at<B>(operation.in[1]);
  std::uint32_t bits = 0;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    bits |= static_cast<std::uint32_t>(F(a[lane], b[lane])) << static_cast<unsigned>(lane);
  }
  return bits;
}

}  // namespace ptx::execute

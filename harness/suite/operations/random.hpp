// Random numbers that are the same on every machine: std's engines are, its distributions are not.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace harness {

// The next state's mix of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64 bits that makes
// unrelated numbers of related ones. Used as a hash of a seed and a place.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}
constexpr std::uint64_t mix64(std::uint64_t x, std::uint64_t y) { return mix64(mix64(x) ^ y); }

// xoshiro256** (Blackman, Vigna 2018), seeded by SplitMix64 as its authors advise.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      word = mix64(seed);
      seed += 0x9e3779b97f4a7c15U;
    }
  }

  constexpr std::uint64_t bits() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }
  constexpr std::uint8_t byte() { return static_cast<std::uint8_t>(bits() >> 56); }

  // In [0, bound), bound of 1 to 2^32; biased by less than bound / 2^32.
  constexpr std::uint64_t below(std::uint64_t bound) {
    assert(bound > 0 && bound <= (std::uint64_t{1} << 32));
    return ((bits() >> 32) * bound) >> 32;
  }
  // In [first, last].
  constexpr std::int64_t between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(last - first + 1)));
  }
  // True once in `n` on average.
  constexpr bool one_in(std::uint64_t n) { return below(n) == 0; }

  template <class Container>
  constexpr auto pick(const Container& choices) {
    return *(std::begin(choices) + static_cast<std::ptrdiff_t>(below(std::size(choices))));
  }

 private:
  std::uint64_t state_[4]{};
};

// 0 .. count-1 in an order that the seed decides (Fisher and Yates).
inline std::vector<std::uint32_t> permutation(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  Random random(seed);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace harness

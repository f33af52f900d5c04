// Laws of encode_e4m3: every value is rounded once, by itself.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <bit>

#include "properties/laws/law.hpp"
#include "properties/laws/words.hpp"

namespace properties {
namespace {

using harness::Problem;
using Bytes = std::vector<std::uint8_t>;

bool is_nan(unsigned byte) { return (byte & 0x7f) == 0x7f; }

// The f32 of an e4m3 number, 0bSEEEEMMM with bias 7 (OCP OFP8 v1.0), and a NaN of a NaN.
std::uint32_t f32_of(std::uint8_t code) {
  const std::uint32_t sign = std::uint32_t{code} >> 7 << 31;
  const std::uint32_t magnitude = code & 0x7fU;
  if (magnitude == 0x7f) return sign | 0x7fc00000U;
  if (magnitude >= 8) return sign | ((magnitude << 20) + ((127U - 7U) << 23));
  if (magnitude == 0) return sign;
  // Subnormals are magnitude * 2^-9: the leading one goes, the rest is the fraction.
  const auto leading = static_cast<std::uint32_t>(std::bit_width(magnitude)) - 1;
  return sign | (127 - 9 + leading) << 23 | (magnitude ^ (1U << leading)) << (23 - leading);
}

// Infinities are rare among random values, and a case costs next to nothing.
void check_conversion_law(const Law& law) {
  constexpr int rounds = 12;
  check_law("encode_e4m3", law, rounds);
}

TEST(ConversionProperties, CodesComeBack) {
  check_conversion_law([](const UnderTest& run, const Problem& problem) {
    std::uint32_t next = *rc::gen::arbitrary<std::uint8_t>();
    const Problem codes = with_words<std::uint32_t>(
        problem, "x", [&](std::uint32_t) { return f32_of(static_cast<std::uint8_t>(next++)); });
    const std::uint32_t first = next - static_cast<std::uint32_t>(problem.find("x")->shape[0]);
    const Bytes out = run(codes);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto code = static_cast<std::uint8_t>(first + i);
      RC_ASSERT(out[i] == (is_nan(code) ? 0x7f : code));
    }
  });
}

TEST(ConversionProperties, NegatingAValueNegatesItsCode) {
  check_conversion_law([](const UnderTest& run, const Problem& problem) {
    const Problem negated = with_words<std::uint32_t>(
        problem, "x", [](std::uint32_t bits) { return bits ^ 0x80000000U; });
    Bytes out = run(problem);
    for (std::uint8_t& code : out) {
      if (!is_nan(code)) code ^= 0x80;
    }
    assert_same(run(negated), out);
  });
}

TEST(ConversionProperties, CodesGrowWithTheValue) {
  check_conversion_law([](const UnderTest& run, const Problem& problem) {
    // Up to infinity, which has the code of the largest number.
    const auto steps = *rc::gen::element<std::uint32_t>(1, 1U << 12, 1U << 20, 1U << 23);
    const auto grown = [&](std::uint32_t bits) {
      const std::uint32_t magnitude = bits & 0x7fffffffU;
      if (magnitude > 0x7f800000U) return bits;
      return (bits & 0x80000000U) | std::min(magnitude + steps, 0x7f800000U);
    };
    const Bytes before = run(problem);
    const Bytes after = run(with_words<std::uint32_t>(problem, "x", grown));
    for (std::size_t i = 0; i < before.size(); ++i) {
      RC_ASSERT((before[i] & 0x7f) <= (after[i] & 0x7f));
    }
  });
}

TEST(ConversionProperties, ValuesMayChangePlaces) {
  check_conversion_law([](const UnderTest& run, const Problem& problem) {
    Problem reversed = problem;
    reverse_words<std::uint32_t>(reversed.find("x")->storage);
    Bytes out = run(problem);
    std::reverse(out.begin(), out.end());
    assert_same(run(reversed), out);
  });
}

}  // namespace
}  // namespace properties

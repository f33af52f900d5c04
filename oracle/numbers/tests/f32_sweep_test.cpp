// All 2^32 f32 into e4m3 and e2m1, in every deterministic mode, against the witness; and the counts
// of f32 scales for which a division by six and a product with RN(1/6) differ.

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/numbers/tests/formats_under_test.hpp"
#include "oracle/numbers/tests/sweep.hpp"
#include "oracle/witness/steps.hpp"

namespace oracle {
namespace {

using testing_support::Mismatches;
using testing_support::sweep;

constexpr std::uint32_t infinity_bits = 0x7f800000;

template <class F>
class F32SweepTest : public ::testing::Test {};
using Targets = ::testing::Types<e4m3, e2m1>;
TYPED_TEST_SUITE(F32SweepTest, Targets, testing_support::FormatName);

// Compares [first, last), all of one sign, with the runs of that sign.
template <Format F, Round mode>
void compare_with_runs(const std::vector<witness::Run>& runs, const SpecialInputs& special,
                       std::uint32_t nan_code, std::uint64_t first, std::uint64_t last,
                       Mismatches& mismatches) {
  auto run = std::upper_bound(
      runs.begin(), runs.end(), first,
      [](std::uint64_t bits, const witness::Run& r) { return bits < r.first_f32; });
  --run;  // the first run begins at the zero of this sign
  for (std::uint64_t i = first; i < last; ++i) {
    const auto bits = static_cast<std::uint32_t>(i);
    if (run + 1 != runs.end() && bits == (run + 1)->first_f32) ++run;
    const std::uint32_t expected = (bits & 0x7fffffffU) > infinity_bits ? nan_code : run->code;
    const std::uint32_t got =
        detail::try_encode(F::spec, decode<f32>(bits), mode, Overflow::satfinite, special)
            .encoding.code;
    if (got != expected) {
      mismatches.add(std::string(name_of(mode)) + ", input " + code_and_value(f32::spec, bits) +
                     ": expected " + hex_code(F::spec, expected) + ", got " +
                     hex_code(F::spec, got));
    }
  }
}

template <Format F, Round mode>
void sweep_mode(const SpecialInputs& special, std::uint32_t nan_code) {
  std::array<std::vector<witness::Run>, 2> runs;
  for (const bool negative : {false, true}) {
    runs.at(negative ? 1 : 0) =
        witness::runs_over_f32(testing_support::witness_format(F::spec), negative,
                               testing_support::witness_mode(mode), witness::Beyond::saturates);
  }
  Mismatches mismatches;
  std::atomic<std::uint64_t> compared{0};
  const std::string name = "f32 to " + std::string(F::spec.name) + " " + std::string(name_of(mode));
  sweep(name, 0, 1ULL << 32, [&](std::uint64_t first, std::uint64_t last) {
    compare_with_runs<F, mode>(runs.at(first >> 31), special, nan_code, first, last, mismatches);
    compared += last - first;
  });
  EXPECT_EQ(compared, 1ULL << 32);
  EXPECT_EQ(mismatches.count(), 0U) << name << mismatches.text();
}

TYPED_TEST(F32SweepTest, EveryInputIsWhatTheWitnessSaysInEveryMode) {
  // e2m1 has no NaN, so the witness has no answer: the code asked for.
  const SpecialInputs special = has_nan(TypeParam::spec) ? strict : e2m1_nan_is_six;
  const std::uint32_t nan_code =
      has_nan(TypeParam::spec)
          ? witness::nearest(testing_support::witness_format(TypeParam::spec),
                             witness::Number{witness::Number::Kind::nan, false, {}},
                             witness::Mode::nearest_even, witness::Beyond::saturates)
                .value()
          : 0x7;
  sweep_mode<TypeParam, Round::rne>(special, nan_code);
  sweep_mode<TypeParam, Round::rna>(special, nan_code);
  sweep_mode<TypeParam, Round::rtz>(special, nan_code);
  sweep_mode<TypeParam, Round::rtp>(special, nan_code);
  sweep_mode<TypeParam, Round::rtn>(special, nan_code);
}

struct Sixths {
  Exact quotient;  // RN(amax / 6), both in f32
  Exact product;   // RN(amax * RN(1/6))
};

Sixths sixths_of(std::uint32_t amax_bits) {
  const Exact amax = decode<f32>(amax_bits);
  const auto to_f32 = [](const Exact& x) {
    return decode<f32>(detail::encode_total<f32>(x, Round::rne, Overflow::to_inf, strict));
  };
  return {to_f32(divide(amax, Exact::integer(6))), to_f32(multiply(amax, decode<f32>(0x3e2aaaab)))};
}

// Inputs of [begin, end) for which `scale` of the two sixths differs.
template <class Scale>
std::set<std::uint32_t> differing(const std::string& name, std::uint32_t begin, std::uint32_t end,
                                  Scale&& scale) {
  std::set<std::uint32_t> found;
  std::mutex mutex;
  sweep(name, begin, end, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) {
      const auto bits = static_cast<std::uint32_t>(i);
      const Sixths s = sixths_of(bits);
      if (scale(s.quotient) != scale(s.product)) {
        const std::scoped_lock lock(mutex);
        found.insert(bits);
      }
    }
  });
  return found;
}

// Both scales are monotone in amax; they are 00 for 2^-8 and 7e for 2^12, hence equal outside.
TEST(F32SweepTest, DividingBySixChangesFifteenE4m3Scales) {
  const auto scale = [](const Exact& x) {
    return detail::encode_total<e4m3>(x, Round::rne, Overflow::satfinite, strict);
  };
  constexpr std::uint32_t low = (127 - 8) << 23;
  constexpr std::uint32_t high = (127 + 12) << 23;
  ASSERT_EQ(scale(sixths_of(low).quotient), 0x00U);
  ASSERT_EQ(scale(sixths_of(low).product), 0x00U);
  ASSERT_EQ(scale(sixths_of(high).quotient), 0x7eU);
  ASSERT_EQ(scale(sixths_of(high).product), 0x7eU);
  const std::set<std::uint32_t> found = differing("e4m3 of amax/6", low, high, scale);
  EXPECT_EQ(found.size(), 15U);
  EXPECT_EQ(found.count(0x44e3ffff), 1U);
}

// The E8M0 byte that rounds up, from the f32 bits of the sixth: exponent field plus one if the
// mantissa is not zero. From 2^-120 on both sixths are normal and doubling amax doubles them, so
// one binade stands for all the later ones; no sixth overflows.
TEST(F32SweepTest, DividingBySixChangesOneE8m0Scale) {
  const auto round_up = [](const Exact& x) {
    const std::uint32_t bits = detail::encode_total<f32>(x, Round::rne, Overflow::to_inf, strict);
    return (bits >> 23) + ((bits & 0x7fffffU) != 0 ? 1 : 0);
  };
  constexpr std::uint32_t normal_from = (127 - 120) << 23;
  EXPECT_EQ(differing("e8m0 of amax/6", 0, normal_from + (1U << 23), round_up),
            std::set<std::uint32_t>{0x00000003});
}

}  // namespace
}  // namespace oracle

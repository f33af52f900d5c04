#include "oracle/numbers/encode.hpp"

#include <gtest/gtest.h>

#include "oracle/numbers/tests/formats_under_test.hpp"

namespace oracle {
namespace {

using testing_support::deterministic_modes;
using testing_support::overflows;
using testing_support::witness_beyond;
using testing_support::witness_format;
using testing_support::witness_mode;
using testing_support::witness_number;

template <class F>
class EncodeTest : public ::testing::Test {};
TYPED_TEST_SUITE(EncodeTest, testing_support::AllFormats, testing_support::FormatName);

// Compares one encode with the witness; a code that neither gives is agreement too.
::testing::AssertionResult AgreesWithWitness(const FormatSpec& f, const Exact& x, Round mode,
                                             Overflow overflow) {
  const Result<std::uint32_t> got = encode(f, x, mode, overflow, strict);
  const auto expected = witness::nearest(witness_format(f), witness_number(x), witness_mode(mode),
                                         witness_beyond(overflow));
  if (got.has_value() == expected.has_value() && (!got || *got == *expected)) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure()
         << "encode " << f.name << " " << name_of(mode) << " " << name_of(overflow) << ": input "
         << exact_dyadic(x) << ": expected "
         << (expected ? code_and_value(f, *expected) : "an error") << ", got "
         << (got ? code_and_value(f, *got) : got.error().message);
}

TYPED_TEST(EncodeTest, EveryCodeComesBack) {
  const FormatSpec& f = TypeParam::spec;
  const std::uint64_t step = code_bits(f) <= 16 ? 1 : 0x10003;
  for (std::uint64_t i = 0; i < num_codes(f); i += step) {
    const auto code = static_cast<std::uint32_t>(i);
    const Exact value = decode(f, code);
    for (const Round mode : deterministic_modes) {
      for (const Overflow overflow : overflows) {
        if (value.is_infinity() && overflow != Overflow::to_inf) continue;
        const Result<std::uint32_t> got = encode<TypeParam>(value, mode, overflow, strict);
        ASSERT_TRUE(got) << describe_code(f, code) << ": " << got.error().message;
        ASSERT_EQ(*got, value.is_nan() ? canonical_nan_code(f) : code) << describe_code(f, code);
      }
    }
  }
}

TYPED_TEST(EncodeTest, EveryCodeComesBackWithAnyRandomBits) {
  const FormatSpec& f = TypeParam::spec;
  for (const std::uint32_t code : testing_support::positive_codes(f)) {
    for (const std::uint32_t bits : {0U, 0x8000U, 0xffffU}) {
      ASSERT_EQ(
          encode(f, decode(f, code), stochastic({bits, 16}), Overflow::satfinite, strict).value(),
          code);
    }
  }
}

TYPED_TEST(EncodeTest, MidpointsAndTheirNeighboursAreWhatTheWitnessSays) {
  const FormatSpec& f = TypeParam::spec;
  for (const std::uint32_t code : testing_support::positive_codes(f)) {
    for (const Exact& magnitude : testing_support::inputs_after(f, code)) {
      for (const bool negative : {false, true}) {
        if (negative && f.sign_bits == 0 && code > 3) continue;  // an error like any other
        for (const Round mode : deterministic_modes) {
          ASSERT_TRUE(
              AgreesWithWitness(f, with_sign(magnitude, negative), mode, Overflow::satfinite));
        }
      }
    }
  }
}

TYPED_TEST(EncodeTest, EndsOfTheRangeAreWhatTheWitnessSays) {
  const FormatSpec& f = TypeParam::spec;
  std::vector<Exact> inputs{Exact::zero(false),
                            Exact::infinity(false),
                            Exact::nan(false),
                            scale_by_power_of_two(max_finite(f), 1),
                            scale_by_power_of_two(min_positive(f), -1),
                            scale_by_power_of_two(min_positive(f), -2),
                            Exact::power_of_two(-150),
                            Exact::power_of_two(130)};
  for (const std::uint32_t code : {0U, 1U, max_finite_code(f) - 1, max_finite_code(f)}) {
    for (const Exact& x : testing_support::inputs_after(f, code)) inputs.push_back(x);
  }
  const Exact next = testing_support::next_value(f, max_finite_code(f));
  inputs.push_back(next);
  inputs.push_back(add(next, Exact::power_of_two(next.log2_floor() - 40)));
  for (const Exact& magnitude : inputs) {
    for (const bool negative : {false, true}) {
      for (const Round mode : deterministic_modes) {
        for (const Overflow overflow : overflows) {
          if (overflow == Overflow::to_inf && !f.infinities) continue;  // tested below
          ASSERT_TRUE(AgreesWithWitness(f, with_sign(magnitude, negative), mode, overflow));
        }
      }
    }
  }
}

// In e8m0, where no neighbour is even, to the larger one.
TYPED_TEST(EncodeTest, TiesGoToEven) {
  const FormatSpec& f = TypeParam::spec;
  for (const std::uint32_t code : testing_support::positive_codes(f)) {
    if (code == max_finite_code(f)) continue;
    const Exact tie = scale_by_power_of_two(add(decode(f, code), decode(f, code + 1)), -1);
    const bool stays = code % 2 == 0 && f.mantissa_bits != 0;
    ASSERT_EQ(encode(f, tie, Round::rne, Overflow::satfinite, strict).value(),
              stays ? code : code + 1);
  }
}

TYPED_TEST(EncodeTest, ZeroKeepsItsSignWhereThereIsOne) {
  const FormatSpec& f = TypeParam::spec;
  const auto got = encode(f, Exact::zero(true), Round::rne, Overflow::satfinite, strict);
  if (!has_zero(f)) {
    EXPECT_EQ(got.error().code, ErrorCode::not_representable);
  } else {
    EXPECT_EQ(got.value(), has_negative_zero(f) ? sign_mask(f) : 0U);
  }
}

TYPED_TEST(EncodeTest, OverflowAsksForWhatTheFormatHas) {
  const FormatSpec& f = TypeParam::spec;
  const Exact big = scale_by_power_of_two(max_finite(f), 2);
  const auto to_inf = encode(f, big, Round::rne, Overflow::to_inf, strict);
  const auto to_nan = encode(f, big, Round::rne, Overflow::to_nan, strict);
  EXPECT_EQ(to_inf.has_value(), f.infinities);
  EXPECT_EQ(to_nan.has_value(), has_nan(f));
  if (to_inf) {
    EXPECT_TRUE(is_infinity(f, *to_inf));
  } else {
    EXPECT_EQ(to_inf.error().code, ErrorCode::not_representable);
  }
  if (to_nan) {
    EXPECT_EQ(*to_nan, canonical_nan_code(f));
  } else {
    EXPECT_EQ(to_nan.error().code, ErrorCode::not_representable);
  }
}

TYPED_TEST(EncodeTest, NanNeedsACodeWhereTheFormatHasNone) {
  const FormatSpec& f = TypeParam::spec;
  const auto plain = encode(f, Exact::nan(true), Round::rne, Overflow::satfinite, strict);
  EXPECT_EQ(plain.has_value(), has_nan(f));
  const auto chosen = encode(f, Exact::nan(true), Round::rne, Overflow::satfinite,
                             SpecialInputs{.nan_code = 3, .keep_nan_sign = true});
  EXPECT_EQ(chosen.value(), 3 | sign_mask(f));
  if (code_bits(f) < 32) {
    const auto wide = encode(f, Exact::nan(false), Round::rne, Overflow::satfinite,
                             SpecialInputs{.nan_code = code_mask(f) + 1});
    ASSERT_FALSE(wide);
    EXPECT_EQ(wide.error().code, ErrorCode::invalid_argument);
  }
}

TEST(EncodeTest, NanIntoE2m1IsANamedChoice) {
  const auto to = [](bool negative, const SpecialInputs& special) {
    return encode<e2m1>(Exact::nan(negative), Round::rne, Overflow::satfinite, special).value();
  };
  EXPECT_EQ(to(true, e2m1_nan_is_six), 0x7U);
  EXPECT_EQ(to(true, e2m1_nan_is_signed_six), 0xfU);
  EXPECT_EQ(to(false, e2m1_nan_is_signed_six), 0x7U);
}

TEST(EncodeTest, SignsOfNanInputAndOfOverflowAreSeparateChoices) {
  const auto to = [](const Exact& x, const SpecialInputs& special) {
    return encode<e4m3>(x, Round::rne, Overflow::to_nan, special).value();
  };
  const SpecialInputs by_input{.keep_nan_sign = true};
  const SpecialInputs by_overflow{.keep_overflow_sign = true};
  EXPECT_EQ(to(Exact::nan(true), by_input), 0xffU);
  EXPECT_EQ(to(Exact::integer(-465), by_input), 0x7fU);
  EXPECT_EQ(to(Exact::nan(true), by_overflow), 0x7fU);
  EXPECT_EQ(to(Exact::integer(-465), by_overflow), 0xffU);
  EXPECT_EQ(to(Exact::infinity(true), by_overflow), 0xffU);
}

TEST(EncodeTest, E8m0TakesMagnitudesAndTinyValuesOnlyWhenAsked) {
  for (const Exact& x : {Exact::zero(false), Exact::integer(-2), Exact::power_of_two(-128)}) {
    const auto refused = encode<e8m0>(x, Round::rtp, Overflow::satfinite, strict);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::not_representable);
  }
  const auto cuda = [](const Exact& x, Round mode) {
    return encode<e8m0>(x, mode, Overflow::satfinite, cuda_e8m0).value();
  };
  EXPECT_EQ(cuda(Exact::zero(true), Round::rtz), 0x00U);
  EXPECT_EQ(cuda(Exact::power_of_two(-149), Round::rtp), 0x00U);
  EXPECT_EQ(cuda(Exact::integer(-3), Round::rtz), 0x80U);
  EXPECT_EQ(cuda(Exact::integer(-3), Round::rtp), 0x81U);
  EXPECT_EQ(cuda(Exact::infinity(true), Round::rtp), 0xfeU);
  EXPECT_EQ(cuda(Exact::nan(true), Round::rtp), 0xffU);
}

TEST(EncodeTest, StochasticWithoutItsBitsIsAnError) {
  const auto none = encode<e4m3>(Exact::integer(1), Round::rs, Overflow::satfinite, strict);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::invalid_argument);
}

TEST(EncodeTest, StochasticRoundsUpIntoSaturation) {
  const auto noisy = [](std::uint32_t bits, Overflow overflow) {
    return encode<e4m3>(Exact::integer(449), stochastic({bits, 16}), overflow, strict).value();
  };
  EXPECT_EQ(noisy(0xffff, Overflow::satfinite), 0x7eU);
  EXPECT_EQ(noisy(0xffff, Overflow::to_nan), 0x7fU);
  EXPECT_EQ(noisy(0, Overflow::to_nan), 0x7eU);
}

TEST(EncodeTest, StepSaysWhatWasDone) {
  const auto step = [](const Exact& x) {
    return encode_traced(e2m1::spec, x, Round::rne, Overflow::satfinite, e2m1_nan_is_six)->step;
  };
  EXPECT_EQ(step(Exact::integer(3)), Step::exact);
  EXPECT_EQ(step(Exact::finite(true, 5, -1)), Step::tie_down);
  EXPECT_EQ(step(Exact::finite(true, 7, -1)), Step::tie_up);
  EXPECT_EQ(step(Exact::finite(false, 9, -2)), Step::down);
  EXPECT_EQ(step(Exact::finite(false, 11, -2)), Step::up);
  EXPECT_EQ(step(Exact::integer(7)), Step::overflow);
  EXPECT_EQ(step(Exact::infinity(true)), Step::overflow);
  EXPECT_EQ(step(Exact::nan(true)), Step::nan);
}

TEST(EncodeTest, DirectedModesStopAtTheLargestFiniteValue) {
  const Exact big = Exact::power_of_two(200);
  EXPECT_EQ(encode<f32>(big, Round::rtz, Overflow::to_inf, strict).value(), 0x7f7fffffU);
  EXPECT_EQ(encode<f32>(big, Round::rtn, Overflow::to_inf, strict).value(), 0x7f7fffffU);
  EXPECT_EQ(encode<f32>(negate(big), Round::rtp, Overflow::to_inf, strict).value(), 0xff7fffffU);
  EXPECT_EQ(encode<f32>(big, Round::rtp, Overflow::to_inf, strict).value(), 0x7f800000U);
  EXPECT_EQ(encode<f32>(Exact::infinity(false), Round::rtz, Overflow::to_inf, strict).value(),
            0x7f800000U);
}

TEST(EncodeTest, RoundGivesTheValueOfTheCode) {
  EXPECT_EQ(round<e4m3>(Exact::integer(449), Round::rne, Overflow::satfinite, strict).value(),
            Exact::integer(448));
  EXPECT_FALSE(round<e2m1>(Exact::nan(false), Round::rne, Overflow::satfinite, strict));
}

TEST(EncodeTest, ErrorsNameOperationInputAndReason) {
  const auto e = encode<e2m1>(Exact::nan(false), Round::rtz, Overflow::satfinite, strict);
  EXPECT_EQ(e.error().message,
            "encode e2m1 rtz satfinite, input NaN: e2m1 has no NaN and no code was given for it");
}

}  // namespace
}  // namespace oracle

// The oracle against GNU MPFR, with precision and exponent range set to the format and gradual
// underflow by mpfr_subnormalize. A result is compared by value: the code that the oracle gives
// must stand for the number that MPFR gives.

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <random>

#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/numbers/packed.hpp"
#include "oracle/numbers/tests/formats_under_test.hpp"

namespace oracle {
namespace {

class Mpfr {
 public:
  explicit Mpfr(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  explicit Mpfr(const Exact& x) : Mpfr(64) {
    if (x.is_nan()) {
      mpfr_set_nan(value_);
    } else if (x.is_infinity()) {
      mpfr_set_inf(value_, 1);
    } else {
      mpfr_set_ui_2exp(value_, x.significand(), x.exponent(), MPFR_RNDN);
    }
    if (x.negative()) mpfr_neg(value_, value_, MPFR_RNDN);
  }
  ~Mpfr() { mpfr_clear(value_); }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;
  Mpfr(Mpfr&&) = delete;
  Mpfr& operator=(Mpfr&&) = delete;

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

 private:
  mpfr_t value_;
};

constexpr std::array modes{std::pair{Round::rne, MPFR_RNDN}, std::pair{Round::rtz, MPFR_RNDZ},
                           std::pair{Round::rtp, MPFR_RNDU}, std::pair{Round::rtn, MPFR_RNDD}};

// Brings `result`, which has the precision of f and was rounded with that ternary value, into the
// exponent range of f.
void into_range(const FormatSpec& f, Mpfr& result, int ternary, mpfr_rnd_t mode) {
  const mpfr_exp_t emin = mpfr_get_emin();
  const mpfr_exp_t emax = mpfr_get_emax();
  // MPFR's significands lie in [1/2, 1), so its exponents are one higher. Where there are
  // subnormals its smallest number is the smallest of them.
  mpfr_set_emin(min_exponent(f) + 1 - (f.subnormals ? f.mantissa_bits : 0));
  mpfr_set_emax(max_exponent(f) + 1);
  ternary = mpfr_check_range(result.get(), ternary, mode);
  if (f.subnormals) mpfr_subnormalize(result.get(), ternary, mode);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
}

// The format has fewer numbers in its top binade than MPFR's (480 is the NaN of e4m3), so overflow
// is what exceeds the largest finite value, and it must have saturated.
::testing::AssertionResult StandsFor(const FormatSpec& f, std::uint32_t code, const Mpfr& number) {
  const Exact value = decode(f, code);
  const auto failure = [&] {
    std::array<char, 64> text{};
    mpfr_snprintf(text.data(), text.size(), "%Ra", number.get());
    return ::testing::AssertionFailure()
           << f.name << ": expected " << text.data() << ", got " << code_and_value(f, code);
  };
  if (mpfr_nan_p(number.get()) != 0)
    return value.is_nan() ? ::testing::AssertionSuccess() : failure();
  const bool negative = mpfr_signbit(number.get()) != 0;
  if (mpfr_cmpabs(number.get(), Mpfr(max_finite(f)).get()) > 0) {
    return code == (max_finite_code(f) | (negative ? sign_mask(f) : 0U))
               ? ::testing::AssertionSuccess()
               : failure();
  }
  const bool same_sign = negative == value.negative() || (value.is_zero() && !has_negative_zero(f));
  return same_sign && mpfr_equal_p(Mpfr(value).get(), number.get()) != 0
             ? ::testing::AssertionSuccess()
             : failure();
}

std::uint32_t saturating(const FormatSpec& f, const Exact& x, Round mode) {
  return encode(f, x, mode, Overflow::satfinite, strict).value();
}

template <class F>
class MpfrTest : public ::testing::Test {};
TYPED_TEST_SUITE(MpfrTest, testing_support::AllFormats, testing_support::FormatName);

TYPED_TEST(MpfrTest, MidpointsAndTheirNeighboursRoundAlike) {
  const FormatSpec& f = TypeParam::spec;
  for (const std::uint32_t code : testing_support::positive_codes(f)) {
    for (const Exact& magnitude : testing_support::inputs_after(f, code)) {
      for (const bool negative : {false, true}) {
        if (negative && f.sign_bits == 0) continue;
        const Exact x = with_sign(magnitude, negative);
        const Mpfr input(x);
        for (const auto& [mode, mpfr_mode] : modes) {
          Mpfr result(precision(f));
          into_range(f, result, mpfr_set(result.get(), input.get(), mpfr_mode), mpfr_mode);
          ASSERT_TRUE(StandsFor(f, saturating(f, x, mode), result))
              << exact_dyadic(x) << " " << name_of(mode);
        }
      }
    }
  }
}

// Ties away as MPFR rounds to integers: x counted in steps of its binade.
TYPED_TEST(MpfrTest, TiesAwayRoundAlike) {
  const FormatSpec& f = TypeParam::spec;
  for (const std::uint32_t code : testing_support::positive_codes(f)) {
    for (const Exact& x : testing_support::inputs_after(f, code)) {
      if (x.is_zero()) continue;
      Mpfr steps(x);
      const mpfr_exp_t binade =
          std::max<mpfr_exp_t>(mpfr_get_exp(steps.get()) - 1, min_exponent(f));
      const mpfr_exp_t step = binade - f.mantissa_bits;
      mpfr_mul_2si(steps.get(), steps.get(), -step, MPFR_RNDN);
      mpfr_round(steps.get(), steps.get());
      mpfr_mul_2si(steps.get(), steps.get(), step, MPFR_RNDN);
      ASSERT_TRUE(StandsFor(f, saturating(f, x, Round::rna), steps)) << exact_dyadic(x);
    }
  }
}

TYPED_TEST(MpfrTest, ProductsOfCodeAndScaleRoundAlike) {
  const FormatSpec& f = TypeParam::spec;
  if (!has_zero(f)) return;  // e8m0 holds no zero product
  for (const FormatSpec& scales : {e4m3::spec, e8m0::spec}) {
    for (std::uint32_t code = 0; code < 16; ++code) {
      for (std::uint32_t scale = 0; scale < 256; ++scale) {
        const Exact a = decode<e2m1>(code);
        const Exact b = decode(scales, scale);
        const Exact product = multiply(a, b);
        if (product.is_nan() && !has_nan(f)) continue;
        if (f.sign_bits == 0 && product.negative()) continue;
        for (const auto& [mode, mpfr_mode] : modes) {
          Mpfr result(precision(f));
          into_range(f, result, mpfr_mul(result.get(), Mpfr(a).get(), Mpfr(b).get(), mpfr_mode),
                     mpfr_mode);
          ASSERT_TRUE(StandsFor(f, saturating(f, product, mode), result))
              << code << " " << scales.name << " " << scale << " " << name_of(mode);
        }
      }
    }
  }
}

// Any two f32, by all their bits; a fixed seed.
TEST(MpfrTest, SumsProductsAndQuotientsOfF32RoundAlike) {
  std::mt19937_64 random(20260801);
  const FormatSpec& f = f32::spec;
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t bits = random();
    auto second = static_cast<std::uint32_t>(bits >> 32);
    // Every fourth pair lies close together, where sums cancel.
    if (i % 4 == 0) second = static_cast<std::uint32_t>(bits) ^ (second & 0x80ffffffU);
    const Exact a = decode(f, static_cast<std::uint32_t>(bits));
    const Exact b = decode(f, second);
    const Mpfr x(a);
    const Mpfr y(b);
    for (const auto& pair : modes) {
      const Round mode = pair.first;
      const mpfr_rnd_t mpfr_mode = pair.second;
      const auto check = [&](const Exact& exact, auto&& operation) {
        // An exact zero sum is -0 toward negative, which `add` leaves to its caller.
        if (exact.is_zero() && mode == Round::rtn) return;
        Mpfr result(precision(f));
        into_range(f, result, operation(result.get(), x.get(), y.get(), mpfr_mode), mpfr_mode);
        ASSERT_TRUE(StandsFor(f, saturating(f, exact, mode), result))
            << exact_dyadic(a) << ", " << exact_dyadic(b) << " " << name_of(mode);
      };
      check(add(a, b), mpfr_add);
      check(multiply(a, b), mpfr_mul);
      check(divide(a, b), mpfr_div);
    }
  }
}

// The packed family: all pairs of codes of all operand types, a third operand that runs through all
// codes of the result, four pairs to a word. MPFR's result is rounded once from the exact one.
class MpfrPackedTest : public ::testing::TestWithParam<PackedOp> {};

TEST_P(MpfrPackedTest, EveryPairOfCodesGivesTheSameLane) {
  using T = PackedType;
  const PackedOp op = GetParam();
  constexpr std::array types{T::e2m1x4, T::e2m1p4x4, T::e2m3x4, T::e3m2x4,
                             T::e4m3x4, T::e5m2x4,   T::ue8m0x4};
  for (const T to : {T::e4m3x4, T::e5m2x4}) {
    const FormatSpec& f = element_format(to);
    for (const T a_type : types) {
      for (const T b_type : types) {
        if ((op == PackedOp::add || op == PackedOp::sub) && b_type != to) continue;
        const PackedInstruction instruction{op, to, a_type, b_type, true};
        const auto a_codes = static_cast<std::uint32_t>(num_codes(element_format(a_type)));
        const auto b_codes = static_cast<std::uint32_t>(num_codes(element_format(b_type)));
        for (std::uint32_t first = 0; first < a_codes * b_codes; first += 4) {
          std::array<std::uint32_t, 3> words{};
          std::array<std::array<Exact, 3>, 4> lanes;
          for (std::uint32_t lane = 0; lane < 4; ++lane) {
            const std::uint32_t pair = first + lane;
            const std::array<std::uint32_t, 3> codes{pair / b_codes, pair % b_codes,
                                                     (pair * 7 + pair / 251) % 256};
            const std::array<T, 3> operand_types{a_type, b_type, to};
            for (std::size_t i = 0; i < 3; ++i) {
              words.at(i) |= codes.at(i)
                             << (lane * static_cast<std::uint32_t>(lane_bits(operand_types.at(i))));
              lanes.at(lane).at(i) = decode(element_format(operand_types.at(i)), codes.at(i));
            }
          }
          const std::uint32_t d =
              evaluate(instruction, words[0], words[1], words[2], ocp_packed).value();
          for (std::uint32_t lane = 0; lane < 4; ++lane) {
            const Mpfr a(lanes.at(lane)[0]);
            const Mpfr b(lanes.at(lane)[1]);
            const Mpfr c(lanes.at(lane)[2]);
            Mpfr result(precision(f));
            int ternary = 0;
            switch (op) {
              case PackedOp::add:
                ternary = mpfr_add(result.get(), a.get(), b.get(), MPFR_RNDN);
                break;
              case PackedOp::sub:
                ternary = mpfr_sub(result.get(), a.get(), b.get(), MPFR_RNDN);
                break;
              case PackedOp::mul:
                ternary = mpfr_mul(result.get(), a.get(), b.get(), MPFR_RNDN);
                break;
              case PackedOp::fma:
                ternary = mpfr_fma(result.get(), a.get(), b.get(), c.get(), MPFR_RNDN);
                break;
            }
            into_range(f, result, ternary, MPFR_RNDN);
            ASSERT_TRUE(StandsFor(f, lane_of(to, d, static_cast<int>(lane)), result))
                << spelling(instruction) << " of " << exact_dyadic(lanes.at(lane)[0]) << ", "
                << exact_dyadic(lanes.at(lane)[1]) << ", " << exact_dyadic(lanes.at(lane)[2]);
          }
        }
      }
    }
  }
}

std::string OpName(const ::testing::TestParamInfo<PackedOp>& info) {
  return spelling({info.param, PackedType::e4m3x4, PackedType::e4m3x4, PackedType::e4m3x4, true})
      .substr(0, 3);
}

INSTANTIATE_TEST_SUITE_P(Family, MpfrPackedTest,
                         ::testing::Values(PackedOp::add, PackedOp::sub, PackedOp::mul,
                                           PackedOp::fma),
                         OpName);

}  // namespace
}  // namespace oracle

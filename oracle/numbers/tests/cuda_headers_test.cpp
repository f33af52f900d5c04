// The oracle against the host conversions of CUDA's cuda_fp8.h, cuda_fp6.h and cuda_fp4.h: all
// 65536 inputs from f16 and bf16; from f32 and f64 the midpoints of the destination, their
// neighbours, special values and a fixed random sample. Where the headers differ from their own
// rule, the difference is in the table below by name and axis; a difference that is not there
// fails, and so does an entry that no input shows any more.

#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "oracle/numbers/tests/formats_under_test.hpp"

namespace oracle {
namespace {

enum class Source { f16, bf16, f32, f64 };

// A source value: its bits, as wide as the source.
using Bits = std::uint64_t;

Exact exact_of(Source source, Bits bits) {
  switch (source) {
    case Source::f16:
      return decode<f16>(static_cast<std::uint32_t>(bits));
    case Source::bf16:
      return decode<bf16>(static_cast<std::uint32_t>(bits));
    case Source::f32:
      return decode<f32>(static_cast<std::uint32_t>(bits));
    case Source::f64:
      break;
  }
  const bool negative = (bits >> 63) != 0;
  const Bits mantissa = bits & ((1ULL << 52) - 1);
  const auto field = static_cast<int>((bits >> 52) & 0x7ff);
  if (field == 0x7ff) return mantissa == 0 ? Exact::infinity(negative) : Exact::nan(negative);
  return field == 0 ? Exact::finite(negative, mantissa, -1074)
                    : Exact::finite(negative, mantissa | (1ULL << 52), field - 1075);
}

struct Conversion {
  std::string name;
  Source source;
  FormatSpec to;
  Round mode;
  Overflow overflow;
  SpecialInputs special;
  std::function<unsigned(Bits)> convert;
};

void PrintTo(const Conversion& c, std::ostream* out) { *out << c.name; }

__half_raw half_raw(Bits bits) {
  __half_raw h;
  h.x = static_cast<unsigned short>(bits);
  return h;
}
__nv_bfloat16_raw bf16_raw(Bits bits) {
  __nv_bfloat16_raw b;
  b.x = static_cast<unsigned short>(bits);
  return b;
}
float f32_value(Bits bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
double f64_value(Bits bits) { return std::bit_cast<double>(bits); }

template <class Kind>
struct Target {
  FormatSpec spec;
  Kind kind;
};

std::string suffix(__nv_saturation_t saturate) {
  return saturate == __NV_SATFINITE ? "_satfinite" : "";
}

void append_fp8(std::vector<Conversion>& all, const Target<__nv_fp8_interpretation_t>& to,
                __nv_saturation_t saturate) {
  const __nv_fp8_interpretation_t kind = to.kind;
  const Overflow beyond = to.spec.infinities ? Overflow::to_inf : Overflow::to_nan;
  const Overflow overflow = saturate == __NV_SATFINITE ? Overflow::satfinite : beyond;
  // A NaN input loses its sign, an overflow to NaN keeps that of the value.
  const SpecialInputs special{.nan_code = 0x7f, .keep_overflow_sign = true};
  const std::string name = "_to_" + std::string(to.spec.name) + suffix(saturate);
  all.push_back({"f16" + name, Source::f16, to.spec, Round::rne, overflow, special,
                 [=](Bits b) { return __nv_cvt_halfraw_to_fp8(half_raw(b), saturate, kind); }});
  all.push_back({"bf16" + name, Source::bf16, to.spec, Round::rne, overflow, special,
                 [=](Bits b) { return __nv_cvt_bfloat16raw_to_fp8(bf16_raw(b), saturate, kind); }});
  all.push_back({"f32" + name, Source::f32, to.spec, Round::rne, overflow, special,
                 [=](Bits b) { return __nv_cvt_float_to_fp8(f32_value(b), saturate, kind); }});
  all.push_back({"f64" + name, Source::f64, to.spec, Round::rne, overflow, special,
                 [=](Bits b) { return __nv_cvt_double_to_fp8(f64_value(b), saturate, kind); }});
}

void append_fp6(std::vector<Conversion>& all, const Target<__nv_fp6_interpretation_t>& to) {
  const __nv_fp6_interpretation_t kind = to.kind;
  const SpecialInputs special{.nan_code = max_finite_code(to.spec)};
  const std::string name = "_to_" + std::string(to.spec.name);
  constexpr Overflow sat = Overflow::satfinite;
  all.push_back({"f16" + name, Source::f16, to.spec, Round::rne, sat, special, [=](Bits b) {
                   return __nv_cvt_halfraw_to_fp6(half_raw(b), kind, cudaRoundNearest);
                 }});
  all.push_back({"bf16" + name, Source::bf16, to.spec, Round::rne, sat, special, [=](Bits b) {
                   return __nv_cvt_bfloat16raw_to_fp6(bf16_raw(b), kind, cudaRoundNearest);
                 }});
  all.push_back({"f32" + name, Source::f32, to.spec, Round::rne, sat, special, [=](Bits b) {
                   return __nv_cvt_float_to_fp6(f32_value(b), kind, cudaRoundNearest);
                 }});
  all.push_back({"f64" + name, Source::f64, to.spec, Round::rne, sat, special, [=](Bits b) {
                   return __nv_cvt_double_to_fp6(f64_value(b), kind, cudaRoundNearest);
                 }});
}

void append_fp4(std::vector<Conversion>& all) {
  const FormatSpec& to = e2m1::spec;
  constexpr Overflow sat = Overflow::satfinite;
  const SpecialInputs special = e2m1_nan_is_six;
  all.push_back({"f16_to_e2m1", Source::f16, to, Round::rne, sat, special, [](Bits b) {
                   return __nv_cvt_halfraw_to_fp4(half_raw(b), __NV_E2M1, cudaRoundNearest);
                 }});
  all.push_back({"bf16_to_e2m1", Source::bf16, to, Round::rne, sat, special, [](Bits b) {
                   return __nv_cvt_bfloat16raw_to_fp4(bf16_raw(b), __NV_E2M1, cudaRoundNearest);
                 }});
  all.push_back({"f32_to_e2m1", Source::f32, to, Round::rne, sat, special, [](Bits b) {
                   return __nv_cvt_float_to_fp4(f32_value(b), __NV_E2M1, cudaRoundNearest);
                 }});
  all.push_back({"f64_to_e2m1", Source::f64, to, Round::rne, sat, special, [](Bits b) {
                   return __nv_cvt_double_to_fp4(f64_value(b), __NV_E2M1, cudaRoundNearest);
                 }});
}

void append_e8m0(std::vector<Conversion>& all, Round mode, cudaRoundMode cuda_mode,
                 __nv_saturation_t saturate) {
  const FormatSpec& to = e8m0::spec;
  const Overflow overflow = saturate == __NV_SATFINITE ? Overflow::satfinite : Overflow::to_nan;
  const std::string name = "_to_e8m0_" + std::string(name_of(mode)) + suffix(saturate);
  all.push_back({"bf16" + name, Source::bf16, to, mode, overflow, cuda_e8m0, [=](Bits b) {
                   return __nv_cvt_bfloat16raw_to_e8m0(bf16_raw(b), saturate, cuda_mode);
                 }});
  all.push_back({"f32" + name, Source::f32, to, mode, overflow, cuda_e8m0, [=](Bits b) {
                   return __nv_cvt_float_to_e8m0(f32_value(b), saturate, cuda_mode);
                 }});
  all.push_back({"f64" + name, Source::f64, to, mode, overflow, cuda_e8m0, [=](Bits b) {
                   return __nv_cvt_double_to_e8m0(f64_value(b), saturate, cuda_mode);
                 }});
}

#if CUDART_VERSION >= 13050
void append_ue5m3(std::vector<Conversion>& all, __nv_saturation_t saturate) {
  const FormatSpec& to = ue5m3::spec;
  const Overflow overflow = saturate == __NV_SATFINITE ? Overflow::satfinite : Overflow::to_nan;
  const SpecialInputs special{.negative_by_magnitude = true};
  const std::string name = "_to_ue5m3" + suffix(saturate);
  all.push_back({"f16" + name, Source::f16, to, Round::rne, overflow, special, [=](Bits b) {
                   return __nv_cvt_halfraw_to_ue5m3(half_raw(b), saturate, cudaRoundNearest);
                 }});
  all.push_back({"bf16" + name, Source::bf16, to, Round::rne, overflow, special, [=](Bits b) {
                   return __nv_cvt_bfloat16raw_to_ue5m3(bf16_raw(b), saturate, cudaRoundNearest);
                 }});
  all.push_back({"f32" + name, Source::f32, to, Round::rne, overflow, special, [=](Bits b) {
                   return __nv_cvt_float_to_ue5m3(f32_value(b), saturate, cudaRoundNearest);
                 }});
  all.push_back({"f64" + name, Source::f64, to, Round::rne, overflow, special, [=](Bits b) {
                   return __nv_cvt_double_to_ue5m3(f64_value(b), saturate, cudaRoundNearest);
                 }});
}
#endif

std::vector<Conversion> all_conversions() {
  std::vector<Conversion> all;
  append_fp4(all);
  append_fp6(all, {e2m3::spec, __NV_E2M3});
  append_fp6(all, {e3m2::spec, __NV_E3M2});
  for (const __nv_saturation_t saturate : {__NV_SATFINITE, __NV_NOSAT}) {
    append_fp8(all, {e4m3::spec, __NV_E4M3}, saturate);
    append_fp8(all, {e5m2::spec, __NV_E5M2}, saturate);
    append_e8m0(all, Round::rtz, cudaRoundZero, saturate);
    append_e8m0(all, Round::rtp, cudaRoundPosInf, saturate);
#if CUDART_VERSION >= 13050  // the first seen to have these
    append_e8m0(all, Round::rne, cudaRoundNearest, saturate);
    append_ue5m3(all, saturate);
#endif
  }
  return all;
}

std::vector<Bits> inputs_of(const Conversion& c) {
  std::vector<Bits> inputs;
  if (c.source == Source::f16 || c.source == Source::bf16) {
    for (Bits b = 0; b < 0x10000; ++b) inputs.push_back(b);
    return inputs;
  }
  std::mt19937_64 random(20260801);
  if (c.source == Source::f32) {
    for (const std::uint32_t code : testing_support::positive_codes(c.to)) {
      for (const Exact& x : testing_support::inputs_after(c.to, code)) {
        const std::uint32_t bits = encode<f32>(x, Round::rtz, Overflow::satfinite, strict).value();
        for (const std::uint32_t b : {bits, bits + 1, bits == 0 ? 0 : bits - 1}) {
          inputs.push_back(b);
          inputs.push_back(b | 0x80000000U);
        }
      }
    }
    for (const Bits b :
         {0x7f800000U, 0x7f800001U, 0x7fc00000U, 0x7fffffffU, 0x00000001U, 0x007fffffU}) {
      inputs.push_back(b);
      inputs.push_back(b | 0x80000000U);
    }
    for (int i = 0; i < 200000; ++i) inputs.push_back(random() >> 32);
    return inputs;
  }
  for (const std::uint32_t code : testing_support::positive_codes(c.to)) {
    for (const Exact& x : testing_support::inputs_after(c.to, code)) {
      const double value = std::ldexp(static_cast<double>(x.significand()), x.exponent());
      for (const double v : {value, std::nextafter(value, 1e300), std::nextafter(value, -1e300)}) {
        inputs.push_back(std::bit_cast<Bits>(v));
        inputs.push_back(std::bit_cast<Bits>(-v));
      }
    }
  }
  for (const Bits b : {0x7ff0000000000000ULL, 0x7ff0000000000001ULL, 0x7ff8000000000000ULL, 1ULL}) {
    inputs.push_back(b);
    inputs.push_back(b | (1ULL << 63));
  }
  // Random doubles of f32's exponents, where formats differ.
  for (int i = 0; i < 200000; ++i) {
    const Bits r = random();
    inputs.push_back((r & 0x800fffffffffffffULL) | ((1023 - 160 + random() % 320) << 52));
  }
  return inputs;
}

// A known difference between the headers and the rule that the tables above state.
struct Divergence {
  const char* name;
  const char* axis;
  std::function<bool(const Conversion&, const Exact&)> applies;
};

const std::vector<Divergence>& divergences() {
  static const std::vector<Divergence> known{
      {"the double path keeps the sign of a NaN", "NaN sign",
       [](const Conversion& c, const Exact& x) {
         return c.source == Source::f64 && c.to == e4m3::spec && x.is_nan() && x.negative();
       }},
      {"the double path keeps the sign and the highest mantissa bits of a NaN", "NaN payload",
       [](const Conversion& c, const Exact& x) {
         return c.source == Source::f64 && c.to == e5m2::spec && x.is_nan();
       }},
      {"a finite double beyond e8m0 toward zero is the largest value even without saturation",
       "overflow",
       [](const Conversion& c, const Exact& x) {
         return c.source == Source::f64 && c.to == e8m0::spec && c.mode == Round::rtz &&
                c.overflow == Overflow::to_nan && x.is_finite_nonzero() &&
                std::is_gt(compare_magnitude(x, max_finite(e8m0::spec)));
       }},
  };
  return known;
}

class CudaHeadersTest : public ::testing::TestWithParam<Conversion> {};

TEST_P(CudaHeadersTest, HostConversionGivesTheOraclesCode) {
  const Conversion& c = GetParam();
  std::map<const Divergence*, int> seen;
  int unexplained = 0;
  for (const Bits bits : inputs_of(c)) {
    const Exact x = exact_of(c.source, bits);
    const std::uint32_t expected = encode(c.to, x, c.mode, c.overflow, c.special).value();
    const std::uint32_t got = c.convert(bits);
    const auto known = std::find_if(divergences().begin(), divergences().end(),
                                    [&](const Divergence& d) { return d.applies(c, x); });
    if (known != divergences().end()) {
      seen[&*known] += got != expected ? 1 : 0;
    } else if (got != expected && ++unexplained <= 8) {
      ADD_FAILURE() << c.name << ", input 0x" << std::hex << bits << " (" << exact_dyadic(x)
                    << "): expected " << code_and_value(c.to, expected) << ", got "
                    << hex_code(c.to, got);
    }
  }
  EXPECT_EQ(unexplained, 0);
  for (const auto& [divergence, count] : seen) {
    EXPECT_GT(count, 0) << c.name << " no longer shows: " << divergence->name << " ("
                        << divergence->axis << ")";
  }
}

// Codes to f16, and e8m0 to bf16; CUDA's NaN there is 7fff, without a sign.
TEST(CudaHeadersTest, HostDecodingGivesTheOraclesValue) {
  const auto check = [](const FormatSpec& from, const FormatSpec& to, auto&& convert) {
    for (std::uint32_t code = 0; code < num_codes(from); ++code) {
      const std::uint32_t expected = encode(to, decode(from, code), Round::rne, Overflow::to_inf,
                                            SpecialInputs{.nan_code = 0x7fff})
                                         .value();
      ASSERT_EQ(std::uint32_t{convert(static_cast<unsigned char>(code))}, expected)
          << describe_code(from, code);
    }
  };
  check(e4m3::spec, f16::spec, [](auto c) { return __nv_cvt_fp8_to_halfraw(c, __NV_E4M3).x; });
  check(e5m2::spec, f16::spec, [](auto c) { return __nv_cvt_fp8_to_halfraw(c, __NV_E5M2).x; });
  check(e2m3::spec, f16::spec, [](auto c) { return __nv_cvt_fp6_to_halfraw(c, __NV_E2M3).x; });
  check(e3m2::spec, f16::spec, [](auto c) { return __nv_cvt_fp6_to_halfraw(c, __NV_E3M2).x; });
  check(e2m1::spec, f16::spec, [](auto c) { return __nv_cvt_fp4_to_halfraw(c, __NV_E2M1).x; });
  check(e8m0::spec, bf16::spec, [](auto c) { return __nv_cvt_e8m0_to_bf16raw(c).x; });
#if CUDART_VERSION >= 13050
  check(ue5m3::spec, bf16::spec, [](auto c) { return __nv_cvt_ue5m3_to_bf16raw(c).x; });
#endif
}

std::string ConversionName(const ::testing::TestParamInfo<Conversion>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Host, CudaHeadersTest, ::testing::ValuesIn(all_conversions()),
                         ConversionName);

}  // namespace
}  // namespace oracle

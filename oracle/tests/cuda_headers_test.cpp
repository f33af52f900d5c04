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

#include "formats_under_test.hpp"

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

std::vector<Conversion> fp8_conversions() {
  std::vector<Conversion> all;
  for (const auto& [to, kind, nan] :
       {std::tuple{e4m3::spec, __NV_E4M3, 0x7fU}, std::tuple{e5m2::spec, __NV_E5M2, 0x7fU}}) {
    const __nv_fp8_interpretation_t k = kind;
    for (const __nv_saturation_t saturate : {__NV_SATFINITE, __NV_NOSAT}) {
      const bool sat = saturate == __NV_SATFINITE;
      const Overflow overflow = sat             ? Overflow::satfinite
                                : to.infinities ? Overflow::to_inf
                                                : Overflow::to_nan;
      const auto add_one = [&](const char* from, Source source, std::function<unsigned(Bits)> f) {
        all.push_back(
            {std::string(from) + "_to_" + std::string(to.name) + (sat ? "_satfinite" : ""), source,
             to, Round::rne, overflow, SpecialInputs{.nan_code = nan, .keep_overflow_sign = true},
             std::move(f)});
      };
      add_one("f16", Source::f16,
              [=](Bits b) { return __nv_cvt_halfraw_to_fp8(half_raw(b), saturate, k); });
      add_one("bf16", Source::bf16,
              [=](Bits b) { return __nv_cvt_bfloat16raw_to_fp8(bf16_raw(b), saturate, k); });
      add_one("f32", Source::f32,
              [=](Bits b) { return __nv_cvt_float_to_fp8(f32_value(b), saturate, k); });
      add_one("f64", Source::f64,
              [=](Bits b) { return __nv_cvt_double_to_fp8(f64_value(b), saturate, k); });
    }
  }
  return all;
}

std::vector<Conversion> fp6_conversions() {
  std::vector<Conversion> all;
  for (const auto& [to, kind] :
       {std::pair{e2m3::spec, __NV_E2M3}, std::pair{e3m2::spec, __NV_E3M2}}) {
    const __nv_fp6_interpretation_t k = kind;
    const auto add_one = [&](const char* from, Source source, std::function<unsigned(Bits)> f) {
      all.push_back({std::string(from) + "_to_" + std::string(to.name), source, to, Round::rne,
                     Overflow::satfinite, SpecialInputs{.nan_code = max_finite_code(to)},
                     std::move(f)});
    };
    add_one("f16", Source::f16,
            [=](Bits b) { return __nv_cvt_halfraw_to_fp6(half_raw(b), k, cudaRoundNearest); });
    add_one("bf16", Source::bf16,
            [=](Bits b) { return __nv_cvt_bfloat16raw_to_fp6(bf16_raw(b), k, cudaRoundNearest); });
    add_one("f32", Source::f32,
            [=](Bits b) { return __nv_cvt_float_to_fp6(f32_value(b), k, cudaRoundNearest); });
    add_one("f64", Source::f64,
            [=](Bits b) { return __nv_cvt_double_to_fp6(f64_value(b), k, cudaRoundNearest); });
  }
  return all;
}

std::vector<Conversion> fp4_conversions() {
  std::vector<Conversion> all;
  const auto add_one = [&](const char* from, Source source, std::function<unsigned(Bits)> f) {
    all.push_back({std::string(from) + "_to_e2m1", source, e2m1::spec, Round::rne,
                   Overflow::satfinite, e2m1_nan_is_six, std::move(f)});
  };
  add_one("f16", Source::f16,
          [](Bits b) { return __nv_cvt_halfraw_to_fp4(half_raw(b), __NV_E2M1, cudaRoundNearest); });
  add_one("bf16", Source::bf16, [](Bits b) {
    return __nv_cvt_bfloat16raw_to_fp4(bf16_raw(b), __NV_E2M1, cudaRoundNearest);
  });
  add_one("f32", Source::f32,
          [](Bits b) { return __nv_cvt_float_to_fp4(f32_value(b), __NV_E2M1, cudaRoundNearest); });
  add_one("f64", Source::f64,
          [](Bits b) { return __nv_cvt_double_to_fp4(f64_value(b), __NV_E2M1, cudaRoundNearest); });
  return all;
}

std::vector<Conversion> e8m0_conversions() {
  std::vector<Conversion> all;
  for (const auto& [mode, name, cuda_mode] : {std::tuple{Round::rtz, "_rz", cudaRoundZero},
                                              std::tuple{Round::rtp, "_rp", cudaRoundPosInf}}) {
    const cudaRoundMode m = cuda_mode;
    for (const __nv_saturation_t saturate : {__NV_SATFINITE, __NV_NOSAT}) {
      const bool sat = saturate == __NV_SATFINITE;
      const auto add_one = [&](const char* from, Source source, std::function<unsigned(Bits)> f) {
        all.push_back({std::string(from) + "_to_e8m0" + name + (sat ? "_satfinite" : ""), source,
                       e8m0::spec, mode, sat ? Overflow::satfinite : Overflow::to_nan, cuda_e8m0,
                       std::move(f)});
      };
      add_one("bf16", Source::bf16,
              [=](Bits b) { return __nv_cvt_bfloat16raw_to_e8m0(bf16_raw(b), saturate, m); });
      add_one("f32", Source::f32,
              [=](Bits b) { return __nv_cvt_float_to_e8m0(f32_value(b), saturate, m); });
      add_one("f64", Source::f64,
              [=](Bits b) { return __nv_cvt_double_to_e8m0(f64_value(b), saturate, m); });
    }
  }
  return all;
}

// Conversions that CUDA 13.5 was the first seen to have: e8m0 to nearest, and ue5m3.
#if CUDART_VERSION >= 13050
std::vector<Conversion> newer_conversions() {
  std::vector<Conversion> all;
  for (const __nv_saturation_t saturate : {__NV_SATFINITE, __NV_NOSAT}) {
    const bool sat = saturate == __NV_SATFINITE;
    const auto add_one = [&](const char* name, Source source, const FormatSpec& to,
                             std::function<unsigned(Bits)> f) {
      all.push_back({std::string(name) + (sat ? "_satfinite" : ""), source, to, Round::rne,
                     sat ? Overflow::satfinite : Overflow::to_nan,
                     to == e8m0::spec ? cuda_e8m0 : SpecialInputs{.negative_by_magnitude = true},
                     std::move(f)});
    };
    add_one("f32_to_e8m0_rn", Source::f32, e8m0::spec, [=](Bits b) {
      return __nv_cvt_float_to_e8m0(f32_value(b), saturate, cudaRoundNearest);
    });
    add_one("bf16_to_e8m0_rn", Source::bf16, e8m0::spec, [=](Bits b) {
      return __nv_cvt_bfloat16raw_to_e8m0(bf16_raw(b), saturate, cudaRoundNearest);
    });
    add_one("f16_to_ue5m3", Source::f16, ue5m3::spec, [=](Bits b) {
      return __nv_cvt_halfraw_to_ue5m3(half_raw(b), saturate, cudaRoundNearest);
    });
    add_one("bf16_to_ue5m3", Source::bf16, ue5m3::spec, [=](Bits b) {
      return __nv_cvt_bfloat16raw_to_ue5m3(bf16_raw(b), saturate, cudaRoundNearest);
    });
    add_one("f32_to_ue5m3", Source::f32, ue5m3::spec, [=](Bits b) {
      return __nv_cvt_float_to_ue5m3(f32_value(b), saturate, cudaRoundNearest);
    });
    add_one("f64_to_ue5m3", Source::f64, ue5m3::spec, [=](Bits b) {
      return __nv_cvt_double_to_ue5m3(f64_value(b), saturate, cudaRoundNearest);
    });
  }
  return all;
}
#else
std::vector<Conversion> newer_conversions() { return {}; }
#endif

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
                compare_magnitude(x, max_finite(e8m0::spec)) > 0;
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

std::vector<Conversion> all_conversions() {
  std::vector<Conversion> all;
  for (auto&& part : {fp8_conversions(), fp6_conversions(), fp4_conversions(), e8m0_conversions(),
                      newer_conversions()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
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

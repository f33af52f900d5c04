#include "harness/diagnosis/conversion_models.hpp"

#include <array>
#include <vector>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"

namespace harness {
namespace {

using oracle::Exact;
using oracle::FormatSpec;

// A fault of the codes that are read.
struct SourceFault {
  std::string_view fault_class;
  std::string_view variant;
  std::uint32_t (*result)(const Conversion& conversion, std::uint32_t source);
};

Exact value_of(const Conversion& c, std::uint32_t source) {
  return oracle::decode(c.source, source);
}

bool from(const Conversion& c, const FormatSpec& format) { return c.source == format; }

std::uint32_t e8m0_zero_flushed(const Conversion& c, std::uint32_t source) {
  return from(c, oracle::e8m0::spec) && source == 0 ? 0 : converted(c, source);
}

std::uint32_t e8m0_shifted(const Conversion& c, std::uint32_t source) {
  const bool to_f32 = c.store.to == oracle::f32::spec;
  return from(c, oracle::e8m0::spec) && to_f32 ? source << 23 : converted(c, source);
}

std::uint32_t e8m0_nan_infinite(const Conversion& c, std::uint32_t source) {
  return from(c, oracle::e8m0::spec) && source == 0xff ? oracle::infinity_code(c.store.to, false)
                                                       : converted(c, source);
}

// f32 exponents by unsigned subtraction: what is below 2^-127 wraps to ff.
std::uint32_t e8m0_of_tiny_wraps(const Conversion& c, std::uint32_t source) {
  const bool tiny = c.store.to == oracle::e8m0::spec && (source & 0x7fffffffU) < 0x00400000U;
  return tiny ? 0xff : converted(c, source);
}

std::uint32_t e4m3_subnormal_with_leading_one(const Conversion& c, std::uint32_t source) {
  const std::uint32_t mantissa = source & 7U;
  if (!from(c, oracle::e4m3::spec) || (source & 0x78U) != 0 || mantissa == 0) {
    return converted(c, source);
  }
  return stored(c.store, Exact::finite((source & 0x80U) != 0, 8 + mantissa, -10));
}

std::uint32_t e4m3_nan_is_480(const Conversion& c, std::uint32_t source) {
  if (!from(c, oracle::e4m3::spec) || (source & 0x7fU) != 0x7fU) {
    return converted(c, source);
  }
  return stored(c.store, Exact::integer((source & 0x80U) != 0 ? -480 : 480));
}

std::uint32_t e4m3_read_as_fnuz(const Conversion& c, std::uint32_t source) {
  if (!from(c, oracle::e4m3::spec)) return converted(c, source);
  return stored(c.store, oracle::decode<oracle::e4m3fnuz>(source));
}

std::uint32_t nan_sign_kept(const Conversion& c, std::uint32_t source) {
  Store store = c.store;
  store.special.keep_nan_sign = true;
  return stored(store, value_of(c, source));
}

constexpr auto source_faults = std::to_array<SourceFault>({
    {"nan_sign", "NaN carries its sign", nan_sign_kept},
    {"e4m3_scale_subnormal_implicit_one", "codes 01 to 07 are read with a leading one",
     e4m3_subnormal_with_leading_one},
    {"e4m3_scale_nan_reads_480", "codes 7f and ff are read as 480 and -480", e4m3_nan_is_480},
    {"e8m0_code_0_flushed", "code 00 is read as 0", e8m0_zero_flushed},
    {"e8m0_nan_becomes_inf", "code ff is read as infinity", e8m0_nan_infinite},
    {"e8m0_code_0_flushed", "codes are `byte << 23`: 00 is 0 and ff infinity", e8m0_shifted},
    {"e8m0_cast_of_tiny_or_negative", "what is below 2^-127 wraps to ff", e8m0_of_tiny_wraps},
    {"fnuz_scale_decode", "codes are read as FNUZ", e4m3_read_as_fnuz},
});

}  // namespace

std::span<const ConversionModel> conversion_models() {
  static const std::vector<ConversionModel> models = [] {
    std::vector<ConversionModel> all;
    for (const StoreFault& fault : store_faults()) {
      all.push_back(
          {fault.fault_class, fault.variant, [&fault](const Conversion& c, std::uint32_t source) {
             return fault.applies(c.store) ? fault.result(c.store, value_of(c, source))
                                           : converted(c, source);
           }});
    }
    for (const SourceFault& fault : source_faults) {
      all.push_back({fault.fault_class, fault.variant, fault.result});
    }
    return all;
  }();
  return models;
}

std::uint32_t converted(const Conversion& c, std::uint32_t source) {
  return stored(c.store, value_of(c, source));
}

}  // namespace harness

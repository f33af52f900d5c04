#include "harness/suite/operations/conversion_inputs.hpp"

#include <cassert>
#include <set>

#include "oracle/numbers/decode.hpp"
#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"
#include "oracle/numbers/formats.hpp"

namespace harness {
namespace {

using oracle::Exact;
using oracle::FormatSpec;

constexpr std::uint32_t f32_sign = 0x80000000;
constexpr std::uint32_t f32_infinity = 0x7f800000;
constexpr std::uint32_t half_f16_step = 1U << 12;   // f16 keeps 10 of 23 mantissa bits
constexpr std::uint32_t half_bf16_step = 1U << 15;  // bf16 keeps 7

// Zero, the smallest and largest subnormal, the smallest and largest normal value, infinity, and
// NaNs with the lowest, the highest and all mantissa bits set.
constexpr std::uint32_t f32_ends[] = {0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x7f7fffff,
                                      0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};

Exact midpoint(const Exact& a, const Exact& b) {
  return oracle::multiply(oracle::add(a, b), Exact::power_of_two(-1));
}

// The nonnegative finite values of a format, ascending, and the one after the largest that an
// unbounded exponent would give it.
std::vector<Exact> magnitudes(const FormatSpec& format) {
  std::vector<Exact> values;
  for (std::uint32_t code = 0; code <= oracle::max_finite_code(format); ++code) {
    values.push_back(oracle::decode(format, code));
  }
  const Exact& largest = values.back();
  const int step = largest.log2_floor() - format.mantissa_bits;
  values.push_back(oracle::add(largest, Exact::power_of_two(step)));
  return values;
}

class F32Set {
 public:
  void add_bits(std::uint32_t bits) {
    bits_.insert(bits);
    bits_.insert(bits ^ f32_sign);
  }
  // A value with those around it. Precondition: f32 holds it exactly.
  void add_around(const Exact& value) {
    const auto bits = oracle::encode<oracle::f32>(value, oracle::Round::rtz,
                                                  oracle::Overflow::to_inf, oracle::strict);
    assert(bits && oracle::decode<oracle::f32>(*bits) == value);
    for (const std::uint32_t step : {0U, 1U, half_f16_step, half_bf16_step}) {
      if (*bits >= step) add_bits(*bits - step);
      if (*bits + step < f32_infinity) add_bits(*bits + step);
    }
  }
  std::vector<std::uint32_t> bits() const { return {bits_.begin(), bits_.end()}; }

 private:
  std::set<std::uint32_t> bits_;
};

}  // namespace

std::vector<std::uint32_t> conversion_inputs(const FormatSpec& source,
                                             const FormatSpec& destination) {
  if (source != oracle::f32::spec) {
    std::vector<std::uint32_t> codes;
    for (std::uint32_t code = 0; code < oracle::num_codes(source); ++code) codes.push_back(code);
    return codes;
  }
  F32Set inputs;
  for (const std::uint32_t bits : f32_ends) inputs.add_bits(bits);
  std::vector<Exact> values = magnitudes(destination);
  // The value after e8m0's largest is 2^128, which f32 lacks too.
  if (destination == oracle::e8m0::spec) values.pop_back();
  for (std::size_t i = 0; i < values.size(); ++i) {
    inputs.add_around(values[i]);
    if (i > 0) inputs.add_around(midpoint(values[i - 1], values[i]));
  }
  return inputs.bits();
}

}  // namespace harness

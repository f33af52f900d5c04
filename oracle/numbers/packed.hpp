// Packed arithmetic on four lanes, PTX ISA 9.4 section 9.7.6.1-4: `add sub mul fma` with packed FP8
// results and FP4, FP6, FP8 or UE8M0 operands. `qmul4` is one of its spellings,
// mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4. Every lane is computed exactly and rounded once, to
// nearest even, the only mode that the section has.
//
// Lane i of a packed word lies in bits [i*w, (i+1)*w), w = 4 in e2m1x4 (16 bits) and 8 in the
// others (32 bits); lane 0 is the lowest. Codes shorter than their lane fill its low bits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "oracle/numbers/encode.hpp"
#include "oracle/numbers/exact_arithmetic.hpp"

namespace oracle {

inline constexpr int packed_lanes = 4;

enum class PackedType : std::uint8_t { e2m1x4, e2m1p4x4, e2m3x4, e3m2x4, e4m3x4, e5m2x4, ue8m0x4 };

constexpr const FormatSpec& element_format(PackedType type) {
  switch (type) {
    case PackedType::e2m1x4:
    case PackedType::e2m1p4x4:
      return e2m1::spec;
    case PackedType::e2m3x4:
      return e2m3::spec;
    case PackedType::e3m2x4:
      return e3m2::spec;
    case PackedType::e4m3x4:
      return e4m3::spec;
    case PackedType::e5m2x4:
      return e5m2::spec;
    case PackedType::ue8m0x4:
      break;
  }
  return e8m0::spec;
}

constexpr int lane_bits(PackedType type) { return type == PackedType::e2m1x4 ? 4 : 8; }
constexpr int packed_bits(PackedType type) { return packed_lanes * lane_bits(type); }

// Lane `i` of `word` as it is stored, bits above the code included.
constexpr std::uint32_t lane_of(PackedType type, std::uint32_t word, int i) {
  return (word >> (i * lane_bits(type))) & ((1U << lane_bits(type)) - 1U);
}

// What the ISA text does not say. All fields are unverified: nobody has measured them on hardware
// that has the instructions (sm_100a, sm_103a). The defaults are the values that CUDA's conversion
// instructions have, measured on sm_90.
struct PackedPolicy {
  std::uint8_t e4m3_nan = 0x7f;  // NaN result
  std::uint8_t e5m2_nan = 0x7f;
  bool keep_nan_sign = false;       // with the sign bit of a negative NaN
  bool keep_overflow_sign = false;  // or of a negative value that overflows to NaN

  // Bits above the code in a lane of 8 (e2m1p4x4, e2m3x4, e3m2x4); the ISA says they are zero.
  enum class HighBits : std::uint8_t { ignored, rejected } high_bits = HighBits::ignored;

  // Results beyond the largest finite value without .satfinite. With it they saturate.
  Overflow e4m3_overflow = Overflow::to_nan;
  Overflow e5m2_overflow = Overflow::to_inf;

  // Whether fma rounds the product to the result type before the addition.
  enum class Fma : std::uint8_t { rounds_once, rounds_product } fma = Fma::rounds_once;
};

// The policy of profile `ocp`.
inline constexpr PackedPolicy ocp_packed{};

enum class PackedOp : std::uint8_t { add, sub, mul, fma };

// add, sub: d = a + b, d = a - b, and b has the type of the result.
// mul:      d = a * b
// fma:      d = a * b + c, and c has the type of the result.
struct PackedInstruction {
  PackedOp op;
  PackedType result;  // e4m3x4 or e5m2x4
  PackedType a;
  PackedType b;
  bool satfinite;

  bool operator==(const PackedInstruction&) const = default;
};

inline constexpr PackedInstruction qmul4_instruction{PackedOp::mul, PackedType::e4m3x4,
                                                     PackedType::e2m1x4, PackedType::e4m3x4, true};

// The result word. Correctly rounded in each lane. `c` is read by fma alone.
// Errors: invalid_argument for a result type or second type that the family does not have, for bits
// above a 16-bit operand, and for bits above a code where the policy rejects them.
[[nodiscard]] Result<std::uint32_t> evaluate(const PackedInstruction& instruction, std::uint32_t a,
                                             std::uint32_t b, std::uint32_t c,
                                             const PackedPolicy& policy);

// d[i] = e4m3_rne_satfinite(e2m1(a[i]) * e4m3(b[i])), the NaN as the policy has it. b is signed.
constexpr std::uint32_t qmul4(std::uint16_t a, std::uint32_t b, const PackedPolicy& policy) {
  const SpecialInputs special{.nan_code = policy.e4m3_nan, .keep_nan_sign = policy.keep_nan_sign};
  std::uint32_t d = 0;
  for (int i = 0; i < packed_lanes; ++i) {
    const Exact product = multiply(decode<e2m1>(lane_of(PackedType::e2m1x4, a, i)),
                                   decode<e4m3>(lane_of(PackedType::e4m3x4, b, i)));
    d |= detail::encode_total<e4m3>(product, Round::rne, Overflow::satfinite, special) << (8 * i);
  }
  return d;
}

// The PTX spelling, "mul.rn.satfinite.e4m3x4.e2m1x4.e4m3x4".
std::string spelling(const PackedInstruction& instruction);

// The instruction that a spelling means. `.rn` may be left out, and `.satfinite` may stand last, as
// ptxas accepts it. Error: unknown_name, with the token that is not understood.
[[nodiscard]] Result<PackedInstruction> parse_packed_instruction(std::string_view text);

}  // namespace oracle

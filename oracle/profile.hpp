// A profile names every choice in which right implementations differ: docs/design.md section 4. It
// is plain data; reading it from JSON is the harness's. Every field is honoured by
// decode_pages.hpp, gather.hpp or quantize.hpp, so two profiles that differ in a field differ in
// some output.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "oracle/blocks/writer_rule.hpp"
#include "oracle/pages/page_layout.hpp"

namespace oracle {

// The code that stands for NaN in each destination.
struct NanCodes {
  std::uint8_t e4m3 = 0x7f;
  std::uint16_t bf16 = 0x7fc0;
  std::uint16_t f16 = 0x7e00;
  std::uint32_t f32 = 0x7fc00000;

  bool operator==(const NanCodes&) const = default;
};

// The sign of a NaN result, in destinations that have one.
enum class NanSign : std::uint8_t {
  as_coded,      // NanCodes, whatever the inputs (CUDA's conversions)
  from_scale,    // the sign of the scale (torch's cast)
  from_element,  // the sign of the element (AMD's software model)
};

enum class E8m0Zero : std::uint8_t { two_to_minus_127, zero };       // scale byte 00
enum class E8m0Ff : std::uint8_t { nan, infinity, two_to_128 };      // scale byte ff
enum class E4m3Family : std::uint8_t { ocp, fnuz };                  // bias 7 or 8
enum class ScaleSign : std::uint8_t { signed_e4m3, unsigned_e4m3 };  // bit 7: sign, or ignored
enum class E4m3Overflow : std::uint8_t { satfinite, to_nan };  // finite results above the range
// Products that no finite f32 holds (magnitude 2^128 and more, or an infinite scale) into e4m3:
// an implementation that goes through f32 sees an infinity there. `saturate` treats them like any
// other overflow.
enum class E4m3Infinity : std::uint8_t { saturate, to_nan };
enum class ZeroCodeNanScale : std::uint8_t { nan, zero };  // zero code times NaN scale
// Which distance between pages a reader uses: the stride it was given, or the page's own bytes.
enum class PageStride : std::uint8_t { as_given, dense };
// Where scales lie: as the layout of the page has it, or in one order whatever the layout.
enum class ScaleOrderChoice : std::uint8_t { of_layout, linear, quads, swizzle_128x4 };

struct Profile {
  std::string name;
  int version = 1;

  // Readers: decode and gather.
  NanCodes nan;
  NanSign nan_sign = NanSign::as_coded;
  E8m0Zero e8m0_00 = E8m0Zero::two_to_minus_127;
  E8m0Ff e8m0_ff = E8m0Ff::nan;
  E4m3Family scale_family = E4m3Family::ocp;
  ScaleSign scale_sign = ScaleSign::signed_e4m3;
  E4m3Family output_family = E4m3Family::ocp;  // of e4m3 outputs
  E4m3Overflow e4m3_overflow = E4m3Overflow::satfinite;
  E4m3Infinity e4m3_infinity = E4m3Infinity::saturate;
  NegativeZero negative_zero = NegativeZero::kept;
  ZeroCodeNanScale zero_code_nan_scale = ZeroCodeNanScale::nan;

  // Pages, for readers and writers.
  ScaleOrderChoice scale_order = ScaleOrderChoice::of_layout;
  PageStride page_stride = PageStride::as_given;

  // Writers.
  Nvfp4Rule nvfp4_writer = vllm_m3;
  Mxfp4Rule mxfp4_writer = mxfp4_aiter;

  // Fields whose value no document or measurement settles for the hardware that the profile names.
  std::vector<std::string> unverified;

  bool operator==(const Profile&) const = default;
};

namespace profiles {

// OCP texts and IEEE 754's quiet NaN; the default. Unverified: the NaN of QMUL4.
const Profile& ocp();

// CUDA's conversions: NaN is 7fff in bf16 and f16, 7fffffff in f32, 7f in e4m3; measured on sm_90.
const Profile& cuda();

// A machine whose FP8 is FNUZ (gfx940, gfx942) for scales and outputs alike. A machine that mixes
// the two families has a fault, not a profile.
const Profile& fnuz();

// Software that forms an E8M0 scale as the f32 bits `byte << 23`: 00 is 0.0 and ff is infinity.
const Profile& shift23();

// Writers (docs/layouts.md): each is `ocp` with the rule of that name, blocks/writer_rule.hpp, for
// NVFP4 or for MXFP4 pages.
const Profile& vllm_m3();
const Profile& generic_nvfp4();
const Profile& aiter();
const Profile& aiter_dsv4();
const Profile& ocp_floor();
const Profile& even();
const Profile& ceil();
const Profile& deepgemm();

// All of the above, the default first.
std::span<const Profile* const> shipped();

}  // namespace profiles
}  // namespace oracle

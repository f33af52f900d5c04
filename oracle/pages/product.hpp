// One e2m1 element times its block scale, rounded once into a destination: the arithmetic of every
// page reader (docs/design.md sections 3.1 to 3.3). Products have at most 6 significant bits and
// are exact until the one rounding, to nearest even.
//
// What the profile settles: NaN codes and signs, E8M0 bytes 00 and ff, E4M3 family and sign of the
// scale, overflow and infinity in e4m3, -0, and a zero code under a NaN scale.
#pragma once

#include <cstdint>
#include <string>

#include "oracle/numbers/dtype.hpp"
#include "oracle/numbers/exact.hpp"
#include "oracle/numbers/format_spec.hpp"
#include "oracle/pages/page_layout.hpp"
#include "oracle/profile.hpp"

namespace oracle {

// e4m3, f32, bf16 and f16.
constexpr bool is_destination(Dtype dtype) {
  return dtype == Dtype::e4m3 || dtype == Dtype::f32 || dtype == Dtype::bf16 || dtype == Dtype::f16;
}
inline constexpr std::array all_destinations{Dtype::e4m3, Dtype::f32, Dtype::bf16, Dtype::f16};

// The format of a destination; that of e4m3 depends on the profile's family.
// Precondition: is_destination(destination).
const FormatSpec& destination_format(Dtype destination, const Profile& profile);

// The format that a profile reads scales of this format as: FNUZ for E4M3, where it says so.
const FormatSpec& scale_format_read(const FormatSpec& format, const Profile& profile);

// The value of a scale byte: a number, +infinity (E8M0 ff), or NaN with the sign of the byte.
Exact scale_value(const FormatSpec& format, std::uint8_t scale, const Profile& profile);

// The code, in the low bits, of e2m1(code) * scale. Correctly rounded, once. Preconditions: code
// has 4 bits, is_destination(destination).
std::uint32_t decode_element(const FormatSpec& format, std::uint8_t code, std::uint8_t scale,
                             Dtype destination, const Profile& profile);

// The code of any value in a destination, as the same readers store a product. Correctly rounded,
// once. A NaN that has its sign from an input has that of `value`; `value` is infinite where f32
// is. Precondition: is_destination(destination).
std::uint32_t encode_element(const Exact& value, Dtype destination, const Profile& profile);

}  // namespace oracle

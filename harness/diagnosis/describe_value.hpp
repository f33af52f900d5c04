// Codes and scales in words, as mismatches state them.
#pragma once

#include <cstdint>
#include <string>

#include "harness/diagnosis/arithmetic_models.hpp"
#include "harness/model/diagnosis.hpp"

namespace harness {

// Adds code, scale, product and both results to a site and says them as one line:
// "code 0xb (-1.5) x scale 0x7a (320) = -480: expected 0xfe (-448), got 0xff (-NaN)"
std::string describe_product(const ArithmeticSetting& setting, std::uint8_t code,
                             std::uint8_t scale, Mismatch& mismatch);

// A result of the setting's destination: "0x7e (448)".
std::string describe_result(const ArithmeticSetting& setting, std::uint32_t result);

}  // namespace harness

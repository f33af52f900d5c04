// A nonnegative number as one long integer in units of 2^-192, wide enough for every magnitude that
// the formats and their products reach (2^-150 to below 2^131). Addition and comparison are all it
// can do.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace witness {

class Fixed {
 public:
  constexpr Fixed() = default;

  // count * 2^exponent; the lowest bit must not lie below 2^-192 nor the highest reach 2^192.
  constexpr Fixed(std::uint64_t count, int exponent) {
    const int above_lowest = exponent + 192;
    const auto place = static_cast<std::size_t>(above_lowest);
    const std::uint64_t low = (count & 0xffffffffU) << (place % 32);
    const std::uint64_t high = (count >> 32) << (place % 32);
    words_.at(place / 32) = static_cast<std::uint32_t>(low);
    words_.at(place / 32 + 1) = static_cast<std::uint32_t>((low >> 32) + (high & 0xffffffffU));
    words_.at(place / 32 + 2) = static_cast<std::uint32_t>(high >> 32);
  }

  friend constexpr Fixed operator+(const Fixed& a, const Fixed& b) {
    Fixed sum;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < a.words_.size(); ++i) {
      carry += std::uint64_t{a.words_[i]} + b.words_[i];
      sum.words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return sum;
  }

  friend constexpr std::strong_ordering operator<=>(const Fixed& a, const Fixed& b) {
    for (std::size_t i = a.words_.size(); i-- > 0;) {
      if (a.words_[i] != b.words_[i]) return a.words_[i] <=> b.words_[i];
    }
    return std::strong_ordering::equal;
  }
  friend constexpr bool operator==(const Fixed& a, const Fixed& b) = default;

 private:
  std::array<std::uint32_t, 14> words_{};  // lowest first; two more than 384 bits need
};

}  // namespace witness
